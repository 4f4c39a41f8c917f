//! The bell, the notification settings, chat addresses and the page that unsubscribes.

use std::time::Duration;

use grantor_service::notices;
use grantor_testkit::app::ORIGIN;
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::{db_test, seed};

use super::kit::{ADA, Seen, WebFixture};

const SETTINGS: &str = "/app/profile/notifications";
const CHATS: &str = "/app/organization/chat";

/// Writes a notice to Ada about her organization.
async fn tell(fixture: &WebFixture, number: u8, summary: &str) {
    let options = &fixture.app.database.options;
    let id = seed::id(options, &format!("00000000-0000-7000-8000-0000000000{number:02}"));
    let script = format!(
        "INSERT INTO notices SELECT {id}, m.user_id, m.tenant_id, 'request', 'request_received',
           '{{}}', '{summary}', '/app/requests', 'now', NULL, NULL, {number}
         FROM memberships m JOIN users u ON u.user_id = m.user_id WHERE u.email = '{ADA}'"
    );
    fixture.run(script).await;
}

#[db_test]
async fn the_bell_counts_what_is_new_and_leads_to_it(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.get("/app/notices").await;
    seen.says(200, &["No notifications yet"]).hides("Mark all as read");
    assert!(seen.page.contains("aria-label=\"Notifications\""), "{}", seen.page);
    tell(&fixture, 1, "Somerville requested Winter").await;
    tell(&fixture, 2, "Somerville requested Summer").await;
    let seen = ada.get("/app").await;
    assert!(seen.page.contains("aria-label=\"Notifications, 2 new\""), "{}", seen.page);
    let seen = ada.get("/app/notices").await;
    seen.says(200, &["Somerville requested Summer new", "Somerville requested Winter"]);
    let one = "/app/notices/00000000-0000-7000-8000-000000000001";
    let opened = ada.get(one).await;
    assert_eq!((opened.status, opened.location.as_deref()), (303, Some("/app/requests")));
    let seen = ada.get("/app").await;
    assert!(seen.page.contains("aria-label=\"Notifications, 1 new\""), "{}", seen.page);
    let seen = ada.follow("/app/notices/read", &[]).await;
    seen.says(200, &["All notifications marked as read"]).hides("Mark all as read");
    let mut mary = fixture.stranger().await;
    assert_eq!(mary.get(one).await.status, 404, "only its person opens it");
}

#[db_test]
async fn settings_are_chosen_from_what_is_shown(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.get(SETTINGS).await;
    seen.says(200, &[ADA, "Email at once", "Daily digest", "No email", "08:00", "Berlin"]);
    let checked = "name=\"channels.request\" value=\"now\" checked";
    assert!(seen.page.contains(checked), "{}", seen.page);
    let form =
        [("channels.request", "off"), ("digestHour", "18"), ("timeZone", "America/New_York")];
    let seen = ada.follow(SETTINGS, &form).await;
    seen.says(200, &["Notification settings updated"]);
    assert!(seen.page.contains("name=\"channels.request\" value=\"off\" checked"));
    assert!(seen.page.contains("<option value=\"18\" selected>"));
    assert!(seen.page.contains("<option value=\"America/New_York\" selected>"));
    let seen = ada.post(SETTINGS, &[("digestHour", "x"), ("timeZone", "Mars/Base")]).await;
    seen.says(422, &["Please fix the fields below"]);
    seen.refuses("timeZone", "Must be an IANA time zone such as Europe/Berlin.");
}

#[db_test]
async fn a_refused_address_is_shown_and_tried_again(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.get(SETTINGS).await.says(200, &[]).hides("refused our emails");
    fixture.run(format!("INSERT INTO refused_addresses VALUES ('{ADA}', '550', 1)")).await;
    ada.get(SETTINGS).await.says(200, &["refused our emails", "Send emails again"]);
    let seen = ada.follow(&format!("{SETTINGS}/resume"), &[]).await;
    seen.says(200, &["We'll email you notifications again"]).hides("refused our emails");
}

