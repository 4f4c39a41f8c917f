//! Offers to an email address: who sees them, who becomes the asker, and what they never tell.

use grantor_domain::limit::Limits;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;
use serde_json::{Value, json};

use super::{days, terms, wish};
use crate::license::{Member, World, text};

/// Has an account.
const BEA: &str = "bea@example.com";
/// Has none.
const ZOE: &str = "zoe@example.com";

impl World {
    async fn offer_to(&self, license: &str, email: &str) -> Answer {
        let body = json!({ "licensee": { "email": email }, "terms": terms() });
        self.as_agency(Method::POST, &format!("/licenses/{license}/offers"), Some(body)).await
    }

    /// Offers a new public license to an address; returns the request's id.
    async fn offered_to(&self, email: &str) -> String {
        let made = self.offer_to(&self.public().await, email).await;
        assert_eq!(made.status, 201, "{}", made.json());
        text(&made.json()["id"])
    }

    async fn thread_of(&self, member: &Member, request: &str) -> Value {
        let path = format!("/requests/{request}");
        member.external(&self.app, Method::GET, &path, None).await.json()
    }

    /// The ids and the total of a list.
    async fn listed(&self, member: &Member, query: &str) -> (Vec<String>, u64) {
        let path = format!("/requests?{query}");
        let list = member.external(&self.app, Method::GET, &path, None).await.json();
        let ids = list["data"].as_array().unwrap().iter().map(|it| text(&it["id"])).collect();
        (ids, list["pagination"]["total"].as_u64().unwrap())
    }

    fn brand_party(&self) -> Value {
        let name = format!("Brand of {BEA}");
        json!({ "id": self.brand.organization, "name": name, "type": "Brand" })
    }
}

/// An answer without what is drawn at random or depends on the address.
fn shape(answer: &Answer, email: &str) -> String {
    let mut body = answer.json();
    for member in ["id", "offers"] {
        body[member].take();
    }
    if body["error"].is_object() {
        body["error"]["request_id"].take();
        body["error"]["details"]["request_id"].take();
    }
    format!("{} {}", answer.status, body.to_string().replace(email, "(address)"))
}

#[db_test]
async fn an_offer_never_tells_whether_there_is_an_account(world: World) {
    let license = world.public().await;
    let mut seen = Vec::new();
    for email in [BEA, ZOE] {
        let made = world.offer_to(&license, email).await;
        let id = text(&made.json()["id"]);
        let expected = json!({ "email": email, "status": "pending" });
        assert_eq!((made.status.as_u16(), &made.json()["asker"]), (201, &expected));
        let again = world.offer_to(&license, &email.to_uppercase()).await;
        assert_eq!(again.json()["error"]["details"], json!({ "request_id": id }));
        let path = format!("/requests/{id}");
        let thread = world.as_agency(Method::GET, &path, None).await;
        let mail = world.app.newest_mail(email).await;
        let mail = mail.split_once("\r\nTo: ").unwrap().1.replace(email, "").replace(&id, "");
        let mail = mail.replace(&email.replace('@', "%40"), "");
        // The boundary and the message id are drawn at random.
        let mail: Vec<_> =
            mail.lines().filter(|it| !it.contains("part-") && !it.contains("Message-ID")).collect();
        let [made, again, thread] = [&made, &again, &thread].map(|it| shape(it, email));
        seen.push((made, again, thread, mail.join("\n")));
    }
    assert_eq!(seen[0], seen[1]);
    let mail = &seen[0].3;
    assert!(mail.contains("https://grantor.test/app/requests/"), "{mail}");
    assert!(mail.contains("Hello,") && mail.contains("The offer ends on Jan 15, 2026."), "{mail}");
    let told = world.events(&world.brand).await;
    assert_eq!(told, Vec::<String>::new(), "events would tell that there is a tenant");
}

#[db_test]
async fn the_recipient_finds_the_offer_and_accepts_it_for_a_tenant(world: World) {
    let request = world.offered_to(BEA).await;
    for query in ["", "role=asker", "status=offered&role=asker"] {
        assert_eq!(world.listed(&world.brand, query).await, (vec![request.clone()], 1), "{query}");
    }
    for query in ["role=owner", "status=open", "status=lapsed"] {
        assert_eq!(world.listed(&world.brand, query).await, (vec![], 0), "{query}");
    }
    let license = text(&world.thread_of(&world.brand, &request).await["license"]["id"]);
    let query = format!("license_id={license}&per_page=1");
    assert_eq!(world.listed(&world.brand, &query).await, (vec![request.clone()], 1));
    let second = world.offered_to(BEA).await;
    assert_eq!(world.listed(&world.brand, "per_page=1").await, (vec![second.clone()], 2));
    let eve = Member::join(&world.app, "eve@example.com", Some("Brand")).await;
    assert_eq!(world.listed(&eve, "").await, (vec![], 0));
    let path = format!("/requests/{request}");
    assert_eq!(eve.external(&world.app, Method::GET, &path, None).await.status, 404);
    let thread = world.thread_of(&world.brand, &request).await;
    assert_eq!((&thread["role"], &thread["may_act"]), (&json!("asker"), &json!(true)));
    let hash = text(&thread["offers"][0]["terms_hash"]);
    let made = world.accept_offer(&request, &hash).await;
    let party = world.brand_party();
    assert_eq!((made.status.as_u16(), &made.json()["licensee"]), (200, &party));
    let thread = world.thread_of(&world.agency, &request).await;
    assert_eq!((&thread["asker"], &thread["closed_by"]), (&party, &json!("Feed")));
    assert_eq!(world.listed(&world.brand, "status=accepted").await, (vec![request], 1));
    assert_eq!(world.listed(&world.brand, "status=offered").await, (vec![second], 1));
    assert_eq!(world.events(&world.brand).await, ["grant.created"]);
}

