//! Finding records in the lists of the console: by the beginnings of words, by filters, in any
//! order, whether a worker has put the last changes into the index or not.

use std::time::Duration;

use grantor_service::licensing::license;
use grantor_service::operations::{chore, record_index};
use grantor_testkit::db_test;

use super::kit::{Browser, Seen, WebFixture};
use super::request::Parties;

/// Puts all changes into the indexes.
async fn settle(fixture: &WebFixture) {
    chore::work(&fixture.app.app).await.unwrap();
    license::index_changed(&fixture.app.app).await.unwrap();
    record_index::index_changed(&fixture.app.app).await.unwrap();
}

/// Which of these names are links of the page, in its order.
fn listed<'a>(seen: &Seen, names: &[&'a str]) -> Vec<&'a str> {
    let mut found: Vec<_> = names
        .iter()
        .filter_map(|name| Some((seen.page.find(&format!(">{name}</a>"))?, *name)))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, name)| name).collect()
}

/// Asks a list all questions, before and after the index is updated.
async fn answers(
    fixture: &WebFixture,
    browser: &mut Browser<'_>,
    (path, names): (&str, &[&str]),
    questions: &[(&str, &[&str])],
) {
    for settled in [false, true] {
        for (query, expected) in questions {
            let seen = browser.get(&format!("{path}{query}")).await;
            assert_eq!(seen.status, 200, "{query}: {}", seen.text);
            assert_eq!(listed(&seen, names), *expected, "{query}, settled: {settled}");
        }
        settle(fixture).await;
    }
}

const LICENSES: [&str; 3] = ["Coats", "Hats", "Gloves"];

/// Three licenses of two talents, each a second apart.
async fn shelf(fixture: &WebFixture, ada: &mut Browser<'_>) {
    let zoe = [("fullname", "Zoë Lindqvist"), ("aliases", "Sparrow")];
    let zoe = ada.post("/app/talents/new", &zoe).await.made();
    fixture.app.clock.advance(Duration::from_secs(1));
    let soren = ada.post("/app/talents/new", &[("fullname", "Søren Łukasz")]).await.made();
    let coats = vec![
        ("talent", zoe.as_str()),
        ("name", "Coats"),
        ("description", "For the winter campaign"),
        ("type", "advertising"),
        ("uses", "advertising"),
        ("uses", "voice"),
        ("territories", "DE"),
        ("appearanceFee", "250"),
        ("currency", "EUR"),
        ("feePer", "month"),
        ("externalId", "LIND-0001"),
        ("status", "public"),
        ("expiresAt", "2030-05-06T00:00"),
    ];
    let hats = vec![
        ("talent", soren.as_str()),
        ("name", "Hats"),
        ("type", "voice"),
        ("territories", "WORLD"),
        ("appearanceFee", "1500"),
        ("currency", "USD"),
        ("feePer", "use"),
        ("status", "public"),
    ];
    let gloves = vec![
        ("talent", soren.as_str()),
        ("name", "Gloves"),
        ("type", "merchandise"),
        ("uses", "merchandise"),
        ("territories", "FR"),
        ("status", "private"),
    ];
    for form in [coats, hats, gloves] {
        fixture.app.clock.advance(Duration::from_secs(1));
        ada.post("/app/licenses/new", &form).await.made();
    }
}

