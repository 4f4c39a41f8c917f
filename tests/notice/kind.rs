//! Every kind of notice: caused by what it is about, and then on the bell, in an email at once and
//! in the digest, with its whole text. Requests, offers and grants are in `tests/grant/mail.rs`,
//! and cases in `tests/sighting/case`.

mod watching;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_domain::notice::NoticeKind;
use grantor_service::identity::client;
use grantor_service::licensing::reminder;
use grantor_service::mail::SavedMail;
use grantor_service::webhooks::delivery::Sender;
use grantor_service::{Context, notices};
use grantor_testkit::app::{Answer, ORIGIN, TestApp, TestConfig};
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{MINUTE, NOTICES, SETTINGS, hours};
use crate::console::account;
use crate::license::{PASSWORD, World, text};

const AGENCY: &str = "Agency of ada@example.com";
const BRAND: &str = "Brand of bea@example.com";
/// The owner who gets every kind by email at once.
const AT_ONCE: &str = "nora@example.com";
/// The owner who gets every kind in the digest.
const IN_DIGEST: &str = "dan@example.com";
/// Stands for the link in the text of an email.
const LINK: &str = "<link>";

type Pages = Arc<Mutex<Vec<(String, Script)>>>;

/// A world with a site, which has feeds, a proof of its domain and a receiver of webhooks.
struct Office {
    world: World,
    site: Listener,
    pages: Pages,
}

impl Fixture for Office {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().unwrap();
        let config = TestConfig { limits: Limits::off(), allowed, ..TestConfig::default() };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        let pages = Pages::default();
        let shown = Arc::clone(&pages);
        let site = Listener::start(move |call| page(&shown, call)).await.unwrap();
        Self { world, site, pages }
    }
}

/// Unknown paths are a 404.
fn page(pages: &Pages, call: &Call) -> Script {
    let pages = pages.lock().unwrap();
    let found = pages.iter().find(|(path, _)| *path == call.path);
    found.map_or_else(|| Script::answer(404, b""), |(_, script)| script.clone())
}

/// What is told.
struct Told<'a> {
    kind: NoticeKind,
    summary: &'a str,
    /// The page that it leads to.
    path: &'a str,
    /// The text of an email about it alone, without greeting and signature.
    text: &'a str,
}

/// The whole text of an email to a member.
fn letter(text: &str, stop: &str, stop_link: &str) -> String {
    format!(
        "Hello Ada Lovelace,\n\n{text}\n\nGrantor\n\n--\nTo stop {stop}:\n{stop_link}\n\
         To choose what we email you:\n{ORIGIN}/app/profile/notifications"
    )
}

impl Office {
    fn put(&self, path: &str, script: Script) {
        let mut pages = self.pages.lock().unwrap();
        pages.retain(|(known, _)| known != path);
        pages.push((path.to_owned(), script));
    }

    async fn ask(&self, email: &str, method: Method, path: &str, body: Option<Value>) -> Answer {
        let app = &self.world.app;
        let token = text(&app.sign_in(email, PASSWORD).await["accessToken"]);
        let request = app.request(method, &format!("/v1.0.1{path}")).console(&token);
        match body {
            Some(body) => request.json(&body).send().await,
            None => request.send().await,
        }
    }

    /// Adds two owners to an organization: one gets everything by email at once, the other in the
    /// digest.
    async fn add_owners(&self, organization: &str) {
        let options = &self.world.app.database.options;
        for (email, channel) in [(AT_ONCE, "now"), (IN_DIGEST, "digest")] {
            account(&self.world.app, email, &format!("Home of {email}")).await;
            seed::move_into(options, email, organization, "Organization_Admin").await;
            let channels: BTreeMap<_, _> =
                NoticeKind::of_members().map(|it| (it.name(), channel)).collect();
            let body = json!({ "channels": channels });
            let changed = self.ask(email, Method::PATCH, SETTINGS, Some(body)).await;
            assert_eq!(changed.status, 200, "{}", changed.json());
        }
        self.clear_mails().await;
    }

    /// Forgets the emails so far, such as those of registrations.
    async fn clear_mails(&self) {
        self.world.app.app.mailer.send_due(1_000).await.unwrap();
        std::fs::remove_dir_all(self.world.app.mail_folder()).unwrap();
    }

    /// The emails to an address since then.
    async fn mails(&self, address: &str) -> Vec<SavedMail> {
        let mailbox = self.world.app.app.mailer.mailbox().unwrap();
        let mut found = vec![];
        for listed in mailbox.list(1_000).await.unwrap() {
            if listed.to == address {
                let mail = mailbox.read(&listed.name).await.unwrap().unwrap();
                let text = mail.text.replace("\r\n", "\n").trim_end().to_owned();
                found.push(SavedMail { text, ..mail });
            }
        }
        found
    }

