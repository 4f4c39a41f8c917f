//! The ways in: signing up, mailed links and codes, another password, invitations.

use grantor_testkit::db_test;
use serde_json::json;

use super::kit::{ADA, WebFixture};
use crate::console::PASSWORD;

const GRACE: [(&str, &str); 5] = [
    ("organization.type", "Brand"),
    ("organization.name", "Hopper Brands"),
    ("fullname", "Grace Hopper"),
    ("email", "grace@example.com"),
    ("password", PASSWORD),
];

#[db_test]
async fn a_brand_signs_up_with_the_mailed_code(fixture: WebFixture) {
    let mut browser = fixture.browser();
    let seen = browser.get("/app/sign-up").await;
    seen.says(200, &["Account type", "Organization name (required for organizations)", "Password"]);
    let seen = browser.follow("/app/sign-up", &GRACE).await;
    seen.says(200, &["Enter your code", "grace@example.com"]).hides(PASSWORD);
    let session = seen.between("name=\"otpSession\" value=\"", "\"").unwrap();
    let code = fixture.app.mailed_code("grace@example.com").await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let form = [("otpSession", &*session), ("email", "grace@example.com"), ("otp", wrong)];
    let refused = browser.post("/app/sign-up/code", &form).await;
    refused.says(422, &[]).refuses("otp", "The code is incorrect.");
    refused.holds("otp", wrong).begins_at("otp");
    // As copied from an email, or typed in two parts.
    let spaced = format!("    {} {}\n", &code[..3], &code[3..]);
    let form = [("otpSession", &*session), ("otp", &*spaced)];
    let seen = browser.follow("/app/sign-up/code", &form).await;
    seen.says(200, &["Welcome to Grantor", "Hello, Grace", "First steps 0 of 5 done"]);
    // The session is one like any other.
    let seen = browser.get("/app/profile").await;
    seen.says(200, &["Emailed link or code"]);
    browser.follow("/app/sign-out", &[]).await.says(200, &["You're signed out"]);
    fixture.signed_in("grace@example.com").await.get("/app").await.says(200, &["Hello, Grace"]);
}

/// Knowing the session and the code does not sign in a browser that did not start the sign-up.
#[db_test]
async fn another_browser_verifies_the_address_and_signs_in_afterwards(fixture: WebFixture) {
    let seen = fixture.browser().follow("/app/sign-up", &GRACE).await;
    let session = seen.between("name=\"otpSession\" value=\"", "\"").unwrap();
    let code = fixture.app.mailed_code("grace@example.com").await;
    let mut elsewhere = fixture.browser();
    let form = [("otpSession", &*session), ("otp", &*code), ("next", "/app/billing")];
    let seen = elsewhere.follow("/app/sign-up/code", &form).await;
    seen.says(200, &["Your account is active"]).holds("username", "grace@example.com");
    seen.holds("next", "/app/billing");
    assert_eq!(elsewhere.cookie("__Host-grantor"), None);
    assert_eq!(elsewhere.get("/app").await.location.as_deref(), Some("/app/sign-in"));
}

#[db_test]
async fn a_person_signs_up_for_themself(fixture: WebFixture) {
    let mut form = GRACE;
    (form[0].1, form[1].1) = ("", "");
    let seen = fixture.browser().follow("/app/sign-up", &form).await;
    let session = seen.between("name=\"otpSession\" value=\"", "\"").unwrap();
    let code = fixture.app.mailed_code("grace@example.com").await;
    let form = [("otpSession", &*session), ("otp", &*code)];
    fixture.browser().follow("/app/sign-up/code", &form).await.says(200, &["Sign in"]);
    let mut grace = fixture.signed_in("grace@example.com").await;
    let seen = grace.get("/app").await;
    seen.says(200, &["Individual", "First steps 0 of 3 done", "Create a license with a picture"]);
    seen.hides("Add a talent").hides("Invite a colleague");
    // What is for organizations alone is neither offered nor open.
    for page in ["/app/organization/security", "/app/organization/single-sign-on"] {
        grace.get("/app/organization").await.says(200, &["Individual"]).hides(page);
        grace.get("/app/search").await.says(200, &["Your profile"]).hides(page);
        grace.get(page).await.says(403, &["You don't have access", "organizations"]);
        fixture.ada().await.get(page).await.says(200, &[]);
    }
    grace.post("/app/organization/security", &[("required", "true")]).await.says(403, &[]);
}