#[db_test]
async fn licenses_are_found_and_filtered(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    shelf(&fixture, &mut ada).await;
    let questions: &[(&str, &[&str])] = &[
        ("", &["Gloves", "Hats", "Coats"]),
        ("?search=zoe", &["Coats"]),
        ("?search=LINDQ", &["Coats"]),
        ("?search=sparr", &["Coats"]),
        ("?search=lind-0001", &["Coats"]),
        ("?search=lind-00", &["Coats"]),
        ("?search=winter", &["Coats"]),
        ("?search=wint", &[]),
        ("?search=soren", &["Gloves", "Hats"]),
        ("?search=luk", &["Gloves", "Hats"]),
        ("?search=babbage+glo", &["Gloves"]),
        ("?search=zoe+hats", &[]),
        ("?search=%21", &[]),
        ("?use=voice", &["Hats", "Coats"]),
        ("?type=voice", &["Hats"]),
        ("?country=DE", &["Hats", "Coats"]),
        ("?country=WORLD", &["Hats"]),
        ("?country=FR", &["Gloves", "Hats"]),
        ("?price_from=200&price_to=300", &["Coats"]),
        ("?price_from=1%2C000", &["Hats"]),
        ("?price_to=249.99", &[]),
        ("?currency=EUR", &["Coats"]),
        ("?price_to=2000&currency=USD", &["Hats"]),
        ("?talent=soren", &["Gloves", "Hats"]),
        ("?owner=babb", &["Gloves", "Hats", "Coats"]),
        ("?owner=nobody", &[]),
        ("?expires_from=2030-05-06&expires_to=2030-05-06", &["Coats"]),
        ("?expires_to=2030-05-05", &[]),
        ("?created_from=2026-01-01&created_to=2026-01-01", &["Gloves", "Hats", "Coats"]),
        ("?created_to=2025-12-31", &[]),
        ("?status=public&search=s", &["Hats", "Coats"]),
        ("?sort=title", &["Coats", "Gloves", "Hats"]),
        ("?sort=title.desc&status=public", &["Hats", "Coats"]),
        ("?sort=created_at.asc&search=soren", &["Hats", "Gloves"]),
    ];
    answers(&fixture, &mut ada, ("/app/licenses", &LICENSES), questions).await;
}

#[db_test]
async fn guests_find_what_is_public(fixture: WebFixture) {
    shelf(&fixture, &mut fixture.ada().await).await;
    let questions: &[(&str, &[&str])] = &[
        ("?search=lindq", &["Coats"]),
        ("?search=soren", &["Hats"]),
        ("?search=babb", &["Hats", "Coats"]),
        ("?country=FR", &["Hats"]),
        ("?use=merchandise", &[]),
        ("?price_to=1000", &["Coats"]),
        ("?sort=title", &["Coats", "Hats"]),
    ];
    answers(&fixture, &mut fixture.browser(), ("/app/catalog", &LICENSES), questions).await;
}

#[db_test]
async fn a_change_is_found_at_once_and_what_was_before_is_not(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    shelf(&fixture, &mut ada).await;
    settle(&fixture).await;
    let seen = ada.get("/app/licenses?search=coats").await;
    let path = seen.link("/app/licenses/0");
    let form = [
        ("version", "1-public"),
        ("name", "Scarves"),
        ("type", "voice"),
        ("status", "public"),
        ("territories", "JP"),
        ("appearanceFee", "9"),
        ("currency", "JPY"),
        ("feePer", "day"),
    ];
    ada.follow(&format!("{path}/edit"), &form).await.says(200, &["Scarves"]);
    let names = ["Coats", "Scarves", "Hats", "Gloves"];
    let questions: &[(&str, &[&str])] = &[
        ("?search=coats", &[]),
        ("?search=scarv", &["Scarves"]),
        ("?country=JP", &["Hats", "Scarves"]),
        ("?country=DE", &["Hats"]),
        ("?price_to=100", &["Scarves"]),
        ("?expires_from=2030-01-01", &[]),
    ];
    answers(&fixture, &mut ada, ("/app/licenses", &names), questions).await;
}

