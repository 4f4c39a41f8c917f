//! Whoever holds connections without using them: idle ones, too many of one address, and as many
//! as there are file descriptors. All on loopback, and few.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::time::Duration;

use grantor_testkit::server::{GrantorProcess, Installation, eventually, exchange, request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use super::print_figure;

/// The preface of HTTP/2 with an empty SETTINGS frame.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
const GOAWAY: u8 = 7;

/// Whether this connection is closed, and what came before.
async fn look(stream: &mut TcpStream, heard: &mut Vec<u8>) -> bool {
    let mut bytes = [0; 1_024];
    loop {
        match timeout(Duration::from_millis(1), stream.read(&mut bytes)).await {
            Ok(Ok(count)) if count > 0 => heard.extend_from_slice(&bytes[..count]),
            Ok(_) => return true,
            Err(_) => return false,
        }
    }
}

/// Whether a frame of this kind is among what was heard.
fn has_frame(mut heard: &[u8], kind: u8) -> bool {
    while let Some((header, rest)) = heard.split_at_checked(9) {
        if header[3] == kind {
            return true;
        }
        let length = u32::from_be_bytes([0, header[0], header[1], header[2]]);
        heard = rest.get(usize::try_from(length).unwrap()..).unwrap_or_default();
    }
    false
}

/// Idle clients of HTTP/2.
struct Idle(Vec<(TcpStream, Vec<u8>)>);

impl Idle {
    async fn connect(server: &GrantorProcess, count: usize) -> Self {
        let mut clients = Vec::new();
        for _ in 0..count {
            let mut stream = server.connect().await;
            stream.write_all(PREFACE).await.unwrap();
            clients.push((stream, Vec::new()));
        }
        Self(clients)
    }

    /// How many were closed so far.
    async fn closed(&mut self) -> usize {
        let mut closed = 0;
        for (stream, heard) in &mut self.0 {
            closed += usize::from(look(stream, heard).await);
        }
        closed
    }
}

#[tokio::test]
async fn idle_clients_of_http_2_are_sent_away() {
    let server = Installation::default().with("GRANTOR_KEEP_ALIVE", "1").serve().await;
    let patient = Installation::default().serve().await;
    let (mut idle, mut control) =
        (Idle::connect(&server, 20).await, Idle::connect(&patient, 20).await);
    // GOAWAY asks for a ping first: whoever does not answer is given ten seconds.
    eventually("the end of all", async || (idle.closed().await == 20).then_some(())).await;
    assert!(idle.0.iter().all(|(_, heard)| has_frame(heard, GOAWAY)));
    assert_eq!(control.closed().await, 0, "where they may idle longer they stay");
    assert!(!control.0.iter().any(|(_, heard)| has_frame(heard, GOAWAY)));
    assert_eq!(server.get("/health").await.status, 200);
}

/// Opens so many connections from this address; gives those the server keeps. It answers each
/// that it keeps, since every one asks, and closes the others.
async fn flood(server: &GrantorProcess, from: Ipv4Addr, count: usize) -> Vec<TcpStream> {
    let mut kept = Vec::new();
    for _ in 0..count {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((from, 0))).unwrap();
        let Ok(mut stream) = socket.connect(server.address()).await else { continue };
        let asked = stream.write_all(b"GET /livez HTTP/1.1\r\nhost: a\r\n\r\n").await;
        let mut first = [0; 8];
        if asked.is_ok() && stream.read_exact(&mut first).await.is_ok() {
            kept.push(stream);
        }
    }
    kept
}

#[tokio::test]
async fn one_address_holds_so_many_connections_and_keeps_nobody_out() {
    let room = Installation::default().with("GRANTOR_CONNECTIONS_PER_ADDRESS", "8");
    let server = room.serve().await;
    // Not 127.0.0.1, whose first connection, made at the start, may still count.
    let (one, other) = (Ipv4Addr::new(127, 0, 0, 2), Ipv4Addr::new(127, 0, 0, 3));
    let kept = flood(&server, one, 40).await;
    assert_eq!(kept.len(), 8);
    assert_eq!(flood(&server, other, 1).await.len(), 1, "others are served");
    // The log arrives through a pipe: the line may come after the refusal itself.
    server.line("refused connections").await;
    let refused = server.log().iter().filter(|it| it.contains("refused connections")).count();
    assert_eq!(refused, 1, "32 refusals are one line of the log");
    drop(kept);
    eventually("a free place", async || flood(&server, one, 1).await.pop()).await;
}

#[tokio::test]
async fn a_trusted_proxy_holds_any_number() {
    let room = Installation::default()
        .with("GRANTOR_CONNECTIONS_PER_ADDRESS", "8")
        .with("GRANTOR_TRUSTED_PROXIES", "127.0.0.1");
    let server = room.serve().await;
    assert_eq!(flood(&server, Ipv4Addr::LOCALHOST, 40).await.len(), 40);
    assert_eq!(flood(&server, Ipv4Addr::new(127, 0, 0, 2), 40).await.len(), 8);
}

/// The server under limits of open files.
fn limited(room: &Installation, soft: u32, hard: u32) -> Command {
    let plain = room.command("serve");
    let mut command = Command::new("sh");
    let script = format!("ulimit -Sn {soft}; ulimit -Hn {hard}; exec \"$0\" serve");
    command.arg("-c").arg(script).arg(plain.get_program()).env_clear();
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(room.folder()).stdin(Stdio::null());
    command
}

fn files_of(server: &GrantorProcess) -> String {
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    line.split_whitespace().skip(3).take(2).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn four_fifths_of_all_file_descriptors_are_for_connections() {
    let room = Installation::default().with("GRANTOR_CONNECTIONS_PER_ADDRESS", "1000");
    let server = GrantorProcess::start(limited(&room, 64, 250)).await;
    assert_eq!(files_of(&server), "250 250", "the soft limit is raised to the hard one");
    let kept = flood(&server, Ipv4Addr::LOCALHOST, 260).await;
    print_figure(&format!("{} of 260 connections kept with 250 descriptors", kept.len()));
    assert_eq!(kept.len(), 200);
    server.line("too many open connections").await;
    drop(kept);
    eventually("a free place", async || flood(&server, Ipv4Addr::LOCALHOST, 1).await.pop()).await;
}

#[tokio::test]
async fn running_out_of_file_descriptors_is_told_and_survived() {
    let room = Installation::default().with("GRANTOR_CONNECTIONS_PER_ADDRESS", "1000");
    let server = GrantorProcess::start(limited(&room, 64, 64)).await;
    let mut held = Vec::new();
    for _ in 0..80 {
        held.push(server.connect().await);
    }
    server.line("out of file descriptors").await;
    let told = server.log().iter().filter(|it| it.contains("refused connections")).count();
    assert_eq!(told, 1, "the log is not flooded");
    drop(held);
    let health = eventually("an answer", async || {
        let stream = server.connect().await;
        exchange(stream, request("GET /health", &[]).as_bytes()).await
    });
    assert_eq!(health.await.status, 200);
}
