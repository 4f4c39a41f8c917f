//! Emails in the language of the page that they were asked for on, or of the person.

use std::time::Duration;

use grantor_service::mail::SavedMail;
use grantor_testkit::app::TestApp;
use grantor_testkit::db_test;
use http::Method;
use serde_json::json;

use super::kit::{ADA, WebFixture};
use crate::console::PASSWORD;

/// Sends a form from a page in German.
async fn post_in_german(app: &TestApp, path: &str, form: &[(&str, &str)]) {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let request = app
        .request(Method::POST, path)
        .header("sec-fetch-site", "same-origin")
        .header("accept-language", "de-DE,de;q=0.9,en;q=0.8")
        .header("content-type", "application/x-www-form-urlencoded");
    assert_eq!(request.body(body).send().await.status, 303, "{path}");
}

/// Sends what waits and deletes all mails.
async fn clear(app: &TestApp) {
    app.app.mailer.send_due(1_000).await.unwrap();
    std::fs::remove_dir_all(app.mail_folder()).unwrap();
}

/// Sends what waits and returns the only mail to an address since the last call.
async fn only_mail(app: &TestApp, to: &str) -> SavedMail {
    app.app.mailer.send_due(1_000).await.unwrap();
    let mailbox = app.app.mailer.mailbox().unwrap();
    let mut found = vec![];
    for it in mailbox.list(1_000).await.unwrap() {
        if it.to == to {
            found.push(mailbox.read(&it.name).await.unwrap().unwrap());
        }
    }
    clear(app).await;
    let [mail] = <[SavedMail; 1]>::try_from(found).unwrap();
    mail
}

#[db_test]
async fn who_asks_on_a_german_page_gets_a_german_mail(fixture: WebFixture) {
    let app = &fixture.app;
    clear(app).await;
    let form = [
        ("organization.type", "Brand"),
        ("organization.name", "Hopper Brands"),
        ("fullname", "Grace Hopper"),
        ("email", "grace@example.com"),
        ("password", PASSWORD),
    ];
    post_in_german(app, "/app/sign-up", &form).await;
    let mail = only_mail(app, "grace@example.com").await;
    assert!(mail.subject.ends_with(" ist Ihr Grantor-Code"), "{}", mail.subject);
    let begin = "Guten Tag,\n\ngeben Sie diesen Code ein, um Ihre Registrierung abzuschließen:\n\n";
    assert!(mail.text.replace('\r', "").starts_with(begin), "{}", mail.text);
    assert!(mail.html.unwrap().starts_with("<!DOCTYPE html><html lang=\"de\">"));

    for (path, subject, line) in [
        ("/app/sign-in/link", "Bei Grantor anmelden", "mit diesem Link melden Sie sich an:"),
        ("/app/forgot", " ist Ihr Grantor-Code", "Passwort zurücksetzen:"),
    ] {
        app.clock.advance(Duration::from_mins(10));
        post_in_german(app, path, &[("email", ADA)]).await;
        let mail = only_mail(app, ADA).await;
        assert!(mail.subject.ends_with(subject), "{}", mail.subject);
        let text = mail.text.replace('\r', "");
        assert!(text.starts_with("Guten Tag Ada Lovelace,\n\n") && text.contains(line), "{text}");
        post_in_german(app, path, &[("email", "nobody@example.com")]).await;
        let mail = only_mail(app, "nobody@example.com").await;
        assert_eq!(mail.subject, "Kein Grantor-Konto mit dieser E-Mail-Adresse");
    }

    app.clock.advance(Duration::from_mins(10));
    let mut browser = fixture.browser();
    browser.follow("/app/sign-in/link", &[("email", ADA)]).await;
    let mail = only_mail(app, ADA).await;
    assert_eq!(mail.subject, "Sign in to Grantor", "an English page");
}

/// Who signed in on a German page gets German mails from then on, also about what a program does.
#[db_test]
async fn later_mails_are_in_the_language_of_the_last_sign_in(fixture: WebFixture) {
    let app = &fixture.app;
    post_in_german(app, "/app/sign-in", &[("username", ADA), ("password", PASSWORD)]).await;
    clear(app).await;
    let session = app.sign_in(ADA, PASSWORD).await;
    let token = session["accessToken"].as_str().unwrap();
    let body = json!({ "password": PASSWORD, "newPassword": "Difference-Engine-1822" });
    let path = "/v1.0.1/user/change/password";
    let answer = app.request(Method::PATCH, path).console(token).json(&body).send().await;
    assert_eq!(answer.status, 200, "{}", answer.json());
    let mail = only_mail(app, ADA).await;
    assert_eq!(mail.subject, "Ihr Grantor-Passwort wurde geändert");
    let line = "das Passwort für ada@example.com wurde geändert";
    assert!(mail.text.contains(line), "{}", mail.text);
}
