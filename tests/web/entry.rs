//! The ways in: signing up, mailed links and codes, another password, invitations.

use grantor_testkit::db_test;
use serde_json::json;

use super::kit::{ADA, House};
use crate::console::PASSWORD;

const GRACE: [(&str, &str); 5] = [
    ("organization.type", "Brand"),
    ("organization.name", "Hopper Brands"),
    ("fullname", "Grace Hopper"),
    ("email", "grace@example.com"),
    ("password", PASSWORD),
];

#[db_test]
async fn a_brand_signs_up_with_the_mailed_code(house: House) {
    let mut browser = house.browser();
    browser.get("/app/sign-up").await.says(200, &["Who signs up?", "Password"]);
    let seen = browser.follow("/app/sign-up", &GRACE).await;
    seen.says(200, &["Enter the code", "grace@example.com"]).hides(PASSWORD);
    let session = seen.between("name=\"otpSession\" value=\"", "\"").unwrap();
    let code = house.app.mailed_code("grace@example.com").await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let form = [("otpSession", &*session), ("email", "grace@example.com"), ("otp", wrong)];
    let refused = browser.post("/app/sign-up/code", &form).await;
    refused.says(422, &[]).refuses("otp", "The code is not the one that was sent.");
    refused.holds("otp", wrong).begins_at("otp");
    let form = [("otpSession", &*session), ("otp", &*code)];
    let seen = browser.follow("/app/sign-up/code", &form).await;
    seen.says(200, &["Your account is active"]).holds("username", "grace@example.com");
    house.signed_in("grace@example.com").await.get("/app").await.says(200, &["Hello, Grace"]);
}

#[db_test]
async fn a_person_signs_up_for_themself(house: House) {
    let mut form = GRACE;
    (form[0].1, form[1].1) = ("", "");
    let seen = house.browser().follow("/app/sign-up", &form).await;
    let session = seen.between("name=\"otpSession\" value=\"", "\"").unwrap();
    let code = house.app.mailed_code("grace@example.com").await;
    let form = [("otpSession", &*session), ("otp", &*code)];
    house.browser().follow("/app/sign-up/code", &form).await.says(200, &["Sign in"]);
    let mut grace = house.signed_in("grace@example.com").await;
    grace.get("/app").await.says(200, &["Individual", "Begin with a license"]);
}

#[db_test]
async fn a_refused_sign_up_keeps_what_was_typed_but_the_password(house: House) {
    let form = [
        ("organization.type", "Agency"),
        ("organization.name", "x"),
        ("fullname", "G"),
        ("email", "nowhere"),
        ("password", "short-1"),
    ];
    let seen = house.browser().post("/app/sign-up", &form).await;
    seen.says(422, &["Some fields need another look"]).hides("short-1");
    seen.holds("fullname", "G").holds("email", "nowhere").holds("organization.name", "x");
    for field in ["organization.name", "fullname", "email", "password"] {
        assert!(seen.page.contains(&format!("id=\"{field}-wrong\"")), "{field}: {}", seen.text);
    }
    let mut taken = GRACE;
    taken[3].1 = ADA;
    let seen = house.browser().post("/app/sign-up", &taken).await;
    seen.says(409, &["An account with this address exists already"]).holds("email", ADA);
}

#[db_test]
async fn another_code_replaces_the_first(house: House) {
    let mut browser = house.browser();
    let seen = browser.follow("/app/sign-up", &GRACE).await;
    let session = seen.between("name=\"otpSession\" value=\"", "\"").unwrap();
    let first = house.app.mailed_code("grace@example.com").await;
    let form = [("otpSession", &*session), ("email", "grace@example.com")];
    browser.post("/app/sign-up/again", &form).await.says(429, &["Enter the code"]);
    house.app.clock.advance(std::time::Duration::from_secs(61));
    browser.post("/app/sign-up/again", &form).await.says(200, &["We mailed you another code"]);
    let second = house.app.mailed_code("grace@example.com").await;
    assert_ne!(first, second);
    let form = [("otpSession", &*session), ("otp", &*second)];
    browser.follow("/app/sign-up/code", &form).await.says(200, &["Your account is active"]);
}

#[db_test]
async fn a_mailed_link_signs_in_by_its_button(house: House) {
    let mut browser = house.browser();
    let seen = browser.follow("/app/sign-in/link", &[("email", ADA)]).await;
    seen.says(200, &["Look into your mailbox", ADA]);
    let token = house.app.mailed_token(ADA).await;
    let seen = browser.get(&format!("/app/magic?token={token}")).await;
    seen.says(200, &["One click and you are in"]).holds("token", &token);
    browser.follow("/app/magic", &[("token", &*token)]).await.says(200, &["Hello, Ada"]);
    let seen = house.browser().post("/app/magic", &[("token", &*token)]).await;
    seen.says(401, &["The code or the link is not valid", "Mail me another link"]);
}

