//! An HTTP server on loopback that records requests and sends scripted responses, valid or not.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{MissedTickBehavior, interval};

/// A recorded request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The method, or `TLS` for the start of a handshake, which is not read any further.
    pub method: String,
    /// The path and query.
    pub path: String,
    /// The header lines, as sent.
    pub headers: Vec<String>,
    /// The body.
    pub body: Vec<u8>,
}

impl Call {
    /// The first header with this name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.headers.iter().filter_map(|line| line.split_once(':'));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, v)| v.trim())
    }
}

/// The response to send. Every connection carries one request and is closed after it.
#[derive(Clone, Debug)]
pub enum Script {
    /// These bytes, then the end of the connection.
    Raw(Vec<u8>),
    /// A valid head, then one byte of body at every interval, forever.
    Drip(Duration),
    /// A valid head, then an endless body, as fast as the client reads it.
    Endless,
    /// A head with many headers of a given size, then an empty body.
    Headers {
        /// Number of headers.
        count: usize,
        /// Bytes of each value.
        size: usize,
    },
    /// No response; the connection stays open.
    Hang,
    /// No response; the connection is closed.
    Close,
}

impl Script {
    /// A response with a status and a body.
    #[must_use]
    pub fn answer(status: u16, body: &[u8]) -> Self {
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status} Scripted\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
        );
        Self::Raw([head.as_bytes(), body].concat())
    }

    /// A 200 response with a body.
    #[must_use]
    pub fn ok(body: &[u8]) -> Self {
        Self::answer(200, body)
    }

    /// A redirect with a status and a location.
    #[must_use]
    pub fn redirect(status: u16, location: &str) -> Self {
        let head = format!(
            "HTTP/1.1 {status} Scripted\r\nlocation: {location}\r\ncontent-length: 0\r\n\
             connection: close\r\n\r\n"
        );
        Self::Raw(head.into_bytes())
    }
}

/// A running listener; it stops when dropped.
pub struct Listener {
    address: SocketAddr,
    record: Arc<Record>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Record {
    connections: AtomicUsize,
    sent: AtomicUsize,
    calls: Mutex<Vec<Call>>,
    forgets: AtomicBool,
}

type Answers = dyn Fn(&Call) -> Script + Send + Sync;

impl Listener {
    /// Listens on 127.0.0.1 and answers each call with its script.
    pub async fn start(
        script: impl Fn(&Call) -> Script + Send + Sync + 'static,
    ) -> io::Result<Self> {
        Self::bind((Ipv4Addr::LOCALHOST, 0).into(), script).await
    }

    /// Like [`Self::start`], at a given address, which must be a loopback one.
    pub async fn bind(
        address: SocketAddr,
        script: impl Fn(&Call) -> Script + Send + Sync + 'static,
    ) -> io::Result<Self> {
        if !address.ip().is_loopback() {
            return Err(io::Error::other("a test listener stays on loopback"));
        }
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let record = Arc::new(Record::default());
        let task = tokio::spawn(accept(listener, Arc::clone(&record), Arc::new(script)));
        Ok(Self { address, record, task })
    }

    /// Stops recording requests, for tests that measure memory.
    #[must_use]
    pub fn forgetting(self) -> Self {
        self.record.forgets.store(true, Ordering::SeqCst);
        self
    }

    /// The listener's address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The listener's port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// An http URL of the listener, with its IP address.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// How many connections were made so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.record.connections.load(Ordering::SeqCst)
    }

    /// How many bytes were sent so far.
    #[must_use]
    pub fn sent(&self) -> usize {
        self.record.sent.load(Ordering::SeqCst)
    }

    /// The requests received so far, in order.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.record.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, record: Arc<Record>, script: Arc<Answers>) {
    // Dropped with this task, which closes every connection.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        record.connections.fetch_add(1, Ordering::SeqCst);
        connections.spawn(serve(stream, Arc::clone(&record), Arc::clone(&script)));
        // Removes finished connections.
        while connections.try_join_next().is_some() {}
    }
}

/// An error here means that the client hung up, which it may.
async fn serve(mut stream: TcpStream, record: Arc<Record>, script: Arc<Answers>) -> io::Result<()> {
    let Some(call) = read_call(&mut stream).await? else { return Ok(()) };
    let answer = script(&call);
    if !record.forgets.load(Ordering::SeqCst) {
        record.calls.lock().unwrap_or_else(PoisonError::into_inner).push(call);
    }
    let mut out = Out { stream, record };
    match answer {
        Script::Raw(bytes) => out.write(&bytes).await?,
        Script::Drip(tick) => {
            out.write(b"HTTP/1.1 200 OK\r\n\r\n").await?;
            let mut ticks = interval(tick);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                out.write(b".").await?;
            }
        }
        Script::Endless => {
            out.write(b"HTTP/1.1 200 OK\r\n\r\n").await?;
            let block = vec![b'.'; 16 * 1024];
            loop {
                out.write(&block).await?;
            }
        }
        Script::Headers { count, size } => {
            out.write(b"HTTP/1.1 200 OK\r\n").await?;
            let value = "v".repeat(size);
            for index in 0..count {
                out.write(format!("x-{index}: {value}\r\n").as_bytes()).await?;
            }
            out.write(b"content-length: 0\r\n\r\n").await?;
        }
        Script::Hang => std::future::pending().await,
        Script::Close => {}
    }
    out.stream.shutdown().await
}

struct Out {
    stream: TcpStream,
    record: Arc<Record>,
}

impl Out {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await?;
        self.record.sent.fetch_add(bytes.len(), Ordering::SeqCst);
        Ok(())
    }
}

/// Reads one request; `None` if the client hung up before its end.
async fn read_call(stream: &mut TcpStream) -> io::Result<Option<Call>> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
        // No method starts with the first byte of a TLS record.
        if bytes.first() == Some(&0x16) {
            let (method, path) = ("TLS".to_owned(), String::new());
            return Ok(Some(Call { method, path, headers: Vec::new(), body: bytes }));
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.split("\r\n").map(str::to_owned);
    let first = lines.next().unwrap_or_default();
    let mut words = first.split(' ').map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut call = Call { method, path, headers: lines.collect(), body: bytes.split_off(end + 4) };
    let length = call.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
    while call.body.len() < length {
        if stream.read_buf(&mut call.body).await? == 0 {
            return Ok(None);
        }
    }
    Ok(Some(call))
}