#[db_test]
async fn who_signs_up_later_finds_the_offer(world: World) {
    let request = world.offered_to(ZOE).await;
    world.app.newest_mail(ZOE).await;
    let zoe = Member::join(&world.app, ZOE, None).await;
    assert_eq!(world.listed(&zoe, "").await, (vec![request.clone()], 1));
    let pending = json!({ "email": ZOE, "status": "pending" });
    assert_eq!(world.thread_of(&world.agency, &request).await["asker"], pending);
    assert_eq!(world.listed(&world.brand, "").await, (vec![], 0));
}

#[db_test]
async fn any_act_of_the_recipient_binds_their_tenant(world: World) {
    for (act, body) in [
        ("messages", Some(json!({ "message": "Which channels?" }))),
        ("decline", Some(json!({ "reason": "Too much" }))),
        ("withdraw", None),
    ] {
        let request = world.offered_to(BEA).await;
        world.thread_of(&world.brand, &request).await;
        let pending = json!({ "email": BEA, "status": "pending" });
        let asker = world.thread_of(&world.agency, &request).await["asker"].clone();
        assert_eq!(asker, pending, "reading is no act");
        let (_, before) = world.listed(&world.brand, "per_page=1").await;
        let path = format!("/requests/{request}/{act}");
        let done = world.as_brand(Method::POST, &path, body).await;
        assert!(done.status.is_success(), "{act}: {}", done.json());
        let asker = world.thread_of(&world.agency, &request).await["asker"].clone();
        assert_eq!(asker, world.brand_party(), "{act}");
        let (_, after) = world.listed(&world.brand, "per_page=1").await;
        assert_eq!(after, before, "{act}: counted once");
    }
}

#[db_test]
async fn a_tenant_has_one_open_request_for_a_license_however_it_began(world: World) {
    let license = world.public().await;
    let first = world.request_license(&license).await;
    let offered = text(&world.offer_to(&license, BEA).await.json()["id"]);
    let path = format!("/requests/{offered}/messages");
    let body = json!({ "message": "Let us talk here" });
    let refused = world.as_brand(Method::POST, &path, Some(body)).await;
    let details = json!({ "request_id": first });
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]["details"]), (409, &details));
    let path = format!("/requests/{offered}/decline");
    let body = json!({ "reason": "We asked already" });
    assert_eq!(world.as_brand(Method::POST, &path, Some(body)).await.status, 200);
}

/// The tenant asks, and the offer is the person's.
#[db_test]
async fn an_offer_to_a_member_does_not_keep_the_tenant_from_asking(world: World) {
    let license = world.public().await;
    let offered = text(&world.offer_to(&license, BEA).await.json()["id"]);
    let requested = world.request_license(&license).await;
    assert_ne!(requested, offered);
    let pending = json!({ "email": BEA, "status": "pending" });
    assert_eq!(world.thread_of(&world.agency, &offered).await["asker"], pending, "nothing is told");
    let path = format!("/requests/{offered}/decline");
    let body = json!({ "reason": "We asked already" });
    assert_eq!(world.as_brand(Method::POST, &path, Some(body)).await.status, 200);
    assert_eq!(world.thread_of(&world.brand, &requested).await["status"], "open");
}

#[db_test]
async fn messages_to_an_address_are_unread_by_its_tenant_later(world: World) {
    let request = world.offered_to(BEA).await;
    let path = format!("/requests/{request}/messages");
    let body = json!({ "message": "Any questions?" });
    assert_eq!(world.as_agency(Method::POST, &path, Some(body.clone())).await.status, 201);
    assert_eq!(world.thread_of(&world.brand, &request).await["unread"], 2, "the offer, too");
    assert_eq!(world.as_brand(Method::POST, &path, Some(body)).await.status, 201);
    let counted = "SELECT CAST(total AS text) FROM party_counts WHERE list = 'unread' AND total > 0
        ORDER BY total";
    let rows = grantor_testkit::seed::rows(&world.app.database.options, counted).await;
    assert_eq!(rows, [["1"]], "the brand has answered, and the agency has not read that");
    let thread = world.thread_of(&world.agency, &request).await;
    assert_eq!((&thread["unread"], thread["messages"].as_array().unwrap().len()), (&json!(1), 2));
}

