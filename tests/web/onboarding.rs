//! The first steps on the dashboard: each knows whether it is done, and the list can be hidden.

use grantor_testkit::db_test;

use super::kit::{Browser, WebFixture};
use super::license::talent;
use crate::picture::png;

/// What the dashboard says of the first steps, without the rest.
async fn steps(browser: &mut Browser<'_>) -> Option<String> {
    let seen = browser.get("/app").await;
    seen.says(200, &["Hello, "]);
    let text = seen.text.split_once("First steps ")?.1;
    Some(text.split(" done").next()?.to_owned())
}

/// Chooses what to get by email, as everybody may.
async fn choose_emails(browser: &mut Browser<'_>) {
    let form = [("channels.request", "off"), ("digestHour", "18"), ("timeZone", "Europe/Berlin")];
    browser.follow("/app/profile/notifications", &form).await.says(200, &["updated"]);
}

#[db_test]
async fn an_agency_is_led_through_its_steps(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    assert_eq!(steps(&mut ada).await.as_deref(), Some("0 of 5"));
    let seen = ada.get("/app").await;
    for path in ["/app/talents/new", "/app/licenses/new", "/app/sources/new", "/app/teams"] {
        assert!(seen.page.contains(&format!("href=\"{path}\"")), "{path}: {}", seen.page);
    }
    let talent = talent(&mut ada, "Mary Shelley").await;
    assert_eq!(steps(&mut ada).await.as_deref(), Some("1 of 5"));
    let form = [("talent", &*talent), ("type", "voice"), ("name", "Winter"), ("status", "private")];
    let license = ada.post("/app/licenses/new", &form).await.made();
    assert_eq!(steps(&mut ada).await.as_deref(), Some("1 of 5"), "without a picture");
    let images = format!("/app/licenses/{license}/images");
    ada.upload(&images, &[], &[&png(8, 8)]).await.made();
    assert_eq!(steps(&mut ada).await.as_deref(), Some("2 of 5"));
    choose_emails(&mut ada).await;
    let team = ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let invitee = [
        ("firstname", "Grace"),
        ("lastname", "Hopper"),
        ("email", "grace@example.com"),
        ("role", "Team_Member"),
    ];
    ada.follow(&format!("/app/teams/{team}/invite"), &invitee).await;
    assert_eq!(steps(&mut ada).await.as_deref(), Some("4 of 5"));
    // Watching an address is a request to it, so that the row is made by hand.
    fixture.run("UPDATE tenant_usage SET sources = 1".to_owned()).await;
    let seen = ada.get("/app").await;
    seen.says(200, &["You are all set", "Review mentions", "Connect your systems"]);
    seen.hides("Publish your license");
    assert!(!seen.text.contains("First steps"), "{}", seen.text);
    ada.get("/app").await.says(200, &["Hello, "]).hides("You are all set").hides("First steps");
}

#[db_test]
async fn whoever_has_only_drafts_is_told_to_publish(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let talent = talent(&mut ada, "Mary Shelley").await;
    let form = [("talent", &*talent), ("type", "voice"), ("name", "Winter"), ("status", "draft")];
    let license = ada.post("/app/licenses/new", &form).await.made();
    ada.upload(&format!("/app/licenses/{license}/images"), &[], &[&png(8, 8)]).await.made();
    choose_emails(&mut ada).await;
    fixture.colleague("Team_Member").await;
    fixture.run("UPDATE tenant_usage SET sources = 1".to_owned()).await;
    let seen = ada.get("/app").await;
    seen.says(200, &["You are all set", "Publish your license"]);
    let list = seen.link("/app/licenses?status=draft");
    ada.get(&list).await.says(200, &["Winter"]);
}

#[db_test]
async fn whoever_hides_the_steps_sees_them_no_more(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut colleague = fixture.colleague("Organization_Admin").await;
    let seen = ada.follow("/app/onboarding/hide", &[]).await;
    seen.says(200, &["First steps hidden", "Hello, Ada"]);
    assert_eq!(steps(&mut ada).await, None);
    assert_eq!(steps(&mut colleague).await.as_deref(), Some("1 of 5"), "a colleague has her own");
}

#[db_test]
async fn everybody_sees_only_what_they_may_do(fixture: WebFixture) {
    let mut reader = fixture.colleague("Team_Member").await;
    assert_eq!(steps(&mut reader).await.as_deref(), Some("0 of 1"));
    choose_emails(&mut reader).await;
    reader.get("/app").await.says(200, &["You are all set"]).hides("Connect your systems");
    assert_eq!(steps(&mut reader).await, None);
}

#[db_test]
async fn a_brand_finds_asks_and_verifies(fixture: WebFixture) {
    fixture.becomes("Brand").await;
    let mut ada = fixture.ada().await;
    let seen = ada.get("/app").await;
    seen.says(200, &["First steps 0 of 5 done", "Find a license", "Ask for it"]);
    seen.hides("Add a talent");
    ada.post("/verify", &[("receipt", "ey.no.receipt")]).await.says(200, &[]);
    assert_eq!(steps(&mut ada).await.as_deref(), Some("1 of 5"));
    ada.post("/verify", &[("receipt", "ey.no.receipt")]).await.says(200, &[]);
    assert_eq!(steps(&mut ada).await.as_deref(), Some("1 of 5"));
    // Nobody who is not signed in leaves a trace.
    fixture.browser().post("/verify", &[("receipt", "ey.no.receipt")]).await.says(200, &[]);
}

#[db_test]
async fn a_platform_is_added_verified_and_scanned(fixture: WebFixture) {
    fixture.becomes("Platform").await;
    let mut ada = fixture.ada().await;
    assert_eq!(steps(&mut ada).await.as_deref(), Some("0 of 5"));
    let form = [
        ("name", "The Wire"),
        ("domain", "wire.example"),
        ("type", "News Media"),
        ("crawlingEnabled", "true"),
        ("settings.detectionFrequency", "daily"),
    ];
    let platform = ada.post("/app/platforms/new", &form).await.made();
    assert_eq!(steps(&mut ada).await.as_deref(), Some("1 of 5"));
    let verified = "UPDATE platforms SET status = 'verified', verification_method = 'file',
        verified_at = 5";
    fixture.run(verified.to_owned()).await;
    assert_eq!(steps(&mut ada).await.as_deref(), Some("2 of 5"));
    ada.post(&format!("/app/platforms/{platform}/scanner"), &[]).await;
    assert_eq!(steps(&mut ada).await.as_deref(), Some("3 of 5"));
}
