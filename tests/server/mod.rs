//! The program as a process: startup errors, responses on the wire, and shutdown.

mod backup;
mod client;
mod commands;
mod crash;
mod demo;
mod drain;
mod guide;
mod listen;
mod log;
mod nodes;
mod proxy;
mod refusal;
mod sdk;
mod staff;
mod start;
mod stop;
mod telemetry;
mod tls;
mod trouble;
mod upgrade;
mod verify;
mod wire;

use std::path::{Path, PathBuf};

use grantor_testkit::server::{GrantorProcess, Installation, Reply, exchange, request};
use grantor_testkit::smtp::SelfSigned;
use serde_json::{Value, json};
use tokio::net::TcpStream;

/// Writes a certificate and its key into a directory and returns their paths.
fn write_identity(folder: &Path, identity: &SelfSigned) -> [PathBuf; 2] {
    let paths = ["cert.pem", "key.pem"].map(|name| folder.join(name));
    std::fs::write(&paths[0], &identity.certificate).unwrap();
    std::fs::write(&paths[1], &identity.key).unwrap();
    paths
}

/// The same installation, configured to use these files for TLS.
fn with_tls(installation: Installation, [cert, key]: &[PathBuf; 2]) -> Installation {
    installation
        .with("GRANTOR_TLS_CERT", cert.to_str().unwrap())
        .with("GRANTOR_TLS_KEY", key.to_str().unwrap())
}

/// Sends a request with a JSON body; `None` if the server closes the connection without a response.
async fn send(stream: TcpStream, what: &str, headers: &[&str], body: Value) -> Option<Reply> {
    let body = body.to_string();
    let length = format!("content-length: {}", body.len());
    let headers = [&["content-type: application/json", &*length], headers].concat();
    exchange(stream, (request(what, &headers) + &body).as_bytes()).await
}

/// Signs in an account of the sample data.
async fn sign_in(server: &GrantorProcess, account: &Value) -> Reply {
    let body = json!({ "username": account["email"], "password": account["password"] });
    let answer = send(server.connect().await, "POST /v1.0.1/auth/login", &[], body).await;
    answer.expect("an answer")
}
