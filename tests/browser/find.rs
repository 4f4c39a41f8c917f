//! Finding in lists with a real browser: folded filters that apply at once, chips, column heads,
//! saved views, and what paper says about filters.

use grantor_testkit::site::Site;

const SEARCH: &str = "Search name, talent, owner or external ID";

/// The Enter key, as the `WebDriver` protocol names it.
const ENTER: &str = "\u{E007}";

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_applies_at_once_and_its_chip_removes_it() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/licenses").await;
    browser.press("Filters").await;
    browser.fill("Status", "Public").await;
    browser.arrive("/app/licenses?status=public").await;
    browser.see("Status: Public").await;
    browser.fill("Use", "Voice").await;
    browser.arrive("/app/licenses?status=public&use=voice").await;
    browser.press("Remove filter Status: Public").await;
    browser.arrive("/app/licenses?use=voice").await;
    browser.gone("Status: Public").await;
    browser.press("Clear filters").await;
    browser.arrive("/app/licenses").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_talent_is_found_by_the_beginning_of_a_name() {
    let site = Site::start().await;
    let (_, name) = site.sample.talents[0];
    let browser = site.browser_of(0).await;
    browser.open("/app/licenses").await;
    let beginning: String = name.chars().take(3).collect();
    browser.fill(SEARCH, &beginning).await;
    browser.keys(ENTER).await;
    browser.see(&format!("Search: {beginning}")).await;
    browser.see(name).await;
    browser.open("/app/talents").await;
    browser.fill("Search by name, alias or email", &beginning).await;
    browser.keys(ENTER).await;
    browser.see(name).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn column_heads_sort_and_keep_the_filters() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/licenses?status=public").await;
    browser.press("Name").await;
    browser.arrive("/app/licenses?status=public&sort=title").await;
    browser.press("Name ↑").await;
    browser.arrive("/app/licenses?status=public&sort=title.desc").await;
    browser.see("Name ↓").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_view_is_saved_opened_and_deleted() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/licenses?status=public").await;
    browser.press("Save view").await;
    browser.fill("Name of the view", "On sale").await;
    browser.tick("Open the list with this view").await;
    browser.press("Save").await;
    browser.see("View saved").await;
    browser.press("Licenses").await;
    browser.arrive("/app/licenses?status=public").await;
    browser.press("All").await;
    browser.arrive("/app/licenses?view=all").await;
    browser.press("Manage views").await;
    browser.press("Delete").await;
    browser.see("No saved views yet").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_stay_as_they_were_left() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/licenses?status=public").await;
    browser.see("Any country").await;
    browser.press("Filters (1)").await;
    browser.gone("Any country").await;
    browser.press("Name").await;
    browser.arrive("/app/licenses?status=public&sort=title").await;
    browser.gone("Any country").await;
    browser.press("Filters (1)").await;
    browser.see("Any country").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paper_names_the_filters_without_the_form() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/licenses?status=public&use=voice").await;
    browser.paper().await;
    browser.see("Status: Public").await;
    let text = browser.text().await;
    for control in ["Filters (2)", "Any country", "Clear filters", "Save view", "×"] {
        assert!(!text.contains(control), "{control}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_are_folded_on_a_phone() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.resize(390, 844).await;
    browser.open("/app/licenses").await;
    browser.press("Filters").await;
    browser.fill("Country", "Germany").await;
    browser.arrive("/app/licenses?country=DE").await;
    browser.see("Filters (1)").await;
    browser.gone("Any status").await;
    browser.see("Country: Germany").await;
    assert_eq!((browser.axe().await, browser.too_wide().await), (vec![], vec![]));
}
