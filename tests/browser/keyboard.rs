//! The main journeys without a mouse: Tab, arrows, Enter, Space, Escape and typing are enough, in
//! the order of each page, and people always see where the focus is.

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use grantor_service::watching::source;
use grantor_testkit::browser::Browser;
use grantor_testkit::site::{Served, Site};

use super::watching::{self, AT_ONCE, Blog, SHOWN};

/// Keys as the `WebDriver` protocol names them.
const ENTER: &str = "\u{E007}";
const ESCAPE: &str = "\u{E00C}";
const DOWN: &str = "\u{E015}";

const LICENSE: &str = "Storybook face · 絵本の顔";

/// Goes to a button or link and presses it.
async fn press(browser: &Browser, name: &str) {
    browser.tab_to(name).await;
    browser.press_keys(ENTER).await;
}

/// Opens a page by the menu.
async fn go(browser: &Browser, name: &str, path: &str) {
    press(browser, name).await;
    browser.arrive(path).await;
}

/// Like `press`, past the menu.
async fn press_in_page(browser: &Browser, name: &str) {
    press(browser, "Skip to content").await;
    press(browser, name).await;
}

/// Goes to a field and types.
async fn fill(browser: &Browser, label: &str, text: &str) {
    browser.tab_to(label).await;
    browser.press_keys(text).await;
}

/// A browser in which an account of the sample data signs in.
async fn sign_in(site: &Site, account: usize) -> Browser {
    let browser = site.browser().await;
    let account = &site.sample.accounts[account];
    browser.open("/app/sign-in").await;
    fill(&browser, "Email or full name", &account.email).await;
    fill(&browser, "Password", account.password.expose()).await;
    browser.press_keys(ENTER).await;
    browser.see("Sign out").await;
    browser
}

/// Adds a talent.
async fn add_talent(agency: &Browser) {
    go(agency, "Talents", "/app/talents").await;
    press_in_page(agency, "Add talent").await;
    agency.see("Full name").await;
    fill(agency, "Full name", "Delia Derbyshire").await;
    agency.press_keys(ENTER).await;
    agency.see("Talent added").await;
}

/// Chooses the new talent, after a look at all of them.
async fn choose_talent(agency: &Browser) {
    agency.tab_to("Talent").await;
    agency.press_keys(DOWN).await;
    agency.see("9 results").await;
    agency.press_keys(ESCAPE).await;
    agency.gone("9 results").await;
    agency.press_keys("deli").await;
    agency.see("1 result").await;
    agency.press_keys(ENTER).await;
    agency.gone("1 result").await;
    assert_eq!(agency.value("Talent").await, "Delia Derbyshire");
}

