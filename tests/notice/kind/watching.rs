//! Notices about mentions, sources, platforms and scanners.

use std::time::Duration;

use grantor_domain::admin::AdminRole;
use grantor_domain::email::Email;
use grantor_domain::notice::NoticeKind;
use grantor_domain::person::FullName;
use grantor_service::Context;
use grantor_service::operations::admin;
use grantor_service::watching::pod::Pace;
use grantor_service::watching::source;
use grantor_testkit::app::ORIGIN;
use grantor_testkit::listener::Script;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{AGENCY, LINK, MINUTE, NOTICES, Office, Told, hours};
use crate::license::text;
use crate::sighting::{item, platform, push};

/// No waiting in tests.
const PACE: Pace = Pace { pause: Duration::ZERO };
const FEED: &str = "<rss version='2.0'><channel><title>The Daily</title><item><title>News</title>\
    <link>/1</link><description>by Grace Hopper</description></item></channel></rss>";

impl Office {
    /// The domain of the site.
    fn domain(&self) -> String {
        format!("127.0.0.1:{}", self.site.port())
    }

    /// The brand pushes content that names the talent; returns the mention's ID.
    async fn published(&self) -> String {
        let world = &self.world;
        let (_, pax) = platform(world, &world.brand, "wire.example").await;
        let items = json!([item("https://wire.example/1", "by Grace Hopper")]);
        let pushed = push(world, &world.brand, &pax, items).await;
        assert_eq!(pushed.status, 201, "{}", pushed.json());
        text(&pushed.json()["data"]["items"][0]["mentions"][0]["mentionId"])
    }

    /// Asserts that a mention was found just now.
    async fn tells_found(&self, mention: &str, kind: NoticeKind, site: &str, verdict: [&str; 2]) {
        let [verdict, reason] = verdict;
        let told = Told {
            kind,
            summary: &format!("Grâce Hopper was found on {site} ({verdict})"),
            path: &format!("/app/mentions/{mention}"),
            text: &format!(
                "We found Grâce Hopper on {site}: News\n\nVerdict: {verdict}. {reason}\n\n\
                 View mention:\n{LINK}"
            ),
        };
        self.tells(&told).await;
    }

    /// The agency watches the feed of the site; returns the source's ID.
    async fn source(&self) -> String {
        self.put("/feed", Script::ok(FEED.as_bytes()));
        let body = json!({ "url": self.site.url("/feed"), "frequency": "hourly" });
        let made = self.world.as_agency(Method::POST, "/sources", Some(body)).await;
        assert_eq!(made.status, 201, "{}", made.json());
        text(&made.json()["id"])
    }

    /// Scans the source, which is due.
    async fn scan(&self) {
        assert_eq!(source::scan_due(&self.world.app.app, PACE).await, Ok(1));
    }

    /// A platform of the agency on the site, whose domain is verified by a file; returns its ID.
    async fn platform(&self) -> String {
        let world = &self.world;
        let post = async |path: &str, body: Value| {
            let made = world.agency.console(&world.app, Method::POST, path, Some(body)).await;
            assert_eq!(made.status, 201, "{}", made.json());
            made.json()["data"].clone()
        };
        let team = post("/org/create/team", json!({ "name": "News" })).await;
        let body = json!({
            "name": "The Wire", "teamId": team["teamId"], "type": "News Media",
            "domain": self.domain(),
        });
        let made = post("/org/create/platform", body).await;
        let [path, content] = ["path", "content"].map(|it| text(&made["verification"]["file"][it]));
        self.put(&path, Script::ok(content.as_bytes()));
        let id = text(&made["platformId"]);
        let path = format!("/org/verify/platform/{id}?method=file");
        let verified = world.agency.console(&world.app, Method::GET, &path, None).await.json();
        assert_eq!(verified["data"]["verificationStatus"], "verified", "{verified}");
        id
    }

    /// Creates a member of staff and returns the access token.
    async fn staff(&self, email: &str, role: AdminRole) -> String {
        let app = &self.world.app;
        let context = Context::operator(app.app.clock.monotonic());
        let (email, name) = (Email::parse(email), FullName::parse("Grace Hopper"));
        let made = admin::create(&app.app, &context, email.unwrap(), name.unwrap(), role).await;
        let made = made.unwrap();
        let body = json!({ "token": made.token.expose() });
        let login = app.post("/v1.0.1/auth/authenticateAdmin", &body).await;
        text(&login.json()["data"]["accessToken"])
    }

