//! Pictures in full size, charts, paper and fingers, in a real browser.

use grantor_testkit::site::Site;

/// Keys as the `WebDriver` protocol names them.
const ESCAPE: &str = "\u{E00C}";
const RIGHT: &str = "\u{E014}";

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_opens_in_full_size() {
    let site = Site::start().await;
    let browser = site.browser_of_staff().await;
    browser.open("/app/admin/style-guide?section=lists").await;
    browser.press("The seal").await;
    browser.see("The seal (1 / 2)").await;
    for (width, height) in [(1280, 900), (390, 844)] {
        browser.resize(width, height).await;
        browser.dark().await;
        assert_eq!(browser.axe().await, [""; 0], "{width}, dark");
        browser.light().await;
        assert_eq!(browser.axe().await, [""; 0], "{width}, light");
        assert_eq!(browser.too_wide().await, [""; 0], "{width}");
    }
    browser.keys(RIGHT).await;
    browser.see("Its copy (2 / 2)").await;
    browser.keys(RIGHT).await;
    browser.see("The seal (1 / 2)").await;
    browser.keys(ESCAPE).await;
    browser.gone("The seal (1 / 2)").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn charts_reach_further_back() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app").await;
    browser.see("Mentions in the last 30 days, by verdict").await;
    browser.press("90 days").await;
    browser.arrive("/app?days=90").await;
    browser.see("Mentions in the last 90 days, by platform").await;
    browser.press("30 days").await;
    browser.arrive("/app").await;
    browser.press("Open calendar").await;
    browser.arrive("/app/grants/calendar").await;
    browser.see("What ends when").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paper_shows_what_a_page_says() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    let license = site.sample.licenses[0].id;
    browser.open(&format!("/app/licenses/{license}")).await;
    browser.see("Sign out").await;
    browser.see("Reference images").await;
    browser.paper().await;
    browser.see("Reference images").await;
    let text = browser.text().await;
    for control in ["Sign out", "Bookmark", "Upload", "Search"] {
        assert!(!text.contains(control), "{control}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fingers_have_room() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.resize(390, 844).await;
    let lists = ["/app/licenses", "/app/talents", "/app/requests", "/app/grants", "/app/teams"];
    let others = ["/app", "/app/licenses/new", "/app/profile", "/app/search", "/app/shortcuts"];
    for address in others.into_iter().chain(lists) {
        browser.open(address).await;
        assert_eq!(browser.small_targets().await, [""; 0], "{address}");
        assert_eq!(browser.too_wide().await, [""; 0], "{address}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mouse_needs_less_room() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.resize(1280, 900).await;
    browser.open("/app/profile").await;
    assert_ne!(browser.small_targets().await, [""; 0], "the control: small buttons are noticed");
}
