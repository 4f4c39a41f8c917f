//! A real Redis of the test's own: a process on a free port that keeps nothing and ends with it.

use std::io::{BufRead, BufReader, Error, ErrorKind, Result};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Far more than a start takes, so that only a broken one runs into it.
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
    /// Starts one and waits until it accepts connections.
    pub async fn start() -> Result<Self> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            // Another process may take the port between this and the start: then the next one.
            let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
            let mut server = Self { port, folder: tempfile::tempdir()?, process: None };
            match server.resume().await {
                Ok(()) => return Ok(server),
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| Error::other("redis-server was never started")))
    }

    /// Where it listens, also while it is stopped.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    /// Kills it, as a crash would: connections break and all counts are lost.
    pub fn kill(&mut self) {
        self.process = None;
    }

    /// Starts it again on the same port, empty.
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
        // At the time limit the process dies with `process`, which ends the waiting thread too.
        process.log = Some(tokio::time::timeout(PATIENCE, ready).await???);
        self.process = Some(process);
        Ok(())
    }

    /// Sends one command as plain words and gives the first line of the answer as it came, for
    /// tests that look behind the code under test.
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
    /// Kept open: the server goes on writing to it.
    log: Option<BufReader<ChildStdout>>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself; either way nothing is left of it.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.log = None;
    }
}

/// Reads the log up to the line that tells that connections are accepted.
fn wait(mut log: BufReader<ChildStdout>) -> Result<BufReader<ChildStdout>> {
    let mut text = String::new();
    while !text.ends_with('\n') || !text.contains("Ready to accept connections") {
        if log.read_line(&mut text)? == 0 {
            return Err(Error::new(ErrorKind::AddrInUse, text));
        }
    }
    Ok(log)
}
