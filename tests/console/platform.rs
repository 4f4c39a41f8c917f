//! `/org/create/platform`, `/org/platforms`, `/platforms/{platformId}`, `/org/platform/{platformId}`.

use std::time::Duration;

use grantor_testkit::app::{Answer, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Home, PASSWORD, access, account, faults, refused};

pub(super) const CREATE: &str = "/v1.0.1/org/create/platform";
pub(super) const LIST: &str = "/v1.0.1/org/platforms";
pub(super) const TEAM: &str = "0190a5e4-7b3c-7def-8123-0000000000a1";
pub(super) const OTHER_TEAM: &str = "0190a5e4-7b3c-7def-8123-0000000000a2";
pub(super) const FOREIGN_TEAM: &str = "0190a5e4-7b3c-7def-8123-0000000000a3";
pub(super) const UNKNOWN: &str = "0190a5e4-7b3c-7def-8123-456789abcdef";

/// An app whose organization has two teams, beside another organization with one.
pub(super) struct Grounds {
    pub(super) home: Home,
    pub(super) stranger: String,
}

impl Fixture for Grounds {
    async fn on(engine: Engine) -> Self {
        Self::with_config(engine, TestConfig::default()).await
    }
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

pub(super) fn wire() -> Value {
    json!({ "name": "The Wire", "teamId": TEAM, "type": "News Media", "domain": "wire.example" })
}

impl Grounds {
    pub(super) async fn with_config(engine: Engine, config: TestConfig) -> Self {
        let home = Home::with_config(engine, config).await;
        account(&home.app, "stranger@example.com", "Strange Brands").await;
        let stranger = access(&home.app.sign_in("stranger@example.com", PASSWORD).await);
        let grounds = Self { home, stranger };
        for (team, owner) in [
            (TEAM, "Babbage Talent"),
            (OTHER_TEAM, "Babbage Talent"),
            (FOREIGN_TEAM, "Strange Brands"),
        ] {
            let id = grounds.id(team);
            grounds
                .run(format!(
                    "INSERT INTO teams SELECT {id}, tenant_id, 'T{team}', '{team}', 0, 0
                     FROM tenants WHERE name = '{owner}'"
                ))
                .await;
        }
        grounds
    }

    pub(super) fn id(&self, id: &str) -> String {
        seed::id(&self.home.app.database.options, id)
    }

    pub(super) async fn run(&self, script: String) {
        seed::run(&self.home.app.database.options, script).await;
    }

    pub(super) async fn rows(&self, query: &str) -> Vec<Vec<String>> {
        seed::rows(&self.home.app.database.options, query).await
    }

    pub(super) async fn create(&self, body: Value) -> Answer {
        self.home.send(Method::POST, CREATE, Some(body)).await
    }

    /// Makes a platform with these members beside those of The Wire.
    pub(super) async fn platform(&self, changes: Value) -> Value {
        let mut body = wire();
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        let made = self.create(body).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()["data"].clone()
    }

    /// The same for the other organization.
    pub(super) async fn foreign_platform(&self, domain: &str) -> Value {
        let mut body = wire();
        body["teamId"] = FOREIGN_TEAM.into();
        body["domain"] = domain.into();
        let made = self.home.send_as(&self.stranger, Method::POST, CREATE, Some(body)).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()["data"].clone()
    }

    pub(super) async fn get(&self, path: &str) -> Answer {
        self.home.send(Method::GET, path, None).await
    }

    pub(super) async fn change(&self, platform: &Value, body: Value) -> Answer {
        self.home.send(Method::PATCH, &managed(platform), Some(body)).await
    }

    /// Puts the colleague into a team, and into no other.
    pub(super) async fn join(&self, team: &str) {
        let team = self.id(team);
        self.run(format!(
            "DELETE FROM team_members; INSERT INTO team_members
             SELECT t.team_id, t.tenant_id, u.user_id, 0 FROM teams t, users u
             WHERE t.team_id = {team} AND u.email = 'colleague@example.com'"
        ))
        .await;
    }

