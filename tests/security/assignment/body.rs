//! Bodies that work, of operations that need more than a record of the maker.

use std::sync::atomic::Ordering;

use grantor_domain::email::Email;
use grantor_service::Context;
use http::Method;
use serde_json::{Value, json};

use super::Half;
use crate::license::text;
use crate::security::matrix::bodies::PASSWORD;
use crate::security::matrix::make::well;
use crate::security::matrix::records::Records;

impl Half {
    /// Bodies of the ways into the console.
    pub(super) async fn entering(&self, name: &str, email: String) -> Value {
        let person = json!({ "fullname": "Grace Hopper", "email": email, "password": PASSWORD });
        match name {
            "POST /auth/m/register" => person,
            "POST /auth/register" => {
                let mut body = person;
                body["organization"] = json!({ "name": email, "type": "Agency" });
                body
            }
            "POST /auth/validate/registration" => {
                let begun = self.app.post("/v1.0.1/auth/m/register", &person).await.json();
                let code = self.app.mailed_code(&email).await;
                json!({ "otpSession": begun["data"]["otpSession"], "otp": code })
            }
            "POST /auth/login" => json!({ "username": self.own.admin.email, "password": PASSWORD }),
            "POST /auth/refresh/token" | "POST /auth/logout" => {
                let login = self.app.sign_in("grantee@example.com", PASSWORD).await;
                json!({ "refreshToken": login["refreshToken"] })
            }
            "POST /auth/forgot/password" => json!({ "email": self.stranger.email }),
            "POST /auth/reset/password" => {
                let (path, email) = ("/v1.0.1/auth/forgot/password", "grantee@example.com");
                let begun = self.app.post(path, &json!({ "email": email })).await.json();
                let code = self.app.mailed_code(email).await;
                let session = &begun["data"]["otpSession"];
                json!({ "otpSession": session, "otp": code, "newPassword": "Another-Engine-1844" })
            }
            "POST /auth/accept/invitation" => {
                let path = "POST /org/invite/team/member/".to_owned() + self.own.records.id("team");
                let guest = json!({
                    "firstname": "Grace", "lastname": "Hopper", "email": email,
                    "role": "Team_Member",
                });
                self.maker().ask(&path, Some(guest)).await;
                json!({ "token": self.app.mailed_token(&email).await, "password": PASSWORD })
            }
            "POST /auth/authenticateAdmin" => {
                let email = Email::parse("root@example.com").expect("an address");
                let context = Context::operator(std::time::Duration::ZERO);
                let made = grantor_service::operations::admin::create_token(
                    &self.app.app,
                    &context,
                    email,
                )
                .await;
                json!({ "token": made.expect("a token").token.expose() })
            }
            _ => panic!("no body for {name}: add one to bodies.rs or here"),
        }
    }

    /// Bodies of the ways into the external API.
    pub(super) async fn exchanging(&self, name: &str, email: String) -> Value {
        let person = json!({ "email": email, "fullname": "Grace Hopper" });
        let tokens = || self.app.post("/auth/token", &self.stranger.pair);
        match name {
            "POST /auth/token" => self.stranger.pair.clone(),
            "POST /auth/token/refresh" => {
                json!({ "refresh_token": tokens().await.json()["data"]["refresh_token"] })
            }
            "POST /auth/token/revoke" | "POST /token/info" => {
                json!({ "token": tokens().await.json()["data"]["access_token"] })
            }
            "POST /receipts/verify" => json!({ "receipt": "x" }),
            "POST /register" => person,
            "POST /magic-link" => json!({ "email": self.own.admin.email }),
            "POST /magic-link/verify" => {
                well("register", &self.app.post("/register", &person).await);
                json!({ "email": email, "otp": self.app.mailed_code(&email).await })
            }
            _ => panic!("no body for {name}: add one to bodies.rs or here"),
        }
    }

    /// A public license of the stranger.
    pub(super) async fn strangers_license(&self) -> String {
        let number = self.count.fetch_add(1, Ordering::SeqCst);
        let console = |path: String, body| async move {
            let made = self.stranger.console(&self.app, Method::POST, &path, Some(body)).await;
            assert_eq!(made.status, 201, "{path}: {}", made.json());
            made.json()["data"].clone()
        };
        let person = json!({ "fullname": format!("Face {number}") });
        let talent = console("/org/talent".to_owned(), person).await;
        let path = format!("/org/talent/license/{}", text(&talent["talentId"]));
        let license = json!({ "name": "Voice", "type": "voice", "status": "public" });
        text(&console(path, license).await["licenseId"])
    }

    /// An offer of the stranger to the maker's tenant.
    pub(super) async fn strangers_offer(&self) -> String {
        let path = format!("/licenses/{}/offers", self.strangers_license().await);
        let body = json!({
            "licensee": { "organization_id": self.own.admin.organization },
            "terms": {
                "uses": ["voice"], "territories": ["US"], "starts_at": "2026-02-01T00:00:00Z",
            },
        });
        let made = self.stranger.external(&self.app, Method::POST, &path, Some(body)).await;
        assert_eq!(made.status, 201, "{}", made.json());
        text(&made.json()["id"])
    }

    /// The hash of the terms that are offered to the maker's tenant.
    pub(super) async fn offered_hash(&self, records: &Records) -> Value {
        let path = format!("/requests/{}", records.id("request"));
        let thread = self.own.admin.external(&self.app, Method::GET, &path, None).await.json();
        json!({ "terms_hash": thread["offers"][0]["terms_hash"] })
    }
}
