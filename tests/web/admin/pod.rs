//! Pods.

use grantor_domain::admin::AdminRole::{Admin, SupportAdmin};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::json;

use super::{UNKNOWN, staff};
use crate::console::PASSWORD;
use crate::web::kit::{ADA, Browser, House};

const NEW: &str = "/app/admin/pods/new";
const TEAM: &str = "0190a5e4-7b3c-7def-8123-0000000000aa";

/// A platform of Ada's; gives its id.
async fn platform(house: &House) -> String {
    let tokens = house.app.sign_in(ADA, PASSWORD).await;
    let team = seed::id(&house.app.database.options, TEAM);
    let agency = "FROM tenants WHERE name = 'Babbage Talent'";
    house.run(format!("INSERT INTO teams SELECT {team}, tenant_id, 'T', 't', 0, 0 {agency}")).await;
    let body = json!({ "name": "The Analyst", "teamId": TEAM, "type": "Website/Blog", "domain": "analyst.example" });
    let request = house.app.request(Method::POST, "/v1.0.1/org/create/platform");
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
async fn a_pod_is_made_started_paused_and_stopped(house: House) {
    let platform = platform(&house).await;
    let mut admin = staff(&house, Admin).await;
    let list = admin.get("/app/admin/platforms").await;
    list.says(200, &["The Analyst analyst.example", "Babbage Talent", "New pod"]);
    let form = admin.get(&list.link(NEW).replace("&amp;", "&")).await;
    form.says(200, &["The Analyst (analyst.example), Babbage Talent"]);
    assert!(form.page.contains(&format!("value=\"{platform}\" selected")));
    let path = made(&mut admin, &platform).await;
    admin
        .get(&path)
        .await
        .says(200, &["Status stopped", "read crawl", "It has not run yet."])
        .hides("/pause\"");
    admin
        .follow(&format!("{path}/start"), &[("back", path.as_str())])
        .await
        .says(200, &["The pod is running", "It runs, and cannot scan", "domain is not proved"]);
    admin
        .follow(&format!("{path}/pause"), &[])
        .await
        .says(200, &["The pod is paused", "The Analyst paused"]);
    admin
        .follow(&format!("{path}/stop"), &[("back", "//evil.example")])
        .await
        .says(200, &["The Analyst stopped"]);
    let seen = admin.follow(&format!("{path}/pause"), &[]).await;
    seen.says(200, &["A pod that is stopped cannot be paused"]);
}

#[db_test]
async fn a_pod_that_does_not_fit_is_refused(house: House) {
    let platform = platform(&house).await;
    let mut admin = staff(&house, Admin).await;
    let empty = admin.post(NEW, &[]).await;
    empty.says(422, &[]).refuses("platformId", "Is required.");
    empty.refuses("scopes", "Must hold at least one name, such as read, write or crawl.");
    admin.post(NEW, &[("platformId", UNKNOWN), ("scopes", "read")]).await.says(404, &["New pod"]);
    made(&mut admin, &platform).await;
    let twice = admin.post(NEW, &[("platformId", platform.as_str()), ("scopes", "read")]).await;
    twice.says(409, &[]).refuses("platformId", "This platform has a pod already.");
    assert!(twice.page.contains(&format!("value=\"{platform}\" selected")), "the choice is kept");
}

#[db_test]
async fn all_pods_are_moved_at_once(house: House) {
    let platform = platform(&house).await;
    let mut admin = staff(&house, Admin).await;
    made(&mut admin, &platform).await;
    admin.get("/app/admin/pods").await.says(200, &["Start all…", "Pause all…", "Stop all…"]);
    admin.follow("/app/admin/pods/start", &[]).await.says(200, &["One pod is running now"]);
    admin.follow("/app/admin/pods/pause", &[]).await.says(200, &["One pod is paused now"]);
    admin.follow("/app/admin/pods/stop", &[]).await.says(200, &["One pod is stopped now"]);
    admin.follow("/app/admin/pods/stop", &[]).await.says(200, &["No pod had to be moved"]);
    let mut support = staff(&house, SupportAdmin).await;
    let seen = support.get("/app/admin/pods").await;
    seen.says(200, &["The Analyst stopped"]).hides("Start all").hides("/start\"");
    assert!(seen.page.contains("data-live=\"pods\""));
}
