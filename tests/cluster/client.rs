//! A client as it should be: with idempotency keys, and with retries at any node.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;

use grantor_testkit::cluster::{Dice, now, pause};
use grantor_testkit::server::{Reply, exchange, request};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::license::text;

/// How long the client waits for an answer before it asks another node.
const ANSWER: Duration = Duration::from_secs(10);
/// How long it repeats a request. All faults are healed long before.
const PERSISTENCE: Duration = Duration::from_mins(2);

/// A client of all nodes. Cheap to clone.
#[derive(Clone)]
pub(super) struct Client(Arc<Inner>);

struct Inner {
    fronts: Vec<SocketAddr>,
    /// The API key, and the user with a password.
    key: Value,
    user: Value,
    tokens: RwLock<Arc<Tokens>>,
    /// Held while tokens are renewed.
    renewing: tokio::sync::Mutex<()>,
    answers: Mutex<Answers>,
}

/// What the nodes answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    /// How often each status came; 0 for no answer.
    pub(super) statuses: BTreeMap<u16, u64>,
    /// Server errors that did not say when to try again.
    pub(super) curt: Vec<String>,
    /// Answers that nothing explains.
    pub(super) odd: Vec<String>,
}

#[derive(Debug, Default)]
struct Tokens {
    external: String,
    console: String,
}

/// Whose token a request has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum As {
    Nobody,
    External,
    Console,
}

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) by: As,
    /// Method and path.
    pub(super) what: String,
    pub(super) headers: Vec<String>,
    pub(super) body: Value,
}

impl Ask {
    pub(super) fn new(by: As, what: impl Into<String>) -> Self {
        Self { by, what: what.into(), headers: vec![], body: Value::Null }
    }

    pub(super) fn header(mut self, line: impl Into<String>) -> Self {
        self.headers.push(line.into());
        self
    }

    pub(super) fn json(mut self, body: Value) -> Self {
        self.body = body;
        self
    }
}

/// How a repeated request ended.
#[derive(Debug)]
pub(super) enum Ended {
    Answered(Reply),
    /// It was done, but the answer is lost, and the server says so.
    Done,
    /// Nobody ever said.
    Unknown,
}

impl Client {
    /// Signs in.
    pub(super) async fn start(fronts: Vec<SocketAddr>, sample: &Value, dice: &mut Dice) -> Self {
        let api = &sample["api"];
        let user = &sample["accounts"][0];
        let client = Self(Arc::new(Inner {
            fronts,
            key: json!({ "api_key": api["key"], "api_secret": api["secret"] }),
            user: json!({ "username": user["email"], "password": user["password"] }),
            tokens: RwLock::default(),
            renewing: tokio::sync::Mutex::default(),
            answers: Mutex::default(),
        }));
        let none = client.tokens();
        client.renew(&none, dice).await;
        client
    }

