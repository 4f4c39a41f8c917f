//! `/app/clients`.

use grantor_testkit::db_test;

use super::kit::{Browser, WebFixture};

const NEW: [(&str, &str); 3] =
    [("name", "Importer"), ("environment", "production"), ("permissions", "license:read")];

/// Makes a client; gives its address and its secret.
async fn made(browser: &mut Browser<'_>) -> (String, String) {
    let seen = browser.post("/app/clients/new", &NEW).await;
    seen.says(200, &["Save this secret now.", "https://grantor.test/auth/token", "/licenses -H"]);
    let secret = seen.between("API secret\"><code>", "<").expect("a secret");
    (seen.link("/app/clients/"), secret)
}

#[db_test]
async fn a_secret_is_shown_once_and_works(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.get("/app/clients").await.says(200, &["No API clients yet"]);
    let seen = ada.get("/app/clients/new").await;
    let included = [
        "license:read Read licenses, requests, offers, grants and receipts",
        "license:write Update licenses; ask for grants, make, accept, decline and withdraw offers",
        "revoke grants",
        "mention:read Read mentions",
        "webhook:manage Manage webhooks",
        "Choose at least one: without a scope, a client can do nothing.",
        "Development for your own computer. All of them use the same data and the same quota.",
    ];
    seen.says(200, &included);
    let (address, secret) = made(&mut ada).await;
    let seen = ada.get(&address).await;
    let key = seen
        .says(200, &["Importer", "active", "Scopes license:read"])
        .hides(&secret)
        .between("<dd><code>", "<");
    let body = serde_json::json!({ "api_key": key, "api_secret": secret });
    assert_eq!(fixture.app.post("/auth/token", &body).await.status, 200);
    ada.get("/app/clients").await.says(200, &["Importer", "production"]);
}

#[db_test]
async fn a_refused_client_keeps_what_was_typed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let form = [("name", "<i>"), ("environment", "moon"), ("expiresAt", "2020-01-01T00:00")];
    let seen = ada.post("/app/clients/new", &form).await;
    seen.says(422, &["Please fix the fields below"]).holds("name", "&lt;i&gt;");
    seen.refuses("permissions", "Must contain at least one scope.");
    seen.refuses("environment", "Must be one of production, staging, development.");
    seen.refuses("expiresAt", "Must be in the future.").holds("expiresAt", "2020-01-01T00:00");
}

#[db_test]
async fn a_client_is_changed_and_revoked_for_good(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let (address, _) = made(&mut ada).await;
    let mut form = vec![("name", "Reader"), ("permissions", "mention:read"), ("status", "active")];
    form.push(("expiresAt", "2027-01-01T00:00"));
    ada.follow(&address, &form).await.says(200, &["Reader", "API client updated"]);
    let bad = ada.post(&address, &[("name", "x"), ("status", "gone")]).await;
    bad.says(422, &[]).holds("name", "x").refuses("status", "Must be one of active, inactive.");
    // Only the button that asks first revokes.
    form[2] = ("status", "revoked");
    let seen = ada.post(&address, &form).await;
    seen.says(422, &["Applications that use this key will permanently lose access."]);
    seen.refuses("status", "Must be one of active, inactive.");
    let seen = ada.follow(&format!("{address}/revoke"), &[]).await;
    seen.says(200, &["API client revoked", "Reader"]).hides("Rotate secret").hides("/revoke");
    let log = ada.get("/app/logs?action=client.revoke").await;
    log.says(200, &["An API client was revoked", "API client revoked", "Reader"]);
}

#[db_test]
async fn a_secret_is_replaced_with_grace(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let (address, secret) = made(&mut ada).await;
    let to = format!("{address}/secret");
    let seen = ada.post(&to, &[("graceSeconds", "3600")]).await;
    seen.says(200, &["Secret rotated", "Save this secret now."]).hides(&secret);
    ada.get(&address).await.says(200, &["The previous secret still works"]);
    let bad = ada.post(&to, &[("graceSeconds", "1e9")]).await;
    bad.says(422, &["Importer"]).begins_at("graceSeconds").hides("problem-status");
}

#[db_test]
async fn a_client_is_deleted(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let (address, _) = made(&mut ada).await;
    let seen = ada.follow(&format!("{address}/delete"), &[]).await;
    seen.says(200, &["API client deleted", "No API clients yet"]);
    ada.get(&address).await.says(404, &["Page not found"]);
}

#[db_test]
async fn others_see_nothing_of_a_client(fixture: WebFixture) {
    let (address, _) = made(&mut fixture.ada().await).await;
    let mut mary = fixture.stranger().await;
    mary.get(&address).await.says(404, &[]).hides("Importer");
    for action in ["", "/secret", "/revoke", "/delete"] {
        let form = [("graceSeconds", "0"), ("name", "Mine"), ("status", "active")];
        mary.post(&format!("{address}{action}"), &form).await.says(404, &[]);
    }
    let mut colleague = fixture.colleague("Organization_User").await;
    colleague.get("/app/clients").await.says(403, &["does not allow you to manage API clients"]);
    fixture.ada().await.get(&address).await.says(200, &["Importer"]);
}

#[db_test]
async fn a_page_with_a_secret_can_be_loaded_again(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut form = NEW.to_vec();
    let number = ada.get("/app/clients/new").await.once();
    form.push(("once", &number));
    let first = ada.post("/app/clients/new", &form).await;
    let again = ada.post("/app/clients/new", &form).await;
    assert_eq!((again.status, &again.page), (200, &first.page));
    form[0].1 = "Another";
    assert_eq!(ada.get("/app/clients").await.page.matches("\"/app/clients/0").count(), 1);
    // Who goes back and writes something else means something else.
    ada.post("/app/clients/new", &form).await.says(200, &["Save this secret now.", "Another"]);
    assert_eq!(ada.get("/app/clients").await.page.matches("\"/app/clients/0").count(), 2);
    let address = first.says(200, &["Save this secret now."]).link("/app/clients/");
    let number = ada.get(&address).await.once();
    let form = [("once", &*number), ("graceSeconds", "0")];
    let first = ada.post(&format!("{address}/secret"), &form).await;
    let again = ada.post(&format!("{address}/secret"), &form).await;
    assert_eq!(first.says(200, &["Secret rotated"]).page, again.page);
}

#[db_test]
async fn a_refused_form_can_be_sent_again_and_numbers_are_each_persons_own(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let number = ada.get("/app/clients/new").await.once();
    let mut form = NEW.to_vec();
    form.push(("once", &number));
    let mut bad = form.clone();
    bad[0].1 = "";
    let refused = ada.post("/app/clients/new", &bad).await;
    assert_ne!(refused.says(422, &[]).once(), number);
    let made = ada.post("/app/clients/new", &form).await;
    let other = fixture.stranger().await.post("/app/clients/new", &form).await;
    assert_ne!(
        made.says(200, &["Save this secret"]).page,
        other.says(200, &["Save this secret"]).page
    );
}