#[db_test]
async fn a_chat_address_is_added_tested_and_deleted(fixture: WebFixture) {
    let chat = Listener::start(|_| Script::ok(b"")).await.unwrap();
    let mut ada = fixture.ada().await;
    ada.get(CHATS).await.says(200, &["No chat addresses yet"]);
    let seen = ada.post(&format!("{CHATS}/new"), &[("name", "")]).await;
    seen.says(422, &[]).refuses("name", "Is required.").refuses("url", "Is required.");
    let url = chat.url("/services/abcdefghijklmnop");
    let form = [("name", "Rights team"), ("url", url.as_str()), ("kinds", "request")];
    let seen = ada.follow(&format!("{CHATS}/new"), &form).await;
    seen.says(200, &["Chat address added", "Rights team", "…mnop"]).hides("abcdefgh");
    seen.says(200, &[&*chat.url("/…mnop")]);
    let again = ada.post(&format!("{CHATS}/new"), &form).await;
    again.says(409, &[]).refuses("url", "The chat address Rights team already has this URL.");
    again.hides("A case was assigned to you");
    let id = seen.between(&format!("{CHATS}/"), "/test").unwrap();
    let id = id.rsplit('/').next().unwrap().to_owned();
    let seen = ada.follow(&format!("{CHATS}/{id}/test"), &[]).await;
    seen.says(200, &["Test message sent"]);
    assert_eq!(chat.calls().len(), 1);
    ada.get(&format!("{CHATS}/{id}")).await.holds("name", "Rights team").hides("abcdefgh");
    let form = [("name", "Team"), ("url", ""), ("kinds", "offer")];
    ada.follow(&format!("{CHATS}/{id}"), &form).await.says(200, &["Chat address updated", "Team"]);
    ada.follow(&format!("{CHATS}/{id}/status"), &[("status", "disabled")])
        .await
        .says(200, &["Chat address disabled", "Enable"]);
    let seen = ada.follow(&format!("{CHATS}/{id}/delete"), &[]).await;
    seen.says(200, &["Chat address deleted", "No chat addresses yet"]);
}

#[db_test]
async fn only_administrators_manage_chats(fixture: WebFixture) {
    let mut colleague = fixture.colleague("Organization_User").await;
    assert_eq!(colleague.get(CHATS).await.status, 403);
    colleague.get("/app/organization").await.says(200, &[]).hides("Chat addresses");
    fixture.ada().await.get("/app/organization").await.says(200, &["Chat addresses"]);
}

#[db_test]
async fn anybody_with_the_link_unsubscribes_by_its_button(fixture: WebFixture) {
    tell(&fixture, 1, "Asked").await;
    fixture.run("UPDATE notices SET due_at = 1".to_owned()).await;
    fixture.app.clock.advance(Duration::from_secs(1));
    let now = fixture.app.app.clock.now();
    assert_eq!(notices::compose_due(&fixture.app.app, now).await, Ok(1));
    let mail = fixture.app.newest_mail(ADA).await;
    let link = mail.split_once(&format!("<{ORIGIN}/unsubscribe/")).expect("a link").1;
    let path = format!("/unsubscribe/{}", link.split('>').next().unwrap());
    let mut nobody = fixture.browser();
    let seen = nobody.get(&path).await;
    let what = "Stop emails of the kind “A license was requested, or a request ended” to \
                a•••@example.com?";
    seen.says(200, &["Unsubscribe", what]).hides(ADA);
    let seen = nobody.post(&path, &[]).await;
    seen.says(200, &["You're unsubscribed", "to a•••@example.com."]).hides(ADA);
    assert_eq!(seen.link("/app/profile"), SETTINGS);
    let seen = fixture.ada().await.get(SETTINGS).await;
    assert!(seen.page.contains("name=\"channels.request\" value=\"off\" checked"));
    nobody.get("/unsubscribe/x").await.says(404, &[]);
}

/// How the bell of a page is called.
fn bell(seen: &Seen) -> String {
    seen.between("class=\"bell\"", ">")
        .and_then(|it| Some(it.split_once("aria-label=\"")?.1.split('"').next()?.to_owned()))
        .expect("a bell")
}

#[db_test]
async fn opening_the_page_itself_marks_its_notifications_as_read(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    tell(&fixture, 1, "Somerville requested Winter").await;
    tell(&fixture, 2, "Somerville requested Summer").await;
    fixture.run("UPDATE notices SET link = '/app/billing' WHERE created_at = 2".to_owned()).await;
    assert_eq!(bell(&ada.get("/app").await), "Notifications, 2 new");
    let seen = ada.get("/app/requests?status=open").await;
    assert_eq!(bell(&seen), "Notifications, 1 new", "already on this page");
    assert_eq!(bell(&ada.get("/app").await), "Notifications, 1 new");
    ada.get("/app/billing").await.says(200, &[]);
    assert_eq!(bell(&ada.get("/app").await), "Notifications");
}

