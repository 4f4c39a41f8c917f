//! `PATCH /licenses/{id}` and the console's way to change and delete.

use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{World, page, refusal, text};

#[db_test]
async fn each_mutable_field_is_written_and_the_rest_named(world: World) {
    let id = world.license(json!({})).await;
    let body = json!({
        "external_id": "N-1", "title": "New", "description": "D", "status": "public",
        "license_type": "voice", "uses": ["voice"], "territories": ["DE"],
        "fee": { "amount": "9.9", "currency": "USD", "per": "day" }, "can_crawl": true,
        "terms": { "x": [1] }, "valid_from": "2026-02-01T00:00:00Z",
        "expires_at": "2026-03-01T00:00:00Z", "id": "x", "version": 9, "owner": {},
    });
    let answer = world.patch(&id, body).await;
    let shown = answer.json();
    assert_eq!(answer.status, 200, "{shown}");
    assert_eq!(answer.header("x-ignored-fields"), Some("id, version, owner"));
    assert_eq!(answer.header("etag"), Some("\"2-public-licensor-plain\""));
    for (name, value) in [
        ("external_id", json!("N-1")),
        ("title", json!("New")),
        ("status", json!("public")),
        ("license_type", json!("voice")),
        ("fee", json!({ "amount": "9.90", "currency": "USD", "per": "day" })),
        ("terms", json!({ "x": [1] })),
        ("valid_from", json!("2026-02-01T00:00:00.000000Z")),
        ("version", json!(2)),
        ("id", json!(id)),
    ] {
        assert_eq!(shown[name], value, "{name}");
    }
    assert_eq!(world.get(&format!("/licenses/{id}")).await.json(), shown);
    let cleared = json!({ "external_id": null, "fee": null, "valid_from": null });
    let shown = world.patch("N-1", cleared).await.json();
    assert_eq!((&shown["external_id"], &shown["fee"]), (&json!(null), &json!(null)));
    let same = world.patch(&id, json!({ "title": "New" })).await.json();
    assert_eq!(same["version"], 3, "a change that changes nothing is none");
}

#[db_test]
async fn ignored_names_never_make_a_long_head(world: World) {
    let id = world.license(json!({})).await;
    let ignored = async |body: Value| {
        let answer = world.patch(&id, body).await;
        assert_eq!(answer.status, 200);
        answer.header("x-ignored-fields").unwrap_or_default().to_owned()
    };
    assert_eq!(ignored(json!({ "a,b": 1, "c d": 2, "é": 3 })).await, "a%2Cb, c%20d, %C3%A9");
    let many = (0..500).map(|it| (format!("field-{it:03}"), json!(1))).collect();
    let told = ignored(Value::Object(many)).await;
    assert!(told.len() < 2_100, "{}", told.len());
    assert!(told.starts_with("field-000, field-001") && told.contains(", ...+"), "{told}");
}

#[db_test]
async fn only_allowed_transitions_pass(world: World) {
    let id = world.license(json!({ "status": "draft" })).await;
    for (status, expected) in [
        ("expired", 409),
        ("draft", 200),
        ("public", 200),
        ("private", 200),
        ("draft", 409),
        ("expired", 200),
        ("public", 200),
    ] {
        let answer = world.patch(&id, json!({ "status": status })).await;
        assert_eq!(answer.status.as_u16(), expected, "{status}: {}", answer.json());
    }
    let wrong = world.patch(&id, json!({ "status": "gone", "title": "" })).await;
    let details = wrong.json()["error"]["details"].clone();
    assert_eq!(details.as_object().unwrap().len(), 2, "{details}");
}

#[db_test]
async fn what_has_ended_is_not_put_in_force(world: World) {
    let past = "2020-01-01T00:00:00Z";
    for status in ["draft", "private"] {
        let id = world.license(json!({ "status": status })).await;
        let answer = world.patch(&id, json!({ "status": "public", "expires_at": past })).await;
        let shown = world.get(&format!("/licenses/{id}")).await.json();
        assert_eq!((answer.status.as_u16(), &shown["status"]), (409, &json!(status)));
    }
}