#[db_test]
async fn a_refused_sign_up_keeps_what_was_typed_but_the_password(fixture: WebFixture) {
    let form = [
        ("organization.type", "Agency"),
        ("organization.name", "x"),
        ("fullname", "G"),
        ("email", "nowhere"),
        ("password", "short-1"),
    ];
    let label = "Organization name (required for organizations)";
    fixture.browser().get("/app/sign-up").await.says(200, &[label]);
    let seen = fixture.browser().post("/app/sign-up", &form).await;
    seen.says(422, &["Please fix the fields below", label]).hides("short-1");
    seen.holds("fullname", "G").holds("email", "nowhere").holds("organization.name", "x");
    for field in ["organization.name", "fullname", "email", "password"] {
        assert!(seen.page.contains(&format!("id=\"{field}-wrong\"")), "{field}: {}", seen.text);
    }
    let mut taken = GRACE;
    taken[3].1 = ADA;
    let seen = fixture.browser().post("/app/sign-up", &taken).await;
    seen.says(409, &["An account with this email address already exists"]).holds("email", ADA);
}

#[db_test]
async fn another_code_replaces_the_first(fixture: WebFixture) {
    let mut browser = fixture.browser();
    let seen = browser.follow("/app/sign-up", &GRACE).await;
    let session = seen.between("name=\"otpSession\" value=\"", "\"").unwrap();
    let first = fixture.app.mailed_code("grace@example.com").await;
    let form = [("otpSession", &*session), ("email", "grace@example.com")];
    browser.post("/app/sign-up/again", &form).await.says(429, &["Enter your code"]);
    fixture.app.clock.advance(std::time::Duration::from_secs(61));
    browser.post("/app/sign-up/again", &form).await.says(200, &["We emailed you a new code"]);
    let second = fixture.app.mailed_code("grace@example.com").await;
    assert_ne!(first, second);
    let form = [("otpSession", &*session), ("otp", &*second)];
    browser.follow("/app/sign-up/code", &form).await.says(200, &["Welcome to Grantor"]);
}

#[db_test]
async fn a_mailed_link_signs_in_by_its_button(fixture: WebFixture) {
    let mut browser = fixture.browser();
    let seen = browser.follow("/app/sign-in/link", &[("email", ADA)]).await;
    seen.says(200, &["Check your email", ADA]);
    let token = fixture.app.mailed_token(ADA).await;
    let seen = browser.get(&format!("/app/magic?token={token}")).await;
    seen.says(200, &["Click the button to sign in"]).holds("token", &token);
    browser.follow("/app/magic", &[("token", &*token)]).await.says(200, &["Hello, Ada"]);
    let seen = fixture.browser().post("/app/magic", &[("token", &*token)]).await;
    seen.says(401, &["The code or link is invalid", "Email me a new link"]);
}

#[db_test]
async fn a_link_without_its_token_is_called_incomplete(fixture: WebFixture) {
    for path in ["/app/magic", "/app/magic?token="] {
        let seen = fixture.browser().get(path).await;
        seen.says(200, &["This link is incomplete", "Email me a new link"])
            .hides("Click the button");
    }
}

