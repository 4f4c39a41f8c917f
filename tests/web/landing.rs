//! `/`: the front page, and the ways into the sample data.

use grantor_domain::limit::Limits;
use grantor_service::Context;
use grantor_service::identity::{ceremony, sample};
use grantor_storage::user;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;

use super::kit::{ADA, WebFixture};

const HOME: &str = "http://127.0.0.1:8080";
const WAYS: [&str; 4] = ["agency", "brand", "platform", "staff"];

type Header<'a> = (&'static str, &'a str);

/// A server with sample data, as `grantor serve --demo` starts it on this machine.
struct SampleHome(TestApp);

impl Fixture for SampleHome {
    async fn on(engine: Engine) -> Self {
        let config = TestConfig {
            limits: Limits::off(),
            origin: Some(HOME.to_owned()),
            ..TestConfig::default()
        };
        let app = TestApp::with_config(engine, config).await;
        grantor_demo::fill(&app.app).await.unwrap_or_else(|error| panic!("{error}"));
        let entrances = grantor_demo::entrances(&app.app).await.unwrap();
        Self(app.with_entrances(entrances))
    }
}

impl SampleHome {
    /// A request from an address, with more headers.
    async fn ask(&self, method: Method, path: &str, from: &str, more: &[Header<'_>]) -> Answer {
        let mut request = self.0.request(method, path).from(from);
        request = request.header("sec-fetch-site", "same-origin");
        for &(name, value) in more {
            request = request.header(name, value);
        }
        request.send().await
    }

    /// As a browser on the machine asks.
    async fn here(&self, method: Method, path: &str, more: &[Header<'_>]) -> Answer {
        let mut all = vec![("host", "localhost:8080")];
        all.extend(more);
        self.ask(method, path, "127.0.0.1", &all).await
    }
}

fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}

/// The cookies that an answer sets, as a browser sends them back.
fn cookies(answer: &Answer) -> String {
    let lines = answer.headers.get_all("set-cookie").iter();
    let pairs = lines.map(|it| it.to_str().unwrap().split(';').next().unwrap());
    pairs.collect::<Vec<_>>().join("; ")
}

#[db_test]
async fn the_front_page_says_what_this_is(fixture: WebFixture) {
    let seen = fixture.browser().get("/").await;
    seen.says(
        200,
        &[
            "Licenses for names, images and likenesses",
            "Grantor is an open licensing server.",
            "Sign up",
            "Check a picture",
            "Verify a receipt",
        ],
    );
    seen.hides("Enter as").hides("Open the console");
    for path in ["/app/catalog", "/app/catalog/check", "/verify", "/docs/"] {
        assert!(seen.page.contains(&format!("href=\"{path}\"")), "{path}: {}", seen.page);
    }
    assert!(seen.page.contains("<meta name=\"description\""), "{}", seen.page);
    let title = "og:title\" content=\"Licenses for names, images and likenesses\"";
    assert!(seen.page.contains(title), "{}", seen.page);
    let picture =
        seen.between("og:image\" content=\"https://grantor.test", "\"").expect("a picture");
    let shown = fixture.app.get(&picture).await;
    assert_eq!((shown.status.as_u16(), shown.header("content-type")), (200, Some("image/png")));
    let other = fixture.browser().get("/app/sign-in").await;
    assert_eq!(other.page.matches("<meta name=\"description\"").count(), 1, "{}", other.page);
    let seen = fixture.ada().await.get("/").await;
    seen.says(200, &["Open the console"]).hides("href=\"/app/sign-up\"");
}

#[db_test]
async fn the_sample_is_entered_by_its_buttons(sample: SampleHome) {
    let page = text(&sample.here(Method::GET, "/", &[]).await);
    for way in WAYS {
        assert!(page.contains(&format!("action=\"/app/sample/{way}\"")), "{way}: {page}");
    }
    let german = text(&sample.here(Method::GET, "/", &[("accept-language", "de")]).await);
    assert!(german.contains("Dieser Server") && !german.contains("This server"), "{german}");
    for (way, to, shown) in [
        ("agency", "/app", "Hello, Marguerite"),
        ("brand", "/app", "Hello, Henrik"),
        ("platform", "/app", "Hello, Dolores"),
        ("staff", "/app/admin", "What fails"),
    ] {
        let entered = sample.here(Method::POST, &format!("/app/sample/{way}"), &[]).await;
        assert_eq!((entered.status.as_u16(), entered.header("location")), (303, Some(to)), "{way}");
        let cookies = cookies(&entered);
        let seen = sample.here(Method::GET, to, &[("cookie", &cookies)]).await;
        assert!(text(&seen).contains(shown), "{way}: {}", text(&seen));
    }
    let unknown = sample.here(Method::POST, "/app/sample/individual", &[]).await;
    assert_eq!(unknown.status, 404);
}

#[db_test]
async fn only_who_sits_at_the_machine_enters(sample: SampleHome) {
    let host = ("host", "127.0.0.1:8080");
    for (from, more) in [
        ("203.0.113.7", vec![host]),
        ("127.0.0.1", vec![("host", "evil.example:8080")]),
        ("127.0.0.1", vec![host, ("x-forwarded-for", "203.0.113.7")]),
        ("127.0.0.1", vec![host, ("forwarded", "for=203.0.113.7")]),
    ] {
        let page = text(&sample.ask(Method::GET, "/", from, &more).await);
        assert!(!page.contains("/app/sample/"), "{from} {more:?}: {page}");
        for way in WAYS {
            let path = format!("/app/sample/{way}");
            let refused = sample.ask(Method::POST, &path, from, &more).await;
            assert_eq!(
                (refused.status.as_u16(), &*cookies(&refused)),
                (404, ""),
                "{from} {more:?}"
            );
        }
    }
    // Another site's form, though it runs in a browser on this machine.
    let mut request = sample.0.request(Method::POST, "/app/sample/agency").from("127.0.0.1");
    request = request.header("host", "localhost:8080").header("sec-fetch-site", "cross-site");
    assert_eq!(request.send().await.status, 403);
}

#[db_test]
async fn without_sample_data_there_is_nothing_to_enter(fixture: WebFixture) {
    let app = &fixture.app;
    assert!(grantor_demo::entrances(&app.app).await.unwrap().is_empty());
    for way in WAYS {
        let request = app.request(Method::POST, &format!("/app/sample/{way}")).from("127.0.0.1");
        let request = request.header("host", "localhost").header("sec-fetch-site", "same-origin");
        assert_eq!(request.send().await.status, 404, "{way}");
    }
    // Nor does the service let anybody in.
    let ada = app.database.store.read(|tx| user::find_by_email(tx, ADA)).await;
    let ada = ada.unwrap().unwrap().id;
    let context = Context::operator(app.app.clock.monotonic());
    let secret = ceremony::new_secret(&app.app);
    let refused = sample::enter(&app.app, &context, ada, &secret).await;
    assert_eq!(refused.err().unwrap().message(), "Sample account not found");
}
