//! `POST /console/pax/{paxId}/content`.

use grantor_domain::Clock as _;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Watch, item, platform, push};
use crate::console::{faults, refused};
use crate::license::text;

const PAGE: &str = "https://wire.example/1";

#[db_test]
async fn content_is_checked_and_the_rights_holder_told(watch: Watch) {
    let license = watch.license(json!({})).await;
    let second = "HTTPS://wire.example/./2?utm_source=x#top";
    let said = "<p>On stage: <b>Gr&acirc;ce</b>&nbsp;Hopper, in person.</p><script>x</script>";
    let items = json!([
        { "url": PAGE, "title": "Tonight", "text": said, "author": "UnitOfWork",
          "publishedAt": "2025-12-31T20:00:00Z" },
        item(second, "Nobody"),
    ]);
    let answer = watch.push(items).await;
    let id = text(&answer.json()["data"]["items"][0]["mentions"][0]["mentionId"]);
    let now = watch.world.app.clock.now().to_string();
    let found = json!({
        "kind": "name", "method": "full_name", "term": "Grâce Hopper", "confidence": 0.98,
    });
    let reason = "Strong match, and the platform's organization has no permission";
    let mention = json!({
        "mentionId": id, "licenseId": license, "mediaType": "text", "match": found,
        "excerpt": "On stage: Grâce Hopper, in person.", "verdict": "unlicensed",
        "verdictReason": reason, "revision": 1, "firstSeenAt": now, "lastSeenAt": now,
    });
    let items = json!([
        { "url": PAGE, "canonicalUrl": PAGE, "mentions": [mention] },
        { "url": second, "canonicalUrl": "https://wire.example/2", "mentions": [] },
    ]);
    let message = "Content scanned";
    let body = json!({ "data": { "items": items }, "message": message, "status": "success" });
    assert_eq!(answer.whole(), (201, body));
    let shown = json!({
        "id": id, "license_id": license, "platform": { "id": watch.platform, "name": "The Wire" }, "source": null,
        "url": PAGE, "title": "Tonight", "excerpt": "On stage: Grâce Hopper, in person.",
        "author": "UnitOfWork", "media_type": "text", "match": found, "verdict": "unlicensed",
        "verdict_reason": reason, "status": "new", "note": null,
        "allowed": null, "decided_by": null, "decided_at": null,
        "published_at": "2025-12-31T20:00:00.000000Z", "first_seen_at": now,
        "last_seen_at": now, "revision": 1,
    });
    assert_eq!(watch.mentions(&license).await, [shown]);
    assert_eq!(watch.told().await, ["mention.created"]);
}

#[db_test]
async fn what_was_checked_is_counted(watch: Watch) {
    watch.license(json!({})).await;
    watch.say(PAGE, "Grace Hopper").await;
    watch.push(json!([item(PAGE, "Grace Hopper"), item("https://wire.example/2", "")])).await;
    let now = watch.world.app.clock.now().to_string();
    let get = async |path: String| {
        let answer = watch.world.brand.console(&watch.world.app, Method::GET, &path, None).await;
        answer.json()["data"]["statistics"].clone()
    };
    let platform = get(format!("/platforms/{}", watch.platform)).await;
    let counted = json!({ "contentScanned": 3, "nilDetections": 1, "lastScanAt": now });
    assert_eq!(platform, counted);
    let pax = get(format!("/console/pax/{}", watch.pax)).await;
    assert_eq!(pax, json!({ "requestCount": 2, "lastAccessed": now }));
}

