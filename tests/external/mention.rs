//! `/licenses/{id}/mentions`, `/mentions/{id}`.

use grantor_domain::Clock as _;
use grantor_testkit::app::Answer;
use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::gallery::{Gallery, PLATFORM, UNKNOWN, first_mention};
use super::{invalid, refused};

const GRACE: &str = "grace@example.com";

impl Gallery {
    async fn mentions(&self, token: &str, license: &str, query: &str) -> Answer {
        self.get(token, &format!("/licenses/{license}/mentions{query}")).await
    }

    async fn decide(&self, token: &str, mention: &str, body: Value) -> Answer {
        self.send(token, Method::PATCH, &format!("/mentions/{mention}"), Some(body)).await
    }
}

fn titles(answer: &Answer) -> (u64, Vec<String>) {
    let body = answer.json();
    assert_eq!(answer.status, 200, "{body}");
    let title = |it: &Value| it["title"].as_str().unwrap().replace("Sighting ", "");
    let titles = body["data"].as_array().unwrap().iter().map(title).collect();
    (body["pagination"]["total"].as_u64().unwrap(), titles)
}

fn denied() -> (u16, Value) {
    (403, refused("ACCESS_DENIED", "You don't have access to this license"))
}

fn unknown(noun: &str) -> (u16, Value) {
    (404, refused("NOT_FOUND", &format!("{noun} not found")))
}

#[db_test]
async fn the_mentions_of_a_license_are_listed(gallery: Gallery) {
    let license = gallery.license("private").await;
    gallery.mention(1, &license).await;
    let answer = gallery.mentions(&gallery.token, &license, "").await;
    let pagination = json!({
        "page": 1, "per_page": 20, "total": 1, "total_pages": 1,
        "has_next": false, "has_prev": false,
    });
    let body = json!({ "data": [first_mention(&license)], "pagination": pagination });
    assert_eq!(answer.whole(), (200, body));
    let path = format!("/licenses/{license}/mentions?page=1&per_page=20");
    let link = format!("<{path}>; rel=\"first\", <{path}>; rel=\"last\"");
    assert_eq!(answer.header("link"), Some(link.as_str()));
}

#[db_test]
async fn mentions_are_filtered_ordered_and_counted(gallery: Gallery) {
    let license = gallery.license("public").await;
    for number in 1..=5 {
        gallery.mention(number, &license).await;
    }
    let platform = format!("?platform_id={PLATFORM}");
    for (query, total, found) in [
        ("", 5, "54321"),
        ("?order=asc", 5, "12345"),
        ("?per_page=2&page=2", 5, "32"),
        ("?per_page=2&page=9", 5, ""),
        ("?status=new", 3, "531"),
        ("?status=dismissed", 0, ""),
        ("?verdict=licensed&order=asc", 2, "24"),
        ("?verdict=licensed&status=new", 0, ""),
        (&platform, 3, "531"),
        ("?from=2026-01-01T00:03:00Z", 3, "543"),
        ("?to=2026-01-01T00:03:00Z", 2, "21"),
        ("?from=2026-01-01T00:02:00Z&to=2026-01-01T00:04:00Z&per_page=1", 2, "3"),
    ] {
        let answer = gallery.mentions(&gallery.token, &license, query).await;
        let found = found.chars().map(String::from).collect();
        assert_eq!(titles(&answer), (total, found), "{query}");
    }
}

#[db_test]
async fn every_wrong_parameter_is_named(gallery: Gallery) {
    let license = gallery.license("private").await;
    let query = "?page=0&per_page=101&status=old&verdict=bad&platform_id=1&from=x&order=up";
    let answer = gallery.mentions(&gallery.token, &license, query).await;
    assert_eq!(answer.status, 400);
    let details = answer.json()["error"]["details"].clone();
    let named: Vec<_> = details.as_object().unwrap().keys().map(String::as_str).collect();
    let all = ["from", "order", "page", "per_page", "platform_id", "status", "verdict"];
    assert_eq!(named, all);
    let faults = invalid(&json!({ "id": "must be a UUID" }));
    for path in ["/licenses/my-own-id/mentions", "/mentions/1"] {
        assert_eq!(gallery.get(&gallery.token, path).await.whole(), (400, faults.clone()));
    }
}