#[db_test]
async fn a_link_without_its_token_is_called_incomplete(house: House) {
    for path in ["/app/magic", "/app/magic?token="] {
        let seen = house.browser().get(path).await;
        seen.says(200, &["This link is incomplete", "Mail me another link"]).hides("One click");
    }
}

#[db_test]
async fn the_code_beside_the_link_signs_in_too(house: House) {
    let mut browser = house.browser();
    browser
        .post("/app/sign-in/link", &[("email", "nowhere")])
        .await
        .refuses("email", "Must be an e-mail address such as name@example.com.");
    browser.post("/app/sign-in/link", &[("email", ADA)]).await;
    let code = house.app.mailed_code(ADA).await;
    let seen = browser.post("/app/sign-in/code", &[("email", ADA), ("otp", "12")]).await;
    seen.says(422, &["Look into your mailbox"]).holds("otp", "12");
    let form = [("email", ADA), ("otp", &*code)];
    browser.follow("/app/sign-in/code", &form).await.says(200, &["Hello, Ada"]);
}

#[db_test]
async fn a_forgotten_password_is_replaced(house: House) {
    let mut browser = house.browser();
    let seen = browser.follow("/app/forgot", &[("email", ADA)]).await;
    let session =
        seen.says(200, &["If there is an account"]).between("name=\"otpSession\" value=\"", "\"");
    let (session, code) = (session.unwrap(), house.app.mailed_code(ADA).await);
    let weak = [("otpSession", &*session), ("email", ADA), ("otp", &*code), ("newPassword", "a")];
    let seen = browser.post("/app/reset", &weak).await;
    assert!(seen.page.contains("id=\"newPassword-wrong\""), "{}", seen.text);
    let form =
        [("otpSession", &*session), ("otp", &*code), ("newPassword", "Difference-Engine-22")];
    browser.follow("/app/reset", &form).await.says(200, &["Your password was changed"]);
    let form = [("username", ADA), ("password", "Difference-Engine-22")];
    browser.follow("/app/sign-in", &form).await.says(200, &["Hello, Ada"]);
}

#[db_test]
async fn the_link_of_a_reset_leads_to_a_page_and_is_used_by_its_button(house: House) {
    let mut browser = house.browser();
    browser.follow("/app/forgot", &[("email", ADA)]).await;
    let token = house.app.mailed_token(ADA).await;
    let seen = house.browser().get(&format!("/app/reset?token={token}")).await;
    seen.says(200, &["Choose a password", "The link works once"]).holds("token", &token);
    let weak = browser.post("/app/reset", &[("token", &*token), ("newPassword", "a")]).await;
    assert!(weak.says(422, &[]).page.contains("id=\"newPassword-wrong\""), "{}", weak.text);
    let form = [("token", &*token), ("newPassword", "Difference-Engine-22")];
    browser.follow("/app/reset", &form).await.says(200, &["Your password was changed"]);
    browser.post("/app/reset", &form).await.says(422, &["This session has ended"]);
    let form = [("username", ADA), ("password", "Difference-Engine-22")];
    browser.follow("/app/sign-in", &form).await.says(200, &["Hello, Ada"]);
}

#[db_test]
async fn a_person_signs_up_without_a_password(house: House) {
    let mut browser = house.browser();
    browser.get("/app/sign-up").await.says(200, &["Sign up without a password"]);
    let wrong = browser.post("/app/sign-up/link", &[("fullname", "G"), ("email", "x")]).await;
    wrong.says(422, &[]).refuses("fullname", "Must be 2 to 100 characters.").holds("email", "x");
    let form = [("fullname", "Grace Hopper"), ("email", "grace@example.com")];
    let seen = browser.follow("/app/sign-up/link", &form).await;
    seen.says(200, &["Look into your mailbox", "grace@example.com"]);
    let code = house.app.mailed_code("grace@example.com").await;
    let form = [("email", "grace@example.com"), ("otp", &*code)];
    let seen = browser.follow("/app/sign-in/code", &form).await;
    seen.says(200, &["Hello, Grace", "Individual"]);
}

