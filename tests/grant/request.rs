//! Asking, answering, and everything that ends a request.

use std::time::Duration;

use grantor_testkit::db_test;
use http::Method;
use serde_json::json;

use super::{ENDS, STARTS, days, terms, wish};
use crate::license::{Member, World, text};

#[db_test]
async fn a_request_is_shown_whole_to_both(world: World) {
    let license = world.public().await;
    let mut body = wish(&license);
    body["channels"] = json!(["TV", "Instagram"]);
    body["budget"] = json!({ "amount": "1500", "currency": "EUR" });
    let made = world.as_brand(Method::POST, "/requests", Some(body)).await;
    let party = |member: &Member, kind: &str| {
        let name = format!("{kind} of {}", member.email);
        json!({ "id": member.organization, "name": name, "type": kind })
    };
    let mut expected = json!({
        "id": made.json()["id"],
        "license": { "id": license, "name": "Winter" },
        "talent": { "id": world.talent, "name": "Grâce Hopper" },
        "asker": party(&world.brand, "Brand"),
        "owner": party(&world.agency, "Agency"),
        "role": "asker", "begun_by": "asker", "status": "open",
        "uses": ["advertising"], "territories": ["US"], "starts_at": STARTS, "ends_at": ENDS,
        "purpose": "A winter campaign", "channels": ["Instagram", "TV"],
        "budget": { "amount": "1500.00", "currency": "EUR" },
        "reason": null, "closed_by": null, "closed_at": null, "may_act": true, "unread": 0,
        "lapses_at": "2026-04-01T00:00:01.000000Z",
        "created_at": "2026-01-01T00:00:01.000000Z",
        "updated_at": "2026-01-01T00:00:01.000000Z",
    });
    assert_eq!(made.whole(), (201, expected.clone()));
    let id = text(&expected["id"]);
    expected["role"] = json!("owner");
    expected["unread"] = json!(1);
    let list = world.as_agency(Method::GET, "/requests?role=owner&status=open", None).await;
    assert_eq!(list.json()["data"], json!([expected]));
    let mut thread = expected.clone();
    thread["offers"] = json!([]);
    thread["messages"] = json!([]);
    thread["beyond"] = json!({ "uses": [], "territories": [], "dates": [] });
    thread["grant_id"] = json!(null);
    let shown = world.as_agency(Method::GET, &format!("/requests/{id}"), None).await;
    assert_eq!(shown.whole(), (200, thread));
    assert_eq!(world.events(&world.agency).await.last().unwrap(), "request.created");
    assert_eq!(world.events(&world.brand).await, ["request.created"]);
}

#[db_test]
async fn every_invalid_member_is_named(world: World) {
    let body = json!({ "license_id": "1", "uses": [], "territories": ["UK"], "ends_at": "soon" });
    let refused = world.as_brand(Method::POST, "/requests", Some(body)).await;
    assert_eq!(refused.status, 400);
    let details = refused.json()["error"]["details"].as_object().unwrap().clone();
    let named: Vec<_> = details.keys().map(String::as_str).collect();
    assert_eq!(named, ["ends_at", "license_id", "purpose", "starts_at", "territories", "uses"]);
}

#[db_test]
async fn a_request_needs_a_license_that_can_be_seen(world: World) {
    let hidden = world.license(json!({})).await;
    let ask = |license: String| {
        let body = wish(&license);
        let world = &world;
        async move { world.as_brand(Method::POST, "/requests", Some(body)).await }
    };
    assert_eq!(ask(hidden).await.status, 404);
    let draft = world.license(json!({ "status": "draft" })).await;
    assert_eq!(world.grant(&draft, "viewer").await.status, 201);
    assert_eq!(ask(draft).await.status, 409);
    let own = world.public().await;
    let refused = world.as_agency(Method::POST, "/requests", Some(wish(&own))).await;
    let message = &refused.json()["error"]["message"];
    assert_eq!(
        (refused.status.as_u16(), message),
        (409, &json!("You own this license; make an offer instead"))
    );
}