/// Chooses two countries and removes one of them again.
async fn choose_countries(agency: &Browser) {
    for (country, count) in [("switz", "1 country"), ("japan", "2 countries")] {
        fill(agency, "Search countries and regions", country).await;
        agency.press_keys(ENTER).await;
        agency.see(count).await;
    }
    agency.tab_back_to("Japan").await;
    agency.press_keys(" ").await;
    agency.see("1 country").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_publishes_a_license_by_keyboard() {
    let site = Site::start().await;
    let agency = sign_in(&site, 0).await;
    add_talent(&agency).await;
    go(&agency, "Licenses", "/app/licenses").await;
    press_in_page(&agency, "New license").await;
    agency.see("Who and what").await;
    choose_talent(&agency).await;
    fill(&agency, "Name", "Wireless fantasies").await;
    fill(&agency, "Status", DOWN).await;
    choose_countries(&agency).await;
    fill(&agency, "Create license", " ").await;
    agency.see("License created").await;
    for shown in ["Wireless fantasies", "Delia Derbyshire", "Switzerland", "private"] {
        agency.see(shown).await;
    }
    press_in_page(&agency, "Publish").await;
    agency.see("License is now public").await;
    assert_eq!(agency.console_errors().await, [""; 0]);
}

/// The brand asks for a license of the catalog.
async fn ask(brand: &Browser) {
    go(brand, "Catalog", "/app/catalog").await;
    press_in_page(brand, LICENSE).await;
    brand.see("Back to catalog").await;
    press_in_page(brand, "Request this license").await;
    brand.see("Purpose").await;
    fill(brand, "Endorsement", " ").await;
    fill(brand, "Purpose", "Her face on the label of a lantern").await;
    fill(brand, "Amount", "90000").await;
    press(brand, "Send request").await;
    brand.see("Request sent to Quillfeather Talent").await;
}

/// The agency finds the request and makes an offer.
async fn offer(agency: &Browser) {
    go(agency, "Requests", "/app/requests").await;
    press_in_page(agency, LICENSE).await;
    agency.see("Offers and messages").await;
    agency.see("Her face on the label of a lantern").await;
    press_in_page(agency, "Make an offer").await;
    agency.see("Send offer").await;
    fill(agency, "Conditions", "Up to 1,000 labels.").await;
    press(agency, "Send offer").await;
    agency.see("Offer sent").await;
}

/// The brand reads the offer and accepts it.
async fn accept(brand: &Browser) {
    press_in_page(brand, "Back to requests").await;
    brand.arrive("/app/requests").await;
    press_in_page(brand, LICENSE).await;
    brand.see("Offers and messages").await;
    brand.see("Up to 1,000 labels.").await;
    press_in_page(brand, "Review and accept").await;
    brand.see("I accept these terms").await;
    fill(brand, "I accept these terms for Marrowby Outdoor", " ").await;
    press(brand, "Accept offer").await;
    brand.see("Offer accepted. Your grant is GR-2026-").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_brand_gets_a_license_by_keyboard() {
    let site = Site::start().await;
    let (brand, agency) = (sign_in(&site, 1).await, sign_in(&site, 0).await);
    ask(&brand).await;
    offer(&agency).await;
    accept(&brand).await;
    for browser in [brand, agency] {
        assert_eq!(browser.console_errors().await, [""; 0]);
    }
}

/// Starts watching an address.
async fn watch(agency: &Browser, address: &str) {
    go(agency, "Sources", "/app/sources").await;
    press_in_page(agency, "Watch an address").await;
    agency.see("Look at it").await;
    fill(agency, "Address", address).await;
    agency.press_keys(ENTER).await;
    agency.see("What was found").await;
    press_in_page(agency, "Start watching").await;
    agency.see("The address is watched from now on.").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mention_is_found_decided_and_undone_by_keyboard() {
    let site = watching::start().await;
    let blog = Blog::start(&site).await;
    let agency = sign_in(&site, 0).await;
    watch(&agency, &blog.listener.url("/sample-site/")).await;
    assert_eq!(source::scan_due(&site.app.app, AT_ONCE).await.expect("a scan"), 1);
    go(&agency, "Mentions", "/app/mentions").await;
    agency.see(SHOWN).await;
    press_in_page(&agency, SHOWN).await;
    agency.see("Nobody has decided yet.").await;
    press_in_page(&agency, "It is them").await;
    agency.see(&format!("Confirmed: {SHOWN}")).await;
    press_in_page(&agency, "Undo").await;
    agency.see("A decision about a mention was undone").await;
    agency.see("Nobody has decided yet.").await;
    assert_eq!(agency.console_errors().await, [""; 0]);
}

/// Two links, of which one hides that it has the focus.
const BLIND: &str = r#"<!DOCTYPE html><html lang="en"><head><title>Blind</title>
<style>#blind:focus { outline: none; }</style></head>
<body><p><a href="/1">Seen</a> <a id="blind" href="/2">Unseen</a></p></body></html>"#;

/// A browser at the page with these links, and what serves it.
async fn blind() -> (Served, Browser) {
    let served = Served::pages(Router::new().route("/", get(|| async { Html(BLIND) }))).await;
    let browser = served.browser().await;
    browser.open("/").await;
    browser.tab_to("Seen").await;
    (served, browser)
}

#[tokio::test(flavor = "multi_thread")]
#[should_panic(expected = "\"Unseen\" has the focus, which nobody sees")]
async fn a_focus_that_nobody_sees_is_noticed() {
    let (_served, browser) = blind().await;
    browser.tab_to("Unseen").await;
}

#[tokio::test(flavor = "multi_thread")]
#[should_panic(expected = "Tab does not lead to \"Nowhere\" but to [\"Seen\", \"Unseen\", ")]
async fn what_tab_does_not_lead_to_is_noticed() {
    let (_served, browser) = blind().await;
    browser.tab_to("Nowhere").await;
}