#[db_test]
async fn filters_are_chips_that_can_be_removed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    shelf(&fixture, &mut ada).await;
    let path = "/app/licenses?search=zoe&use=voice&country=DE&price_from=100&sort=title";
    let seen = ada.get(path).await;
    let chips = ["Search: zoe", "Use: Voice", "Country: Germany", "Price from: 100"];
    seen.says(200, &chips).says(200, &["Filters (4)", "Clear filters", "Save view"]);
    let without = "/app/licenses?search=zoe&amp;country=DE&amp;price_from=100&amp;sort=title";
    let chip = format!("href=\"{without}\" aria-label=\"Remove filter Use: Voice\"");
    assert!(seen.page.contains(&chip), "{}", seen.page);
    assert!(seen.page.contains("aria-sort=\"ascending\""), "{}", seen.page);
    let head = "search=zoe&amp;use=voice&amp;country=DE&amp;price_from=100&amp;sort=title.desc";
    assert!(seen.page.contains(head), "{}", seen.page);
    let seen = ada.get("/app/licenses?search=nobody").await;
    seen.says(200, &["No licenses found", "Clear filters", "Search: nobody"]);
    let seen = ada.get("/app/licenses").await;
    assert!(seen.page.contains("<noscript><button class=\"small\">Apply</button></noscript>"));
    assert!(!seen.page.contains("class=\"chips\""), "{}", seen.page);
}

#[db_test]
async fn what_is_asked_wrong_is_said_beside_its_field(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    for (query, field, wrong) in [
        ("country=XX", "by-country", "Must be one of the listed countries."),
        ("price_from=much", "by-price_from", "Must be an amount such as 1,500 or 1.500,00."),
        ("price_from=9&price_to=1", "by-price_to", "Must not be less than the lowest price."),
        ("expires_from=soon", "by-expires_from", "Must be a day such as 2026-01-31."),
        (
            "created_from=2026-02-02&created_to=2026-02-01",
            "by-created_to",
            "Must be after Created from.",
        ),
    ] {
        let seen = ada.get(&format!("/app/licenses?{query}")).await;
        seen.says(400, &["Some filters are not valid and were ignored"]).refuses(field, wrong);
        assert!(seen.page.contains("<details class=\"folded\" open>"), "{query}: {}", seen.page);
    }
}

#[db_test]
async fn talents_are_found_and_sorted(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    shelf(&fixture, &mut ada).await;
    let names = ["Zoë Lindqvist", "Søren Łukasz"];
    let [zoe, soren] = names;
    let questions: &[(&str, &[&str])] = &[
        ("", &[soren, zoe]),
        ("?search=lindq", &[zoe]),
        ("?search=sparr", &[zoe]),
        ("?search=soren+l", &[soren]),
        ("?sort=name", &[soren, zoe]),
        ("?sort=name.desc", &[zoe, soren]),
        ("?sort=added.asc", &[zoe, soren]),
        ("?status=inactive", &[]),
        ("?verified=false&added_from=2026-01-01", &[soren, zoe]),
        ("?added_to=2025-12-31", &[]),
    ];
    answers(&fixture, &mut ada, ("/app/talents", &names), questions).await;
}

#[db_test]
async fn a_name_with_an_apostrophe_is_found_however_it_is_typed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let names = ["Aoife O'Neill", "Nora Neil"];
    let [aoife, nora] = names;
    for name in names {
        ada.post("/app/talents/new", &[("fullname", name)]).await.made();
    }
    let questions: &[(&str, &[&str])] = &[
        ("?search=oneill", &[aoife]),
        ("?search=onei", &[aoife]),
        ("?search=o+neill", &[aoife]),
        ("?search=O%27Neill", &[aoife]),
        ("?search=o%E2%80%99neill", &[aoife]),
        ("?search=aoifeo", &[]),
        ("?search=norane", &[]),
        ("?search=nora", &[nora]),
    ];
    answers(&fixture, &mut ada, ("/app/talents", &names), questions).await;
}

