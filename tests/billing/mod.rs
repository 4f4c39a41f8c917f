//! Billing: the payment processor, the worker that collects payments, and the monthly quota.

mod dunning;
mod quota;
mod renewal;
mod stripe;

use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_domain::organization::Plan as PaidPlan;
use grantor_service::{App, Context, billing};
use grantor_testkit::app::{Answer, TestConfig};
use grantor_testkit::{Engine, Fixture, seed};
use http::Method;
use serde_json::{Value, json};

use crate::external::{Office, text};

const DAY: Duration = Duration::from_hours(24);
/// From January 1 to February 1, when every test's first month ends.
const MONTH: Duration = Duration::from_hours(31 * 24);

/// A user with an API client and a payment processor.
struct Till(Office);

impl Fixture for Till {
    async fn on(engine: Engine) -> Self {
        Self::with_config(engine, TestConfig::default()).await
    }
}

impl Till {
    /// Like `on`, with a test's own configuration; only the quota is limited.
    async fn with_config(engine: Engine, config: TestConfig) -> Self {
        let open =
            "login=off,register=off,magic_link=off,console=off,external=off,external_token=off";
        let limits = Limits::parse(open).unwrap();
        Self(Office::with_config(engine, TestConfig { limits, ..config }).await)
    }

    async fn send(&self, method: Method, path: &str, body: &Value) -> Answer {
        // Tokens are valid for an hour, but tests run over months.
        let login = self.0.app.request(method, path).console(&self.0.person);
        login.json(body).send().await
    }

    /// Signs in again, because time has passed.
    async fn sign_in(&mut self) {
        let app = &self.0.app;
        app.post("/magic-link", &json!({ "email": "ada@example.com" })).await;
        let code = app.mailed_code("ada@example.com").await;
        let proof = json!({ "email": "ada@example.com", "otp": code });
        let answer = app.post("/magic-link/verify", &proof).await;
        self.0.person = text(&answer.json()["data"]["access_token"]);
    }

    async fn pass(&mut self, time: Duration) {
        self.0.app.clock.advance(time);
        self.sign_in().await;
    }

    async fn card(&self, token: &str) -> Answer {
        self.send(Method::POST, "/v1.0.1/org/card", &json!({ "token": token })).await
    }

    async fn card_id(&self, token: &str) -> Value {
        let added = self.card(token).await;
        assert_eq!(added.status, 201, "{}", added.json());
        added.json()["data"]["cardId"].clone()
    }

    async fn subscribe(&self, plan: PaidPlan, card: &Value) -> Answer {
        let body = json!({ "subscriptionId": plan.id().to_string(), "cardId": card });
        self.send(Method::POST, "/v1.0.1/org/subscribe", &body).await
    }

    /// The plan, the status and the day the paid period ends.
    async fn standing(&self) -> String {
        let answer = self.send(Method::GET, "/v1.0.1/org/subscriptions", &Value::Null).await;
        let now = &answer.json()["data"]["subscription"];
        let id = now["planId"].as_str().unwrap().parse().unwrap();
        let end = now["currentPeriodEnd"].as_str().map_or("never", |it| &it[..10]);
        let next = now["nextPlanId"].as_str().map(|it| it.parse().unwrap());
        let next = next.map(|it| format!(", then {}", PaidPlan::from_id(it).unwrap()));
        let plan = PaidPlan::from_id(id).unwrap();
        format!("{plan} {} {end}{}", now["status"].as_str().unwrap(), next.unwrap_or_default())
    }

    /// Each invoice: amount, status, the day of the payment.
    async fn bills(&self) -> Vec<String> {
        let answer = self.send(Method::GET, "/v1.0.1/org/bill/history", &Value::Null).await;
        let answer = answer.json();
        let bills = answer["data"]["bills"].as_array().unwrap().iter().rev();
        bills
            .map(|it| {
                let paid =
                    it["paidDate"].as_str().map_or(String::new(), |it| format!(" {}", &it[..10]));
                format!("{} {}{paid}", it["amount"], it["status"].as_str().unwrap())
            })
            .collect()
    }

    /// Runs the worker once.
    async fn work(&self) -> u64 {
        let done = work(&self.0.app.app).await;
        // Sends its mails before the next code is mailed.
        self.0.app.app.mailer.send_due(1_000).await.unwrap();
        done
    }

    /// How often the sandbox charged a card, and how often it declined.
    async fn charges(&self) -> [String; 2] {
        let query =
            "SELECT CAST(coalesce(sum(CASE status WHEN 'succeeded' THEN 1 ELSE 0 END), 0) AS text),
             CAST(coalesce(sum(CASE status WHEN 'declined' THEN 1 ELSE 0 END), 0) AS text)
             FROM sandbox_charges";
        let rows = seed::rows(&self.0.app.database.options, query).await;
        [rows[0][0].clone(), rows[0][1].clone()]
    }
}

async fn work(app: &App) -> u64 {
    billing::collect_due(app, &Context::system(app.clock.monotonic())).await.unwrap()
}

fn message(answer: &Answer) -> (u16, String) {
    let body = answer.json();
    let code = body["error"]["code"].as_str().unwrap_or_default();
    let message = body["error"]["message"].as_str().unwrap_or_default();
    (answer.status.as_u16(), format!("{code}: {message} {}", body["error"]["details"]))
}
