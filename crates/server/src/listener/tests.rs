//! The timeouts of a connection, shorter than those of a real server.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::connection::ConnectionHandler;
use super::stopping::Stopping;
use super::timeouts::Timeouts;

const LONG: Duration = Duration::from_hours(1);
const SHORT: Duration = Duration::from_millis(300);
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];
/// SETTINGS with a window of zero: the server may not send any data.
const NO_WINDOW: [u8; 15] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0];
const DATA: u8 = 0x0;
const RESET: u8 = 0x3;
const GOAWAY: u8 = 0x7;
const PING: u8 = 0x6;
/// `GET http://a/` in one frame that ends the head and the stream.
const GET: [u8; 15] = [0, 0, 6, 1, 0x5, 0, 0, 0, 1, 0x82, 0x86, 0x84, 0x01, 0x01, b'a'];

/// `POST http://a/` whose body follows.
const POST: [u8; 15] = [0, 0, 6, 1, 0x4, 0, 0, 0, 1, 0x83, 0x86, 0x84, 0x01, 0x01, b'a'];
/// Two bytes of that body, and its end.
const PART: [u8; 11] = [0, 0, 2, DATA, 0x0, 0, 0, 0, 1, b'x', b'x'];
const END: [u8; 9] = [0, 0, 0, DATA, 0x1, 0, 0, 0, 1];

/// Timeouts that never expire. Each test shortens those that it needs.
fn endless() -> Timeouts {
    Timeouts {
        head: LONG,
        keep_alive: LONG,
        http2_idle: LONG,
        ping: LONG,
        pong: LONG,
        response: LONG,
        close: LONG,
        drain: LONG,
    }
}

struct Peer {
    stream: DuplexStream,
    since: Instant,
}

impl Peer {
    /// Connects to a server with these timeouts.
    fn new(timeouts: Timeouts) -> Self {
        Self::of_server(timeouts, Stopping::default())
    }

    /// Connects to a server with these timeouts that stops in this way.
    fn of_server(timeouts: Timeouts, stopping: Stopping) -> Self {
        let (stream, other) = duplex(64 * 1024);
        let router = Router::new().route("/", get(|| async { "here" }).post(|| async { "no" }));
        let handler = ConnectionHandler::new(router, None, timeouts, stopping);
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        tokio::spawn(async move { handler.run(other, address).await });
        Self { stream, since: now() }
    }

    /// Connects and sends the whole HTTP/2 preface.
    async fn http2(timeouts: Timeouts) -> Self {
        let mut peer = Self::new(timeouts);
        peer.send(&[PREFACE, &SETTINGS].concat()).await;
        peer
    }

    async fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
    }

    /// The kind of the next frame.
    async fn frame(&mut self) -> u8 {
        let mut header = [0; 9];
        self.stream.read_exact(&mut header).await.unwrap();
        let length = u32::from_be_bytes([0, header[0], header[1], header[2]]);
        let mut payload = vec![0; usize::try_from(length).unwrap()];
        self.stream.read_exact(&mut payload).await.unwrap();
        header[3]
    }

    /// Waits for a frame of this kind.
    async fn until_frame(&mut self, kind: u8) {
        timeout(LONG, async { while self.frame().await != kind {} }).await.unwrap();
    }

    /// Waits for the whole answer of HTTP/1.
    async fn until_answer(&mut self) {
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"here") {
            assert!(self.stream.read_buf(&mut bytes).await.unwrap() > 0, "{bytes:?}");
        }
    }

    /// Returns the bytes until the server closes, which must not happen before this time.
    async fn closed_after(&mut self, time: Duration) -> Vec<u8> {
        let mut bytes = Vec::new();
        let patience = Duration::from_secs(20);
        let read = timeout(patience, self.stream.read_to_end(&mut bytes)).await;
        read.expect("the server closes").unwrap();
        assert!(self.since.elapsed() >= time, "closed after {:?}", self.since.elapsed());
        bytes
    }

    /// Whether the connection is still open after every short timeout would have expired.
    async fn is_held(&mut self) -> bool {
        let reading = async {
            let mut bytes = [0; 1_024];
            while self.stream.read(&mut bytes).await.unwrap() > 0 {}
        };
        timeout(SHORT * 3, reading).await.is_err()
    }
}

#[expect(clippy::disallowed_methods, reason = "the timeouts of connections use real time")]
fn now() -> Instant {
    Instant::now()
}

#[tokio::test]
async fn an_unfinished_head_of_http_1_is_closed() {
    for start in ["", "P", "GET / HTTP/1.1\r\nhost: a\r\n"] {
        let mut peer = Peer::new(Timeouts { head: SHORT, ..endless() });
        peer.send(start.as_bytes()).await;
        assert_eq!(peer.closed_after(SHORT).await, b"", "{start:?}");
    }
}

#[tokio::test]
async fn an_unfinished_preface_or_head_of_http_2_is_closed() {
    let settings = [PREFACE, &SETTINGS].concat();
    for start in [PREFACE, &settings[..28], &[&settings[..], &GET[..12]].concat()] {
        let mut peer = Peer::new(Timeouts { head: SHORT, ..endless() });
        peer.send(start).await;
        peer.closed_after(SHORT).await;
    }
    let begun = [0, 0, 1, 1, 0x1, 0, 0, 0, 1, 0x82];
    let mut peer = Peer::http2(Timeouts { head: SHORT, ..endless() }).await;
    peer.send(&begun).await;
    peer.closed_after(SHORT).await;
}