/// Nobody else's are marked.
#[db_test]
async fn what_others_open_stays_unread(fixture: WebFixture) {
    tell(&fixture, 1, "Somerville requested Winter").await;
    fixture.stranger().await.get("/app/requests").await.says(200, &[]);
    assert_eq!(bell(&fixture.ada().await.get("/app").await), "Notifications, 1 new");
}

/// Ada is a member of this one, too.
const STUDIO: &str = "10000000-0000-0000-0000-000000000001";

#[db_test]
async fn a_link_of_another_organization_offers_to_switch(fixture: WebFixture) {
    seed::memberships(&fixture.app.database.options, ADA, 1).await;
    let mut ada = fixture.ada().await;
    let link = format!("/app/mentions?verdict=licensed&organization={STUDIO}");
    let seen = ada.get(&link).await;
    let told = ["This page belongs to Studio 1", "You're in Babbage Talent at the moment."];
    seen.says(200, &told).says(200, &["Switch to Studio 1", "Stay in Babbage Talent"]);
    seen.holds("next", "/app/mentions?verdict=licensed");
    ada.get("/app/profile").await.says(200, &["Organization admin"]);
    let form = [("organization", STUDIO), ("next", "/app/mentions?verdict=licensed")];
    let seen = ada.follow("/app/switch", &form).await;
    seen.says(200, &["Switched to Studio 1", "Mentions", "Team lead"]);
    ada.get(&link).await.says(200, &["Mentions"]).hides("This page belongs to");
    let elsewhere = [("organization", STUDIO), ("next", "https://evil.example/")];
    let seen = ada.post("/app/switch", &elsewhere).await;
    assert_eq!(seen.location.as_deref(), Some("/app"), "nobody is led elsewhere");
}

/// Where the user does not belong, the page decides.
#[db_test]
async fn a_link_of_a_foreign_organization_is_an_ordinary_link(fixture: WebFixture) {
    seed::memberships(&fixture.app.database.options, ADA, 1).await;
    let mut ada = fixture.ada().await;
    for foreign in ["0190a5e4-7b3c-7def-8123-456789abcdef", "studio", ""] {
        let seen = ada.get(&format!("/app/mentions?organization={foreign}")).await;
        seen.says(200, &["Mentions"]).hides("This page belongs to");
    }
    let mut mary = fixture.stranger().await;
    let seen = mary.get(&format!("/app/mentions?organization={STUDIO}")).await;
    seen.says(200, &["Mentions"]).hides("Studio 1");
}

#[db_test]
async fn the_bell_tells_what_is_new_in_other_organizations(fixture: WebFixture) {
    tell(&fixture, 1, "Somerville requested Winter").await;
    let options = &fixture.app.database.options;
    seed::memberships(options, ADA, 1).await;
    let mut ada = fixture.ada().await;
    let seen = ada.get("/app/notices").await;
    seen.says(200, &["What happened in Babbage Talent that concerns you."]);
    seen.hides("new notification in");
    let ids = [STUDIO, "00000000-0000-7000-8000-000000000099"].map(|it| seed::id(options, it));
    let script = format!(
        "INSERT INTO notices SELECT {}, person_id, {}, kind, mail_kind, mail_values,
           'Loopwell asked', '/app/requests', channel, NULL, NULL, 9 FROM notices",
        ids[1], ids[0]
    );
    fixture.run(script).await;
    let seen = ada.get("/app/notices").await;
    seen.says(200, &["1 new notification in Studio 1", "Switch to Studio 1"]);
    seen.hides("Loopwell asked").holds("next", "/app/notices");
    let form = [("organization", STUDIO), ("next", "/app/notices")];
    let seen = ada.follow("/app/switch", &form).await;
    seen.says(200, &["Loopwell asked", "1 new notification in Babbage Talent"]);
    // The same page in both organizations.
    assert_eq!(bell(&ada.get("/app/requests").await), "Notifications");
    ada.get("/app/notices").await.says(200, &[]).hides("new notification in");
}
