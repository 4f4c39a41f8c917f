//! Chromium and its driver. Both end with the [`Driver`], also after a panic.

use std::fs::Permissions;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use fantoccini::error::NewSessionError;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;
use url::{ParseError, Url};

use crate::store::PATIENCE;

/// A fresh browser that can reach only this machine.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    "--hide-scrollbars",
    "--lang=en-US",
    // Clicks would miss while one page turns into the next.
    "--force-prefers-reduced-motion",
];

/// The program to start, set by `cargo xtask servers`.
const BROWSER: &str = "GRANTOR_TEST_BROWSER";

/// How often to try to start a browser: once in thousands of starts chromium dies before it has
/// opened anything.
const STARTS: usize = 3;

pub(super) struct Driver {
    pub(super) client: Client,
    session: String,
    program: Program,
    // Dropped last, because the browser uses it.
    _profile: TempDir,
}

impl Driver {
    pub(super) async fn start() -> Self {
        let mut failures = Vec::new();
        while failures.len() < STARTS {
            match Self::try_start().await {
                Ok(driver) => return driver,
                Err(error) => failures.push(error.to_string()),
            }
        }
        panic!("chromium starts: run the tests by `cargo xtask servers -- …`: {failures:#?}");
    }

    async fn try_start() -> Result<Self, NewSessionError> {
        let program = Program::start();
        let profile = tempfile::tempdir().expect("a folder for the browser");
        let place = format!("--user-data-dir={}", profile.path().join("data").display());
        let flags: Vec<&str> = FLAGS.iter().copied().chain([place.as_str()]).collect();
        let binary = starter(profile.path());
        let wanted = json!({
            "browserName": "chrome",
            "goog:chromeOptions": { "binary": binary, "args": flags },
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let wanted: Capabilities = serde_json::from_value(wanted).expect("capabilities");
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(wanted)
            .connect(&format!("http://127.0.0.1:{}", program.port))
            .await?;
        let session = client.session_id().await.ok().flatten().expect("a session");
        Ok(Self { client, session, program, _profile: profile })
    }

    /// Runs a command that only this browser's driver has.
    pub(super) async fn command(&self, path: &'static str, body: Value) -> Value {
        let answer = self.client.issue_cmd(RawCommand { path, body }).await;
        answer.unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Runs a `DevTools` command.
    pub(super) async fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.command("goog/cdp/execute", json!({ "cmd": command, "params": parameters })).await
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Ends the browser too, which killing the driver would not do.
        let Ok(mut stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, self.program.port)) else {
            return;
        };
        let head = format!(
            "DELETE /session/{} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
            self.session
        );
        let _ = stream.set_read_timeout(Some(PATIENCE));
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.read(&mut [0; 1_024]);
    }
}

/// A script that starts the browser with a page. The driver waits for one, which a browser without a
/// window does not open by itself.
#[expect(clippy::disallowed_methods, reason = "the test runner sets the program")]
fn starter(folder: &Path) -> PathBuf {
    let program = std::env::var(BROWSER);
    let program = program.expect("run the tests by `cargo xtask servers -- …`");
    let file = folder.join("browser");
    let script = format!("#!/bin/sh\nexec {program} \"$@\" about:blank\n");
    std::fs::write(&file, script).expect("a script");
    std::fs::set_permissions(&file, Permissions::from_mode(0o700)).expect("a program");
    file
}

struct Program {
    process: Child,
    port: u16,
}

impl Program {
    /// Starts the driver. It chooses a port for IPv4 and ends if another process has the same one for
    /// IPv6, so it is started again.
    fn start() -> Self {
        (0..5).find_map(|_| Self::try_start()).expect("chromedriver tells its port")
    }

    fn try_start() -> Option<Self> {
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .env("TZ", "UTC")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts: run the tests by `cargo xtask servers -- …`");
        let mut lines = BufReader::new(process.stdout.take().expect("what it prints")).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok()
        });
        let Some(port) = port else {
            let _ = process.wait();
            return None;
        };
        // Reads to the end, so that the process never blocks on its output.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self { process, port })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[derive(Debug)]
struct RawCommand {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for RawCommand {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}
