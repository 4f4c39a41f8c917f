//! Every way in, walked once, with every secret that was seen on it.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use grantor_domain::admin::AdminRole;
use grantor_domain::email::Email;
use grantor_domain::limit::Limits;
use grantor_domain::person::FullName;
use grantor_domain::secret::find_leaked;
use grantor_service::Context;
use grantor_service::operations::admin;
use grantor_testkit::Engine;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use http::Method;
use serde_json::{Value, json};

use super::super::PASSWORD;
use crate::external::{CLIENTS, text};
use crate::web::factor::{enter_password, give_app};

const ADA: &str = "ada@example.com";
const SECOND: &str = "Difference-Engine-1822";
const THIRD: &str = "Jacquard-Loom-1804";

/// Secrets, each with where it came from.
#[derive(Default)]
pub(super) struct Secrets {
    /// Such as cannot stand anywhere by chance.
    pub(super) long: Vec<(String, String)>,
    /// Codes of six digits.
    pub(super) codes: Vec<(String, String)>,
}

struct Walk {
    app: TestApp,
    secrets: Secrets,
    bearer: String,
}

/// Walks every flow in a fresh app.
pub(super) async fn every_flow(engine: Engine) -> (TestApp, Secrets) {
    let allowed = "127.0.0.0/8".parse().unwrap();
    let config = TestConfig { limits: Limits::off(), allowed, ..TestConfig::default() };
    let app = TestApp::with_config(engine, config).await;
    let mut walk = Walk { app, secrets: Secrets::default(), bearer: String::new() };
    for password in [PASSWORD, SECOND, THIRD, "Wrong-Guess-1999"] {
        walk.secrets.long.push(("password".to_owned(), password.to_owned()));
    }
    walk.passwords().await;
    walk.links().await;
    walk.second_factors().await;
    walk.clients().await;
    walk.staff().await;
    let waits = json!({ "fullname": "Waiting", "email": "w@example.com", "password": PASSWORD });
    walk.post("/v1.0.1/auth/m/register", &waits).await;
    walk.code("w@example.com").await;
    (walk.app, walk.secrets)
}

impl Walk {
    /// Sends, and keeps whatever in the answer is secret.
    async fn send(&mut self, method: Method, path: &str, body: &Value) -> Answer {
        let request = self.app.request(method, path).header("x-source", "console");
        let request = request.header("idempotency-key", "the-same-key");
        let request = request.header("authorization", &self.bearer).json(body);
        let answer = request.send().await;
        let body = if answer.body.is_empty() { Value::Null } else { answer.json() };
        self.keep(path, &body);
        answer
    }

    async fn post(&mut self, path: &str, body: &Value) -> Value {
        self.send(Method::POST, path, body).await.json()["data"].clone()
    }

    fn keep(&mut self, path: &str, value: &Value) {
        match value {
            Value::Object(members) => {
                members.iter().for_each(|(name, it)| self.keep(&format!("{path} {name}"), it));
            }
            Value::Array(items) => items.iter().for_each(|it| self.keep(path, it)),
            Value::String(text) => {
                if !find_leaked(text).is_empty() || text.starts_with("eyJ") {
                    self.secrets.long.push((path.to_owned(), text.clone()));
                }
                if let Some(signature) = text.starts_with("eyJ").then(|| text.rsplit('.').next()) {
                    let signature = signature.unwrap().to_owned();
                    self.secrets.long.push((format!("{path} signature"), signature));
                }
            }
            _ => {}
        }
    }

    /// The code that was mailed last.
    async fn code(&mut self, email: &str) -> String {
        let code = self.app.mailed_code(email).await;
        self.secrets.codes.push((email.to_owned(), code.clone()));
        code
    }

    /// The token that was mailed last.
    async fn token(&mut self, email: &str) -> String {
        let token = self.app.mailed_token(email).await;
        self.secrets.long.push((format!("mail to {email}"), token.clone()));
        token
    }

