//! Stolen refresh tokens of the console: the server walks with a model that knows nothing but the
//! contract's sentences (section 5), and both must say the same at every step.

use std::collections::BTreeMap;
use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, repeats};
use http::Method;
use serde_json::{Value, json};

use super::{Dice, PASSWORD, register, sign_in};
use crate::external::{PROFILE, post, text};

const EMAIL: &str = "ada@example.com";
const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// What the contract says, to be got wrong on purpose.
#[derive(Clone, Copy)]
struct Rules {
    /// How long a used token yields another pair.
    grace: i64,
    /// How long a token lives.
    life: i64,
    reuse_ends_the_family: bool,
    logout_ends_the_family: bool,
    /// A use within the grace begins another grace.
    grace_begins_anew: bool,
}

const CONTRACT: Rules = Rules {
    grace: 10 * SECOND,
    life: 30 * DAY,
    reuse_ends_the_family: true,
    logout_ends_the_family: true,
    grace_begins_anew: false,
};

struct Token {
    text: Value,
    family: usize,
    issued: i64,
    used: Option<i64>,
}

struct Access {
    text: String,
    family: usize,
    issued: i64,
}

/// All that has happened, in microseconds since the start.
struct Model {
    rules: Rules,
    now: i64,
    /// Whether each family has ended.
    ended: Vec<bool>,
    tokens: Vec<Token>,
    accesses: Vec<Access>,
}

/// What an answer says, as far as the contract does.
type Said = (u16, String);

fn said(status: u16, code: &str) -> Said {
    (status, code.to_owned())
}

fn heard(answer: &Answer) -> Said {
    let code = answer.json()["error"]["code"].as_str().unwrap_or_default().to_owned();
    (answer.status.as_u16(), code)
}

impl Model {
    fn new(rules: Rules) -> Self {
        Self { rules, now: 0, ended: vec![], tokens: vec![], accesses: vec![] }
    }

    /// Takes a pair into a family.
    fn keep(&mut self, family: usize, data: &Value) {
        let (issued, access) = (self.now, text(&data["accessToken"]));
        self.tokens.push(Token { text: data["refreshToken"].clone(), family, issued, used: None });
        self.accesses.push(Access { text: access, family, issued });
    }

    /// Whether any token is still good for something.
    fn is_live(&self) -> bool {
        let works = |it: &Token| !self.ended[it.family] && self.now < it.issued + self.rules.life;
        self.tokens.iter().rev().take(16).any(works)
    }

    fn present(&mut self, number: usize) -> Said {
        let (now, rules, token) = (self.now, self.rules, &mut self.tokens[number]);
        if self.ended[token.family] {
            return said(401, "UNAUTHORIZED");
        }
        if token.used.is_some_and(|used| now > used + rules.grace) {
            self.ended[token.family] = rules.reuse_ends_the_family;
            return said(401, "UNAUTHORIZED");
        }
        if now >= token.issued + rules.life {
            return said(401, "TOKEN_EXPIRED");
        }
        if rules.grace_begins_anew || token.used.is_none() {
            token.used = Some(now);
        }
        said(201, "")
    }

    fn log_out(&mut self, number: usize) -> Said {
        self.ended[self.tokens[number].family] |= self.rules.logout_ends_the_family;
        said(201, "")
    }

    /// Access tokens count whole seconds.
    fn enter(&self, number: usize) -> Said {
        let Access { family, issued, .. } = self.accesses[number];
        if self.now / SECOND >= issued / SECOND + 3_600 {
            said(401, "TOKEN_EXPIRED")
        } else if self.ended[family] {
            said(401, "UNAUTHORIZED")
        } else {
            said(200, "")
        }
    }
}

/// One of the newest so many, or of all.
fn recent(dice: &mut Dice, length: usize) -> usize {
    let among = *dice.pick(&[1, 2, 4, 4, 16, length]);
    length - 1 - dice.below(among.clamp(1, length))
}

/// Walks so many steps; gives how often each was taken, or where model and server parted.
async fn walk(
    engine: Engine,
    rules: Rules,
    seed: u64,
    steps: u32,
) -> Result<BTreeMap<String, u32>, String> {
    let config = TestConfig { limits: Limits::off(), ..TestConfig::default() };
    let app = TestApp::with_config(engine, config).await;
    register(&app, EMAIL).await;
    let (mut model, mut dice, mut taken) = (Model::new(rules), Dice::new(seed), BTreeMap::new());
    for number in 0..steps {
        let (name, expected, got) = step(&app, &mut model, &mut dice).await;
        if expected != got {
            return Err(format!("seed {seed}, step {number}: {name}: {expected:?}, {got:?}"));
        }
        *taken.entry(format!("{name} {} {}", got.0, got.1)).or_default() += 1;
    }
    Ok(taken)
}

