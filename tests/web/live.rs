//! Pages that update themselves: nothing is sent if nothing changed, and nobody loses a message.

use grantor_testkit::app::Answer;
use grantor_testkit::db_test;
use http::Method;

use super::kit::{Browser, WebFixture};
use super::license::license;

/// Asks as the script of an open page does.
async fn poll(fixture: &WebFixture, browser: &Browser<'_>, path: &str, known: &str) -> Answer {
    assert!(browser.cookie("__Host-grantor").is_some(), "nobody is signed in");
    let names = ["__Host-grantor", "__Host-grantor-flash"];
    let kept = names.iter().filter_map(|it| Some(format!("{it}={}", browser.cookie(it)?)));
    let cookies = kept.collect::<Vec<_>>().join("; ");
    let request = fixture.app.request(Method::GET, path).header("cookie", &cookies);
    let request = request.header("x-live", "1").header("sec-fetch-site", "same-origin");
    let request = if known.is_empty() { request } else { request.header("if-none-match", known) };
    request.send().await
}

#[db_test]
async fn a_list_is_sent_again_only_if_it_changed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    for path in ["/app/notices", "/app/mentions", "/app/requests"] {
        let first = poll(&fixture, &ada, path, "").await;
        let tag = first.header("etag").expect("a tag").to_owned();
        assert_eq!(first.status, 200, "{path}");
        let same = poll(&fixture, &ada, path, &tag).await;
        assert_eq!((same.status.as_u16(), same.body.len()), (304, 0), "{path}");
        assert_eq!(same.header("etag"), Some(&*tag), "{path}");
    }
    let path = "/app/webhooks";
    let form = [("url", "http://127.0.0.1:9/hook"), ("events", "license.created")];
    let address = ada.post("/app/webhooks/new", &form).await.link("/app/webhooks/");
    let before = poll(&fixture, &ada, path, "").await.header("etag").unwrap().to_owned();
    assert_eq!(poll(&fixture, &ada, path, &before).await.status, 304);
    ada.post(&format!("{address}/status"), &[("status", "disabled")]).await;
    let after = poll(&fixture, &ada, path, &before).await;
    assert_eq!(after.status, 200);
    assert!(String::from_utf8_lossy(&after.body).contains("disabled"));
    assert_ne!(after.header("etag"), Some(&*before));
}

#[db_test]
async fn rows_have_keys_and_words_for_new_ones(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let form = [("url", "http://127.0.0.1:9/hook"), ("events", "license.created")];
    let address = ada.post("/app/webhooks/new", &form).await.link("/app/webhooks/");
    license(&mut ada, &[("name", "Winter")]).await;
    let seen = ada.get(&address).await;
    let list = "data-live=\"deliveries\" data-one=\"new delivery\" data-many=\"new deliveries\"";
    assert!(seen.page.contains(list), "{}", seen.page);
    assert!(seen.page.contains("<tr data-row=\"") && seen.page.contains("/live.js"));
    let still = ada.get("/app/talents").await;
    assert!(!still.page.contains("/live.js"), "a page without live parts needs no script for them");
}

#[db_test]
async fn a_message_waits_for_the_page_that_somebody_opens(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let answer = ada.post(&format!("/app/licenses/{id}/delete"), &[]).await;
    assert_eq!(answer.status, 303);
    let polled = poll(&fixture, &ada, "/app/notices", "").await;
    let body = String::from_utf8_lossy(&polled.body).into_owned();
    assert!(!body.contains("License deleted"), "{body}");
    assert!(polled.header("set-cookie").is_none());
    ada.get("/app/licenses").await.says(200, &["License deleted", "Undo"]);
    ada.get("/app/licenses").await.says(200, &["No licenses yet"]).hides("License deleted");
}
