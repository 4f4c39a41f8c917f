//! Real Redis servers of one test: processes on free ports that store nothing on disk. One may
//! speak TLS, follow another, or be a Sentinel that watches another.

use std::io::{BufRead, BufReader, Error, ErrorKind, Result};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::smtp::SelfSigned;

/// Far more than a start takes, so that only a broken server hits it.
const PATIENCE: Duration = Duration::from_secs(30);
const ATTEMPTS: usize = 10;

/// A running (or stopped) `redis-server`.
#[derive(Debug)]
pub struct RedisServer {
    port: u16,
    kind: Kind,
    folder: TempDir,
    process: Option<Process>,
}

/// What a server does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    /// Only speaks TLS, with the certificate in its folder.
    Tls,
    /// Follows the server at this port.
    Replica(u16),
    /// Watches the server at this port.
    Sentinel(u16),
}

/// The name by which a Sentinel knows the server that it watches.
pub const SERVICE: &str = "mymaster";

impl RedisServer {
    /// Starts a server and waits until it accepts connections.
    pub async fn start() -> Result<Self> {
        Self::launch(Kind::Plain, None).await
    }

    /// Starts a server that only speaks TLS, with a certificate for `localhost`.
    pub async fn start_with_tls(identity: &SelfSigned) -> Result<Self> {
        Self::launch(Kind::Tls, Some(identity)).await
    }

    /// Starts a server that copies everything from this one.
    pub async fn start_replica(&self) -> Result<Self> {
        let replica = Self::launch(Kind::Replica(self.port), None).await?;
        // Answered once the replica follows.
        self.command("WAIT 1 30000").await?;
        Ok(replica)
    }

    /// Starts a Sentinel that watches this server and replaces it after half a second of silence.
    pub async fn start_sentinel(&self) -> Result<Self> {
        Self::launch(Kind::Sentinel(self.port), None).await
    }

    async fn launch(kind: Kind, identity: Option<&SelfSigned>) -> Result<Self> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            // Another process may take the port before Redis starts; then try the next one.
            let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
            let mut server = Self { port, kind, folder: tempfile::tempdir()?, process: None };
            if let Some(identity) = identity {
                std::fs::write(server.folder.path().join("cert.pem"), &identity.certificate)?;
                std::fs::write(server.folder.path().join("key.pem"), &identity.key)?;
            }
            match server.resume().await {
                Ok(()) => return Ok(server),
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| Error::other("redis-server was never started")))
    }

    /// The server's URL, also while it is stopped. That of a Sentinel leads to the server that it
    /// watches.
    #[must_use]
    pub fn url(&self) -> String {
        match self.kind {
            Kind::Plain | Kind::Replica(_) => format!("redis://127.0.0.1:{}/", self.port),
            Kind::Tls => {
                let root = self.folder.path().join("cert.pem");
                format!("rediss://localhost:{}/?sslrootcert={}", self.port, root.display())
            }
            Kind::Sentinel(_) => format!("redis+sentinel://127.0.0.1:{}/{SERVICE}", self.port),
        }
    }

    /// Kills the server: connections break and all counts are lost.
    pub fn kill(&mut self) {
        self.process = None;
    }

    /// The arguments of the server. A Sentinel needs a file, which it also writes.
    fn arguments(&self) -> Result<Vec<String>> {
        let port = self.port;
        // Without the delay, a replica follows at once.
        let common = "--bind 127.0.0.1 --appendonly no --repl-diskless-sync-delay 0 --port";
        let line = match self.kind {
            Kind::Plain | Kind::Replica(_) => format!("{common} {port}"),
            Kind::Tls => format!(
                "{common} 0 --tls-port {port} --tls-auth-clients no --tls-cert-file cert.pem \
                 --tls-key-file key.pem --tls-ca-cert-file cert.pem"
            ),
            Kind::Sentinel(watched) => {
                let settings = format!(
                    "port {port}\nbind 127.0.0.1\n\
                     sentinel monitor {SERVICE} 127.0.0.1 {watched} 1\n\
                     sentinel down-after-milliseconds {SERVICE} 500\n\
                     sentinel failover-timeout {SERVICE} 2000\n"
                );
                std::fs::write(self.folder.path().join("sentinel.conf"), settings)?;
                return Ok(vec!["sentinel.conf".to_owned(), "--sentinel".to_owned()]);
            }
        };
        let mut arguments: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
        arguments.extend(["--save".to_owned(), String::new()]);
        if let Kind::Replica(of) = self.kind {
            arguments.extend(["--replicaof".to_owned(), format!("127.0.0.1 {of}")]);
        }
        Ok(arguments)
    }

    /// Starts the server again on the same port, empty.
    pub async fn resume(&mut self) -> Result<()> {
        self.kill();
        let mut child = Command::new("redis-server")
            .args(self.arguments()?)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let log = child.stdout.take();
        let mut process = Process { child, log: None };
        let log = log.ok_or_else(|| Error::other("redis-server has no output"))?;
        let said = match self.kind {
            Kind::Sentinel(_) => "+monitor master",
            _ => "Ready to accept connections",
        };
        let ready = tokio::task::spawn_blocking(move || wait(BufReader::new(log), said));
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

/// Reads the log up to the line that says that the server is ready.
fn wait(mut log: BufReader<ChildStdout>, said: &str) -> Result<BufReader<ChildStdout>> {
    let mut text = String::new();
    while !text.ends_with('\n') || !text.contains(said) {
        if log.read_line(&mut text)? == 0 {
            return Err(Error::new(ErrorKind::AddrInUse, text));
        }
    }
    Ok(log)
}
