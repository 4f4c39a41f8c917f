//! The commands that call a server's API: from signing in to signing out, and what goes wrong.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use grantor_client::webhook_signature::{Verifier, WebhookHeaders};
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::server::{GrantorProcess, Installation, ProcessOutput, eventually, finish};
use grantor_testkit::{Engine, Fixture, db_test};
use serde_json::{Value, json};

use super::send;

const TITLE: &str = "Storybook face · 絵本の顔";

/// A server with the sample data, a home directory, and a receiver whose answer a test decides on.
struct Room {
    home: Installation,
    server: GrantorProcess,
    account: Value,
    receiver: Listener,
    status: Arc<Mutex<u16>>,
}

impl Fixture for Room {
    async fn on(engine: Engine) -> Self {
        let home = Installation::on(engine).await.with("GRANTOR_LIMITS", "off");
        let folder = home.folder().to_str().unwrap().to_owned();
        let home = home.with("HOME", &folder).with("GRANTOR_OUTBOUND_ALLOW", "127.0.0.0/8");
        let server = home.serve().await;
        let made: Value = serde_json::from_str(&home.run("demo --json").await.ok()).unwrap();
        let status = Arc::new(Mutex::new(200));
        let told = Arc::clone(&status);
        let receiver =
            Listener::start(move |_| Script::answer(*told.lock().unwrap(), b"")).await.unwrap();
        Self { home, server, account: made["accounts"][0].clone(), receiver, status }
    }
}

impl Room {
    /// Signs in with a secret on standard input.
    async fn login(&self, secret: &str) -> ProcessOutput {
        let file = self.home.folder().join("secret");
        fs::write(&file, format!("{secret}\n")).unwrap();
        let (address, key) = (self.server.address(), self.account["apiKey"].as_str().unwrap());
        let words = format!("login --url http://{address} --api-key {key}");
        let mut command = self.home.command(&words);
        command.stdin(File::open(file).unwrap());
        finish(command).await
    }

    async fn sign_in(&self) -> String {
        self.login(self.account["apiSecret"].as_str().unwrap()).await.ok()
    }

    /// Runs a command, with more arguments that may contain spaces.
    async fn run(&self, words: &str, more: &[&str]) -> ProcessOutput {
        let mut command = self.home.command(words);
        command.args(more);
        finish(command).await
    }

    async fn json(&self, words: &str, more: &[&str]) -> Value {
        serde_json::from_str(&self.run(words, more).await.ok()).unwrap()
    }

    async fn post(&self, path: &str, token: &str, body: Value) -> Value {
        let bearer = format!("authorization: Bearer {token}");
        let what = format!("POST {path}");
        let reply = send(self.server.connect().await, &what, &[&bearer], body).await.unwrap();
        assert!(reply.status < 300, "{what}: {}", reply.body);
        reply.json()
    }

    /// A webhook of the receiver.
    async fn webhook(&self) -> Value {
        let pair =
            json!({ "api_key": self.account["apiKey"], "api_secret": self.account["apiSecret"] });
        let tokens = self.post("/auth/token", "", pair).await;
        let token = tokens["data"]["access_token"].as_str().unwrap().to_owned();
        self.post("/webhooks", &token, json!({ "url": self.receiver.url("/hook") })).await
    }

    fn credentials(&self) -> PathBuf {
        self.home.folder().join(".config/grantor/credentials.toml")
    }

    /// The files in which tokens are kept.
    fn token_files(&self) -> usize {
        let folder = fs::read_dir(self.home.folder().join(".local/state/grantor"));
        folder.map_or(0, |it| {
            let names = it.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.filter(|name| name.starts_with("token-")).count()
        })
    }
}

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap()
}

