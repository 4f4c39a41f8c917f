//! Licenses on both APIs: visibility, order, and the effects of changes.

mod change;
mod console;
mod event;
mod expiry;
mod image;
mod index;
mod list;
mod lookup;
mod members;
mod own;
mod parameters;
mod permission;
mod race;
mod role;
mod share;
mod sighting;
mod talent;

use grantor_domain::limit::Limits;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture};
use http::Method;
use serde_json::{Value, json};

pub(crate) const PASSWORD: &str = "Analytical-Engine-1843";

/// An app with an agency that has one talent, and a brand; without rate limits.
pub(crate) struct World {
    pub(crate) app: TestApp,
    pub(crate) agency: Member,
    pub(crate) brand: Member,
    /// The agency's talent.
    pub(crate) talent: String,
}

/// A user with both kinds of token.
pub(crate) struct Member {
    pub(crate) email: &'static str,
    pub(crate) console: String,
    pub(crate) external: String,
    pub(crate) organization: String,
    /// The credentials for the external token.
    pub(crate) pair: Value,
}

impl Fixture for World {
    async fn on(engine: Engine) -> Self {
        let config = TestConfig { limits: Limits::off(), ..TestConfig::default() };
        Self::in_app(TestApp::with_config(engine, config).await).await
    }
}

impl World {
    /// The same users in a given app.
    pub(crate) async fn in_app(app: TestApp) -> Self {
        let agency = Member::join(&app, "ada@example.com", Some("Agency")).await;
        let brand = Member::join(&app, "bea@example.com", Some("Brand")).await;
        let body = json!({ "fullname": "Grâce Hopper", "aliases": ["Amazing Grace"] });
        let made = agency.console(&app, Method::POST, "/org/talent", Some(body)).await;
        let talent = text(&made.json()["data"]["talentId"]);
        Self { app, agency, brand, talent }
    }

    /// Creates a license of the agency and returns its id. Each is a second newer than the previous
    /// one.
    pub(crate) async fn license(&self, more: Value) -> String {
        self.app.clock.advance(std::time::Duration::from_secs(1));
        let made = self.create(more).await;
        assert_eq!(made.status, 201, "{}", made.json());
        text(&made.json()["data"]["licenseId"])
    }

    pub(crate) async fn create(&self, more: Value) -> Answer {
        let mut body = json!({ "name": "Winter", "type": "advertising", "status": "private" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let path = format!("/org/talent/license/{}", self.talent);
        self.agency.console(&self.app, Method::POST, &path, Some(body)).await
    }

    /// Sends a GET request as the agency's client.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.agency.external(&self.app, Method::GET, path, None).await
    }

    pub(crate) async fn patch(&self, id: &str, body: Value) -> Answer {
        self.agency.external(&self.app, Method::PATCH, &format!("/licenses/{id}"), Some(body)).await
    }

    /// Grants the brand a permission.
    pub(crate) async fn grant(&self, license: &str, role: &str) -> Answer {
        let grantee = json!({ "organizationId": self.brand.organization });
        self.grant_to(license, grantee, role).await
    }

    pub(crate) async fn grant_to(&self, license: &str, grantee: Value, role: &str) -> Answer {
        let path = format!("/org/license/{license}/permissions");
        let body = json!({ "grantee": grantee, "role": role });
        self.agency.console(&self.app, Method::POST, &path, Some(body)).await
    }
}

impl Member {
    pub(crate) async fn join(app: &TestApp, email: &'static str, kind: Option<&str>) -> Self {
        let mut body = json!({ "fullname": "Ada Lovelace", "email": email, "password": PASSWORD });
        let mut path = "/v1.0.1/auth/m/register";
        if let Some(kind) = kind {
            path = "/v1.0.1/auth/register";
            body["organization"] = json!({ "name": format!("{kind} of {email}"), "type": kind });
        }
        let begun = app.post(path, &body).await.json();
        let code = app.mailed_code(email).await;
        let proof = json!({ "otpSession": begun["data"]["otpSession"], "otp": code });
        app.post("/v1.0.1/auth/validate/registration", &proof).await;
        let console = text(&app.sign_in(email, PASSWORD).await["accessToken"]);
        let mut member = Self {
            email,
            console,
            external: String::new(),
            organization: String::new(),
            pair: Value::Null,
        };
        let own = member.console(app, Method::GET, "/org/information", None).await;
        member.organization = text(&own.json()["data"]["organizationId"]);
        let client = json!({ "name": "Feed", "environment": "production" });
        let made = member.console(app, Method::POST, "/org/create/client", Some(client)).await;
        let pair = &made.json()["data"]["credentials"];
        member.pair = json!({ "api_key": pair["clientId"], "api_secret": pair["secretKey"] });
        member.external = member.renewed(app).await;
        member
    }

    /// Gets another external token, after the first has expired.
    pub(crate) async fn renewed(&self, app: &TestApp) -> String {
        text(&app.post("/auth/token", &self.pair).await.json()["data"]["access_token"])
    }

    pub(crate) async fn console(
        &self,
        app: &TestApp,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Answer {
        let request = app.request(method, &format!("/v1.0.1{path}")).console(&self.console);
        match body {
            Some(body) => request.json(&body).send().await,
            None => request.send().await,
        }
    }

    pub(crate) async fn external(
        &self,
        app: &TestApp,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Answer {
        let request = app.request(method, path).bearer(&self.external);
        match body {
            Some(body) => request.json(&body).send().await,
            None => request.send().await,
        }
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

/// The titles of a page, and the total.
fn page(answer: &Answer) -> (Vec<String>, u64) {
    let body = answer.json();
    assert_eq!(answer.status, 200, "{body}");
    let titles = body["data"].as_array().unwrap().iter().map(|it| text(&it["title"])).collect();
    (titles, body["pagination"]["total"].as_u64().unwrap())
}

/// The status and code of an error response.
fn refusal(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), text(&answer.json()["error"]["code"]))
}
