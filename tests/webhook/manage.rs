//! `/webhooks` and `/webhooks/{id}`: made, shown, changed and deleted, and by whom.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::future::join_all;
use grantor_testkit::app::Answer;
use grantor_testkit::{db_test, seed};
use serde_json::{Value, json};

use super::{Room, START, UNKNOWN, path};
use crate::external::{invalid, refused};
use crate::license::text;

const ALL: [&str; 23] = [
    "license.created",
    "license.updated",
    "license.published",
    "license.expired",
    "license.deleted",
    "permission.granted",
    "permission.revoked",
    "mention.created",
    "mention.updated",
    "client.expiring",
    "webhook.test",
    "request.created",
    "request.offered",
    "request.declined",
    "request.withdrawn",
    "request.lapsed",
    "request.message",
    "grant.created",
    "grant.expiring",
    "grant.ended",
    "grant.revoked",
    "license.expiring",
    "mention.removed",
];

fn gone() -> (u16, Value) {
    (404, refused("NOT_FOUND", "Webhook not found"))
}

#[db_test]
async fn a_webhook_is_made_shown_changed_and_deleted(room: Room) {
    let url = room.receiver.url("/hook?x=1");
    let events = ["license.expired", "license.created", "license.expired"];
    let body = json!({ "url": url, "description": "Our CRM", "events": events });
    let made = room.ask("POST /webhooks", body).await;
    let (id, secret) = (text(&made.json()["id"]), text(&made.json()["secret"]));
    let bytes = BASE64_STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    assert_eq!(bytes.len(), 32);
    let mut shown = json!({
        "id": id, "url": url, "description": "Our CRM",
        "events": ["license.created", "license.expired"], "status": "active",
        "created_at": START, "updated_at": START, "last_success_at": null, "failing_since": null,
    });
    let mut with_secret = shown.clone();
    with_secret["secret"] = json!(secret);
    assert_eq!(made.whole(), (201, with_secret));
    assert_eq!(made.header("cache-control"), Some("no-store"));
    let webhook = shown.clone();
    assert_eq!(room.shown(&webhook).await, shown);
    assert_eq!(room.get("/webhooks").await["data"], json!([shown]));

    room.world.app.clock.advance(Duration::from_secs(1));
    let url = room.receiver.url("/other");
    let asked = json!({
        "url": url, "description": null, "events": ["webhook.test"], "status": "disabled",
        "id": UNKNOWN, "secret": "not theirs to choose", "created_at": null,
    });
    let changed = room.ask(&format!("PATCH {}", path(&webhook, "")), asked).await;
    shown["url"] = json!(url);
    shown["description"] = json!("");
    shown["events"] = json!(["webhook.test"]);
    shown["status"] = json!("disabled");
    shown["updated_at"] = json!("2026-01-01T00:00:01.000000Z");
    assert_eq!(changed.whole(), (200, shown.clone()));
    room.world.app.clock.advance(Duration::from_secs(1));
    let same = room.ask(&format!("PATCH {}", path(&webhook, "")), json!({})).await;
    assert_eq!(same.whole(), (200, shown.clone()), "what changes nothing is no change");
    assert_eq!(room.shown(&webhook).await, shown);

    room.world.app.clock.advance(Duration::from_secs(1));
    let deleted = room.ask(&format!("DELETE {}", path(&webhook, "")), Value::Null).await;
    assert_eq!((deleted.status.as_u16(), deleted.body.len()), (204, 0));
    assert_eq!(room.get("/webhooks").await["data"], json!([]));
    let acts = ["create", "update", "update", "delete"].map(|it| format!("INFO webhook.{it}"));
    assert_eq!(room.logged().await, acts);
}

#[db_test]
async fn without_a_choice_it_hears_everything(room: Room) {
    let webhook = room.webhook(&[]).await;
    assert_eq!((&webhook["events"], &webhook["description"]), (&json!(ALL), &json!("")));
}