    /// Lets time pass, then composes and sends the emails that are due.
    async fn pass(&self, time: Duration) {
        let app = &self.world.app;
        app.clock.advance(time);
        notices::compose_due(&app.app, app.app.clock.now()).await.unwrap();
        app.app.mailer.send_due(1_000).await.unwrap();
    }

    /// The link in an email that stops such emails. It works.
    async fn stop_link(&self, mail: &SavedMail) -> String {
        let start = format!("{ORIGIN}/unsubscribe/");
        let link = mail.text.lines().find(|it| it.starts_with(&start));
        let link = link.unwrap_or_else(|| panic!("no link in {}", mail.text)).to_owned();
        let page = self.world.app.get(link.strip_prefix(ORIGIN).unwrap()).await;
        assert_eq!(page.status, 200, "{link}");
        link
    }

    /// Asserts that this and nothing else was told just now: both owners see it on the bell, one is
    /// emailed after a minute, and the other gets the next digest.
    async fn tells(&self, told: &Told<'_>) {
        for email in [AT_ONCE, IN_DIGEST] {
            self.rings(email, told).await;
        }
        self.pass(MINUTE).await;
        let (mails, others) = (self.mails(AT_ONCE).await, self.mails(IN_DIGEST).await);
        let [mail] = &*mails else { panic!("{mails:?}") };
        let stop = format!("emails like this one ({})", told.kind.label());
        let link = format!("{ORIGIN}{}", told.path);
        let whole = letter(&told.text.replace(LINK, &link), &stop, &self.stop_link(mail).await);
        assert_eq!((&*mail.subject, &*mail.text), (told.summary, &*whole));
        assert_eq!(others.len(), 0, "not before the digest");

        self.pass(hours(24)).await;
        let mails = self.mails(IN_DIGEST).await;
        let [mail] = &*mails else { panic!("{mails:?}") };
        let now = self.world.app.app.clock.now();
        let text = format!(
            "This is your digest for {}, with 1 notification:\n\n{}\n{link}\n\n\
             View notifications:\n{ORIGIN}/app/notices",
            now.date(),
            told.summary
        );
        let whole = letter(&text, "the daily digest", &self.stop_link(mail).await);
        assert_eq!((&*mail.subject, &*mail.text), ("Your daily digest: 1 notification", &*whole));
        assert_eq!(self.mails(AT_ONCE).await.len(), 1, "no digest");
    }

    /// Asserts that a person sees this and nothing else on the bell.
    async fn rings(&self, email: &str, told: &Told<'_>) {
        let data = self.ask(email, Method::GET, NOTICES, None).await.json()["data"].clone();
        let expected = json!({
            "notices": [{
                "noticeId": data["notices"][0]["noticeId"], "kind": told.kind.name(),
                "summary": told.summary, "url": format!("{ORIGIN}{}", told.path),
                "createdAt": self.world.app.app.clock.now().to_string(), "readAt": null,
            }],
            "unreadCount": 1,
            "pagination": { "page": 1, "limit": 10, "total": 1, "totalPages": 1 },
        });
        assert_eq!(data, expected, "{email}");
    }

    /// Creates a webhook of the agency on the site, and returns its path in the console.
    async fn webhook(&self) -> String {
        let body = json!({ "url": self.site.url("/hook"), "events": ["license.created"] });
        let made = self.world.as_agency(Method::POST, "/webhooks", Some(body)).await;
        assert_eq!(made.status, 201, "{}", made.json());
        format!("/app/webhooks/{}", text(&made.json()["id"]))
    }

    /// Sends the deliveries that are due.
    async fn deliver(&self) {
        Sender::new(self.world.app.app.clone()).settle().await.unwrap();
    }
}

fn system() -> Context {
    Context::system(Duration::ZERO)
}

#[db_test]
async fn a_license_that_was_shared(office: Office) {
    office.add_owners(BRAND).await;
    let license = office.world.license(json!({})).await;
    assert_eq!(office.world.grant(&license, "viewer").await.status, 201);
    let told = Told {
        kind: NoticeKind::LicenseShared,
        summary: "Agency of ada@example.com shared Winter with you",
        path: &format!("/app/licenses/{license}"),
        text: "Agency of ada@example.com shared the license Winter (Grâce Hopper) with your \
               organization as a viewer.\n\nView license:\n<link>",
    };
    office.tells(&told).await;
}

#[db_test]
async fn a_license_that_ends(office: Office) {
    office.add_owners(AGENCY).await;
    let license = office.world.license(json!({ "expiresAt": "2026-02-10T00:00:00Z" })).await;
    office.world.app.clock.advance(hours(10 * 24));
    assert_eq!(reminder::send(&office.world.app.app, &system()).await, Ok(1));
    let told = Told {
        kind: NoticeKind::LicenseEnding,
        summary: "Winter (Grâce Hopper) expires on Feb 10, 2026",
        path: &format!("/app/licenses/{license}"),
        text: "The license Winter (Grâce Hopper) expires on Feb 10, 2026, in 30 days.\n\n\
               View license:\n<link>\n\nTo keep it, change its end date.",
    };
    office.tells(&told).await;
}

