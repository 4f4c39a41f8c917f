//! `grantor listen`: what a developer's own receiver gets, and that no end of the program loses any.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use grantor_domain::Timestamp;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::webhook::sign;
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::server::{GrantorProcess, Installation, eventually, exchange};
use grantor_testkit::{Engine, Fixture, db_test};
use serde_json::{Value, json};

/// A server with the sample, and a receiver whose answers a test decides on.
struct Room {
    home: Installation,
    server: GrantorProcess,
    account: Value,
    license: String,
    receiver: Listener,
    answers: Answers,
    changes: AtomicUsize,
}

/// What the receiver says to a call, by how many it took before.
type Answers = Arc<Mutex<Box<dyn FnMut() -> Script + Send>>>;

impl Fixture for Room {
    async fn on(engine: Engine) -> Self {
        let home = Installation::on(engine).await.with("GRANTOR_LIMITS", "off");
        let server = home.serve().await;
        let made: Value = serde_json::from_str(&home.run("demo --json").await.ok()).unwrap();
        let answers: Answers = Arc::new(Mutex::new(Box::new(|| Script::ok(b""))));
        let told = Arc::clone(&answers);
        let receiver = Listener::start(move |_| told.lock().unwrap()()).await.unwrap();
        let license = made["licenses"][0]["licenseId"].as_str().unwrap().to_owned();
        let account = made["accounts"][0].clone();
        let home = home
            .with("GRANTOR_API_KEY", account["apiKey"].as_str().unwrap())
            .with("GRANTOR_API_SECRET", account["apiSecret"].as_str().unwrap());
        Self { home, server, account, license, receiver, answers, changes: AtomicUsize::new(0) }
    }
}

impl Room {
    fn state(&self) -> PathBuf {
        self.home.folder().join("listen.json")
    }

    fn command(&self, more: &str) -> Command {
        let (to, from) = (self.receiver.url("/hook"), self.server.address());
        let state = self.state();
        let words = format!("listen --forward-to {to} --server http://{from} --state");
        self.home.command(&format!("{words} {} {more}", state.display()))
    }

    /// Starts the program and waits until it says what it signs with.
    async fn listen(&self, more: &str) -> Listening {
        let listening = Listening::start(self.command(more), self.home.folder());
        listening.printed("Signing ").await;
        listening
    }

    /// From now on the receiver answers so.
    fn answer(&self, script: impl FnMut() -> Script + Send + 'static) {
        *self.answers.lock().unwrap() = Box::new(script);
    }

    async fn ask(&self, what: &str, token: &str, body: &Value) -> Value {
        let body = body.to_string();
        let text = format!(
            "{what} HTTP/1.1\r\nhost: test\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let reply = exchange(self.server.connect().await, text.as_bytes()).await.unwrap();
        assert_eq!(reply.status, 200, "{what}: {}", reply.body);
        reply.json()
    }

    async fn token(&self) -> String {
        let pair =
            json!({ "api_key": self.account["apiKey"], "api_secret": self.account["apiSecret"] });
        let got = self.ask("POST /auth/token", "", &pair).await;
        got["data"]["access_token"].as_str().unwrap().to_owned()
    }

    /// Changes the license so often.
    async fn change(&self, times: usize) {
        let token = self.token().await;
        for _ in 0..times {
            let number = self.changes.fetch_add(1, Ordering::SeqCst);
            let words = format!("Zoë 東京 🎬 {number}");
            let change =
                json!({ "description": words, "terms": { "share": 0.1, "line": "\u{2028}" } });
            self.ask(&format!("PATCH /licenses/{}", self.license), &token, &change).await;
        }
    }

    /// The whole feed.
    async fn feed(&self) -> Vec<Value> {
        let token = self.token().await;
        let mut all: Vec<Value> = vec![];
        loop {
            let after = all.last().map_or(0, |it| it["sequence"].as_u64().unwrap());
            let what = format!("GET /events?limit=100&after={after}");
            let part = self.ask(&what, &token, &Value::Null).await;
            all.extend(part["data"].as_array().unwrap().iter().cloned());
            if part["has_more"] == false {
                return all;
            }
        }
    }

    /// Waits for the receiver's call of this number.
    async fn called(&self, number: usize) -> Vec<Call> {
        let calls = async || Some(self.receiver.calls()).filter(|it| it.len() >= number);
        eventually(&format!("call {number}"), calls).await
    }
}

/// A running `grantor listen`; killed when dropped.
struct Listening {
    child: Child,
    file: PathBuf,
}

impl Listening {
    fn start(mut command: Command, folder: &Path) -> Self {
        let file = folder.join("printed");
        let out = std::fs::File::create(&file).unwrap();
        let child = command.stdout(out).stderr(Stdio::inherit()).spawn().unwrap();
        Self { child, file }
    }

    /// The first line with this in it, as soon as there is one.
    async fn printed(&self, part: &str) -> String {
        let look = async || {
            let text = std::fs::read_to_string(&self.file).ok()?;
            let mut whole = text.split_inclusive('\n').filter(|it| it.ends_with('\n'));
            whole.find(|it| it.contains(part)).map(|it| it.trim_end().to_owned())
        };
        eventually(part, look).await
    }

    async fn secret(&self) -> String {
        self.printed("Signing ").await.split(' ').next_back().unwrap().to_owned()
    }