#[db_test]
async fn a_second_request_names_the_first(world: World) {
    let license = world.public().await;
    let first = world.request_license(&license).await;
    let second = world.as_brand(Method::POST, "/requests", Some(wish(&license))).await;
    let details = json!({ "request_id": first });
    assert_eq!((second.status.as_u16(), &second.json()["error"]["details"]), (409, &details));
    let path = format!("/requests/{first}/withdraw");
    let ended = world.as_brand(Method::POST, &path, None).await;
    assert_eq!((ended.status.as_u16(), &ended.json()["status"]), (200, &json!("withdrawn")));
    assert_ne!(world.request_license(&license).await, first);
}

#[db_test]
async fn a_stranger_learns_nothing(world: World) {
    let request = world.request_license(&world.public().await).await;
    let eve = Member::join(&world.app, "eve@example.com", Some("Brand")).await;
    for (method, path) in [(Method::GET, ""), (Method::POST, "/withdraw"), (Method::POST, "/read")]
    {
        let path = format!("/requests/{request}{path}");
        let refused = eve.external(&world.app, method, &path, None).await;
        assert_eq!(refused.status, 404, "{path}");
    }
    let list = eve.external(&world.app, Method::GET, "/requests", None).await;
    assert_eq!(list.json()["data"], json!([]));
}

#[db_test]
async fn requests_offers_and_messages_are_unread_until_they_are_read(world: World) {
    let request = world.request_license(&world.public().await).await;
    let path = format!("/requests/{request}");
    let unread = async |member: &Member| {
        let thread = member.external(&world.app, Method::GET, &path, None).await;
        thread.json()["unread"].as_u64().unwrap()
    };
    assert_eq!((unread(&world.agency).await, unread(&world.brand).await), (1, 0));
    world.offer(&request, terms()).await;
    world.offer(&request, terms()).await;
    assert_eq!((unread(&world.agency).await, unread(&world.brand).await), (0, 2), "answered");
    let body = json!({ "message": "And the credit line?" });
    let sent = world.as_agency(Method::POST, &format!("{path}/messages"), Some(body)).await;
    assert_eq!((sent.status.as_u16(), unread(&world.brand).await), (201, 3));
    let body = json!({ "reason": "Booked elsewhere" });
    let declined = world.as_brand(Method::POST, &format!("{path}/decline"), Some(body)).await;
    assert_eq!(declined.json()["unread"], 1, "nobody has seen the message");
    let read = world.as_brand(Method::POST, &format!("{path}/read"), None).await;
    assert_eq!((read.status.as_u16(), unread(&world.brand).await), (204, 0));
    let counted = "SELECT CAST(sum(total) AS text) FROM party_counts WHERE list = 'unread'";
    let rows = grantor_testkit::seed::rows(&world.app.database.options, counted).await;
    assert_eq!(rows, [["0"]]);
}

#[db_test]
async fn messages_are_counted_until_they_are_read(world: World) {
    let request = world.request_license(&world.public().await).await;
    let path = format!("/requests/{request}/messages");
    for message in ["Which channels?", "And until when?"] {
        let sent = world.as_agency(Method::POST, &path, Some(json!({ "message": message }))).await;
        assert_eq!(sent.status, 201, "{}", sent.json());
        world.app.clock.advance(Duration::from_millis(1));
    }
    let thread = format!("/requests/{request}");
    let seen = world.as_brand(Method::GET, &thread, None).await.json().clone();
    assert_eq!(seen["unread"], 2);
    assert_eq!(seen["messages"][1]["message"], "And until when?");
    assert_eq!(seen["messages"][1]["party"], "owner");
    let read = world.as_brand(Method::POST, &format!("{thread}/read"), None).await;
    assert_eq!(read.status, 204);
    assert_eq!(world.as_brand(Method::GET, &thread, None).await.json()["unread"], 0);
    let owner = world.as_agency(Method::GET, &thread, None).await;
    assert_eq!(owner.json()["unread"], 0, "whoever writes has read");
}

#[db_test]
async fn a_request_is_declined_with_a_reason(world: World) {
    let request = world.request_license(&world.public().await).await;
    let path = format!("/requests/{request}/decline");
    let refused = world.as_agency(Method::POST, &path, Some(json!({}))).await;
    assert_eq!(refused.json()["error"]["details"]["reason"], "must be 1 to 2000 characters");
    let body = json!({ "reason": "The talent is not available" });
    let declined = world.as_agency(Method::POST, &path, Some(body.clone())).await.json().clone();
    assert_eq!((&declined["status"], &declined["reason"]), (&json!("declined"), &body["reason"]));
    let closed = [&declined["closed_by"], &declined["closed_at"]];
    assert_eq!(closed, [&json!("Feed"), &declined["updated_at"]]);
    let again = world.as_agency(Method::POST, &path, Some(body)).await;
    assert_eq!(again.json()["error"]["message"], "The request is already declined");
    assert_eq!(world.events(&world.brand).await, ["request.created", "request.declined"]);
}

