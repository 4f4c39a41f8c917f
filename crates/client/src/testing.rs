//! A server for tests: it answers one request after the other with prepared responses.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::{Client, Credentials, Retry};

/// A prepared response. An empty one closes the connection instead.
pub(crate) type Prepared = String;

pub(crate) struct Server {
    address: SocketAddr,
    calls: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    pub(crate) async fn start(answers: Vec<Prepared>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let calls = Arc::new(Mutex::new(Vec::new()));
        let task = tokio::spawn(serve(listener, answers, Arc::clone(&calls)));
        Self { address, calls, task }
    }

    /// A client of this server that retries without pauses.
    pub(crate) fn client(&self) -> Client {
        let url = format!("http://{}", self.address);
        let retry = Retry { first_pause: Duration::ZERO, ..Retry::default() };
        Client::new(&url, Credentials::new("gk_test_a", "gs_test_b")).unwrap().with_retry(retry)
    }

    /// The requests so far, each as it was sent.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }

    /// The methods and paths of the requests so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |call: String| {
            let first = call.lines().next().unwrap_or_default();
            first.trim_end_matches(" HTTP/1.1").to_owned()
        };
        self.calls().into_iter().map(line).collect()
    }
}

async fn serve(listener: TcpListener, answers: Vec<Prepared>, calls: Arc<Mutex<Vec<String>>>) {
    for answer in answers {
        let (mut stream, _) = listener.accept().await.unwrap();
        let call = read(&mut stream).await;
        calls.lock().unwrap().push(call);
        stream.write_all(answer.as_bytes()).await.unwrap();
    }
}

/// Reads a request with its body.
async fn read(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = header(head, "content-length").map_or(0, |it| it.parse().unwrap());
            if body.len() >= length {
                return text;
            }
        }
        assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0, "the client hung up");
    }
}

/// A header of a request.
pub(crate) fn header<'a>(call: &'a str, name: &str) -> Option<&'a str> {
    let head = call.split("\r\n\r\n").next().unwrap_or_default();
    let mut fields = head.lines().filter_map(|line| line.split_once(": "));
    fields.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// The body of a request as JSON.
pub(crate) fn body(call: &str) -> Value {
    let body = call.split_once("\r\n\r\n").unwrap().1;
    serde_json::from_str(body).unwrap()
}

/// A response with more header lines, each with its line break.
pub(crate) fn answer_with(status: u16, headers: &str, body: &Value) -> Prepared {
    let body = body.to_string();
    format!(
        "HTTP/1.1 {status} Prepared\r\ncontent-type: application/json\r\nconnection: close\r\n\
         {headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// A response.
pub(crate) fn answer(status: u16, body: &Value) -> Prepared {
    answer_with(status, "", body)
}

/// New tokens.
pub(crate) fn tokens(access_token: &str, expires_in: u64) -> Prepared {
    let data = json!({
        "access_token": access_token, "refresh_token": "gxr_r", "token_type": "Bearer",
        "expires_in": expires_in, "scopes": ["license:read"],
    });
    answer(200, &json!({ "success": true, "data": data }))
}

/// A refusal.
pub(crate) fn refusal(status: u16, code: &str) -> Prepared {
    refusal_with(status, code, "")
}

/// A refusal with more header lines.
pub(crate) fn refusal_with(status: u16, code: &str, headers: &str) -> Prepared {
    let error = json!({ "code": code, "message": "No", "request_id": "r-1" });
    answer_with(status, headers, &json!({ "success": false, "error": error }))
}

/// A page of a list.
pub(crate) fn page(items: &[Value], total: u64, has_next: bool) -> Prepared {
    let pagination = json!({
        "page": 1, "per_page": 100, "total": total, "total_pages": 1, "has_next": has_next,
        "has_prev": false,
    });
    answer(200, &json!({ "data": items, "pagination": pagination }))
}

/// A webhook as the server sends it.
pub(crate) fn webhook(id: &str) -> Value {
    json!({
        "id": id, "url": "https://r.example/", "description": "", "events": ["license.created"],
        "status": "active", "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z", "last_success_at": null, "failing_since": null,
        "color": "blue",
    })
}

/// A license as the server sends it.
pub(crate) fn license(title: &str) -> Value {
    json!({
        "id": "0198", "external_id": null, "title": title, "description": "", "status": "draft",
        "license_type": "voice", "talent": { "id": "1", "name": "Ann Lee", "aliases": [] },
        "owner": { "id": "2", "name": "Agency", "type": "Agency" }, "permission": "licensor",
        "uses": ["voice"], "territories": ["WORLD"],
        "fee": { "amount": "1.50", "currency": "EUR", "per": "day" }, "can_crawl": false,
        "terms": { "share": 0.1 }, "valid_from": null, "expires_at": null, "image_count": 0,
        "version": 3, "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
        "tags": ["new"],
    })
}
