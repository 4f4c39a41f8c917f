//! People of a tenant do the same by either door.

use grantor_domain::bookmark::NewBookmark;
use grantor_domain::event::EventTypes;
use grantor_domain::webhook::WebhookNote;
use grantor_domain::{Error, ErrorKind};
use grantor_service::identity::access::{self, TenantCaller};
use grantor_service::licensing::bookmark;
use grantor_service::webhooks::delivery;
use grantor_service::webhooks::webhook::{self, NewWebhook};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{caller, context, page};
use crate::license::{World, text};
use crate::sighting::Watch;

fn new() -> NewWebhook {
    NewWebhook {
        url: "https://hooks.example/in".to_owned(),
        description: WebhookNote::parse("UnitOfWork").unwrap(),
        events: EventTypes::ALL,
    }
}

#[db_test]
async fn a_webhook_made_at_the_console_is_the_clients_too(world: World) {
    let caller = caller(&world.app, &world.agency).await;
    let (app, insider) = (&world.app.app, TenantCaller::from(&*caller));
    let made = webhook::create(app, &context(&world.app, &caller), insider, new()).await.unwrap();
    let shown = world.get("/webhooks").await.json();
    assert_eq!(text(&shown["data"][0]["id"]), made.webhook.id.to_string());
    world.license(json!({})).await;
    let sent = delivery::list(app, insider, made.webhook.id, None, page(1, 20)).await.unwrap();
    assert_eq!(sent.total, 1);
    let entry = "SELECT actor_kind, action FROM log_entries WHERE action = 'webhook.create'";
    let entry = seed::rows(&world.app.database.options, entry).await;
    assert_eq!(entry, [["user", "webhook.create"]]);
}

#[db_test]
async fn it_is_unknown_to_everybody_else(world: World) {
    let agency = caller(&world.app, &world.agency).await;
    let brand = caller(&world.app, &world.brand).await;
    let (app, context) = (&world.app.app, context(&world.app, &agency));
    let made = webhook::create(app, &context, (&*agency).into(), new()).await.unwrap();
    let got = webhook::get(app, (&*brand).into(), made.webhook.id).await;
    assert_eq!(got, Err(Error::not_found("Webhook")));
    assert!(webhook::get(app, (&*agency).into(), made.webhook.id).await.is_ok());
}

#[db_test]
async fn a_person_keeps_mentions_at_hand_and_a_token_only_within_its_scopes(watch: Watch) {
    let world = &watch.world;
    let license = watch.license(json!({})).await;
    watch.say("https://wire.example/1", "Grâce Hopper spoke.").await;
    let mention = text(&watch.mentions(&license).await[0]["id"]);
    let keep =
        || NewBookmark::parse(Some("mention"), Some(&mention), None, &[] as &[&str]).unwrap();
    let person = caller(&world.app, &world.agency).await;
    let (app, context) = (&world.app.app, context(&world.app, &person));
    let kept = bookmark::create(app, &context, (&*person).into(), keep()).await.unwrap();
    assert!(kept.1 && kept.0.content.is_some());
    let body =
        json!({ "name": "Narrow", "environment": "production", "permissions": ["license:read"] });
    let made =
        world.agency.console(&world.app, Method::POST, "/org/create/client", Some(body)).await;
    let pair: &Value = &made.json()["data"]["credentials"];
    let pair = json!({ "api_key": pair["clientId"], "api_secret": pair["secretKey"] });
    let token = world.app.post("/auth/token", &pair).await.json();
    let client = access::external(app, &text(&token["data"]["access_token"])).await.unwrap();
    let refused = bookmark::create(app, &context, (&*client).into(), keep()).await.unwrap_err();
    assert_eq!(*refused.kind(), ErrorKind::InsufficientPermissions);
    let listed = bookmark::list(app, (&*client).into(), page(1, 20)).await.unwrap();
    assert_eq!((listed.total, &listed.items[0].content), (1, &None));
}