    async fn passwords(&mut self) {
        let entered = json!({ "fullname": "Ada Lovelace", "email": ADA, "password": PASSWORD });
        let begun = self.post("/v1.0.1/auth/m/register", &entered).await;
        self.code(ADA).await;
        self.app.clock.advance(Duration::from_mins(1));
        let path = format!("/v1.0.1/auth/resend/otp/{}", text(&begun["otpSession"]));
        assert_eq!(self.send(Method::PUT, &path, &json!({})).await.status, 200);
        let code = self.code(ADA).await;
        let proof = json!({ "otpSession": begun["otpSession"], "otp": code });
        assert!(
            self.post("/v1.0.1/auth/validate/registration", &proof).await["userId"].is_string()
        );
        self.login("Wrong-Guess-1999").await;
        let login = self.login(PASSWORD).await;
        self.bearer = format!("Bearer {}", text(&login["accessToken"]));
        let renewal = json!({ "refreshToken": login["refreshToken"] });
        let renewed = self.post("/v1.0.1/auth/refresh/token", &renewal).await;
        let other = json!({ "password": PASSWORD, "newPassword": SECOND });
        let path = "/v1.0.1/user/change/password";
        assert_eq!(self.send(Method::PATCH, path, &other).await.status, 200);
        self.post("/v1.0.1/auth/logout", &json!({ "refreshToken": renewed["refreshToken"] })).await;
        // Mails sent at the same time have no order.
        self.app.clock.advance(Duration::from_secs(1));
        let forgot = self.post("/v1.0.1/auth/forgot/password", &json!({ "email": ADA })).await;
        let code = self.code(ADA).await;
        self.token(ADA).await;
        let reset =
            json!({ "otpSession": forgot["otpSession"], "otp": code, "newPassword": THIRD });
        self.post("/v1.0.1/auth/reset/password", &reset).await;
        let login = self.login(THIRD).await;
        self.bearer = format!("Bearer {}", text(&login["accessToken"]));
    }

    async fn login(&mut self, password: &str) -> Value {
        let body = json!({ "username": ADA, "password": password });
        self.post("/v1.0.1/auth/login", &body).await
    }

    async fn links(&mut self) {
        let grace = json!({ "email": "grace@example.com", "fullname": "Grace Hopper" });
        self.post("/register", &grace).await;
        let (_, token) =
            (self.code("grace@example.com").await, self.token("grace@example.com").await);
        self.app.get(&format!("/app/magic?token={token}")).await;
        let login = self.post("/magic-link/verify", &json!({ "token": token })).await;
        assert!(login["access_token"].is_string());
        self.post("/magic-link", &json!({ "email": ADA })).await;
        let (code, _) = (self.code(ADA).await, self.token(ADA).await);
        let login = self.post("/magic-link/verify", &json!({ "email": ADA, "otp": code })).await;
        assert!(login["access_token"].is_string());
        // The mistakes people make: the right secret in the wrong place.
        let misplaced = json!({ "username": THIRD, "password": ADA });
        self.post("/v1.0.1/auth/login", &misplaced).await;
        let misplaced = json!({ "username": login["refresh_token"], "password": ADA });
        self.post("/v1.0.1/auth/login", &misplaced).await;
    }

    /// An authenticator app with its recovery codes, and a sign-in that waits for one.
    async fn second_factors(&mut self) {
        let email = "secure@example.com";
        let entered = json!({ "fullname": "Mary Secure", "email": email, "password": PASSWORD });
        let begun = self.post("/v1.0.1/auth/m/register", &entered).await;
        let proof = json!({ "otpSession": begun["otpSession"], "otp": self.code(email).await });
        self.post("/v1.0.1/auth/validate/registration", &proof).await;
        let (phone, codes) = give_app(&self.app, email).await;
        enter_password(&self.app, email).await;
        self.secrets.codes.push(("authenticator app".to_owned(), phone.code(&self.app)));
        self.secrets.long.push(("authenticator app".to_owned(), phone.key()));
        for code in codes {
            self.secrets.long.push(("bare recovery code".to_owned(), code.replace('-', "")));
            self.secrets.long.push(("recovery code".to_owned(), code));
        }
    }

