//! What is too much for one unit of work is done in parts, and goes on wherever somebody works.

use grantor_domain::chore::LICENSES_AT_ONCE;
use grantor_service::operations::chore;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::json;

use crate::license::World;

impl World {
    /// Rows of a query of one column.
    async fn column(&self, query: &str) -> Vec<String> {
        seed::rows(&self.app.database.options, query).await.concat()
    }

    /// How many licenses are of each version.
    async fn versions(&self) -> Vec<String> {
        self.column(
            "SELECT CAST(version AS text) || ' ' || CAST(count(*) AS text)
             FROM licenses GROUP BY version ORDER BY version",
        )
        .await
    }

    /// Makes a few licenses more than one unit of work takes.
    async fn many_licenses(&self) -> u32 {
        let many = LICENSES_AT_ONCE + 5;
        for _ in 0..many {
            assert_eq!(self.create(json!({})).await.status, 201);
        }
        many
    }
}

#[db_test]
async fn a_renamed_organization_shows_its_licenses_anew_in_parts(world: World) {
    world.many_licenses().await;
    let body = Some(json!({ "name": "Lovelace & Hopper" }));
    let renamed = world.agency.console(&world.app, Method::PATCH, "/org/information", body).await;
    assert_eq!(renamed.status, 200, "{}", renamed.json());
    assert_eq!(world.versions().await, ["1 5", "2 200"]);
    // The node that began it may be gone.
    let other = world.app.another_node(9).await;
    assert_eq!(chore::work(&other).await, Ok(1));
    assert_eq!(world.versions().await, ["2 205"]);
    let stale = "SELECT 'stale' FROM license_readers WHERE version <> 2";
    assert_eq!(world.column(stale).await, Vec::<String>::new(), "in every list too");
    assert_eq!(chore::work(&world.app.app).await, Ok(0), "nothing is left");
}

#[db_test]
async fn a_renamed_talent_is_told_of_once_for_each_license(world: World) {
    let many = world.many_licenses().await;
    let told = async || {
        let query = "SELECT CAST(count(*) AS text) FROM events WHERE type = 'license.updated'";
        world.column(query).await[0].parse::<u32>().unwrap()
    };
    let path = format!("/talent/{}", world.talent);
    let body = Some(json!({ "fullname": "Rear Admiral Hopper" }));
    let renamed = world.agency.console(&world.app, Method::PATCH, &path, body).await;
    assert_eq!((renamed.status.as_u16(), told().await), (200, LICENSES_AT_ONCE));
    let woken = world.app.app.wakeups.chores();
    assert_eq!(chore::work(&world.app.app).await, Ok(1));
    woken.await;
    assert_eq!((world.versions().await, told().await), (vec!["2 205".to_owned()], many));
}
