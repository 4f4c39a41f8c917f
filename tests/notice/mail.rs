//! Emails at once: after a minute, one for each burst.

use std::time::Duration;

use grantor_testkit::db_test;
use serde_json::json;

use super::{ADA, BEA, Inbox, MINUTE, header, to};
use crate::license::World;

const ASKED: &str = "Brand of bea@example.com requested Winter";

#[db_test]
async fn one_notice_is_mailed_with_its_own_text(world: World) {
    let mut inbox = Inbox::of(&world.app).await;
    let request = world.ask_for_license().await;
    world.app.clock.advance(MINUTE.saturating_sub(Duration::from_micros(1)));
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new(), "more may come");
    world.app.clock.advance(Duration::from_micros(1));
    let texts = inbox.texts(&world.app).await;
    let [mail] = texts.as_slice() else { panic!("{texts:?}") };
    assert_eq!((header(mail, "To"), header(mail, "Subject")), (ADA.to_owned(), ASKED.to_owned()));
    assert!(mail.contains(&format!("https://grantor.test/app/requests/{request}")), "{mail}");
    assert!(mail.contains("https://grantor.test/app/profile/notifications"), "{mail}");
    world.app.clock.advance(MINUTE);
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new(), "once");
}

#[db_test]
async fn a_burst_becomes_one_mail(world: World) {
    let mut inbox = Inbox::of(&world.app).await;
    let mut requests = vec![];
    for _ in 0..3 {
        requests.push(world.ask_for_license().await);
    }
    // The first one is a minute old, the others are not.
    world.app.clock.advance(MINUTE.saturating_sub(Duration::from_secs(2)));
    let texts = inbox.texts(&world.app).await;
    let [mail] = texts.as_slice() else { panic!("{texts:?}") };
    assert_eq!(header(mail, "Subject"), format!("3 notifications: {ASKED}"));
    for request in requests {
        assert!(mail.contains(&format!("/app/requests/{request}")), "{mail}");
    }
    world.app.clock.advance(MINUTE);
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new());
}

#[db_test]
async fn what_comes_after_the_mail_is_another_mail(world: World) {
    let mut inbox = Inbox::of(&world.app).await;
    for _ in 0..2 {
        world.ask_for_license().await;
        world.app.clock.advance(MINUTE);
        assert_eq!(inbox.take(&world.app).await, [to(ADA, ASKED)]);
    }
}

#[db_test]
async fn other_kinds_and_other_people_have_their_own_mails(world: World) {
    let mut inbox = Inbox::of(&world.app).await;
    let request = world.ask_for_license().await;
    world.ask_for_license().await;
    let path = format!("/requests/{request}/messages");
    let body = json!({ "message": "Which channels?" });
    world.as_agency(http::Method::POST, &path, Some(body)).await;
    world.app.clock.advance(MINUTE);
    let wrote = "New message from Agency of ada@example.com about Winter";
    let expected = [to(ADA, &format!("2 notifications: {ASKED}")), to(BEA, wrote)];
    assert_eq!(inbox.take(&world.app).await, expected);
}

#[db_test]
async fn who_has_left_is_not_mailed(world: World) {
    let mut inbox = Inbox::of(&world.app).await;
    world.ask_for_license().await;
    let script = "UPDATE memberships SET status = 'inactive' WHERE user_id IN (
        SELECT user_id FROM users WHERE email = 'ada@example.com')";
    grantor_testkit::seed::run(&world.app.database.options, script.to_owned()).await;
    world.app.clock.advance(MINUTE);
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new());
}

#[db_test]
async fn a_text_of_staff_is_used_and_cannot_leave_out_the_way_out(world: World) {
    let options = &world.app.database.options;
    let id = grantor_testkit::seed::id(options, "00000000-0000-0000-0000-000000000001");
    let script = format!(
        "INSERT INTO mail_templates VALUES ({id}, 'request_received', 'Asked: {{{{license}}}}',
           '{{{{link}}}}', 1, 1)"
    );
    grantor_testkit::seed::run(options, script).await;
    let mut inbox = Inbox::of(&world.app).await;
    world.ask_for_license().await;
    world.app.clock.advance(MINUTE);
    let texts = inbox.texts(&world.app).await;
    assert_eq!(header(&texts[0], "Subject"), "Asked: Winter");
    assert!(texts[0].contains("https://grantor.test/unsubscribe/"), "{}", texts[0]);
}
