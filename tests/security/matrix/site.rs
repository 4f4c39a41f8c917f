//! A site that the sources of the world watch. It runs on threads of its own, because it serves
//! worlds on several runtimes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::OnceLock;
use std::thread;

const FEED: &str = "<rss version='2.0'><channel><title>Written</title></channel></rss>";

/// The URL of the site, without a path. Every path is an empty feed.
pub(super) fn origin() -> &'static str {
    static ORIGIN: OnceLock<String> = OnceLock::new();
    ORIGIN.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                thread::spawn(move || answer(stream));
            }
        });
        format!("http://{address}")
    })
}

/// A client that goes away is none of the site's business.
fn answer(mut stream: TcpStream) -> Option<()> {
    let mut head = Vec::new();
    for line in BufReader::new(stream.try_clone().ok()?).lines() {
        let line = line.ok()?;
        if line.is_empty() {
            break;
        }
        head.push(line);
    }
    let is_rules = head.first()?.contains("/robots.txt");
    let (status, body) = if is_rules { ("404 Not Found", "") } else { ("200 OK", FEED) };
    let length = body.len();
    let answer =
        format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
    stream.write_all(answer.as_bytes()).ok()
}
