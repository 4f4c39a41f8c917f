//! Over a socket: the real program beside a bare one that sends the same bytes, each a process of
//! its own, so that neither the client nor the other is measured.

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

use crate::measure::{Outcome, clock, median, processor_time, say};

/// Connections that ask at the same time, and how often each asks between two looks at the clock.
const CONNECTIONS: usize = 4;
const REQUESTS: u32 = 100;
const ROUND: Duration = Duration::from_millis(200);
const ROUNDS: usize = 5;
const LONGEST: Duration = Duration::from_secs(2);

/// A program that answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Served {
    pub(crate) process: u32,
    pub(crate) address: SocketAddr,
}

/// An answer, as far as it is looked at.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// A field of its head.
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

/// Asks once.
pub(crate) async fn ask(served: Served, text: &str) -> Outcome<Answer> {
    let mut stream = connect(served).await?;
    exchange(&mut stream, text).await
}

/// Tells what a request costs the program beside a bare handler that gives the same answer, and
/// gives both figures in microseconds.
/// Several texts are sent in turns.
pub(crate) async fn beside(what: &str, served: Served, texts: &[String]) -> Outcome<[f64; 2]> {
    let answer = ask(served, texts.first().ok_or("nothing to ask")?).await?;
    let bare = Bare::start(answer.status, &answer.body)?;
    let mut taken = [Vec::new(), Vec::new()];
    for _ in 0..=ROUNDS {
        taken[0].push(round(served, texts, answer.status).await?);
        taken[1].push(round(bare.served, texts, answer.status).await?);
    }
    let [ours, plain] = taken.map(median);
    let size = answer.body.len();
    say(
        "wire",
        &format!(
            "{what} ({}, {size} bytes): {ours:.1} µs of processor time, bare {plain:.1} µs: {:.1} \
             times",
            answer.status,
            ours / plain
        ),
    );
    Ok([ours, plain])
}

/// The median time of an answer in microseconds, asked for by one caller: for work that the database
/// does in part.
pub(crate) async fn latency(served: Served, text: &str) -> Outcome<f64> {
    let mut stream = connect(served).await?;
    let (began, mut taken) = (clock(), Vec::new());
    while taken.len() < 3 || (taken.len() < 200 && began.elapsed() < LONGEST) {
        let asked = clock();
        let answer = exchange(&mut stream, text).await?;
        taken.push(asked.elapsed().as_secs_f64() * 1e6);
        if answer.status != 200 {
            let said = String::from_utf8_lossy(&answer.body);
            return Err(format!("{text}{}{said}", answer.head).into());
        }
    }
    Ok(median(taken))
}

/// What a request costs the program in microseconds of processor time, and how many it answers in a second
/// over so many connections. Several texts are sent in turns.
pub(crate) async fn cost(
    served: Served,
    texts: &[String],
    connections: usize,
) -> Outcome<(f64, f64)> {
    let process = served.process.to_string();
    let status = ask(served, texts.first().ok_or("nothing to ask")?).await?.status;
    let (mut before, mut began, mut sent) = (processor_time(&process)?, clock(), 0_u32);
    for round in 0.. {
        if round == 1 {
            // The first only warmed up.
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
        // Where the database does the work, the program itself is never busy for so long.
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

/// Asks over an open connection.
pub(crate) async fn exchange(stream: &mut BufReader<TcpStream>, text: &str) -> Outcome<Answer> {
    stream.write_all(text.as_bytes()).await?;
    let mut head = String::new();
    while stream.read_line(&mut head).await? > 2 {}
    let status = head.split(' ').nth(1).unwrap_or_default().parse()?;
    let mut answer = Answer { status, head, body: vec![] };
    let length = answer.header("content-length").map_or(Ok(0), str::parse)?;
    answer.body = vec![0; length];
    stream.read_exact(&mut answer.body).await?;
    Ok(answer)
}

/// A bare program; ends when it is dropped.
pub(crate) struct Bare {
    pub(crate) served: Served,
    process: Child,
    _body: NamedTempFile,
}

impl Bare {
    /// Answers everything with a status and these bytes.
    pub(crate) fn start(status: u16, answer: &[u8]) -> Outcome<Self> {
        let body = NamedTempFile::new()?;
        std::fs::write(body.path(), answer)?;
        let mut process = Command::new(std::env::current_exe()?)
            .args([BARE, &status.to_string()])
            .arg(body.path())
            .stdout(Stdio::piped())
            .spawn()?;
        let said = process.stdout.take().ok_or("a bare program without an output")?;
        let mut line = String::new();
        Lines::new(said).read_line(&mut line)?;
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

/// The word that makes this program the bare one.
pub(crate) const BARE: &str = "serve-bare";

/// Serves a file's bytes with a status, whatever is asked.
#[expect(clippy::print_stdout, reason = "tells its address to who started it")]
pub(crate) async fn serve_bare(status: &str, file: &Path) -> Outcome {
    let status: StatusCode = status.parse()?;
    let body = Bytes::from(std::fs::read(file)?);
    let router = Router::new().fallback(any(move || async move { (status, body) }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}