#[db_test]
async fn licenses_are_listed_shown_and_updated(room: Room) {
    let said = room.sign_in().await;
    let key = room.account["apiKey"].as_str().unwrap();
    assert!(said.contains(&format!("as {key} (license:read, ")), "{said}");
    assert_eq!(fs::metadata(room.credentials()).unwrap().permissions().mode() & 0o777, 0o600);

    let all = room.json("license list --all --json", &[]).await;
    let total = all.as_array().unwrap().len();
    let page = room.run("license list --limit 2 --status public", &[]).await;
    assert!(page.err.starts_with("2 of "), "{}", page.err);
    let lines: Vec<_> = page.out.lines().collect();
    assert!(lines[0].starts_with("ID  ") && lines.len() == 3 && total > 2, "{}", page.out);
    assert!(lines[1].contains("  public  "), "{}", page.out);

    let license = room.json("license get --json", &[TITLE]).await;
    assert_eq!(license["title"], TITLE);
    let (id, external) = (id(&license), license["external_id"].as_str().unwrap());
    assert_eq!(room.json("license get --json", &[external]).await, license);
    let shown = room.run("license get", &[id]).await.ok();
    assert!(shown.contains(&format!("\nTitle        {TITLE}\n")), "{shown}");

    let changes = |id| ["--title", "The face", "--uses", "voice,advertising", id];
    let said = room.run("license update", &changes(TITLE)).await.ok();
    let version = license["version"].as_u64().unwrap() + 1;
    assert!(said.starts_with(&format!("{id} is now version {version}:\n")), "{said}");
    assert!(said.contains(&format!("\n  title: {TITLE} → The face\n")), "{said}");
    let again = room.run("license update", &changes(id)).await.ok();
    assert_eq!(again, format!("{id} already has these values.\n"));
    let wrong = room.run("license update --fee 5", &[id]).await;
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.starts_with("error: --fee: must be "), "{}", wrong.err);
    let invalid = room.run("license update --title", &["", id]).await;
    assert!(invalid.err.contains("title ") && invalid.err.contains("(400 VALIDATION_ERROR, "));
}

#[db_test]
async fn a_check_says_by_its_exit_code_what_is_allowed(room: Room) {
    room.sign_in().await;
    let own = room.run("check --text", &["A day with Zoë Lindqvåg."]).await;
    assert_eq!(own.code, Some(0), "{}", own.err);
    assert!(own.out.contains("allowed   Zoë Lindqvåg  name "), "{}", own.out);
    let file = room.home.folder().join("text.txt");
    fs::write(&file, "A walk with Noa Elmaleh-Brück.").unwrap();
    let other = room.run("check --json text.txt", &[]).await;
    assert_eq!(other.code, Some(2), "{}", other.err);
    let result: Value = serde_json::from_str(&other.out).unwrap();
    assert_eq!(result["matches"][0]["decision"]["decision"], "ask", "{result}");
    let nobody = room.run("check --text nobody", &[]).await;
    let nothing = "Nobody with a license was recognized.\n";
    assert_eq!((nobody.code, nobody.out.as_str()), (Some(0), nothing));
    for words in ["check", "check --wrong", "check no-such-file"] {
        assert_eq!(room.run(words, &[]).await.code, Some(1), "{words}: nothing was checked");
    }
}

