//! Notices about what expires, and about webhooks that fail.

use std::time::Duration;

use grantor_service::identity::client;
use grantor_service::{Context, notices};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::json;

use crate::license::World;

#[db_test]
async fn a_card_that_expires_this_month_is_told_once(world: World) {
    let card = Some(json!({ "token": "tok_visa" }));
    let added = world.agency.console(&world.app, Method::POST, "/org/card", card).await;
    assert_eq!(added.status, 201);
    let (one, other) = (world.app.app.clone(), world.app.another_node(11).await);
    let context = Context::system(Duration::ZERO);
    assert_eq!(notices::warn_expiring_cards(&one, &context).await, Ok(0), "the control");
    let script = "UPDATE cards SET expiry_year = 2026, expiry_month = 1".to_owned();
    seed::run(&world.app.database.options, script).await;
    let (first, second) = tokio::join!(
        notices::warn_expiring_cards(&one, &context),
        notices::warn_expiring_cards(&other, &context)
    );
    assert_eq!(first.unwrap() + second.unwrap(), 1);
    assert_eq!(notices::warn_expiring_cards(&one, &context).await, Ok(0));
    assert_eq!(
        world.told(&world.agency).await,
        ["Your Visa card ending in 4242 expires at the end of 01/2026"]
    );
    assert_eq!(world.told(&world.brand).await, [""; 0]);
}

#[db_test]
async fn a_client_that_expires_is_told_with_its_event(world: World) {
    let body = json!({
        "name": "Nightly", "environment": "production", "expiresAt": "2026-01-20T00:00:00Z",
    });
    let made =
        world.agency.console(&world.app, Method::POST, "/org/create/client", Some(body)).await;
    assert_eq!(made.status, 201, "{}", made.json());
    world.app.clock.advance(Duration::from_hours(12 * 24));
    let context = Context::system(Duration::ZERO);
    assert_eq!(client::warn_expiring(&world.app.app, &context).await, Ok(1));
    let query = "SELECT summary, channel FROM notices";
    let rows = seed::rows(&world.app.database.options, query).await;
    assert_eq!(rows, [["The API client Nightly expires on Jan 20, 2026", "now"]]);
}