#[db_test]
async fn the_code_beside_the_link_signs_in_too(fixture: WebFixture) {
    let mut browser = fixture.browser();
    browser
        .post("/app/sign-in/link", &[("email", "nowhere")])
        .await
        .refuses("email", "Must be an email address such as name@example.com.");
    browser.post("/app/sign-in/link", &[("email", ADA)]).await;
    let code = fixture.app.mailed_code(ADA).await;
    let seen = browser.post("/app/sign-in/code", &[("email", ADA), ("otp", "12")]).await;
    seen.says(422, &["Check your email"]).holds("otp", "12");
    let form = [("email", ADA), ("otp", &*code)];
    browser.follow("/app/sign-in/code", &form).await.says(200, &["Hello, Ada"]);
}

#[db_test]
async fn a_forgotten_password_is_replaced(fixture: WebFixture) {
    let mut browser = fixture.browser();
    let seen = browser.follow("/app/forgot", &[("email", ADA)]).await;
    let sent = "If ada@example.com has an account, we emailed a code to that address.";
    let session = seen.says(200, &[sent]).between("name=\"otpSession\" value=\"", "\"");
    let (session, code) = (session.unwrap(), fixture.app.mailed_code(ADA).await);
    let weak = [("otpSession", &*session), ("email", ADA), ("otp", &*code), ("newPassword", "a")];
    let seen = browser.post("/app/reset", &weak).await;
    assert!(seen.page.contains("id=\"newPassword-wrong\""), "{}", seen.text);
    let form =
        [("otpSession", &*session), ("otp", &*code), ("newPassword", "Difference-Engine-22")];
    browser.follow("/app/reset", &form).await.says(200, &["Password changed"]);
    let form = [("username", ADA), ("password", "Difference-Engine-22")];
    browser.follow("/app/sign-in", &form).await.says(200, &["Hello, Ada"]);
}

#[db_test]
async fn the_link_of_a_reset_leads_to_a_page_and_is_used_by_its_button(fixture: WebFixture) {
    let mut browser = fixture.browser();
    browser.follow("/app/forgot", &[("email", ADA)]).await;
    let token = fixture.app.mailed_token(ADA).await;
    let seen = fixture.browser().get(&format!("/app/reset?token={token}")).await;
    seen.says(200, &["Choose a new password", "This link works once"]).holds("token", &token);
    seen.says(200, &["The new password is for ada@example.com."]);
    let unknown = fixture.browser().get("/app/reset?token=grl_unknown").await;
    unknown.says(200, &["Choose a new password"]).hides("The new password is for");
    let weak = browser.post("/app/reset", &[("token", &*token), ("newPassword", "a")]).await;
    assert!(weak.says(422, &[ADA]).page.contains("id=\"newPassword-wrong\""), "{}", weak.text);
    let form = [("token", &*token), ("newPassword", "Difference-Engine-22")];
    browser.follow("/app/reset", &form).await.says(200, &["Password changed"]);
    browser.post("/app/reset", &form).await.says(422, &["This session is invalid or has expired"]);
    let form = [("username", ADA), ("password", "Difference-Engine-22")];
    browser.follow("/app/sign-in", &form).await.says(200, &["Hello, Ada"]);
}

#[db_test]
async fn a_forgotten_password_leads_on_to_the_page(fixture: WebFixture) {
    let mut browser = fixture.browser();
    browser.get("/app/sign-in").await.says(200, &["Sign in"]).hides("to see this page");
    let to = browser.get("/app/talents").await.location.expect("the sign-in page");
    let seen = browser.get(&to).await;
    let form = seen.says(200, &["Sign in to see this page."]).link("/app/forgot?next=");
    browser.get(&form).await.says(200, &[]).holds("next", "/app/talents");
    let sent = browser.post("/app/forgot", &[("email", ADA), ("next", "/app/talents")]).await;
    let page = sent.location.expect("the code page");
    assert_eq!(page, "/app/reset?next=%2Fapp%2Ftalents");
    browser.get(&page).await.says(200, &["Choose a new password"]).holds("next", "/app/talents");
    let mail = fixture.app.newest_mail(ADA).await;
    assert!(mail.contains("&next=%2Fapp%2Ftalents"), "{mail}");
    let token = fixture.app.mailed_token(ADA).await;
    let link = format!("/app/reset?token={token}&next=%2Fapp%2Ftalents");
    fixture.browser().get(&link).await.says(200, &[]).holds("next", "/app/talents");
    let password = "Difference-Engine-22";
    let form = [("token", &*token), ("newPassword", password), ("next", "/app/talents")];
    let seen = browser.follow("/app/reset", &form).await;
    seen.says(200, &["Password changed"]).holds("next", "/app/talents");
    let sent = browser.post("/app/forgot", &[("email", ADA), ("next", "//evil.example")]).await;
    assert_eq!(sent.location.as_deref(), Some("/app/reset"));
}

