//! Grants by territory.

use std::time::Duration;

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::terms;
use crate::license::World;

/// Twenty-four countries.
const MANY: &str = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO";

impl World {
    /// The ids of the brand's grants that match.
    async fn grants(&self, query: &str) -> Vec<Value> {
        let found = self.as_brand(Method::GET, &format!("/grants?{query}"), None).await;
        assert_eq!(found.status, 200, "{}", found.json());
        let rows = found.json()["data"].as_array().unwrap().clone();
        assert_eq!(found.json()["pagination"]["total"], rows.len(), "{query}");
        rows.iter().map(|it| it["id"].clone()).collect()
    }
}

#[db_test]
async fn grants_are_listed_by_territory(world: World) {
    let (one, other) = (world.public().await, world.public().await);
    let mut many = terms();
    many["territories"] = json!(MANY.split(' ').collect::<Vec<_>>());
    let many = world.granted(&one, many).await["id"].clone();
    let mut wide = terms();
    wide["territories"] = json!(["US", "WORLD"]);
    wide["ends_at"] = Value::Null;
    world.app.clock.advance(Duration::from_millis(1));
    let wide = world.granted(&other, wide).await["id"].clone();
    for code in MANY.split(' ') {
        let found = world.grants(&format!("territory={code}")).await;
        assert_eq!(found, [wide.clone(), many.clone()], "{code}");
    }
    for query in ["territory=US", "territory=WORLD", "territory=SE&role=asker"] {
        assert_eq!(world.grants(query).await, std::slice::from_ref(&wide), "{query}");
    }
    assert_eq!(
        world.grants(&format!("territory=DE&license_id={one}")).await,
        std::slice::from_ref(&many)
    );
    assert_eq!(world.grants(&format!("territory=DE&talent_id={}", world.talent)).await.len(), 2);
    assert_eq!(world.grants("territory=DE&ends_before=2027-01-01T00:00:00Z").await, [many]);
    for none in ["territory=DE&status=active", "territory=DE&role=owner"] {
        assert!(world.grants(none).await.is_empty(), "{none}");
    }
    assert_eq!(world.grants(&format!("territory=US&license_id={one}")).await, [] as [Value; 0]);
}

#[db_test]
async fn an_unknown_territory_is_refused(world: World) {
    for bad in ["XX", "de", ""] {
        let refused = world.as_brand(Method::GET, &format!("/grants?territory={bad}"), None).await;
        let details = &refused.json()["error"]["details"];
        let expected = json!({ "territory": "must be an ISO 3166-1 alpha-2 code or WORLD" });
        assert_eq!((refused.status.as_u16(), details), (400, &expected), "{bad}");
    }
}
