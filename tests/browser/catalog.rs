//! The catalog in a real browser: somebody without an account looks at it, and an agency picks a
//! picture for it.

use grantor_testkit::browser::Browser;
use grantor_testkit::site::Site;

const LICENSE: &str = "Summit season: outdoor advertising";
const TALENT: &str = "Zoë Lindqvåg";
const OWNER: &str = "Quillfeather Talent";

/// Nothing is refused, also not the data for search engines.
async fn no_errors(browser: &Browser) {
    browser.settle().await;
    assert_eq!(browser.console_errors().await, [""; 0]);
    assert_eq!(browser.foreign().await, [""; 0]);
    assert_eq!(browser.axe().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_looks_at_the_catalog_without_an_account() {
    let site = Site::start().await;
    let visitor = site.browser().await;
    visitor.open("/app/catalog").await;
    visitor.see("€12,500 per campaign").await;
    no_errors(&visitor).await;
    visitor.press(LICENSE).await;
    visitor.see("Permitted uses").await;
    no_errors(&visitor).await;
    visitor.press(TALENT).await;
    visitor.arrive("/app/catalog/talents/zoe-lindqvag").await;
    visitor.see("1 public license").await;
    no_errors(&visitor).await;
    visitor.press(OWNER).await;
    visitor.arrive("/app/catalog/owners/quillfeather-talent").await;
    visitor.see("6 public licenses").await;
    visitor.press_near(LICENSE, "Request this license").await;
    visitor.see("Email or full name").await;
    assert!(visitor.path().await.starts_with("/app/sign-in"), "one signs in first");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_picks_another_picture_and_takes_it_away() {
    let site = Site::start().await;
    let license = site.sample.licenses.iter().find(|it| it.title == LICENSE).expect("a license");
    let agency = site.browser_of(0).await;
    agency.open(&format!("/app/licenses/{}", license.id)).await;
    agency.see("Everyone sees this picture in the catalog.").await;
    agency.tick("Reference image 2").await;
    agency.press("Replace picture").await;
    agency.see("Catalog picture set").await;
    assert_eq!(agency.console_errors().await, [""; 0]);
    agency.press_near("Everyone sees this picture", "Remove").await;
    agency.see("Catalog picture removed").await;
    agency.see("No picture yet.").await;
    let visitor = site.browser().await;
    visitor.open(&format!("/app/catalog/{}", license.id)).await;
    visitor.see("ZL").await;
    no_errors(&visitor).await;
}
