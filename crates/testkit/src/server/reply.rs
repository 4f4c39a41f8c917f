//! Requests and responses as bytes on a connection.

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;

use crate::store::PATIENCE;

/// A response read from a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The status line and the headers.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Reply {
    /// The first header with this name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }
}

/// A request without a body that asks to close the connection.
#[must_use]
pub fn request(what: &str, headers: &[&str]) -> String {
    let lines = [headers, &[""]].concat().join("\r\n");
    format!("{what} HTTP/1.1\r\nhost: grantor.test\r\nconnection: close\r\n{lines}\r\n")
}

/// Sends bytes and reads until the server closes the connection; `None` if it closes without a
/// response.
pub async fn exchange<S>(mut stream: S, bytes: &[u8]) -> Option<Reply>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    // A server that rejects a request may close before it has read everything.
    let _ = stream.write_all(bytes).await;
    let _ = stream.flush().await;
    read_reply(&mut stream).await
}

/// Reads until the server closes the connection; `None` if it closes without a response.
pub async fn read_reply<S: AsyncRead + Unpin>(stream: &mut S) -> Option<Reply> {
    let mut bytes = Vec::new();
    let reading = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    // However the connection ended, what was read before counts.
    let _ = reading.expect("the server answers or closes");
    let text = String::from_utf8(bytes).expect("an answer in UTF-8");
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Reply { status, head: head.to_owned(), body: body.to_owned() })
}
