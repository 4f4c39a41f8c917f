//! Every member of a body, at its bounds and beyond: `PATCH /licenses/{id}`, `PATCH /mentions/{id}`
//! and `POST /bookmarks`.

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::World;
use super::sighting::{MENTION, shown};

const STRING: &str = "must be a string";
const EXTERNAL_ID: &str = "must be 1 to 128 letters, digits and the characters . _ : -";
const STATUS: &str = "must be one of draft, private, public, expired";
const TYPES: &str = "social_media, advertising, endorsement, ai_training, ai_generation, voice, \
                     merchandise";
const INSTANT: &str = "must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z";
const AMOUNT: &str = "must be a decimal number of at least 0 with at most 2 decimals";
const CODES: &str = "must contain only ISO 3166-1 alpha-2 codes such as US, or WORLD";

impl World {
    /// A body that is refused with one fault, told whole.
    async fn refuse(&self, method: Method, path: &str, body: &Value, field: &str, reason: &str) {
        let request = self.app.request(method, path).header("x-request-id", "r-1");
        let answer = request.bearer(&self.agency.external).json(body).send().await;
        let error = json!({
            "code": "VALIDATION_ERROR", "message": "Some fields are not valid",
            "details": { field: reason }, "request_id": "r-1",
        });
        let told = json!({ "success": false, "error": error });
        let cut: String = body.to_string().chars().take(80).collect();
        assert_eq!(answer.whole(), (400, told), "{path} {cut}");
    }
}

fn long(count: usize) -> String {
    "x".repeat(count)
}

fn fee(amount: &str, currency: &str, per: &str) -> Value {
    json!({ "amount": amount, "currency": currency, "per": per })
}

#[db_test]
async fn a_license_refuses_what_does_not_fit(world: World) {
    let id = world.license(json!({})).await;
    let path = format!("/licenses/{id}");
    let before = world.get(&path).await.json();
    let types = format!("must be one of {TYPES}, custom");
    let uses = format!("must contain only {TYPES}");
    let terms = json!({ "x": long(16 * 1024) });
    for (field, value, reason) in [
        ("external_id", json!(""), EXTERNAL_ID),
        ("external_id", json!(long(129)), EXTERNAL_ID),
        ("external_id", json!("a b"), EXTERNAL_ID),
        ("external_id", json!(id), "must not have the form of a UUID"),
        ("external_id", json!(7), STRING),
        ("title", json!(""), "must be 1 to 200 characters"),
        ("title", json!(long(201)), "must be 1 to 200 characters"),
        ("title", json!(null), STRING),
        ("title", json!(["x"]), STRING),
        ("description", json!(long(5_001)), "must be at most 5000 characters"),
        ("description", json!(false), STRING),
        ("status", json!("gone"), STATUS),
        ("status", json!(""), STATUS),
        ("status", json!(null), STRING),
        ("license_type", json!("poster"), &types),
        ("license_type", json!(""), &types),
        ("license_type", json!(null), STRING),
        ("uses", json!(["custom"]), &uses),
        ("uses", json!("voice"), "must be a list of strings"),
        ("uses", json!([1]), "must be a list of strings"),
        ("uses", json!(null), "must be a list of strings"),
        ("territories", json!(["Mars"]), CODES),
        ("territories", json!(["us"]), CODES),
        ("territories", json!(null), "must be a list of strings"),
        ("fee", json!("9.90"), "must be an object with amount, currency and per"),
        ("can_crawl", json!("true"), "must be true or false"),
        ("can_crawl", json!(null), "must be true or false"),
        ("terms", json!([]), "must be an object"),
        ("terms", terms, "must be at most 16 KiB of JSON"),
        ("valid_from", json!(0), STRING),
        ("valid_from", json!("2026-02-30T00:00:00Z"), INSTANT),
        ("valid_from", json!(""), INSTANT),
        ("expires_at", json!(true), STRING),
        ("expires_at", json!("2026-01-01"), INSTANT),
        ("expires_at", json!(""), INSTANT),
    ] {
        world.refuse(Method::PATCH, &path, &json!({ field: value }), field, reason).await;
    }
    for (value, field, reason) in [
        (json!({ "currency": "EUR", "per": "day" }), "fee.amount", "is required"),
        (json!({ "amount": "1", "per": "day" }), "fee.currency", "is required"),
        (json!({ "amount": "1", "currency": "EUR", "per": null }), "fee.per", "is required"),
        (fee("-1", "EUR", "day"), "fee.amount", AMOUNT),
        (fee("1.234", "EUR", "day"), "fee.amount", AMOUNT),
        (fee("", "EUR", "day"), "fee.amount", AMOUNT),
        (fee("1000000000000", "EUR", "day"), "fee.amount", "must be at most 999999999999.99"),
        (fee("1", "eur", "day"), "fee.currency", "must be an ISO 4217 currency code such as USD"),
        (fee("1", "EUR", "hour"), "fee.per", "must be one of use, day, month, year, campaign"),
    ] {
        world.refuse(Method::PATCH, &path, &json!({ "fee": value }), field, reason).await;
    }
    assert_eq!(world.get(&path).await.json(), before);
}

