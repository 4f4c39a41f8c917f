//! Every member of a webhook's body beyond its bounds, named whole, at creation and at a change.

use grantor_testkit::app::TestConfig;
use grantor_testkit::{Engine, Fixture, db_test};
use serde_json::{Value, json};

use super::{Room, path};
use crate::external::invalid;
use crate::license::text;

const STRING: &str = "must be a string";
const LISTEN: &str = "must use https. The command grantor listen --forward-to \
                      http://localhost:3000 forwards events to your computer";
const LISTEN_THERE: &str = "must use https. The command grantor listen --forward-to \
                            http://localhost:7725/hook?a=b forwards events to your computer";
const LIST: &str = "must be a list";
const KINDS: &str = "must be one of license.created, license.updated, license.published, \
                     license.expired, license.deleted, permission.granted, permission.revoked, \
                     mention.created, mention.updated, client.expiring, webhook.test, \
                     request.created, request.offered, request.declined, request.withdrawn, \
                     request.lapsed, request.message, grant.created, grant.expiring, grant.ended, \
                     grant.revoked, license.expiring, mention.removed";

/// A room whose app allows no network but the internet.
struct Walled(Room);

impl Fixture for Walled {
    async fn on(engine: Engine) -> Self {
        Self(Room::with_config(engine, TestConfig::default()).await)
    }
}

fn long(count: usize) -> String {
    "x".repeat(count)
}

#[db_test]
async fn every_fault_is_named(room: Walled) {
    let Walled(room) = room;
    let good = json!({ "url": "https://8.8.8.8/hook" });
    let made = room.ask("POST /webhooks", good.clone()).await;
    assert_eq!(made.status, 201, "the control: {}", made.json());
    let change = format!("PATCH {}", path(&made.json(), ""));
    let too_long = format!("https://8.8.8.8/{}", long(2_048));
    for (field, value, reason) in [
        ("url", json!("http://8.8.8.8/"), LISTEN),
        ("url", json!("http://localhost:7725/hook?a=b"), LISTEN_THERE),
        ("url", json!("https://a:b@8.8.8.8/"), "must not contain a user name or password"),
        ("url", json!("https://a@8.8.8.8/"), "must not contain a user name or password"),
        ("url", json!(too_long), "must have at most 2048 characters"),
        ("url", json!("https://10.0.0.1/"), "must resolve to a public address"),
        ("url", json!("https://169.254.169.254/"), "must resolve to a public address"),
        ("url", json!("https://db.internal/"), "must have a public host name"),
        ("url", json!("ftp://8.8.8.8/"), "must begin with https://"),
        ("url", json!("8.8.8.8"), "must be an absolute URL such as https://example.com/path"),
        ("url", json!(7), STRING),
        ("url", json!(["https://8.8.8.8/"]), STRING),
        ("description", json!(long(501)), "must be at most 500 characters"),
        ("description", json!(true), STRING),
        ("events", json!([]), "must contain at least one event"),
        ("events", json!(["license.burnt"]), KINDS),
        ("events", json!(["license.created", ""]), KINDS),
        ("events", json!("license.created"), LIST),
        ("events", json!({}), LIST),
    ] {
        let mut body = good.clone();
        body[field] = value.clone();
        let told = (400, invalid(&json!({ field: reason })));
        assert_eq!(room.ask("POST /webhooks", body).await.whole(), told, "{value}");
        assert_eq!(room.ask(&change, json!({ field: value })).await.whole(), told, "{value}");
    }
    assert_eq!(room.shown(&made.json()).await["url"], good["url"]);
    assert_eq!(room.count("webhooks").await, 1);
}

#[db_test]
async fn what_one_of_them_alone_refuses(room: Walled) {
    let Walled(room) = room;
    let required = (400, invalid(&json!({ "url": "is required" })));
    for body in [json!({}), json!({ "url": null }), json!({ "url": "" })] {
        assert_eq!(room.ask("POST /webhooks", body).await.whole(), required);
    }
    let made = room.ask("POST /webhooks", json!({ "url": "https://8.8.8.8/" })).await.json();
    let change = format!("PATCH {}", path(&made, ""));
    let statuses = "must be one of active, disabled";
    for (value, reason) in [
        (json!("deleted"), statuses),
        (json!("Active"), statuses),
        (json!(""), statuses),
        (json!(1), STRING),
    ] {
        let told = (400, invalid(&json!({ "status": reason })));
        assert_eq!(room.ask(&change, json!({ "status": value })).await.whole(), told);
    }
    for (field, reason) in [("url", STRING), ("status", STRING), ("events", LIST)] {
        let told = (400, invalid(&json!({ field: reason })));
        assert_eq!(room.ask(&change, json!({ field: null })).await.whole(), told);
    }
    let both = json!({ "events": [], "status": "x", "description": long(501) });
    let told = json!({
        "events": "must contain at least one event", "status": statuses,
        "description": "must be at most 500 characters",
    });
    assert_eq!(room.ask(&change, both).await.whole(), (400, invalid(&told)), "all at once");
}

#[db_test]
async fn a_body_that_is_none_is_refused(room: Walled) {
    let Walled(room) = room;
    let made = room.ask("POST /webhooks", json!({ "url": "https://8.8.8.8/" })).await.json();
    let token = room.agency().renewed(&room.world.app).await;
    let change = path(&made, "");
    for (method, path) in [(http::Method::POST, "/webhooks"), (http::Method::PATCH, &change)] {
        let send = async |kind: &str, body: &'static str| {
            let request = room.world.app.request(method.clone(), path).bearer(&token);
            let request = request.header("content-type", kind).body(body);
            let answer = request.send().await;
            (answer.status.as_u16(), text(&answer.json()["error"]["code"]))
        };
        for body in ["", "{", "[]", "\"x\"", "{\"url\":}", "{\"url\":\"\\ud800\"}"] {
            let told = (400, "VALIDATION_ERROR".to_owned());
            assert_eq!(send("application/json", body).await, told, "{body}");
        }
        assert_eq!(send("text/plain", "{}").await.0, 415);
    }
}

#[db_test]
async fn without_a_token_nothing_is_answered(room: Walled) {
    let Walled(room) = room;
    let answer = room.world.app.request(http::Method::GET, "/webhooks");
    let answer = answer.header("x-request-id", "r-1").send().await;
    assert_eq!(answer.status, 401);
    let console = room.agency().console.clone();
    let answer = room.ask_with(&console, "GET /webhooks", Value::Null).await;
    assert_eq!(answer.status, 401);
}
