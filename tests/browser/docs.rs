//! The documentation in a real browser: every page is accessible, fits the screen and loads nothing
//! from other hosts; examples remember their language, and the search answers at once.

use grantor_docs::{PAGES, Page};
use grantor_testkit::browser::Browser;
use grantor_testkit::site::Site;

/// Keys as the `WebDriver` protocol names them.
const DOWN: &str = "\u{E015}";
const ENTER: &str = "\u{E007}";

/// What is wrong with a page on a wide screen in the light and on a phone in the dark.
async fn problems(browser: &Browser, address: &str) -> Vec<String> {
    let mut found = vec![];
    browser.resize(1440, 900).await;
    browser.light().await;
    browser.open(address).await;
    found.extend(browser.axe().await);
    found.extend(browser.too_wide().await);
    browser.resize(390, 844).await;
    browser.dark().await;
    found.extend(browser.axe().await);
    found.extend(browser.too_wide().await);
    found.extend(browser.doubled_ids().await);
    found.extend(browser.console_errors().await);
    found.extend(browser.foreign().await);
    found.into_iter().map(|it| format!("{address}: {it}")).collect()
}

async fn look_at(pages: &[Page]) {
    let site = Site::start().await;
    let browser = site.browser().await;
    let mut found = vec![];
    for page in pages {
        found.extend(problems(&browser, page.path).await);
    }
    assert_eq!(found, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_pages_are_sound() {
    look_at(&PAGES[..PAGES.len() / 2]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_other_pages_are_sound() {
    look_at(&PAGES[PAGES.len() / 2..]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reference_is_sound_and_leads_back() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/docs/reference").await;
    browser.see("External API").await;
    let mut found = problems(&browser, "/docs/reference").await;
    // Scalar logs this about its own rendering; nothing on the page is wrong.
    found.retain(|it| !it.contains("Hydration completed but contains mismatches"));
    assert_eq!(found, [""; 0]);
    browser.resize(1440, 900).await;
    // A link from elsewhere, also into the other document.
    browser.open("/docs/search").await;
    browser.open("/docs/reference#console/tag/clients/GET/org/clients").await;
    browser.see("List API clients").await;
    browser.press("Documentation").await;
    browser.arrive("/docs/").await;
    browser.press("Console").await;
    browser.arrive("/app").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn examples_remember_the_language() {
    let site = Site::start().await;
    let browser = site.browser().await;
    browser.open("/docs/decisions").await;
    browser.gone("decide.py").await;
    browser.tick("Python").await;
    browser.see("decide.py").await;
    browser.open("/docs/receipts").await;
    browser.see("get_receipt.py").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_search_answers_while_one_types() {
    let site = Site::start().await;
    let browser = site.browser().await;
    browser.resize(1280, 900).await;
    browser.open("/docs/").await;
    browser.keys("/").await;
    browser.keys("verify signature").await;
    browser.see("Verify the signature").await;
    assert_eq!(browser.axe().await, [""; 0]);
    browser.keys(DOWN).await;
    browser.keys(ENTER).await;
    browser.see("Never act on an event that is not verified").await;
    browser.fill("Search the documentation", "zzzz").await;
    browser.see("Nothing was found").await;
    browser.keys(ENTER).await;
    browser.see("Nothing was found for “zzzz”.").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_has_a_menu_and_room_for_fingers() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.resize(390, 844).await;
    browser.open("/docs/quick-start").await;
    browser.see(&site.sample.accounts[0].client.client.api_key).await;
    assert_eq!(browser.small_targets().await, [""; 0]);
    browser.press("Open the menu").await;
    browser.see("Receive webhooks locally").await;
    assert_eq!((browser.axe().await, browser.small_targets().await), (vec![], vec![]));
    browser.press("Receive webhooks locally").await;
    browser.arrive("/docs/listen").await;
}