#[db_test]
async fn a_person_signs_up_without_a_password(fixture: WebFixture) {
    let mut browser = fixture.browser();
    browser.get("/app/sign-up").await.says(200, &["Sign up without a password"]);
    let wrong = browser.post("/app/sign-up/link", &[("fullname", "G"), ("email", "x")]).await;
    wrong.says(422, &[]).refuses("fullname", "Must be 2 to 100 characters.").holds("email", "x");
    let form = [("fullname", "Grace Hopper"), ("email", "grace@example.com")];
    let seen = browser.follow("/app/sign-up/link", &form).await;
    seen.says(200, &["Check your email", "grace@example.com"]);
    let code = fixture.app.mailed_code("grace@example.com").await;
    let form = [("email", "grace@example.com"), ("otp", &*code)];
    let seen = browser.follow("/app/sign-in/code", &form).await;
    seen.says(200, &["Hello, Grace", "Individual"]);
}

#[db_test]
async fn the_link_signs_up_without_a_password_too(fixture: WebFixture) {
    let mut browser = fixture.browser();
    for email in ["grace@example.com", ADA] {
        let form = [("fullname", "Grace Hopper"), ("email", email)];
        browser.follow("/app/sign-up/link", &form).await.says(200, &["Check your email"]);
    }
    fixture.app.mailed_code("grace@example.com").await;
    let token = fixture.app.mailed_token("grace@example.com").await;
    browser.get(&format!("/app/magic?token={token}")).await.says(200, &["Click the button"]);
    browser.follow("/app/magic", &[("token", &*token)]).await.says(200, &["Hello, Grace"]);
}

#[db_test]
async fn an_invitation_is_accepted_by_its_mailed_link(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let form = [("fullname", "Mary Somerville"), ("email", "mary@example.com")];
    ada.follow("/app/talents/invite", &form).await.says(200, &["Invitation sent"]);
    let mail = fixture.app.newest_mail("mary@example.com").await;
    assert!(mail.contains("/app/invitation?token="), "{mail}");
    assert!(!mail.contains("through the API"), "{mail}");
    let token = fixture.app.mailed_token("mary@example.com").await;
    let mut mary = fixture.browser();
    let seen = mary.get(&format!("/app/invitation?token={token}")).await;
    seen.says(200, &["Babbage Talent has invited mary@example.com."])
        .holds("fullname", "Mary Somerville");
    let seen = mary.post("/app/invitation", &[("token", &*token), ("password", "weak")]).await;
    assert!(seen.status == 422 && seen.page.contains("id=\"password-wrong\""), "{}", seen.text);
    let form = [("token", &*token), ("password", PASSWORD)];
    let seen = mary.follow("/app/invitation", &form).await;
    seen.says(200, &["You can now manage your record", "Hello, Mary"]);
    fixture.signed_in("mary@example.com").await;
    mary.post("/app/invitation", &form)
        .await
        .says(422, &["This invitation is invalid, has expired or was already used"]);
    mary.get("/app/invitation?token=x")
        .await
        .says(422, &["This invitation is invalid, has expired or was already used"]);
}

