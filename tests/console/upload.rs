//! Room for uploads: what does not fit is asked to come again, and nothing else is kept waiting.

use std::time::Duration;

use axum::body::Body;
use grantor_http::Settings;
use grantor_testkit::db_test;
use http::StatusCode;

use super::image::Studio;
use super::*;
use crate::picture::{form, form_type, held_form, png};

/// Room for one upload that does not say how large it is, or for many that do.
struct Narrow(Studio);
/// Room for many.
struct Wide(Studio);

async fn studio(engine: Engine, upload_memory: usize) -> Studio {
    let settings = Settings { upload_memory, upload_wait: Duration::ZERO, ..Settings::default() };
    let app = TestApp::with_config(engine, TestConfig { settings, ..TestConfig::default() }).await;
    assert_eq!(account(&app, "ada@example.com", "Babbage Talent").await.status, 201);
    let token = access(&app.sign_in("ada@example.com", PASSWORD).await);
    Studio::of(Home { app, token }).await
}

impl Fixture for Narrow {
    async fn on(engine: Engine) -> Self {
        Self(studio(engine, 1024 * 1024).await)
    }
}

impl Fixture for Wide {
    async fn on(engine: Engine) -> Self {
        Self(studio(engine, 1024 * 1024 * 1024).await)
    }
}

impl Studio {
    async fn upload(&self, body: Body) -> Answer {
        let path = format!("/v1.0.1/org/talent/license/{}/image", self.license);
        let request = self.app().request(Method::PATCH, &path).console(&self.home.token);
        request.header("content-type", &form_type()).body(body).send().await
    }

    /// Uploads while another upload is under way and waits for the last of its body; gives both
    /// answers.
    async fn upload_meanwhile(&self) -> [Answer; 2] {
        let (slow, has_begun, rest) = held_form();
        let second = async {
            has_begun.await.unwrap();
            let answer = self.upload(form(&[], &[&png(4, 4)]).into()).await;
            let json = json!({ "name": "Winter", "type": "voice" });
            let path = format!("/v1.0.1/org/talent/license/{}", self.talent);
            let plain = self.home.send(Method::POST, &path, Some(json)).await;
            assert_eq!(plain.status, 201, "what brings no picture needs no room");
            rest.notify_one();
            answer
        };
        tokio::join!(self.upload(slow), second).into()
    }
}

#[db_test]
async fn who_finds_no_room_may_come_again(Narrow(studio): Narrow) {
    let [first, second] = studio.upload_meanwhile().await;
    assert_eq!(first.status, 200);
    let message = "Too many uploads are in progress. Try again in a few seconds.";
    assert_eq!(second.whole(), (503, refused("UNAVAILABLE", message)));
    assert_eq!(second.header("retry-after"), Some("5"));
    let again = studio.upload(form(&[], &[&png(4, 4)]).into()).await;
    assert_eq!((again.status, studio.files()), (StatusCode::OK, 4), "room was given back");
}

#[db_test]
async fn where_there_is_room_both_pass(Wide(studio): Wide) {
    let answers = studio.upload_meanwhile().await;
    assert_eq!(answers.map(|it| it.status.as_u16()), [200, 200]);
}

#[db_test]
async fn a_refused_upload_gives_its_room_back(Narrow(studio): Narrow) {
    for _ in 0..3 {
        assert_eq!(studio.upload(Body::from("nonsense")).await.status, 400);
        let large = vec![0; 10 * 1024 * 1024 + 1];
        assert_eq!(studio.upload(form(&[], &[&large]).into()).await.status, 413);
    }
    assert_eq!(studio.upload(form(&[], &[&png(4, 4)]).into()).await.status, 200);
}

#[db_test]
async fn a_key_makes_no_upload_too_large(Wide(studio): Wide) {
    let path = format!("/v1.0.1/org/talent/license/{}/image", studio.license);
    let request = studio.app().request(Method::PATCH, &path).console(&studio.home.token);
    let request = request.header("content-type", &form_type()).header("idempotency-key", "a-key");
    let large = form(&[], &[&png(4, 4), &vec![0; 3 * 1024 * 1024]]);
    let answer = request.body(large).send().await;
    assert_eq!(answer.status, 400, "the second is no picture: {}", answer.json());
}
