//! `/console/pax`, `/console/pax/{paxId}`.

use std::time::Duration;

use grantor_testkit::app::Answer;
use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::platform::{Grounds, TEAM, UNKNOWN, managed, text};
use super::{faults, refused};

pub(super) const PAX: &str = "/v1.0.1/console/pax";

impl Grounds {
    pub(super) async fn grant(&self, platform: &Value, name: &str) -> Answer {
        let body = json!({
            "platformId": platform["platformId"], "name": name, "scopes": ["crawl", "read"],
        });
        self.home.send(Method::POST, PAX, Some(body)).await
    }

    pub(super) async fn pax(&self, platform: &Value, name: &str) -> Value {
        let made = self.grant(platform, name).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()["data"].clone()
    }

    async fn revoke(&self, pax: &Value) -> Answer {
        self.home.send(Method::DELETE, &path(pax), None).await
    }
}

pub(super) fn path(pax: &Value) -> String {
    format!("{PAX}/{}", text(&pax["paxId"]))
}

#[db_test]
async fn access_to_a_platform_is_granted(grounds: Grounds) {
    let platform = grounds.platform(json!({})).await;
    let answer = grounds.grant(&platform, " Partner feed ").await;
    let data = json!({
        "paxId": answer.json()["data"]["paxId"],
        "platformId": platform["platformId"],
        "platformName": "The Wire",
        "name": "Partner feed",
        "scopes": ["read", "crawl"],
        "status": "active",
        "statistics": { "requestCount": 0, "lastAccessed": null },
        "createdAt": "2026-01-01T00:00:00.000000Z",
    });
    let message = "PAX created";
    let body = json!({ "data": data, "message": message, "status": "success" });
    assert_eq!(answer.whole(), (201, body));
    let body = json!({ "data": data, "message": "The PAX", "status": "success" });
    assert_eq!(grounds.get(&path(&data)).await.whole(), (200, body));
    assert_eq!(grounds.logged("pax.create").await, 1);
}

#[db_test]
async fn scopes_of_ones_own_are_kept_and_open_nothing(grounds: Grounds) {
    let platform = grounds.platform(json!({})).await;
    let scopes = json!(["acme:export", "read"]);
    let body = json!({ "platformId": platform["platformId"], "name": "Feed", "scopes": scopes });
    let made = grounds.home.send(Method::POST, PAX, Some(body)).await.json()["data"].clone();
    let shown = grounds.get(&path(&made)).await.json()["data"]["scopes"].clone();
    assert_eq!((&made["scopes"], &shown), (&json!(["read", "acme:export"]), &made["scopes"]));
    let items = json!({ "items": [{ "url": "https://a.example/", "title": "a", "text": "a" }] });
    let content = format!("{}/content", path(&made));
    let pushed = grounds.home.send(Method::POST, &content, Some(items)).await;
    assert_eq!(pushed.status, 403, "write was not among them");
}

#[db_test]
async fn every_member_that_does_not_fit_is_named(grounds: Grounds) {
    let missing =
        json!({ "platformId": "is required", "name": "is required", "scopes": "is required" });
    let answer = grounds.home.send(Method::POST, PAX, Some(json!({}))).await;
    assert_eq!(faults(&answer), (400, missing));
    for (scopes, wrong) in [
        (json!([]), "must contain at least one name, such as read, write or crawl"),
        (
            json!(["read", "Admin"]),
            "must contain names of 1 to 64 characters from a-z, 0-9, dot, underscore, colon and \
             hyphen",
        ),
    ] {
        let body = json!({ "platformId": "7", "name": "x", "scopes": scopes });
        let answer = grounds.home.send(Method::POST, PAX, Some(body)).await;
        let named = json!({
            "platformId": "must be a UUID", "name": "must be 2 to 100 characters", "scopes": wrong,
        });
        assert_eq!(faults(&answer), (400, named));
    }
}

#[db_test]
async fn a_platform_must_be_the_organizations_own(grounds: Grounds) {
    let own = grounds.platform(json!({})).await;
    let foreign = grounds.foreign_platform("foreign.example").await;
    grounds.home.send(Method::DELETE, &managed(&own), None).await;
    for platform in [foreign, own, json!({ "platformId": UNKNOWN })] {
        let answer = grounds.grant(&platform, "Feed").await;
        assert_eq!(answer.whole(), (404, refused("NOT_FOUND", "Platform not found")));
    }
}

