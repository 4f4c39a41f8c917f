//! Hosts, origins, methods and bodies.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use grantor_domain::limit::Limits;
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;
use serde_json::{Value, json};

use super::{PATH, VERSION, error, failure, message, post, request};
use crate::license::World;

const MIB: usize = 1_024 * 1_024;

/// An app on this machine.
struct Local(TestApp);

impl Fixture for Local {
    async fn on(engine: Engine) -> Self {
        let origin = Some("http://127.0.0.1:8080".to_owned());
        Self(TestApp::with_config(engine, TestConfig { origin, ..TestConfig::default() }).await)
    }
}

/// The status of a message that comes to this host from a page of this origin.
async fn visit(app: &TestApp, host: &str, origin: Option<&str>) -> u16 {
    let mut request = app.request(Method::POST, PATH).header("host", host);
    if let Some(origin) = origin {
        request = request.header("origin", origin);
    }
    let request = request
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", VERSION)
        .header("mcp-method", "tools/list");
    let answer = request.json(&message("tools/list", json!({}))).send().await;
    if answer.status != 200 {
        assert_eq!(error(&answer).1, -32600, "{}", answer.json());
    }
    answer.status.as_u16()
}

#[db_test]
async fn only_the_own_host_and_pages_are_answered(app: TestApp) {
    for (host, origin, status) in [
        ("grantor.test", None, 200),
        ("GRANTOR.test:443", Some("https://grantor.test"), 200),
        ("grantor.test", Some("https://grantor.test:443"), 200),
        ("grantor.test", Some("http://grantor.test"), 403),
        ("grantor.test", Some("https://grantor.test:8443"), 403),
        ("grantor.test", Some("https://evil.example"), 403),
        ("grantor.test", Some("https://grantor.test.evil.example"), 403),
        ("grantor.test", Some("null"), 403),
        ("grantor.test", Some("nonsense"), 403),
        ("evil.example", None, 403),
        ("localhost", None, 403),
        ("127.0.0.1:8080", None, 403),
    ] {
        assert_eq!(visit(&app, host, origin).await, status, "{host} {origin:?}");
    }
    let nowhere = app.request(Method::POST, PATH).json(&message("tools/list", json!({})));
    assert_eq!(error(&nowhere.send().await), (400, -32600), "without a host");
}

#[db_test]
async fn a_local_server_answers_to_every_name_of_the_machine(local: Local) {
    for (host, origin, status) in [
        ("127.0.0.1:8080", None, 200),
        ("localhost:8080", Some("http://localhost:3000"), 200),
        ("[::1]:8080", Some("http://127.0.0.1:8080"), 200),
        ("localhost:8080", Some("https://localhost:3000"), 403),
        ("localhost:8080", Some("http://evil.example"), 403),
        ("evil.example:8080", Some("http://evil.example:8080"), 403),
    ] {
        assert_eq!(visit(&local.0, host, origin).await, status, "{host} {origin:?}");
    }
}

#[db_test]
async fn only_post_is_allowed(app: TestApp) {
    for method in [Method::GET, Method::DELETE, Method::PUT, Method::PATCH] {
        let request = app.request(method.clone(), PATH).header("host", "grantor.test");
        let answer = request.header("accept", "text/event-stream").send().await;
        assert_eq!((error(&answer), answer.header("allow")), ((405, -32600), Some("POST")));
    }
}

#[db_test]
async fn what_is_no_message_is_refused(app: TestApp) {
    let json = || post(&app).header("content-type", "application/json");
    let list = message("tools/list", json!({})).to_string();
    let elsewhere = app.request(Method::POST, PATH).header("host", "grantor.test");
    for (case, request, expected) in [
        ("no JSON", json().body("{"), (400, -32700)),
        ("nothing", json().body(""), (400, -32700)),
        ("no message", json().body("{}"), (400, -32600)),
        ("several messages", json().body(format!("[{list}]")), (400, -32600)),
        ("a response", json().body(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), (400, -32600)),
        ("text", post(&app).header("content-type", "text/plain").body(list.clone()), (415, -32600)),
        ("compressed", json().header("content-encoding", "gzip").body("x"), (415, -32600)),
        ("not accepted", elsewhere.json(&message("tools/list", json!({}))), (406, -32600)),
        ("too large", json().body(format!("\"{}\"", "x".repeat(MIB))), (413, -32600)),
    ] {
        assert_eq!(error(&request.send().await), expected, "{case}");
    }
}

fn check(image: &[u8]) -> Value {
    let arguments = json!({ "image": STANDARD.encode(image) });
    message("tools/call", json!({ "name": "check_picture", "arguments": arguments }))
}

/// A message may be as large as a picture in the API, for those who may send one.
#[db_test]
async fn a_picture_may_be_ten_mebibytes(world: World) {
    let send = async |token: Option<&str>, image: &[u8]| {
        let message = check(image);
        let length = message.to_string().len().to_string();
        request(&world.app, token, &message).header("content-length", &length).send().await
    };
    let token = Some(world.brand.external.as_str());
    let no_image = failure(&send(token, &vec![0; 10 * MIB]).await);
    assert_eq!(no_image["code"], "VALIDATION_ERROR", "{no_image}");
    let too_large = failure(&send(token, &vec![0; 10 * MIB + 1]).await);
    let message = json!("An image must be at most 10 MiB");
    assert_eq!(
        (&too_large["code"], &too_large["message"]),
        (&json!("PAYLOAD_TOO_LARGE"), &message)
    );
    assert_eq!(error(&send(token, &vec![0; 12 * MIB]).await), (413, -32600));
    assert_eq!(error(&send(None, &vec![0; 2 * MIB]).await), (413, -32600));
}

/// An app with memory for the bodies of one picture of two mebibytes.
struct Narrow(World);

impl Fixture for Narrow {
    async fn on(engine: Engine) -> Self {
        let mut config = TestConfig { limits: Limits::off(), ..TestConfig::default() };
        config.settings.upload_memory = MIB;
        config.settings.upload_wait = std::time::Duration::ZERO;
        Self(World::in_app(TestApp::with_config(engine, config).await).await)
    }
}

/// The call takes all memory for uploads, so the form inside has none.
#[db_test]
async fn pictures_stay_within_the_memory_for_uploads(narrow: Narrow) {
    let world = &narrow.0;
    let message = check(&vec![0; 2 * MIB]);
    let length = message.to_string().len().to_string();
    let request = request(&world.app, Some(&world.brand.external), &message);
    let refused = failure(&request.header("content-length", &length).send().await);
    assert_eq!(refused["code"], "UNAVAILABLE", "{refused}");
}