#[db_test]
async fn grants_and_requests_are_found_by_both_parties(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    parties.grant().await;
    let grant = ["GR-2026-000001"];
    let questions: &[(&str, &[&str])] = &[
        ("?search=grac", &grant),
        ("?search=GR-2026-000001", &grant),
        ("?search=winter+hopp", &grant),
        ("?search=nobody", &[]),
        ("?party=somerv", &grant),
        ("?talent=hopper&use=advertising", &grant),
        ("?use=voice", &[]),
        ("?territory=DE&search=winter", &grant),
        ("?territory=FR&search=winter", &[]),
        ("?ends_from=2026-08-01&ends_to=2026-08-01", &grant),
        ("?ends_before=2026-08-01", &[]),
        ("?starts_from=2026-02-01&starts_to=2026-02-01", &grant),
        ("?sort=end", &grant),
        ("?role=owner&search=winter", &[]),
        ("?role=asker&search=winter", &grant),
        ("?status=scheduled&search=winter", &grant),
        ("?status=ended&search=winter", &[]),
    ];
    answers(&fixture, &mut parties.ada, ("/app/grants", &grant), questions).await;
    let requests: &[(&str, &[&str])] = &[
        ("?search=grac", &["Winter"]),
        ("?search=babb", &["Winter"]),
        ("?party=nobody", &[]),
        ("?country=DE&use=advertising", &["Winter"]),
        ("?changed_from=2026-01-01&sort=changed.asc", &["Winter"]),
        ("?role=asker&search=winter", &[]),
    ];
    answers(&fixture, &mut parties.mary, ("/app/requests", &["Winter"]), requests).await;
    let seen = fixture.signed_in("mary@example.com").await.get("/app/grants?search=x").await;
    seen.says(200, &["No grants found"]);
}

#[db_test]
async fn a_new_name_reaches_the_records_that_show_it(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    parties.grant().await;
    settle(&fixture).await;
    let talent = parties.mary.get("/app/talents").await.link("/app/talents/0");
    let form = [("fullname", "Grace Quillfeather"), ("status", "active")];
    parties.mary.follow(&format!("{talent}/edit"), &form).await.says(200, &["Talent updated"]);
    settle(&fixture).await;
    let grant = ["GR-2026-000001"];
    let questions: &[(&str, &[&str])] = &[("?search=quillf", &grant), ("?search=hopper", &[])];
    answers(&fixture, &mut parties.ada, ("/app/grants", &grant), questions).await;
}

#[db_test]
async fn names_are_suggested_from_the_list(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    shelf(&fixture, &mut ada).await;
    let seen = ada.get("/app/names?list=licenses&by=talent&search=lind").await;
    assert_eq!(seen.says(200, &[]).page, "<option value=\"Zoë Lindqvist\"></option>");
    let seen = fixture.browser().get("/app/catalog/names?by=party&search=babb").await;
    assert_eq!(seen.says(200, &[]).page, "<option value=\"Babbage Talent\"></option>");
    let mut stranger = fixture.stranger().await;
    let seen = stranger.get("/app/names?list=licenses&by=talent&search=lind").await;
    assert_eq!(seen.says(200, &[]).page, "", "licenses of others are not in the list");
    for query in ["list=odd&by=talent&search=lind", "list=licenses&by=odd&search=lind"] {
        assert_eq!(ada.get(&format!("/app/names?{query}")).await.says(200, &[]).page, "");
    }
    let guest = fixture.browser().get("/app/names?list=licenses&by=talent&search=l").await;
    assert_eq!(guest.status, 303);
}

#[db_test]
async fn members_of_a_team_are_found(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let team = ada.post("/app/teams/new", &[("name", "Casting")]).await.made();
    let path = format!("/app/teams/{team}");
    for (first, last, email) in
        [("Zoë", "Lindqvist", "z@example.com"), ("Bo", "Ek", "bo@example.com")]
    {
        let role = ("role", "Team_Member");
        let form = [("firstname", first), ("lastname", last), ("email", email), role];
        assert_eq!(ada.post(&format!("{path}/invite"), &form).await.status, 303);
    }
    let seen = ada.get(&format!("{path}?search=zoe")).await;
    seen.says(200, &["Zoë Lindqvist", "Search: zoe"]).hides("Bo Ek");
    let seen = ada.get(&format!("{path}?role=Organization_Admin")).await;
    seen.says(200, &["Ada Lovelace"]).hides("Bo Ek");
    let seen = ada.get(&format!("{path}?status=pending&search=nobody")).await;
    seen.says(200, &["No members found", "Clear filters"]);
    ada.get(&format!("{path}?status=odd")).await.says(400, &["Status must be one of"]);
}
