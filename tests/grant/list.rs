//! Long lists of grants and requests: every page, from both ends.

use grantor_testkit::clock::MockClock;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{days, terms};
use crate::license::{World, text};

/// The grants of the brand: a tenth is revoked, a fifth has ended, a tenth is scheduled.
const GRANTS: u32 = 200;
/// The talent of the first licenses, and the license of a scheduled grant.
const TALENT: &str = "20000000-0000-0000-0000-000000000002";
const LICENSE: &str = "30000000-0000-0000-0000-000000000007";

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

    /// All permissions on a license: the sort keys of their items, and the totals.
    async fn all_permissions(&self, license: &str) -> (Vec<(String, String)>, Vec<Value>) {
        let (mut items, mut totals) = (Vec::new(), Vec::new());
        for page in 1.. {
            let path = format!("/org/license/{license}/permissions?limit=100&page={page}");
            let answer = self.agency.console(&self.app, Method::GET, &path, None).await.json();
            let rows = answer["data"]["permissions"].as_array().unwrap();
            if rows.is_empty() {
                break;
            }
            let key = |it: &Value| (text(&it["createdAt"]), text(&it["permissionId"]));
            items.extend(rows.iter().map(key));
            totals.push(answer["data"]["pagination"]["total"].clone());
        }
        (items, totals)
    }
}

