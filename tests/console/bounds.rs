//! How much a tenant may have by its plan (contract-2 section 27).

use futures_util::future::join_all;
use grantor_domain::plan::{PlanTerms, Plans, grouped};
use grantor_testkit::db_test;

use super::image::Studio;
use super::*;
use crate::picture::{form, png, send_form};

const TALENTS: &str = "/v1.0.1/org/talent";

/// An app whose plan Free allows very little.
struct Small(Home);

impl Fixture for Small {
    async fn on(engine: Engine) -> Self {
        let image_bytes = u64::try_from(2 * png(64, 64).len()).unwrap();
        Self(
            small(engine, |free| {
                (free.talents, free.licenses, free.webhooks) = (Some(3), Some(2), Some(1));
                free.image_bytes = Some(image_bytes);
            })
            .await,
        )
    }
}

async fn small(engine: Engine, set: impl FnOnce(&mut PlanTerms)) -> Home {
    let mut plans = Plans::default();
    set(plans.of_mut(grantor_domain::organization::Plan::Free));
    Home::with_config(engine, TestConfig { plans, ..TestConfig::default() }).await
}

fn full(noun: &str, limit: u64, used: u64) -> (u16, Value) {
    let message = format!("Your plan allows {} {noun}; upgrade for more", grouped(limit));
    let mut body = refused("RESOURCE_CONFLICT", &message);
    body["error"]["details"] = json!({ "limit": limit, "used": used });
    (409, body)
}

impl Home {
    async fn add_talent(&self, name: &str) -> Answer {
        self.send(Method::POST, TALENTS, Some(json!({ "fullname": name }))).await
    }

    async fn add_license(&self, talent: &str, title: &str) -> Answer {
        let body = json!({ "name": title, "type": "advertising" });
        self.send(Method::POST, &format!("/v1.0.1/org/talent/license/{talent}"), Some(body)).await
    }

    /// What the store has counted, and what there is.
    async fn counted(&self) -> [String; 2] {
        let query = "SELECT CAST(talents AS text) || ' ' || CAST(licenses AS text) || ' ' ||
               CAST(image_bytes AS text) FROM tenant_usage WHERE talents > 0
             UNION ALL
             SELECT CAST((SELECT count(*) FROM talents) AS text) || ' ' ||
               CAST((SELECT count(*) FROM licenses WHERE deleted_at IS NULL) AS text) || ' ' ||
               CAST((SELECT CAST(coalesce(sum(bytes), 0) AS bigint) FROM images) AS text)";
        let rows = seed::rows(&self.app.database.options, query).await;
        [rows[0][0].clone(), rows[1][0].clone()]
    }
}

fn id(answer: &Answer, name: &str) -> String {
    answer.json()["data"][name].as_str().unwrap_or_default().to_owned()
}

#[db_test]
async fn of_many_who_race_for_the_last_talents_so_many_as_fit_win(small: Small) {
    let Small(home) = small;
    let names: Vec<_> = (0..8).map(|number| format!("Talent {number}")).collect();
    let raced = join_all(names.iter().map(|it| home.add_talent(it))).await;
    let lost: Vec<_> = raced.iter().filter(|it| it.status != 201).map(Answer::whole).collect();
    assert_eq!(lost, vec![full("talents", 3, 3); 5]);
    let invited = json!({ "fullname": "Grace Hopper", "email": "grace@example.com" });
    let invited = home.send(Method::POST, "/v1.0.1/org/invite/talent", Some(invited)).await;
    assert_eq!(invited.whole(), full("talents", 3, 3), "an invitation adds one too");
}

#[db_test]
async fn a_deleted_license_makes_room_for_another(small: Small) {
    let Small(home) = small;
    let talent = id(&home.add_talent("Grace Hopper").await, "talentId");
    let first = id(&home.add_license(&talent, "First").await, "licenseId");
    assert_eq!(home.add_license(&talent, "Second").await.status, 201);
    assert_eq!(home.add_license(&talent, "Third").await.whole(), full("licenses", 2, 2));
    let path = format!("/v1.0.1/org/license/{first}");
    assert_eq!(home.send(Method::DELETE, &path, None).await.status, 204);
    assert_eq!(home.send(Method::DELETE, &path, None).await.status, 404, "and counts once");
    assert_eq!(home.add_license(&talent, "Third").await.status, 201);
    assert_eq!(home.add_license(&talent, "Fourth").await.whole(), full("licenses", 2, 2));
}

