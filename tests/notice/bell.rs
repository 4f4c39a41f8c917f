//! The bell: everything is there, for the person and tenant that it concerns.

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{Inbox, MINUTE, NOTICES};
use crate::license::{World, text};

#[db_test]
async fn a_notice_is_listed_and_read(world: World) {
    let request = world.ask_for_license().await;
    let data = world.notices(&world.agency, "").await;
    let id = text(&data["notices"][0]["noticeId"]);
    let now = world.app.app.clock.now().to_string();
    let expected = json!({
        "notices": [{
            "noticeId": id, "kind": "request",
            "summary": "Brand of bea@example.com requested Winter",
            "url": format!("https://grantor.test/app/requests/{request}"),
            "createdAt": now, "readAt": null,
        }],
        "unreadCount": 1,
        "pagination": { "page": 1, "limit": 10, "total": 1, "totalPages": 1 },
    });
    assert_eq!(data, expected);
    let none = json!({ "notices": [], "unreadCount": 0,
        "pagination": { "page": 1, "limit": 10, "total": 0, "totalPages": 0 } });
    assert_eq!(world.notices(&world.brand, "").await, none, "who asked is not told");
    let mark = |ids: Value| {
        let body = Some(json!({ "noticeIds": ids }));
        world.agency.console(&world.app, Method::PATCH, NOTICES, body)
    };
    let unknown = "018f3f9e-0000-7000-8000-000000000001";
    assert_eq!(mark(json!([unknown])).await.json()["data"], json!({ "unreadCount": 1 }));
    assert_eq!(mark(json!([id])).await.json()["data"], json!({ "unreadCount": 0 }));
    let read = &world.notices(&world.agency, "").await["notices"][0]["readAt"];
    assert_eq!(*read, json!(now));
    assert_eq!(world.notices(&world.agency, "?unread=true").await["notices"], json!([]));
}

#[db_test]
async fn pages_are_counted_and_all_are_read_at_once(world: World) {
    for _ in 0..12 {
        world.ask_for_license().await;
    }
    let data = world.notices(&world.agency, "?unread=true&page=2").await;
    assert_eq!(data["notices"].as_array().unwrap().len(), 2);
    let pagination = json!({ "page": 2, "limit": 10, "total": 12, "totalPages": 2 });
    assert_eq!((&data["pagination"], &data["unreadCount"]), (&pagination, &json!(12)));
    let read =
        world.agency.console(&world.app, Method::PATCH, NOTICES, Some(json!({}))).await.json();
    let message = "Notifications marked as read";
    let whole = json!({ "data": { "unreadCount": 0 }, "message": message, "status": "success" });
    assert_eq!(read, whole);
    assert_eq!(world.notices(&world.agency, "").await["pagination"]["total"], json!(12));
}

#[db_test]
async fn nobody_reads_or_marks_the_notices_of_others(world: World) {
    world.ask_for_license().await;
    let id = text(&world.notices(&world.agency, "").await["notices"][0]["noticeId"]);
    let body = Some(json!({ "noticeIds": [id] }));
    let tried = world.brand.console(&world.app, Method::PATCH, NOTICES, body).await;
    assert_eq!(tried.status, 200);
    assert_eq!(world.notices(&world.agency, "").await["unreadCount"], json!(1), "still unread");
}

#[db_test]
async fn what_cannot_be_read_is_named(world: World) {
    let get = async |query: &str| {
        let path = format!("{NOTICES}{query}");
        let answer = world.agency.console(&world.app, Method::GET, &path, None).await;
        (answer.status.as_u16(), answer.json()["error"]["details"].clone())
    };
    let details = json!({
        "limit": "must be a whole number from 1 to 100", "unread": "must be true or false",
    });
    assert_eq!(get("?unread=x&limit=0").await, (400, details));
    for ids in [json!(["x"]), json!(vec!["018f3f9e-0000-7000-8000-000000000001"; 101])] {
        let body = Some(json!({ "noticeIds": ids }));
        let answer = world.agency.console(&world.app, Method::PATCH, NOTICES, body).await;
        assert_eq!(answer.status, 400);
        assert!(answer.json()["error"]["details"]["noticeIds"].is_string(), "{}", answer.json());
    }
}

#[db_test]
async fn what_is_off_is_on_the_bell_alone(world: World) {
    world.choose(&world.agency, "request", "off").await;
    let mut inbox = Inbox::of(&world.app).await;
    world.ask_for_license().await;
    world.app.clock.advance(MINUTE);
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new());
    assert_eq!(world.told(&world.agency).await, ["Brand of bea@example.com requested Winter"]);
}
