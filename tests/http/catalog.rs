//! `GET /metadata`, on both engines.

use grantor_testkit::app::{Answer, TestApp};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

fn titles(answer: &Answer) -> Vec<Value> {
    answer.json()["data"].as_array().unwrap().iter().map(|it| it["title"].clone()).collect()
}

#[db_test]
async fn an_empty_catalog_is_an_empty_page(app: TestApp) {
    let pagination = json!({
        "page": 1, "per_page": 20, "total": 0, "total_pages": 0, "has_next": false,
        "has_prev": false,
    });
    let body = json!({ "data": [], "pagination": pagination });
    assert_eq!(app.get("/metadata").await.whole(), (200, body));
}

#[db_test]
async fn an_entry_shows_what_everybody_may_see(app: TestApp) {
    seed::public_licenses(&app.database.options, 1).await;
    let entry = json!({
        "id": "30000000-0000-0000-0000-000000000001",
        "title": "License 1",
        "description": "For all that is asked of number 1",
        "license_type": "advertising",
        "talent": { "name": "Talent 1" },
        "owner": { "name": "Sample Agency", "type": "Agency" },
        "territories": ["WORLD"],
        "uses": ["advertising", "social_media"],
        "fee": { "amount": "250.00", "currency": "EUR", "per": "month" },
        "valid_from": null,
        "expires_at": null,
        "updated_at": "1970-01-01T00:00:01.000000Z",
    });
    assert_eq!(app.get("/metadata").await.json()["data"], json!([entry]));
}

#[db_test]
async fn pages_are_sorted_as_asked(app: TestApp) {
    seed::public_licenses(&app.database.options, 12).await;
    let page = |query: &'static str| {
        let request = app.get(query);
        async move { titles(&request.await) }
    };
    assert_eq!(page("/metadata?per_page=2").await, ["License 12", "License 11"]);
    assert_eq!(page("/metadata?per_page=2&order=asc").await, ["License 1", "License 2"]);
    let by_title = page("/metadata?per_page=3&sort=title&order=asc").await;
    assert_eq!(by_title, ["License 1", "License 10", "License 11"]);
    assert_eq!(page("/metadata?per_page=1&sort=updated_at").await, ["License 12"]);
    assert_eq!(page("/metadata?per_page=5&page=3").await, ["License 2", "License 1"]);
    assert_eq!(page("/metadata?page=99").await, Vec::<Value>::new());
    let last = app.get("/metadata?per_page=5&page=3").await;
    let pagination = json!({
        "page": 3, "per_page": 5, "total": 12, "total_pages": 3, "has_next": false,
        "has_prev": true,
    });
    assert_eq!(last.json()["pagination"], pagination);
    assert_eq!(
        last.header("link"),
        Some(
            "</metadata?page=1&per_page=5>; rel=\"first\", \
             </metadata?page=2&per_page=5>; rel=\"prev\", \
             </metadata?page=3&per_page=5>; rel=\"last\""
        )
    );
}

#[db_test]
async fn search_takes_any_input_as_words(app: TestApp) {
    seed::public_licenses(&app.database.options, 12).await;
    let total = |query: &str| {
        let path = format!("/metadata?search={query}");
        let app = &app;
        async move { app.get(&path).await.json()["pagination"]["total"].clone() }
    };
    assert_eq!(total("LICENSE%2012").await, 1);
    assert_eq!(total("%22number%201%22").await, 1);
    assert_eq!(total("%22number%201%22*").await, 4, "a prefix");
    assert_eq!(total("sample%20talent%202").await, 7, "names of the owner and the talent");
    assert_eq!(
        (total("%22of%20number%22").await, total("%22number%20of%22").await),
        (json!(12), json!(0))
    );
    for literal in ["%25", "_", "!", "'", "%22", "%5C", "*", "a%20OR%20b"] {
        assert_eq!(total(literal).await, 0, "{literal}");
    }
    let nul = app.get("/metadata?search=a%00b").await;
    assert_eq!(
        (nul.status.as_u16(), &nul.json()["error"]["code"]),
        (400, &json!("VALIDATION_ERROR"))
    );
    assert_eq!(app.get("/metadata?license_type=voice").await.json()["pagination"]["total"], 0);
    assert_eq!(
        app.get("/metadata?license_type=advertising").await.json()["pagination"]["total"],
        12
    );
}

#[db_test]
async fn only_what_is_public_and_in_force_is_shown(app: TestApp) {
    seed::public_licenses(&app.database.options, 5).await;
    let now = grantor_testkit::clock::MockClock::START.as_micros();
    let script = format!(
        "UPDATE licenses SET status = 'draft' WHERE title = 'License 1';
         UPDATE licenses SET deleted_at = 1 WHERE title = 'License 2';
         DELETE FROM license_readers WHERE title IN ('License 1', 'License 2');
         UPDATE reader_counts SET total = total - 2;
         UPDATE licenses SET expires_at = {now} WHERE title = 'License 3';
         UPDATE licenses SET expires_at = {now} + 1 WHERE title = 'License 4';
         UPDATE license_readers SET expires_at = {now} WHERE title = 'License 3';
         UPDATE license_readers SET expires_at = {now} + 1 WHERE title = 'License 4';
         INSERT INTO license_stale SELECT license_id, 1 FROM licenses;"
    );
    seed::run(&app.database.options, script).await;
    let page = app.get("/metadata").await;
    assert_eq!(titles(&page), ["License 5", "License 4"]);
    assert_eq!(page.json()["pagination"]["total"], 2);
    app.clock.advance(std::time::Duration::from_micros(1));
    assert_eq!(titles(&app.get("/metadata").await), ["License 5"]);
}

#[db_test]
async fn a_known_page_is_not_sent_again(app: TestApp) {
    seed::public_licenses(&app.database.options, 3).await;
    let tag = app.get("/metadata").await.header("etag").unwrap().to_owned();
    let again = || app.request(Method::GET, "/metadata").header("if-none-match", &tag).send();
    let unchanged = again().await;
    assert_eq!((unchanged.status.as_u16(), unchanged.body.len()), (304, 0));
    assert_eq!(unchanged.header("etag"), Some(tag.as_str()));
    assert_eq!(unchanged.header("cache-control"), Some("public, max-age=60"));
    let change = "UPDATE licenses SET title = 'Other' WHERE title = 'License 1'".to_owned();
    seed::run(&app.database.options, change).await;
    assert_eq!(again().await.status, 200);
}

#[db_test]
async fn every_fault_of_a_question_is_named(app: TestApp) {
    let query = "page=0&per_page=101&license_type=poster&sort=fee&order=up";
    let answer = app.get(&format!("/metadata?{query}")).await;
    let details = json!({
        "license_type": "must be one of social_media, advertising, endorsement, ai_training, \
            ai_generation, voice, merchandise, custom",
        "order": "must be one of asc, desc",
        "page": "must be a whole number from 1 to 4294967295",
        "per_page": "must be a whole number from 1 to 100",
        "sort": "must be one of created_at, updated_at, title",
    });
    assert_eq!(answer.status, 400);
    assert_eq!(answer.json()["error"]["details"], details);
    assert_eq!(answer.json()["error"]["code"], "VALIDATION_ERROR");
    let twice = app.get("/metadata?page=1&page=2").await;
    assert_eq!(twice.json()["error"]["details"], json!({ "page": "is given more than once" }));
    let long = app.get(&format!("/metadata?search={}", "x".repeat(201))).await;
    assert_eq!(long.json()["error"]["details"]["search"], "must be at most 200 characters");
}
