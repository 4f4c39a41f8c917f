//! Pods.

use grantor_domain::admin::AdminRole::{Admin, SupportAdmin};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::json;

use super::{UNKNOWN, staff};
use crate::console::PASSWORD;
use crate::web::kit::{ADA, Browser, WebFixture};

const NEW: &str = "/app/admin/pods/new";
const TEAM: &str = "0190a5e4-7b3c-7def-8123-0000000000aa";

/// A platform of Ada's; gives its id.
async fn platform(fixture: &WebFixture) -> String {
    let tokens = fixture.app.sign_in(ADA, PASSWORD).await;
    let team = seed::id(&fixture.app.database.options, TEAM);
    let agency = "FROM tenants WHERE name = 'Babbage Talent'";
    fixture
        .run(format!("INSERT INTO teams SELECT {team}, tenant_id, 'T', 't', 0, 0 {agency}"))
        .await;
    let body = json!({ "name": "The Analyst", "teamId": TEAM, "type": "Website/Blog", "domain": "analyst.example" });
    let request = fixture.app.request(Method::POST, "/v1.0.1/org/create/platform");
    let made = request.console(tokens["accessToken"].as_str().unwrap()).json(&body).send().await;
    made.json()["data"]["platformId"]
        .as_str()
        .unwrap_or_else(|| panic!("{:?}", made.whole()))
        .to_owned()
}

/// Makes a pod; gives the address of its page.
async fn made(admin: &mut Browser<'_>, platform: &str) -> String {
    let form = [("platformId", platform), ("scopes", "read"), ("scopes", "crawl")];
    format!("/app/admin/pods/{}", admin.post(NEW, &form).await.made())
}

#[db_test]
async fn a_pod_is_made_started_paused_and_stopped(fixture: WebFixture) {
    let platform = platform(&fixture).await;
    let mut admin = staff(&fixture, Admin).await;
    let list = admin.get("/app/admin/platforms").await;
    list.says(200, &["The Analyst analyst.example", "Babbage Talent", "New scanner"]);
    let form = admin.get(&list.link(NEW).replace("&amp;", "&")).await;
    form.says(200, &["The Analyst (analyst.example), Babbage Talent"]);
    assert!(form.page.contains(&format!("value=\"{platform}\" selected")));
    let path = made(&mut admin, &platform).await;
    let list = admin.get("/app/admin/platforms").await;
    list.says(200, &["The Analyst", "View scanner"]).hides("New scanner");
    admin
        .get(&path)
        .await
        .says(200, &["Status stopped", "read crawl", "No scans yet."])
        .hides("/pause\"");
    admin.follow(&format!("{path}/start"), &[("back", path.as_str())]).await.says(
        200,
        &[
            "Scanner is now running",
            "This scanner is running but can't scan",
            "domain isn't verified",
        ],
    );
    admin
        .follow(&format!("{path}/pause"), &[])
        .await
        .says(200, &["Scanner is now paused", "The Analyst paused"]);
    admin
        .follow(&format!("{path}/stop"), &[("back", "//evil.example")])
        .await
        .says(200, &["The Analyst stopped"]);
    let seen = admin.follow(&format!("{path}/pause"), &[]).await;
    seen.says(200, &["A scanner that is stopped cannot be paused"]);
}

#[db_test]
async fn a_pod_that_does_not_fit_is_refused(fixture: WebFixture) {
    let platform = platform(&fixture).await;
    let mut admin = staff(&fixture, Admin).await;
    let empty = admin.post(NEW, &[]).await;
    empty.says(422, &[]).refuses("platformId", "Is required.");
    empty.refuses("scopes", "Must contain at least one name, such as read, write or crawl.");
    admin
        .post(NEW, &[("platformId", UNKNOWN), ("scopes", "read")])
        .await
        .says(404, &["New scanner"]);
    made(&mut admin, &platform).await;
    let twice = admin.post(NEW, &[("platformId", platform.as_str()), ("scopes", "read")]).await;
    twice.says(409, &[]).refuses("platformId", "This platform already has a scanner.");
    assert!(twice.page.contains(&format!("value=\"{platform}\" selected")), "the choice is kept");
}