    /// Sends a request as staff.
    async fn post_as(&self, token: &str, path: &str, body: Option<Value>) -> Value {
        let request = self.world.app.request(Method::POST, &format!("/v1.0.1{path}")).bearer(token);
        let answer = match body {
            Some(body) => request.json(&body).send().await,
            None => request.send().await,
        };
        assert!(answer.status.is_success(), "{path}: {}", answer.json());
        answer.json()["data"].clone()
    }

    /// Staff create a scanner of a platform and start it; returns the pod's ID.
    async fn scanner(&self, staff: &str, platform: &str) -> String {
        let body = json!({ "platform": { "platformId": platform }, "scopes": ["crawl"] });
        let pod = text(&self.post_as(staff, "/pax/pod", Some(body)).await["podId"]);
        self.post_as(staff, &format!("/pax/start/pod/{pod}"), None).await;
        pod
    }
}

#[db_test]
async fn an_unlicensed_mention(office: Office) {
    office.add_owners(AGENCY).await;
    office.world.license(json!({ "canCrawl": true })).await;
    let mention = office.published().await;
    let reason = "Strong match, and the platform's organization has no permission.";
    let kind = NoticeKind::MentionUnlicensed;
    office.tells_found(&mention, kind, "wire.example", ["unlicensed", reason]).await;
}

#[db_test]
async fn a_licensed_mention(office: Office) {
    office.add_owners(AGENCY).await;
    let license = office.world.license(json!({ "canCrawl": true })).await;
    assert_eq!(office.world.grant(&license, "viewer").await.status, 201);
    let mention = office.published().await;
    let reason = "The platform's organization has an active permission.";
    let kind = NoticeKind::MentionLicensed;
    office.tells_found(&mention, kind, "wire.example", ["licensed", reason]).await;
}

#[db_test]
async fn a_mention_that_needs_review(office: Office) {
    office.add_owners(AGENCY).await;
    let license = office.world.license(json!({ "canCrawl": true })).await;
    office.source().await;
    office.scan().await;
    let found = office.world.get(&format!("/licenses/{license}/mentions")).await.json();
    let mention = text(&found["data"][0]["id"]);
    let reason = "Naming somebody is not a use of their likeness by itself. Please check what the \
                  name is used for.";
    let (kind, site) = (NoticeKind::MentionNeedsReview, office.domain());
    office.tells_found(&mention, kind, &site, ["needs review", reason]).await;
}

#[db_test]
async fn a_source_that_fails_for_a_day(office: Office) {
    office.add_owners(AGENCY).await;
    let source = office.source().await;
    office.put("/feed", Script::answer(500, b""));
    office.scan().await;
    office.world.app.clock.advance(hours(24));
    office.scan().await;
    let text = format!(
        "We haven't been able to read the source The Daily ({}) since Jan 1, 2026: the server \
         returned status 500. Until we can read it again, we won't find mentions there.\n\n\
         View source:\n{LINK}",
        office.site.url("/feed")
    );
    let told = Told {
        kind: NoticeKind::SourceFailing,
        summary: "The source The Daily can't be read: the server returned status 500",
        path: &format!("/app/sources/{source}"),
        text: &text,
    };
    office.tells(&told).await;
}

#[db_test]
async fn a_platform_whose_domain_was_verified(office: Office) {
    office.add_owners(AGENCY).await;
    let platform = office.platform().await;
    let told = Told {
        kind: NoticeKind::PlatformVerified,
        summary: "The domain of The Wire was verified",
        path: &format!("/app/platforms/{platform}"),
        text: &format!(
            "The domain {} of your platform The Wire was verified.\n\nView platform:\n{LINK}",
            office.domain()
        ),
    };
    office.tells(&told).await;
    assert_eq!(office.mails("ada@example.com").await.len(), 0, "who did it is not told");
}

const STOPPED: &str = "The scanner of The Wire was stopped";

