//! An app with licenses, mentions of them, and people who see more or less of both.

use grantor_domain::limit::Limits;
use grantor_storage::StoreUrl;
use grantor_testkit::app::{Answer, TestConfig};
use grantor_testkit::{Engine, Fixture, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Office, pair, post, sign_up, text};

pub(super) const PLATFORM: &str = "0190a5e4-7b3c-7def-8123-0000000000aa";
const OTHER_PLATFORM: &str = "0190a5e4-7b3c-7def-8123-0000000000bb";
pub(super) const UNKNOWN: &str = "0190a5e4-7b3c-7def-8123-456789abcdef";
const JANUARY: i64 = 1_767_225_600_000_000;

/// Ada's organization.
pub(super) struct Gallery {
    pub(super) office: Office,
    /// An external token of Ada's client.
    pub(super) token: String,
    talent: String,
}

impl Fixture for Gallery {
    async fn on(engine: Engine) -> Self {
        let limits = Limits::parse("register=off,anonymous=off,external_free=off").unwrap();
        let office =
            Office::with_config(engine, TestConfig { limits, ..TestConfig::default() }).await;
        let token = text(&office.tokens().await["access_token"]);
        let talents = office.console(Method::GET, "/v1.0.1/talent", &json!({})).await.json();
        let talent = text(&talents["data"]["talents"][0]["talentId"]);
        let gallery = Self { office, token, talent };
        let script = format!(
            "INSERT INTO platforms (platform_id, tenant_id, name, domain, created_at)
               SELECT {}, last_tenant_id, 'The Wire', 'wire.example', 0 FROM users;
             INSERT INTO platforms (platform_id, tenant_id, name, domain, created_at)
               SELECT {}, last_tenant_id, 'The Post', 'post.example', 0 FROM users",
            gallery.id(PLATFORM),
            gallery.id(OTHER_PLATFORM)
        );
        gallery.run(script).await;
        gallery
    }
}

impl Gallery {
    /// An id as the engine writes it.
    pub(super) fn id(&self, id: &str) -> String {
        match self.office.app.database.options.url {
            StoreUrl::Sqlite(_) => format!("unhex('{}')", id.replace('-', "")),
            StoreUrl::Postgres(_) => format!("'{id}'::uuid"),
        }
    }

    pub(super) async fn run(&self, script: String) {
        seed::run(&self.office.app.database.options, script).await;
    }

    pub(super) async fn rows(&self, query: &str) -> Vec<Vec<String>> {
        seed::rows(&self.office.app.database.options, query).await
    }

    /// Makes a license of this status.
    pub(super) async fn license(&self, status: &str) -> String {
        let path = format!("/v1.0.1/org/talent/license/{}", self.talent);
        let body = json!({ "name": "Campaign", "type": "advertising", "status": status });
        let made = self.office.console(Method::POST, &path, &body).await;
        assert_eq!(made.status, 201, "{}", made.json());
        text(&made.json()["data"]["licenseId"])
    }

    pub(super) async fn delete(&self, license: &str) {
        let path = format!("/v1.0.1/org/license/{license}");
        let gone = self.office.console(Method::DELETE, &path, &json!({})).await;
        assert_eq!(gone.status, 204);
    }

    /// Gives a person a right; the path to take it away at.
    pub(super) async fn grant(&self, license: &str, email: &str, role: &str) -> String {
        let path = format!("/v1.0.1/org/license/{license}/permissions");
        let body = json!({ "grantee": { "userEmail": email }, "role": role });
        let made = self.office.console(Method::POST, &path, &body).await;
        assert_eq!(made.status, 201, "{}", made.json());
        format!("{path}/{}", text(&made.json()["data"]["permissionId"]))
    }

    /// Another person, with an external token of a client of theirs.
    pub(super) async fn person(&self, email: &str) -> String {
        let app = &self.office.app;
        let person = text(&sign_up(app, email).await["access_token"]);
        let body = json!({ "name": "Reader", "environment": "production" });
        let request = app.request(Method::POST, super::CLIENTS).console(&person).json(&body);
        let client = request.send().await.json()["data"].clone();
        let tokens = post(app, "/auth/token", &pair(&client)).await.json();
        text(&tokens["data"]["access_token"])
    }

    /// A token of Ada's that opens only this.
    pub(super) async fn scoped(&self, scopes: &[&str]) -> String {
        let client = self.office.make_client(json!({ "permissions": scopes })).await;
        text(&self.office.tokens_of(&client).await["access_token"])
    }

    /// Records a sighting: odd ones on the one platform and new, even ones on the other and
    /// confirmed, each a minute after the one before.
    pub(super) async fn mention(&self, number: u32, license: &str) -> String {
        let id = mention_id(number);
        let odd = number % 2 == 1;
        let (platform, verdict, status) = if odd {
            (PLATFORM, "unlicensed", "new")
        } else {
            (OTHER_PLATFORM, "licensed", "confirmed")
        };
        let found = r#"{"kind":"name","term":"Ada Lovelace","confidence":0.97}"#;
        let seen = JANUARY + i64::from(number) * 60_000_000;
        let script = format!(
            "{}
             INSERT INTO mentions (mention_id, talent_id, tenant_id, platform_id, url, url_key, title,
               excerpt, author, media_type, match, verdict, verdict_reason, status, note,
               published_at, first_seen_at, last_seen_at, revision)
             SELECT {}, talent_id, tenant_id, {}, 'https://wire.example/{number}', 'k{number}',
               'Sighting {number}', 'by Ada Lovelace', NULL, 'text', '{found}', '{verdict}',
               'Strong match', '{status}', NULL, {JANUARY}, {seen}, {seen}, 1
             FROM licenses WHERE license_id = {};
             {}",
            seed::list_all_mentions(&self.office.app.database.options, license),
            self.id(&id),
            self.id(platform),
            self.id(license),
            seed::MARK_MENTIONS,
        );
        self.run(script).await;
        id
    }

    pub(super) async fn get(&self, token: &str, path: &str) -> Answer {
        self.send(token, Method::GET, path, None).await
    }

    pub(super) async fn send(
        &self,
        token: &str,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Answer {
        let request = self.office.app.request(method, path).header("x-request-id", "r-1");
        match body {
            Some(body) => request.bearer(token).json(&body).send().await,
            None => request.bearer(token).send().await,
        }
    }
}

fn mention_id(number: u32) -> String {
    format!("0190a5e4-7b3c-7def-8123-{number:012}")
}

/// The first mention, on the first platform, as who may decide sees it.
pub(super) fn first_mention(license: &str) -> Value {
    json!({
        "id": mention_id(1),
        "license_id": license,
        "platform": { "id": PLATFORM, "name": "The Wire" }, "source": null,
        "url": "https://wire.example/1",
        "title": "Sighting 1",
        "excerpt": "by Ada Lovelace",
        "author": null,
        "media_type": "text",
        "match": {
            "kind": "name", "method": "full_name", "term": "Ada Lovelace", "confidence": 0.97,
        },
        "verdict": "unlicensed",
        "verdict_reason": "Strong match",
        "status": "new",
        "allowed": null, "decided_by": null, "decided_at": null,
        "note": null,
        "published_at": "2026-01-01T00:00:00.000000Z",
        "first_seen_at": "2026-01-01T00:01:00.000000Z",
        "last_seen_at": "2026-01-01T00:01:00.000000Z",
        "revision": 1,
    })
}