#[db_test]
async fn a_license_takes_what_just_fits(world: World) {
    let id = world.license(json!({})).await;
    let mut expected = world.get(&format!("/licenses/{id}")).await.json();
    // 16 KiB with the braces, the name and its quotes.
    let terms = json!({ "x": long(16 * 1024 - 8) });
    for (field, value) in [
        ("external_id", json!("x")),
        ("external_id", json!(long(128))),
        ("external_id", json!(null)),
        ("title", json!("x")),
        ("title", json!("é".repeat(200))),
        ("description", json!(long(5_000))),
        ("description", json!("")),
        ("license_type", json!("custom")),
        ("uses", json!(["voice", "merchandise"])),
        ("uses", json!([])),
        ("territories", json!(["WORLD", "DE"])),
        ("territories", json!([])),
        ("fee", fee("0.00", "EUR", "use")),
        ("fee", fee("999999999999.99", "USD", "campaign")),
        ("fee", json!(null)),
        ("can_crawl", json!(true)),
        ("can_crawl", json!(false)),
        ("terms", terms),
        ("terms", json!({})),
        ("valid_from", json!("2026-01-31T12:00:00.000000Z")),
        ("valid_from", json!(null)),
        ("expires_at", json!("9999-12-30T00:00:00.000000Z")),
        ("expires_at", json!(null)),
        ("status", json!("public")),
    ] {
        expected[field] = value.clone();
        expected["version"] = json!(expected["version"].as_u64().unwrap() + 1);
        let changed = world.patch(&id, json!({ field: value })).await;
        assert_eq!(changed.whole(), (200, expected.clone()), "{field}");
    }
}

#[db_test]
async fn a_decision_has_a_status_and_perhaps_a_note(world: World) {
    let id = world.license(json!({})).await;
    world.sight(&id).await;
    let path = format!("/mentions/{MENTION}");
    let status = "must be one of new, confirmed, dismissed";
    for (body, field, reason) in [
        (json!({ "status": "" }), "status", status),
        (
            json!({ "status": "new", "allowed": true }),
            "allowed",
            "can only be set for a confirmed mention",
        ),
        (json!({ "allowed": "no" }), "allowed", "must be true, false or null"),
        (json!({ "status": "Confirmed" }), "status", status),
        (json!({ "status": 1 }), "status", STRING),
        (json!({ "status": "confirmed", "note": 1 }), "note", STRING),
        (
            json!({ "status": "confirmed", "note": long(1_001) }),
            "note",
            "must be at most 1000 characters",
        ),
    ] {
        world.refuse(Method::PATCH, &path, &body, field, reason).await;
    }
    for (body, note) in [
        (json!({ "status": "confirmed", "note": long(1_000) }), json!(long(1_000))),
        (json!({}), json!(long(1_000))),
        (json!({ "status": null }), json!(long(1_000))),
        (json!({ "status": "confirmed" }), json!(long(1_000))),
        (json!({ "status": "confirmed", "note": null }), json!(null)),
        (json!({ "status": "confirmed", "note": "", "unknown": 1 }), json!(null)),
    ] {
        let mut expected = shown(&id, "confirmed");
        expected["note"] = note;
        let answer = world.agency.external(&world.app, Method::PATCH, &path, Some(body)).await;
        assert_eq!(answer.whole(), (200, expected));
    }
}

#[db_test]
async fn a_bookmark_has_a_target_and_perhaps_a_note_and_tags(world: World) {
    let id = world.license(json!({})).await;
    let with = |name: &str, value: Value| {
        let mut body = json!({ "target_type": "license", "target_id": id });
        body[name] = value;
        body
    };
    let tags: Vec<_> = (0..21).map(|it| format!("t{it}")).collect();
    for (name, value, field, reason) in [
        ("target_type", json!(null), "target_type", "is required"),
        ("target_type", json!(""), "target_type", "must be one of license, mention"),
        ("target_type", json!("talent"), "target_type", "must be one of license, mention"),
        ("target_type", json!(1), "target_type", STRING),
        ("target_id", json!(null), "target_id", "is required"),
        ("target_id", json!(""), "target_id", "must be a UUID"),
        ("target_id", json!("W-1"), "target_id", "must be a UUID"),
        ("note", json!(long(1_001)), "note", "must be at most 1000 characters"),
        ("note", json!([]), "note", STRING),
        ("tags", json!(tags), "tags", "must contain at most 20 items"),
        ("tags", json!("x"), "tags", "must be a list"),
        ("tags", json!([1]), "tags.0", STRING),
    ] {
        let body = with(name, value);
        world.refuse(Method::POST, "/bookmarks", &body, field, reason).await;
    }
    let mut body = with("note", json!(long(1_000)));
    body["tags"] = json!(tags[..20]);
    body["unknown"] = json!(1);
    let made = world.agency.external(&world.app, Method::POST, "/bookmarks", Some(body)).await;
    let expected = json!({
        "id": made.json()["id"], "target_type": "license", "target_id": id, "note": long(1_000),
        "tags": tags[..20], "created_at": "2026-01-01T00:00:01.000000Z", "access_lost": false,
        "target": world.get(&format!("/licenses/{id}")).await.json(),
    });
    assert_eq!(made.whole(), (201, expected));
}