    async fn clients(&mut self) {
        let body = json!({ "name": "Crawler", "environment": "production" });
        let made = self.post(CLIENTS, &body).await;
        let again = self.post(CLIENTS, &body).await;
        assert_eq!(made["credentials"]["secretKey"], again["credentials"]["secretKey"]);
        let path = format!("/v1.0.1/org/refresh/client?clientId={}", text(&made["clientId"]));
        let rotation = json!({ "graceSeconds": 60 });
        let rotated = self.send(Method::PATCH, &path, &rotation).await.json()["data"].clone();
        let (key, secret) =
            (&made["credentials"]["clientId"], &rotated["credentials"]["secretKey"]);
        let tokens =
            self.post("/auth/token", &json!({ "api_key": key, "api_secret": secret })).await;
        let renewal = json!({ "refresh_token": tokens["refresh_token"] });
        let renewed = self.post("/auth/token/refresh", &renewal).await;
        self.post("/token/info", &json!({ "token": renewed["access_token"] })).await;
        let console = self.bearer.clone();
        self.bearer = format!("Bearer {}", text(&renewed["access_token"]));
        self.webhooks().await;
        let basic = STANDARD.encode(format!("{}:{}", text(key), text(secret)));
        self.secrets.long.push(("basic".to_owned(), basic.clone()));
        self.bearer = format!("Basic {basic}");
        assert!(self.post("/v1.0.1/auth/token", &json!({})).await["accessToken"].is_string());
        // The mistake people make: both in the wrong place.
        self.post("/auth/token", &json!({ "api_key": secret, "api_secret": key })).await;
        let basic = STANDARD.encode(format!("{}:{}", text(secret), text(key)));
        self.bearer = format!("Basic {basic}");
        self.post("/v1.0.1/auth/token", &json!({})).await;
        self.bearer = format!("Bearer {}", text(secret));
        self.post("/v1.0.1/external/validate/key", &json!({})).await;
        self.bearer = console;
        self.post("/auth/token/revoke", &json!({ "token": tokens["refresh_token"] })).await;
    }

    /// Both secrets of a webhook, and its deliveries, which are signed by both.
    async fn webhooks(&mut self) {
        // Nobody listens there, which is all the same to what is kept of it.
        let body = json!({ "url": "http://127.0.0.1:1/" });
        let made = self.send(Method::POST, "/webhooks", &body).await.json();
        let path = format!("/webhooks/{}", text(&made["id"]));
        let rotated = self.send(Method::POST, &format!("{path}/rotate-secret"), &json!({})).await;
        assert_ne!(made["secret"], rotated.json()["secret"]);
        for secret in [&made["secret"], &rotated.json()["secret"]] {
            self.secrets.long.push((format!("{path} secret"), text(secret)));
            let bare = text(secret).split_off("whsec_".len());
            self.secrets.long.push((format!("{path} bare secret"), bare));
        }
        assert_eq!(self.send(Method::POST, &format!("{path}/test"), &json!({})).await.status, 200);
    }

    async fn staff(&mut self) {
        let context = Context::operator(Duration::ZERO);
        let (email, name) = (Email::parse("root@example.com"), FullName::parse("Root Admin"));
        let role = AdminRole::SuperAdmin;
        let app = self.app.app.clone();
        let made = admin::create(&app, &context, email.unwrap(), name.unwrap(), role).await;
        let token = made.unwrap().token.expose().to_owned();
        self.secrets.long.push(("admin token".to_owned(), token.clone()));
        let path = "/v1.0.1/auth/authenticateAdmin";
        let login = self.post(path, &json!({ "token": token })).await;
        self.bearer = format!("Bearer {}", text(&login["accessToken"]));
        let invited = json!({ "email": "new@example.com", "fullname": "New Admin" });
        self.post("/v1.0.1/admin/member/invite", &invited).await;
        let token = self.token("new@example.com").await;
        self.post("/v1.0.1/auth/accept/invitation", &json!({ "token": token })).await;
        let token = self.token("new@example.com").await;
        let login = self.post(path, &json!({ "token": token })).await;
        assert!(login["accessToken"].is_string());
    }
}