#[db_test]
async fn an_unclaimed_offer_ends_after_30_days(mut world: World) {
    let license = world.public().await;
    let body = json!({
        "licensee": { "email": ZOE }, "terms": terms(), "expires_at": "2026-03-15T00:00:00Z",
    });
    let path = format!("/licenses/{license}/offers");
    let made = world.as_agency(Method::POST, &path, Some(body)).await.json();
    assert_eq!(made["lapses_at"], "2026-01-31T00:00:01.000000Z");
    let request = text(&made["id"]);
    world.pass(days(20)).await;
    let body = json!({ "terms": terms(), "expires_at": "2026-03-15T00:00:00Z" });
    let path = format!("/requests/{request}/offer");
    let replaced = world.as_agency(Method::POST, &path, Some(body)).await.json();
    assert_eq!(replaced["lapses_at"], made["lapses_at"], "another offer does not prolong it");
    world.pass(days(10)).await;
    let thread = world.thread_of(&world.agency, &request).await;
    let closed = [&thread["status"], &thread["closed_by"], &thread["closed_at"]];
    assert_eq!(closed, [&json!("lapsed"), &json!(null), &made["lapses_at"]]);
}

#[db_test]
async fn who_acts_on_an_offer_has_as_long_as_it_says(world: World) {
    let license = world.public().await;
    let body = json!({
        "licensee": { "email": BEA }, "terms": terms(), "expires_at": "2026-03-15T00:00:00Z",
    });
    let path = format!("/licenses/{license}/offers");
    let request = text(&world.as_agency(Method::POST, &path, Some(body)).await.json()["id"]);
    let path = format!("/requests/{request}/messages");
    let body = json!({ "message": "We need some weeks" });
    assert_eq!(world.as_brand(Method::POST, &path, Some(body)).await.status, 201);
    let thread = world.thread_of(&world.brand, &request).await;
    assert_eq!(thread["lapses_at"], "2026-03-15T00:00:00.000000Z");
}

#[db_test]
async fn a_licensor_by_permission_does_not_read_for_the_owner(world: World) {
    let license = world.public().await;
    assert_eq!(world.grant(&license, "licensor").await.status, 201);
    let eve = Member::join(&world.app, "eve@example.com", Some("Brand")).await;
    let made = eve.external(&world.app, Method::POST, "/requests", Some(wish(&license)));
    let request = text(&made.await.json()["id"]);
    let path = format!("/requests/{request}");
    let body = json!({ "message": "Is June free?" });
    let messages = format!("{path}/messages");
    let sent = eve.external(&world.app, Method::POST, &messages, Some(body.clone())).await;
    assert_eq!(sent.status, 201);
    let read = world.as_brand(Method::POST, &format!("{path}/read"), None).await;
    assert_eq!(read.status, 204);
    assert_eq!(world.thread_of(&world.brand, &request).await["may_act"], false);
    assert_eq!(world.thread_of(&world.agency, &request).await["unread"], 2);
    assert_eq!(world.as_brand(Method::POST, &messages, Some(body)).await.status, 201);
    let thread = world.thread_of(&world.agency, &request).await;
    assert_eq!(thread["unread"], 2, "neither does a message");
    let read = world.as_agency(Method::POST, &format!("{path}/read"), None).await;
    assert_eq!(read.status, 204);
    assert_eq!(world.thread_of(&world.agency, &request).await["unread"], 0);
}

/// A world in which nothing but mail is bounded.
struct Bounded(World);

impl Fixture for Bounded {
    async fn on(engine: Engine) -> Self {
        let limits = "register=off,login=off,console=off,open=off,external_free=off";
        let limits = Limits::parse(limits).unwrap();
        let config = TestConfig { limits, ..TestConfig::default() };
        Self(World::in_app(TestApp::with_config(engine, config).await).await)
    }
}

#[db_test]
async fn an_address_gets_three_offers_an_hour_from_one_sender(bounded: Bounded) {
    let Bounded(world) = bounded;
    let request = world.offered_to(ZOE).await;
    let path = format!("/requests/{request}/offer");
    let mut statuses = Vec::new();
    for _ in 0..3 {
        let body = json!({ "terms": terms() });
        statuses.push(world.as_agency(Method::POST, &path, Some(body)).await.status.as_u16());
    }
    assert_eq!(statuses, [200, 200, 429]);
    let other = world.request_license(&world.public().await).await;
    let path = format!("/requests/{other}/offer");
    for _ in 0..4 {
        let body = json!({ "terms": terms() });
        let made = world.as_agency(Method::POST, &path, Some(body)).await;
        assert_eq!(made.status, 200, "a party that asked is no stranger");
    }
}
