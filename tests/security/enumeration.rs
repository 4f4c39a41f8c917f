//! Whether an address or a key is known cannot be told from any answer: not from a byte of it, and
//! in `timing.rs` not from its time.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use grantor_domain::secret::{ApiKey, Mode, Secret, SecretKind};
use grantor_testkit::app::{Answer, TestApp};
use grantor_testkit::db_test;
use grantor_testkit::entropy::SeededEntropy;
use grantor_testkit::{Engine, Fixture};
use http::Method;
use serde_json::{Value, json};

use super::{PASSWORD, register};
use crate::external::{Office, post};

/// As long as each other, like every pair here; otherwise the length would tell them apart.
pub(super) const KNOWN: &str = "grace@example.com";
pub(super) const STRANGER: &str = "never@example.com";
const BY_MAIL_ONLY: &str = "ada@example.com";

/// A request but for who is asked about.
pub(super) type Ask = fn(&Whom) -> (&'static str, Option<String>, Value);

/// Who is asked about: somebody known, or nobody.
pub(super) struct Whom {
    pub(super) email: &'static str,
    pub(super) key: String,
    secret: String,
}

/// An app that knows one of two.
pub(super) struct Street {
    pub(super) app: TestApp,
    pub(super) known: Whom,
    pub(super) stranger: Whom,
}

impl Fixture for Street {
    async fn on(engine: Engine) -> Self {
        Self::of(Office::on(engine).await).await
    }
}

impl Street {
    pub(super) async fn of(office: Office) -> Self {
        register(&office.app, KNOWN).await;
        let entropy = SeededEntropy::new(99);
        let secret = Secret::generate(SecretKind::ApiSecret(Mode::Live), &entropy);
        let secret = secret.expose().to_owned();
        let key = crate::external::text(&office.pair()["api_key"]);
        let known = Whom { email: KNOWN, key, secret: secret.clone() };
        let key = ApiKey::generate(Mode::Live, &entropy).to_string();
        let stranger = Whom { email: STRANGER, key, secret };
        Self { app: office.app, known, stranger }
    }

    pub(super) async fn ask(&self, ask: Ask, whom: &Whom, address: &str) -> Answer {
        let (path, authorization, body) = ask(whom);
        let request = self.app.request(Method::POST, path).from(address);
        let request = request.header("x-request-id", "r-1");
        match authorization {
            Some(value) => request.header("authorization", &value).send().await,
            None => request.json(&body).send().await,
        }
    }

    /// What can be seen of the same question about both, each from an address of its own.
    async fn seen(&self, ask: Ask) -> [String; 2] {
        let known = self.ask(ask, &self.known, "198.51.100.1").await;
        let stranger = self.ask(ask, &self.stranger, "198.51.100.2").await;
        [seen(&known, self.known.email), seen(&stranger, self.stranger.email)]
    }
}

pub(super) const ASKS: [(&str, Ask); 8] = [
    ("register", |whom| {
        ("/register", None, json!({ "email": whom.email, "fullname": "Grace Hopper" }))
    }),
    ("magic link", |whom| ("/magic-link", None, json!({ "email": whom.email }))),
    ("code", |whom| ("/magic-link/verify", None, json!({ "email": whom.email, "otp": "000000" }))),
    ("login", |whom| {
        let body = json!({ "username": whom.email, "password": "Difference-Engine-1822" });
        ("/v1.0.1/auth/login", None, body)
    }),
    ("weak login", |whom| {
        ("/v1.0.1/auth/login", None, json!({ "username": whom.email, "password": "x" }))
    }),
    ("forgot", |whom| ("/v1.0.1/auth/forgot/password", None, json!({ "email": whom.email }))),
    ("token", |whom| {
        ("/auth/token", None, json!({ "api_key": whom.key, "api_secret": whom.secret }))
    }),
    ("legacy token", |whom| {
        let basic = STANDARD.encode(format!("{}:{}", whom.key, whom.secret));
        ("/v1.0.1/auth/token", Some(format!("Basic {basic}")), Value::Null)
    }),
];

/// Status, headers and body to the letter, but for what is the caller's own or drawn anew each
/// time: the address asked for and the name of a session.
fn seen(answer: &Answer, email: &str) -> String {
    let mut headers: Vec<String> = answer
        .headers
        .iter()
        .filter(|(name, _)| !["date", "x-ratelimit-reset"].contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .collect();
    headers.sort();
    let mut body = String::from_utf8(answer.body.clone()).unwrap();
    while let Some(found) = grantor_domain::secret::find_leaked(&body).into_iter().next() {
        body.replace_range(found, "(secret)");
    }
    let body = body.replace(email, "(address)");
    format!("{}\n{}\n\n{body}", answer.status, headers.join("\n"))
}

#[db_test]
async fn no_byte_tells_the_known_from_the_unknown(street: Street) {
    for (name, ask) in ASKS {
        let [known, stranger] = street.seen(ask).await;
        assert_eq!(known, stranger, "{name}");
        assert!(known.contains("x-ratelimit-remaining: "), "{name}: {known}");
    }
}

#[db_test]
async fn nor_after_any_number_of_questions(street: Street) {
    for (name, ask) in ASKS {
        for round in 0..12 {
            let [known, stranger] = street.seen(ask).await;
            assert_eq!(known, stranger, "{name}, round {round}");
        }
    }
}

#[db_test]
async fn nor_while_a_link_waits(street: Street) {
    let link: Ask = |whom| ("/magic-link", None, json!({ "email": whom.email }));
    let [known, stranger] = street.seen(link).await;
    assert_eq!(known, stranger);
    let code: Ask = ASKS[2].1;
    for round in 0..8 {
        let [known, stranger] = street.seen(code).await;
        assert_eq!(known, stranger, "round {round}");
        assert!(known.starts_with("401"), "{known}");
    }
}

#[db_test]
async fn nor_the_account_that_has_no_password(street: Street) {
    let mut answers = Vec::new();
    for (email, address) in [(BY_MAIL_ONLY, "198.51.100.1"), ("eve@example.com", "198.51.100.2")] {
        let body = json!({ "username": email, "password": PASSWORD });
        let request = street.app.request(Method::POST, "/v1.0.1/auth/login").from(address);
        let answer = request.header("x-request-id", "r-1").json(&body).send().await;
        answers.push(seen(&answer, email));
    }
    assert_eq!(answers[0], answers[1]);
}

/// The control: where the document tells them apart by law, the same look sees it.
#[db_test]
async fn the_same_look_tells_them_apart_where_the_law_does(street: Street) {
    let ask: Ask = |whom| {
        let body = json!({ "fullname": "Grace Hopper", "email": whom.email, "password": PASSWORD });
        ("/v1.0.1/auth/m/register", None, body)
    };
    let [known, stranger] = street.seen(ask).await;
    assert_ne!(known, stranger);
    let right = json!({ "username": KNOWN, "password": PASSWORD });
    assert_eq!(post(&street.app, "/v1.0.1/auth/login", &right).await.status, 201);
}
