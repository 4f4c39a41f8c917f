//! `/webhooks/{id}/rotate-secret`: who verifies with which secret, and for how long.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::webhook::sign;
use grantor_testkit::{db_test, seed};
use serde_json::{Value, json};

use super::{Room, path};
use crate::license::text;

impl Room {
    async fn rotated(&self, webhook: &Value) -> String {
        let what = format!("POST {}", path(webhook, "/rotate-secret"));
        let answer = self.ask(&what, Value::Null).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        text(&answer.json()["secret"])
    }

    /// Which of these secrets signed the call that a test of the webhook makes, in their order.
    async fn signers(&self, webhook: &Value, secrets: &[&str]) -> Vec<usize> {
        self.ask(&format!("POST {}", path(webhook, "/test")), Value::Null).await;
        let call = self.calls().pop().unwrap();
        let id = call.header("webhook-id").unwrap().parse().unwrap();
        let at = call.header("webhook-timestamp").unwrap().parse().unwrap();
        let signed_by = |signature: &str| {
            let fits = |text: &&str| {
                let secret = Secret::parse(&[SecretKind::Webhook], text).unwrap();
                sign(&[secret], id, Timestamp::from_secs(at), &call.body) == signature
            };
            secrets.iter().position(fits).expect("one of these secrets")
        };
        call.header("webhook-signature").unwrap().split(' ').map(signed_by).collect()
    }
}

#[db_test]
async fn the_old_secret_signs_on_for_a_day(room: Room) {
    let webhook = room.webhook(&[]).await;
    let first = text(&webhook["secret"]);
    assert_eq!(room.signers(&webhook, &[&first]).await, [0]);
    let second = room.rotated(&webhook).await;
    assert_ne!(first, second);
    let secrets = [first.as_str(), second.as_str()];
    assert_eq!(room.signers(&webhook, &secrets).await, [1, 0], "the newest first");
    room.world.app.clock.advance(Duration::from_hours(24) - Duration::from_micros(1));
    assert_eq!(room.signers(&webhook, &secrets).await, [1, 0]);
    room.world.app.clock.advance(Duration::from_micros(1));
    assert_eq!(room.signers(&webhook, &secrets).await, [1]);
}

#[db_test]
async fn what_is_delivered_is_signed_by_both_too(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.rotated(&webhook).await;
    room.world.license(json!({})).await;
    room.send().await;
    let signature = room.calls()[0].header("webhook-signature").unwrap().to_owned();
    assert_eq!(signature.split(' ').count(), 2);
}

#[db_test]
async fn another_rotation_within_a_day_replaces_the_newest_and_keeps_the_old_one(room: Room) {
    let webhook = room.webhook(&[]).await;
    let first = text(&webhook["secret"]);
    let second = room.rotated(&webhook).await;
    room.world.app.clock.advance(Duration::from_hours(23));
    let third = room.rotated(&webhook).await;
    let secrets = [first.as_str(), second.as_str(), third.as_str()];
    assert_eq!(room.signers(&webhook, &secrets).await, [2, 0], "the second is gone");
    room.world.app.clock.advance(Duration::from_hours(1));
    assert_eq!(room.signers(&webhook, &secrets).await, [2], "the first has had its day");
    let fourth = room.rotated(&webhook).await;
    let secrets = [secrets[0], secrets[1], secrets[2], fourth.as_str()];
    assert_eq!(room.signers(&webhook, &secrets).await, [3, 2], "a day of its own");
}

#[db_test]
async fn a_rotation_answers_with_the_whole_webhook(room: Room) {
    let webhook = room.webhook(&[]).await;
    room.world.app.clock.advance(Duration::from_secs(1));
    let what = format!("POST {}", path(&webhook, "/rotate-secret"));
    let answer = room.ask(&what, Value::Null).await;
    let mut whole = webhook.clone();
    whole["secret"] = answer.json()["secret"].clone();
    whole["updated_at"] = json!("2026-01-01T00:00:01.000000Z");
    assert_eq!(answer.whole(), (200, whole.clone()));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    whole.as_object_mut().unwrap().remove("secret");
    assert_eq!(room.shown(&webhook).await, whole);
    assert_eq!(room.logged().await, ["INFO webhook.create", "INFO webhook.rotate_secret"]);
}

/// A sealed secret belongs to its webhook: in another's row it opens nothing.
#[db_test]
async fn a_secret_put_into_another_row_signs_nothing(room: Room) {
    let (own, other) = (room.webhook(&[]).await, room.webhook_of(room.brand(), "/b", &[]).await);
    let script = "UPDATE webhooks SET secret = (SELECT w.secret FROM webhooks w
                  WHERE w.url LIKE '%/b') WHERE url LIKE '%/hook'";
    seed::run(&room.world.app.database.options, script.to_owned()).await;
    let what = format!("POST {}", path(&own, "/test"));
    assert_eq!(room.ask(&what, Value::Null).await.status, 500);
    room.world.license(json!({})).await;
    room.send().await;
    assert_eq!(room.calls().len(), 0);
    let what = format!("POST {}", path(&other, "/test"));
    let control = room.ask_as(room.brand(), &what, Value::Null).await;
    assert_eq!(control.json()["delivered"], true, "the control: its own signs");
}
