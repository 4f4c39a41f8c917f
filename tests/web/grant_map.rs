//! The map of grants: where they are in effect on a day, for both parties and nobody else.

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::kit::Browser;
use crate::grant::{days, terms};
use crate::license::{Member, World, text};

const MAP: &str = "/app/grants/map";
const EMPTY: &str = "No grants on this day";

fn place(uses: &str, territories: Value, exclusive: bool) -> Value {
    let mut terms = terms();
    terms["uses"] = json!([uses]);
    terms["territories"] = territories;
    terms["exclusive"] = json!(exclusive);
    terms
}

/// Three grants: in Germany and France, exclusively in the United States, and worldwide without an
/// end. Returns the exclusive one.
async fn spread(world: &World) -> String {
    world.granted(&world.public().await, place("advertising", json!(["DE", "FR"]), false)).await;
    let terms = place("voice", json!(["US"]), true);
    let exclusive = text(&world.granted(&world.public().await, terms).await["id"]);
    let mut terms = place("merchandise", json!(["JP", "WORLD"]), false);
    terms["ends_at"] = Value::Null;
    world.granted(&world.public().await, terms).await;
    exclusive
}

#[db_test]
async fn every_country_shows_the_grants_of_a_day(world: World) {
    spread(&world).await;
    for member in [&world.agency, &world.brand] {
        let mut browser = Browser::signed_in(&world.app, member.email).await;
        let seen = browser.get(&format!("{MAP}?on=2026-03-01")).await;
        seen.says(200, &["What is granted where on Mar 1, 2026.", "Worldwide: 1 grant"]);
        let rows = ["Worldwide 1 0 –", "Germany 2 0 –", "United States 2 1 Aug 1, 2026"];
        seen.says(200, &rows).hides(">Japan</a>").hides(">DE<");
        for name in [
            "Germany: 2 grants",
            "France: 2 grants",
            "United States: 2 grants, 1 exclusive",
            "Japan: 1 grant",
        ] {
            assert!(seen.page.contains(&format!(">{name}<")), "{name}");
        }
        browser.get(MAP).await.says(200, &[EMPTY]);
        let seen = browser.get(&format!("{MAP}?on=2026-08-01")).await;
        seen.says(200, &["Worldwide 1 0 –"]).hides(", 1 exclusive").hides("2 grants");
    }
}

#[db_test]
async fn a_country_leads_to_its_grants(world: World) {
    spread(&world).await;
    let mut ada = Browser::signed_in(&world.app, world.agency.email).await;
    let seen = ada.get(&format!("{MAP}?on=2026-03-01")).await;
    seen.holds("on", "2026-03-01");
    let germany = seen.link("/app/grants?territory=DE").replace("&amp;", "&");
    assert_eq!(germany, "/app/grants?territory=DE&on=2026-03-01");
    let seen = ada.get(&germany).await;
    seen.says(200, &["GR-2026-000001", "GR-2026-000003"]).hides("GR-2026-000002");
    seen.holds("on", "2026-03-01");
    let seen = ada.get("/app/grants?territory=DE&on=2026-08-01").await;
    seen.says(200, &["GR-2026-000003"]).hides("GR-2026-000001");
    let all = ["GR-2026-000001", "GR-2026-000002", "GR-2026-000003"];
    ada.get("/app/grants?on=2026-03-01").await.says(200, &all);
    ada.get("/app/grants?on=2026-03-01&status=active").await.says(200, &["No grants found"]);
    ada.get("/app/grants?on=2026-01-31").await.says(200, &["No grants found"]);
    ada.get("/app/grants?on=soon").await.says(400, &["In force on must be"]);
    let seen = ada.get("/app/grants?on=2026-03-01&search=grace").await;
    seen.says(400, &["In force on can't be combined with a search"]);
    let seen = ada.get("/app/grants?on=2026-03-01&ends_before=2026-09-01").await;
    seen.says(200, &["GR-2026-000001", "GR-2026-000002"]).hides("GR-2026-000003");
    let seen = ada.get("/app/grants?territory=WORLD").await;
    seen.says(200, &["GR-2026-000003"]).hides("GR-2026-000001").hides("GR-2026-000002");
    let seen = ada.get("/app/grants?territory=XX").await;
    seen.says(400, &["Country must be one of the listed countries"]);
    ada.get(&format!("{MAP}?on=never")).await.says(400, &["On must be"]);
}

#[db_test]
async fn the_map_of_today_follows_a_revocation(mut world: World) {
    let exclusive = spread(&world).await;
    world.pass(days(41)).await;
    let mut ada = Browser::signed_in(&world.app, world.agency.email).await;
    let seen = ada.get(MAP).await;
    assert!(seen.page.contains(">United States: 2 grants, 1 exclusive<"));
    let listed = seen.link("/app/grants?territory=US").replace("&amp;", "&");
    assert_eq!(listed, "/app/grants?territory=US&on=2026-02-11");
    ada.get(&listed).await.says(200, &["GR-2026-000002", "GR-2026-000003"]);
    let path = format!("/grants/{exclusive}/revoke");
    let revoked = world.as_agency(Method::POST, &path, Some(json!({ "reason": "Not paid" }))).await;
    assert_eq!(revoked.status, 200);
    let seen = ada.get(MAP).await;
    assert!(seen.page.contains(">United States: 1 grant<"), "{}", seen.text);
    ada.get(&listed).await.says(200, &["GR-2026-000003"]).hides("GR-2026-000002");
    ada.get(&format!("{MAP}?role=asker")).await.says(200, &[EMPTY]);
}

#[db_test]
async fn the_map_of_one_talent(world: World) {
    spread(&world).await;
    let mut ada = Browser::signed_in(&world.app, world.agency.email).await;
    let map = format!("{MAP}?on=2026-03-01&talent={}", world.talent);
    let seen = ada.get(&map).await;
    let rows = ["Worldwide 1 0 –", "Germany 2 0 –", "United States 2 1 Aug 1, 2026"];
    seen.says(200, &["Any talent Grâce Hopper"]).says(200, &rows);
    let germany = format!("/app/grants?talent={}&amp;territory=DE", world.talent);
    let listed = seen.link(&germany).replace("&amp;", "&");
    let seen = ada.get(&listed).await;
    seen.says(200, &["GR-2026-000001", "GR-2026-000003"]).hides("GR-2026-000002");
    let other = "0190a5e4-7b3c-7def-8123-0000000000aa";
    ada.get(&format!("{MAP}?on=2026-03-01&talent={other}")).await.says(200, &[EMPTY]);
}

#[db_test]
async fn grants_of_others_are_not_on_the_map(world: World) {
    spread(&world).await;
    let eve = Member::join(&world.app, "eve@example.com", Some("Brand")).await;
    let mut eve = Browser::signed_in(&world.app, eve.email).await;
    eve.get(&format!("{MAP}?on=2026-03-01")).await.says(200, &[EMPTY]).hides("Germany: ");
    eve.get("/app/grants?territory=DE").await.says(200, &["No grants found"]).hides("GR-2026");
}
