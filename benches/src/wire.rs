//! Requests over a socket: the real program compared with a bare one that sends the same bytes.
//! Each runs in its own process, so that only its own CPU time is measured.

use std::io::{BufRead as _, BufReader as Lines};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::routing::any;
use http::StatusCode;
use tempfile::NamedTempFile;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::measure::{Outcome, clock, median, processor_time, report};

/// Concurrent connections, and the requests on each between two reads of the CPU time.
const CONNECTIONS: usize = 4;
const REQUESTS: u32 = 100;
const ROUND: Duration = Duration::from_millis(200);
const ROUNDS: usize = 5;
const LONGEST: Duration = Duration::from_secs(2);
/// A server is at rest if it takes no more CPU time than this in a window.
const REST: Duration = Duration::from_millis(40);
const WINDOW: Duration = Duration::from_secs(2);
/// How often to look whether a server is at rest.
const LOOKS: usize = 600;

/// A running server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Served {
    pub(crate) process: u32,
    pub(crate) address: SocketAddr,
}

impl Served {
    /// Waits until the server has done its background work, such as indexing what was seeded, which
    /// would count as the cost of requests.
    #[expect(clippy::disallowed_methods, reason = "a bench waits for real time to pass")]
    pub(crate) async fn settle(self) -> Outcome {
        let process = self.process.to_string();
        for _ in 0..LOOKS {
            let before = processor_time(&process)?;
            tokio::time::sleep(WINDOW).await;
            if processor_time(&process)?.saturating_sub(before) <= REST {
                return Ok(());
            }
        }
        Err("the server does not come to rest".into())
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        fields.filter(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

/// The text of a request.
pub(crate) fn request(what: &str, headers: &[(&str, &str)], body: &str) -> String {
    let fields: String =
        headers.iter().map(|(name, value)| [name, ": ", value, "\r\n"].concat()).collect();
    let kind = match body.len() {
        0 => String::new(),
        length => format!("content-type: application/json\r\ncontent-length: {length}\r\n"),
    };
    format!("{what} HTTP/1.1\r\nhost: localhost\r\n{fields}{kind}\r\n{body}")
}

/// Sends one request on a new connection.
pub(crate) async fn send(served: Served, text: &str) -> Outcome<Answer> {
    let mut stream = connect(served).await?;
    exchange(&mut stream, text).await
}

/// Reports and returns the cost of a request in microseconds of CPU time, for the program and for a
/// bare handler with the same response. Several texts are sent in turn.
pub(crate) async fn compare(what: &str, served: Served, texts: &[String]) -> Outcome<[f64; 2]> {
    let answer = send(served, texts.first().ok_or("no request to send")?).await?;
    let bare = Bare::start(answer.status, &answer.body)?;
    let mut taken = [Vec::new(), Vec::new()];
    for _ in 0..=ROUNDS {
        taken[0].push(round(served, texts, answer.status).await?);
        taken[1].push(round(bare.served, texts, answer.status).await?);
    }
    let [ours, plain] = taken.map(median);
    let size = answer.body.len();
    report(
        "wire",
        &format!(
            "{what} ({}, {size} bytes): {ours:.1} µs of CPU time, bare handler {plain:.1} µs: \
             {:.1} times",
            answer.status,
            ours / plain
        ),
    );
    Ok([ours, plain])
}

/// The median latency in microseconds on one connection. It includes the time of the database.
pub(crate) async fn latency(served: Served, text: &str) -> Outcome<f64> {
    let mut stream = connect(served).await?;
    let (began, mut taken) = (clock(), Vec::new());
    while taken.len() < 3 || (taken.len() < 200 && began.elapsed() < LONGEST) {
        let started = clock();
        let answer = exchange(&mut stream, text).await?;
        taken.push(started.elapsed().as_secs_f64() * 1e6);
        if answer.status != 200 {
            let body = String::from_utf8_lossy(&answer.body);
            return Err(format!("{text}{}{body}", answer.head).into());
        }
    }
    Ok(median(taken))
}

/// Returns the CPU time per request in microseconds, and the requests per second over this many
/// connections. Several texts are sent in turn.
pub(crate) async fn cost(
    served: Served,
    texts: &[String],
    connections: usize,
) -> Outcome<(f64, f64)> {
    let process = served.process.to_string();
    let status = send(served, texts.first().ok_or("no request to send")?).await?.status;
    let (mut before, mut began, mut sent) = (processor_time(&process)?, clock(), 0_u32);
    for round in 0.. {
        if round == 1 {
            // The first round is a warm-up.
            (before, began, sent) = (processor_time(&process)?, clock(), 0);
        }
        let mut asking = JoinSet::new();
        for connection in 0..connections {
            let mut own = texts.to_vec();
            own.rotate_left(connection * texts.len() / connections);
            asking.spawn(repeat(served, own, status));
        }
        while let Some(done) = asking.join_next().await {
            done??;
            sent += REQUESTS;
        }
        if round > 0 && began.elapsed() >= LONGEST {
            break;
        }
    }
    let (taken, elapsed) = (processor_time(&process)?.saturating_sub(before), began.elapsed());
    Ok((taken.as_secs_f64() * 1e6 / f64::from(sent), f64::from(sent) / elapsed.as_secs_f64()))
}

async fn round(served: Served, texts: &[String], status: u16) -> Outcome<f64> {
    let process = served.process.to_string();
    let (before, began) = (processor_time(&process)?, clock());
    let mut sent = 0;
    loop {
        let mut asking = JoinSet::new();
        for _ in 0..CONNECTIONS {
            asking.spawn(repeat(served, texts.to_vec(), status));
        }
        while let Some(done) = asking.join_next().await {
            done??;
            sent += REQUESTS;
        }
        let taken = processor_time(&process)?.saturating_sub(before);
        // If the database does most of the work, the program never reaches this CPU time.
        if taken >= ROUND || began.elapsed() >= LONGEST {
            return Ok(taken.as_secs_f64() * 1e6 / f64::from(sent));
        }
    }
}

async fn repeat(served: Served, texts: Vec<String>, status: u16) -> Outcome {
    let mut stream = connect(served).await?;
    for text in texts.iter().cycle().take(REQUESTS as usize) {
        let answer = exchange(&mut stream, text).await?;
        if answer.status != status {
            return Err(format!("{status} became {}: {}", answer.status, answer.head).into());
        }
    }
    Ok(())
}

/// A connection that stays open for several requests.
pub(crate) async fn connect(served: Served) -> Outcome<BufReader<TcpStream>> {
    let stream = TcpStream::connect(served.address).await?;
    stream.set_nodelay(true)?;
    Ok(BufReader::new(stream))
}

/// Sends a request on an open connection.
pub(crate) async fn exchange(stream: &mut BufReader<TcpStream>, text: &str) -> Outcome<Answer> {
    stream.write_all(text.as_bytes()).await?;
    let mut head = String::new();
    while stream.read_line(&mut head).await? > 2 {}
    let status = head.split(' ').nth(1).unwrap_or_default().parse()?;
    let mut answer = Answer { status, head, body: vec![] };
    if answer.header("transfer-encoding").is_some() {
        answer.body = chunks(stream).await?;
        return Ok(answer);
    }
    let length = answer.header("content-length").map_or(Ok(0), str::parse)?;
    answer.body = vec![0; length];
    stream.read_exact(&mut answer.body).await?;
    Ok(answer)
}

/// Reads a body in chunks, each after its length and before a line break. The last one is empty.
async fn chunks(stream: &mut BufReader<TcpStream>) -> Outcome<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let (begin, length) = (body.len(), usize::from_str_radix(line.trim_end(), 16)?);
        body.resize(begin + length + 2, 0);
        stream.read_exact(&mut body[begin..]).await?;
        body.truncate(begin + length);
        if length == 0 {
            return Ok(body);
        }
    }
}

/// A bare server process, killed when dropped.
pub(crate) struct Bare {
    pub(crate) served: Served,
    process: Child,
    _body: NamedTempFile,
}

impl Bare {
    /// Starts a server that answers every request with this status and body.
    pub(crate) fn start(status: u16, answer: &[u8]) -> Outcome<Self> {
        let body = NamedTempFile::new()?;
        std::fs::write(body.path(), answer)?;
        let mut process = Command::new(std::env::current_exe()?)
            .args([BARE, &status.to_string()])
            .arg(body.path())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = process.stdout.take().ok_or("a bare server without stdout")?;
        let mut line = String::new();
        Lines::new(stdout).read_line(&mut line)?;
        let served = Served { process: process.id(), address: line.trim().parse()? };
        Ok(Self { served, process, _body: body })
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The argument that starts this program as the bare server.
pub(crate) const BARE: &str = "serve-bare";

/// Answers every request with a status and the bytes of a file.
#[expect(clippy::print_stdout, reason = "the parent process reads the address")]
pub(crate) async fn serve_bare(status: &str, file: &Path) -> Outcome {
    let status: StatusCode = status.parse()?;
    let body = Bytes::from(std::fs::read(file)?);
    let router = Router::new().fallback(any(move || async move { (status, body) }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}