/// Much content is noted in parts, and the push answered and counted once.
#[db_test]
async fn what_names_many_is_noted_in_parts(watch: Watch) {
    watch.license(json!({})).await;
    let (world, agency) = (&watch.world, &watch.world.agency);
    let body = json!({ "fullname": "Annie Easley" });
    let made = agency.console(&world.app, Method::POST, "/org/talent", Some(body)).await;
    let path = format!("/org/talent/license/{}", text(&made.json()["data"]["talentId"]));
    let body = json!({
        "name": "Centaur", "type": "advertising", "status": "private", "canCrawl": true,
    });
    let made = agency.console(&world.app, Method::POST, &path, Some(body)).await;
    assert_eq!(made.status, 201, "{}", made.json());
    let url = |it: u32| format!("https://wire.example/{it}");
    let items: Vec<Value> =
        (0..55).map(|it| item(&url(it), "Grace Hopper and Annie Easley")).collect();
    let push = async || {
        let answer = watch.push(json!(items)).await.json();
        let items = answer["data"]["items"].as_array().unwrap().clone();
        items.iter().map(|it| it["mentions"].as_array().unwrap().len()).collect::<Vec<_>>()
    };
    assert_eq!(push().await, [2; 55]);
    let rows = async |query: &str| seed::rows(&world.app.database.options, query).await.concat();
    let mut details = rows("SELECT details FROM log_entries WHERE action = 'pax.push'").await;
    details.sort_unstable();
    let part = |count| format!(r#"{{"items":55,"mentions":{count},"new":{count}}}"#);
    assert_eq!(details, [part(10), part(100)]);
    let counted =
        "SELECT CAST(content_scanned AS text), CAST(nil_detections AS text) FROM platforms";
    assert_eq!(rows(counted).await, ["55", "110"]);
    assert_eq!(push().await, [2; 55], "again, and nothing new");
    let told = "SELECT CAST(count(*) AS text) FROM events WHERE type = 'mention.created'";
    assert_eq!(rows(told).await, ["110"], "each once");
}

#[db_test]
async fn an_api_client_of_the_organization_pushes_too(watch: Watch) {
    watch.license(json!({})).await;
    let (app, brand) = (&watch.world.app, &watch.world.brand);
    let path = format!("/v1.0.1/console/pax/{}/content", watch.pax);
    let body = json!({ "items": [item(PAGE, "Grace Hopper")] });
    let answer = brand.external(app, Method::POST, &path, Some(body)).await;
    assert_eq!(answer.status, 201, "{}", answer.json());
    assert_eq!(answer.json()["data"]["items"][0]["mentions"][0]["verdict"], "unlicensed");
}

#[db_test]
async fn a_console_token_still_says_where_it_comes_from(watch: Watch) {
    let path = format!("/v1.0.1/console/pax/{}/content", watch.pax);
    let body = json!({ "items": [item(PAGE, "x")] });
    let token = &watch.world.brand.console;
    let request = watch.world.app.request(Method::POST, &path).bearer(token);
    let answer = request.json(&body).send().await;
    let message = "The header x-source: console is required";
    assert_eq!(answer.whole(), (401, refused("UNAUTHORIZED", message)));
}

#[db_test]
async fn only_who_may_push_does(watch: Watch) {
    let (world, items) = (&watch.world, json!([item(PAGE, "x")]));
    let (reading, _) = platform(world, &world.agency, "agency.example").await;
    let body = json!({ "platformId": reading, "name": "Read", "scopes": ["read", "crawl"] });
    let made = world.agency.console(&world.app, Method::POST, "/console/pax", Some(body)).await;
    let reading = text(&made.json()["data"]["paxId"]);
    let foreign = push(world, &world.agency, &watch.pax, items.clone()).await;
    assert_eq!(foreign.whole(), (404, refused("NOT_FOUND", "PAX not found")));
    let weak = push(world, &world.agency, &reading, items.clone()).await;
    let message = "This PAX does not have the write scope";
    assert_eq!(weak.whole(), (403, refused("INSUFFICIENT_PERMISSIONS", message)));
    let path = format!("/console/pax/{}", watch.pax);
    world.brand.console(&world.app, Method::DELETE, &path, None).await;
    let revoked = watch.push(items).await;
    assert_eq!(revoked.whole(), (409, refused("RESOURCE_CONFLICT", "This PAX is revoked")));
}

#[db_test]
async fn every_member_that_does_not_fit_is_named(watch: Watch) {
    let items = json!([{}, {
        "url": "ftp://x", "title": "x".repeat(501), "text": "", "imageUrl": "x",
        "author": "x".repeat(201), "publishedAt": "soon",
    }]);
    let link = "must be a URL such as https://example.com/page";
    let (status, wrong) = faults(&watch.push(items).await);
    let mut expected = json!({
        "items.0.url": "is required", "items.0.title": "is required",
        "items.0.text": "is required", "items.1.url": link,
        "items.1.title": "must be at most 500 characters", "items.1.imageUrl": link,
        "items.1.author": "must be at most 200 characters",
    });
    expected["items.1.publishedAt"] = wrong["items.1.publishedAt"].clone();
    assert_eq!((status, &wrong), (400, &expected));
    assert!(wrong["items.1.publishedAt"].is_string());
    let many: Vec<Value> = (0..101).map(|_| item(PAGE, "x")).collect();
    for items in [json!([]), json!(many)] {
        let expected = json!({ "items": "must contain 1 to 100 items" });
        assert_eq!(faults(&watch.push(items).await), (400, expected));
    }
}
