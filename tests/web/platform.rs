//! `/app/platforms` and `/app/pax`.

use std::sync::{Arc, Mutex};

use grantor_testkit::app::TestApp;
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::{db_test, seed};

use super::kit::{Browser, WebFixture};

/// Makes a team; gives its id.
async fn team(browser: &mut Browser<'_>) -> String {
    browser.post("/app/teams/new", &[("name", "Field")]).await.made()
}

fn form<'a>(team: &'a str, domain: &'a str) -> [(&'a str, &'a str); 6] {
    [
        ("name", "The Wire"),
        ("domain", domain),
        ("type", "News Media"),
        ("teamId", team),
        ("crawlingEnabled", "true"),
        ("settings.detectionFrequency", "daily"),
    ]
}

/// Makes a platform; gives its address.
async fn made(browser: &mut Browser<'_>, domain: &str) -> String {
    let team = team(browser).await;
    let id = browser.post("/app/platforms/new", &form(&team, domain)).await.made();
    format!("/app/platforms/{id}")
}

#[db_test]
async fn a_platform_shows_how_to_prove_it(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.get("/app/platforms").await.says(200, &["No platforms yet"]);
    ada.get("/app/platforms/new").await.says(200, &["Add platform"]).hides("teamId");
    let address = made(&mut ada, "Wire.example").await;
    let seen = ada.get(&address).await;
    seen.says(200, &["The Wire", "pending verification", "_grantor-challenge.wire.example"]);
    seen.says(200, &["<meta name=\"grantor-verification\"", "https://wire.example/.well-known/"]);
    assert_eq!(seen.page.matches("Verify domain").count(), 3);
    ada.get("/app/platforms?search=wire&type=News+Media").await.says(200, &["wire.example"]);
    ada.get("/app/platforms?status=verified").await.says(200, &["No platforms found"]);
}

#[db_test]
async fn a_platform_needs_no_team(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = ada.post("/app/platforms/new", &form("", "wire.example")).await.made();
    ada.get(&format!("/app/platforms/{id}")).await.says(200, &["The Wire", "Team –"]);
    let team = team(&mut ada).await;
    let seen = ada.get("/app/platforms/new").await;
    assert!(seen.page.contains("<option value=\"\">No team</option>"), "{}", seen.page);
    let edit = format!("/app/platforms/{id}/edit");
    ada.follow(&edit, &form(&team, "wire.example")).await.says(200, &["Team Field"]);
}

#[db_test]
async fn a_refused_platform_keeps_what_was_typed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let team = team(&mut ada).await;
    let mut form = form(&team, "not a domain").to_vec();
    form[0] = ("name", "W");
    form.push(("feedUrls", "https://elsewhere.example/feed"));
    let seen = ada.post("/app/platforms/new", &form).await;
    seen.says(422, &["https://elsewhere.example/feed"]).holds("domain", "not a domain");
    assert!(seen.page.contains("id=\"name-wrong\"") && seen.page.contains("id=\"domain-wrong\""));
    form[1] = ("domain", "wire.example");
    let seen = ada.post("/app/platforms/new", &form).await;
    assert!(seen.page.contains("id=\"feedUrls-wrong\""), "{}", seen.text);
}

#[db_test]
async fn a_proof_is_looked_for_at_once(fixture: WebFixture) {
    let file = Arc::new(Mutex::new(String::new()));
    let shown = Arc::clone(&file);
    let answer = move |_: &_| Script::ok(shown.lock().unwrap().as_bytes());
    let site = Listener::start(answer).await.unwrap();
    let mut ada = fixture.ada().await;
    let address = made(&mut ada, &site.address().to_string()).await;
    let verify = format!("{address}/verify");
    let seen = ada.post(&verify, &[("method", "file")]).await;
    seen.says(200, &["Domain not verified.", "Checked the file:", "Not found:"]);
    let token = seen.between("File content\"><code>", "<").unwrap();
    *file.lock().unwrap() = token;
    let seen = ada.post(&verify, &[("method", "file")]).await;
    seen.says(200, &["Domain verified.", "verified by file"]).hides("Verify domain");
    ada.post(&verify, &[("method", "smoke")]).await.says(422, &["Method must be one of"]);
}

#[db_test]
async fn a_platform_is_changed_and_deleted(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let address = made(&mut ada, "wire.example").await;
    let edit = format!("{address}/edit");
    let seen = ada.get(&edit).await;
    seen.holds("name", "The Wire").holds("domain", "wire.example");
    let team = seen.between("=\"teamId-hint\"><option value=\"", "\"").unwrap();
    let mut changed = form(&team, "wire.example").to_vec();
    changed[0] = ("name", "The Other Wire");
    changed.remove(4);
    ada.follow(&edit, &changed).await.says(200, &["The Other Wire", "Crawling off"]);
    changed[1] = ("domain", "not a domain");
    ada.post(&edit, &changed).await.says(422, &[]).holds("domain", "not a domain");
    ada.follow(&format!("{address}/delete"), &[]).await.says(200, &["No platforms yet"]);
    ada.get(&address).await.says(404, &[]);
}

