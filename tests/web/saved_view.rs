//! Saved views: a named query of a list, for one person.

use grantor_testkit::db_test;

use super::kit::WebFixture;
use super::license::license;

/// The form that saves a view of licenses.
fn view<'a>(name: &'a str, query: &'a str) -> [(&'a str, &'a str); 3] {
    [("list", "licenses"), ("name", name), ("query", query)]
}

#[db_test]
async fn a_view_is_saved_and_shown_above_the_list(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    license(&mut ada, &[("name", "Coats"), ("status", "public")]).await;
    let seen = ada.get("/app/licenses?status=public&page=1").await;
    seen.says(200, &["Coats", "Save view"]).holds("query", "status=public");
    let seen = ada.post("/app/views", &view("On sale", "status=public")).await;
    assert_eq!(seen.location.as_deref(), Some("/app/licenses?status=public"), "{}", seen.text);
    let seen = ada.get("/app/licenses?status=public").await;
    seen.says(200, &["View saved", "On sale", "Manage views"]).hides("Save view");
    assert!(seen.page.contains("aria-current=\"page\">On sale</a>"), "{}", seen.page);
    ada.get("/app/views").await.says(200, &["On sale", "Licenses"]);
    // Another list has its own views.
    ada.get("/app/talents").await.says(200, &[]).hides("On sale");
}

#[db_test]
async fn a_default_view_opens_the_list(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut form = view("On sale", "status=public").to_vec();
    form.push(("default", "true"));
    ada.post("/app/views", &form).await.says(303, &[]);
    let seen = ada.get("/app/licenses").await;
    assert_eq!((seen.status, seen.location.as_deref()), (303, Some("/app/licenses?status=public")));
    let seen = ada.get("/app/licenses?view=all").await;
    seen.says(200, &["No licenses yet", "On sale"]);
    assert!(seen.page.contains("aria-current=\"page\">All</a>"), "{}", seen.page);
    // A second default takes the place of the first.
    let mut form = view("Drafts", "status=draft").to_vec();
    form.push(("default", "true"));
    ada.post("/app/views", &form).await.says(303, &[]);
    let seen = ada.get("/app/licenses").await;
    assert_eq!(seen.location.as_deref(), Some("/app/licenses?status=draft"));
}

#[db_test]
async fn what_was_done_is_told_in_the_default_view_too(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut form = view("On sale", "status=public").to_vec();
    form.push(("default", "true"));
    ada.post("/app/views", &form).await.says(303, &[]);
    ada.get("/app/talents").await;
    let id = license(&mut ada, &[("name", "Coats")]).await;
    let list = ada.follow(&format!("/app/licenses/{id}/delete"), &[]).await;
    let shown = ada.get(&list.location.expect("the default view")).await;
    shown.says(200, &["License deleted", "Undo"]);
    ada.get("/app/licenses?view=all").await.says(200, &[]).hides("License deleted");
}

#[db_test]
async fn a_view_is_renamed_and_deleted_by_its_owner_alone(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    for (name, query) in [("On sale", "status=public"), ("Drafts", "status=draft")] {
        ada.post("/app/views", &view(name, query)).await.says(303, &[]);
    }
    let edit = ada.get("/app/views").await.link("/app/views/0");
    let path = edit.trim_end_matches("/edit").to_owned();
    ada.get(&edit).await.says(200, &["Edit view"]).holds("name", "Drafts");
    let seen = ada.post(&edit, &[("name", "on SALE")]).await;
    seen.says(409, &[]).refuses("name", "You already have a view with this name.");
    ada.post(&edit, &[("name", "")]).await.says(422, &[]).refuses("name", "Is required.");
    let form = [("name", "Unpublished"), ("default", "true")];
    ada.follow(&edit, &form).await.says(200, &["View updated", "Unpublished", "Yes"]);
    for mut other in [fixture.stranger().await, fixture.colleague("Organization_Admin").await] {
        other.get("/app/views").await.says(200, &["No saved views yet"]).hides("Unpublished");
        other.get(&edit).await.says(404, &[]).hides("Unpublished");
        other.post(&edit, &form).await.says(404, &[]);
        other.post(&format!("{path}/delete"), &[]).await.says(404, &[]);
    }
    let seen = ada.follow(&format!("{path}/delete"), &[]).await;
    seen.says(200, &["View deleted", "On sale"]).hides("Unpublished");
    let log = ada.get("/app/logs?action=saved_view.delete").await;
    log.says(200, &["A saved view was deleted", "Unpublished"]);
}

#[db_test]
async fn what_is_no_view_is_refused(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.post("/app/views", &view("", "status=public")).await;
    seen.says(422, &["Save view"]).refuses("name", "Must be 1 to 50 characters.");
    let odd = [("list", "odd"), ("name", "A"), ("query", "a=b")];
    for form in [view("A", ""), view("A", "a=b c"), odd] {
        ada.post("/app/views", &form).await.says(422, &["Please fix the fields below"]);
    }
    for number in 0..50 {
        let name = format!("View {number}");
        ada.post("/app/views", &view(&name, "status=public")).await.says(303, &[]);
    }
    let seen = ada.post("/app/views", &view("One more", "status=public")).await;
    seen.says(409, &[]).refuses("name", "You have 50 saved views. Delete one to save another.");
}
