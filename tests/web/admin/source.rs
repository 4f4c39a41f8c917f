//! Sources of all organizations.

use grantor_domain::admin::AdminRole::{Admin, SupportAdmin};
use grantor_testkit::db_test;
use grantor_testkit::listener::{Listener, Script};

use super::{UNKNOWN, staff};
use crate::web::kit::WebFixture;

const PAGE: &str = "/app/admin/sources";

async fn site() -> Listener {
    let feed = "<rss version='2.0'><channel><title>The News</title></channel></rss>";
    Listener::start(move |call| match call.path.as_str() {
        "/feed" => Script::ok(feed.as_bytes()),
        _ => Script::answer(404, b""),
    })
    .await
    .unwrap()
}

#[db_test]
async fn staff_stop_and_resume_what_others_watch(fixture: WebFixture) {
    let (mut ada, site) = (fixture.ada().await, site().await);
    let mut admin = staff(&fixture, Admin).await;
    admin.get(PAGE).await.says(200, &["No sources yet"]).hides("Stop all");
    let url = site.url("/feed");
    let form = [("url", &*url), ("frequency", "daily"), ("watch", "all")];
    let id = ada.post("/app/sources/new", &form).await.made();
    admin.get(PAGE).await.says(200, &["The News", &url, "Babbage Talent", "running"]);
    let seen = admin.follow(&format!("{PAGE}/{id}/stop"), &[]).await;
    seen.says(200, &["Source stopped", "Stopped by the operator just now.", "Resume"]);
    let own = format!("/app/sources/{id}");
    let seen = ada.get(&own).await;
    seen.says(200, &["stopped", "The operator stopped this source just now."]).hides("Scan now");
    let seen = ada.follow(&format!("{own}/scan"), &[]).await;
    seen.says(200, &["The operator has stopped this source"]);
    admin.get(&format!("{PAGE}?stopped=false")).await.says(200, &["No sources found"]);
    admin.get(&format!("{PAGE}?stopped=x")).await.says(400, &["The News", "Must be one of"]);
    let seen = admin.follow(&format!("{PAGE}/{id}/resume"), &[]).await;
    seen.says(200, &["Source resumed", "running"]);
    admin.follow(&format!("{PAGE}/stop"), &[]).await.says(200, &["1 source stopped"]);
    admin.follow(&format!("{PAGE}/stop"), &[]).await.says(200, &["No sources changed"]);
    admin.post(&format!("{PAGE}/{UNKNOWN}/stop"), &[]).await.says(404, &[]);
    let mut support = staff(&fixture, SupportAdmin).await;
    support.get(PAGE).await.says(200, &["The News"]).hides("Stop all").hides("/resume\"");
    support.post(&format!("{PAGE}/stop"), &[]).await.says(403, &[]);
}
