//! Exports: every list as CSV, with its filters and for those who may read it.

use std::collections::BTreeSet;

use grantor_domain::admin::AdminRole;
use grantor_testkit::db_test;

use super::admin::staff;
use super::import::talents_of;
use super::kit::WebFixture;
use super::license::{license, talent};

#[db_test]
async fn licenses_are_exported_with_the_filters_of_the_list(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let more = [
        ("name", "=Winter"),
        ("externalId", "W-1"),
        ("appearanceFee", "250"),
        ("currency", "EUR"),
        ("feePer", "month"),
        ("uses", "voice"),
        ("territories", "DE"),
        ("territories", "FR"),
        ("status", "public"),
    ];
    license(&mut ada, &more).await;
    license(&mut ada, &[("name", "Summer")]).await;
    let seen = ada.get("/app/export/licenses?status=public&page=7").await;
    assert_eq!(seen.kind.as_deref(), Some("text/csv; charset=utf-8"));
    let expected = "Name,External ID,Talent,Talent external ID,Type,Description,Status,Uses,Countries,\
        Fee,Currency,Fee per,Monitoring,Valid from,Expires,Tags,Owner,Created,Updated\n\
        '=Winter,W-1,Grace Hopper,,Advertising,,Public,Voice,Germany; France,250.00,EUR,Month,No,,,,\
        Babbage Talent,2026-01-01T00:00:00Z,2026-01-01T00:00:00Z\n";
    assert_eq!((seen.status, seen.page.as_str()), (200, expected));
    let seen = ada.get("/app/export/licenses?for=excel").await;
    assert!(seen.page.starts_with("\u{FEFF}Name,"), "{}", seen.page);
    assert!(seen.page.contains("\nSummer,"), "{}", seen.page);
}

#[db_test]
async fn selected_rows_are_exported(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let winter = license(&mut ada, &[("name", "Winter")]).await;
    license(&mut ada, &[("name", "Summer")]).await;
    let mut mary = fixture.stranger().await;
    let secret = license(&mut mary, &[("name", "Secret")]).await;
    let form = [
        ("list", "licenses"),
        ("act", "export"),
        ("scope", "rows"),
        ("item", winter.as_str()),
        ("item", secret.as_str()),
    ];
    let seen = ada.post("/app/bulk", &form).await;
    assert_eq!(seen.page.lines().count(), 2, "{}", seen.page);
    assert!(seen.page.contains("\nWinter,") && !seen.page.contains("Secret"), "{}", seen.page);
    let form = [
        ("list", "licenses"),
        ("act", "export"),
        ("scope", "all"),
        ("here", "/app/licenses?search=sum"),
    ];
    let seen = ada.post("/app/bulk", &form).await;
    assert!(seen.page.contains("\nSummer,") && !seen.page.contains("Winter"), "{}", seen.page);
}

#[db_test]
async fn more_rows_than_a_part_are_all_there_once(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talents_of(&fixture, &mut ada, 600).await;
    let seen = ada.get("/app/export/talents").await;
    let names: Vec<_> = seen.page.lines().skip(1).filter_map(|it| it.split(',').next()).collect();
    let distinct: BTreeSet<_> = names.iter().collect();
    assert_eq!((names.len(), distinct.len()), (600, 600));
}

#[db_test]
async fn every_list_has_an_export(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talent(&mut ada, "Zoë").await;
    for list in [
        "talents",
        "requests",
        "grants",
        "bookmarks",
        "mentions",
        "cases",
        "sources",
        "profiles",
        "platforms",
        "ingest-keys",
        "webhooks",
        "clients",
        "teams",
        "notices",
    ] {
        let seen = ada.get(&format!("/app/export/{list}")).await;
        assert_eq!((seen.status, seen.kind.as_deref()), (200, Some("text/csv; charset=utf-8")));
        assert!(seen.page.contains(','), "{list}: {}", seen.page);
    }
    ada.get("/app/export/secrets").await.says(404, &[]);
    ada.get("/app/export/talents?status=x").await.says(422, &["Some filters are not valid"]);
}

#[db_test]
async fn an_export_needs_the_right_to_read_the_list(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talent(&mut ada, "Zoë").await;
    let mut member = fixture.colleague("Team_Member").await;
    for list in ["clients", "webhooks", "teams"] {
        member.get(&format!("/app/export/{list}")).await.says(403, &[]);
    }
    assert_eq!(member.get("/app/export/talents").await.status, 200);
    let mut mary = fixture.stranger().await;
    let seen = mary.get("/app/export/talents").await;
    assert_eq!(seen.page.lines().count(), 1, "{}", seen.page);
    let seen = fixture.browser().get("/app/export/talents").await;
    assert_eq!(seen.status, 303, "{}", seen.text);
}

#[db_test]
async fn staff_export_their_own_lists(fixture: WebFixture) {
    let mut staff = staff(&fixture, AdminRole::SuperAdmin).await;
    for list in ["organizations", "licenses", "platforms", "sources", "scanners", "staff"] {
        let seen = staff.get(&format!("/app/admin/export/{list}")).await;
        assert_eq!((seen.status, seen.kind.as_deref()), (200, Some("text/csv; charset=utf-8")));
    }
    let seen = staff.get("/app/admin/export/organizations?search=babbage").await;
    assert!(seen.page.contains("\nBabbage Talent,"), "{}", seen.page);
    let mut ada = fixture.ada().await;
    let seen = ada.get("/app/admin/export/organizations").await;
    assert_eq!(seen.status, 303, "{}", seen.text);
}