#[db_test]
async fn a_stale_copy_changes_nothing(world: World) {
    let id = world.license(json!({})).await;
    let path = format!("/licenses/{id}");
    let patch = |tag: &str, title: &str| {
        let request = world.app.request(Method::PATCH, &path).bearer(&world.agency.external);
        request.header("if-match", tag).json(&json!({ "title": title })).send()
    };
    assert_eq!(patch("\"1-private-viewer-images\"", "One").await.status, 200, "only those two");
    for stale in ["\"1-private-licensor-plain\"", "\"2-public-x\"", "W/\"2-private\"", "nonsense"] {
        assert_eq!(refusal(&patch(stale, "Two").await), (412, "PRECONDITION_FAILED".into()));
    }
    assert_eq!(patch("*", "Three").await.status, 200);
    assert_eq!(patch("\"9-public\", \"3-private\"", "Four").await.status, 200);
}

#[db_test]
async fn who_does_not_own_it_cannot_change_it(world: World) {
    let id = world.license(json!({})).await;
    let path = format!("/licenses/{id}");
    let patch = || {
        let body = Some(json!({ "title": "Mine" }));
        world.brand.external(&world.app, Method::PATCH, &path, body)
    };
    assert_eq!(refusal(&patch().await), (403, "ACCESS_DENIED".to_owned()));
    world.grant(&id, "trustee").await;
    assert_eq!(refusal(&patch().await), (403, "ACCESS_DENIED".to_owned()));
    let console = format!("/org/license/{id}");
    let body = Some(json!({ "name": "Mine" }));
    let answer = world.brand.console(&world.app, Method::PATCH, &console, body).await;
    assert_eq!(refusal(&answer), (403, "FORBIDDEN".to_owned()), "a brand has no licenses");
}

#[db_test]
async fn a_deleted_license_is_gone_from_every_answer(world: World) {
    let id = world.license(json!({ "externalId": "W-1", "status": "public" })).await;
    world.grant(&id, "viewer").await;
    let path = format!("/org/license/{id}");
    assert_eq!(world.agency.console(&world.app, Method::DELETE, &path, None).await.status, 204);
    for answer in [
        world.get(&format!("/licenses/{id}")).await,
        world.get("/licenses/W-1").await,
        world.patch(&id, json!({ "title": "Back" })).await,
        world.agency.console(&world.app, Method::DELETE, &path, None).await,
    ] {
        assert_eq!(refusal(&answer), (404, "NOT_FOUND".to_owned()));
    }
    assert_eq!(page(&world.get("/licenses").await).1, 0);
    assert_eq!(page(&world.get("/licenses?search=winter").await).1, 0);
    assert_eq!(world.app.get("/metadata").await.json()["pagination"]["total"], 0);
    let again = world.create(json!({ "externalId": "W-1" })).await;
    assert_eq!(again.status, 201, "its name is free again");
    let query = "SELECT action FROM log_entries WHERE action LIKE 'license.%' ORDER BY action";
    let log = seed::rows(&world.app.database.options, query).await.concat();
    assert_eq!(log, ["license.create", "license.create", "license.delete"]);
}

#[db_test]
async fn a_new_license_must_fit(world: World) {
    let wrong = json!({
        "name": "", "type": "poster", "status": "expired", "appearanceFee": -1,
        "externalId": "a b", "territories": ["Mars"], "expiresAt": "2020-01-01T00:00:00Z",
    });
    let answer = world.create(wrong).await;
    let details = answer.json()["error"]["details"].clone();
    let names: Vec<_> = details.as_object().unwrap().keys().cloned().collect();
    assert_eq!(answer.status, 400);
    for name in ["appearanceFee", "externalId", "name", "status", "territories", "type"] {
        assert!(names.contains(&name.to_owned()), "{name}: {details}");
    }
    let id = world.license(json!({ "externalId": "W-1" })).await;
    let twice = world.create(json!({ "externalId": "W-1" })).await;
    assert_eq!(refusal(&twice), (409, "RESOURCE_EXISTS".to_owned()));
    let body = Some(json!({ "name": "Console", "appearanceFee": "10", "currency": "EUR" }));
    let path = format!("/org/license/{id}");
    let partial = world.agency.console(&world.app, Method::PATCH, &path, body).await;
    assert_eq!(partial.json()["error"]["details"], json!({ "feePer": "is required for a fee" }));
    let list = world.agency.console(&world.app, Method::GET, "/org/licenses?limit=1", None).await;
    assert_eq!(text(&list.json()["data"]["licenses"][0]["licenseId"]), id);
    assert_eq!(list.json()["data"]["pagination"]["total"], 1);
}
