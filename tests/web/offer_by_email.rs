//! Offers by email: the mail leads through signing in or signing up to the offer, and licensing
//! mails reach the people of a party.

use grantor_testkit::app::ORIGIN;
use grantor_testkit::db_test;

use super::kit::{ADA, Browser, WebFixture};
use super::license::license;
use super::request::WISH;
use crate::console::PASSWORD;

const GRACE: &str = "grace@example.com";

const TERMS: [(&str, &str); 4] = [
    ("terms.uses", "advertising"),
    ("terms.territories", "DE"),
    ("terms.starts_at", "2026-02-01T00:00"),
    ("terms.ends_at", "2026-08-01T00:00"),
];

/// Mary's public license.
async fn public_license(mary: &mut Browser<'_>) -> String {
    let more = [
        ("name", "Winter"),
        ("status", "public"),
        ("uses", "advertising"),
        ("territories", "DE"),
        ("territories", "US"),
        ("expiresAt", "2027-01-01T00:00"),
    ];
    license(mary, &more).await
}

/// Mary offers a license to an address; gives her browser and the page of the request.
async fn offered<'a>(fixture: &'a WebFixture, email: &str) -> (Browser<'a>, String) {
    let mut mary = fixture.stranger().await;
    let license = public_license(&mut mary).await;
    let mut form = vec![("licensee", email)];
    form.extend(TERMS);
    let request = mary.post(&format!("/app/licenses/{license}/offer"), &form).await.made();
    (mary, format!("/app/requests/{request}"))
}

fn encoded(page: &str) -> String {
    page.replace('/', "%2F")
}

#[db_test]
async fn who_has_no_account_signs_up_and_comes_back_to_the_offer(fixture: WebFixture) {
    let (mut mary, page) = offered(&fixture, GRACE).await;
    mary.get(&page).await.says(200, &[GRACE, "pending", "Offered to"]);
    let mail = fixture.app.newest_mail(GRACE).await;
    assert!(mail.contains(&format!("{ORIGIN}{page}")), "{mail}");
    let page = format!("{page}?to=grace%40example.com");
    assert!(mail.contains(&format!("{ORIGIN}{page}")), "{mail}");
    let mut grace = fixture.browser();
    let to = grace.get(&page).await.location.expect("the sign-in page");
    assert!(to.starts_with("/app/sign-in?next=%2Fapp%2Frequests%2F"), "{to}");
    let seen = grace.get(&to).await;
    seen.holds("next", &page).holds("username", GRACE);
    grace.get(&seen.link("/app/sign-in/link?next=")).await.holds("email", GRACE);
    let seen = grace.get(&seen.link("/app/sign-up?next=")).await;
    seen.says(200, &["Sign up"]).holds("next", &page).holds("email", GRACE);
    grace.get(&seen.link("/app/sign-up/link?next=")).await.holds("email", GRACE);
    let form = [
        ("organization.type", "Brand"),
        ("organization.name", "Hopper Brands"),
        ("fullname", "Grace Hopper"),
        ("email", GRACE),
        ("password", PASSWORD),
        ("next", page.as_str()),
    ];
    let seen = grace.follow("/app/sign-up", &form).await;
    let session = seen.between("name=\"otpSession\" value=\"", "\"").unwrap();
    let code = fixture.app.mailed_code(GRACE).await;
    let form = [("otpSession", session.as_str()), ("otp", &*code), ("next", &*page)];
    let seen = grace.follow("/app/sign-up/code", &form).await;
    seen.says(200, &["You respond as Hopper Brands.", "Review and accept", "Decline offer"]);
    let page = page.trim_end_matches("?to=grace%40example.com");
    mary.get(page).await.says(200, &[GRACE, "pending"]).hides("Hopper Brands");
    let path = format!("{page}/accept");
    let seen = grace.get(&path).await;
    seen.says(200, &["You accept as Hopper Brands.", "I accept these terms for Hopper Brands"]);
    let hash = seen.between("name=\"terms_hash\" value=\"", "\"").unwrap();
    let form = [("terms_hash", hash.as_str()), ("accept", "true")];
    grace.follow(&path, &form).await.says(200, &["Offer accepted. Your grant is GR-2026-000001."]);
    mary.get(page).await.says(200, &["Accepted by Grace Hopper", "Hopper Brands"]);
}

