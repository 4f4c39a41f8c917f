//! An app with one of everything, three times: what is the callers' own, what is foreign to them,
//! and what was granted to them.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use grantor_api::frame::route::Route;
use grantor_domain::admin::AdminRole;
use grantor_domain::email::Email;
use grantor_domain::limit::Limits;
use grantor_domain::person::FullName;
use grantor_service::Context;
use grantor_service::operations::admin;
use grantor_testkit::Engine;
use grantor_testkit::app::{TestApp, TestConfig};
use serde_json::json;

use super::callers::{Caller, callers};
use super::make::{Maker, send, text, well};
use super::records::{Operation, Records, operations};
use crate::license::Member;
use crate::outbound::FakeDns;

/// In every text of the records that are foreign to all callers.
pub(in crate::security) const FOREIGN: &str = "Foreign-7f3a";
/// In every text of the callers' own records, which are foreign to outsiders.
pub(in crate::security) const OWN: &str = "Own-1c2d";
const GRANTED: &str = "Granted-5b2e";
/// An id that nothing has.
const UNKNOWN: &str = "018f3f9e-0000-7000-8000-000000000001";

/// A tenant with one of everything.
pub(in crate::security) struct Tenancy {
    pub(in crate::security) admin: Member,
    pub(super) word: &'static str,
    pub(in crate::security) records: Records,
}

pub(in crate::security) struct World {
    pub(in crate::security) app: TestApp,
    pub(super) operations: Vec<Operation>,
    pub(super) staff: String,
    pub(super) own: Tenancy,
    pub(super) foreign: Tenancy,
    pub(super) granted: Tenancy,
    /// The third tenant's, with a draft that was granted.
    pub(super) drafted: Records,
    /// The foreign ones, with the license's own name.
    pub(super) named: Records,
    pub(super) deleted: Records,
    pub(super) missing: Records,
    pub(super) malformed: Records,
    pub(super) callers: Vec<Caller>,
    pub(super) count: AtomicU32,
}

impl World {
    /// The world, with routes beside the tables' own.
    pub(super) async fn with(engine: Engine, console: fn() -> Vec<Route>) -> Self {
        let app = test_app(engine, console()).await;
        let count = AtomicU32::new(1);
        let staff = staff(&app, "root@example.com", AdminRole::SuperAdmin).await;
        Member::join(&app, "grantee@example.com", None).await;
        let mut own = tenancy(&app, &staff, &count, "own-1c2d@example.com", OWN).await;
        let mut foreign = tenancy(&app, &staff, &count, "foreign-7f3a@example.com", FOREIGN).await;
        let mut granted = tenancy(&app, &staff, &count, "granted-5b2e@example.com", GRANTED).await;
        let maker = maker(&app, &staff, &count, &own.admin, OWN);
        own.records = maker.fresh(&["template".to_owned(), "admin".to_owned()], &own.records).await;
        // What is the operator's is nobody's, and so the same for all.
        for other in [&mut foreign, &mut granted] {
            other.records = std::mem::take(&mut other.records).or(&own.records);
        }
        let missing = Records::all(&own.records, UNKNOWN);
        let malformed = Records::all(&own.records, "no%20id");
        let mut world = Self {
            operations: operations(Vec::new(), console()),
            drafted: granted.records.clone(),
            named: foreign.records.clone(),
            deleted: Records::default(),
            callers: Vec::new(),
            app,
            staff,
            own,
            foreign,
            granted,
            missing,
            malformed,
            count,
        };
        world.grant().await;
        world.name().await;
        world.deleted = world.delete_one_of_each().await;
        world.callers = callers(&world).await;
        // Whoever was let in is believed for a moment.
        world.app.clock.advance(Duration::from_secs(2));
        world
    }

