//! The estimate of a new password, made by the page itself while somebody types.

use grantor_testkit::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_is_rated_while_it_is_typed() {
    let site = Site::start().await;
    let browser = site.browser().await;
    browser.open("/app/sign-up").await;
    browser.fill("Your name", "Hedy Lamarr").await;
    for (password, rating) in [
        ("P@ssw0rd", "Password strength: very weak"),
        ("Password123!", "Password strength: weak"),
        ("Lamarr-1942", "Password strength: fair"),
        ("kX9#mQ2!", "Password strength: good"),
        ("Frequency-Hopping-1942", "Password strength: strong"),
    ] {
        browser.fill("Password", password).await;
        browser.see(rating).await;
    }
    assert_eq!(browser.axe().await, [""; 0]);
    assert_eq!(browser.console_errors().await, [""; 0]);
    assert_eq!(browser.foreign().await, [""; 0], "what is typed goes nowhere");
}