#[db_test]
async fn a_scanner_that_staff_stopped(office: Office) {
    let platform = office.platform().await;
    office.add_owners(AGENCY).await;
    let staff = office.staff("root@example.com", AdminRole::Admin).await;
    let pod = office.scanner(&staff, &platform).await;
    office.post_as(&staff, &format!("/pax/stop/pod/{pod}"), None).await;
    let told = Told {
        kind: NoticeKind::ScannerStopped,
        summary: STOPPED,
        path: &format!("/app/platforms/{platform}"),
        text: "Our staff stopped the scanner of your platform The Wire. New content is not scanned \
               until the scanner is started again.\n\nView platform:\n<link>",
    };
    office.tells(&told).await;
}

#[db_test]
async fn scanners_that_staff_stopped_together_are_told_once_each(office: Office) {
    let platform = office.platform().await;
    let staff = office.staff("root@example.com", AdminRole::Admin).await;
    office.scanner(&staff, &platform).await;
    for _ in 0..2 {
        office.post_as(&staff, "/pax/stop/pods", None).await;
        assert_eq!(office.world.told(&office.world.agency).await, [STOPPED]);
    }
}

/// The bell of staff is in `tests/web/admin/notice.rs`.
#[db_test]
async fn a_platform_that_waits_for_a_scanner(office: Office) {
    let platform = office.platform().await;
    let path = format!("/org/request/pod/{platform}");
    let email = |role: AdminRole| format!("{}@example.com", role.name().to_lowercase());
    for role in AdminRole::ALL {
        office.staff(&email(role), role).await;
    }
    office.clear_mails().await;
    for time in [MINUTE, hours(24)] {
        // Asked again, it waits as before.
        let asked = office.ask("ada@example.com", Method::POST, &path, None).await;
        assert_eq!(asked.status, 201, "{}", asked.json());
        office.pass(time).await;
        for role in [AdminRole::SuperAdmin, AdminRole::Admin] {
            let mails = office.mails(&email(role)).await;
            let [mail] = &*mails else { panic!("{role}: {mails:?}") };
            let stop_link = office.stop_link(mail).await;
            let whole = format!(
                "Hello Grace Hopper,\n\nAgency of ada@example.com asked for a scanner of its \
                 platform The Wire ({}).\n\nCreate scanner:\n\
                 {ORIGIN}/app/admin/pods/new?platform={platform}\n\nGrantor\n\n--\n\
                 To stop emails like this one (A platform waits for a scanner):\n{stop_link}\n\
                 To choose what we email you:\n{ORIGIN}/app/admin/notifications",
                office.domain()
            );
            let subject = "Agency of ada@example.com asked for a scanner of The Wire";
            assert_eq!((&*mail.subject, &*mail.text), (subject, &*whole));
        }
        let others = office.mails(&email(AdminRole::SupportAdmin)).await;
        assert_eq!(others.len(), 0, "who cannot create scanners is not told");
    }
    let bell = office.ask("ada@example.com", Method::GET, NOTICES, None).await.json();
    assert_eq!(bell["data"]["notices"], json!([]), "it is for staff");
}

/// Nobody has to act anymore.
#[db_test]
async fn staff_are_not_mailed_about_a_platform_that_has_a_scanner_by_now(office: Office) {
    let platform = office.platform().await;
    let staff = office.staff("root@example.com", AdminRole::Admin).await;
    office.clear_mails().await;
    let path = format!("/org/request/pod/{platform}");
    assert_eq!(office.ask("ada@example.com", Method::POST, &path, None).await.status, 201);
    office.scanner(&staff, &platform).await;
    office.pass(MINUTE).await;
    assert_eq!(office.mails("root@example.com").await.len(), 0);
    let unread = "SELECT summary FROM notices WHERE read_at IS NULL AND kind = 'platform_waiting'";
    let options = &office.world.app.database.options;
    assert_eq!(seed::rows(options, unread).await, Vec::<Vec<String>>::new());
}

