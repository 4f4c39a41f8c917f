//! Bounds that pages share with the APIs: time for a body, memory for uploads, limits by address.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use futures_util::stream;
use grantor_domain::limit::Limits;
use grantor_http::{HttpState, Settings};
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test};
use http::{Method, Request, Response, StatusCode};
use tower::ServiceExt as _;

use super::kit::{ADA, WebFixture};
use super::license::license;
use crate::console::{PASSWORD, access};
use crate::picture::{form, form_type, held_form, png};

const FULL: &str = "Too many uploads are in progress. Try again in a few seconds.";

async fn fixture(engine: Engine, settings: Settings) -> WebFixture {
    WebFixture::with_config(engine, TestConfig { settings, ..TestConfig::default() }).await
}

/// Bodies must arrive at once.
struct Hasty(WebFixture);

impl Fixture for Hasty {
    async fn on(engine: Engine) -> Self {
        let body_time = Duration::from_millis(50);
        Self(fixture(engine, Settings { body_time, ..Settings::default() }).await)
    }
}

#[db_test]
async fn a_form_that_does_not_arrive_is_408(Hasty(fixture): Hasty) {
    let mut ada = fixture.ada().await;
    let text = "application/x-www-form-urlencoded";
    for (path, kind) in [
        ("/app/talents/new", text),
        ("/app/clients/new", text),
        ("/app/licenses/new", &*form_type()),
    ] {
        let never = Body::from_stream(stream::pending::<Result<Bytes, Infallible>>());
        let seen = ada.post_body(path, kind, never).await;
        seen.says(408, &["The form was not received in time. Check your connection"]);
    }
    ada.get("/app/talents").await.says(200, &["No talents yet"]);
}

/// Memory for one upload that does not say how large it is, or for many that do.
struct Narrow {
    fixture: WebFixture,
    license: String,
    token: String,
}

impl Fixture for Narrow {
    async fn on(engine: Engine) -> Self {
        let (upload_memory, upload_wait) = (1024 * 1024, Duration::ZERO);
        let settings = Settings { upload_memory, upload_wait, ..Settings::default() };
        let fixture = fixture(engine, settings).await;
        let license = license(&mut fixture.ada().await, &[("name", "Winter")]).await;
        let token = access(&fixture.app.sign_in(ADA, PASSWORD).await);
        Self { fixture, license, token }
    }
}

impl Narrow {
    fn page(&self) -> String {
        format!("/app/licenses/{}/images", self.license)
    }

    async fn upload_by_api(&self, body: impl Into<Body>) -> Answer {
        let path = format!("/v1.0.1/org/talent/license/{}/image", self.license);
        let request = self.fixture.app.request(Method::PATCH, &path).console(&self.token);
        request.header("content-type", &form_type()).body(body).send().await
    }
}

#[db_test]
async fn an_upload_to_the_api_leaves_no_room_for_one_on_a_page(narrow: Narrow) {
    let mut ada = narrow.fixture.ada().await;
    let (slow, has_begun, rest) = held_form();
    let meanwhile = async {
        has_begun.await.unwrap();
        let seen = ada.upload(&narrow.page(), &[], &[&png(4, 4)]).await;
        seen.says(503, &["Temporarily unavailable", FULL]);
        assert_eq!(seen.retry_after.as_deref(), Some("5"));
        ada.get("/app/licenses").await.says(200, &["Winter"]);
        rest.notify_one();
    };
    let (first, ()) = tokio::join!(narrow.upload_by_api(slow), meanwhile);
    assert_eq!(first.status, 200);
    assert_eq!(ada.upload(&narrow.page(), &[], &[&png(5, 4)]).await.status, 303);
}

#[db_test]
async fn an_upload_on_a_page_leaves_no_room_for_one_to_the_api(narrow: Narrow) {
    let (mut ada, path) = (narrow.fixture.ada().await, narrow.page());
    let (slow, has_begun, rest) = held_form();
    let meanwhile = async {
        has_begun.await.unwrap();
        let answer = narrow.upload_by_api(form(&[], &[&png(5, 4)])).await;
        rest.notify_one();
        answer
    };
    let kind = form_type();
    let (first, second) = tokio::join!(ada.post_body(&path, &kind, slow), meanwhile);
    assert_eq!(first.status, 303, "{}", first.text);
    assert_eq!(second.json()["error"]["message"], FULL);
    assert_eq!(
        (second.status, second.header("retry-after")),
        (StatusCode::SERVICE_UNAVAILABLE, Some("5"))
    );
    assert_eq!(narrow.upload_by_api(form(&[], &[&png(5, 4)])).await.status, 200);
}

/// The pages without the APIs around them.
struct PagesOnly {
    pages: Router,
    _app: TestApp,
}

impl Fixture for PagesOnly {
    async fn on(engine: Engine) -> Self {
        let limits = Limits::parse("login=2/1h").unwrap();
        let app =
            TestApp::with_config(engine, TestConfig { limits, ..TestConfig::default() }).await;
        let http = HttpState::new(app.app.clone(), Settings::default());
        Self { pages: grantor_web::router(&http), _app: app }
    }
}

impl PagesOnly {
    async fn sign_in(&self, from: [u8; 4]) -> Response<Body> {
        let request = Request::post("/app/sign-in")
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "application/x-www-form-urlencoded")
            .extension(ConnectInfo(SocketAddr::from((from, 40_000))));
        let request = request.body(Body::from("username=a%40example.com&password=wrong")).unwrap();
        self.pages.clone().oneshot(request).await.unwrap()
    }
}

#[db_test]
async fn pages_count_addresses_without_the_apis(only: PagesOnly) {
    for _ in 0..2 {
        assert_eq!(only.sign_in([203, 0, 113, 7]).await.status(), 401);
    }
    let refused = only.sign_in([203, 0, 113, 7]).await;
    assert_eq!(refused.status(), 429);
    assert_eq!(refused.headers()["retry-after"], "3600");
    assert_eq!(only.sign_in([203, 0, 113, 8]).await.status(), 401);
}
