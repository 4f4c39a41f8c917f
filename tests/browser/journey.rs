//! What people come for, from the first page to the last, in a real browser.

use grantor_domain::limit::Limits;
use grantor_testkit::app::TestConfig;
use grantor_testkit::browser::Browser;
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::site::Site;
use serde_json::json;

use crate::picture::{photo, saved};

const EMAIL: &str = "hedy@example.com";
const PASSWORD: &str = "Frequency-Hopping-1942";

async fn site() -> Site {
    let allowed = "127.0.0.0/8".parse().expect("a network");
    Site::with_config(TestConfig { limits: Limits::off(), allowed, ..TestConfig::default() }).await
}

/// Signs an agency up, by the mailed code.
async fn sign_up(site: &Site, browser: &Browser) {
    browser.open("/app").await;
    browser.press("Sign up").await;
    browser.fill("Organization name", "Lamarr Talent").await;
    browser.fill("Your name", "Hedy Lamarr").await;
    browser.fill("Email", EMAIL).await;
    browser.fill("Password", PASSWORD).await;
    browser.press_near("We'll email you a code", "Sign up").await;
    browser.see("Enter your code").await;
    browser.fill("Code", &site.app.mailed_code(EMAIL).await).await;
    browser.press("Verify email").await;
    browser.see("Welcome to Grantor").await;
    browser.see("First steps").await;
}

/// Makes a license over a new talent, with a picture, and publishes it.
async fn license(browser: &Browser) {
    browser.press("Add a talent").await;
    browser.fill("Full name", "Delia Derbyshire").await;
    browser.press("Add talent").await;
    browser.see("Talent added").await;
    browser.press("New license").await;
    browser.fill("Name", "Wireless fantasies").await;
    browser.fill("Status", "Private").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("delia.png");
    std::fs::write(&file, saved(&photo(7), image::ImageFormat::Png)).unwrap();
    browser.upload("Reference images", &[&file]).await;
    browser.press("Create license").await;
    browser.see("License created").await;
    browser.see("Wireless fantasies").await;
    browser.see("Delia Derbyshire").await;
    browser.press("Publish").await;
    browser.see("public").await;
}

/// Shares the license with the sample's brand.
async fn grant(site: &Site, browser: &Browser) {
    let brand = &site.sample.accounts[1];
    browser.press("Share license").await;
    browser.fill("Share with", &brand.email).await;
    browser.press("Share").await;
    browser.see(&format!("We emailed {}", brand.email)).await;
}

/// Makes a key pair; its secret works.
async fn key(site: &Site, browser: &Browser) {
    browser.press("API clients").await;
    browser.press("New API client").await;
    browser.fill("Name", "Importer").await;
    browser.press("Create API client").await;
    browser.see("Save this secret now.").await;
    let text = browser.text().await;
    let word = |prefix: &str| {
        let found = text.split_whitespace().find(|it| it.starts_with(prefix));
        found.unwrap_or_else(|| panic!("no {prefix} in {text}")).to_owned()
    };
    let body = json!({ "api_key": word("gk_"), "api_secret": word("gs_") });
    assert_eq!(site.app.post("/auth/token", &body).await.status, 200);
}

/// The sample's platform tells of a page; the mention is there to be decided on.
async fn mention(site: &Site, browser: &Browser) {
    let (platform, place) = (&site.sample.accounts[2], &site.sample.sites[0]);
    let signed_in = site.app.sign_in(&platform.email, platform.password.expose()).await;
    let token = signed_in["accessToken"].as_str().expect("a token");
    let item = json!({
        "url": "https://loopwell.example/clips/1942", "title": "Tape loops",
        "text": "Delia Derbyshire cut the tape by hand.",
    });
    let path = format!("/v1.0.1/console/pax/{}/content", place.pax);
    let request = site.app.request(http::Method::POST, &path).console(token);
    assert_eq!(request.json(&json!({ "items": [item] })).send().await.status, 201);
    browser.press("Mentions").await;
    browser.see("Tape loops").await;
    browser.see("unlicensed").await;
    // Nothing is marked yet, so nothing is decided.
    browser.keys("c").await;
    browser.keys("j").await;
    browser.keys("c").await;
    browser.see("Confirmed: Tape loops").await;
    browser.see("No new mentions").await;
}

/// Makes a webhook and sends it a test.
async fn webhook(browser: &Browser) {
    let receiver = Listener::start(|_| Script::ok(b"")).await.expect("a receiver");
    browser.press("Webhooks").await;
    browser.press("New webhook").await;
    browser.fill("URL", &receiver.url("/hook")).await;
    browser.press("Create webhook").await;
    browser.see("whsec_").await;
    browser.press("Done").await;
    browser.press("Send test event").await;
    browser.see("200").await;
    assert_eq!(receiver.calls().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn from_signing_up_to_the_first_mention() {
    let site = site().await;
    let browser = site.browser().await;
    sign_up(&site, &browser).await;
    license(&browser).await;
    grant(&site, &browser).await;
    key(&site, &browser).await;
    webhook(&browser).await;
    mention(&site, &browser).await;
    assert_eq!(browser.console_errors().await, [""; 0]);
    assert_eq!(browser.foreign().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_start_a_pod_and_see_it_run() {
    let site = site().await;
    let browser = site.browser_of_staff().await;
    browser.open("/app/admin/pods").await;
    browser.see("stopped").await;
    browser.press_near("Loopwell Magazine", "Start").await;
    browser.gone("stopped").await;
    browser.press_near("Loopwell Magazine", "Pause").await;
    browser.see("paused").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_opens_and_leaves_by_its_menu_without_a_mouse() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.resize(390, 844).await;
    browser.open("/app").await;
    browser.press("Open menu").await;
    browser.press("Talents").await;
    browser.see("The people whose likenesses you license").await;
    browser.press("Open menu").await;
    browser.press("Sign out").await;
    browser.see("You're signed out").await;
}

/// What the console's pages say of an empty form stands beside its fields.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_upload_keeps_the_page_and_the_words() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("no.png");
    std::fs::write(&file, "no picture at all").unwrap();
    browser.open("/app/licenses/new").await;
    browser.fill("Name", "Kept words").await;
    browser.upload("Reference images", &[&file]).await;
    browser.press("Create license").await;
    browser.see("must").await;
    assert_eq!(browser.value("Name").await, "Kept words");
}
