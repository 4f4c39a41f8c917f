//! Finding the other party by name: those one shares something with, and who wants to be found.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::limit::Limits;
use grantor_service::Context;
use grantor_service::identity::access;
use grantor_service::organizations::party;
use grantor_storage::migrate;
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use crate::license::{Member, World, text};

impl World {
    /// The parties that a member's client finds.
    async fn finds(&self, member: &Member, search: &str) -> Value {
        let path = format!("/parties?search={search}");
        let found = member.external(&self.app, Method::GET, &path, None).await;
        assert_eq!(found.status, 200, "{}", found.json());
        found.json()["data"].clone()
    }

    /// Gives the brand a platform whose domain has this status.
    async fn brand_has_domain(&self, status: &str) {
        let options = &self.app.database.options;
        let tenant = seed::id(options, &self.brand.organization);
        let script = format!(
            "DELETE FROM platforms;
             INSERT INTO platforms (platform_id, tenant_id, name, domain, status, created_at)
             VALUES ({tenant}, {tenant}, 'Site', 'brand.example', '{status}', 1)"
        );
        seed::run(options, script).await;
    }

    async fn brand_is_findable(&self, findable: bool) {
        let app = &self.app.app;
        let caller = access::console(app, &self.brand.console).await.unwrap();
        let context = Context { actor: caller.actor(), ..Context::system(Duration::ZERO) };
        party::set_findable(app, &context, caller, findable).await.unwrap();
    }

    fn brand_as_found(&self, domain: Option<&str>) -> Value {
        json!([{
            "id": self.brand.organization, "name": "Brand of bea@example.com", "type": "Brand",
            "domain": domain,
        }])
    }

    fn agency_as_found(&self) -> Value {
        json!([{
            "id": self.agency.organization, "name": "Agency of ada@example.com", "type": "Agency",
            "domain": null,
        }])
    }
}

#[db_test]
async fn only_who_wants_it_and_has_a_verified_domain_is_found(world: World) {
    let none = json!([]);
    for (status, findable, found) in [
        ("verified", false, false),
        ("pending_verification", true, false),
        ("verified", true, true),
        ("verified", false, false),
    ] {
        world.brand_has_domain(status).await;
        world.brand_is_findable(findable).await;
        let expected =
            if found { world.brand_as_found(Some("brand.example")) } else { none.clone() };
        assert_eq!(world.finds(&world.agency, "brand").await, expected, "{status}, {findable}");
        assert_eq!(world.finds(&world.brand, "brand").await, none, "not even oneself");
    }
}

#[db_test]
async fn who_loses_the_domain_or_is_suspended_is_found_no_longer(world: World) {
    let lost = "UPDATE platforms SET status = 'pending_verification'";
    let suspended = "UPDATE tenants SET status = 'suspended' WHERE type = 'Brand'";
    for change in [lost, suspended] {
        world.brand_has_domain("verified").await;
        world.brand_is_findable(true).await;
        let found = world.brand_as_found(Some("brand.example"));
        assert_eq!(world.finds(&world.agency, "brand").await, found);
        seed::run(&world.app.database.options, change.to_owned()).await;
        assert_eq!(world.finds(&world.agency, "brand").await, json!([]), "{change}");
    }
}

#[db_test]
async fn a_renamed_organization_is_found_by_any_word_of_its_new_name(world: World) {
    world.brand_has_domain("verified").await;
    world.brand_is_findable(true).await;
    let body = json!({ "name": "Société Générale d'Images" });
    let path = "/org/information";
    let renamed = world.brand.console(&world.app, Method::PATCH, path, Some(body)).await;
    assert_eq!(renamed.status, 200, "{}", renamed.json());
    for (search, count) in [
        ("soc", 1),
        ("SOCIETE%20G", 1),
        ("g%C3%A9n", 1),
        ("image", 1),
        ("ociete", 0),
        ("brand", 0),
        ("s%25iete", 0),
        ("---", 0),
    ] {
        let found = world.finds(&world.agency, search).await;
        assert_eq!(found.as_array().unwrap().len(), count, "{search}: {found}");
    }
}

#[db_test]
async fn a_shared_license_makes_both_known_until_it_is_revoked(world: World) {
    let license = world.license(json!({})).await;
    assert_eq!(world.finds(&world.agency, "brand").await, json!([]));
    let shared = world.grant(&license, "viewer").await;
    assert_eq!(world.finds(&world.agency, "bea").await, world.brand_as_found(None));
    assert_eq!(world.finds(&world.brand, "AGENCY").await, world.agency_as_found());
    let right = text(&shared.json()["data"]["permissionId"]);
    let path = format!("/org/license/{license}/permissions/{right}");
    let revoked = world.agency.console(&world.app, Method::DELETE, &path, None).await;
    assert!(revoked.status.is_success(), "{}", revoked.status);
    assert_eq!(world.finds(&world.agency, "brand").await, json!([]));
    assert_eq!(world.finds(&world.brand, "agency").await, json!([]));
}

