//! Long lists of grants and requests: every page, from both ends.

use grantor_testkit::clock::MockClock;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::Value;

use crate::license::{World, text};

/// The grants of the brand: a tenth is revoked, a fifth has ended, a tenth is scheduled.
const GRANTS: u32 = 200;

impl World {
    /// All pages of a list as the brand: the sort keys of their items, and the totals.
    async fn all_pages(&self, path: &str, member: &str) -> (Vec<(String, String)>, Vec<Value>) {
        let (mut items, mut totals) = (Vec::new(), Vec::new());
        for page in 1.. {
            let path = format!("{path}per_page=30&page={page}");
            let answer = self.as_brand(Method::GET, &path, None).await.json();
            let rows = answer["data"].as_array().unwrap();
            if rows.is_empty() {
                break;
            }
            items.extend(rows.iter().map(|it| (text(&it[member]), text(&it["id"]))));
            totals.push(answer["pagination"]["total"].clone());
        }
        (items, totals)
    }
}

#[db_test]
async fn every_item_is_on_one_page(world: World) {
    let options = &world.app.database.options;
    seed::public_licenses(options, GRANTS).await;
    seed::grants(options, &world.brand.organization, GRANTS, MockClock::START).await;
    for (path, member, count) in [
        ("/grants?", "id", 200),
        ("/grants?status=active&", "id", 120),
        ("/grants?status=ended&", "id", 40),
        ("/grants?role=asker&", "id", 200),
        ("/grants?role=owner&", "id", 0),
        ("/grants?ends_before=2026-01-01T00:00:00Z&", "id", 40),
        ("/grants?ends_before=2026-07-15T00:00:00Z&status=scheduled&", "id", 10),
        ("/requests?", "updated_at", 210),
        ("/requests?status=open&", "updated_at", 10),
        ("/requests?status=accepted&role=asker&", "updated_at", 200),
    ] {
        let (items, totals) = world.all_pages(path, member).await;
        assert_eq!(items.len(), count, "{path}");
        assert!(items.is_sorted_by(|one, next| one > next), "{path}");
        assert!(totals.iter().all(|it| *it == count), "{path}: {totals:?}");
    }
}
