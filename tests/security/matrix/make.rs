//! Makes a record of each kind, as its owner would: by a request. Those that no request makes are in
//! `stored.rs`.

mod stored;

use std::sync::atomic::{AtomicU32, Ordering};

use grantor_domain::admin::AdminRole;
use grantor_testkit::app::{Answer, TestApp};
use serde_json::{Value, json};

use super::bodies::{PASSWORD, STARTER};
use super::records::Records;
use crate::picture;

/// The kinds in an order in which each finds what it belongs to.
const KINDS: [&str; 27] = [
    "organization",
    "team",
    "member",
    "client",
    "talent",
    "license",
    "image",
    "permission",
    "card",
    "chatAddress",
    "subscription",
    "platform",
    "pax",
    "pod",
    "source",
    "profile",
    "mention",
    "webhook",
    "delivery",
    "bookmark",
    "request",
    "grant",
    "status_list",
    "session",
    "export",
    "log",
    "challenge",
];

/// Who makes records: a tenant's admin, with the help of staff.
pub(in crate::security) struct Maker<'a> {
    pub(in crate::security) app: &'a TestApp,
    pub(in crate::security) console: &'a str,
    pub(in crate::security) external: &'a str,
    pub(in crate::security) staff: &'a str,
    pub(in crate::security) email: &'a str,
    /// What every text of theirs contains.
    pub(in crate::security) word: &'a str,
    pub(in crate::security) count: &'a AtomicU32,
}

