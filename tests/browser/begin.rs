//! The front page, the first steps, and staff who help, in a real browser.

use grantor_testkit::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_enters_the_sample_in_every_way() {
    let site = Site::with_entrances().await;
    for (way, shown) in [
        ("agency", "Hello, Marguerite"),
        ("brand", "Hello, Henrik"),
        ("platform", "Hello, Dolores"),
        ("staff", "What fails"),
    ] {
        let browser = site.browser().await;
        browser.open("/").await;
        browser.see("Licenses for names, images and likenesses").await;
        browser.press(&format!("Enter as {way}")).await;
        browser.see(shown).await;
        assert_eq!(browser.console_errors().await, [""; 0], "{way}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_in_person_opens_the_console_from_the_front_page() {
    let site = Site::start().await;
    let browser = site.browser_of(1).await;
    browser.open("/").await;
    browser.gone("Enter as").await;
    browser.press("Open the console").await;
    browser.arrive("/app").await;
    browser.press("Hide first steps").await;
    browser.see("First steps hidden").await;
    browser.gone("Find a license").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_view_as_somebody_and_stop() {
    let site = Site::start().await;
    let browser = site.browser_of_staff().await;
    let agency = &site.sample.accounts[0];
    browser.open(&format!("/app/admin/organizations/{}", agency.tenant)).await;
    browser.press("View as Marguerite Ashdown").await;
    browser.fill("Reason", "She asked why a mention is missing").await;
    browser.press("Start viewing").await;
    browser.see("You're viewing Quillfeather Talent as Marguerite Ashdown").await;
    browser.see("Hello, Marguerite").await;
    assert_eq!(browser.axe().await, [""; 0]);
    browser.resize(390, 844).await;
    assert_eq!(browser.too_wide().await, [""; 0]);
    browser.resize(1280, 900).await;
    browser.open("/app/talents/new").await;
    browser.fill("Full name", "Delia Derbyshire").await;
    browser.press("Add talent").await;
    browser.see("You can only look").await;
    browser.press("Stop viewing").await;
    browser.see("You're no longer viewing").await;
    browser.arrive(&format!("/app/admin/organizations/{}", agency.tenant)).await;
    // The refused form is the only error.
    let mut errors = browser.console_errors().await;
    errors.retain(|it| !it.contains("/app/talents/new") || !it.contains("403"));
    assert_eq!(errors, [""; 0]);
}
