//! Sharing a license with an address: who shares learns nothing of accounts (contract-2 section 27).

use grantor_domain::limit::Limits;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;
use serde_json::{Value, json};

use super::{Member, PASSWORD, World, page, refusal, text};

/// Somebody with an account, and nobody; the addresses are as long as each other.
const KNOWN: &str = "bea@example.com";
const UNKNOWN: &str = "bob@example.com";

impl World {
    async fn share(&self, license: &str, email: &str) -> Answer {
        self.grant_to(license, json!({ "userEmail": email }), "viewer").await
    }

    /// The permissions on a license as its owner sees them.
    async fn shares(&self, license: &str) -> Value {
        let path = format!("/org/license/{license}/permissions");
        self.agency.console(&self.app, Method::GET, &path, None).await.json()
    }

    async fn unshare(&self, license: &str, shared: &Answer) -> Answer {
        let id = text(&shared.json()["data"]["permissionId"]);
        let path = format!("/org/license/{license}/permissions/{id}");
        self.agency.console(&self.app, Method::DELETE, &path, None).await
    }

    async fn accept(&self, token: &str, more: Value) -> Answer {
        let mut body = json!({ "token": token });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.app.post("/v1.0.1/auth/accept/invitation", &body).await
    }

    /// All that whoever shares gets to see: answers, events and the log, of one share from its
    /// beginning to its end, without what is drawn anew each time.
    async fn seen(&self, grantee: Value, name: &str) -> String {
        let id = self.license(json!({})).await;
        let events = self.get("/events").await.json()["next_cursor"].clone();
        let shared = self.grant_to(&id, grantee.clone(), "viewer").await;
        let again = self.grant_to(&id, grantee, "trustee").await;
        let listed = self.shares(&id).await;
        self.patch(&id, json!({ "title": "Spring" })).await;
        let gone = self.unshare(&id, &shared).await;
        let events = self.get(&format!("/events?after={}", text(&events))).await.json();
        let path = "/console/logs?action=permission.grant&limit=1";
        let logged = self.agency.console(&self.app, Method::GET, path, None).await.json();
        let all = [
            shared.json().to_string(),
            again.json().to_string(),
            listed.to_string(),
            gone.status.to_string(),
            events.to_string(),
            logged.to_string(),
        ];
        anonymous(&all.join("\n"), name)
    }
}

/// The text without addresses, ids, instants and numbers that count on.
fn anonymous(text: &str, name: &str) -> String {
    let text = text.replace(name, "(name)");
    let words = text.split(|it: char| !(it.is_ascii_alphanumeric() || "-_()".contains(it)));
    let drawn = |it: &str| it.len() == 36 || it.starts_with("2026-") || it.parse::<u64>().is_ok();
    let words: Vec<_> = words.map(|it| if drawn(it) { "(drawn)" } else { it }).collect();
    words.join(" ")
}

#[db_test]
async fn who_shares_sees_no_difference_between_known_and_unknown(world: World) {
    let known = world.seen(json!({ "userEmail": KNOWN }), KNOWN).await;
    let unknown = world.seen(json!({ "userEmail": UNKNOWN }), UNKNOWN).await;
    assert_eq!(known, unknown);
    assert!(known.contains("pending") && known.contains("RESOURCE_EXISTS"), "{known}");
    // The control: the same look tells an organization from none.
    let id = world.license(json!({})).await;
    let brand = world.grant(&id, "viewer").await.status;
    let none = json!({ "organizationId": "018f3f9e-0000-7000-8000-000000000001" });
    assert_ne!(world.grant_to(&id, none, "viewer").await.status, brand);
}

#[db_test]
async fn an_account_has_it_at_once_and_is_pending_until_it_accepts(world: World) {
    let id = world.license(json!({})).await;
    let shared = world.share(&id, "Bea@Example.com").await;
    let pending = json!({
        "permissionId": shared.json()["data"]["permissionId"],
        "grantee": { "userEmail": "Bea@Example.com" },
        "role": "viewer", "status": "pending", "source": "permission",
        "createdAt": "2026-01-01T00:00:01.000000Z",
    });
    let said = "Invitation sent";
    let body = json!({ "data": pending, "message": said, "status": "success" });
    assert_eq!(shared.whole(), (201, body));
    let see = || world.brand.external(&world.app, Method::GET, "/licenses", None);
    assert_eq!(page(&see().await).1, 1, "it is shared already");
    assert_eq!(world.shares(&id).await["data"]["permissions"], json!([pending]));
    let token = world.app.mailed_token("Bea@Example.com").await;
    let accepted = world.accept(&token, json!({})).await;
    assert_eq!(accepted.status, 201, "{}", accepted.json());
    let listed = world.shares(&id).await["data"]["permissions"][0].clone();
    assert_eq!(listed["status"], "accepted");
    let told = world.get("/events").await.json()["data"].as_array().unwrap().clone();
    let told: Vec<_> = told.iter().filter(|it| it["type"] == "permission.granted").collect();
    assert_eq!(told[0]["data"]["permission"]["grantee_id"], Value::Null);
    assert_eq!(
        told[1]["data"]["permission"]["grantee_id"],
        accepted.json()["data"]["userId"],
        "who accepted is known"
    );
    assert_eq!(
        refusal(&world.accept(&token, json!({})).await),
        (400, "INVALID_SESSION".to_owned())
    );
}

