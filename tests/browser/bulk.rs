//! Bulk actions and imports with a real browser.

use std::fs;

use grantor_testkit::browser::Browser;
use grantor_testkit::site::Site;

/// The names of two licenses that the list shows.
async fn two_of_the_list(site: &Site, browser: &Browser) -> [&'static str; 2] {
    let text = browser.text().await;
    let mut shown = site.sample.licenses.iter().map(|it| it.title).filter(|it| text.contains(it));
    [shown.next().expect("a license"), shown.next().expect("another license")]
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_selected_tagged_and_found_by_their_tag() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/licenses").await;
    let [one, other] = two_of_the_list(&site, &browser).await;
    browser.tick(&format!("Select {one}")).await;
    browser.see("(1)").await;
    browser.tick(&format!("Select {other}")).await;
    browser.see("(2)").await;
    browser.press("Add tags").await;
    browser.see("Add tags: 2 licenses").await;
    browser.see(one).await;
    browser.fill("Tags to add", "Spring").await;
    browser.press("Add tags").await;
    browser.see("Tagged: 2 licenses").await;
    browser.open("/app/licenses?tag=spring").await;
    browser.see(one).await;
    browser.see(other).await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_rows_of_the_page_are_checked_at_once() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/talents").await;
    let text = browser.text().await;
    let (before, _) = text.split_once(" on this page").expect("the number of rows");
    let count = before.rsplit("All ").next().expect("a number");
    browser.tick(&format!("All {count} on this page")).await;
    browser.see(&format!("({count})")).await;
    browser.press("Add tags").await;
    browser.fill("Tags to add", "Roster").await;
    browser.press("Add tags").await;
    browser.see(&format!("Tagged: {count} talents")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_imported_and_the_import_undone() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("talents.csv");
    fs::write(&file, "Name,Email\nZora Quist,zora@example.com\nX,nobody\n").unwrap();
    browser.open("/app/talents").await;
    browser.press("Import").await;
    browser.upload("File", &[&file]).await;
    browser.press("Check file").await;
    browser.see("Row 3, Name: must be 2 to 100 characters").await;
    browser.press("Import 1 row").await;
    browser.see("2 of 2").await;
    browser.open("/app/talents?search=zora").await;
    browser.see("Zora Quist").await;
    browser.open("/app/batches").await;
    browser.press("Import 2 talents").await;
    browser.press("Undo import…").await;
    browser.press("Undo import").await;
    browser.see("Undo the import of 1 talent").await;
    browser.open("/app/talents?search=zora").await;
    browser.see("No talents found").await;
    assert_eq!(browser.console_errors().await, [""; 0]);
}