#[db_test]
async fn whoever_is_signed_in_accepts_without_a_name_and_stays_in_the_console(fixture: WebFixture) {
    let mut mary = fixture.stranger().await;
    let mut ada = fixture.ada().await;
    let team = ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let invitee = [
        ("firstname", "Mary"),
        ("lastname", "Shelley"),
        ("email", "mary@example.com"),
        ("role", "Team_Lead"),
    ];
    ada.follow(&format!("/app/teams/{team}/invite"), &invitee).await;
    let token = fixture.app.mailed_token("mary@example.com").await;
    let seen = mary.get(&format!("/app/invitation?token={token}")).await;
    seen.says(200, &["Babbage Talent has invited mary@example.com."]).hides("Your name");
    let seen = mary.follow("/app/invitation", &[("token", &*token)]).await;
    let welcome = "Welcome to the team. Switch to the organization to get started";
    seen.says(200, &[welcome, "Switch organization", "Babbage Talent"]);
}

#[db_test]
async fn whoever_has_an_account_still_signs_in_after_accepting(fixture: WebFixture) {
    fixture.stranger().await;
    let mut ada = fixture.ada().await;
    let form = [("fullname", "Mary Somerville"), ("email", "mary@example.com")];
    ada.follow("/app/talents/invite", &form).await.says(200, &["Invitation sent"]);
    let token = fixture.app.mailed_token("mary@example.com").await;
    let mut mary = fixture.browser();
    let form = [("token", &*token), ("password", "Another-Engine-22")];
    let seen = mary.follow("/app/invitation", &form).await;
    seen.says(200, &["You can now manage your record. Sign in to continue."])
        .holds("username", "mary@example.com");
    assert_eq!(mary.get("/app/profile").await.status, 303);
}

#[db_test]
async fn every_page_that_sets_a_password_estimates_its_strength(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let form = [("fullname", "Mary Somerville"), ("email", "mary@example.com")];
    ada.post("/app/talents/invite", &form).await;
    let invitation = fixture.app.mailed_token("mary@example.com").await;
    let mut browser = fixture.browser();
    let forgotten = browser.follow("/app/forgot", &[("email", ADA)]).await;
    let invited = browser.get(&format!("/app/invitation?token={invitation}")).await;
    let [signing_up, profile] = [browser.get("/app/sign-up").await, ada.get("/app/profile").await];
    for (seen, field) in [
        (signing_up, "password"),
        (forgotten, "newPassword"),
        (invited, "password"),
        (profile, "newPassword"),
    ] {
        seen.says(200, &["At least 8 characters, with uppercase"]);
        let meter = format!("data-strength=\"{field}\" hidden");
        assert!(seen.page.contains(&meter), "{}", seen.page);
    }
}

#[db_test]
async fn a_page_for_forms_leads_back_to_the_start(fixture: WebFixture) {
    let seen = fixture.browser().get("/app/sign-up/again").await;
    assert_eq!((seen.status, seen.location.as_deref()), (303, Some("/app")));
    let seen = fixture.browser().get("/app/sign-up/code").await;
    assert_eq!((seen.status, seen.location.as_deref()), (303, Some("/app/sign-up")));
    let seen = fixture.browser().get("/app/nowhere").await;
    seen.says(404, &["Page not found"]);
    for path in ["/app/nowhere", "/app/licenses"] {
        fixture.ada().await.post(path, &[]).await.says(404, &["Page not found"]);
    }
    assert_eq!(fixture.app.post("/app/sign-in", &json!({})).await.status, 403);
}

#[db_test]
async fn a_slash_at_the_end_leads_to_the_page(fixture: WebFixture) {
    for (path, page) in [
        ("/verify/", "/verify"),
        ("/verify/AAAAAAAAAAAAAAAAAAAAAA/", "/verify/AAAAAAAAAAAAAAAAAAAAAA"),
        ("/docs/search/", "/docs/search"),
        ("/app/", "/app"),
        ("/app/catalog/?q=a%20b", "/app/catalog?q=a%20b"),
        ("/app/nowhere//", "/app/nowhere"),
    ] {
        let seen = fixture.browser().get(path).await;
        assert_eq!((seen.status, seen.location.as_deref()), (308, Some(page)), "{path}");
    }
}
