//! Undo, and lists that update themselves, in a real browser.

use grantor_testkit::browser::Browser;
use grantor_testkit::seed;
use grantor_testkit::site::Site;

/// The key that leads to the end of a page.
const END: &str = "\u{e010}";

async fn no_errors(browser: &Browser) {
    assert_eq!(browser.console_errors().await, [""; 0]);
    assert_eq!(browser.axe().await, [""; 0]);
}

/// Tells the agency something.
async fn tell(site: &Site, number: u32) {
    let (options, agency) = (&site.app.database.options, &site.sample.accounts[0]);
    let notice = format!("0290a5e4-7b3c-7def-8123-{number:012x}");
    let [id, person, tenant] = [notice, agency.user.to_string(), agency.tenant.to_string()]
        .map(|it| seed::id(options, &it));
    let at = site.app.app.clock.now().as_micros();
    let script = format!(
        "INSERT INTO notices VALUES ({id}, {person}, {tenant}, 'request', 'request_received', '{{}}',
           'Something happened, number {number}', '/app', 'off', NULL, NULL, {at})"
    );
    seed::run(options, script).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_license_is_back_with_one_press() {
    let site = Site::start().await;
    let license = site.sample.licenses.iter().find(|it| it.status.name() == "public");
    let license = license.expect("a public license");
    let agency = site.browser_of(0).await;
    agency.open(&format!("/app/licenses/{}", license.id)).await;
    agency.press("Delete").await;
    agency.see("License deleted").await;
    no_errors(&agency).await;
    agency.press("Undo").await;
    agency.see("A license was restored").await;
    agency.open(&format!("/app/licenses/{}", license.id)).await;
    agency.see(license.title).await;
    let visitor = site.browser().await;
    visitor.open(&format!("/app/catalog/{}", license.id)).await;
    visitor.see(license.title).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_shows_what_arrives_and_keeps_its_place() {
    let site = Site::start().await;
    let agency = site.browser_of(0).await;
    for number in 1..=30 {
        tell(&site, number).await;
    }
    agency.open("/app/notices").await;
    agency.see("Something happened, number 30").await;
    tell(&site, 31).await;
    agency.see("Something happened, number 31").await;
    // Whoever has scrolled down is told, and nothing moves.
    agency.keys(END).await;
    tell(&site, 32).await;
    agency.see("1 new notification").await;
    no_errors(&agency).await;
    agency.press("1 new notification").await;
    agency.see("Something happened, number 32").await;
    agency.gone("1 new notification").await;
    no_errors(&agency).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_is_read_and_sent_again() {
    let site = Site::start().await;
    let agency = site.browser_of(0).await;
    agency.open(&format!("/app/webhooks/{}", site.sample.webhooks[0])).await;
    agency.press("Enable").await;
    agency.see("Webhook enabled").await;
    agency.press("Undo").await;
    agency.see("A change of a webhook was undone").await;
    no_errors(&agency).await;
}
