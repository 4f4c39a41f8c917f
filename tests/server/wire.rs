//! Callers who are slow, who talk too much, or who are not clear about where a request ends.

use std::time::Duration;

use grantor_testkit::server::{GrantorProcess, Installation, exchange, rest};
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
    let Some(reply) = rest(&mut stream).await else { return vec![] };
    let text = format!("{}\r\n\r\n{}", reply.head, reply.body);
    let answers = text.split("HTTP/1.1 ").skip(1);
    answers.map(|answer| answer[..3].parse().unwrap()).collect()
}

#[tokio::test]
async fn heads_have_a_size_and_a_number_of_fields() {
    let server = Installation::default().serve().await;
    let with =
        |fields: String| format!("GET /health HTTP/1.1\r\nconnection: close\r\n{fields}\r\n");
    let fields = |count: usize| "x-a: b\r\n".repeat(count);
    assert_eq!(statuses(&server, &with(fields(99))).await, [200]);
    assert_eq!(statuses(&server, &with(fields(100))).await, [431]);
    let long = |bytes: usize| format!("x-long: {}\r\n", "a".repeat(bytes));
    assert_eq!(statuses(&server, &with(long(60 * 1024))).await, [200]);
    let refused = statuses(&server, &with(long(65 * 1024))).await;
    // What was not read may turn the answer into a broken connection.
    assert!(refused.is_empty() || refused == [431], "{refused:?}");
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
