//! The command palette in a real browser, without a mouse.

use grantor_testkit::browser::Browser;
use grantor_testkit::site::Site;

/// Keys as the `WebDriver` protocol names them.
const CONTROL_K: &str = "\u{E009}k\u{E000}";
const ENTER: &str = "\u{E007}";
const ESCAPE: &str = "\u{E00C}";
const DOWN: &str = "\u{E015}";
const UP: &str = "\u{E013}";

/// Nothing is wrong with what is on the screen, in both themes and sizes.
async fn check(browser: &Browser) {
    for (width, height) in [(1280, 900), (390, 844)] {
        browser.resize(width, height).await;
        browser.dark().await;
        assert_eq!(browser.axe().await, [""; 0], "{width}, dark");
        browser.light().await;
        assert_eq!(browser.axe().await, [""; 0], "{width}, light");
        assert_eq!(browser.too_wide().await, [""; 0], "{width}");
    }
    browser.resize(1280, 900).await;
    assert_eq!(browser.doubled_ids().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_jumps_anywhere_by_keyboard() {
    let site = Site::start().await;
    let (_, name) = site.sample.talents[0];
    let browser = site.browser_of(0).await;
    browser.open("/app/talents").await;
    browser.keys(CONTROL_K).await;
    browser.see("Watch an address").await;
    check(&browser).await;
    browser.keys("new lic").await;
    browser.gone("Watch an address").await;
    browser.see("New license").await;
    browser.keys(ENTER).await;
    browser.arrive("/app/licenses/new").await;
    browser.keys(CONTROL_K).await;
    let beginning: String = name.chars().take(4).collect();
    browser.see("Watch an address").await;
    browser.keys(&beginning).await;
    browser.gone("Watch an address").await;
    browser.see(name).await;
    check(&browser).await;
    browser.keys(ESCAPE).await;
    browser.gone("Keyboard shortcuts").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn arrows_choose_and_the_focus_stays_inside() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/licenses").await;
    browser.press("Search Ctrl K").await;
    browser.see("Watch an address").await;
    assert_eq!(browser.tab().await, "Close");
    assert_eq!(browser.tab().await, "Keyboard shortcuts");
    assert_eq!(browser.tab().await, "Search");
    browser.keys("grants").await;
    browser.gone("Watch an address").await;
    browser.see("Map of grants").await;
    // Pages: the list, its calendar and its map.
    for key in [DOWN, DOWN, UP] {
        browser.keys(key).await;
    }
    browser.keys(ENTER).await;
    browser.arrive("/app/grants/calendar").await;
    browser.resize(390, 844).await;
    browser.press("Search").await;
    browser.see("Watch an address").await;
    browser.press("Close").await;
    browser.gone("Watch an address").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_mark_shows_the_keys() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/mentions").await;
    browser.keys("?").await;
    browser.see("Reviewing mentions").await;
    check(&browser).await;
    // Keys of the page do nothing while the dialog is open.
    browser.keys("j").await;
    browser.see("Reviewing mentions").await;
    browser.keys(ESCAPE).await;
    browser.gone("Reviewing mentions").await;
    assert_eq!(browser.path().await, "/app/mentions");
    assert_eq!(browser.console_errors().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_have_their_own_palette() {
    let site = Site::start().await;
    let browser = site.browser_of_staff().await;
    browser.open("/app/admin/pods").await;
    browser.keys(CONTROL_K).await;
    browser.see("Invite a staff member").await;
    browser.keys("quillf").await;
    browser.gone("Invite a staff member").await;
    browser.see("Quillfeather Talent").await;
    browser.keys(ENTER).await;
    browser.arrive(&format!("/app/admin/organizations/{}", site.sample.accounts[0].tenant)).await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}