#[db_test]
async fn a_link_to_another_address_says_whose_it_is(fixture: WebFixture) {
    let (_, page) = offered(&fixture, GRACE).await;
    let mut ada = fixture.ada().await;
    let unknown = "/app/requests/0190a5e4-7b3c-7def-8123-0000000000aa";
    for page in [page.as_str(), unknown] {
        let page = format!("{page}?to=grace%40example.com");
        let seen = ada.get(&page).await;
        seen.says(404, &["The link was sent to grace@example.com."]).hides("Winter");
        seen.says(404, &["You're signed in as ada@example.com."]).holds("next", &page);
    }
    ada.get(&format!("{unknown}?to=ada%40example.com")).await.says(404, &["Page not found"]);
    let seen = ada.get(&format!("{unknown}?to=nobody")).await;
    assert!(!seen.says(404, &["Page not found"]).text.contains("nobody"), "{}", seen.text);
    let page = format!("{page}?to=grace%40example.com");
    let seen = ada.follow("/app/sign-out", &[("next", &page)]).await;
    seen.says(200, &["You're signed out", "Sign in to read the offer sent to you."]);
    seen.holds("next", &page).holds("username", GRACE);
    let seen = ada.get(&seen.link("/app/sign-up?next=")).await;
    seen.says(200, &["Sign up to read the offer sent to you."]);
    let seen = ada.get(&seen.link("/app/sign-in?next=")).await;
    let seen = ada.get(&seen.link("/app/forgot?next=")).await;
    seen.says(200, &["Reset your password"]).holds("next", &page).holds("email", GRACE);
}

#[db_test]
async fn an_address_that_gets_too_many_emails_is_named_with_the_wait(fixture: WebFixture) {
    let (mut mary, page) = offered(&fixture, GRACE).await;
    let path = format!("{page}/offer");
    for _ in 0..2 {
        fixture.app.clock.advance(std::time::Duration::from_mins(10));
        mary.follow(&path, &TERMS).await.says(200, &["Offer sent"]);
    }
    let seen = mary.post(&path, &TERMS).await;
    let told = "This address gets at most 3 emails in 1 hour from one sender. Try again in \
                40 minutes.";
    seen.says(429, &[told]).holds("terms.starts_at", "2026-02-01T00:00");
    assert_eq!(seen.retry_after.as_deref(), Some("2400"));
}

#[db_test]
async fn a_magic_link_leads_on_to_the_offer_in_any_browser(fixture: WebFixture) {
    let (_, page) = offered(&fixture, GRACE).await;
    fixture.app.newest_mail(GRACE).await;
    let next = encoded(&page);
    let mut browser = fixture.browser();
    let seen = browser.get(&format!("/app/sign-up/link?next={next}")).await;
    seen.says(200, &["Sign up without a password"]).holds("next", &page);
    let form = [("fullname", "Grace Hopper"), ("email", GRACE), ("next", &*page)];
    let seen = browser.post("/app/sign-up/link", &form).await;
    assert_eq!(seen.location, Some(format!("/app/sign-in/code?next={next}")));
    browser.get(&seen.location.unwrap()).await.says(200, &[GRACE]).holds("next", &page);
    let mail = fixture.app.newest_mail(GRACE).await;
    let link = mail.split_once(&format!("{ORIGIN}/app/magic")).expect("a link").1;
    let link = format!("/app/magic{}", link.split_whitespace().next().unwrap());
    assert!(link.ends_with(&format!("&next={next}")), "{link}");
    let mut elsewhere = fixture.browser();
    let seen = elsewhere.get(&link).await;
    let token = seen.between("name=\"token\" value=\"", "\"").unwrap();
    seen.holds("next", &page);
    let seen = elsewhere.follow("/app/magic", &[("token", &*token), ("next", &*page)]).await;
    seen.says(200, &["You respond as", "Review and accept"]);
}

