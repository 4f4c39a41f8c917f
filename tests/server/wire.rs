//! Callers who are slow, who talk too much, or who are not clear about where a request ends.

use std::fs;
use std::process::Command;
use std::time::Duration;

use grantor_testkit::server::{GrantorProcess, Installation, exchange, read_reply};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{interval, timeout};

/// Sends this and then one byte a second, until the server hangs up.
async fn drip(mut stream: TcpStream, start: &'static str, slowly: &'static str) {
    stream.write_all(start.as_bytes()).await.unwrap();
    let (mut read, mut write) = stream.split();
    let writing = async {
        let mut pace = interval(Duration::from_secs(1));
        for byte in slowly.bytes() {
            pace.tick().await;
            if write.write_all(&[byte]).await.is_err() {
                break;
            }
        }
        std::future::pending::<()>().await;
    };
    let mut answer = Vec::new();
    tokio::select! {
        () = writing => {}
        _ = read.read_to_end(&mut answer) => {}
    }
    assert_eq!(String::from_utf8(answer).unwrap(), "");
}

#[tokio::test]
async fn slow_heads_are_cut_off_after_ten_seconds_and_others_are_served() {
    let server = Installation::default().serve().await;
    let endless = "x-slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    let mut slow = Vec::new();
    for (start, slowly) in [
        ("", ""),
        ("P", ""),
        ("PRI * HTTP/2.0\r\n", ""),
        ("GET /health HTTP/1.1\r\nhost: a\r\n", ""),
        ("GET /health HTTP/1.1\r\nhost: a\r\n", endless),
        ("", "GET /health HTTP/1.1\r\nhost: aaaaaaaaaaaaaaaaaaaaaa"),
    ] {
        slow.push((start, slowly, tokio::spawn(drip(server.connect().await, start, slowly))));
    }
    let others = async {
        let mut pace = interval(Duration::from_millis(200));
        for _ in 0..40 {
            pace.tick().await;
            assert_eq!(server.get("/health").await.status, 200);
        }
    };
    timeout(Duration::from_secs(9), others).await.expect("nobody waits for slow callers");
    // Eight seconds are not ten.
    for (start, slowly, caller) in &slow {
        assert!(!caller.is_finished(), "{start:?} {slowly:?} was cut off too early");
    }
    for (start, slowly, caller) in slow {
        let ended = timeout(Duration::from_secs(6), caller).await;
        ended.unwrap_or_else(|_| panic!("{start:?} {slowly:?} is still there")).unwrap();
    }
}

/// The statuses of all answers to these bytes, after which the server must close by itself.
async fn statuses(server: &GrantorProcess, bytes: &str) -> Vec<u16> {
    let mut stream = server.connect().await;
    // It may close before it has read everything.
    let _ = stream.write_all(bytes.as_bytes()).await;
    let Some(reply) = read_reply(&mut stream).await else { return vec![] };
    let text = format!("{}\r\n\r\n{}", reply.head, reply.body);
    let answers = text.split("HTTP/1.1 ").skip(1);
    answers.map(|answer| answer[..3].parse().unwrap()).collect()
}

#[tokio::test]
async fn heads_have_a_size_and_a_number_of_fields() {
    let server = Installation::default().serve().await;
    let with = |fields: String| {
        format!("GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n{fields}\r\n")
    };
    let fields = |count: usize| "x-a: b\r\n".repeat(count);
    assert_eq!(statuses(&server, &with(fields(98))).await, [200]);
    assert_eq!(statuses(&server, &with(fields(99))).await, [431]);
    let long = |bytes: usize| format!("x-long: {}\r\n", "a".repeat(bytes));
    assert_eq!(statuses(&server, &with(long(60 * 1024))).await, [200]);
    assert_eq!(statuses(&server, &with(long(65 * 1024))).await, [431]);
    assert_eq!(server.get("/health").await.status, 200);
}

#[tokio::test]
async fn nothing_can_be_smuggled_behind_an_unclear_request() {
    let server = Installation::default().serve().await;
    let second = "GET /health HTTP/1.1\r\nhost: a\r\n\r\n";
    let post = |fields: &str, body: &str| {
        format!("POST /health HTTP/1.1\r\nhost: a\r\n{fields}\r\n{body}{second}")
    };
    for (what, request, expected) in [
        // Read by the chunks, and the connection ends there (RFC 9112, 6.1).
        ("both", post("content-length: 4\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n"), 405),
        (
            "other order",
            post("transfer-encoding: chunked\r\ncontent-length: 4\r\n", "0\r\n\r\n"),
            405,
        ),
        ("two lengths", post("content-length: 0\r\ncontent-length: 4\r\n", ""), 400),
        ("list of lengths", post("content-length: 0, 4\r\n", ""), 400),
        ("signed length", post("content-length: +0\r\n", ""), 400),
        ("no chunks at the end", post("transfer-encoding: chunked, gzip\r\n", ""), 400),
        ("another coding before", post("transfer-encoding: gzip, chunked\r\n", "0\r\n\r\n"), 400),
        (
            "two fields of codings",
            post("transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n"),
            400,
        ),
        ("chunked twice", post("transfer-encoding: chunked, chunked\r\n", "0\r\n\r\n"), 400),
        ("hidden coding", post("transfer-encoding: xchunked\r\n", ""), 400),
        ("folded line", post("x-folded: a\r\n b\r\n", ""), 400),
        ("folded coding", post("transfer-encoding:\r\n chunked\r\n", "0\r\n\r\n"), 400),
        ("space before the colon", post("content-length : 0\r\n", ""), 400),
        ("bare return", post("x-a: b\rcontent-length: 4\r\n", ""), 400),
    ] {
        assert_eq!(statuses(&server, &request).await, [expected], "{what}");
    }
}

