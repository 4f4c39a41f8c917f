//! Forged access tokens, on a route of each API.

mod forge;

use axum::body::Body;
use axum::extract::ConnectInfo;
use grantor_domain::limit::Limits;
use grantor_keys::Audience;
use grantor_testkit::app::{ORIGIN, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test};
use http::{HeaderValue, Request, StatusCode};
use serde_json::Value;
use tower::ServiceExt as _;

use self::forge::{Forger, forgeries};
use crate::external::{Office, PROFILE, admin_token, text};

const ROUTES: [(Audience, &str); 3] = [
    (Audience::Console, PROFILE),
    (Audience::Admin, "/v1.0.1/admin/members"),
    (Audience::External, "/probe/scope"),
];

/// An app with a true token of each API.
struct Gates {
    office: Office,
    tokens: [String; 3],
}

impl Fixture for Gates {
    async fn on(engine: Engine) -> Self {
        let config = TestConfig { limits: Limits::off(), ..TestConfig::default() };
        let office = Office::with_config(engine, config).await;
        let admin = text(&admin_token(&office.app).await);
        let external = text(&office.tokens().await["access_token"]);
        Self { tokens: [office.person.clone(), admin, external], office }
    }
}

impl Gates {
    /// The status of a request with this token, which need not be text.
    async fn knock(&self, path: &str, token: &[u8]) -> StatusCode {
        let peer = std::net::SocketAddr::from(([203, 0, 113, 7], 40_000));
        let bearer = HeaderValue::from_bytes(&[b"Bearer ", token].concat()).unwrap();
        let request = Request::get(path).header("x-source", "console");
        let request = request.header("authorization", bearer).extension(ConnectInfo(peer));
        let request = request.body(Body::empty()).unwrap();
        self.office.app.router().oneshot(request).await.unwrap().status()
    }

    fn forger(&self) -> Forger {
        let ring = self.office.app.mail_folder().with_file_name("keys.json");
        Forger::new(&std::fs::read_to_string(ring).unwrap(), &self.office.app.app.keys.jwks())
    }
}

#[db_test]
async fn no_forged_token_opens_anything(gates: Gates) {
    let (forger, mut tried) = (gates.forger(), 0);
    for ((audience, path), true_one) in ROUTES.into_iter().zip(&gates.tokens) {
        assert_eq!(gates.knock(path, true_one.as_bytes()).await, 200, "the control: the true one");
        let forged = forgeries(&forger, true_one);
        assert!(forged.len() >= 200, "{}", forged.len());
        for (name, token) in &forged {
            let status = gates.knock(path, token).await;
            let shown = String::from_utf8_lossy(token);
            assert_eq!(status, 401, "{audience}: {name}: {shown}");
        }
        tried += forged.len();
        assert_eq!(gates.knock(path, true_one.as_bytes()).await, 200, "and still");
    }
    assert!(tried >= 600, "{tried}");
}

#[db_test]
async fn a_token_opens_its_own_api_only(gates: Gates) {
    for ((_, path), own) in ROUTES.into_iter().zip(&gates.tokens) {
        for token in &gates.tokens {
            let expected = if token == own { 200 } else { 401 };
            assert_eq!(gates.knock(path, token.as_bytes()).await, expected, "{path}");
        }
    }
}

/// The control of the forger itself: what it signs with the server's key and leaves whole passes.
#[db_test]
async fn the_same_tools_make_tokens_that_pass(gates: Gates) {
    let forger = gates.forger();
    for ((audience, path), true_one) in ROUTES.into_iter().zip(&gates.tokens) {
        let claims = gates.office.app.app.keys.verify(true_one, ORIGIN, audience).unwrap();
        let claims: Value = serde_json::to_value(claims).unwrap();
        let made = forger.signed(&forger.header(), &claims);
        assert_eq!(gates.knock(path, made.as_bytes()).await, 200, "{audience}");
    }
}
