//! The console API: every documented request, response and error, on both engines.

mod admin;
mod billing;
mod bounds;
mod card;
mod catalog_picture;
mod client;
mod client_rotation;
mod expiry;
mod image;
mod image_sweep;
mod invitation;
mod likeness;
mod local_feature;
mod log;
mod membership;
mod organization;
mod password;
mod pax;
mod platform;
mod platform_reach;
mod pod;
mod profile;
mod reach;
mod registration;
pub(crate) mod scan;
mod scanner_request;
mod second_factor;
mod session;
mod staff_lists;
mod suspension;
mod talent_invitation;
mod team;
mod team_member;
mod template;
mod token;
mod upload;
mod verification;
mod verification_reach;

use axum::Json;
use grantor_api::frame::caller::ApiClient;
use grantor_api::frame::route::{Access, Limit, Route, route};
use grantor_domain::limit::Limits;
use grantor_domain::scope::Scope;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, seed};
use http::Method;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

const PROFILE: &str = "/v1.0.1/user/profile";
pub(crate) const PASSWORD: &str = "Analytical-Engine-1843";

fn entered(email: &str, organization: &str) -> Value {
    json!({
        "fullname": "Ada Lovelace",
        "email": email,
        "password": PASSWORD,
        "organization": { "name": organization, "type": "Agency", "description": "Talents" },
    })
}

pub(crate) fn refused(code: &str, message: &str) -> Value {
    json!({ "error": { "code": code, "message": message, "details": {} }, "status": "error" })
}

/// Registers a user, verifies the address, and returns the response of the verification.
pub(crate) async fn account(app: &TestApp, email: &str, organization: &str) -> Answer {
    let begun = app.post("/v1.0.1/auth/register", &entered(email, organization)).await;
    let session = begun.json()["data"]["otpSession"].clone();
    let code = app.mailed_code(email).await;
    prove(app, &session, &code).await
}

async fn prove(app: &TestApp, session: &Value, code: &str) -> Answer {
    let body = json!({ "otpSession": session, "otp": code });
    app.post("/v1.0.1/auth/validate/registration", &body).await
}

/// The invalid fields of the first error, with their messages.
pub(crate) fn faults(answer: &Answer) -> (u16, Value) {
    let (status, body) = answer.whole();
    assert_eq!(body["error"]["code"], "VALIDATION_ERROR");
    (status, body["error"]["details"].clone())
}

/// The status and code of an error response.
fn refusal(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.json()["error"]["code"].as_str().unwrap().to_owned())
}

/// An app with one account that is signed in, and a route for API clients.
struct Home {
    app: TestApp,
    token: String,
}

impl Fixture for Home {
    async fn on(engine: Engine) -> Self {
        Self::with_config(engine, TestConfig::default()).await
    }
}

impl Home {
    /// Like `on`, with a test's own configuration, except for limits and routes.
    async fn with_config(engine: Engine, config: TestConfig) -> Self {
        let limits = Limits::parse("login=off,register=off").unwrap();
        let external = vec![probe()];
        let app = TestApp::with_config(engine, TestConfig { limits, external, ..config }).await;
        assert_eq!(account(&app, "ada@example.com", "Babbage Talent").await.status, 201);
        let token = access(&app.sign_in("ada@example.com", PASSWORD).await);
        Self { app, token }
    }
}

impl Home {
    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.send_as(&self.token, method, path, body).await
    }

    async fn send_as(
        &self,
        token: &str,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Answer {
        let request = self.app.request(method, path).console(token);
        match body {
            Some(body) => request.json(&body).send().await,
            None => request.send().await,
        }
    }

    /// Creates an API client and returns it as the response shows it.
    async fn client(&self, body: Value) -> Value {
        let made = self.send(Method::POST, "/v1.0.1/org/create/client", Some(body)).await;
        assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.body));
        made.json()["data"].clone()
    }

    /// An API client with all scopes.
    async fn any_client(&self) -> Value {
        self.client(json!({ "name": "Importer", "environment": "production" })).await
    }

    /// Creates another user with this role in the same organization, and signs them in.
    async fn colleague(&self, role: &str) -> String {
        account(&self.app, "colleague@example.com", "Another Agency").await;
        let email = "colleague@example.com";
        seed::move_into(&self.app.database.options, email, "Babbage Talent", role).await;
        access(&self.app.sign_in(email, PASSWORD).await)
    }
}

/// The access token in the response to a sign-in.
pub(crate) fn access(data: &Value) -> String {
    data["accessToken"].as_str().unwrap().to_owned()
}

/// Exchanges a client's credentials as the console document specifies.
async fn exchange(app: &TestApp, client: &Value) -> Answer {
    let [key, secret] = pair(client);
    app.request(Method::POST, "/v1.0.1/auth/token").basic(&key, &secret).send().await
}

/// A client's key and secret.
fn pair(client: &Value) -> [String; 2] {
    ["clientId", "secretKey"].map(|it| client["credentials"][it].as_str().unwrap().to_owned())
}

/// Calls a route with an external token.
async fn probed(app: &TestApp, token: &str) -> Answer {
    app.request(Method::GET, "/probe/client").bearer(token).send().await
}

#[derive(Serialize, ToSchema)]
struct Probe {
    client: String,
    scopes: String,
}

/// An external route that requires the scope to read licenses.
fn probe() -> Route {
    let permission = Access::External(Scope::LicenseRead);
    route(Method::GET, "/probe/client", permission, Limit::Caller, show, "Shows the caller")
}

async fn show(ApiClient { caller, .. }: ApiClient) -> Json<Probe> {
    Json(Probe { client: caller.client.to_string(), scopes: caller.scopes.to_string() })
}
