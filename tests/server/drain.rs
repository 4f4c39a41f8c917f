//! The end of a server that others use: it is unready first, goes on answering, and asks everybody
//! to connect elsewhere.

use grantor_testkit::db_test;
use grantor_testkit::server::{GrantorProcess, Installation, read_reply};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Long enough that nothing of a test waits for its end.
const LONG: &str = "300";
const CLIENTS: usize = 16;

const REQUEST: &[u8] = b"GET /livez HTTP/1.1\r\nhost: grantor.test\r\n\r\n";

/// Sends a request on a connection that stays open, and returns the head of the response; `None` if
/// the server closed the connection instead.
async fn ask(stream: &mut TcpStream) -> Option<String> {
    stream.write_all(REQUEST).await.ok()?;
    answer(stream).await
}

async fn answer(stream: &mut TcpStream) -> Option<String> {
    let (mut text, body) = (String::new(), "{\"status\":\"live\"}");
    while !text.ends_with(body) {
        let mut bytes = [0; 1024];
        let count = stream.read(&mut bytes).await.ok().filter(|count| *count > 0)?;
        text.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
    }
    Some(text)
}

fn closes(head: &str) -> bool {
    head.to_lowercase().contains("connection: close")
}

/// A connection that has been used and stays open.
async fn kept(server: &GrantorProcess) -> TcpStream {
    let mut stream = server.connect().await;
    let head = ask(&mut stream).await.expect("an answer");
    assert!(!closes(&head), "the control: {head}");
    stream
}

fn draining(installation: Installation, delay: &str) -> Installation {
    installation.with("GRANTOR_DRAIN_DELAY", delay)
}

#[db_test]
async fn a_server_is_unready_first_and_lets_its_clients_go(installation: Installation) {
    let mut server = draining(installation, LONG).serve().await;
    let mut stream = kept(&server).await;
    assert_eq!(server.get("/readyz").await.json()["status"], "ready");
    server.signal("TERM");
    server.line("draining").await;
    let ready = server.get("/readyz").await;
    assert_eq!((ready.status, &ready.json()["status"]), (503, &json!("stopping")));
    assert_eq!(ready.json()["checks"]["database"], json!({ "ok": true }));
    assert_eq!(server.get("/health").await.status, 200, "it goes on answering");
    let head = ask(&mut stream).await.expect("an answer");
    assert!(head.starts_with("HTTP/1.1 200 ") && closes(&head), "{head}");
    assert_eq!(read_reply(&mut stream).await, None, "the connection ends after it");
    // A second signal ends the delay.
    server.signal("TERM");
    assert_eq!(server.ended().await.code(), Some(0));
}

#[tokio::test]
async fn whoever_presses_ctrl_c_does_not_wait() {
    let mut server = draining(Installation::default(), LONG).serve().await;
    server.signal("INT");
    assert_eq!(server.ended().await.code(), Some(0));
    assert!(!server.log().join("\n").contains("draining"));
}

#[tokio::test]
async fn a_request_on_its_way_at_the_end_is_answered() {
    let mut server = draining(Installation::default(), LONG).serve().await;
    let mut stream = kept(&server).await;
    server.signal("TERM");
    server.line("draining").await;
    // While the server stands still, a request arrives, and then the signal that ends the delay.
    server.signal("STOP");
    stream.write_all(REQUEST).await.unwrap();
    server.signal("TERM");
    server.signal("CONT");
    let head = answer(&mut stream).await.expect("an answer");
    assert!(closes(&head), "{head}");
    assert_eq!(server.ended().await.code(), Some(0));
}

#[tokio::test]
async fn without_a_delay_it_would_be_cut() {
    let mut server = Installation::default().serve().await;
    let mut stream = kept(&server).await;
    server.signal("TERM");
    assert_eq!(server.ended().await.code(), Some(0));
    assert_eq!(ask(&mut stream).await, None);
}

/// Asks one request after the other until the server accepts no more connections. Returns how many
/// were answered, and how many connections ended without an answer after they had been used.
async fn client(address: std::net::SocketAddr) -> (usize, usize) {
    let (mut answered, mut cut) = (0, 0);
    while let Ok(mut stream) = TcpStream::connect(address).await {
        let before = answered;
        let is_kept = loop {
            match ask(&mut stream).await {
                Some(head) if closes(&head) => break false,
                Some(_) => answered += 1,
                None => break true,
            }
        };
        cut += usize::from(is_kept && answered > before);
    }
    (answered, cut)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_client_that_keeps_its_connection_is_cut() {
    let installation = draining(Installation::default(), "1");
    let mut server = installation.with("GRANTOR_LOG_REQUESTS", "0").serve().await;
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        clients.spawn(client(server.address()));
    }
    for _ in 0..20 {
        assert_eq!(server.get("/livez").await.status, 200);
    }
    server.signal("TERM");
    assert_eq!(server.ended().await.code(), Some(0));
    let seen = clients.join_all().await;
    assert!(seen.iter().all(|(answered, _)| *answered > 0), "{seen:?}");
    assert_eq!(seen.iter().map(|it| it.1).sum::<usize>(), 0, "{seen:?}");
}

#[expect(clippy::disallowed_methods, reason = "this goes to the server under test")]
#[tokio::test]
async fn a_client_of_http2_goes_on_until_it_is_told() {
    grantor_testkit::install_tls_provider();
    let mut server = draining(Installation::default(), LONG).serve().await;
    let client = reqwest::Client::builder().http2_prior_knowledge().build().unwrap();
    let url = format!("http://{}/livez", server.address());
    let status = async || client.get(&url).send().await.unwrap().status().as_u16();
    assert_eq!(status().await, 200);
    server.signal("TERM");
    server.line("draining").await;
    assert_eq!(status().await, 200);
    server.signal("TERM");
    assert_eq!(server.ended().await.code(), Some(0));
}