#[db_test]
async fn an_offer_can_be_replaced_and_withdrawn(world: World) {
    let request = world.request_license(&world.public().await).await;
    let first = world.offer(&request, terms()).await;
    let mut other = terms();
    other["conditions"] = json!("No alcohol");
    world.app.clock.advance(Duration::from_millis(1));
    assert_ne!(world.offer(&request, other).await, first);
    let path = format!("/requests/{request}");
    let thread = world.as_brand(Method::GET, &path, None).await.json().clone();
    let statuses = [&thread["offers"][0]["status"], &thread["offers"][1]["status"]];
    assert_eq!(statuses, [&json!("replaced"), &json!("open")]);
    let open = world.as_agency(Method::POST, &format!("{path}/withdraw"), None).await;
    assert_eq!(open.json()["status"], "open");
    let refused = world.accept_offer(&request, &first).await;
    let message = "Agency of ada@example.com withdrew the offer";
    assert_eq!(refused.json()["error"]["message"], message);
    let body = Some(json!({ "reason": "Too short" }));
    let refused = world.as_brand(Method::POST, &format!("{path}/decline"), body).await;
    let told = &refused.json()["error"]["message"];
    assert_eq!((refused.status.as_u16(), told), (409, &json!(message)));
}

#[db_test]
async fn terms_wider_than_the_license_are_refused_by_member(world: World) {
    let license = json!({ "uses": ["advertising"], "territories": ["US"], "status": "public" });
    let license = world.license(license).await;
    let request = world.request_license(&license).await;
    let mut wide = terms();
    wide["uses"] = json!(["advertising", "voice"]);
    wide["territories"] = json!(["WORLD"]);
    let path = format!("/requests/{request}/offer");
    let refused = world.as_agency(Method::POST, &path, Some(json!({ "terms": wide }))).await;
    let details = json!({
        "terms.territories": "is wider than the license", "terms.uses": "is wider than the license",
    });
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]["details"]), (409, &details));
}

#[db_test]
async fn terms_beyond_the_dates_of_the_license_name_them(world: World) {
    let dates = json!({
        "status": "public", "validFrom": "2026-03-01T00:00:00Z", "expiresAt": "2026-07-01T00:00:00Z",
    });
    let license = world.license(dates).await;
    let request = world.request_license(&license).await;
    let path = format!("/requests/{request}/offer");
    let refused = world.as_agency(Method::POST, &path, Some(json!({ "terms": terms() }))).await;
    let because = "because of the dates of the license";
    let details = json!({
        "terms.ends_at": format!("must not be after 2026-07-01T00:00:00.000000Z, {because}"),
        "terms.starts_at": format!("must not be before 2026-03-01T00:00:00.000000Z, {because}"),
    });
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]["details"]), (409, &details));
}

#[db_test]
async fn nobody_acts_and_the_request_lapses_once(mut world: World) {
    let license = world.public().await;
    let request = world.request_license(&license).await;
    world.pass(days(90)).await;
    let path = format!("/requests/{request}");
    assert_eq!(world.as_brand(Method::GET, &path, None).await.json()["status"], "lapsed");
    world.pass(days(1)).await;
    assert_eq!(world.events(&world.brand).await, ["request.created", "request.lapsed"]);
    let list = world.as_brand(Method::GET, "/requests?status=lapsed", None).await;
    assert_eq!(list.json()["pagination"]["total"], 1);
}

#[db_test]
async fn an_offer_ends_after_14_days_unless_told_otherwise(mut world: World) {
    let license = world.public().await;
    let request = world.request_license(&license).await;
    let hash = world.offer(&request, terms()).await;
    world.app.clock.advance(days(14));
    world.brand.external = world.brand.renewed(&world.app).await;
    let refused = world.accept_offer(&request, &hash).await;
    assert_eq!(refused.json()["error"]["message"], "The request is already lapsed");
    let again = world.request_license(&license).await;
    assert_ne!(again, request, "what has lapsed is not in the way");
}