    async fn end(mut self, signal: &str) -> ExitStatus {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success()
        );
        let child = &mut self.child;
        eventually("its end", async || child.try_wait().unwrap()).await
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The event a call brought, as the feed has it. It must be signed.
fn event(call: &Call, secret: &str) -> Value {
    let secret = Secret::parse(&[SecretKind::Webhook], secret).unwrap();
    let id = call.header("webhook-id").unwrap();
    let at = Timestamp::from_secs(call.header("webhook-timestamp").unwrap().parse().unwrap());
    let signature = sign(&[secret], id.parse().unwrap(), at, &call.body);
    assert_eq!(call.header("webhook-signature"), Some(signature.as_str()));
    assert_eq!(call.header("content-type"), Some("application/json"));
    let mut event: Value = serde_json::from_slice(&call.body).unwrap();
    let members: Vec<_> = event.as_object().unwrap().keys().cloned().collect();
    assert_eq!(members, ["type", "timestamp", "data", "sequence", "resource_version"]);
    event["id"] = json!(id);
    event
}

#[db_test]
async fn a_receiver_that_fails_and_a_kill_in_the_middle_lose_nothing(room: Room) {
    let before = room.feed().await.len();
    let first = room.listen("").await;
    let secret = first.secret().await;
    let mut calls = 0;
    room.answer(move || {
        calls += 1;
        match calls {
            1 | 2 => Script::answer(500, b"not yet"),
            6 => Script::Hang,
            _ => Script::answer(204, b""),
        }
    });
    room.change(5).await;
    room.called(6).await;
    assert!(first.printed(": 500; retrying in ").await.contains("license.updated"));
    assert_eq!(first.end("KILL").await.code(), None);
    room.change(5).await;
    let second = room.listen("").await;
    assert_eq!(second.secret().await, secret);
    let calls = room.called(6 + 7).await;
    let feed = room.feed().await.split_off(before);
    assert_eq!(feed.len(), 10);
    second.printed(&format!("{}: 204", feed[9]["id"].as_str().unwrap())).await;
    let came: Vec<_> = calls.iter().map(|call| event(call, &secret)).collect();
    let expected =
        [0, 0, 0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9].map(|number: usize| feed[number].clone());
    assert_eq!(came, expected, "in order, and again what was not answered");
}

#[db_test]
async fn it_goes_on_where_it_ended_and_through_a_restart_of_the_server(mut room: Room) {
    let before = room.feed().await;
    let first = room.listen("--from-start").await;
    let calls = room.called(before.len()).await;
    let secret = first.secret().await;
    let came: Vec<_> = calls.iter().map(|call| event(call, &secret)).collect();
    assert_eq!((came, &before[0]["sequence"]), (before.clone(), &json!(1)));
    first.printed(&format!("{}: 200", before.last().unwrap()["id"].as_str().unwrap())).await;
    assert_eq!(room.server.stop().await, Some(0));
    first.printed("The server cannot be reached: ").await;
    let address = room.server.address().to_string();
    room.home = room.home.with("GRANTOR_LISTEN", &address);
    room.server = room.home.serve().await;
    room.change(1).await;
    room.called(before.len() + 1).await;
    let last = room.feed().await.pop().unwrap();
    first.printed(&format!("{}: 200", last["id"].as_str().unwrap())).await;
    let mode = std::fs::metadata(room.state()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let other = grantor_testkit::server::finish(room.command("")).await;
    assert!(other.err.contains("is in use by another grantor listen"), "{}", other.err);
    assert_eq!(first.end("INT").await.code(), Some(0));
    // Nothing comes twice, also when it is told once more to begin at the start.
    let again = room.listen("--from-start").await;
    room.change(1).await;
    let calls = room.called(before.len() + 2).await;
    assert_eq!(event(&calls[before.len() + 1], &secret)["sequence"], json!(before.len() + 2));
    assert_eq!(again.end("TERM").await.code(), Some(0));
}

#[db_test]
async fn the_secret_may_be_in_a_file(room: Room) {
    let file = room.home.folder().join("api-secret");
    std::fs::write(&file, format!("{}\n", room.account["apiSecret"].as_str().unwrap())).unwrap();
    let mut command = room.command("");
    command.env_remove("GRANTOR_API_SECRET").env("GRANTOR_API_SECRET_FILE", &file);
    let listening = Listening::start(command, room.home.folder());
    listening.printed("Signing ").await;
    room.change(1).await;
    assert_eq!(room.called(1).await.len(), 1);
    assert_eq!(listening.end("TERM").await.code(), Some(0));
}

#[tokio::test]
async fn a_key_that_is_missing_or_wrong_is_told() {
    let home = Installation::default();
    let words = "listen --forward-to http://localhost:1/hook --state kept.json";
    let missing = home.run(words).await;
    assert_eq!((missing.code, missing.out.as_str()), (Some(1), ""));
    let told = "grantor: not signed in: run grantor login, or set GRANTOR_API_KEY and ";
    assert!(missing.err.starts_with(told), "{}", missing.err);
    let server = home.serve().await;
    let home = home.with("GRANTOR_API_KEY", "gk_test_x").with("GRANTOR_API_SECRET", "gs_test_y");
    let refused = home.run(&format!("{words} --server http://{}", server.address())).await;
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert!(refused.err.contains(" (401 INVALID_CREDENTIALS, request "), "{}", refused.err);
    assert!(!home.folder().join("kept.json").exists(), "nothing was begun");
    let home = home.with("HOME", "");
    for (more, hint) in [("http://g.example", "must be https"), ("nowhere", "must be a URL")] {
        let ran = home.run(&format!("{words} --server {more}")).await;
        assert!(ran.err.contains(hint), "{}", ran.err);
    }
    let homeless = home.run("listen --forward-to http://localhost:1").await;
    assert!(homeless.err.contains("choose a file with --state"), "{}", homeless.err);
}