    /// Counts an act of the log.
    pub(super) async fn logged(&self, action: &str) -> usize {
        let query = format!("SELECT action FROM log_entries WHERE action = '{action}'");
        self.rows(&query).await.len()
    }
}

pub(super) fn shown(platform: &Value) -> String {
    format!("/v1.0.1/platforms/{}", text(&platform["platformId"]))
}

pub(super) fn managed(platform: &Value) -> String {
    format!("/v1.0.1/org/platform/{}", text(&platform["platformId"]))
}

fn names(answer: &Answer) -> Vec<String> {
    let data = answer.json()["data"].clone();
    data["platforms"].as_array().unwrap().iter().map(|it| text(&it["name"])).collect()
}

#[db_test]
async fn a_platform_is_made_with_what_proves_it(grounds: Grounds) {
    let mut body = wire();
    body["domain"] = "Wire.Example.:8443".into();
    body["description"] = "News".into();
    body["feedUrls"] = json!(["https://news.wire.example/rss"]);
    body["settings"] = json!({ "crawlingEnabled": false, "detectionFrequency": "hourly" });
    let answer = grounds.create(body).await;
    let data = answer.json()["data"].clone();
    let token = text(&data["verification"]["dns"]["value"]);
    assert_eq!(token.len(), 32);
    let expected = json!({
        "platformId": data["platformId"],
        "name": "The Wire",
        "teamId": TEAM,
        "type": "News Media",
        "domain": "wire.example:8443",
        "description": "News",
        "feedUrls": ["https://news.wire.example/rss"],
        "settings": { "crawlingEnabled": false, "detectionFrequency": "hourly" },
        "statistics": { "contentScanned": 0, "nilDetections": 0, "lastScanAt": null },
        "status": "pending_verification",
        "verification": {
            "dns": { "name": "_grantor-challenge.wire.example", "type": "TXT", "value": token },
            "metaTag": { "name": "grantor-verification", "content": token },
            "file": { "path": "/.well-known/grantor-verification.txt", "content": token },
        },
        "verificationMethod": null,
        "verifiedAt": null,
        "createdAt": "2026-01-01T00:00:00.000000Z",
        "updatedAt": "2026-01-01T00:00:00.000000Z",
    });
    let message = "Platform created. Verify its domain next.";
    let body = json!({ "data": expected, "message": message, "status": "success" });
    assert_eq!(answer.whole(), (201, body));
    let found = grounds.get(&shown(&data)).await;
    let body = json!({ "data": expected, "message": "The platform", "status": "success" });
    assert_eq!((found.whole(), grounds.logged("platform.create").await), ((200, body), 1));
}

#[db_test]
async fn what_is_left_out_has_a_default(grounds: Grounds) {
    let made = grounds.platform(json!({ "domain": "127.0.0.1:8080" })).await;
    let settings = json!({ "crawlingEnabled": true, "detectionFrequency": "daily" });
    assert_eq!((&made["settings"], &made["feedUrls"]), (&settings, &json!([])));
    assert_eq!(made["description"], Value::Null);
    assert_eq!(made["verification"]["dns"], Value::Null, "an address has no records");
}

#[db_test]
async fn a_platform_needs_no_team(grounds: Grounds) {
    let mut body = wire();
    body.as_object_mut().unwrap().remove("teamId");
    let made = grounds.create(body).await;
    assert_eq!((made.status.as_u16(), &made.json()["data"]["teamId"]), (201, &Value::Null));
}

#[db_test]
async fn every_member_that_does_not_fit_is_named(grounds: Grounds) {
    let missing = json!({ "name": "is required", "type": "is required", "domain": "is required" });
    assert_eq!(faults(&grounds.create(json!({})).await), (400, missing));
    let body = json!({
        "name": "x", "teamId": "7", "type": "News", "domain": "https://wire.example",
        "description": "x".repeat(501), "settings": { "detectionFrequency": "often" },
    });
    let wrong = json!({
        "name": "must be 2 to 100 characters",
        "teamId": "must be a UUID",
        "type": "must be one of Social Media, News Media, E-Commerce, Video, Forum/Community, \
                 Website/Blog, Mobile App, Partner Site",
        "domain": "must not have a scheme: write example.com, not https://example.com",
        "description": "must be at most 500 characters",
        "settings.detectionFrequency": "must be one of hourly, daily, weekly",
    });
    assert_eq!(faults(&grounds.create(body).await), (400, wrong));
    let mut body = wire();
    body["feedUrls"] = json!(["https://wire.example/rss", "https://post.example/rss"]);
    let wrong = "entry 2 must be on the platform's own host or a subdomain of it";
    assert_eq!(faults(&grounds.create(body).await), (400, json!({ "feedUrls": wrong })));
}

#[db_test]
async fn an_organization_has_a_domain_once_and_others_may_claim_it_too(grounds: Grounds) {
    let first = grounds.platform(json!({})).await;
    let message = "Your organization already has a platform with this domain";
    let taken = (409, refused("RESOURCE_EXISTS", message));
    let mut again = wire();
    again["domain"] = "WIRE.example:443".into();
    assert_eq!(grounds.create(again.clone()).await.whole(), taken);
    let other = grounds.platform(json!({ "domain": "post.example" })).await;
    let moved = grounds.change(&other, json!({ "domain": "wire.example" })).await;
    assert_eq!(moved.whole(), taken);
    grounds.foreign_platform("wire.example").await;
    let gone = grounds.home.send(Method::DELETE, &managed(&first), None).await;
    assert_eq!((gone.status.as_u16(), grounds.create(again).await.status.as_u16()), (204, 201));
}

#[db_test]
async fn platforms_are_listed_newest_first_and_filtered(grounds: Grounds) {
    for (name, kind, domain) in [
        ("The Wire", "News Media", "wire.example"),
        ("Zürich Post", "News Media", "post.example"),
        ("Clips", "Video", "clips.example"),
    ] {
        let body = json!({ "name": name, "type": kind, "domain": domain });
        grounds.platform(body).await;
        grounds.home.app.clock.advance(Duration::from_secs(1));
    }
    grounds
        .run("UPDATE platforms SET status = 'verified' WHERE domain = 'wire.example'".into())
        .await;
    grounds.foreign_platform("foreign.example").await;
    let all = grounds.get(LIST).await;
    assert_eq!(names(&all), ["Clips", "Zürich Post", "The Wire"]);
    let pagination = json!({ "page": 1, "limit": 10, "total": 3, "totalPages": 1 });
    assert_eq!(all.json()["data"]["pagination"], pagination);
    for (query, expected) in [
        ("status=verified", &["The Wire"][..]),
        ("status=pending_verification", &["Clips", "Zürich Post"]),
        ("type=Video", &["Clips"]),
        ("type=News%20Media&status=verified", &["The Wire"]),
        ("search=zurich", &["Zürich Post"]),
        ("search=WIR", &["The Wire"]),
        ("search=post+exam", &["Zürich Post"]),
        ("search=nobody", &[]),
        ("search=%25", &[]),
        ("search=", &["Clips", "Zürich Post", "The Wire"]),
        ("page=2&limit=2", &["The Wire"]),
    ] {
        assert_eq!(names(&grounds.get(&format!("{LIST}?{query}")).await), expected, "{query}");
    }
}

#[db_test]
async fn filters_that_do_not_fit_are_named(grounds: Grounds) {
    let long = "x".repeat(101);
    let query = format!("{LIST}?status=new&type=TV&search={long}&page=0&limit=101");
    let (status, details) = faults(&grounds.get(&query).await);
    let named: Vec<_> = details.as_object().unwrap().keys().cloned().collect();
    assert_eq!(
        (status, named),
        (400, ["limit", "page", "search", "status", "type"].map(String::from).to_vec())
    );
}

#[db_test]
async fn a_change_keeps_what_it_does_not_name(grounds: Grounds) {
    let feed = "https://wire.example/rss";
    let made = grounds.platform(json!({ "description": "News", "feedUrls": [feed] })).await;
    grounds.home.app.clock.advance(Duration::from_mins(1));
    let body = json!({
        "name": "The Old Wire", "type": "Video", "teamId": OTHER_TEAM, "description": null,
        "settings": { "crawlingEnabled": false },
    });
    let mut expected = made.clone();
    expected["name"] = "The Old Wire".into();
    expected["type"] = "Video".into();
    expected["teamId"] = OTHER_TEAM.into();
    expected["description"] = Value::Null;
    expected["settings"]["crawlingEnabled"] = false.into();
    expected["updatedAt"] = "2026-01-01T00:01:00.000000Z".into();
    let answer = grounds.change(&made, body).await;
    let message = "Platform updated";
    let body = json!({ "data": expected, "message": message, "status": "success" });
    assert_eq!(answer.whole(), (200, body));
    assert_eq!(grounds.get(&shown(&made)).await.json()["data"], expected);
    let cleared = grounds.change(&made, json!({ "feedUrls": null })).await;
    assert_eq!(cleared.json()["data"]["feedUrls"], json!([]));
    assert_eq!(grounds.logged("platform.update").await, 2);
}

#[db_test]
async fn another_domain_is_to_be_proved_anew(grounds: Grounds) {
    let made = grounds.platform(json!({ "feedUrls": ["https://wire.example/rss"] })).await;
    grounds
        .run("UPDATE platforms SET status = 'verified', verification_method = 'file', verified_at = 5".into())
        .await;
    let same = grounds.change(&made, json!({ "domain": "WIRE.example." })).await.json();
    assert_eq!(
        (&same["data"]["status"], &same["data"]["verification"]),
        (&json!("verified"), &made["verification"])
    );
    let stays = grounds.change(&made, json!({ "domain": "post.example" })).await;
    let wrong = "entry 1 must be on the platform's own host or a subdomain of it";
    assert_eq!(faults(&stays), (400, json!({ "feedUrls": wrong })));
    let body = json!({ "domain": "post.example", "feedUrls": ["https://post.example/rss"] });
    let moved = grounds.change(&made, body).await.json()["data"].clone();
    let state = (&moved["status"], &moved["verificationMethod"], &moved["verifiedAt"]);
    assert_eq!(state, (&json!("pending_verification"), &Value::Null, &Value::Null));
    assert_ne!(moved["verification"]["file"]["content"], made["verification"]["file"]["content"]);
}

#[db_test]
async fn what_is_deleted_is_gone_from_every_answer(grounds: Grounds) {
    let made = grounds.platform(json!({})).await;
    let place = managed(&made);
    let delete = || grounds.home.send(Method::DELETE, &place, None);
    let gone = delete().await;
    assert_eq!((gone.status.as_u16(), gone.body.len()), (204, 0));
    let refused = (404, refused("NOT_FOUND", "Platform not found"));
    assert_eq!(grounds.get(&shown(&made)).await.whole(), refused);
    assert_eq!(delete().await.whole(), refused);
    assert_eq!(grounds.change(&made, json!({ "name": "Again" })).await.whole(), refused);
    assert!(names(&grounds.get(LIST).await).is_empty());
    let kept = grounds.rows("SELECT name FROM platforms").await;
    assert_eq!(
        (kept, grounds.logged("platform.delete").await),
        (vec![vec!["The Wire".to_owned()]], 1)
    );
}

/// Whether each role may read and manage platforms: the lead is in the platform's team.
#[db_test]
async fn a_repeated_request_makes_one_platform(grounds: Grounds) {
    let send = || {
        let request = grounds.home.app.request(Method::POST, CREATE).console(&grounds.home.token);
        request.header("idempotency-key", "once").json(&wire()).send()
    };
    let (first, second) = (send().await, send().await);
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (201, 201));
    assert_eq!(first.body, second.body);
}
