//! `/profiles`: accounts on hosted services that a tenant proves to be its own.

use std::sync::{Arc, Mutex};

use grantor_domain::limit::Limits;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test};
use serde_json::{Value, json};

use crate::license::{Member, World, text};

/// An agency and a brand, and a server of profiles whose description the test writes.
struct Square {
    world: World,
    site: Listener,
    description: Arc<Mutex<String>>,
}

impl Fixture for Square {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().unwrap();
        let config = TestConfig { limits: Limits::off(), allowed, ..TestConfig::default() };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        let description = Arc::new(Mutex::new(String::new()));
        let shown = Arc::clone(&description);
        let site = Listener::start(move |call| {
            let text = shown.lock().unwrap().clone();
            match call.path.as_str() {
                "/@ada" => {
                    let head = format!("<head><meta name='description' content='{text}'></head>");
                    Script::ok(head.as_bytes())
                }
                _ => Script::answer(404, b""),
            }
        });
        Self { world, site: site.await.unwrap(), description }
    }
}

impl Square {
    async fn send(&self, member: &Member, what: &str, body: Option<Value>) -> Answer {
        let (method, path) = what.split_once(' ').unwrap();
        member.external(&self.world.app, method.parse().unwrap(), path, body).await
    }

    async fn claim(&self, member: &Member) -> Value {
        let body = json!({ "url": self.site.url("/@ada") });
        let made = self.send(member, "POST /profiles", Some(body)).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()
    }
}

fn refusal(answer: &Answer) -> (u16, String, String) {
    let error = answer.json()["error"].clone();
    (answer.status.as_u16(), text(&error["code"]), text(&error["message"]))
}

#[db_test]
async fn a_profile_is_proved_by_its_description(square: Square) {
    let brand = &square.world.brand;
    let claimed = square.claim(brand).await;
    let body = json!({
        "id": claimed["id"], "service": "mastodon", "url": square.site.url("/@ada"),
        "code": claimed["code"], "proved_at": null, "created_at": "2026-01-01T00:00:00.000000Z",
    });
    assert_eq!(claimed, body);
    let verify = format!("POST /profiles/{}/verify", text(&claimed["id"]));
    let answer = square.send(brand, &verify, None).await;
    let message = "The profile could not be verified: the description does not contain the code";
    assert_eq!(refusal(&answer), (409, "RESOURCE_CONFLICT".to_owned(), message.to_owned()));
    *square.description.lock().unwrap() = format!("Ada. {}", text(&claimed["code"]));
    let mut proved = body.clone();
    proved["proved_at"] = json!("2026-01-01T00:00:00.000000Z");
    let answer = square.send(brand, &verify, None).await;
    assert_eq!(answer.whole(), (200, proved.clone()));
    let listed = square.send(brand, "GET /profiles", None).await.json();
    assert_eq!((&listed["data"], &listed["pagination"]["total"]), (&json!([proved]), &json!(1)));
}

#[db_test]
async fn many_claim_a_profile_and_one_proves_it(square: Square) {
    let (brand, agency) = (&square.world.brand, &square.world.agency);
    let (first, second) = (square.claim(brand).await, square.claim(agency).await);
    assert_ne!(first["code"], second["code"]);
    *square.description.lock().unwrap() =
        format!("{} {}", text(&first["code"]), text(&second["code"]));
    let verify = |it: &Value| format!("POST /profiles/{}/verify", text(&it["id"]));
    assert_eq!(square.send(brand, &verify(&first), None).await.status, 200);
    let late = square.send(agency, &verify(&second), None).await;
    assert_eq!(refusal(&late).2, "Another organization has verified this profile");
    let unknown = square.send(agency, &verify(&first), None).await;
    assert_eq!(refusal(&unknown).0, 404);
    let delete = format!("DELETE /profiles/{}", text(&first["id"]));
    assert_eq!(square.send(agency, &delete, None).await.status, 404);
    assert_eq!(square.send(brand, &delete, None).await.status, 204);
    assert_eq!(square.send(agency, &verify(&second), None).await.status, 200);
}

#[db_test]
async fn what_is_no_profile_cannot_be_claimed(square: Square) {
    let brand = &square.world.brand;
    for url in ["", "https://example.com/news", "https://www.instagram.com/ada"] {
        let answer = square.send(brand, "POST /profiles", Some(json!({ "url": url }))).await;
        assert_eq!(answer.status, 400, "{url}: {}", answer.json());
        assert!(answer.json()["error"]["details"]["url"].is_string(), "{url}");
    }
    square.claim(brand).await;
    let body = json!({ "url": square.site.url("/@ada") });
    let again = square.send(brand, "POST /profiles", Some(body)).await;
    assert_eq!(refusal(&again).1, "RESOURCE_EXISTS");
}