#[db_test]
async fn a_known_party_is_found_by_any_word_of_its_new_name(world: World) {
    world.grant(&world.license(json!({})).await, "viewer").await;
    let body = json!({ "name": "Société Générale d'Images" });
    let path = "/org/information";
    let renamed = world.brand.console(&world.app, Method::PATCH, path, Some(body)).await;
    assert_eq!(renamed.status, 200, "{}", renamed.json());
    for (search, count) in [("soc", 1), ("g%C3%A9n", 1), ("image", 1), ("brand", 0), ("bea", 0)] {
        let found = world.finds(&world.agency, search).await;
        assert_eq!(found.as_array().unwrap().len(), count, "{search}: {found}");
    }
}

/// Names are split at the start of the next version; until then they are found as well.
#[db_test]
async fn among_many_known_parties_those_that_match_are_found(world: World) {
    let options = &world.app.database.options;
    seed::known_parties(options, &world.agency.organization, 1_200).await;
    for split in [false, true] {
        if split {
            migrate::run(&world.app.app.store, Timestamp::from_secs(0)).await.unwrap();
            let waiting = "SELECT CAST(count(*) AS text) FROM known_names WHERE name = ''";
            assert_eq!(seed::rows(options, waiting).await, [["0"]]);
        }
        for (search, count) in [("studio", 10), ("studio%201200", 1), ("1199", 1), ("tudio", 0)] {
            let found = world.finds(&world.agency, search).await;
            let found = found.as_array().unwrap().len();
            assert_eq!(found, count, "{search}, split: {split}");
        }
    }
}

/// As two changes at the same moment may leave it behind.
#[db_test]
async fn a_name_of_a_party_that_is_not_known_is_not_found(world: World) {
    let options = &world.app.database.options;
    let holder = seed::id(options, &world.agency.organization);
    let party = seed::id(options, &world.brand.organization);
    for name in ["", "brand of bea@example.com"] {
        let script = format!(
            "DELETE FROM known_names;
             INSERT INTO known_names VALUES ({holder}, '{name}', {party});"
        );
        seed::run(options, script).await;
        assert_eq!(world.finds(&world.agency, "brand").await, json!([]), "{name:?}");
    }
}

/// As it is left while the party is being changed.
#[db_test]
async fn a_name_that_is_not_split_yet_is_found_and_split_later(world: World) {
    world.grant(&world.license(json!({})).await, "viewer").await;
    let options = &world.app.database.options;
    let party = seed::id(options, &world.brand.organization);
    let names = format!("SELECT name FROM known_names WHERE tenant_id = {party} ORDER BY name");
    let split = seed::rows(options, &names).await;
    let script = format!(
        "DELETE FROM known_names WHERE tenant_id = {party};
         INSERT INTO known_names SELECT holder_id, '', tenant_id FROM known_parties
         WHERE tenant_id = {party};"
    );
    seed::run(options, script).await;
    assert_eq!(world.finds(&world.agency, "bea").await, world.brand_as_found(None));
    assert_eq!(party::split_names(&world.app.app).await.unwrap(), 1);
    assert_eq!(seed::rows(options, &names).await, split);
    assert_eq!(world.finds(&world.agency, "bea").await, world.brand_as_found(None));
    assert_eq!(party::split_names(&world.app.app).await.unwrap(), 0);
}

#[db_test]
async fn a_request_makes_both_known_for_good(world: World) {
    let request = world.request_license(&world.public().await).await;
    let path = format!("/requests/{request}/withdraw");
    assert_eq!(world.as_brand(Method::POST, &path, None).await.status, 200);
    assert_eq!(world.finds(&world.agency, "brand").await, world.brand_as_found(None));
    assert_eq!(world.finds(&world.brand, "agency").await, world.agency_as_found());
}

#[db_test]
async fn sharing_with_an_address_does_not_tell_whose_it_is(world: World) {
    let license = world.license(json!({})).await;
    let grantee = json!({ "userEmail": world.brand.email });
    assert_eq!(world.grant_to(&license, grantee, "viewer").await.status, 201);
    assert_eq!(world.finds(&world.agency, "brand").await, json!([]));
    assert_eq!(world.finds(&world.brand, "agency").await, world.agency_as_found());
}

#[db_test]
async fn fewer_than_three_letters_find_nobody(world: World) {
    world.grant(&world.license(json!({})).await, "viewer").await;
    let short = "must have at least 3 letters";
    for (query, message) in
        [("", "is required"), ("?search=", short), ("?search=br", short), ("?search=b%20r", short)]
    {
        let refused = world.as_agency(Method::GET, &format!("/parties{query}"), None).await;
        assert_eq!(refused.status, 400, "{query}");
        assert_eq!(refused.json()["error"]["details"]["search"], message, "{query}");
    }
    assert_eq!(world.finds(&world.agency, "bra").await, world.brand_as_found(None));
}

/// A world in which only searches for parties are limited.
struct Limited(World);

impl Fixture for Limited {
    async fn on(engine: Engine) -> Self {
        let limits = Limits::off().changed("parties=30/60s").unwrap();
        let config = TestConfig { limits, ..TestConfig::default() };
        Self(World::in_app(TestApp::with_config(engine, config).await).await)
    }
}

#[db_test]
async fn thirty_searches_a_minute_are_answered(limited: Limited) {
    let world = &limited.0;
    for _ in 0..30 {
        world.finds(&world.agency, "brand").await;
    }
    let refused = world.get("/parties?search=brand").await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("60")));
    world.finds(&world.brand, "agency").await;
    world.app.clock.advance(Duration::from_mins(1));
    world.finds(&world.agency, "brand").await;
}
