//! The bell of staff, and how they are told.

use std::time::Duration;

use grantor_domain::admin::AdminRole;
use grantor_service::notices;
use grantor_testkit::app::ORIGIN;
use grantor_testkit::{db_test, seed};

use super::{UNKNOWN, staff};
use crate::web::kit::WebFixture;

const LIST: &str = "/app/admin/notices";
const SETTINGS: &str = "/app/admin/notifications";
const SUMMARY: &str = "Babbage Talent asked for a scanner of The Wire";

/// Writes a notice to every member of staff.
async fn tell(fixture: &WebFixture, id: &str) {
    let id = seed::id(&fixture.app.database.options, id);
    fixture
        .run(format!(
            "INSERT INTO notices SELECT {id}, admin_id, NULL, 'platform_waiting',
               'platform_waiting', '{{}}', '{SUMMARY}', '/app/admin/pods/new?platform={UNKNOWN}',
               'now', 1, NULL, 1 FROM admins"
        ))
        .await;
}

const ONE: &str = "00000000-0000-7000-8000-000000000001";

#[db_test]
async fn the_bell_of_staff_counts_and_leads_on(fixture: WebFixture) {
    let mut admin = staff(&fixture, AdminRole::Admin).await;
    admin.get(LIST).await.says(200, &["No notifications yet"]);
    tell(&fixture, ONE).await;
    let seen = admin.get("/app/admin").await;
    assert!(seen.page.contains("aria-label=\"Notifications, 1 new\""), "{}", seen.page);
    assert_eq!(seen.link("/app/admin/notices"), LIST);
    let told = [SUMMARY, "A platform waits for a scanner", "Mark all as read"];
    admin.get(LIST).await.says(200, &told);
    let opened = admin.get(&format!("{LIST}/{ONE}")).await;
    let link = format!("/app/admin/pods/new?platform={UNKNOWN}");
    assert_eq!((opened.status, opened.location), (303, Some(link)));
    let seen = admin.get("/app/admin").await;
    assert!(seen.page.contains("aria-label=\"Notifications\""), "{}", seen.page);
    assert_eq!(admin.get("/app/admin/notices/x").await.status, 404);
}

#[db_test]
async fn staff_mark_what_they_have_read(fixture: WebFixture) {
    let mut admin = staff(&fixture, AdminRole::SuperAdmin).await;
    tell(&fixture, ONE).await;
    let seen = admin.follow(&format!("{LIST}/read"), &[]).await;
    seen.says(200, &["All notifications marked as read", SUMMARY]).hides("Mark all as read");
    fixture.run("UPDATE notices SET read_at = NULL".to_owned()).await;
    admin.get(&format!("/app/admin/pods/new?platform={UNKNOWN}")).await.says(200, &[]);
    admin.get(LIST).await.says(200, &[SUMMARY]).hides("Mark all as read");
}

#[db_test]
async fn staff_choose_how_they_are_told(fixture: WebFixture) {
    let mut admin = staff(&fixture, AdminRole::Admin).await;
    let seen = admin.get(SETTINGS).await;
    seen.says(200, &["A platform waits for a scanner", "Daily digest"]);
    seen.says(200, &["Emails go to Admin@grantor.test."]).hides("A license was requested");
    let chosen = "name=\"channels.platform_waiting\" value=\"now\" checked";
    assert!(seen.page.contains(chosen), "{}", seen.page);
    let form = [
        ("channels.platform_waiting", "digest"),
        ("channels.request", "off"),
        ("digestHour", "18"),
        ("timeZone", "America/New_York"),
    ];
    let seen = admin.follow(SETTINGS, &form).await;
    seen.says(200, &["Notification settings updated"]);
    assert!(seen.page.contains("name=\"channels.platform_waiting\" value=\"digest\" checked"));
    let options = &fixture.app.database.options;
    let query = "SELECT kind, channel FROM notice_preferences";
    assert_eq!(seed::rows(options, query).await, [["platform_waiting", "digest"]]);
    let log = "SELECT resource_type FROM log_entries WHERE action = 'notification.update'";
    assert_eq!(seed::rows(options, log).await, [["admin"]]);
    let seen = admin.post(SETTINGS, &[("timeZone", "Mars/Base")]).await;
    seen.says(422, &[]).refuses("timeZone", "Must be an IANA time zone such as Europe/Berlin.");
}

/// Who may not create scanners is told nothing.
#[db_test]
async fn who_cannot_act_has_no_bell(fixture: WebFixture) {
    let mut support = staff(&fixture, AdminRole::SupportAdmin).await;
    support.get("/app/admin").await.says(200, &[]).hides(LIST);
    for page in [LIST, SETTINGS] {
        support.get(page).await.says(403, &[]);
    }
    let mut ada = fixture.ada().await;
    let away = ada.get(LIST).await.location;
    assert_eq!(away.as_deref(), Some("/app/admin/sign-in?next=%2Fapp%2Fadmin%2Fnotices"));
}

#[db_test]
async fn staff_unsubscribe_and_find_their_settings(fixture: WebFixture) {
    let mut admin = staff(&fixture, AdminRole::Admin).await;
    tell(&fixture, ONE).await;
    fixture.app.clock.advance(Duration::from_secs(1));
    let now = fixture.app.app.clock.now();
    assert_eq!(notices::compose_due(&fixture.app.app, now).await, Ok(1));
    let mail = fixture.app.newest_mail("Admin@grantor.test").await;
    assert!(mail.contains(&format!("{ORIGIN}{SETTINGS}")), "{mail}");
    let link = mail.split_once(&format!("<{ORIGIN}/unsubscribe/")).expect("a link").1;
    let path = format!("/unsubscribe/{}", link.split('>').next().unwrap());
    let mut nobody = fixture.browser();
    nobody.get(&path).await.says(200, &["to A•••@grantor.test?"]);
    let seen = nobody.post(&path, &[]).await;
    assert_eq!(seen.says(200, &["You're unsubscribed"]).link("/app/admin"), SETTINGS);
    let seen = admin.get(SETTINGS).await;
    assert!(seen.page.contains("name=\"channels.platform_waiting\" value=\"off\" checked"));
}
