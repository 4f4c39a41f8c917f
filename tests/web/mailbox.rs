//! `/app/dev/mail`: mails that were written to files, for whoever sits at the machine.

use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;
use serde_json::json;

use super::kit::ADA;
use crate::console::account;

const HOME: &str = "http://127.0.0.1:8080";

/// An app as it stands after a first start: everything is on this machine.
struct Cabin(TestApp);

impl Fixture for Cabin {
    async fn on(engine: Engine) -> Self {
        let config = TestConfig { origin: Some(HOME.to_owned()), ..TestConfig::default() };
        let app = TestApp::with_config(engine, config).await;
        assert_eq!(account(&app, ADA, "Babbage Talent").await.status, 201);
        app.post("/magic-link", &json!({ "email": ADA })).await;
        app.app.mailer.send_due(100).await.unwrap();
        Self(app)
    }
}

impl Cabin {
    async fn get(&self, path: &str, from: &str, host: &str) -> Answer {
        self.0.request(Method::GET, path).from(from).header("host", host).send().await
    }

    /// As a browser on the machine asks.
    async fn see(&self, path: &str) -> (u16, String) {
        let answer = self.get(path, "127.0.0.1", "localhost:8080").await;
        (answer.status.as_u16(), String::from_utf8_lossy(&answer.body).into_owned())
    }

    /// The address of the newest letter.
    async fn letter(&self) -> String {
        let (status, page) = self.see("/app/dev/mail").await;
        assert_eq!(status, 200, "{page}");
        let (_, rest) = page.split_once("href=\"/app/dev/mail/").expect("a letter");
        format!("/app/dev/mail/{}", rest.split_once('"').unwrap().0)
    }
}

#[db_test]
async fn a_letter_is_read_and_its_links_followed(cabin: Cabin) {
    let path = cabin.letter().await;
    let (status, page) = cabin.see(&path).await;
    assert_eq!(status, 200);
    assert!(page.contains(ADA) && page.contains(&format!("<a href=\"{HOME}")), "{page}");
    assert!(page.contains(&format!("src=\"{path}/html\" sandbox=\"\"")), "{page}");
    let framed = cabin.get(&format!("{path}/html"), "127.0.0.1", "127.0.0.1:8080").await;
    let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";
    assert_eq!(framed.header("content-security-policy"), Some(policy));
    assert!(String::from_utf8_lossy(&framed.body).starts_with("<!DOCTYPE html>"));
}

#[db_test]
async fn a_name_that_is_no_letters_leads_nowhere(cabin: Cabin) {
    for name in ["x", "..%2Fkeys.json", "%2Fetc%2Fpasswd", "20260101T000000Z-x.eml"] {
        for part in ["", "/html"] {
            assert_eq!(cabin.see(&format!("/app/dev/mail/{name}{part}")).await.0, 404, "{name}");
        }
    }
}

/// Neither somebody elsewhere, nor a page whose name only points here.
#[db_test]
async fn only_who_sits_at_the_machine_reads_mails(cabin: Cabin) {
    let path = cabin.letter().await;
    for (from, host) in [("203.0.113.7", "127.0.0.1:8080"), ("127.0.0.1", "evil.example:8080")] {
        for path in ["/app/dev/mail", &path, &format!("{path}/html")] {
            assert_eq!(cabin.get(path, from, host).await.status, 404, "{from} {host}");
        }
    }
}

#[db_test]
async fn a_house_with_an_address_of_its_own_shows_none(app: TestApp) {
    let cabin = Cabin(app);
    assert_eq!(cabin.see("/app/dev/mail").await.0, 404);
    assert!(!cabin.see("/app/sign-in").await.1.contains("/app/dev/mail"));
}

#[db_test]
async fn the_way_in_tells_of_the_mailbox(cabin: Cabin) {
    let link = "href=\"/app/dev/mail\" target=\"_blank\" rel=\"noopener\"";
    assert!(cabin.see("/app/sign-in").await.1.contains(link));
    let elsewhere = cabin.get("/app/sign-in", "203.0.113.7", "127.0.0.1:8080").await;
    assert!(!String::from_utf8_lossy(&elsewhere.body).contains("/app/dev/mail"));
}