#[db_test]
async fn pictures_are_counted_by_their_bytes(small: Small) {
    let studio = Studio::of(small.0).await;
    let (picture, limit) = (png(64, 64), 2 * png(64, 64).len() as u64);
    let path = format!("/v1.0.1/org/talent/license/{}/image", studio.license);
    let (app, token) = (studio.app(), &studio.home.token);
    let send = |files: usize| {
        let body = form(&[], &vec![picture.as_slice(); files]);
        send_form(app, token, Method::PATCH, &path, body)
    };
    assert_eq!(send(3).await.whole(), full("bytes of images", limit, 0), "all or none");
    let added = send(2).await.json();
    let used = added["data"]["images"].as_array().unwrap().iter();
    let used: u64 = used.map(|it| it["bytes"].as_u64().unwrap()).sum();
    assert_eq!(send(1).await.whole(), full("bytes of images", limit, used));
    let first = added["data"]["images"][0]["imageId"].as_str().unwrap();
    let gone = studio.home.send(Method::DELETE, &format!("{path}/{first}"), None).await;
    assert_eq!((gone.status.as_u16(), send(1).await.status.as_u16()), (204, 200));
    let [counted, there] = studio.home.counted().await;
    assert_eq!(counted, there);
    let license = format!("/v1.0.1/org/license/{}", studio.license);
    assert_eq!(studio.home.send(Method::DELETE, &license, None).await.status, 204);
    assert_eq!(studio.home.counted().await, ["1 0 0", "1 0 0"]);
}

#[db_test]
async fn a_smaller_plan_deletes_nothing_and_a_larger_one_lets_go_on(small: Small) {
    let Small(home) = small;
    let plan = |name: &str| {
        let script = format!("UPDATE tenants SET plan = '{name}'");
        seed::run(&home.app.database.options, script)
    };
    plan("Starter").await;
    for number in 0..5 {
        assert_eq!(home.add_talent(&format!("Talent {number}")).await.status, 201);
    }
    plan("Free").await;
    assert_eq!(home.add_talent("One more").await.whole(), full("talents", 3, 5));
    let listed = home.send(Method::GET, "/v1.0.1/org/talent/roster", None).await.json();
    assert_eq!(listed["data"]["pagination"]["total"], 5);
}

#[db_test]
async fn an_operators_plans_are_what_is_offered_and_what_holds(home: Home) {
    let mut plans = Plans::default();
    let starter = plans.of_mut(grantor_domain::organization::Plan::Starter);
    (starter.description, starter.talents) = ("For friends".to_owned(), None);
    starter.price = grantor_domain::license::Amount::parse("12.50").unwrap();
    starter.features = Some(vec!["Two seats".to_owned()]);
    plans.of_mut(grantor_domain::organization::Plan::Free).requests_per_month = Some(7);
    let engine = home.app.app.store.engine();
    let other = Home::with_config(engine, TestConfig { plans, ..TestConfig::default() }).await;
    let shown = other.send(Method::GET, "/v1.0.1/org/subscriptions", None).await.json();
    let starter = &shown["data"]["plans"][1];
    assert_eq!(
        json!([starter["description"], starter["price"], starter["features"]]),
        json!(["For friends", 12.5, ["Two seats"]])
    );
    assert_eq!(shown["data"]["subscription"]["usage"]["limit"], 7);
    let card = json!({ "token": "tok_visa" });
    let card = other.send(Method::POST, "/v1.0.1/org/card", Some(card)).await;
    let body = json!({ "subscriptionId": starter["planId"], "cardId": id(&card, "cardId") });
    let paid = other.send(Method::POST, "/v1.0.1/org/subscribe", Some(body)).await;
    assert_eq!(paid.status, 201, "{}", paid.json());
    let bills = other.send(Method::GET, "/v1.0.1/org/bill/history", None).await.json();
    assert_eq!(bills["data"]["bills"][0]["amount"], 12.5);
}