#[db_test]
async fn all_pods_are_moved_at_once(fixture: WebFixture) {
    let platform = platform(&fixture).await;
    let mut admin = staff(&fixture, Admin).await;
    made(&mut admin, &platform).await;
    admin.get("/app/admin/pods").await.says(200, &["Start all…", "Pause all…", "Stop all…"]);
    admin.follow("/app/admin/pods/start", &[]).await.says(200, &["1 scanner is now running"]);
    admin.follow("/app/admin/pods/pause", &[]).await.says(200, &["1 scanner is now paused"]);
    admin.follow("/app/admin/pods/stop", &[]).await.says(200, &["1 scanner is now stopped"]);
    admin.follow("/app/admin/pods/stop", &[]).await.says(200, &["No scanners changed"]);
    let mut support = staff(&fixture, SupportAdmin).await;
    let seen = support.get("/app/admin/pods").await;
    seen.says(200, &["The Analyst stopped"]).hides("Start all").hides("/start\"");
    assert!(seen.page.contains("data-live=\"pods\""));
}

#[db_test]
async fn what_waits_for_a_scanner_is_shown_until_it_has_one(fixture: WebFixture) {
    let platform = platform(&fixture).await;
    let proved = "UPDATE platforms SET status = 'verified', verification_method = 'dns',
        verified_at = 1";
    fixture.run(proved.to_owned()).await;
    let own = format!("/app/platforms/{platform}");
    let mut ada = fixture.ada().await;
    ada.follow(&format!("{own}/scanner"), &[]).await.says(200, &["Scanner requested."]);
    let mut admin = staff(&fixture, Admin).await;
    let list = admin.get("/app/admin/pods").await;
    list.says(200, &["Waiting for a scanner", "The Analyst analyst.example Babbage Talent"]);
    let form = admin.get(&list.link(&format!("{NEW}?")).replace("&amp;", "&")).await;
    assert!(form.page.contains(&format!("value=\"{platform}\" selected")), "{}", form.text);
    let path = made(&mut admin, &platform).await;
    admin.get("/app/admin/pods").await.says(200, &["The Analyst"]).hides("Waiting for a scanner");
    let seen = ada.get(&own).await;
    seen.says(200, &["Status stopped", "The operator has paused or stopped the scanner."]);
    let back = [("back", path.as_str())];
    // Without feeds there is nothing to scan, and nobody is promised a scan.
    let list = admin.follow(&format!("{path}/start"), &[]).await;
    list.says(200, &["The Analyst running nothing to scan: no feeds"]).hides("Scan now");
    let seen = admin.get(&path).await;
    seen.says(200, &["Next scan nothing to scan: no feeds", "The platform has no feeds."]);
    let seen = ada.get(&own).await;
    seen.says(200, &["Status running", "Last scan never", "Next scan –"]);
    seen.says(200, &["doesn't scan this platform: The platform has no feeds"]);
    let feeds = "UPDATE platforms SET feed_urls = '[\"https://analyst.example/feed\"]'";
    fixture.run(feeds.to_owned()).await;
    let seen = ada.get(&own).await;
    seen.says(200, &["Last scan never", "Next scan within seconds"]).hides("doesn't scan");
    admin.get(&path).await.says(200, &["Scan now"]).hides("no feeds");
    admin.follow(&format!("{path}/scan"), &back).await.says(200, &["Scan requested."]);
    admin.follow(&format!("{path}/stop"), &[]).await.says(200, &["stopped"]).hides("Scan now");
    let seen = admin.follow(&format!("{path}/scan"), &back).await;
    seen.says(200, &["The scanner is not running; start it first"]);
}