async fn step(app: &TestApp, model: &mut Model, dice: &mut Dice) -> (&'static str, Said, Said) {
    match dice.below(100) {
        _ if !model.is_live() && dice.below(3) == 0 => begin(app, model).await,
        0..2 => begin(app, model).await,
        _ if model.tokens.is_empty() => begin(app, model).await,
        2..52 => {
            let number = recent(dice, model.tokens.len());
            let expected = model.present(number);
            let body = json!({ "refreshToken": model.tokens[number].text });
            let answer = post(app, "/v1.0.1/auth/refresh/token", &body).await;
            if answer.status == 201 {
                model.keep(model.tokens[number].family, &answer.json()["data"]);
            }
            ("present", expected, heard(&answer))
        }
        52..72 => {
            let number = recent(dice, model.accesses.len());
            let bearer = format!("Bearer {}", model.accesses[number].text);
            let request = app.request(Method::GET, PROFILE).header("x-source", "console");
            let answer = request.header("authorization", &bearer).send().await;
            ("enter", model.enter(number), heard(&answer))
        }
        72..74 => {
            let number = recent(dice, model.tokens.len());
            let body = json!({ "refreshToken": model.tokens[number].text });
            let answer = post(app, "/v1.0.1/auth/logout", &body).await;
            ("log out", model.log_out(number), heard(&answer))
        }
        _ => {
            let (short, long) = ([1, SECOND, 3 * SECOND, 9 * SECOND], [3_599 * SECOND, 15 * DAY]);
            let edges = [10 * SECOND, 10 * SECOND + 1, 11 * SECOND, 30 * DAY - 1, 30 * DAY];
            let wait = match dice.below(10) {
                0..6 => *dice.pick(&short),
                6..9 => *dice.pick(&edges[..3]),
                _ => *dice.pick(&[long[0], long[1], edges[3], edges[4]]),
            };
            app.clock.advance(Duration::from_micros(wait.cast_unsigned()));
            model.now += wait;
            ("wait", said(0, ""), said(0, ""))
        }
    }
}

async fn begin(app: &TestApp, model: &mut Model) -> (&'static str, Said, Said) {
    let data = sign_in(app, EMAIL, PASSWORD).await;
    model.ended.push(false);
    model.keep(model.ended.len() - 1, &data);
    ("sign in", said(201, ""), said(201, ""))
}

/// Four walks at once; gives how often each step was taken.
async fn walks(engine: Engine, steps: u32) -> BTreeMap<String, u32> {
    let all = (1..=4).map(|seed| walk(engine, CONTRACT, seed, steps / 4));
    let mut total = BTreeMap::new();
    for walked in futures_util::future::join_all(all).await {
        for (step, times) in walked.unwrap() {
            *total.entry(step).or_default() += times;
        }
    }
    total
}

fn assert_varied(taken: &BTreeMap<String, u32>) {
    let outcomes = [
        "present 201 ",
        "present 401 UNAUTHORIZED",
        "present 401 TOKEN_EXPIRED",
        "enter 200 ",
        "enter 401 UNAUTHORIZED",
        "enter 401 TOKEN_EXPIRED",
        "log out 201 ",
    ];
    assert!(outcomes.iter().all(|it| taken.contains_key(*it)), "{taken:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_and_model_agree_on_sqlite() {
    let taken = walks(Engine::Sqlite, repeats(10_000, 100_000)).await;
    assert_varied(&taken);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_and_model_agree_on_postgres() {
    let taken = walks(Engine::Postgres, repeats(1_000, 10_000)).await;
    assert!(taken.values().sum::<u32>() >= 1_000, "{taken:?}");
}

/// The control: each rule got wrong is noticed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_is_wrong_disagrees() {
    let broken = [
        ("a grace of 11 s", Rules { grace: 11 * SECOND, ..CONTRACT }),
        ("a grace that excludes its last moment", Rules { grace: 10 * SECOND - 1, ..CONTRACT }),
        ("a life of a moment more", Rules { life: 30 * DAY + 1, ..CONTRACT }),
        ("reuse only refused", Rules { reuse_ends_the_family: false, ..CONTRACT }),
        ("a logout that ends nothing", Rules { logout_ends_the_family: false, ..CONTRACT }),
        ("a grace that begins anew", Rules { grace_begins_anew: true, ..CONTRACT }),
    ];
    let walks = broken.map(|(name, rules)| async move {
        assert!(walk(Engine::Sqlite, rules, 1, 2_500).await.is_err(), "not noticed: {name}");
    });
    futures_util::future::join_all(walks).await;
}