    pub(super) fn maker(&self) -> Maker<'_> {
        maker(&self.app, &self.staff, &self.count, &self.own.admin, OWN)
    }

    /// Gives the callers' organization a right on a license and on a draft of the third tenant.
    async fn grant(&mut self) {
        let maker = maker(&self.app, &self.staff, &self.count, &self.granted.admin, GRANTED);
        let path = format!("POST /org/talent/license/{}", self.granted.records.id("talent"));
        let draft = json!({ "name": GRANTED, "type": "voice", "status": "draft" });
        let made = maker.ask(&path, Some(draft)).await;
        self.drafted.put("license", text(&made, "/data/licenseId"));
        for license in [&self.granted.records, &self.drafted].map(|it| it.id("license")) {
            let path = format!("POST /org/license/{license}/permissions");
            let grantee = json!({ "organizationId": self.own.admin.organization });
            maker.ask(&path, Some(json!({ "grantee": grantee, "role": "viewer" }))).await;
        }
    }

    /// Gives the foreign license a name of its owner's.
    async fn name(&mut self) {
        let maker = maker(&self.app, &self.staff, &self.count, &self.foreign.admin, FOREIGN);
        let path = format!("PATCH /org/license/{}", self.foreign.records.id("license"));
        maker.ask(&path, Some(json!({ "externalId": "F-7" }))).await;
        self.named.put("license", "F-7".to_owned());
    }

    /// Deletes a new one of every kind that can be deleted; of the others nothing is there at all.
    async fn delete_one_of_each(&self) -> Records {
        let kinds = [
            "team",
            "member",
            "client",
            "talent",
            "license",
            "image",
            "permission",
            "mention",
            "source",
            "profile",
            "card",
            "chatAddress",
            "platform",
            "webhook",
            "delivery",
            "bookmark",
            "session",
        ];
        let kinds = kinds.map(str::to_owned);
        let records = self.maker().fresh(&kinds, &self.own.records).await;
        let mut deleted = self.missing.clone();
        for kind in
            ["bookmark", "session", "source", "profile", "platform", "card", "permission", "image"]
        {
            self.delete(kind, &records).await;
        }
        for kind in ["chatAddress", "license", "webhook", "client", "member", "team"] {
            self.delete(kind, &records).await;
        }
        for kind in kinds.iter().filter(|it| *it != "talent") {
            deleted.put(kind, records.id(kind).to_owned());
        }
        deleted
    }

    async fn delete(&self, kind: &str, records: &Records) {
        let last = |it: &&Operation| {
            it.row.method == http::Method::DELETE && it.kinds.last().is_some_and(|it| it == kind)
        };
        let found = self.operations.iter().find(last);
        let found = found.unwrap_or_else(|| panic!("nothing deletes a {kind}"));
        let token = match found.surface {
            grantor_api::Api::Console => &self.own.admin.console,
            grantor_api::Api::External => &self.own.admin.external,
        };
        let what = format!("DELETE {}", found.path(records));
        well(&what, &send(&self.app, token, &what, None).await);
    }
}

pub(in crate::security) async fn test_app(engine: Engine, console: Vec<Route>) -> TestApp {
    let config = TestConfig {
        limits: Limits::off(),
        console,
        allowed: "127.0.0.0/8".parse().expect("a network"),
        dns: Some(Arc::new(FakeDns::default())),
        ..TestConfig::default()
    };
    TestApp::with_config(engine, config).await
}

fn maker<'a>(
    app: &'a TestApp,
    staff: &'a str,
    count: &'a AtomicU32,
    admin: &'a Member,
    word: &'a str,
) -> Maker<'a> {
    let (console, external) = (&admin.console, &admin.external);
    Maker { app, console, external, staff, email: admin.email, word, count }
}

/// Registers an agency and gives it one of everything.
pub(in crate::security) async fn tenancy(
    app: &TestApp,
    staff: &str,
    count: &AtomicU32,
    email: &'static str,
    word: &'static str,
) -> Tenancy {
    let admin = Member::join(app, email, Some("Agency")).await;
    let maker = maker(app, staff, count, &admin, word);
    let body = json!({ "fullname": format!("{word} Lovelace"), "bio": word });
    maker.ask("PATCH /user/profile", Some(body)).await;
    let records = maker.furnish().await;
    Tenancy { admin, word, records }
}

/// Makes a member of staff; gives the access token.
pub(in crate::security) async fn staff(app: &TestApp, email: &str, role: AdminRole) -> String {
    let context = Context::operator(Duration::ZERO);
    let (email, name) = (Email::parse(email), FullName::parse("Root Admin"));
    let made = admin::create(&app.app, &context, email.unwrap(), name.unwrap(), role).await;
    let body = json!({ "token": made.unwrap().token.expose() });
    let login = app.post("/v1.0.1/auth/authenticateAdmin", &body).await;
    text(&login.json(), "/data/accessToken")
}
