//! One license on the console: its entity tag, what guards it, and what of a body is ignored.

use grantor_testkit::app::Answer;
use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{World, refusal, text};
use crate::picture::{self, png};

impl World {
    async fn edit(&self, id: &str, tag: &str, body: Value) -> Answer {
        let request = self.app.request(Method::PATCH, &format!("/v1.0.1/org/license/{id}"));
        let request = request.console(&self.agency.console).header("if-match", tag);
        request.json(&body).send().await
    }
}

#[db_test]
async fn a_stale_copy_changes_nothing_on_the_console_either(world: World) {
    let made = world.create(json!({})).await;
    let (id, first) = (text(&made.json()["data"]["licenseId"]), made.header("etag").unwrap());
    assert_eq!(first, "\"1-private-licensor-plain\"");
    let shown = world.get(&format!("/licenses/{id}")).await;
    assert_eq!(shown.header("etag"), Some(first), "the same to the organization's client");
    let changed = world.edit(&id, first, json!({ "name": "Second" })).await;
    let second = changed.header("etag").unwrap();
    assert_eq!((changed.status.as_u16(), second), (200, "\"2-private-licensor-plain\""));
    let stale = world.edit(&id, first, json!({ "name": "Third" })).await;
    assert_eq!(refusal(&stale), (412, "PRECONDITION_FAILED".to_owned()));
    for (tag, status) in [("\"2-public-licensor-plain\"", 412), ("x", 412), ("*", 200)] {
        assert_eq!(world.edit(&id, tag, json!({})).await.status, status, "{tag}");
    }
    assert_eq!(world.get(&format!("/licenses/{id}")).await.json()["title"], "Second");
}

#[db_test]
async fn a_stale_copy_deletes_nothing_and_touches_no_image(world: World) {
    let made = world.create(json!({})).await;
    let (id, first) = (text(&made.json()["data"]["licenseId"]), made.header("etag").unwrap());
    let added = picture::add(&world.app, &world.agency.console, &id, &[&png(4, 4)]).await;
    let image = text(&added["images"][0]["imageId"]);
    let images = format!("/v1.0.1/org/talent/license/{id}/image");
    for (method, path) in [
        (Method::PATCH, images.clone()),
        (Method::DELETE, format!("{images}/{image}")),
        (Method::DELETE, format!("/v1.0.1/org/license/{id}")),
    ] {
        let request = world.app.request(method.clone(), &path).console(&world.agency.console);
        let request = request.header("if-match", first);
        let stale = match method {
            Method::PATCH => {
                let request = request.header("content-type", &picture::form_type());
                request.body(picture::form(&[], &[&png(4, 4)])).send().await
            }
            _ => request.send().await,
        };
        assert_eq!(refusal(&stale), (412, "PRECONDITION_FAILED".to_owned()), "{method} {path}");
    }
    assert_eq!(world.get(&format!("/licenses/{id}")).await.json()["image_count"], 1);
    let path = format!("/v1.0.1/org/license/{id}");
    let request = world.app.request(Method::DELETE, &path).console(&world.agency.console);
    let deleted = request.header("if-match", "\"2-private-licensor-plain\"").send().await;
    assert_eq!(deleted.status, 204);
}

#[db_test]
async fn members_nobody_can_write_are_named_on_the_console(world: World) {
    let made = world.create(json!({ "title": "Other", "licenseId": 1 })).await;
    assert_eq!(
        (made.status.as_u16(), made.header("x-ignored-fields")),
        (201, Some("title, licenseId"))
    );
    let id = text(&made.json()["data"]["licenseId"]);
    let changed = world.edit(&id, "*", json!({ "version": 9, "name": "New" })).await;
    assert_eq!(
        (changed.status.as_u16(), changed.header("x-ignored-fields")),
        (200, Some("version"))
    );
    let plain = world.edit(&id, "*", json!({ "name": "Newer" })).await;
    assert_eq!(plain.header("x-ignored-fields"), None);
}

#[db_test]
async fn a_refusal_names_the_consoles_own_members(world: World) {
    let list = "/org/licenses?type=none&status=gone";
    let wrong = world.agency.console(&world.app, Method::GET, list, None).await.json();
    let details = json!({
        "status": "must be one of draft, private, public, expired",
        "type": "must be one of social_media, advertising, endorsement, ai_training, \
                 ai_generation, voice, merchandise, custom",
    });
    assert_eq!(wrong["error"]["details"], details);
    for dots in [".", ".."] {
        let wrong = world.create(json!({ "externalId": dots })).await.json();
        let reason = "must not be . or ..";
        assert_eq!(wrong["error"]["details"], json!({ "externalId": reason }));
    }
    let wrong = world.create(json!({ "expiresAt": "9999-12-31T23:59:59Z" })).await.json();
    let reason = "must not be after 9999-12-30T22:00:00Z; omit it or send null for no end";
    assert_eq!(wrong["error"]["details"], json!({ "expiresAt": reason }));
    let latest = world.create(json!({ "expiresAt": "9999-12-30T22:00:00Z" })).await;
    assert_eq!(latest.status, 201);
}
