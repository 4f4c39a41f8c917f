//! Licenses that end by time: seen at once, written down and told once.

use std::time::Duration;

use grantor_service::Context;
use grantor_service::licensing::license;
use grantor_testkit::{db_test, seed};
use serde_json::json;

use super::{World, page, text};

#[db_test]
async fn an_end_is_seen_at_once_and_told_once(world: World) {
    let ends = json!({ "expiresAt": "2026-01-01T00:01:00Z", "status": "public", "name": "Brief" });
    let id = world.license(ends).await;
    world.license(json!({ "status": "public", "name": "Lasting" })).await;
    let status = || async {
        let shown = world.get(&format!("/licenses/{id}")).await.json();
        (text(&shown["status"]), shown["version"].as_u64().unwrap())
    };
    let left = Duration::from_secs(57);
    world.app.clock.advance(left);
    assert_eq!(status().await, ("public".to_owned(), 1));
    world.app.clock.advance(Duration::from_secs(1));
    for noted in [false, true] {
        let version = if noted { 2 } else { 1 };
        assert_eq!(status().await, ("expired".to_owned(), version));
        let all = world.get("/licenses").await;
        assert_eq!(all.json()["data"][1]["status"], "expired");
        for (query, total) in [("", 2), ("?status=public", 1), ("?status=expired", 1)] {
            let answer = world.get(&format!("/licenses{query}")).await;
            assert_eq!(page(&answer).1, total, "{query} {noted}");
            assert_eq!(page(&answer).0.len() as u64, total, "{query} {noted}");
        }
        assert_eq!(world.app.get("/metadata").await.json()["pagination"]["total"], 1);
        let context = Context::system(Duration::ZERO);
        let (one, other) = tokio::join!(
            license::expire(&world.app.app, &context),
            license::expire(&world.app.app, &context),
        );
        assert_eq!(one.unwrap() + other.unwrap(), u64::from(!noted));
    }
    let query = "SELECT type FROM events WHERE type = 'license.expired'";
    assert_eq!(seed::rows(&world.app.database.options, query).await.len(), 1);
}