#[db_test]
async fn who_does_not_see_the_license_does_not_see_its_mentions(gallery: Gallery) {
    let grace = gallery.person(GRACE).await;
    let at = |id: &str| format!("/mentions/{id}");
    // A draft that was watched before lists what was seen then.
    for (number, status) in [(1, "private"), (2, "draft")] {
        let license = gallery.license(status).await;
        let mention = gallery.mention(number, &license).await;
        assert_eq!(gallery.mentions(&grace, &license, "").await.whole(), denied());
        assert_eq!(gallery.get(&grace, &at(&mention)).await.whole(), denied());

        gallery.grant(&license, GRACE, "viewer").await;
        let mut shown = gallery.get(&gallery.token, &at(&mention)).await.json();
        shown.as_object_mut().unwrap().remove("note");
        assert_eq!(shown["license_id"], license);
        assert_eq!(gallery.get(&grace, &at(&mention)).await.whole(), (200, shown.clone()));
        assert_eq!(gallery.mentions(&grace, &license, "").await.json()["data"], json!([shown]));

        gallery.delete(&license).await;
        let gone = gallery.mentions(&gallery.token, &license, "").await;
        assert_eq!(gone.whole(), unknown("License"));
        assert_eq!(gallery.get(&gallery.token, &at(&mention)).await.whole(), unknown("Mention"));
    }
    assert_eq!(gallery.mentions(&grace, UNKNOWN, "").await.whole(), unknown("License"));
    assert_eq!(gallery.get(&grace, &at(UNKNOWN)).await.whole(), unknown("Mention"));
}

#[db_test]
async fn each_act_has_its_scope(gallery: Gallery) {
    let license = gallery.license("private").await;
    let mention = gallery.mention(1, &license).await;
    let lacks = |scope: &str| {
        (403, refused("INSUFFICIENT_PERMISSIONS", &format!("The token lacks the scope {scope}")))
    };
    let writer = gallery.scoped(&["license:read", "license:write"]).await;
    let answer = gallery.mentions(&writer, &license, "").await;
    assert_eq!(answer.whole(), lacks("mention:read"));
    let answer = gallery.get(&writer, &format!("/mentions/{mention}")).await;
    assert_eq!(answer.whole(), lacks("mention:read"));
    let reader = gallery.scoped(&["license:read", "mention:read"]).await;
    let answer = gallery.decide(&reader, &mention, json!({ "status": "confirmed" })).await;
    assert_eq!(answer.whole(), lacks("license:write"));
}

#[db_test]
async fn members_that_a_decision_ignores_are_named(gallery: Gallery) {
    let license = gallery.license("private").await;
    let mention = gallery.mention(1, &license).await;
    for (body, ignored) in [
        (json!({ "note": "Hers", "url": "x", "bogus": 2 }), Some("bogus, url")),
        (json!({ "note": "Hers" }), None),
    ] {
        let answer = gallery.decide(&gallery.token, &mention, body).await;
        assert_eq!((answer.status.as_u16(), answer.header("x-ignored-fields")), (200, ignored));
    }
}

#[db_test]
async fn a_decision_is_kept_logged_and_told(gallery: Gallery) {
    let license = gallery.license("private").await;
    let mention = gallery.mention(1, &license).await;
    let body = json!({ "status": "dismissed", "note": " Her namesake " });
    let answer = gallery.decide(&gallery.token, &mention, body.clone()).await;
    let mut shown = first_mention(&license);
    shown["status"] = json!("dismissed");
    shown["note"] = json!("Her namesake");
    let now = gallery.office.app.clock.now().to_string();
    (shown["decided_by"], shown["decided_at"]) = (json!("Crawler"), json!(now));
    assert_eq!(answer.whole(), (200, shown.clone()));
    let path = format!("/mentions/{mention}");
    assert_eq!(gallery.get(&gallery.token, &path).await.whole(), (200, shown.clone()));

    // The same again is no change, another is; a note that is left out stays.
    assert_eq!(gallery.decide(&gallery.token, &mention, body).await.whole(), (200, shown.clone()));
    let turned = gallery.decide(&gallery.token, &mention, json!({ "status": "confirmed" })).await;
    shown["status"] = json!("confirmed");
    assert_eq!(turned.whole(), (200, shown));
    let told = gallery.rows("SELECT data FROM events WHERE type = 'mention.updated'").await;
    let mut told: Vec<Value> =
        told.iter().map(|row| serde_json::from_str(&row[0]).unwrap()).collect();
    told.sort_by_key(|it| it["mention"]["status"].to_string());
    let event = |status: &str| {
        let mut about = first_mention(&license);
        about["status"] = json!(status);
        (about["decided_by"], about["decided_at"]) = (json!("Crawler"), json!(now));
        about.as_object_mut().unwrap().remove("note");
        json!({ "license_id": license, "mention": about })
    };
    assert_eq!(told, [event("confirmed"), event("dismissed")]);
    let versions = "SELECT CAST(resource_version AS text) FROM events
        WHERE type = 'mention.updated' ORDER BY resource_version";
    assert_eq!(gallery.rows(versions).await, [["2"], ["3"]], "each change is another");
    let logged = "SELECT CAST(count(*) AS text) FROM log_entries WHERE action = 'mention.update'";
    assert_eq!(gallery.rows(logged).await, [["3"]]);
}

