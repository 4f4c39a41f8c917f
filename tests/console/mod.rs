//! The console API: every documented request, answer and error, on both engines.

mod admin;
mod billing;
mod bounds;
mod card;
mod client;
mod client_rotation;
mod expiry;
mod image;
mod image_sweep;
mod invitation;
mod likeness;
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
mod scan;
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
use grantor_api::frame::caller::Integration;
use grantor_api::frame::route::{Limit, Permission, Route, route};
use grantor_domain::limit::Limits;
use grantor_domain::scope::Scope;
use grantor_testkit::app::{Answer, Plan, TestApp};
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

/// Registers and proves an address; gives the answer to the proof.
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

/// The fields of the first error that are wrong, with what is wrong about each.
pub(crate) fn faults(answer: &Answer) -> (u16, Value) {
    let (status, body) = answer.whole();
    assert_eq!(body["error"]["code"], "VALIDATION_ERROR");
    (status, body["error"]["details"].clone())
}

/// Status and code of a refusal.
fn refusal(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.json()["error"]["code"].as_str().unwrap().to_owned())
}

/// A house with one account that is signed in, and a route for API clients.
struct Home {
    app: TestApp,
    token: String,
}

impl Fixture for Home {
    async fn on(engine: Engine) -> Self {
        Self::planned(engine, Plan::default()).await
    }
}

impl Home {
    /// The same after a test's own plan, but for limits and routes.
    async fn planned(engine: Engine, plan: Plan) -> Self {
        let limits = Limits::parse("login=off,register=off").unwrap();
        let external = vec![probe()];
        let app = TestApp::planned(engine, Plan { limits, external, ..plan }).await;
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

    /// Makes an API client; gives it as the answer shows it.
    async fn client(&self, body: Value) -> Value {
        let made = self.send(Method::POST, "/v1.0.1/org/create/client", Some(body)).await;
        assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.body));
        made.json()["data"].clone()
    }

    /// An API client that may do everything.
    async fn any_client(&self) -> Value {
        self.client(json!({ "name": "Importer", "environment": "production" })).await
    }

    /// Makes another person of this role in the same organization, and signs them in.
    async fn colleague(&self, role: &str) -> String {
        account(&self.app, "colleague@example.com", "Another Agency").await;
        let email = "colleague@example.com";
        seed::move_into(&self.app.database.options, email, "Babbage Talent", role).await;
        access(&self.app.sign_in(email, PASSWORD).await)
    }
}

/// The access token in what a sign-in gave.
fn access(data: &Value) -> String {
    data["accessToken"].as_str().unwrap().to_owned()
}

/// Exchanges a client's pair as the console document says.
async fn exchange(app: &TestApp, client: &Value) -> Answer {
    let [key, secret] = pair(client);
    app.request(Method::POST, "/v1.0.1/auth/token").basic(&key, &secret).send().await
}

/// Both halves of a client's pair.
fn pair(client: &Value) -> [String; 2] {
    ["clientId", "secretKey"].map(|it| client["credentials"][it].as_str().unwrap().to_owned())
}

/// What an external token opens.
async fn probed(app: &TestApp, token: &str) -> Answer {
    app.request(Method::GET, "/probe/client").bearer(token).send().await
}

#[derive(Serialize, ToSchema)]
struct Probe {
    client: String,
    scopes: String,
}

/// An external route, open to whoever may read licenses.
fn probe() -> Route {
    let permission = Permission::External(Scope::LicenseRead);
    route(Method::GET, "/probe/client", permission, Limit::Caller, show, "Shows the caller")
}

async fn show(Integration { caller, .. }: Integration) -> Json<Probe> {
    Json(Probe { client: caller.client.to_string(), scopes: caller.scopes.to_string() })
}