#[db_test]
async fn grants_events_and_webhooks_are_at_hand(room: Room) {
    room.sign_in().await;
    let grants = room.json("grant list --all --json", &[]).await;
    let grant = &grants[0];
    let number = grant["number"].as_str().unwrap();
    assert_eq!(&room.json("grant get --json", &[number]).await, grant);
    let none = room.run("grant get", &["GR-2020-000001"]).await;
    assert!(none.err.contains("there is no grant with the number GR-2020-000001"), "{}", none.err);
    let shown = room.run("grant get", &[id(grant)]).await.ok();
    assert!(shown.contains(&format!("Number       {number}\n")), "{shown}");

    drop(room.run("license update QF-001 --title", &["Another title"]).await.ok());
    let events = room.json("events --json --type license.updated --limit 1", &[]).await;
    let data = &events[0]["data"];
    assert_eq!(
        (&data["license"]["title"], events.as_array().unwrap().len()),
        (&json!("Another title"), 1)
    );
    let lines = room.run("events --type license.updated --limit 2", &[]).await.ok();
    assert!(lines.ends_with("  license.updated     Another title (title)\n"), "{lines}");
    assert_eq!(lines.lines().count(), 2, "{lines}");

    let typo = room.run("events --type licence", &[]).await;
    assert!(typo.err.contains("--type: licence is neither a type of events"), "{}", typo.err);

    let webhook = room.webhook().await;
    let listed = room.json("webhook list --all --json", &[]).await;
    assert!(listed.as_array().unwrap().iter().any(|it| id(it) == id(&webhook)), "{listed}");
    let said = room.run("webhook test", &[id(&webhook)]).await.ok();
    assert!(said.starts_with("Delivered with status 200 in "), "{said}");
    let call = eventually("the test", async || room.receiver.calls().pop()).await;
    let header = |name| call.header(name).unwrap();
    let headers = WebhookHeaders {
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp"),
        signature: header("webhook-signature"),
    };
    let verifier = Verifier::new(webhook["secret"].as_str().unwrap()).unwrap();
    assert_eq!(verifier.verify(headers, &call.body), Ok(()));
    assert!(verifier.verify(headers, b"{}").is_err(), "the control");
    *room.status.lock().unwrap() = 500;
    let failed = room.run("webhook test", &[id(&webhook)]).await;
    assert_eq!(failed.code, Some(1));
    assert!(failed.out.starts_with("Not delivered after "), "{}", failed.out);
}

#[db_test]
async fn signing_out_forgets_everything(room: Room) {
    room.sign_in().await;
    for _ in 0..2 {
        drop(room.run("license list", &[]).await.ok());
    }
    assert_eq!(room.token_files(), 1, "one exchange serves all commands");
    let elsewhere = room.run("license list --url http://127.0.0.1:1", &[]).await;
    assert!(elsewhere.err.starts_with("grantor: the profile default belongs to http://127.0.0.1:"));
    let said = room.run("logout", &[]).await.ok();
    assert!(said.starts_with("Signed out of http://127.0.0.1:"), "{said}");
    assert_eq!(room.token_files(), 0);
    let kept = fs::read_to_string(room.credentials()).unwrap();
    assert!(!kept.contains("gs_"), "the secret is gone");
    let out = room.run("license list", &[]).await;
    assert_eq!(out.code, Some(1));
    assert!(out.err.starts_with("grantor: not signed in: run grantor login, "), "{}", out.err);
}

#[db_test]
async fn a_wrong_secret_is_not_kept(room: Room) {
    let wrong = room.login("gs_test_wrong").await;
    assert_eq!((wrong.code, wrong.out.as_str()), (Some(1), ""));
    assert!(wrong.err.contains(" (401 INVALID_CREDENTIALS, request "), "{}", wrong.err);
    assert!(!wrong.err.contains("gs_test_wrong"), "{}", wrong.err);
    assert!(!room.credentials().exists() && room.token_files() == 0);
    room.sign_in().await;
    assert!(room.credentials().exists(), "the control");
}

#[db_test]
async fn events_are_followed_until_they_are_interrupted(room: Room) {
    room.sign_in().await;
    let file = room.home.folder().join("followed");
    let words = "events --follow --json --since 1h --type license.updated";
    let mut command = room.home.command(words);
    let out = File::create(&file).unwrap();
    let mut running = Running(command.stdout(out).stderr(Stdio::inherit()).spawn().unwrap());
    drop(room.run("license update QF-001 --title", &["While following"]).await.ok());
    let followed = async || {
        let text = fs::read_to_string(&file).unwrap();
        let whole = text.split_inclusive('\n').filter(|it| it.ends_with('\n'));
        let mut events = whole.map(|it| serde_json::from_str::<Value>(it).unwrap());
        events.find(|it| it["data"]["license"]["title"] == "While following")
    };
    assert_eq!(eventually("the event", followed).await["type"], "license.updated");
    let id = running.0.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let child = &mut running.0;
    let ended = eventually("its end", async || child.try_wait().unwrap()).await;
    assert_eq!(ended.code(), Some(0));
}

