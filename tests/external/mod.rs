//! Authentication to the external API: token exchange and magic links, on both engines.

mod bookmark;
mod check;
mod gallery;
mod image;
mod info;
mod limit;
mod magic_link;
mod mention;
mod profile;
mod refresh;
mod revoke;
mod source;
mod token;

use axum::Json as Reply;
use grantor_api::frame::caller::ApiClient;
use grantor_api::frame::route::{Access, Limit, Route, route};
use grantor_domain::scope::Scope;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture};
use http::Method;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

pub(crate) use self::info::admin_token;

pub(crate) const CLIENTS: &str = "/v1.0.1/org/create/client";
pub(crate) const PROFILE: &str = "/v1.0.1/user/profile";
const PROBE: &str = "/probe/scope";

/// The authenticated caller.
#[derive(Serialize, ToSchema)]
struct Seen {
    client: String,
}

async fn seen(caller: ApiClient) -> Reply<Seen> {
    Reply(Seen { client: caller.caller.name.clone() })
}

/// A route that requires a token with license:read.
pub(crate) fn probe() -> Route {
    let permission = Access::External(Scope::LicenseRead);
    route(Method::GET, PROBE, permission, Limit::Caller, seen, "Tells who came in")
}

/// An app with one user and one API client of theirs. They were created from another address than
/// the tests' requests.
pub(crate) struct Office {
    pub(crate) app: TestApp,
    /// The user's console token.
    pub(crate) person: String,
    /// The client as shown when it was created.
    pub(crate) client: Value,
}

impl Fixture for Office {
    async fn on(engine: Engine) -> Self {
        Self::with_config(engine, TestConfig::default()).await
    }
}

impl Office {
    pub(crate) async fn with_config(engine: Engine, mut config: TestConfig) -> Self {
        config.external.push(probe());
        let app = TestApp::with_config(engine, config).await;
        let login = sign_up(&app, "ada@example.com").await;
        let person = text(&login["access_token"]);
        let mut office = Self { app, person, client: Value::Null };
        office.client = office.make_client(json!({})).await;
        office
    }

    /// Creates an API client with more than a name and an environment.
    pub(crate) async fn make_client(&self, more: Value) -> Value {
        let mut body = json!({ "name": "Crawler", "environment": "production" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let made = self.console(Method::POST, CLIENTS, &body).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()["data"].clone()
    }

    /// Updates the office's client.
    pub(crate) async fn change_client(&self, changes: Value) {
        let path = format!("/v1.0.1/org/client/{}", text(&self.client["clientId"]));
        let changed = self.console(Method::PATCH, &path, &changes).await;
        assert_eq!(changed.status, 200, "{}", changed.json());
    }

    /// A console request of the user.
    pub(crate) async fn console(&self, method: Method, path: &str, body: &Value) -> Answer {
        let request = self.app.request(method, path).header("x-source", "console");
        request.header("authorization", &format!("Bearer {}", self.person)).json(body).send().await
    }

    /// The client's key and secret, in the form of `/auth/token`.
    pub(crate) fn pair(&self) -> Value {
        pair(&self.client)
    }

    /// Exchanges the client's credentials.
    pub(crate) async fn tokens(&self) -> Value {
        self.tokens_of(&self.client).await
    }

    pub(crate) async fn tokens_of(&self, client: &Value) -> Value {
        let answer = post(&self.app, "/auth/token", &pair(client)).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        answer.json()["data"].clone()
    }

    pub(crate) async fn refresh(&self, tokens: &Value) -> Answer {
        let body = json!({ "refresh_token": tokens["refresh_token"] });
        post(&self.app, "/auth/token/refresh", &body).await
    }

    /// A request with an external access token.
    pub(crate) async fn probe(&self, token: &Value) -> Answer {
        let request = self.app.request(Method::GET, PROBE).header("x-request-id", "r-1");
        request.header("authorization", &format!("Bearer {}", text(token))).send().await
    }
}

/// Signs a user up by mail and returns the response to the sign-in.
pub(crate) async fn sign_up(app: &TestApp, email: &str) -> Value {
    let send = |path: &'static str, body: Value| {
        app.request(Method::POST, path).from("192.0.2.1").json(&body).send()
    };
    send("/register", json!({ "email": email, "fullname": "Ada Lovelace" })).await;
    let code = app.mailed_code(email).await;
    let answer = send("/magic-link/verify", json!({ "email": email, "otp": code })).await;
    assert_eq!(answer.status, 200, "{}", answer.json());
    answer.json()["data"].clone()
}

/// A client's key and secret, in the form of `/auth/token`.
pub(crate) fn pair(client: &Value) -> Value {
    let credentials = &client["credentials"];
    json!({ "api_key": credentials["clientId"], "api_secret": credentials["secretKey"] })
}

/// Sends a POST request with the request id r-1.
pub(crate) async fn post(app: &TestApp, path: &str, body: &Value) -> Answer {
    app.request(Method::POST, path).header("x-request-id", "r-1").json(body).send().await
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not text: {value}")).to_owned()
}

/// The body of an error response to request r-1.
pub(crate) fn refused(code: &str, message: &str) -> Value {
    let error = json!({ "code": code, "message": message, "request_id": "r-1" });
    json!({ "success": false, "error": error })
}

/// Like `refused`, with field errors.
pub(crate) fn invalid(details: &Value) -> Value {
    let mut body = refused("VALIDATION_ERROR", "Some fields are not valid");
    body["error"]["details"] = details.clone();
    body
}

fn standing(answer: &Answer) -> [Option<&str>; 3] {
    ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]
        .map(|name| answer.header(name))
}
