//! The catalog: what everybody may see, and nothing more.

use grantor_testkit::db_test;

use super::kit::WebFixture;
use super::license::license;

#[db_test]
async fn everybody_reads_what_is_public(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let more = [
        ("name", "Winter"),
        ("status", "public"),
        ("description", "Coats"),
        ("externalId", "W-1"),
        ("terms", "{\"inner\": 1}"),
        ("territories", "WORLD"),
    ];
    let id = license(&mut ada, &more).await;
    license(&mut ada, &[("name", "Hidden"), ("status", "private")]).await;
    let mut guest = fixture.browser();
    let seen = guest.get("/app/catalog").await;
    seen.says(200, &["Winter", "Coats", "Grace Hopper", "Babbage Talent", "Worldwide", "Sign in"]);
    seen.hides("Hidden");
    let seen = guest.get(&seen.link(&format!("/app/catalog/{id}"))).await;
    seen.says(200, &["Winter", "Advertising"]).hides("W-1").hides("inner").hides("/objects/");
    seen.says(200, &[&format!("For developers License ID {id}")]);
    ada.get("/app/catalog").await.says(200, &["Winter", "Sign out"]);
}

#[db_test]
async fn the_catalog_is_searched(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    fixture.browser().get("/app/catalog").await.says(200, &["No public licenses yet"]);
    license(&mut ada, &[("name", "Winter"), ("status", "public")]).await;
    license(&mut ada, &[("name", "Summer"), ("status", "public")]).await;
    let mut guest = fixture.browser();
    guest.get("/app/catalog?search=win*&sort=title").await.says(200, &["Winter"]).hides("Summer");
    guest.get("/app/catalog?type=voice").await.says(200, &["No licenses found"]);
    guest.get("/app/catalog?type=odd&limit=999").await.says(400, &["Type must", "Limit must"]);
}

#[db_test]
async fn what_is_not_public_is_not_there(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    for status in ["draft", "private"] {
        let id = license(&mut ada, &[("name", "Hidden"), ("status", status)]).await;
        let seen = fixture.browser().get(&format!("/app/catalog/{id}")).await;
        seen.says(404, &["Page not found"]).hides("Hidden");
    }
    fixture.browser().get("/app/catalog/odd").await.says(404, &["Page not found"]);
}
