//! Unsubscribing with one click, by the signed link alone (RFC 8058).

use grantor_testkit::app::{ORIGIN, TestApp};
use grantor_testkit::db_test;
use http::Method;

use super::{ADA, BEA, Inbox, MINUTE, header, hours, to};
use crate::license::World;

/// The path of a mail's link, after checking both headers.
fn path_of(mail: &str) -> String {
    assert_eq!(header(mail, "List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    let link = header(mail, "List-Unsubscribe");
    let link = link.strip_prefix('<').and_then(|it| it.strip_suffix('>')).expect("a link");
    assert!(mail.matches(link).count() >= 2, "the text has it too: {mail}");
    link.strip_prefix(ORIGIN).expect("our own").to_owned()
}

/// What a mail program sends: no cookie, no origin.
async fn click(app: &TestApp, path: &str) -> u16 {
    let request = app.request(Method::POST, path);
    let form = "application/x-www-form-urlencoded";
    let request = request.header("content-type", form).body("List-Unsubscribe=One-Click");
    request.send().await.status.as_u16()
}

#[db_test]
async fn one_click_stops_mails_of_the_kind(world: World) {
    let (app, mut inbox) = (&world.app, Inbox::of(&world.app).await);
    world.ask_for_license().await;
    app.clock.advance(MINUTE);
    let path = path_of(&inbox.texts(app).await[0]);
    let page = app.get(&path).await;
    assert_eq!(page.status, 200);
    let text = String::from_utf8_lossy(&page.body).into_owned();
    assert!(text.contains("Unsubscribe") && text.contains("A license was requested"), "{text}");
    world.ask_for_license().await;
    app.clock.advance(MINUTE);
    let told = [to(ADA, "Brand of bea@example.com requested Winter")];
    assert_eq!(inbox.take(app).await, told, "opening the page changes nothing");
    // What waits is not mailed either.
    world.ask_for_license().await;
    assert_eq!(click(app, &path).await, 200);
    world.ask_for_license().await;
    app.clock.advance(MINUTE);
    assert_eq!(inbox.take(app).await, Vec::<String>::new());
    assert_eq!(world.told(&world.agency).await.len(), 4, "the bell has all of them");
    assert_eq!(click(app, &path).await, 200, "again");
}

#[db_test]
async fn the_digest_can_be_stopped_alone(mut world: World) {
    let mut inbox = Inbox::of(&world.app).await;
    world.share_license().await;
    world.later(hours(8)).await;
    let path = path_of(&inbox.texts(&world.app).await[0]);
    assert_eq!(click(&world.app, &path).await, 200);
    world.share_license().await;
    let request = world.ask_for_license().await;
    let path = format!("/requests/{request}/messages");
    let body = serde_json::json!({ "message": "Which channels?" });
    world.as_agency(Method::POST, &path, Some(body)).await;
    world.later(hours(24)).await;
    let asked = to(ADA, "Brand of bea@example.com requested Winter");
    let told = [asked, to(BEA, "New message from Agency of ada@example.com about Winter")];
    assert_eq!(inbox.take(&world.app).await, told, "at once, but no digest");
}

#[db_test]
async fn no_other_link_stops_anything(world: World) {
    let (app, mut inbox) = (&world.app, Inbox::of(&world.app).await);
    world.ask_for_license().await;
    app.clock.advance(MINUTE);
    let path = path_of(&inbox.texts(app).await[0]);
    let token = path.strip_prefix("/unsubscribe/").unwrap();
    let mut parts = token.split('.');
    let [person, _, tag] = [parts.next(), parts.next(), parts.next()].map(Option::unwrap);
    let mut forged = vec![
        format!("{person}.offer.{tag}"),
        format!("{person}.digest.{tag}"),
        format!("018f3f9e-0000-7000-8000-000000000001.request.{tag}"),
        format!("{person}.request"),
        format!("{token}.x"),
        "x".to_owned(),
    ];
    for at in 0..token.len() {
        let other = if token.as_bytes()[at] == b'A' { "B" } else { "A" };
        forged.push(format!("{}{other}{}", &token[..at], &token[at + 1..]));
    }
    // The last character of the signature has bits that do not count.
    forged.pop();
    for token in forged {
        let path = format!("/unsubscribe/{token}");
        assert_eq!(click(app, &path).await, 404, "{path}");
        assert_eq!(app.get(&path).await.status, 404, "{path}");
    }
    world.ask_for_license().await;
    app.clock.advance(MINUTE);
    assert_eq!(inbox.take(app).await.len(), 1, "nothing was stopped");
}
