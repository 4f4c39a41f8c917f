//! `/app/logs`.

use std::time::Duration;

use grantor_domain::admin::AdminRole::SupportAdmin;
use grantor_testkit::db_test;

use super::admin::staff;
use super::kit::{ADA, WebFixture};

#[db_test]
async fn the_log_is_narrowed_and_read(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let seen = ada.get("/app/logs?action=team.create&type=INFO&class=audit&search=field").await;
    let entry = seen.says(200, &["Ada Lovelace", "Team created", "Field"]).link("/app/logs/0");
    assert!(seen.page.contains("<option value=\"team.create\" selected>Team created</option>"));
    let seen = ada.get("/app/logs?action=team.list&class=access").await;
    assert!(seen.page.contains("<option value=\"team.list\" selected>"), "{}", seen.page);
    let seen = ada.get(&entry).await;
    seen.says(200, &["team.create", "Ada Lovelace", "Field", "203.0.113.7"]);
    assert!(seen.page.contains("href=\"/app/logs?action=team.create\""), "{}", seen.page);
    ada.get("/app/logs?search=nothing").await.says(200, &["No log entries found"]);
    ada.get("/app/logs?endDate=2020-01-01").await.says(200, &["No log entries found"]);
    let bad = ada.get("/app/logs?type=LOUD&startDate=soon&action=x&page=0").await;
    bad.says(400, &["Level must", "Start date must", "Action must", "Page must"]);
    fixture.stranger().await.get(&entry).await.says(404, &[]);
    fixture.colleague("Organization_User").await.get("/app/logs").await.says(403, &[]);
}

#[db_test]
async fn events_are_told_in_the_language_of_the_page(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let wrong = [("username", ADA), ("password", "wrong")];
    assert_eq!(fixture.browser().post("/app/sign-in", &wrong).await.location, None);
    ada.get("/app/logs").await.says(200, &["A team was created", "A sign-in failed"]);
    let german = [("language", "de"), ("timeZone", "UTC")];
    ada.follow("/app/profile/language", &german).await;
    let seen = ada.get("/app/logs").await;
    seen.says(200, &["Eine Anmeldung ist fehlgeschlagen"]).hides("A sign-in failed");
    seen.hides("A team was created");
    assert_eq!(seen.page.matches(">Team erstellt</a>").count(), 1, "it is told once");
    let entry = ada.get("/app/logs?action=team.create").await.link("/app/logs/0");
    let seen = ada.get(&entry).await;
    assert!(seen.page.contains("<title>Team erstellt · Grantor</title>"), "{}", seen.page);
    let mut grace = staff(&fixture, SupportAdmin).await;
    grace.follow("/app/admin/language", &german).await;
    let seen = grace.get("/app/admin/logs?action=team.create").await;
    seen.says(200, &["Team erstellt team.create"]).hides("A team was created");
}

#[db_test]
async fn an_export_is_a_file(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.post("/app/teams/new", &[("name", "=Field")]).await.made();
    fixture.app.clock.advance(Duration::from_secs(1));
    let seen = ada.get("/app/logs/export?action=team.create").await;
    assert!(seen.page.contains("<option value=\"team.create\" selected>Team created</option>"));
    for (format, kind, begins) in [
        ("csv", "text/csv; charset=utf-8", "logId,timestamp,"),
        ("json", "application/json", "[{\"logId\":"),
    ] {
        let seen =
            ada.follow("/app/logs/export", &[("format", format), ("action", "team.create")]).await;
        let file = seen.says(200, &["Export ready", "Entries 1"]).link("/app/logs/export/0");
        let got = ada.get(&file).await;
        assert_eq!((got.status, got.kind.as_deref()), (200, Some(kind)));
        assert!(got.page.starts_with(begins) && got.page.contains("team.create"), "{}", got.page);
        fixture.stranger().await.get(&file).await.says(404, &[]);
    }
}

#[db_test]
async fn a_refused_export_keeps_what_was_typed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let form = [
        ("format", "pdf"),
        ("action", "x"),
        ("startDate", "2026-02-01"),
        ("endDate", "2026-01-01"),
    ];
    let seen = ada.post("/app/logs/export", &form).await;
    seen.says(422, &[]).refuses("format", "Must be one of csv, json.");
    assert!(seen.page.contains("<option value=\"x\" selected>"), "{}", seen.page);
    seen.refuses("endDate", "Must be after Start date.").holds("startDate", "2026-02-01");
    seen.refuses("action", "Must have the form resource.verb, such as team.create.");
}