/// A running command; killed when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A command with credentials in the environment, for a server at this address.
fn with_environment(url: &str) -> Installation {
    Installation::default()
        .with("GRANTOR_URL", url)
        .with("GRANTOR_API_KEY", "gk_test_a")
        .with("GRANTOR_API_SECRET", "gs_test_b")
}

#[tokio::test]
async fn without_a_server_the_error_is_one_line() {
    let ran = with_environment("http://127.0.0.1:1").run("license list --json").await;
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    let lines: Vec<_> = ran.err.lines().collect();
    let start = "grantor: The server cannot be reached: cannot connect: ";
    assert!(lines.iter().all(|it| it.starts_with(start)), "{}", ran.err);
    assert!(lines[2].ends_with("; check the URL and the network"), "{}", ran.err);
    assert!(lines[0].ends_with("; retrying in 0.5 s") && lines.len() == 3, "{}", ran.err);
    for (url, reason) in [
        ("http://g.example", "GRANTOR_URL: must be https, because the API secret is sent there"),
        ("nowhere", "GRANTOR_URL: must be a URL such as https://grantor.example.com"),
    ] {
        let ran = with_environment(url).run("license list").await;
        assert_eq!(ran.err, format!("grantor: {reason}\n"));
    }
}

#[tokio::test]
async fn a_limit_is_waited_for_and_a_long_one_is_told() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let server = Listener::start(move |call| {
        let limited = |seconds: &str| {
            let body = r#"{"success":false,"error":{"code":"RATE_LIMITED","message":"Too many"}}"#;
            let head = format!("HTTP/1.1 429 Limited\r\nretry-after: {seconds}\r\n");
            let rest = format!("content-length: {}\r\nconnection: close\r\n\r\n", body.len());
            Script::Raw(format!("{head}{rest}{body}").into_bytes())
        };
        if call.path == "/auth/token" {
            let tokens = json!({ "access_token": "t", "refresh_token": "r", "expires_in": 3600 });
            return Script::ok(json!({ "success": true, "data": tokens }).to_string().as_bytes());
        }
        match count.fetch_add(1, Ordering::SeqCst) {
            0 => limited("1"),
            1 => {
                let pagination = json!({ "total": 0, "has_next": false });
                let page = json!({ "data": [], "pagination": pagination });
                Script::ok(page.to_string().as_bytes())
            }
            _ => limited("3600"),
        }
    });
    let server = server.await.unwrap();
    let home = with_environment(&server.url(""));
    let ran = home.run("license list --json").await;
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "[]\n"), "{}", ran.err);
    assert_eq!(ran.err, "grantor: Too many (429 RATE_LIMITED); retrying in 1 s\n");
    let ran = home.run("license list --json").await;
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert_eq!(ran.err, "grantor: Too many (429 RATE_LIMITED); try again in 3600 s\n");
    assert_eq!(asked.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn completions_and_manual_pages_name_every_command() {
    let home = Installation::default();
    for shell in ["bash", "zsh", "fish"] {
        let script = home.run(&format!("completions {shell}")).await.ok();
        for name in ["license", "events", "webhook", "login"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    let page = home.run("man").await.ok();
    assert!(page.contains("SYNOPSIS") && page.contains("license"), "{page}");
    drop(home.run("man pages").await.ok());
    for name in ["grantor", "grantor-serve", "grantor-license-update", "grantor-check"] {
        let page = fs::read_to_string(home.folder().join(format!("pages/{name}.1"))).unwrap();
        assert!(page.contains("SYNOPSIS"), "{page}");
    }
    assert!(!home.data("").exists(), "printing needs no data directory");
}

#[tokio::test]
async fn a_client_needs_no_place_for_its_tokens() {
    let server = Installation::default().serve().await;
    let home = with_environment(&format!("http://{}", server.address()));
    let refused = home.run("grant list").await;
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("(401 INVALID_CREDENTIALS, request "), "{}", refused.err);
    let login = home.run("login").await;
    assert!(login.err.contains("neither XDG_CONFIG_HOME nor HOME is set"), "{}", login.err);
}
