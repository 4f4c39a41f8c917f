//! Notices, emails and digests in the language of their person.

use grantor_service::mail::SavedMail;
use grantor_service::notices;
use grantor_testkit::app::TestApp;
use grantor_testkit::{db_test, seed};
use serde_json::json;

use super::{ADA, BEA, MINUTE, hours};
use crate::license::{Member, World};

impl World {
    /// Sets the language of a member.
    async fn speaks(&self, member: &Member, language: &str) {
        assert_eq!(self.set(member, json!({ "language": language })).await.status, 200);
    }
}

/// Composes and sends what is due and returns the newest mail to an address.
async fn newest(app: &TestApp, to: &str) -> SavedMail {
    notices::compose_due(&app.app, app.app.clock.now()).await.unwrap();
    app.app.mailer.send_due(1_000).await.unwrap();
    let mailbox = app.app.mailer.mailbox().unwrap();
    let all = mailbox.list(1_000).await.unwrap();
    let found = all.iter().find(|it| it.to == to).unwrap();
    let mut mail = mailbox.read(&found.name).await.unwrap().unwrap();
    mail.text = mail.text.replace('\r', "");
    mail
}

#[db_test]
async fn people_are_told_in_their_own_language(world: World) {
    world.speaks(&world.agency, "de").await;
    let request = world.ask_for_license().await;
    let line = "Brand of bea@example.com hat Winter angefragt";
    assert_eq!(world.told(&world.agency).await[0], line);
    world.app.clock.advance(MINUTE);
    let mail = newest(&world.app, ADA).await;
    assert_eq!(mail.subject, line);
    let begin = "Guten Tag Ada Lovelace,\n\nBrand of bea@example.com hat Ihre Lizenz Winter (";
    assert!(mail.text.starts_with(begin), "{}", mail.text);
    let button = format!("\n\nAnfrage ansehen:\nhttps://grantor.test/app/requests/{request}\n\n");
    assert!(mail.text.contains(&button), "{}", mail.text);
    let footer = "\n--\nUm E-Mails wie diese (Eine Lizenz wurde angefragt oder eine Anfrage \
        endete) abzubestellen:\nhttps://grantor.test/unsubscribe/";
    assert!(mail.text.contains(footer), "{}", mail.text);
    let html = mail.html.unwrap();
    assert!(html.starts_with("<!DOCTYPE html><html lang=\"de\">"), "{html}");
    assert!(html.contains("\">Abbestellen</a>. <a href=\""), "{html}");

    let body = json!({ "message": "Which channels?" });
    let path = format!("/requests/{request}/messages");
    world.as_agency(http::Method::POST, &path, Some(body)).await;
    world.app.clock.advance(MINUTE);
    let mail = newest(&world.app, BEA).await;
    let line = "New message from Agency of ada@example.com about Winter";
    assert_eq!(mail.subject, line, "the other side chose nothing");
    assert!(mail.text.contains("\n\nView request:\n"), "{}", mail.text);
}

#[db_test]
async fn a_burst_and_its_organizations_are_counted_in_the_language(world: World) {
    world.speaks(&world.agency, "de").await;
    world.ask_for_license().await;
    world.ask_for_license().await;
    world.app.clock.advance(MINUTE);
    let mail = newest(&world.app, ADA).await;
    let subject = "2 Benachrichtigungen: Brand of bea@example.com hat Winter angefragt";
    assert_eq!(mail.subject, subject);
    assert!(mail.text.contains("\n\nSie haben 2 Benachrichtigungen:\n\n"), "{}", mail.text);
}

#[db_test]
async fn a_digest_is_in_the_language_with_its_date(mut world: World) {
    world.speaks(&world.brand, "de").await;
    world.share_license().await;
    world.later(hours(8)).await;
    let mail = newest(&world.app, BEA).await;
    assert_eq!(mail.subject, "Ihre tägliche Zusammenfassung: 1 Benachrichtigung");
    let day = "dies ist Ihre Zusammenfassung für den 1. Jan. 2026 mit 1 Benachrichtigung:";
    assert!(mail.text.contains(day), "{}", mail.text);
    let line = "\n\nAgency of ada@example.com hat Winter mit Ihnen geteilt\nhttps://grantor.test/";
    assert!(mail.text.contains(line), "{}", mail.text);
    let footer = "\n--\nUm die tägliche Zusammenfassung abzubestellen:\n";
    assert!(mail.text.contains(footer), "{}", mail.text);
}

/// A language that the operator removed since is none.
#[db_test]
async fn an_unknown_language_is_english(world: World) {
    world.speaks(&world.agency, "de").await;
    let script = "UPDATE notice_settings SET language = 'xx'";
    seed::run(&world.app.database.options, script.to_owned()).await;
    world.ask_for_license().await;
    assert_eq!(world.told(&world.agency).await[0], "Brand of bea@example.com requested Winter");
}

#[db_test]
async fn a_text_of_staff_is_sent_whatever_the_language(world: World) {
    world.speaks(&world.agency, "de").await;
    let options = &world.app.database.options;
    let id = seed::id(options, "00000000-0000-0000-0000-000000000001");
    let script = format!(
        "INSERT INTO mail_templates VALUES ({id}, 'request_received', 'Asked: {{{{license}}}}',
           '{{{{greeting}}}} {{{{link}}}}', 1, 1)"
    );
    seed::run(options, script).await;
    world.ask_for_license().await;
    world.app.clock.advance(MINUTE);
    let mail = newest(&world.app, ADA).await;
    assert_eq!(mail.subject, "Asked: Winter");
    let begin = "Guten Tag Ada Lovelace, https://grantor.test/";
    assert!(mail.text.starts_with(begin), "{}", mail.text);
    assert!(mail.text.contains("\nUm E-Mails wie diese ("), "{}", mail.text);
}