#[db_test]
async fn the_link_signs_up_without_a_password_too(house: House) {
    let mut browser = house.browser();
    for email in ["grace@example.com", ADA] {
        let form = [("fullname", "Grace Hopper"), ("email", email)];
        browser.follow("/app/sign-up/link", &form).await.says(200, &["Look into your mailbox"]);
    }
    house.app.mailed_code("grace@example.com").await;
    let token = house.app.mailed_token("grace@example.com").await;
    browser.get(&format!("/app/magic?token={token}")).await.says(200, &["One click"]);
    browser.follow("/app/magic", &[("token", &*token)]).await.says(200, &["Hello, Grace"]);
}

#[db_test]
async fn an_invitation_is_accepted_by_its_mailed_link(house: House) {
    let mut ada = house.ada().await;
    let form = [("fullname", "Mary Somerville"), ("email", "mary@example.com")];
    ada.follow("/app/talents/invite", &form).await.says(200, &["The invitation is on its way"]);
    let mail = house.app.newest_mail("mary@example.com").await;
    assert!(mail.contains("/app/invitation?token="), "{mail}");
    let token = house.app.mailed_token("mary@example.com").await;
    let mut mary = house.browser();
    let seen = mary.get(&format!("/app/invitation?token={token}")).await;
    seen.says(200, &["Babbage Talent invites mary@example.com."])
        .holds("fullname", "Mary Somerville");
    let seen = mary.post("/app/invitation", &[("token", &*token), ("password", "weak")]).await;
    assert!(seen.status == 422 && seen.page.contains("id=\"password-wrong\""), "{}", seen.text);
    let form = [("token", &*token), ("password", PASSWORD)];
    mary.follow("/app/invitation", &form).await.says(200, &["the record is yours"]);
    house.signed_in("mary@example.com").await;
    mary.post("/app/invitation", &form).await.says(422, &["This invitation was used"]);
    mary.get("/app/invitation?token=x").await.says(422, &["This invitation was used"]);
}

#[db_test]
async fn whoever_is_signed_in_accepts_without_a_name_and_stays_in_the_console(house: House) {
    let mut mary = house.stranger().await;
    let mut ada = house.ada().await;
    let team = ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let invitee = [
        ("firstname", "Mary"),
        ("lastname", "Shelley"),
        ("email", "mary@example.com"),
        ("role", "Team_Lead"),
    ];
    ada.follow(&format!("/app/teams/{team}/invite"), &invitee).await;
    let token = house.app.mailed_token("mary@example.com").await;
    let seen = mary.get(&format!("/app/invitation?token={token}")).await;
    seen.says(200, &["Babbage Talent invites mary@example.com."]).hides("Your name");
    let seen = mary.follow("/app/invitation", &[("token", &*token)]).await;
    let welcome = "Welcome to the team. Switch to the organization to act there";
    seen.says(200, &[welcome, "Acting for", "Babbage Talent"]);
}

#[db_test]
async fn every_page_that_sets_a_password_estimates_its_strength(house: House) {
    let mut ada = house.ada().await;
    let form = [("fullname", "Mary Somerville"), ("email", "mary@example.com")];
    ada.post("/app/talents/invite", &form).await;
    let invitation = house.app.mailed_token("mary@example.com").await;
    let mut browser = house.browser();
    let forgotten = browser.follow("/app/forgot", &[("email", ADA)]).await;
    let invited = browser.get(&format!("/app/invitation?token={invitation}")).await;
    let [signing_up, profile] = [browser.get("/app/sign-up").await, ada.get("/app/profile").await];
    for (seen, field) in [
        (signing_up, "password"),
        (forgotten, "newPassword"),
        (invited, "password"),
        (profile, "newPassword"),
    ] {
        seen.says(200, &["At least 8 characters with upper case"]);
        let meter = format!("data-strength=\"{field}\" hidden");
        assert!(seen.page.contains(&meter), "{}", seen.page);
    }
}

#[db_test]
async fn a_page_for_forms_leads_back_to_the_start(house: House) {
    let seen = house.browser().get("/app/sign-up/again").await;
    assert_eq!((seen.status, seen.location.as_deref()), (303, Some("/app")));
    let seen = house.browser().get("/app/sign-up/code").await;
    assert_eq!((seen.status, seen.location.as_deref()), (303, Some("/app/sign-up")));
    let seen = house.browser().get("/app/nowhere").await;
    seen.says(404, &["There is nothing here"]);
    for path in ["/app/nowhere", "/app/licenses"] {
        house.ada().await.post(path, &[]).await.says(404, &["There is nothing here"]);
    }
    assert_eq!(house.app.post("/app/sign-in", &json!({})).await.status, 403);
}