#[db_test]
async fn trustees_decide_and_viewers_do_not(gallery: Gallery) {
    let license = gallery.license("private").await;
    let mention = gallery.mention(1, &license).await;
    let grace = gallery.person(GRACE).await;
    let yes = json!({ "status": "confirmed" });
    assert_eq!(gallery.decide(&grace, &mention, yes.clone()).await.whole(), denied());
    let viewing = gallery.grant(&license, GRACE, "viewer").await;
    let message = "The viewer permission on this license does not allow you to review mentions";
    let answer = gallery.decide(&grace, &mention, yes.clone()).await;
    assert_eq!(answer.whole(), (403, refused("ACCESS_DENIED", message)));
    gallery.office.console(Method::DELETE, &viewing, &json!({})).await;
    gallery.grant(&license, GRACE, "trustee").await;
    let mut shown = first_mention(&license);
    shown["status"] = json!("confirmed");
    let now = gallery.office.app.clock.now().to_string();
    (shown["decided_by"], shown["decided_at"]) = (json!("Reader"), json!(now));
    assert_eq!(gallery.decide(&grace, &mention, yes.clone()).await.whole(), (200, shown));
    assert_eq!(gallery.decide(&grace, UNKNOWN, yes).await.whole(), unknown("Mention"));
    let wrong = gallery.decide(&grace, &mention, json!({ "status": "old" })).await;
    let faults = json!({ "status": "must be one of new, confirmed, dismissed" });
    assert_eq!(wrong.whole(), (400, invalid(&faults)));
}

/// A note alone leaves the decision as it is.
#[db_test]
async fn a_note_is_no_decision(gallery: Gallery) {
    let license = gallery.license("private").await;
    let mention = gallery.mention(1, &license).await;
    let decide = async |body: Value| gallery.decide(&gallery.token, &mention, body).await;
    let mut shown = decide(json!({ "status": "confirmed", "allowed": false })).await.json();
    gallery.office.app.clock.advance(std::time::Duration::from_secs(5));
    shown["note"] = json!("To be discussed");
    let noted = decide(json!({ "note": "To be discussed" })).await;
    assert_eq!(noted.whole(), (200, shown.clone()), "decided by the same, at the same time");
    shown["note"] = Value::Null;
    assert_eq!(decide(json!({ "note": null })).await.whole(), (200, shown));
    let wrong = decide(json!({ "note": "x".repeat(1_001) })).await;
    let faults = json!({ "note": "must be at most 1000 characters" });
    assert_eq!(wrong.whole(), (400, invalid(&faults)));
}

#[db_test]
async fn a_use_is_allowed_or_not_and_that_is_undone(gallery: Gallery) {
    let license = gallery.license("private").await;
    let mention = gallery.mention(1, &license).await;
    let decide = async |body: Value| gallery.decide(&gallery.token, &mention, body).await;
    let early = decide(json!({ "allowed": true })).await;
    let message = "Only a confirmed mention can be allowed or not allowed";
    assert_eq!(early.whole(), (409, refused("RESOURCE_CONFLICT", message)));
    let wrong = decide(json!({ "status": "dismissed", "allowed": false })).await;
    let faults = json!({ "allowed": "can only be set for a confirmed mention" });
    assert_eq!(wrong.whole(), (400, invalid(&faults)));
    assert_eq!(decide(json!({})).await.whole(), (200, first_mention(&license)), "nothing changes");
    let now = gallery.office.app.clock.now().to_string();
    let decided = |status: &str, allowed: Value| {
        let mut shown = first_mention(&license);
        (shown["status"], shown["allowed"]) = (json!(status), allowed);
        if status != "new" {
            (shown["decided_by"], shown["decided_at"]) = (json!("Crawler"), json!(now));
        }
        shown
    };
    for (body, status, allowed) in [
        (json!({ "status": "confirmed", "allowed": false }), "confirmed", json!(false)),
        (json!({ "allowed": true }), "confirmed", json!(true)),
        (json!({ "status": "confirmed" }), "confirmed", json!(true)),
        (json!({ "allowed": null }), "confirmed", Value::Null),
        (json!({ "allowed": false }), "confirmed", json!(false)),
        (json!({ "status": "dismissed" }), "dismissed", Value::Null),
        (json!({ "status": "new" }), "new", Value::Null),
    ] {
        assert_eq!(decide(body).await.whole(), (200, decided(status, allowed)));
    }
    let told = gallery.rows("SELECT data FROM events WHERE type = 'mention.updated'").await;
    let told: Vec<Value> = told.iter().map(|row| serde_json::from_str(&row[0]).unwrap()).collect();
    let allowed = told.iter().filter(|it| it["mention"]["allowed"] == true).count();
    assert_eq!((told.len(), allowed), (6, 1), "what changed nothing is not told: {told:?}");
}
