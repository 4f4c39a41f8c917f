//! Organizations, platforms, licenses and the log of everybody.

use grantor_domain::admin::AdminRole::{Admin, SuperAdmin};
use grantor_testkit::db_test;

use super::staff;
use crate::web::kit::WebFixture;

#[db_test]
async fn organizations_are_listed_and_narrowed(fixture: WebFixture) {
    fixture.stranger().await;
    let mut grace = staff(&fixture, SuperAdmin).await;
    let all = grace.get("/app/admin/organizations").await;
    all.says(200, &["Somerville & Co Agency Free active 1", "Babbage Talent"]);
    let one = grace
        .get("/app/admin/organizations?search=babbage&type=Agency&status=active&plan=Free")
        .await;
    one.says(200, &["Babbage Talent"]).hides("Somerville").holds("search", "babbage");
    grace.get("/app/admin/organizations?plan=Pro").await.says(200, &["No organizations found"]);
    grace.get("/app/admin/organizations?plan=Gold").await.says(400, &["Plan must be one of"]);
    grace.get("/app/admin/organizations?page=0").await.says(400, &["Page must be"]);
}

#[db_test]
async fn a_suspended_organization_is_locked_out_until_it_may_act_again(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut grace = staff(&fixture, SuperAdmin).await;
    let path = grace.get("/app/admin/organizations").await.link("/app/admin/organizations/");
    grace.get(&path).await.says(200, &["Suspend", "Change plan", "Logs"]);
    let status = format!("{path}/status");
    let suspended = grace.follow(&status, &[("status", "suspended")]).await;
    suspended.says(200, &["Organization suspended", "Reactivate"]);
    assert_ne!(ada.get("/app/talents").await.status, 200);
    grace.follow(&status, &[("status", "active")]).await.says(200, &["Organization reactivated"]);
    assert_eq!(ada.get("/app/talents").await.status, 200);
    grace.post(&status, &[("status", "gone")]).await.says(422, &["Status must be one of"]);
}

#[db_test]
async fn a_plan_is_set_and_a_wrong_one_named(fixture: WebFixture) {
    let mut admin = staff(&fixture, Admin).await;
    let path = admin.get("/app/admin/organizations").await.link("/app/admin/organizations/");
    admin.get(&path).await.says(200, &["Change plan"]).hides("Suspend");
    let plan = format!("{path}/plan");
    let refused = admin.post(&plan, &[("plan", "Gold")]).await;
    refused.says(422, &[]).refuses("plan", "Must be one of Free, Starter, Pro, Enterprise.");
    let changed = admin.follow(&plan, &[("plan", "Pro")]).await;
    changed.says(200, &["Plan changed", "Plan Pro"]);
}

#[db_test]
async fn licenses_and_platforms_are_everybodys(fixture: WebFixture) {
    let mut grace = staff(&fixture, SuperAdmin).await;
    grace.get("/app/admin/licenses").await.says(200, &["No licenses yet"]);
    grace.get("/app/admin/platforms").await.says(200, &["No platforms yet"]);
    let narrowed = "search=x&type=voice&status=draft";
    grace.get(&format!("/app/admin/licenses?{narrowed}")).await.says(200, &["No licenses found"]);
    grace.get("/app/admin/platforms?search=x").await.says(200, &["No platforms found"]);
    for path in ["licenses", "platforms"] {
        let seen = grace.get(&format!("/app/admin/{path}?organizationId=1")).await;
        seen.says(400, &["Organization id must be"]);
    }
}

#[db_test]
async fn the_log_is_read_surface_by_surface(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.post("/app/talents/new", &[("fullname", "Mary Shelley")]).await;
    let mut grace = staff(&fixture, SuperAdmin).await;
    let console = grace.get("/app/admin/logs").await;
    let label = "<option value=\"admin.authenticate\">Staff sign-in</option>";
    assert!(console.page.contains(label), "{}", console.page);
    console.says(200, &["talent.create", "Ada Lovelace"]).hides("<code>admin.authenticate");
    assert!(console.page.contains("<details class=\"folded\"><summary"), "{}", console.page);
    let staffs = grace.get("/app/admin/logs?scheme=admin&class=audit").await;
    staffs.says(200, &["admin.authenticate"]).hides("<code>talent.create");
    let found = grace.get("/app/admin/logs?scheme=console&action=talent.create&search=mary").await;
    found.says(200, &["Mary Shelley", "Filters (2)"]).hides("<code>session.");
    assert!(found.page.contains("name=\"scheme\" value=\"console\""), "{}", found.page);
    grace
        .get("/app/admin/logs?scheme=console&search=nobody")
        .await
        .says(200, &["No log entries found"]);
}

#[db_test]
async fn a_question_that_does_not_read_keeps_what_was_asked(fixture: WebFixture) {
    let mut grace = staff(&fixture, SuperAdmin).await;
    let seen = grace.get("/app/admin/logs?scheme=x&action=team&startDate=soon&search=ada").await;
    seen.says(
        400,
        &[
            "Action must have the form resource.verb",
            "Scheme must be one of",
            "Start date must be a day",
        ],
    );
    assert!(seen.page.contains("<option value=\"team\" selected>team</option>"), "{}", seen.page);
    seen.holds("search", "ada");
    let seen = grace.get("/app/admin/logs?scheme=admin&action=team").await;
    seen.says(400, &["No log entries found"]).hides("<code>admin.");
}