/// Every way to ask for one webhook.
async fn every_way(room: &Room, who: &crate::license::Member, id: &str) -> Vec<(u16, Value)> {
    let since = json!({ "since": START });
    let mut answers = vec![];
    for (what, body) in [
        ("GET {}", Value::Null),
        ("PATCH {}", json!({ "status": "disabled" })),
        ("DELETE {}", Value::Null),
        ("POST {}/test", Value::Null),
        ("POST {}/rotate-secret", Value::Null),
        ("POST {}/replay", since.clone()),
        ("GET {}/deliveries", Value::Null),
        ("POST {}/deliveries/018f3f9e-0000-7000-8000-000000000001/retry", Value::Null),
    ] {
        let what = what.replace("{}", &format!("/webhooks/{id}"));
        answers.push(room.ask_as(who, &what, body).await.whole());
    }
    answers
}

#[db_test]
async fn anothers_a_deleted_and_an_unknown_one_are_alike(room: Room) {
    let (foreign, deleted) = (room.webhook(&[]).await, room.webhook(&[]).await);
    room.ask(&format!("DELETE {}", path(&deleted, "")), Value::Null).await;
    let foreign_id = text(&foreign["id"]);
    assert_eq!(every_way(&room, room.brand(), &foreign_id).await, vec![gone(); 8]);
    for id in [text(&deleted["id"]), UNKNOWN.to_owned()] {
        assert_eq!(every_way(&room, room.agency(), &id).await, vec![gone(); 8]);
    }
    let malformed = (400, invalid(&json!({ "id": "must be a UUID" })));
    assert_eq!(every_way(&room, room.agency(), "x").await, vec![malformed; 8]);
    let listed = room.ask_as(room.brand(), "GET /webhooks", Value::Null).await;
    assert_eq!(listed.json()["data"], json!([]));
    assert_eq!(room.shown(&foreign).await["status"], "active", "the control: untouched");
    assert_eq!(room.calls().len(), 0);
}

#[db_test]
async fn a_page_is_of_so_many_newest_first(room: Room) {
    for number in 0..3 {
        room.world.app.clock.advance(Duration::from_secs(1));
        room.webhook_of(room.agency(), &format!("/{number}"), &[]).await;
    }
    let second = room.ask("GET /webhooks?per_page=2&page=2", Value::Null).await;
    let body = second.json();
    assert_eq!(body["data"][0]["url"], json!(room.receiver.url("/0")));
    let pagination = json!({
        "page": 2, "per_page": 2, "total": 3, "total_pages": 2, "has_next": false, "has_prev": true,
    });
    assert_eq!((body["data"].as_array().unwrap().len(), &body["pagination"]), (1, &pagination));
    let first = "</webhooks?page=1&per_page=2>";
    let link = format!(
        "{first}; rel=\"first\", {first}; rel=\"prev\", </webhooks?page=2&per_page=2>; rel=\"last\""
    );
    assert_eq!(second.header("link"), Some(link.as_str()));
    for query in ["page=0", "per_page=0", "per_page=101", "page=x", "per_page=-1"] {
        for list in [String::new(), "/018f3f9e-0000-7000-8000-000000000001/deliveries".to_owned()] {
            let answer = room.ask(&format!("GET /webhooks{list}?{query}"), Value::Null).await;
            assert_eq!((answer.status.as_u16(), query), (400, query));
        }
    }
}

#[db_test]
async fn of_many_who_race_so_many_as_fit_win(room: Room) {
    let asked = json!({ "url": room.receiver.url("/hook") });
    let token = room.agency().renewed(&room.world.app).await;
    for _ in 0..19 {
        let make = || room.ask_with(&token, "POST /webhooks", asked.clone());
        assert!(join_all((0..5).map(|_| make())).await.iter().all(|it| it.status == 201));
    }
    let raced = join_all((0..16).map(|_| room.ask_with(&token, "POST /webhooks", asked.clone())));
    let raced = raced.await;
    assert_eq!(raced.iter().filter(|it| it.status == 201).count(), 5);
    let mut body = refused("RESOURCE_CONFLICT", "Your plan allows 100 webhooks; upgrade for more");
    body["error"]["details"] = json!({ "limit": 100, "used": 100 });
    let full = (409, body);
    let lost: Vec<_> = raced.iter().filter(|it| it.status != 201).map(Answer::whole).collect();
    assert_eq!(lost, vec![full; 11]);
    let made = raced.iter().find(|it| it.status == 201).unwrap().json();
    room.ask(&format!("DELETE {}", path(&made, "")), Value::Null).await;
    room.webhook(&[]).await;
    room.webhook_of(room.brand(), "/brand", &[]).await;
}

