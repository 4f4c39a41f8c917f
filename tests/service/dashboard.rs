//! How things stand, on one page.

use std::time::Duration;

use grantor_api::frame::api::Api;
use grantor_domain::delivery::DeliveryStatus;
use grantor_domain::event::EventTypes;
use grantor_domain::id::WebhookId;
use grantor_domain::page::Page;
use grantor_domain::webhook::WebhookNote;
use grantor_service::organizations::dashboard::{self, Overview};
use grantor_service::organizations::trend::ChartSpan;
use grantor_service::webhooks::webhook::{self, NewWebhook};
use grantor_storage::Tx;
use grantor_storage::delivery::{self, Outcome, Totals as Deliveries};
use grantor_storage::license::reader::Totals as Licenses;
use grantor_testkit::{db_test, seed};
use serde_json::json;

use super::{caller, context};
use crate::license::{Member, World};
use crate::sighting::Watch;

const DAY: Duration = Duration::from_hours(24);

async fn overview(world: &World, who: &Member) -> Overview {
    let caller = caller(&world.app, who).await;
    dashboard::overview(&world.app.app, &caller, ChartSpan::Month).await.unwrap()
}

#[db_test]
async fn who_has_nothing_sees_zeros(world: World) {
    let found = overview(&world, &world.brand).await;
    assert_eq!((found.licenses, found.waiting), (Licenses::default(), 0));
    assert_eq!((found.deliveries, found.usage.used), (Deliveries::default(), 0));
    assert_eq!((found.days.len(), found.usage.limit), (30, Some(100_000)));
    assert_eq!(found.days[0].begins_at.to_string(), "2025-12-03T00:00:00.000000Z");
    assert_eq!(found.days[29].begins_at.to_string(), "2026-01-01T00:00:00.000000Z");
    assert!(found.days.iter().all(|it| it.licensed + it.unlicensed + it.needs_review == 0));
}

#[db_test]
async fn own_licenses_are_counted_by_the_status_that_holds(world: World) {
    for status in ["draft", "private", "public", "public"] {
        world.license(json!({ "status": status })).await;
    }
    let ends = json!({ "status": "public", "expiresAt": "2026-01-01T00:01:00Z" });
    let license = world.license(ends).await;
    world.grant(&license, "viewer").await;
    let before = overview(&world, &world.agency).await.licenses;
    assert_eq!(before, Licenses { draft: 1, private: 1, public: 3, expired: 0 });
    world.app.clock.advance(Duration::from_mins(2));
    let after = overview(&world, &world.agency).await.licenses;
    assert_eq!(after, Licenses { public: 2, expired: 1, ..before });
    // What others granted is theirs.
    assert_eq!(overview(&world, &world.brand).await.licenses, Licenses::default());
}

#[db_test]
async fn mentions_are_counted_by_day_and_verdict(watch: Watch) {
    let world = &watch.world;
    watch.license(json!({})).await;
    for url in 1..=3 {
        watch.say(&format!("https://wire.example/{url}"), "Grâce Hopper spoke.").await;
    }
    let day = "86400000000";
    let script = format!(
        "UPDATE mentions SET first_seen_at = first_seen_at - {day} WHERE url LIKE '%/1';
         UPDATE mentions SET first_seen_at = first_seen_at - 30 * {day} WHERE url LIKE '%/3';
         {}",
        seed::COUNT_MENTIONS
    );
    seed::run(&world.app.database.options, script).await;
    let Overview { days, waiting, .. } = overview(world, &world.agency).await;
    let seen: Vec<_> =
        days.iter().map(|it| it.licensed + it.unlicensed + it.needs_review).collect();
    assert_eq!((&seen[28..], seen.iter().sum::<u64>(), waiting), (&[1, 1][..], 2, 3));
    assert_eq!(days[29].begins_at.to_string(), "2026-01-01T00:00:00.000000Z");
    let verdicts: Vec<_> = days.iter().map(|it| it.unlicensed).collect();
    assert_eq!(verdicts, seen);
    let brand = overview(world, &world.brand).await;
    assert!(brand.waiting == 0 && brand.days.iter().all(|it| it.unlicensed == 0));
}

#[db_test]
async fn mentions_that_a_grant_shows_are_counted(watch: Watch) {
    let license = watch.license(json!({ "status": "public" })).await;
    watch.say("https://wire.example/1", "Grâce Hopper spoke.").await;
    let mut active = crate::grant::terms();
    active["starts_at"] = json!("2026-01-01T00:00:00Z");
    watch.world.granted(&license, active).await;
    let found = overview(&watch.world, &watch.world.brand).await;
    let seen: Vec<_> = found.days.iter().map(|it| it.unlicensed).collect();
    assert_eq!((seen[29], seen.iter().sum::<u64>(), found.waiting), (1, 1, 1));
}

#[db_test]
async fn deliveries_of_a_week_are_counted(world: World) {
    let caller = caller(&world.app, &world.agency).await;
    let new = NewWebhook {
        url: "https://hooks.example/".to_owned(),
        description: WebhookNote::parse("").unwrap(),
        events: EventTypes::ALL,
    };
    let context = context(&world.app, &caller);
    let made = webhook::create(&world.app.app, &context, (&*caller).into(), new).await.unwrap();
    let webhook = made.webhook.id;
    for (status, count) in [("failed", 1), ("delivered", 2), ("dropped", 1), ("pending", 3)] {
        for _ in 0..count {
            world.license(json!({})).await;
        }
        end_pending(&world, webhook, status).await;
    }
    let found = overview(&world, &world.agency).await.deliveries;
    assert_eq!(found, Deliveries { delivered: 2, failed: 1, pending: 3 });
    assert_eq!(overview(&world, &world.brand).await.deliveries, Deliveries::default());
    world.app.clock.advance(DAY * 7 + Duration::from_secs(10));
    let caller = dashboard::overview(&world.app.app, &caller, ChartSpan::Month).await.unwrap();
    assert_eq!(caller.deliveries, Deliveries { pending: 3, ..Deliveries::default() });
}

/// Ends all deliveries that are on their way to a webhook like this.
async fn end_pending(world: &World, webhook: WebhookId, status: &str) {
    let (status, now) = (status.parse().unwrap(), world.app.app.clock.now());
    let page = Page::parse(None, None, Api::External.page_rules()).unwrap();
    let end = move |tx: &mut Tx<'_>| {
        let pending = delivery::list(tx, webhook, Some(DeliveryStatus::Pending), page)?;
        let outcomes: Vec<_> = pending
            .items
            .iter()
            .map(|it| Outcome {
                id: it.id,
                attempts: 0,
                status,
                failed: 0,
                tries: vec![],
                due_at: now,
            })
            .collect();
        delivery::settle(tx, &outcomes.iter().collect::<Vec<_>>(), now).map(|lost| lost.len())
    };
    assert_eq!(world.app.app.store.write(end).await.unwrap(), 0);
}
