//! Every page, in both lights and on both screens: nobody is kept out, nothing sticks out, nothing
//! is asked of others, and little is transferred.

use grantor_testkit::browser::Browser;
use grantor_testkit::site::Site;

/// The most bytes a page may take, without the pictures of licenses.
const MOST: u64 = 60_000;

async fn look(browser: &Browser, address: &str) {
    browser.open(address).await;
    for (width, height) in [(1280, 900), (390, 844)] {
        browser.resize(width, height).await;
        browser.dark().await;
        assert_eq!(browser.axe().await, [""; 0], "{address}, {width}, dark");
        browser.light().await;
        assert_eq!(browser.axe().await, [""; 0], "{address}, {width}, light");
        assert_eq!(browser.too_wide().await, [""; 0], "{address}, {width}");
    }
    assert_eq!(browser.console_errors().await, [""; 0], "{address}");
    assert_eq!(browser.foreign().await, [""; 0], "{address}");
    let bytes = browser.transferred().await;
    assert!(bytes < MOST, "{address}: {bytes} bytes");
}

async fn look_at(browser: &Browser, addresses: &[&str]) {
    for address in addresses {
        look(browser, address).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_for_everybody() {
    let site = Site::start().await;
    let browser = site.browser().await;
    let pages = [
        "/app/sign-in",
        "/app/sign-in/link",
        "/app/magic?token=x",
        "/app/sign-up",
        "/app/forgot",
        "/app/invitation?token=x",
        "/app/sign-up/code",
        "/app/catalog",
        "/app/admin/sign-in",
        "/app/nothing",
        "/app/dev/mail",
    ];
    look_at(&browser, &pages).await;
    look(&browser, &format!("/app/catalog/{}", public(&site))).await;
}

/// A public license of the sample.
fn public(site: &Site) -> String {
    let found = site.sample.licenses.iter().find(|it| it.status.name() == "public");
    found.expect("a public license").id.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_rights() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    let (license, talent) = (public(&site), site.sample.talents[0].0);
    let mention = site.sample.mentions[0].id;
    look_at(&browser, &["/app", "/app/licenses", "/app/licenses/new", "/app/talents"]).await;
    look_at(&browser, &["/app/talents/new", "/app/talents/invite", "/app/bookmarks"]).await;
    look_at(&browser, &["/app/mentions", "/app/mentions?status=all"]).await;
    look(&browser, &format!("/app/mentions/{mention}")).await;
    look(&browser, &format!("/app/talents/{talent}")).await;
    look(&browser, &format!("/app/talents/{talent}/edit")).await;
    for part in ["", "/edit", "/history", "/preview"] {
        look(&browser, &format!("/app/licenses/{license}{part}")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_an_organization() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    let pages = [
        "/app/webhooks",
        "/app/webhooks/new",
        "/app/clients",
        "/app/clients/new",
        "/app/teams",
        "/app/logs",
        "/app/billing",
        "/app/organization",
        "/app/organization/edit",
        "/app/profile",
    ];
    look_at(&browser, &pages).await;
    look(&browser, &format!("/app/webhooks/{}", site.sample.webhooks[0])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_a_platform() {
    let site = Site::start().await;
    let browser = site.browser_of(2).await;
    let place = &site.sample.sites[0];
    look_at(&browser, &["/app/platforms", "/app/platforms/new", "/app/pax", "/app/pax/new"]).await;
    look(&browser, &format!("/app/platforms/{}", place.id)).await;
    look(&browser, &format!("/app/pax/{}", place.pax)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_the_staff() {
    let site = Site::start().await;
    let browser = site.browser_of_staff().await;
    let pages = [
        "/app/admin",
        "/app/admin/pods",
        "/app/admin/pods/new",
        "/app/admin/platforms",
        "/app/admin/licenses",
        "/app/admin/members",
        "/app/admin/logs",
        "/app/admin/mail",
    ];
    look_at(&browser, &pages).await;
    look(&browser, &format!("/app/admin/pods/{}", site.sample.sites[0].pod)).await;
}