/// Who only sees a license is told in the digest, and not asked to decide.
#[db_test]
async fn a_mention_that_others_decide_about(mut office: Office) {
    let license = office.world.license(json!({ "canCrawl": true })).await;
    assert_eq!(office.world.grant(&license, "viewer").await.status, 201);
    office.clear_mails().await;
    office.world.app.clock.advance(Duration::from_millis(1));
    office.source().await;
    office.scan().await;
    let site = office.domain();
    let [asks, tells] =
        ["needs review", "in review"].map(|it| format!("Grâce Hopper was found on {site} ({it})"));
    assert_eq!(office.world.told(&office.world.agency).await, std::slice::from_ref(&asks));
    let shared = "Agency of ada@example.com shared Winter with you".to_owned();
    assert_eq!(office.world.told(&office.world.brand).await, [tells.clone(), shared]);
    office.pass(MINUTE).await;
    assert_eq!(office.mails("ada@example.com").await.len(), 1, "who decides is told at once");
    assert_eq!(office.mails("bea@example.com").await.len(), 0);
    office.pass(hours(24)).await;
    let mails = office.mails("bea@example.com").await;
    let [mail] = &*mails else { panic!("{mails:?}") };
    assert_eq!(mail.subject, "Your daily digest: 2 notifications");
    assert!(mail.text.contains(&tells) && !mail.text.contains("check"), "{}", mail.text);
    // Their own choice counts.
    office.world.later(MINUTE).await;
    office.world.choose(&office.world.brand, "mention_needs_review", "now").await;
    office.put("/feed", Script::ok(FEED.replace("/1<", "/2<").as_bytes()));
    office.world.app.clock.advance(hours(1));
    office.scan().await;
    office.pass(MINUTE).await;
    let mails = office.mails("bea@example.com").await;
    assert!(mails.iter().any(|it| it.subject == tells), "{mails:?}");
    let own = mails.iter().find(|it| it.subject == tells).unwrap();
    let verdict = "Verdict: in review. The rights holder decides about it.";
    assert!(own.text.contains(verdict), "{}", own.text);
}

/// A trustee decides as the owner does.
#[db_test]
async fn a_mention_that_a_trustee_decides_about(office: Office) {
    let license = office.world.license(json!({ "canCrawl": true })).await;
    assert_eq!(office.world.grant(&license, "trustee").await.status, 201);
    office.source().await;
    office.scan().await;
    let query = "SELECT channel, summary FROM notices WHERE kind = 'mention_needs_review'";
    let told = seed::rows(&office.world.app.database.options, query).await;
    let line = format!("Grâce Hopper was found on {} (needs review)", office.domain());
    assert_eq!(told, vec![vec!["now".to_owned(), line]; 2]);
}

/// Staff choose as members do.
#[db_test]
async fn staff_get_their_digest_at_their_hour(office: Office) {
    let platform = office.platform().await;
    office.staff("root@example.com", AdminRole::Admin).await;
    office.clear_mails().await;
    let script = "INSERT INTO notice_preferences
            SELECT admin_id, 'platform_waiting', 'digest' FROM admins;
        INSERT INTO notice_settings (person_id, digest_hour, time_zone)
            SELECT admin_id, 18, 'America/New_York' FROM admins";
    seed::run(&office.world.app.database.options, script.to_owned()).await;
    let path = format!("/org/request/pod/{platform}");
    assert_eq!(office.ask("ada@example.com", Method::POST, &path, None).await.status, 201);
    office.pass(hours(22)).await;
    assert_eq!(office.mails("root@example.com").await.len(), 0, "17:00 in New York");
    office.pass(hours(1)).await;
    let mails = office.mails("root@example.com").await;
    let [mail] = &*mails else { panic!("{mails:?}") };
    assert_eq!(mail.subject, "Your daily digest: 1 notification");
    let text = format!(
        "Hello Grace Hopper,\n\nThis is your digest for Jan 1, 2026, with 1 notification:\n\n\
         Agency of ada@example.com asked for a scanner of The Wire\n\
         {ORIGIN}/app/admin/pods/new?platform={platform}\n\n\
         View notifications:\n{ORIGIN}/app/admin/notices\n\nGrantor\n\n--\n\
         To stop the daily digest:\n{}\n\
         To choose what we email you:\n{ORIGIN}/app/admin/notifications",
        office.stop_link(mail).await
    );
    assert_eq!(mail.text, text);
}