impl Maker<'_> {
    /// One of everything.
    pub(in crate::security) async fn furnish(&self) -> Records {
        let mut records = Records::default();
        for kind in KINDS {
            self.make(kind, &mut records).await;
        }
        records
    }

    /// A new one of these kinds, one after the other.
    pub(in crate::security) async fn fresh(&self, kinds: &[String], of: &Records) -> Records {
        let mut records = of.clone();
        for kind in kinds {
            self.make(kind, &mut records).await;
        }
        records
    }

    /// A new one of this kind, among these records.
    async fn make(&self, kind: &str, of: &mut Records) {
        let number = self.count.fetch_add(1, Ordering::SeqCst);
        let id = match kind {
            "organization" => self.told("GET /org/information", "organizationId").await,
            "team" | "member" | "client" | "session" => self.person(kind, of, number).await,
            "talent" | "license" | "image" | "permission" => self.work(kind, of, number).await,
            "card" | "chatAddress" | "subscription" | "platform" | "pax" | "pod" => {
                self.thing(kind, of, number).await
            }
            "mention" | "webhook" | "delivery" | "bookmark" => self.outside(kind, of, number).await,
            "source" => self.source(of, number).await,
            "profile" => self.profile(number).await,
            "request" => self.request(of, number).await,
            "grant" => self.grant(of, number).await,
            // A number that is part of no other value, because rows are told apart by it.
            "status_list" => "4123456789".to_owned(),
            "export" => {
                self.post("/console/logs/export", json!({ "format": "json" }), "exportId").await
            }
            "log" => text(&self.ask("GET /console/logs", None).await, "/data/logs/0/logId"),
            "template" => self.template().await,
            "admin" => {
                let email = format!("staff{number}@example.com");
                super::world::staff(self.app, &email, AdminRole::SupportAdmin).await;
                self.staff_member(&email).await
            }
            "challenge" => {
                let email = format!("{}-{number}@example.com", self.word.to_lowercase());
                let body =
                    json!({ "fullname": "Someone New", "email": email, "password": PASSWORD });
                self.post("/auth/m/register", body, "otpSession").await
            }
            _ => panic!("no way to make a {kind}"),
        };
        of.put(kind, id);
    }

    async fn person(&self, kind: &str, of: &Records, number: u32) -> String {
        let name = format!("{} {number}", self.word);
        match kind {
            "team" => self.post("/org/create/team", json!({ "name": name }), "teamId").await,
            "member" => {
                let email = format!("{}-{number}@example.com", self.word.to_lowercase());
                self.invite(of.id("team"), &email, "Team_Member").await
            }
            "client" => {
                let body = json!({ "name": name, "environment": "production" });
                self.post("/org/create/client", body, "clientId").await
            }
            _ => {
                let login = self.app.sign_in(self.email, PASSWORD).await;
                let path = "/v1.0.1/user/sessions";
                let request = self.app.request(http::Method::GET, path);
                let listed = request.console(&text(&login, "/accessToken")).send().await.json();
                let sessions = listed["data"]["sessions"].as_array().expect("sessions").clone();
                let current = sessions.iter().find(|it| it["current"] == true).expect("this one");
                text(current, "/sessionId")
            }
        }
    }

    /// Invites somebody who comes; gives their account.
    pub(super) async fn invite(&self, team: &str, email: &str, role: &str) -> String {
        let body =
            json!({ "firstname": self.word, "lastname": "Hopper", "email": email, "role": role });
        self.ask(&format!("POST /org/invite/team/member/{team}"), Some(body)).await;
        let body = json!({ "token": self.app.mailed_token(email).await, "password": PASSWORD });
        let accepted = self.app.post("/v1.0.1/auth/accept/invitation", &body).await;
        text(&well("accept", &accepted), "/data/userId")
    }

    async fn work(&self, kind: &str, of: &Records, number: u32) -> String {
        let name = format!("{} {number}", self.word);
        match kind {
            "talent" => {
                let body = json!({
                    "fullname": name, "teamId": of.id("team"),
                    "email": format!("{}@talent.example", self.word),
                });
                self.post("/org/talent", body, "talentId").await
            }
            "license" => {
                let path = format!("/org/talent/license/{}", of.id("talent"));
                let body = json!({
                    "name": name, "type": "voice", "status": "private", "description": name,
                });
                self.post(&path, body, "licenseId").await
            }
            "image" => {
                let png = picture::png(8, 8);
                let added = picture::add(self.app, self.console, of.id("license"), &[&png]).await;
                text(&added, "/images/0/imageId")
            }
            _ => {
                let path = format!("/org/license/{}/permissions", of.id("license"));
                let body =
                    json!({ "grantee": { "userEmail": "grantee@example.com" }, "role": "viewer" });
                self.post(&path, body, "permissionId").await
            }
        }
    }

    async fn thing(&self, kind: &str, of: &Records, number: u32) -> String {
        match kind {
            "card" => self.post("/org/card", json!({ "token": "tok_visa" }), "cardId").await,
            "chatAddress" => {
                let url =
                    format!("https://chat.example/hooks/{}-{number}", self.word.to_lowercase());
                let body = json!({ "name": self.word, "url": url, "kinds": ["request"] });
                self.post("/org/chat-addresses", body, "chatAddressId").await
            }
            "subscription" => {
                let body = json!({ "subscriptionId": STARTER, "cardId": of.id("card") });
                self.post("/org/subscribe", body, "subscriptionId").await
            }
            "platform" => {
                let domain = format!("{}-{number}.example", self.word.to_lowercase());
                let body = json!({
                    "name": self.word, "teamId": of.id("team"), "type": "News Media",
                    "domain": domain,
                });
                self.post("/org/create/platform", body, "platformId").await
            }
            "pax" => {
                let body = json!({
                    "platformId": of.id("platform"), "name": self.word, "scopes": ["read", "write"],
                });
                self.post("/console/pax", body, "paxId").await
            }
            _ => {
                let platform = json!({ "platformId": of.id("platform") });
                let body = json!({ "platform": platform, "scopes": ["crawl"] });
                let made = send(self.app, self.staff, "POST /v1.0.1/pax/pod", Some(body)).await;
                text(&well("pod", &made), "/data/podId")
            }
        }
    }

    async fn outside(&self, kind: &str, of: &Records, number: u32) -> String {
        match kind {
            "mention" => self.mention(of, number).await,
            "webhook" => {
                let url = format!("https://{}.example/hook", self.word.to_lowercase());
                let body = json!({ "url": url, "description": self.word });
                let made = send(self.app, self.external, "POST /webhooks", Some(body)).await;
                text(&well("webhook", &made), "/id")
            }
            "delivery" => {
                let path = format!("PATCH /org/license/{}", of.id("license"));
                let body = json!({ "description": format!("{} {number}", self.word) });
                self.ask(&path, Some(body)).await;
                let path = format!("GET /webhooks/{}/deliveries", of.id("webhook"));
                let listed = send(self.app, self.external, &path, None).await;
                text(&well("deliveries", &listed), "/data/0/id")
            }
            _ => {
                let body = json!({
                    "target_type": "license", "target_id": of.id("license"), "note": self.word,
                });
                let made = send(self.app, self.external, "POST /bookmarks", Some(body)).await;
                text(&well("bookmark", &made), "/id")
            }
        }
    }

    async fn profile(&self, number: u32) -> String {
        let url = format!("https://{}-{number}.substack.com/", self.word.to_lowercase());
        let body = json!({ "url": url });
        let made = send(self.app, self.external, "POST /profiles", Some(body)).await;
        text(&well("profile", &made), "/id")
    }

    /// The text of a mail, which there is one of at most.
    async fn template(&self) -> String {
        let listed = send(self.app, self.staff, "GET /v1.0.1/mail/templates", None).await.json();
        if let Some(id) = listed["data"]["templates"][0]["templateId"].as_str() {
            return id.to_owned();
        }
        let body = json!({ "name": "registration", "subject": "Hello", "body": "{{code}}" });
        let path = "POST /v1.0.1/mail/create/template";
        let made = send(self.app, self.staff, path, Some(body)).await;
        text(&well("template", &made), "/data/templateId")
    }

    /// The id of a member of staff.
    pub(super) async fn staff_member(&self, email: &str) -> String {
        let listed = send(self.app, self.staff, "GET /v1.0.1/admin/members", None).await.json();
        let members = listed["data"]["members"].as_array().expect("members").clone();
        text(members.iter().find(|it| it["email"] == email).expect("a member"), "/adminId")
    }

    async fn told(&self, what: &str, member: &str) -> String {
        text(&self.ask(what, None).await, &format!("/data/{member}"))
    }

    async fn post(&self, path: &str, body: Value, member: &str) -> String {
        text(&self.ask(&format!("POST {path}"), Some(body)).await, &format!("/data/{member}"))
    }

    /// Asks the console for what must be well.
    pub(in crate::security) async fn ask(&self, what: &str, body: Option<Value>) -> Value {
        let what = what.replacen(" /", " /v1.0.1/", 1);
        well(&what, &send(self.app, self.console, &what, body).await)
    }
}

/// The text that an answer holds there.
pub(in crate::security) fn text(value: &Value, at: &str) -> String {
    let found = value.pointer(at).and_then(Value::as_str);
    found.unwrap_or_else(|| panic!("no {at} in {value}")).to_owned()
}

/// The body of an answer that must be well.
pub(in crate::security) fn well(what: &str, answer: &Answer) -> Value {
    let body = String::from_utf8_lossy(&answer.body);
    assert!(answer.status.is_success(), "{what}: {} {body}", answer.status);
    if body.is_empty() { Value::Null } else { answer.json() }
}

/// Asks with any token.
pub(in crate::security) async fn send(
    app: &TestApp,
    token: &str,
    what: &str,
    body: Option<Value>,
) -> Answer {
    let (method, path) = what.split_once(' ').expect("method and path");
    let request = app.request(method.parse().expect("a method"), path).console(token);
    match body {
        Some(body) => request.json(&body).send().await,
        None => request.send().await,
    }
}