    /// The number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.0.fronts.len()
    }

    pub(super) fn answers(&self) -> Answers {
        self.0.answers.lock().unwrap().clone()
    }

    /// Notes an answer that nothing explains.
    pub(super) fn wonder(&self, what: String) {
        self.0.answers.lock().unwrap().odd.push(what);
    }

    fn tokens(&self) -> Arc<Tokens> {
        Arc::clone(&self.0.tokens.read().unwrap())
    }

    /// Sends a request to a node, once.
    pub(super) async fn send(&self, node: usize, ask: &Ask) -> Option<Reply> {
        self.send_with(node, ask, &self.tokens()).await
    }

    async fn send_with(&self, node: usize, ask: &Ask, tokens: &Tokens) -> Option<Reply> {
        let mut headers = ask.headers.clone();
        match ask.by {
            As::Nobody => {}
            As::External => headers.push(format!("authorization: Bearer {}", tokens.external)),
            As::Console => {
                headers.push(format!("authorization: Bearer {}", tokens.console));
                headers.push("x-source: console".to_owned());
            }
        }
        let body = if ask.body.is_null() { String::new() } else { ask.body.to_string() };
        if !body.is_empty() {
            headers.push("content-type: application/json".to_owned());
            headers.push(format!("content-length: {}", body.len()));
        }
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        let bytes = request(&ask.what, &headers) + &body;
        let front = self.0.fronts[node];
        let asking = async {
            let stream = TcpStream::connect(front).await.ok()?;
            exchange(stream, bytes.as_bytes()).await
        };
        let reply = timeout(ANSWER, asking).await.ok().flatten().filter(is_whole);
        self.note(ask, reply.as_ref());
        reply
    }

    fn note(&self, ask: &Ask, reply: Option<&Reply>) {
        let mut answers = self.0.answers.lock().unwrap();
        let status = reply.map_or(0, |it| it.status);
        *answers.statuses.entry(status).or_default() += 1;
        if let Some(reply) = reply.filter(|it| is_curt(it)) {
            answers.curt.push(format!("{}: {} {}", ask.what, reply.status, reply.body));
        }
    }

    /// Repeats a request at any node until it is answered for good. It must be a read or have an
    /// idempotency key.
    pub(super) async fn persist(&self, ask: &Ask, dice: &mut Dice) -> Ended {
        let started = now();
        while started.elapsed() < PERSISTENCE {
            let (tokens, node) = (self.tokens(), dice.below(self.nodes()));
            match self.send_with(node, ask, &tokens).await {
                Some(reply) if reply.status == 401 => self.renew(&tokens, dice).await,
                Some(reply) if is_lost(&reply) => return Ended::Done,
                Some(reply) if is_final(&reply) => return Ended::Answered(reply),
                _ => {}
            }
            pause(dice.millis(20, 250)).await;
        }
        Ended::Unknown
    }

    /// Gets new tokens, unless somebody else was faster.
    async fn renew(&self, old: &Arc<Tokens>, dice: &mut Dice) {
        let _alone = self.0.renewing.lock().await;
        if !Arc::ptr_eq(old, &self.tokens()) {
            return;
        }
        let external = Ask::new(As::Nobody, "POST /auth/token").json(self.0.key.clone());
        let external = self.sign_in(&external, dice).await;
        let console = self.sign_in(&self.login(), dice).await;
        let tokens = Tokens {
            external: text(&external["data"]["access_token"]),
            console: text(&console["data"]["accessToken"]),
        };
        *self.0.tokens.write().unwrap() = Arc::new(tokens);
    }

    /// The request that signs the user in.
    pub(super) fn login(&self) -> Ask {
        Ask::new(As::Nobody, "POST /v1.0.1/auth/login").json(self.0.user.clone())
    }

    /// Repeats a sign-in until it succeeds.
    pub(super) async fn sign_in(&self, ask: &Ask, dice: &mut Dice) -> Value {
        let started = now();
        while started.elapsed() < PERSISTENCE {
            let reply = self.send(dice.below(self.nodes()), ask).await;
            if let Some(reply) = reply.filter(|it| matches!(it.status, 200 | 201)) {
                return reply.json();
            }
            pause(dice.millis(20, 250)).await;
        }
        panic!("{} never succeeded: {:?}", ask.what, self.answers());
    }
}

/// Whether an answer was not cut off.
fn is_whole(reply: &Reply) -> bool {
    let length = reply.header("content-length").and_then(|it| it.parse::<usize>().ok());
    length.is_none_or(|it| it == reply.body.len())
}

/// Whether it is a server error that does not say when to try again.
pub(super) fn is_curt(reply: &Reply) -> bool {
    reply.status >= 500 && reply.header("retry-after").is_none()
}

/// Whether it says that the first request succeeded, but its answer was lost.
fn is_lost(reply: &Reply) -> bool {
    reply.status == 409 && reply.body.contains("its response was lost")
}

/// Whether trying again would not help.
fn is_final(reply: &Reply) -> bool {
    reply.status < 500
        && !matches!(reply.status, 401 | 408 | 429)
        && !(reply.status == 409 && reply.header("retry-after").is_some())
}
