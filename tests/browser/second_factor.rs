//! Second factors in a real browser: a passkey of its own authenticator, and an app.

use grantor_testkit::browser::Browser;
use grantor_testkit::site::Site;

use crate::web::factor::{NEXT_CODE, PhoneApp};

async fn assert_sound(browser: &Browser) {
    assert_eq!(browser.axe().await, [""; 0]);
    assert_eq!(browser.console_errors().await, [""; 0]);
    assert_eq!(browser.too_wide().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_is_added_and_signs_in() {
    let site = Site::at_localhost().await;
    let browser = site.browser().await;
    browser.plug_in_authenticator().await;
    let account = &site.sample.accounts[0];
    browser.sign_in(&account.email, account.password.expose()).await;
    browser.open("/app/profile/security").await;
    browser.fill("Name of the passkey", "Laptop").await;
    assert_sound(&browser).await;
    browser.press("Add a passkey").await;
    browser.see("Save your recovery codes").await;
    assert_sound(&browser).await;
    browser.press("Done").await;
    browser.see("Laptop").await;
    browser.press("Sign out").await;
    browser.see("You're signed out").await;
    browser.press("Sign in with a passkey").await;
    browser.arrive("/app").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_is_the_second_factor() {
    let site = Site::at_localhost().await;
    let browser = site.browser().await;
    browser.plug_in_authenticator().await;
    let account = &site.sample.accounts[0];
    browser.sign_in(&account.email, account.password.expose()).await;
    browser.open("/app/profile/security").await;
    browser.fill("Name of the passkey", "Laptop").await;
    browser.press("Add a passkey").await;
    browser.press("Done").await;
    browser.press("Sign out").await;
    browser.see("You're signed out").await;
    browser.fill("Email or full name", &account.email).await;
    browser.fill("Password", account.password.expose()).await;
    browser.press_near("Forgot your password?", "Sign in").await;
    browser.see("Confirm it's you").await;
    assert_sound(&browser).await;
    browser.press("Use a passkey").await;
    browser.arrive("/app").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_is_set_up_by_its_key_and_asked_for() {
    let site = Site::start().await;
    let browser = site.browser_of(0).await;
    browser.open("/app/profile/security").await;
    browser.press("Set up an authenticator app").await;
    browser.see("Scan this code").await;
    assert_sound(&browser).await;
    let phone = PhoneApp::with_key(&key(&browser.text().await));
    browser.fill("Code", &phone.code(&site.app)).await;
    browser.press("Confirm").await;
    browser.see("Save your recovery codes").await;
    browser.press("Done").await;
    browser.see("10 of 10 codes are left").await;
    browser.press("Sign out").await;
    browser.see("You're signed out").await;
    site.app.clock.advance(NEXT_CODE);
    let account = &site.sample.accounts[0];
    browser.fill("Email or full name", &account.email).await;
    browser.fill("Password", account.password.expose()).await;
    browser.press_near("Forgot your password?", "Sign in").await;
    browser.see("Confirm it's you").await;
    assert_sound(&browser).await;
    browser.fill("Code", "000000").await;
    browser.press("Continue").await;
    browser.see("The code is incorrect").await;
    browser.fill("Code", &phone.code(&site.app)).await;
    browser.press("Continue").await;
    browser.arrive("/app").await;
}

/// The key on a page: eight groups of four letters and digits.
fn key(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let fits = |it: &&str| {
        it.len() == 4 && it.bytes().all(|it| it.is_ascii_uppercase() || (b'2'..=b'7').contains(&it))
    };
    let found = words.windows(8).find(|it| it.iter().all(fits));
    found.expect("a key").join(" ")
}