#[tokio::test]
async fn two_clear_requests_in_a_row_are_both_answered() {
    let server = Installation::default().serve().await;
    let first = "POST /health HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nbody";
    let second = "GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    assert_eq!(statuses(&server, &format!("{first}{second}")).await, [405, 200]);
    let none = exchange(server.connect().await, b"\x00\x01nonsense\r\n\r\n").await;
    assert_eq!(none.map(|it| it.status), Some(400));
}

#[tokio::test]
async fn a_request_says_once_whom_it_is_for() {
    let server = Installation::default().serve().await;
    let ask = async |path: &str, version: &str, hosts: &str| {
        let text = format!("GET {path} HTTP/{version}\r\nconnection: close\r\n{hosts}\r\n");
        exchange(server.connect().await, text.as_bytes()).await.expect("an answer")
    };
    for (hosts, message) in [
        ("", "The request has no Host header"),
        ("host: a\r\nhost: a\r\n", "The request has more than one Host header"),
        ("host: a\r\nhost: b\r\n", "The request has more than one Host header"),
        ("host:\r\n", "The Host header is not a valid host"),
        ("host: a, b\r\n", "The Host header is not a valid host"),
        ("host: a:b\r\n", "The Host header is not a valid host"),
        ("host: user@a\r\n", "The Host header is not a valid host"),
    ] {
        let external = ask("/health", "1.1", hosts).await;
        assert_eq!((external.status, &external.json()["error"]["message"]), (400, &message.into()));
        assert_eq!(external.json()["error"]["code"], "VALIDATION_ERROR");
        let console = ask("/v1.0.1/health", "1.1", hosts).await;
        assert_eq!((console.status, &console.json()["status"]), (400, &"error".into()), "{hosts}");
        assert_eq!(external.header("connection"), Some("close"));
    }
    for hosts in ["host: a\r\n", "host: 127.0.0.1:8080\r\n", "host: [::1]:8080\r\n"] {
        assert_eq!(ask("/health", "1.1", hosts).await.status, 200, "{hosts}");
    }
    assert_eq!(ask("/health", "1.0", "").await.status, 200, "HTTP/1.0 knows no Host");
}

/// Sends a whole body before it reads the answer, as many clients do. Nothing when the server did
/// not take it all.
async fn send_first(server: &GrantorProcess, head: &str, body: usize) -> Option<u16> {
    let mut stream = server.connect().await;
    let head = format!("{head}\r\nhost: a\r\ncontent-length: {body}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let block = vec![b'x'; 64 * 1024];
    let mut left = body;
    while left > 0 {
        let part = left.min(block.len());
        stream.write_all(&block[..part]).await.ok()?;
        left -= part;
    }
    read_reply(&mut stream).await.map(|it| it.status)
}

#[tokio::test]
async fn a_refusal_reaches_whoever_is_still_sending() {
    let server = Installation::default().with("GRANTOR_LIMITS", "metadata=1/60s").serve().await;
    let (json, megabytes) = ("content-type: application/json", 1024 * 1024);
    let license = "/licenses/018f3f9e-0000-7000-8000-000000000001";
    assert_eq!(server.get("/metadata").await.status, 200);
    for (what, fields, body, expected) in [
        ("POST /auth/token", json, 20 * megabytes, 413),
        ("POST /v1.0.1/auth/login", "content-type: a/b", megabytes, 415),
        (&format!("PATCH {license}"), json, megabytes, 401),
        ("POST /nowhere", json, megabytes, 404),
        ("GET /metadata", json, megabytes, 429),
    ] {
        let head = format!("{what} HTTP/1.1\r\n{fields}");
        assert_eq!(send_first(&server, &head, body).await, Some(expected), "{what}");
    }
    assert_eq!(server.get("/health").await.status, 200);
}

/// The status that curl gets by HTTP/2 for a body of so many bytes.
fn curl_http2(
    installation: &Installation,
    server: &GrantorProcess,
    path: &str,
    bytes: usize,
) -> String {
    let body = installation.folder().join("body");
    fs::write(&body, vec![b'x'; bytes]).unwrap();
    let options = ["-s", "-o", "/dev/null", "-w", "%{http_version} %{http_code}"];
    let json = "content-type: application/json";
    let mut curl = Command::new("curl");
    curl.args(options).args(["--http2-prior-knowledge", "-H", json]);
    curl.arg("--data-binary").arg(format!("@{}", body.display()));
    let output = curl.arg(format!("http://{}{path}", server.address())).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_reaches_whoever_is_still_sending_by_http_2() {
    let installation = Installation::default();
    let server = installation.serve().await;
    assert_eq!(curl_http2(&installation, &server, "/auth/token", 2_000_000), "2 413");
    assert_eq!(curl_http2(&installation, &server, "/webhooks", 1_000_000), "2 401");
    assert_eq!(curl_http2(&installation, &server, "/nowhere", 1_000_000), "2 404");
}

#[tokio::test]
async fn no_more_than_32_megabytes_of_a_refused_body_are_read() {
    let server = Installation::default().serve().await;
    let head = "POST /auth/token HTTP/1.1\r\ncontent-type: application/json";
    assert_eq!(send_first(&server, head, 256 * 1024 * 1024).await, None);
    assert_eq!(server.get("/health").await.status, 200);
}