#[db_test]
async fn every_item_is_on_one_page(world: World) {
    let options = &world.app.database.options;
    // More licenses than grants, so that a talent has grants of several kinds.
    seed::public_licenses(options, GRANTS + 100).await;
    seed::grants(options, &world.brand.organization, GRANTS, MockClock::START).await;
    let counted = async |condition: &str| -> usize {
        let talent = seed::id(options, TALENT);
        let query = format!(
            "SELECT CAST(count(*) AS text) FROM grants WHERE talent_id = {talent} {condition}"
        );
        seed::rows(options, &query).await[0][0].parse().unwrap()
    };
    let of_talent = counted("").await;
    let active_of_talent = counted("AND status = 'active'").await;
    assert!(active_of_talent > 0 && active_of_talent < of_talent, "{active_of_talent}");
    let talent = format!("/grants?talent_id={TALENT}&");
    let license = format!("/grants?license_id={LICENSE}&");
    for (path, member, count) in [
        ("/grants?", "id", 200),
        ("/grants?status=active&", "id", 120),
        ("/grants?status=ended&", "id", 40),
        ("/grants?role=asker&", "id", 200),
        ("/grants?role=owner&", "id", 0),
        ("/grants?ends_before=2026-01-01T00:00:00Z&", "id", 40),
        ("/grants?ends_before=2026-07-15T00:00:00Z&status=scheduled&", "id", 10),
        ("/grants?territory=US&", "id", 200),
        ("/grants?territory=US&status=revoked&", "id", 20),
        ("/grants?territory=US&ends_before=2026-01-01T00:00:00Z&", "id", 40),
        ("/grants?territory=US&status=active&ends_before=2026-01-01T00:00:00Z&", "id", 0),
        ("/grants?territory=DE&", "id", 0),
        (&*talent, "id", of_talent),
        (&*format!("{talent}status=active&"), "id", active_of_talent),
        (&*format!("{talent}status=active&territory=US&"), "id", active_of_talent),
        (&*license, "id", 1),
        (&*format!("{license}status=scheduled&"), "id", 1),
        (&*format!("{license}status=active&"), "id", 0),
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

/// Each licensor counts its own grants, so the brand holds two with the same number.
#[db_test]
async fn grants_are_found_by_their_number(world: World) {
    let found = async |query: &str| {
        let (items, totals) = world.all_pages(&format!("/grants?{query}&"), "id").await;
        assert!(totals.iter().all(|it| *it == items.len()), "{query}: {totals:?}");
        items.into_iter().map(|(_, id)| id).collect::<Vec<_>>()
    };
    let license = world.public().await;
    let own = text(&world.granted(&license, terms()).await["id"]);
    let number = "number=GR-2026-000001";
    assert_eq!(found(number).await, std::slice::from_ref(&own), "not indexed yet");
    let options = &world.app.database.options;
    seed::public_licenses(options, 40).await;
    seed::grants(options, &world.brand.organization, 40, MockClock::START.plus(days(1))).await;
    seed::index_records(options).await;
    let revoked = "d0000000-0000-0000-0000-000000000001".to_owned();
    for (more, expected) in [
        ("", vec![&revoked, &own]),
        ("&role=asker", vec![&revoked, &own]),
        ("&role=owner", vec![]),
        ("&status=scheduled", vec![&own]),
        ("&status=revoked", vec![&revoked]),
        (&*format!("&license_id={license}"), vec![&own]),
        ("&ends_before=2026-03-15T00:00:00Z", vec![&revoked]),
        ("&ends_before=2026-08-01T00:00:00Z", vec![&revoked]),
        ("&ends_before=2026-08-01T00:00:01Z", vec![&revoked, &own]),
        ("&ends_before=2026-08-01T00:00:01Z&status=scheduled", vec![&own]),
        ("&territory=DE", vec![]),
    ] {
        let found = found(&format!("{number}{more}")).await;
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{more}");
    }
    let second = format!("/grants?{number}&ends_before=2027-01-01T00:00:00Z&per_page=1&page=2");
    let second = world.as_brand(Method::GET, &second, None).await.json();
    let (id, total) = (&second["data"][0]["id"], &second["pagination"]["total"]);
    assert_eq!((id, total), (&json!(own), &json!(2)));
    for none in ["number=GR-2025-000001", "number=GR-2026-000041"] {
        assert!(found(none).await.is_empty(), "{none}");
    }
    let given = world.get(&format!("/grants?{number}")).await.json();
    assert_eq!((&given["data"][0]["id"], &given["pagination"]["total"]), (&json!(own), &json!(1)));
    let refused = world.get("/grants?number=42").await;
    let expected = json!({ "number": "must be a grant number such as GR-2026-000042" });
    let details = &refused.json()["error"]["details"];
    assert_eq!((refused.status.as_u16(), details), (400, &expected));
}

/// More match than are sorted in memory.
#[db_test]
async fn a_filter_that_many_match_has_every_item_on_one_page(world: World) {
    let options = &world.app.database.options;
    seed::public_licenses(options, 1_000).await;
    seed::grants(options, &world.brand.organization, 1_000, MockClock::START).await;
    for (path, count) in [
        ("/grants?ends_before=2030-01-01T00:00:00Z&", 950),
        ("/grants?ends_before=2030-01-01T00:00:00Z&status=active&", 550),
    ] {
        let (items, totals) = world.all_pages(path, "id").await;
        assert_eq!(items.len(), count, "{path}");
        assert!(items.is_sorted_by(|one, next| one > next), "{path}");
        assert!(totals.iter().all(|it| *it == count), "{path}: {totals:?}");
    }
}

/// Grants that started, ended or were revoked are listed in a territory by their current status.
#[db_test]
async fn the_status_in_a_territory_changes_with_the_grant(mut world: World) {
    let mut ids = Vec::new();
    for ends in ["2026-02-20T00:00:00Z", "2026-08-01T00:00:00Z", "2026-08-01T00:00:00Z"] {
        let license = world.public().await;
        let mut terms = terms();
        terms["ends_at"] = json!(ends);
        ids.push(text(&world.granted(&license, terms).await["id"]));
    }
    let in_us = async |world: &World, status: &str| {
        let path = format!("/grants?territory=US&status={status}&");
        let (items, _) = world.all_pages(&path, "id").await;
        items.into_iter().map(|(_, id)| id).collect::<Vec<_>>()
    };
    let newest_first: Vec<_> = ids.iter().rev().cloned().collect();
    assert_eq!(in_us(&world, "scheduled").await, newest_first);
    world.pass(days(60)).await;
    let path = format!("/grants/{}/revoke", ids[2]);
    let body = json!({ "reason": "Not paid" });
    assert_eq!(world.as_agency(Method::POST, &path, Some(body)).await.status, 200);
    for (status, id) in [("ended", &ids[0]), ("active", &ids[1]), ("revoked", &ids[2])] {
        assert_eq!(in_us(&world, status).await, std::slice::from_ref(id), "{status}");
    }
    assert_eq!(in_us(&world, "scheduled").await, Vec::<String>::new());
}

/// Either list may be longer than what is read to find a later page.
#[db_test]
async fn every_permission_is_on_one_page(world: World) {
    let options = &world.app.database.options;
    let license = world.public().await;
    seed::public_licenses(options, 2_000).await;
    seed::grants(options, &world.brand.organization, 2_000, MockClock::START).await;
    // The permissions by hand and by grant alternate.
    let moved = format!(
        "UPDATE grants SET license_id = {}, created_at = serial",
        seed::id(options, &license)
    );
    seed::run(options, moved).await;
    let check = async |count: usize| {
        let (items, totals) = world.all_permissions(&license).await;
        assert_eq!(items.len(), count);
        assert!(items.is_sorted_by(|one, next| one < next), "{count}");
        assert!(totals.iter().all(|it| *it == count), "{count}: {totals:?}");
    };
    check(1_200).await;
    seed::permissions(options, &license, 3).await;
    check(1_203).await;
    seed::run(options, "DELETE FROM permissions".to_owned()).await;
    seed::permissions(options, &license, 1_200).await;
    check(2_400).await;
    let few = "UPDATE grants SET status = 'ended' WHERE status = 'active' AND serial > 100";
    seed::run(options, few.to_owned()).await;
    check(1_260).await;
}
