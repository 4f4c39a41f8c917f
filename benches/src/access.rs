//! The cost of authentication: exchanging credentials for a token, and verifying a token with and
//! without a cache hit.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::{get, post};
use grantor_api::frame::caller::ApiClient;
use grantor_api::frame::route::{Access, Limit, Route, route};
use grantor_domain::limit::Limits;
use grantor_domain::scope::Scope;
use grantor_storage::Changes;
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::{Engine, seed};
use http::{Method, Request, header};
use serde_json::{Value, json};

use crate::http::compare;
use crate::license::text;
use crate::measure::Outcome;

const PATH: &str = "/probe";

/// Runs the suite.
pub(crate) async fn run() -> Outcome {
    let limits = Limits::parse(
        "external=4000000000/60s,external_token=4000000000/1h,register=off,anonymous=off,open=off",
    )?;
    let config = TestConfig { limits, external: vec![probe()], ..TestConfig::default() };
    let app = TestApp::with_config(Engine::Sqlite, config).await;
    let pair = api_client(&app).await;
    // Counts requests without a limit: the benchmark would use up the quota of a smaller plan.
    let plan = "UPDATE tenants SET plan = 'Enterprise'".to_owned();
    seed::run(&app.database.options, plan).await;
    let exchanged = app.post("/auth/token", &pair).await;
    let size = exchanged.body.len();
    let bearer = format!("Bearer {}", text(&exchanged.json()["data"]["access_token"]));

    let body = Bytes::from(exchanged.body);
    let bare = Router::new().route("/auth/token", post(move || async move { body }));
    let build = || {
        let request = Request::post("/auth/token").header(header::CONTENT_TYPE, "application/json");
        request.body(Body::from(pair.to_string()))
    };
    compare(&format!("POST /auth/token ({size} bytes)"), [&app.router(), &bare], build).await?;

    let bare = Router::new().route(PATH, get(|| async { "probe" }));
    let build = || Request::get(PATH).header(header::AUTHORIZATION, &bearer).body(Body::empty());
    compare("GET with a cached token", [&app.router(), &bare], build).await?;
    let build = || {
        app.app.access.after_commit(&Changes::all());
        Request::get(PATH).header(header::AUTHORIZATION, &bearer).body(Body::empty())
    };
    compare("GET with a token that is not cached", [&app.router(), &bare], build).await
}

fn probe() -> Route {
    let permission = Access::External(Scope::LicenseRead);
    route(Method::GET, PATH, permission, Limit::Caller, answer, "Answers")
}

async fn answer(_: ApiClient) -> axum::Json<&'static str> {
    axum::Json("probe")
}

/// Registers a user and creates an API client. Returns its key and secret.
pub(crate) async fn api_client(app: &TestApp) -> Value {
    let (email, password) = ("ada@example.com", "Analytical-Engine-1843");
    let entered = json!({ "fullname": "Ada Lovelace", "email": email, "password": password });
    let registered = app.post("/v1.0.1/auth/m/register", &entered).await.json();
    let code = app.mailed_code(email).await;
    let proof = json!({ "otpSession": registered["data"]["otpSession"], "otp": code });
    app.post("/v1.0.1/auth/validate/registration", &proof).await;
    let login = app.sign_in(email, password).await;
    let body = json!({ "name": "Bench", "environment": "development" });
    let request = app.request(Method::POST, "/v1.0.1/org/create/client");
    let made = request.console(text(&login["accessToken"])).json(&body).send().await.json();
    let pair = &made["data"]["credentials"];
    json!({ "api_key": pair["clientId"], "api_secret": pair["secretKey"] })
}