#[db_test]
async fn one_whose_team_is_gone_can_be_changed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let address = made(&mut ada, "wire.example").await;
    fixture.run("UPDATE platforms SET team_id = NULL".to_owned()).await;
    let edit = format!("{address}/edit");
    ada.get(&edit).await.says(200, &["No team"]);
    let mut changed = form("", "wire.example");
    changed[0] = ("name", "The Other Wire");
    ada.follow(&edit, &changed).await.says(200, &["The Other Wire"]);
    ada.post("/app/platforms/new", &form("", "other.example")).await.made();
}

#[db_test]
async fn access_is_granted_and_revoked(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.get("/app/pax/new").await.says(200, &["Add a platform first"]);
    let platform = made(&mut ada, "wire.example").await;
    let platform = platform.rsplit('/').next().unwrap();
    let bad = ada.post("/app/pax/new", &[("platformId", platform), ("name", "P")]).await;
    bad.says(422, &[])
        .holds("name", "P")
        .refuses("scopes", "Must contain at least one name, such as read, write or crawl.");
    let form = [("platformId", platform), ("name", "Press"), ("scopes", "write")];
    let seen = ada.follow("/app/pax/new", &form).await;
    seen.says(200, &["Press", "The Wire", "/content", "https://grantor.test/v1.0.1/console/pax/"]);
    let list = format!("/app/pax?platformId={platform}&status=active");
    let address = ada.get(&list).await.says(200, &["Press", "write"]).link("/app/pax/0");
    let seen = ada.follow(&format!("{address}/revoke"), &[]).await;
    seen.says(200, &["Ingest key revoked", "revoked"]).hides("/content");
}

#[db_test]
async fn others_see_nothing_of_a_platform(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let platform = made(&mut ada, "wire.example").await;
    let id = platform.rsplit('/').next().unwrap();
    let form_pax = [("platformId", id), ("name", "Press"), ("scopes", "write")];
    let pax = format!("/app/pax/{}", ada.post("/app/pax/new", &form_pax).await.made());
    let mut mary = fixture.stranger().await;
    let team = team(&mut mary).await;
    for address in [&platform, &pax, &format!("{platform}/edit")] {
        mary.get(address).await.says(404, &[]).hides("The Wire");
    }
    mary.post("/app/pax/new", &form_pax).await.says(404, &["Platform"]);
    let wanted = form(&team, "mine.example");
    for action in ["/edit", "/verify", "/delete"] {
        mary.post(&format!("{platform}{action}"), &wanted).await.says(404, &[]);
    }
    mary.post(&format!("{pax}/revoke"), &[]).await.says(404, &[]);
    let mut colleague = fixture.colleague("Team_Member").await;
    colleague.get(&platform).await.says(200, &["The Wire"]).hides("Verify domain").hides("/delete");
    colleague.post(&format!("{platform}/verify"), &[]).await.says(403, &[]);
    colleague.get("/app/pax/new").await.says(403, &[]);
}

#[db_test]
async fn a_lead_chooses_among_their_own_teams(fixture: WebFixture) {
    team(&mut fixture.ada().await).await;
    let mut lead = fixture.colleague("Team_Lead").await;
    lead.get("/app/platforms/new").await.says(200, &["Join a team first"]).hides("Field");
    fixture.leads("Field").await;
    lead.get("/app/platforms/new").await.says(200, &["Field"]);
}

#[db_test]
async fn a_platform_asks_for_a_scanner_once(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let address = made(&mut ada, "wire.example").await;
    let ask = format!("{address}/scanner");
    let seen = ada.get(&address).await;
    seen.says(200, &["This platform has no scanner yet", "Verify the domain first."]).hides(&ask);
    ada.follow(&ask, &[]).await.says(200, &["Verify the platform's domain first"]);
    let proved = "UPDATE platforms SET status = 'verified', verification_method = 'dns',
        verified_at = 1";
    fixture.run(proved.to_owned()).await;
    let seen = ada.get(&address).await;
    let told = "The platform has no feeds, so there is nothing to scan.";
    seen.says(200, &["Ask for a scanner", told]).hides("Pages are found through");
    let mut colleague = fixture.colleague("Team_Member").await;
    colleague.get(&address).await.says(200, &["no scanner yet"]).hides("Ask for a scanner");
    colleague.post(&ask, &[]).await.says(403, &[]);
    let seen = ada.follow(&ask, &[]).await;
    seen.says(200, &["Scanner requested.", "You asked the operator for a scanner just now."]);
    seen.hides("Ask for a scanner");
    ada.follow(&ask, &[]).await.says(200, &["A scanner had already been requested"]);
    fixture.stranger().await.post(&ask, &[]).await.says(404, &[]);
}

#[db_test]
async fn the_counters_of_the_sample_match_its_mentions(app: TestApp) {
    grantor_demo::fill(&app.app).await.unwrap();
    let counted = "SELECT name, CAST(content_scanned AS text), CAST(nil_detections AS text)
        FROM platforms ORDER BY name";
    let mentioned = "SELECT p.name, CAST(count(*) AS text), CAST(count(*) AS text)
        FROM platforms p JOIN mentions m ON m.platform_id = p.platform_id
        GROUP BY p.name ORDER BY p.name";
    let options = &app.database.options;
    let counted = seed::rows(options, counted).await;
    assert_eq!((counted.len(), &counted), (2, &seed::rows(options, mentioned).await));
}