#[db_test]
async fn a_request_that_is_sent_again_makes_no_second_webhook(room: Room) {
    let token = room.agency().renewed(&room.world.app).await;
    let post = async |path: &str, body: &Value| {
        let request = room.world.app.request(http::Method::POST, path).bearer(&token);
        request.header("idempotency-key", "k-1").json(body).send().await
    };
    let asked = json!({ "url": room.receiver.url("/hook") });
    let (first, again) = (post("/webhooks", &asked).await, post("/webhooks", &asked).await);
    assert_eq!((first.status.as_u16(), first.whole()), (201, again.whole()), "also the secret");
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    let other = post("/webhooks", &json!({ "url": room.receiver.url("/other") })).await;
    assert_eq!(other.status, 422);
    assert_eq!(room.count("webhooks").await, 1);
    let rotate = path(&first.json(), "/rotate-secret");
    let (first, again) = (post(&rotate, &json!({})).await, post(&rotate, &json!({})).await);
    assert_eq!((first.status.as_u16(), first.whole()), (200, again.whole()));
    let test = path(&first.json(), "/test");
    let (first, again) = (post(&test, &json!({})).await, post(&test, &json!({})).await);
    assert_eq!((first.status.as_u16(), first.whole()), (200, again.whole()));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(room.calls().len(), 1, "one test was sent");
}

#[db_test]
async fn without_the_scope_nothing_is_answered(room: Room) {
    let webhook = room.webhook(&[]).await;
    let script = "UPDATE clients SET scopes = 'license:read license:write mention:read'";
    seed::run(&room.world.app.database.options, script.to_owned()).await;
    room.world.app.clock.advance(Duration::from_secs(1));
    let id = text(&webhook["id"]);
    let mut answers = every_way(&room, room.agency(), &id).await;
    answers.push(room.ask("GET /webhooks", Value::Null).await.whole());
    answers.push(room.ask("POST /webhooks", json!({})).await.whole());
    answers.push(room.ask("GET /events", Value::Null).await.whole());
    let codes: Vec<_> = answers.iter().map(|it| (it.0, text(&it.1["error"]["code"]))).collect();
    assert_eq!(codes, vec![(403, "INSUFFICIENT_PERMISSIONS".to_owned()); 11]);
}

#[db_test]
async fn webhooks_and_events_are_nothing_of_a_team_members(room: Room) {
    let webhook = room.webhook(&[]).await;
    let id = text(&webhook["id"]);
    room.world.become_role(room.agency(), "Team_Member").await;
    let message = "The role Team_Member does not allow you to manage webhooks";
    let no = (403, refused("INSUFFICIENT_PERMISSIONS", message));
    let answers = every_way(&room, room.agency(), &id).await;
    assert_eq!(answers, vec![no.clone(); 8]);
    let made = room.ask("POST /webhooks", json!({ "url": room.receiver.url("/") })).await;
    assert_eq!(made.whole(), no);
    for path in ["/webhooks", "/events"] {
        assert_eq!(room.ask(&format!("GET {path}"), Value::Null).await.whole(), no, "{path}");
    }
    for role in ["Team_Lead", "Organization_User"] {
        room.world.become_role(room.agency(), role).await;
        room.change(&webhook, json!({ "description": role })).await;
    }
    let acts = ["create", "update", "update"].map(|it| format!("INFO webhook.{it}"));
    assert_eq!(room.logged().await, acts);
}

#[db_test]
async fn the_log_knows_where_a_receiver_is_and_not_its_secret(room: Room) {
    let url = format!("{}?token=hidden", room.receiver.url("/hook/hidden"));
    let body = json!({ "url": url, "events": ["license.updated"] });
    assert_eq!(room.ask("POST /webhooks", body).await.status, 201);
    let query = "SELECT resource_name, details FROM log_entries WHERE action = 'webhook.create'";
    let logged = seed::rows(&room.world.app.database.options, query).await;
    let host = url.split('/').nth(2).unwrap();
    assert_eq!((logged[0][0].as_str(), logged[0][1].contains("hidden")), (host, false));
}