#[db_test]
async fn they_are_listed_newest_first_and_filtered(grounds: Grounds) {
    let wire = grounds.platform(json!({})).await;
    let post = grounds.platform(json!({ "domain": "post.example" })).await;
    let mut made = vec![];
    for (platform, name) in [(&wire, "First"), (&post, "Second"), (&wire, "Third")] {
        made.push(grounds.pax(platform, name).await);
        grounds.home.app.clock.advance(Duration::from_secs(1));
    }
    grounds.revoke(&made[0]).await;
    let of = |query: String| {
        let grounds = &grounds;
        async move {
            let data = grounds.get(&format!("{PAX}?{query}")).await.json()["data"].clone();
            let listed = data["pax"].as_array().unwrap();
            let names: Vec<_> = listed.iter().map(|it| text(&it["name"])).collect();
            (names.join(" "), data["pagination"]["total"].clone())
        }
    };
    assert_eq!(of(String::new()).await, ("Third Second First".into(), json!(3)));
    assert_eq!(of("limit=1&page=2".into()).await, ("Second".into(), json!(3)));
    assert_eq!(of("status=revoked".into()).await, ("First".into(), json!(1)));
    let on_wire = format!("status=active&platformId={}", text(&wire["platformId"]));
    assert_eq!(of(on_wire).await, ("Third".into(), json!(1)));
    let answer = grounds.get(&format!("{PAX}?platformId=7&status=new&limit=0")).await;
    let wrong = json!({
        "platformId": "must be a UUID",
        "status": "must be one of active, revoked",
        "limit": "must be a whole number from 1 to 100",
    });
    assert_eq!(faults(&answer), (400, wrong));
}

#[db_test]
async fn what_is_revoked_stays_to_be_seen(grounds: Grounds) {
    let platform = grounds.platform(json!({})).await;
    let mut pax = grounds.pax(&platform, "Feed").await;
    let gone = grounds.revoke(&pax).await;
    assert_eq!((gone.status.as_u16(), gone.body.len()), (204, 0));
    pax["status"] = "revoked".into();
    assert_eq!(grounds.get(&path(&pax)).await.json()["data"], pax);
    assert_eq!(grounds.revoke(&pax).await.status, 204, "and again");
    assert_eq!(grounds.logged("pax.revoke").await, 2);
}

#[db_test]
async fn what_leads_to_a_deleted_platform_is_revoked(grounds: Grounds) {
    let platform = grounds.platform(json!({})).await;
    let other = grounds.platform(json!({ "domain": "post.example" })).await;
    let mut pax = grounds.pax(&platform, "Feed").await;
    let kept = grounds.pax(&other, "Feed").await;
    grounds.home.send(Method::DELETE, &managed(&platform), None).await;
    pax["status"] = "revoked".into();
    assert_eq!(grounds.get(&path(&pax)).await.json()["data"], pax);
    assert_eq!(grounds.get(&path(&kept)).await.json()["data"], kept);
}

#[db_test]
async fn nobody_elses_is_hinted_at(grounds: Grounds) {
    let platform = grounds.platform(json!({})).await;
    let pax = grounds.pax(&platform, "Feed").await;
    for method in [Method::GET, Method::DELETE] {
        let theirs = path(&pax);
        let answer = grounds.home.send_as(&grounds.stranger, method.clone(), &theirs, None).await;
        assert_eq!(answer.whole(), (404, refused("NOT_FOUND", "PAX not found")));
        let answer = grounds.home.send(method.clone(), &format!("{PAX}/{UNKNOWN}"), None).await;
        assert_eq!(answer.whole(), (404, refused("NOT_FOUND", "PAX not found")));
        let answer = grounds.home.send(method, &format!("{PAX}/7"), None).await;
        assert_eq!(answer.whole(), (400, refused("INVALID_FORMAT", "The PAX ID is not a UUID")));
    }
    assert_eq!(grounds.get(&path(&pax)).await.json()["data"]["status"], "active");
}

#[db_test]
async fn a_lead_grants_and_revokes_within_their_own_teams(grounds: Grounds) {
    let platform = grounds.platform(json!({})).await;
    let pax = grounds.pax(&platform, "Feed").await;
    let token = grounds.home.colleague("Team_Lead").await;
    let body = json!({ "platformId": platform["platformId"], "name": "Mine", "scopes": ["read"] });
    let grant = || grounds.home.send_as(&token, Method::POST, PAX, Some(body.clone()));
    let place = path(&pax);
    let revoke = || grounds.home.send_as(&token, Method::DELETE, &place, None);
    let denied = (403, refused("ACCESS_DENIED", "This record doesn't belong to one of your teams"));
    assert_eq!((grant().await.whole(), revoke().await.whole()), (denied.clone(), denied));
    grounds.join(TEAM).await;
    assert_eq!((grant().await.status.as_u16(), revoke().await.status.as_u16()), (201, 204));
}

#[db_test]
async fn a_member_only_reads(grounds: Grounds) {
    let platform = grounds.platform(json!({})).await;
    let pax = grounds.pax(&platform, "Feed").await;
    let token = grounds.home.colleague("Team_Member").await;
    let read = grounds.home.send_as(&token, Method::GET, &path(&pax), None).await;
    assert_eq!(read.status, 200);
    let message = "The role Team_Member does not allow you to manage platforms";
    let refused = (403, refused("INSUFFICIENT_PERMISSIONS", message));
    let revoked = grounds.home.send_as(&token, Method::DELETE, &path(&pax), None).await;
    assert_eq!(revoked.whole(), refused);
    let made = grounds.home.send_as(&token, Method::POST, PAX, Some(json!({}))).await;
    assert_eq!(made.whole(), refused);
}