#[tokio::test]
async fn a_whole_head_is_not_held_to_the_time_of_heads() {
    let mut peer = Peer::http2(Timeouts { head: SHORT, ..endless() }).await;
    peer.send(&GET).await;
    assert!(peer.is_held().await);
    let mut peer = Peer::new(Timeouts { head: SHORT, ..endless() });
    peer.send(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await;
    assert!(peer.is_held().await);
}

#[tokio::test]
async fn a_head_that_came_with_the_request_before_it_has_the_time_of_heads() {
    let whole = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n";
    for before in [1, 2] {
        let mut peer = Peer::new(Timeouts { head: SHORT, ..endless() });
        peer.send(&[&whole.repeat(before)[..], b"GET /he"].concat()).await;
        assert!(peer.closed_after(SHORT).await.ends_with(b"here"));
    }
    let mut held = Peer::new(Timeouts { head: SHORT, ..endless() });
    held.send(&whole.repeat(3)).await;
    assert!(held.is_held().await);
}

#[tokio::test]
async fn http_1_is_closed_when_it_idles_between_two_requests() {
    let mut peer = Peer::new(Timeouts { keep_alive: SHORT, ..endless() });
    peer.send(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await;
    let answer = peer.closed_after(SHORT).await;
    assert!(answer.ends_with(b"here"));
}

/// Everything is on one thread, and a connection looks for a request before it looks at the time:
/// only the order of events matters.
#[tokio::test]
async fn a_request_on_its_way_at_the_end_is_answered_if_there_is_a_delay() {
    for (delay, is_answered) in [(SHORT, true), (Duration::ZERO, false)] {
        let stop = CancellationToken::new();
        let stopping = Stopping::new(stop.clone(), delay);
        let mut peer = Peer::of_server(endless(), stopping.clone());
        peer.send(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await;
        peer.until_answer().await;
        stopping.ask_to_leave();
        stop.cancel();
        // The connection notices.
        tokio::task::yield_now().await;
        let _ = peer.stream.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await;
        let said = peer.closed_after(Duration::ZERO).await;
        assert_eq!(said.ends_with(b"here"), is_answered, "{delay:?}");
    }
}

#[tokio::test]
async fn http_2_without_an_open_stream_is_told_and_closed() {
    let timeouts = Timeouts { http2_idle: SHORT, close: SHORT, ..endless() };
    let mut peer = Peer::http2(timeouts).await;
    peer.until_frame(GOAWAY).await;
    assert!(peer.since.elapsed() >= SHORT);
    peer.closed_after(SHORT * 2).await;
    let mut busy = Peer::http2(timeouts).await;
    busy.send(&GET).await;
    busy.until_frame(GOAWAY).await;
    busy.closed_after(SHORT * 2).await;
}

#[tokio::test]
async fn a_ping_that_is_not_answered_closes() {
    let timeouts = Timeouts { ping: SHORT, pong: SHORT, ..endless() };
    let mut peer = Peer::http2(timeouts).await;
    peer.until_frame(PING).await;
    assert!(peer.since.elapsed() >= SHORT);
    peer.closed_after(SHORT * 2).await;
}

#[tokio::test]
async fn a_peer_that_takes_nothing_of_an_answer_is_closed() {
    let unwilling = [PREFACE, &NO_WINDOW, &GET].concat();
    let mut peer = Peer::new(Timeouts { response: SHORT, ..endless() });
    peer.send(&unwilling).await;
    peer.closed_after(SHORT).await;
    let mut held = Peer::new(endless());
    held.send(&unwilling).await;
    assert!(held.is_held().await);
    let mut willing = Peer::http2(Timeouts { response: SHORT, ..endless() }).await;
    willing.send(&GET).await;
    assert!(willing.is_held().await);
}

#[tokio::test]
async fn the_rest_of_a_refused_body_is_read_for_a_while() {
    let refused = b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n";
    let mut peer = Peer::new(Timeouts { drain: SHORT, ..endless() });
    peer.send(refused).await;
    let mut answer = [0; 12];
    peer.stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    while peer.stream.write_all(b"x").await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert!(peer.since.elapsed() >= SHORT);
}

#[tokio::test]
async fn a_stream_that_was_answered_early_ends_when_its_request_does() {
    let mut peer = Peer::http2(endless()).await;
    peer.send(&[&POST[..], &PART].concat()).await;
    peer.until_frame(DATA).await;
    peer.send(&[&PART[..], &END].concat()).await;
    assert_eq!(peer.frame().await, DATA, "the response ends without a reset");
    let mut silent = Peer::http2(Timeouts { drain: SHORT, ..endless() }).await;
    silent.send(&POST).await;
    silent.until_frame(RESET).await;
    assert!(silent.since.elapsed() >= SHORT);
}

#[tokio::test]
async fn no_more_than_so_much_of_a_refused_body_is_read() {
    let refused = b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000000\r\n\r\n";
    let mut peer = Peer::new(endless());
    peer.send(refused).await;
    let block = vec![b'x'; 64 * 1024];
    let mut sent = 0;
    while peer.stream.write_all(&block).await.is_ok() {
        sent += block.len();
    }
    assert!((super::stream::DRAIN_BYTES..super::stream::DRAIN_BYTES * 2).contains(&sent), "{sent}");
}