#[db_test]
async fn what_waits_for_an_address_is_there_with_its_account(world: World) {
    let (one, two) = (world.license(json!({})).await, world.license(json!({})).await);
    let mut token = String::new();
    for id in [&one, &two] {
        assert_eq!(world.share(id, UNKNOWN).await.status, 201);
        token = world.app.mailed_token(UNKNOWN).await;
    }
    let bob = Member::join(&world.app, UNKNOWN, Some("Brand")).await;
    let see = || bob.external(&world.app, Method::GET, "/licenses", None);
    assert_eq!(page(&see().await).1, 2);
    let shares = world.shares(&two).await["data"]["permissions"][0]["status"].clone();
    assert_eq!(shares, "pending", "signing up tells nothing");
    assert_eq!(world.accept(&token, json!({})).await.status, 201);
    let shares = world.shares(&two).await["data"]["permissions"][0]["status"].clone();
    assert_eq!(shares, "accepted");
}

#[db_test]
async fn accepting_makes_an_account_where_there_is_none(world: World) {
    let id = world.license(json!({ "status": "draft" })).await;
    assert_eq!(world.share(&id, UNKNOWN).await.status, 201);
    let token = world.app.mailed_token(UNKNOWN).await;
    let missing = world.accept(&token, json!({})).await;
    assert_eq!(refusal(&missing), (400, "VALIDATION_ERROR".to_owned()));
    let person = json!({ "fullname": "Bob Moog", "password": PASSWORD });
    let accepted = world.accept(&token, person).await;
    assert_eq!(accepted.status, 201, "{}", accepted.json());
    assert_eq!(accepted.json()["data"]["role"], "viewer");
    assert!(world.app.sign_in(UNKNOWN, PASSWORD).await["accessToken"].is_string());
    assert_eq!(world.shares(&id).await["data"]["permissions"][0]["status"], "accepted");
}

#[db_test]
async fn what_was_taken_back_waits_for_nobody(world: World) {
    let id = world.license(json!({})).await;
    let shared = world.share(&id, UNKNOWN).await;
    let token = world.app.mailed_token(UNKNOWN).await;
    assert_eq!(world.unshare(&id, &shared).await.status, 204);
    assert_eq!(
        refusal(&world.accept(&token, json!({})).await),
        (400, "INVALID_SESSION".to_owned())
    );
    let bob = Member::join(&world.app, UNKNOWN, None).await;
    let seen = bob.external(&world.app, Method::GET, "/licenses", None).await;
    assert_eq!(page(&seen).1, 0);
    assert_eq!(world.shares(&id).await["data"]["permissions"], json!([]));
}

/// The same people where mail to one address is bounded, and nothing else.
struct LimitedResource(World);

impl Fixture for LimitedResource {
    async fn on(engine: Engine) -> Self {
        let limits = Limits::off().changed("mail_sender=3/1h").unwrap();
        let app =
            TestApp::with_config(engine, TestConfig { limits, ..TestConfig::default() }).await;
        Self(World::in_app(app).await)
    }
}

#[db_test]
async fn nobody_is_written_to_without_end(bounded: LimitedResource) {
    let LimitedResource(world) = bounded;
    for (email, status) in [(KNOWN, 201), (UNKNOWN, 201)].into_iter().cycle().take(6) {
        let id = world.license(json!({})).await;
        assert_eq!(world.share(&id, email).await.status, status, "{email}");
    }
    let id = world.license(json!({})).await;
    let refused = [world.share(&id, KNOWN).await, world.share(&id, UNKNOWN).await];
    for answer in &refused {
        assert_eq!(refusal(answer), (429, "RATE_LIMIT_EXCEEDED".to_owned()));
    }
    assert_eq!(world.shares(&id).await["data"]["permissions"], json!([]));
}
