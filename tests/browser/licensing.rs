//! The licensing loop in real browsers: a brand asks, the agency offers, the brand accepts and shares
//! the proof, somebody without an account verifies it, and the agency revokes it.

use grantor_testkit::browser::Browser;
use grantor_testkit::site::Site;

const LICENSE: &str = "Storybook face · 絵本の顔";
const ACCEPT: &str = "I accept these terms for Marrowby Outdoor";
const UNDERSTAND: &str = "I understand that a revoked grant can't be restored";

/// The brand finds the license in the catalog, asks for it and writes a message.
async fn ask(brand: &Browser) {
    brand.open("/app").await;
    brand.press("Catalog").await;
    brand.press(LICENSE).await;
    brand.press("Request this license").await;
    brand.tick("Endorsement").await;
    brand.fill("Purpose", "Her face on the label of a lantern").await;
    brand.fill("Amount", "90000").await;
    brand.press("Send request").await;
    brand.see("Request sent to Quillfeather Talent").await;
    write(brand, "We would print 2,000 labels.").await;
}

async fn write(browser: &Browser, message: &str) {
    browser.fill("Message", message).await;
    browser.press("Send message").await;
    browser.see("Message sent").await;
    browser.see(message).await;
}

/// Opens the thread from the inbox.
async fn open_thread(browser: &Browser) {
    browser.open("/app/requests").await;
    browser.press(LICENSE).await;
    browser.see("Offers and messages").await;
}

/// The agency finds the request, unread, and makes an offer.
async fn offer(agency: &Browser) {
    agency.open("/app/requests").await;
    // The request and its message are new; the sample has three more.
    agency.see("You have 5 unread updates.").await;
    agency.see("2 unread").await;
    agency.press(LICENSE).await;
    agency.see("Her face on the label of a lantern").await;
    agency.see("We would print 2,000 labels.").await;
    agency.press("Make an offer").await;
    agency.fill("Conditions", "Up to 1,000 labels.").await;
    agency.press("Send offer").await;
    agency.see("Offer sent").await;
    agency.open("/app/requests").await;
    agency.see("You have 3 unread updates.").await;
}

/// The brand wants more, and the agency replaces its offer.
async fn negotiate(brand: &Browser, agency: &Browser) {
    open_thread(brand).await;
    brand.see("Up to 1,000 labels.").await;
    write(brand, "We need 2,000 of them.").await;
    open_thread(agency).await;
    agency.see("We need 2,000 of them.").await;
    agency.press("Replace the offer").await;
    agency.fill("Amount", "100000").await;
    agency.fill("Conditions", "Up to 2,000 labels.").await;
    agency.press("Send offer").await;
    agency.see("Offer sent").await;
}

/// The brand reads what changed and accepts; returns the number of the grant.
async fn accept(brand: &Browser) -> String {
    open_thread(brand).await;
    brand.see("Changes from the previous offer:").await;
    brand.see("Fee:").await;
    brand.press("Review and accept").await;
    brand.see("Up to 2,000 labels.").await;
    brand.press("Accept offer").await;
    brand.see("must be checked").await;
    brand.tick(ACCEPT).await;
    brand.press("Accept offer").await;
    brand.see("Offer accepted. Your grant is GR-2026-").await;
    word(brand, "GR-2026-").await
}

/// The brand shares a link to the receipt that also discloses the conditions; returns its path.
async fn share(brand: &Browser) -> String {
    brand.press("Share a link").await;
    brand.tick("Conditions").await;
    brand.press("Share link").await;
    brand.see("Link shared.").await;
    let address = word(brand, "http://").await;
    let start = address.find("/verify/").unwrap_or_else(|| panic!("another address: {address}"));
    address[start..].to_owned()
}

/// The first word on the page that starts like this, without a period at its end.
async fn word(browser: &Browser, start: &str) -> String {
    let text = browser.text().await;
    let found = text.split_whitespace().find(|it| it.starts_with(start));
    found.unwrap_or_else(|| panic!("no {start} in {text}")).trim_end_matches('.').to_owned()
}

/// The agency revokes the grant.
async fn revoke(agency: &Browser, number: &str) {
    agency.open("/app/grants").await;
    agency.press(number).await;
    agency.press("Revoke grant").await;
    agency.fill("Reason", "5,000 labels were printed.").await;
    agency.tick(UNDERSTAND).await;
    agency.press_near(UNDERSTAND, "Revoke grant").await;
    agency.see(&format!("Grant {number} revoked")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn from_asking_to_a_revoked_proof() {
    let site = Site::start().await;
    let [brand, agency, stranger] =
        [site.browser_of(1).await, site.browser_of(0).await, site.browser().await];
    ask(&brand).await;
    offer(&agency).await;
    negotiate(&brand, &agency).await;
    let number = accept(&brand).await;
    let link = share(&brand).await;
    stranger.open(&link).await;
    stranger.see("The receipt is authentic, and the grant is in effect.").await;
    for shown in
        ["Marrowby Outdoor", "星野うらら", "Endorsement", "Up to 2,000 labels.", number.as_str()]
    {
        stranger.see(shown).await;
    }
    stranger.see("Not disclosed").await;
    revoke(&agency, &number).await;
    stranger.open(&link).await;
    stranger.see("The licensor revoked the grant.").await;
    stranger.gone("the grant is in effect").await;
    brand.open("/app/grants").await;
    brand.press(&number).await;
    brand.see("5,000 labels were printed.").await;
    for browser in [brand, agency, stranger] {
        let mut errors = browser.console_errors().await;
        // The brand forgot the checkbox once.
        errors
            .retain(|it| !it.contains("/accept - Failed to load resource") || !it.contains("422"));
        assert_eq!(errors, [""; 0]);
        assert_eq!(browser.foreign().await, [""; 0]);
    }
}
