//! `/app/profiles`.

use std::sync::{Arc, Mutex};

use grantor_testkit::db_test;
use grantor_testkit::listener::{Listener, Script};

use super::kit::WebFixture;

const PAGE: &str = "/app/profiles";

#[db_test]
async fn a_profile_is_added_verified_and_removed(fixture: WebFixture) {
    let description = Arc::new(Mutex::new(String::new()));
    let shown = Arc::clone(&description);
    let site = Listener::start(move |call| match call.path.as_str() {
        "/@ada" => {
            let text = shown.lock().unwrap().clone();
            Script::ok(format!("<head><meta name='description' content='{text}'>").as_bytes())
        }
        _ => Script::answer(404, b""),
    });
    let (site, mut ada) = (site.await.unwrap(), fixture.ada().await);
    ada.get(PAGE).await.says(200, &["No social profiles yet", "Add profile"]);
    ada.post(PAGE, &[]).await.says(422, &[]).refuses("url", "Is required.");
    let seen = ada.post(PAGE, &[("url", "https://example.com/news")]).await;
    seen.says(422, &["must be the address of a profile"]).holds("url", "https://example.com/news");
    let url = site.url("/@ada");
    let seen = ada.follow(PAGE, &[("url", &url)]).await;
    seen.says(200, &["Profile added.", &url, "Mastodon", "pending verification", "Verify profile"]);
    let code = seen.between(&format!("Code for {url}\"><code>"), "<").expect("a code");
    let verify = seen.between("action=\"/app/profiles/", "/verify\"").expect("a form");
    let verify = format!("{PAGE}/{verify}/verify");
    ada.follow(&verify, &[]).await.says(200, &["the description does not contain the code"]);
    description.lock().unwrap().clone_from(&code);
    let seen = ada.follow(&verify, &[]).await;
    seen.says(200, &["Profile verified", "verified just now"]).hides(&code);
    fixture.stranger().await.post(&verify, &[]).await.says(404, &[]);
    let mut colleague = fixture.colleague("Team_Member").await;
    colleague.get(PAGE).await.says(200, &[&url]).hides("Add profile").hides("Remove");
    colleague.post(&verify, &[]).await.says(403, &[]);
    let remove = verify.replace("/verify", "/delete");
    ada.follow(&remove, &[]).await.says(200, &["Profile removed", "No social profiles yet"]);
}