#[db_test]
async fn a_code_leads_on_but_never_to_another_site(fixture: WebFixture) {
    let (_, page) = offered(&fixture, ADA).await;
    fixture.app.newest_mail(ADA).await;
    for (next, to) in [(page.as_str(), page.as_str()), ("//evil.example/app", "/app")] {
        let mut browser = fixture.browser();
        let form = [("email", ADA), ("next", next)];
        browser.follow("/app/sign-in/link", &form).await.says(200, &["Check your email"]);
        let mail = fixture.app.newest_mail(ADA).await;
        assert!(!mail.contains("evil"), "{mail}");
        let code = fixture.app.mailed_code(ADA).await;
        let form = [("email", ADA), ("otp", code.as_str()), ("next", next)];
        let seen = browser.post("/app/sign-in/code", &form).await;
        assert_eq!((seen.status, seen.location.as_deref()), (303, Some(to)));
    }
}

#[db_test]
async fn a_license_leads_to_the_offer_for_it(fixture: WebFixture) {
    let mut mary = fixture.stranger().await;
    let license = public_license(&mut mary).await;
    let mut form = vec![("licensee", ADA)];
    form.extend(TERMS);
    let request = mary.post(&format!("/app/licenses/{license}/offer"), &form).await.made();
    let mut ada = fixture.ada().await;
    let seen = ada.get(&format!("/app/catalog/{license}")).await;
    seen.says(200, &["View your offer"]).hides("View your open request");
    assert_eq!(seen.link("/app/requests/"), format!("/app/requests/{request}"));
    let seen = ada.get(&format!("/app/requests/new?license={license}")).await;
    let page = format!("/app/requests/{request}");
    assert_eq!(seen.location.as_deref(), Some(page.as_str()));
    ada.get(&page).await.says(200, &["You already have an offer for this license"]);
}

#[db_test]
async fn unread_offers_and_messages_are_counted_in_the_menu(fixture: WebFixture) {
    let (mut mary, page) = offered(&fixture, ADA).await;
    let mut ada = fixture.ada().await;
    ada.get("/app").await.says(200, &["Requests 1 unread"]);
    let form = [("message", "Any questions?")];
    mary.follow(&format!("{page}/messages"), &form).await.says(200, &["Message sent"]);
    ada.get("/app").await.says(200, &["Requests 2 unread"]);
    let seen = ada.get("/app/requests").await;
    seen.says(200, &["You have 2 unread updates.", "Winter", "Offer received"]);
    ada.get(&page).await.says(200, &["Any questions?"]).hides("unread");
    ada.get("/app").await.says(200, &["Requests"]).hides("unread");
    let form = [("reason", "Too short")];
    ada.follow(&format!("{page}/decline"), &form).await.says(200, &["Declined by Ada Lovelace"]);
    mary.get(&page).await.says(200, &["Declined by Ada Lovelace", "Babbage Talent"]);
}

#[db_test]
async fn owners_and_who_asked_are_mailed_but_not_who_acts(fixture: WebFixture) {
    let mut mary = fixture.stranger().await;
    let license = public_license(&mut mary).await;
    fixture.becomes("Brand").await;
    let mut colleague = fixture.colleague("Organization_User").await;
    let mut form = vec![("license", license.as_str())];
    form.extend(WISH);
    let request = colleague.post("/app/requests/new", &form).await.made();
    let link = format!("{ORIGIN}/app/requests/{request}");
    let mail = fixture.app.newest_mail("mary@example.com").await;
    assert!(mail.contains("Babbage Talent requested Winter") && mail.contains(&link), "{mail}");
    assert!(!fixture.app.newest_mail(ADA).await.contains(&link), "the own side knows");
    mary.post(&format!("/app/requests/{request}/offer"), &TERMS).await.made();
    for person in [ADA, "colleague@example.com"] {
        let mail = fixture.app.newest_mail(person).await;
        assert!(mail.contains("Somerville & Co made you an offer for Winter"), "{person}: {mail}");
    }
    let mail = fixture.app.newest_mail("mary@example.com").await;
    assert!(mail.contains("requested Winter"), "Mary made the offer: {mail}");
}
