//! What it costs to come in: an exchange of credentials, and a token on each request, remembered
//! and looked up anew.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::{get, post};
use grantor_api::frame::caller::Integration;
use grantor_api::frame::route::{Limit, Permission, Route, route};
use grantor_domain::limit::Limits;
use grantor_domain::scope::Scope;
use grantor_storage::Changes;
use grantor_testkit::app::{Plan, TestApp};
use grantor_testkit::{Engine, seed};
use http::{Method, Request, header};
use serde_json::{Value, json};

use crate::http::beside;
use crate::license::text;
use crate::measure::Outcome;

const PATH: &str = "/probe";

/// Runs all of it.
pub(crate) async fn run() -> Outcome {
    let limits = Limits::parse(
        "external=4000000000/60s,external_token=4000000000/1h,register=off,anonymous=off,open=off",
    )?;
    let plan = Plan { limits, external: vec![probe()], ..Plan::default() };
    let app = TestApp::planned(Engine::Sqlite, plan).await;
    let pair = api_client(&app).await;
    // Counted, and without an end: the month of a smaller plan is over in seconds here.
    let plan = "UPDATE tenants SET plan = 'Enterprise'".to_owned();
    seed::run(&app.database.options, plan).await;
    let exchanged = app.post("/auth/token", &pair).await;
    let size = exchanged.body.len();
    let bearer = format!("Bearer {}", text(&exchanged.json()["data"]["access_token"]));

    let body = Bytes::from(exchanged.body);
    let bare = Router::new().route("/auth/token", post(move || async move { body }));
    let ask = || {
        let request = Request::post("/auth/token").header(header::CONTENT_TYPE, "application/json");
        request.body(Body::from(pair.to_string()))
    };
    beside(&format!("POST /auth/token ({size} bytes)"), [&app.router(), &bare], ask).await?;

    let bare = Router::new().route(PATH, get(|| async { "probe" }));
    let ask = || Request::get(PATH).header(header::AUTHORIZATION, &bearer).body(Body::empty());
    beside("GET with a remembered token", [&app.router(), &bare], ask).await?;
    let ask = || {
        app.app.access.follow(&Changes::everything());
        Request::get(PATH).header(header::AUTHORIZATION, &bearer).body(Body::empty())
    };
    beside("GET with a token looked up anew", [&app.router(), &bare], ask).await
}

fn probe() -> Route {
    let permission = Permission::External(Scope::LicenseRead);
    route(Method::GET, PATH, permission, Limit::Caller, answer, "Answers")
}

async fn answer(_: Integration) -> axum::Json<&'static str> {
    axum::Json("probe")
}

/// The pair of an API client, got as a person would.
pub(crate) async fn api_client(app: &TestApp) -> Value {
    let (email, password) = ("ada@example.com", "Analytical-Engine-1843");
    let entered = json!({ "fullname": "Ada Lovelace", "email": email, "password": password });
    let begun = app.post("/v1.0.1/auth/m/register", &entered).await.json();
    let code = app.mailed_code(email).await;
    let proof = json!({ "otpSession": begun["data"]["otpSession"], "otp": code });
    app.post("/v1.0.1/auth/validate/registration", &proof).await;
    let login = app.sign_in(email, password).await;
    let body = json!({ "name": "Bench", "environment": "development" });
    let request = app.request(Method::POST, "/v1.0.1/org/create/client");
    let made = request.console(text(&login["accessToken"])).json(&body).send().await.json();
    let pair = &made["data"]["credentials"];
    json!({ "api_key": pair["clientId"], "api_secret": pair["secretKey"] })
}
