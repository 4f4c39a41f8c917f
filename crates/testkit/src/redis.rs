//! A real Redis server of one test: a process on a free port that stores nothing on disk.

use std::io::{BufRead, BufReader, Error, ErrorKind, Result};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Far more than a start takes, so that only a broken server hits it.
const PATIENCE: Duration = Duration::from_secs(30);
const ATTEMPTS: usize = 10;

/// A running (or stopped) `redis-server`.
#[derive(Debug)]
pub struct RedisServer {
    port: u16,
    folder: TempDir,
    process: Option<Process>,
}

impl RedisServer {
    /// Starts a server and waits until it accepts connections.
    pub async fn start() -> Result<Self> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            // Another process may take the port before Redis starts; then try the next one.
            let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
            let mut server = Self { port, folder: tempfile::tempdir()?, process: None };
            match server.resume().await {
                Ok(()) => return Ok(server),
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| Error::other("redis-server was never started")))
    }

    /// The server's URL, also while it is stopped.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    /// Kills the server: connections break and all counts are lost.
    pub fn kill(&mut self) {
        self.process = None;
    }

    /// Starts the server again on the same port, empty.
    pub async fn resume(&mut self) -> Result<()> {
        self.kill();
        let mut child = Command::new("redis-server")
            .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--port"])
            .arg(self.port.to_string())
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let log = child.stdout.take();
        let mut process = Process { child, log: None };
        let log = log.ok_or_else(|| Error::other("redis-server has no output"))?;
        let ready = tokio::task::spawn_blocking(move || wait(BufReader::new(log)));
        // On timeout the process ends with `process`, which ends the waiting thread too.
        process.log = Some(tokio::time::timeout(PATIENCE, ready).await???);
        self.process = Some(process);
        Ok(())
    }

    /// Sends one inline command and returns the first line of the reply, for tests that bypass the
    /// code under test.
    pub async fn command(&self, words: &str) -> Result<String> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).await?;
        stream.write_all(format!("{words}\r\n").as_bytes()).await?;
        let mut line = String::new();
        tokio::io::BufReader::new(stream).read_line(&mut line).await?;
        Ok(line.trim_end().to_owned())
    }
}

#[derive(Debug)]
struct Process {
    child: Child,
    /// Kept open, because the server keeps writing to it.
    log: Option<BufReader<ChildStdout>>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // Fails if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.log = None;
    }
}

/// Reads the log up to the line that says that connections are accepted.
fn wait(mut log: BufReader<ChildStdout>) -> Result<BufReader<ChildStdout>> {
    let mut text = String::new();
    while !text.ends_with('\n') || !text.contains("Ready to accept connections") {
        if log.read_line(&mut text)? == 0 {
            return Err(Error::new(ErrorKind::AddrInUse, text));
        }
    }
    Ok(log)
}