#[db_test]
async fn an_api_client_that_expires(office: Office) {
    office.add_owners(AGENCY).await;
    let (world, ends) = (&office.world, "2026-01-20T00:00:00Z");
    let body = json!({ "name": "Nightly", "environment": "production", "expiresAt": ends });
    let path = "/org/create/client";
    let made = world.agency.console(&world.app, Method::POST, path, Some(body)).await;
    assert_eq!(made.status, 201, "{}", made.json());
    world.app.clock.advance(hours(12 * 24));
    assert_eq!(client::warn_expiring(&world.app.app, &system()).await, Ok(1));
    let told = Told {
        kind: NoticeKind::ClientExpiring,
        summary: "The API client Nightly expires on Jan 20, 2026",
        path: &format!("/app/clients/{}", text(&made.json()["data"]["clientId"])),
        text: "The API client Nightly expires on Jan 20, 2026, in 7 days. Requests with its \
               credentials will then be rejected.\n\nView API client:\n<link>\n\n\
               To keep using it, change its expiration date.",
    };
    office.tells(&told).await;
}

#[db_test]
async fn a_payment_card_that_expires(office: Office) {
    office.add_owners(AGENCY).await;
    let (world, card) = (&office.world, json!({ "token": "tok_visa" }));
    let added = world.agency.console(&world.app, Method::POST, "/org/card", Some(card)).await;
    assert_eq!(added.json()["data"]["expiryYear"], 2027, "{}", added.json());
    // The last day of November 2027, and the first of December.
    world.app.clock.advance(hours(698 * 24));
    assert_eq!(notices::warn_expiring_cards(&world.app.app, &system()).await, Ok(0));
    world.app.clock.advance(hours(24));
    assert_eq!(notices::warn_expiring_cards(&world.app.app, &system()).await, Ok(1));
    let told = Told {
        kind: NoticeKind::CardExpiring,
        summary: "Your Visa card ending in 4242 expires at the end of 12/2027",
        path: "/app/billing",
        text: "Your Visa card ending in 4242 expires at the end of 12/2027.\n\n\
               View billing:\n<link>\n\nAdd another card, so that your plan stays the same.",
    };
    office.tells(&told).await;
}

#[db_test]
async fn a_webhook_that_fails(office: Office) {
    office.add_owners(AGENCY).await;
    let path = office.webhook().await;
    office.put("/hook", Script::answer(500, b""));
    office.world.license(json!({})).await;
    office.deliver().await;
    office.world.app.clock.advance(hours(24));
    office.deliver().await;
    let text = format!(
        "Every delivery to {} has failed since Jan 1, 2026. After five days of failures, the \
         webhook is disabled.\n\nView webhook:\n{LINK}",
        office.site.url("/hook")
    );
    let kind = NoticeKind::WebhookFailing;
    let summary = format!("The webhook to 127.0.0.1:{} is failing", office.site.port());
    office.tells(&Told { kind, summary: &summary, path: &path, text: &text }).await;
}

impl Office {
    /// Asserts that a webhook was disabled for this reason just now.
    async fn tells_disabled(&self, path: &str, reason: &str) {
        let text = format!(
            "Events are no longer sent to {}.\n\n{reason}\n\nEvents are stored in the meantime. \
             Once your endpoint works again, enable the webhook and replay the missed events.\n\n\
             View webhook:\n{LINK}",
            self.site.url("/hook")
        );
        let kind = NoticeKind::WebhookDisabled;
        let summary = format!("The webhook to 127.0.0.1:{} was disabled", self.site.port());
        self.tells(&Told { kind, summary: &summary, path, text: &text }).await;
    }
}

#[db_test]
async fn a_webhook_that_is_disabled_after_five_days(office: Office) {
    office.add_owners(AGENCY).await;
    let path = office.webhook().await;
    office.put("/hook", Script::answer(500, b""));
    office.world.license(json!({})).await;
    office.deliver().await;
    office.world.app.clock.advance(hours(5 * 24));
    office.deliver().await;
    let reason = "Every delivery to this URL has failed for five days.";
    office.tells_disabled(&path, reason).await;
}

#[db_test]
async fn a_webhook_whose_receiver_is_gone(office: Office) {
    office.add_owners(AGENCY).await;
    let path = office.webhook().await;
    office.put("/hook", Script::answer(410, b""));
    office.world.license(json!({})).await;
    office.deliver().await;
    let reason = "The endpoint returned 410 Gone, which means that it no longer accepts events.";
    office.tells_disabled(&path, reason).await;
}
