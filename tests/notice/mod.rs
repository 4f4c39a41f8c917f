//! Telling people (contract-2 section 26): the bell, emails at once and in digests, chats, and how
//! each is turned off.

mod bell;
mod chat;
mod digest;
mod expiry;
mod kind;
mod language;
mod mail;
mod node;
mod refusal;
mod settings;
mod several;
mod unsubscribe;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use grantor_service::notices;
use grantor_testkit::app::{Answer, TestApp};
use http::Method;
use serde_json::{Value, json};

use crate::license::{Member, PASSWORD, World, text};

const ADA: &str = "ada@example.com";
const BEA: &str = "bea@example.com";
const SETTINGS: &str = "/user/notifications";
const NOTICES: &str = "/user/notices";

/// The mails that were seen so far.
struct Inbox(BTreeSet<PathBuf>);

impl Inbox {
    /// An inbox in which everything sent before is seen.
    async fn of(app: &TestApp) -> Self {
        let mut inbox = Self(BTreeSet::new());
        inbox.texts(app).await;
        inbox
    }

    /// Composes and sends what is due now and returns the new mails, in no order.
    async fn texts(&mut self, app: &TestApp) -> Vec<String> {
        notices::compose_due(&app.app, app.app.clock.now()).await.unwrap();
        app.app.mailer.send_due(1_000).await.unwrap();
        let files = std::fs::read_dir(app.mail_folder()).unwrap().map(|it| it.unwrap().path());
        let new: Vec<_> = files.filter(|it| self.0.insert(it.clone())).collect();
        let read = |it: &PathBuf| std::fs::read_to_string(it).unwrap().replace("=\r\n", "");
        new.iter().map(|it| read(it).replace("=3D", "=")).collect()
    }

    /// The recipient and subject of each new mail.
    async fn take(&mut self, app: &TestApp) -> Vec<String> {
        let line = |mail: &String| format!("{} | {}", header(mail, "To"), header(mail, "Subject"));
        let mut lines: Vec<_> = self.texts(app).await.iter().map(line).collect();
        lines.sort();
        lines
    }
}

/// A header of a mail, unfolded.
fn header(mail: &str, name: &str) -> String {
    let head = mail.split("\r\n\r\n").next().unwrap().replace("\r\n ", " ");
    let found = head.lines().find_map(|it| it.strip_prefix(name)?.strip_prefix(": "));
    found.unwrap_or_else(|| panic!("no {name} in {mail}")).trim().to_owned()
}

fn hours(count: u64) -> Duration {
    Duration::from_hours(count)
}

const MINUTE: Duration = Duration::from_mins(1);

impl World {
    /// Lets time pass and signs both members in again.
    async fn later(&mut self, time: Duration) {
        self.app.clock.advance(time);
        for member in [&mut self.agency, &mut self.brand] {
            member.console = text(&self.app.sign_in(member.email, PASSWORD).await["accessToken"]);
            member.external = member.renewed(&self.app).await;
        }
    }

    /// Changes the settings of a member.
    async fn set(&self, member: &Member, body: Value) -> Answer {
        member.console(&self.app, Method::PATCH, SETTINGS, Some(body)).await
    }

    /// Sets how a member gets one kind.
    async fn choose(&self, member: &Member, kind: &str, channel: &str) {
        let body = json!({ "channels": { kind: channel } });
        assert_eq!(self.set(member, body).await.status, 200);
    }

    /// The data of a member's notices.
    async fn notices(&self, member: &Member, query: &str) -> Value {
        let path = format!("{NOTICES}{query}");
        let answer = member.console(&self.app, Method::GET, &path, None).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        answer.json()["data"].clone()
    }

    /// The summaries of a member's notices.
    async fn told(&self, member: &Member) -> Vec<String> {
        let data = self.notices(member, "?limit=100").await;
        data["notices"].as_array().unwrap().iter().map(|it| text(&it["summary"])).collect()
    }

    /// The brand asks for a new license of the agency.
    async fn ask_for_license(&self) -> String {
        let license = self.public().await;
        self.request_license(&license).await
    }

    /// The agency shares a new license with the brand, which is told in its digest.
    async fn share_license(&self) {
        let license = self.license(json!({})).await;
        assert_eq!(self.grant(&license, "viewer").await.status, 201);
    }
}

fn to(person: &str, subject: &str) -> String {
    format!("{person} | {subject}")
}
