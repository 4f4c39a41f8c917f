//! Addresses that a mail server refused for good get codes and links, but no notices.

use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::json;

use super::{ADA, Inbox, MINUTE, SETTINGS, to};
use crate::license::World;

const ASKED: &str = "Brand of bea@example.com requested Winter";

async fn refuse(world: &World) {
    let script = "INSERT INTO refused_addresses VALUES ('ada@example.com', '550', 1)".to_owned();
    seed::run(&world.app.database.options, script).await;
}

async fn is_refused(world: &World) -> bool {
    let answer = world.agency.console(&world.app, Method::GET, SETTINGS, None).await.json();
    answer["data"]["emailRefused"] == json!(true)
}

#[db_test]
async fn no_notice_goes_to_a_refused_address(world: World) {
    let mut inbox = Inbox::of(&world.app).await;
    world.ask_for_license().await;
    world.app.clock.advance(MINUTE);
    assert_eq!(inbox.take(&world.app).await, [to(ADA, ASKED)], "the control");
    refuse(&world).await;
    world.ask_for_license().await;
    world.app.clock.advance(MINUTE);
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new());
    assert_eq!(world.told(&world.agency).await.len(), 2, "the bell has both");
    assert!(is_refused(&world).await);
    // A link still goes there. That it arrives shows that the address takes mail again.
    world.app.post("/magic-link", &json!({ "email": ADA })).await;
    assert_eq!(inbox.take(&world.app).await, [to(ADA, "Sign in to Grantor")]);
    assert!(!is_refused(&world).await);
    world.ask_for_license().await;
    world.app.clock.advance(MINUTE);
    assert_eq!(inbox.take(&world.app).await, [to(ADA, ASKED)]);
}

#[db_test]
async fn a_person_can_ask_for_mails_again(world: World) {
    refuse(&world).await;
    let answer = world.set(&world.agency, json!({ "resumeEmail": true })).await;
    assert_eq!(answer.json()["data"]["emailRefused"], json!(false));
    let mut inbox = Inbox::of(&world.app).await;
    world.ask_for_license().await;
    world.app.clock.advance(MINUTE);
    assert_eq!(inbox.take(&world.app).await, [to(ADA, ASKED)]);
}
