//! What licenses offer, for programs: `GET /metadata/{id}`, the formats of `GET /licenses/{id}` and
//! of the catalog's pages, and the files for crawlers.

mod odrl;
mod property;

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::decision::Question;
use grantor_domain::license::{LicenseType, Territory, Uses};
use grantor_testkit::app::{Answer, TestApp};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use self::odrl::{Policy, violations};
use crate::license::World;

const ID: &str = "30000000-0000-0000-0000-000000000001";
const ODRL: &str = "application/ld+json; profile=\"http://www.w3.org/ns/odrl/2/\"";
const SCHEMA: &str = "application/ld+json; profile=\"https://schema.org\"";

/// Names and media types.
const FORMATS: [(&str, &str); 5] = [
    ("json", "application/json"),
    ("odrl", ODRL),
    ("rsl", "application/rsl+xml"),
    ("schema", SCHEMA),
    ("text", "text/plain; charset=utf-8"),
];

fn text_of(answer: &Answer) -> String {
    String::from_utf8(answer.body.clone()).unwrap()
}

#[db_test]
async fn a_public_license_is_there_in_every_format(app: TestApp) {
    seed::public_licenses(&app.database.options, 1).await;
    let path = format!("/metadata/{ID}");
    for (name, kind) in FORMATS {
        let named = app.get(&format!("{path}?format={name}")).await;
        assert_eq!((named.status.as_u16(), named.header("content-type")), (200, Some(kind)));
        let wanted = app.request(Method::GET, &path).header("accept", kind).send().await;
        assert_eq!(wanted.body, named.body, "{name}");
        for answer in [named, wanted] {
            assert_eq!(answer.header("vary"), Some("accept"), "{name}");
            assert_eq!(answer.header("cache-control"), Some("public, max-age=60"), "{name}");
            assert_eq!(answer.header("content-usage"), Some("train-ai=n, ai-use=n, search=y"));
            assert_eq!(answer.header("tdm-reservation"), Some("1"));
            assert_eq!(answer.header("tdm-policy"), None, "AI training is not offered");
        }
        let head = app.request(Method::HEAD, &path).header("accept", kind).send().await;
        assert_eq!((head.status.as_u16(), head.header("content-type")), (200, Some(kind)));
        assert_eq!(head.body.len(), 0);
    }
    let listed = app.get("/metadata").await.json()["data"][0].clone();
    assert_eq!(app.get(&path).await.whole(), (200, listed), "the same as in the list");
}

#[db_test]
async fn each_format_has_a_tag_of_its_own(app: TestApp) {
    seed::public_licenses(&app.database.options, 1).await;
    let get = |name: &str, tag: &str| {
        let path = format!("/metadata/{ID}?format={name}");
        app.request(Method::GET, &path).header("if-none-match", tag).send()
    };
    let mut tags = vec![];
    for (name, _) in FORMATS {
        let first = get(name, "\"none\"").await;
        let tag = first.header("etag").unwrap().to_owned();
        let again = get(name, &tag).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{name}");
        assert_eq!(again.header("vary"), Some("accept"), "{name}");
        tags.push(tag);
    }
    let change = "UPDATE licenses SET title = 'Other', updated_at = updated_at + 1".to_owned();
    seed::run(&app.database.options, change).await;
    for ((name, _), tag) in FORMATS.iter().zip(&tags) {
        assert_eq!(get(name, tag).await.status, 200, "{name}");
        assert_eq!(tags.iter().filter(|it| *it == tag).count(), 1, "{name}");
    }
}

#[db_test]
async fn a_response_links_to_the_other_formats(app: TestApp) {
    seed::public_licenses(&app.database.options, 1).await;
    let script = "UPDATE licenses SET uses = '[\"ai_training\"]'".to_owned();
    seed::run(&app.database.options, script).await;
    let answer = app.get(&format!("/metadata/{ID}")).await;
    let url = |name: &str| format!("<https://grantor.test/metadata/{ID}?format={name}>");
    let links = format!(
        "{}; rel=\"alternate\"; type=\"application/ld+json\", \
         {}; rel=\"license\"; type=\"application/rsl+xml\", \
         {}; rel=\"alternate\"; type=\"application/ld+json\", \
         {}; rel=\"alternate\"; type=\"text/plain\"",
        url("odrl"),
        url("rsl"),
        url("schema"),
        url("text"),
    );
    assert_eq!(answer.header("link"), Some(links.as_str()));
    let page = format!("https://grantor.test/app/catalog/{ID}");
    assert_eq!(answer.header("tdm-policy"), Some(page.as_str()), "where to ask for AI training");
}

#[db_test]
async fn what_is_not_public_is_not_found(app: TestApp) {
    seed::public_licenses(&app.database.options, 2).await;
    let now = grantor_testkit::clock::MockClock::START.as_micros();
    let script = format!(
        "UPDATE licenses SET status = 'draft' WHERE title = 'License 1';
         DELETE FROM license_readers WHERE title = 'License 1';
         UPDATE licenses SET expires_at = {now} + 1 WHERE title = 'License 2';
         UPDATE license_readers SET expires_at = {now} + 1 WHERE title = 'License 2'"
    );
    seed::run(&app.database.options, script).await;
    let get = |id: &str, format: &str| {
        let path = format!("/metadata/{id}?format={format}");
        app.request(Method::GET, &path).header("x-request-id", "r-1").send()
    };
    let second = ID.replace("01", "02");
    assert_eq!(get(&second, "odrl").await.status, 200, "the control");
    app.clock.advance(Duration::from_micros(1));
    let error = json!({ "code": "NOT_FOUND", "message": "License not found", "request_id": "r-1" });
    let missing = (404, json!({ "success": false, "error": error }));
    for (name, _) in FORMATS {
        for id in [ID, &second, "30000000-0000-0000-0000-000000000009"] {
            assert_eq!(get(id, name).await.whole(), missing, "{id} {name}");
        }
    }
}

#[db_test]
async fn an_unknown_format_is_refused_with_those_there_are(app: TestApp) {
    seed::public_licenses(&app.database.options, 1).await;
    let names = "must be one of json, odrl, rsl, schema, text";
    let answer = app.get(&format!("/metadata/{ID}?format=yaml")).await;
    let details = &answer.json()["error"]["details"];
    assert_eq!((answer.status.as_u16(), details), (400, &json!({ "format": names })));
    let page = app.get(&format!("/app/catalog/{ID}?format=yaml")).await;
    assert_eq!(page.status, 400);
    assert!(
        text_of(&page).contains(names) && text_of(&page).contains("License 1"),
        "the page stays"
    );
    let id = app.get("/metadata/nonsense").await;
    assert_eq!(id.json()["error"]["details"], json!({ "id": "must be a UUID" }));
}

#[db_test]
async fn the_page_speaks_the_same_formats(app: TestApp) {
    seed::public_licenses(&app.database.options, 1).await;
    let page = format!("/app/catalog/{ID}");
    for (name, kind) in &FORMATS[1..] {
        let data = app.get(&format!("/metadata/{ID}?format={name}")).await;
        let wanted = app.request(Method::GET, &page).header("accept", kind).send().await;
        for answer in [app.get(&format!("{page}?format={name}")).await, wanted] {
            assert_eq!((answer.status.as_u16(), &answer.body), (200, &data.body), "{name}");
            assert_eq!(answer.header("content-type"), Some(*kind));
            assert_eq!(answer.header("vary"), Some("accept"));
            assert_eq!(answer.header("etag"), data.header("etag"));
        }
        let known = app.request(Method::GET, &page).header("accept", kind);
        let known = known.header("if-none-match", data.header("etag").unwrap()).send().await;
        assert_eq!((known.status.as_u16(), known.body.len()), (304, 0), "{name}");
    }
    let json = app.get(&format!("{page}?format=json")).await;
    let to = format!("/metadata/{ID}");
    assert_eq!((json.status.as_u16(), json.header("location")), (303, Some(to.as_str())));
    for accept in ["*/*", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"] {
        let html = app.request(Method::GET, &page).header("accept", accept).send().await;
        assert_eq!(html.header("content-type"), Some("text/html; charset=utf-8"), "{accept}");
        assert!(text_of(&html).contains(&format!("/metadata/{ID}?format=odrl")), "a link");
        assert!(html.header("link").unwrap().contains("rel=\"license\""));
    }
}

#[db_test]
async fn public_pages_declare_what_crawlers_may_do(world: World) {
    let app = &world.app;
    for path in ["/", "/app/catalog", "/app/sign-in", "/verify", "/metadata"] {
        let answer = app.get(path).await;
        assert_eq!(
            answer.header("content-usage"),
            Some("train-ai=n, ai-use=n, search=y"),
            "{path}"
        );
        assert_eq!(answer.header("tdm-reservation"), Some("1"), "{path}");
    }
    let console = app.get("/app/licenses").await;
    assert_eq!((console.status.as_u16(), console.header("content-usage")), (303, None));
    let robots = "License: https://grantor.test/license.xml\n\nUser-agent: *\nAllow: /\n\
                  Content-Usage: train-ai=n, ai-use=n, search=y\n";
    assert_eq!(text_of(&app.get("/robots.txt").await), robots);
    let mining = json!([{ "location": "/", "tdm-reservation": 1 }]);
    assert_eq!(app.get("/.well-known/tdmrep.json").await.whole(), (200, mining));
    let license = app.get("/license.xml").await;
    assert_eq!(license.header("content-type"), Some("application/rsl+xml"));
    let content = "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"/\"><license>\
        <permits type=\"usage\">search</permits><payment type=\"free\"/></license>\
        <terms>https://grantor.test/app/catalog</terms></content></rsl>\n";
    assert!(text_of(&license).ends_with(content), "{}", text_of(&license));
    for path in ["/robots.txt", "/license.xml"] {
        let tag = app.get(path).await.header("etag").unwrap().to_owned();
        let again = app.request(Method::GET, path).header("if-none-match", &tag).send().await;
        assert_eq!(again.status, 304, "{path}");
    }
}

#[db_test]
async fn callers_with_a_permission_read_the_same_formats(world: World) {
    let license = world.license(json!({ "uses": ["voice"], "territories": ["DE"] })).await;
    let path = format!("/licenses/{license}");
    let get = |accept: &str| {
        let request = world.app.request(Method::GET, &path).bearer(&world.agency.external);
        request.header("accept", accept).send()
    };
    let plain = world.get(&path).await;
    for accept in ["*/*", "application/json", "application/*", "image/png"] {
        let answer = get(accept).await;
        assert_eq!(
            (answer.header("content-type"), &answer.body),
            (Some("application/json"), &plain.body)
        );
        assert_eq!(
            (answer.header("vary"), answer.header("etag")),
            (Some("accept"), plain.header("etag"))
        );
    }
    let mut tags = vec![plain.header("etag").unwrap().to_owned()];
    for (name, kind) in &FORMATS[1..] {
        let named = world.get(&format!("{path}?format={name}")).await;
        assert_eq!((named.status.as_u16(), named.header("content-type")), (200, Some(*kind)));
        assert_eq!(get(kind).await.body, named.body, "{name}");
        let tag = named.header("etag").unwrap().to_owned();
        let request = world.app.request(Method::GET, &path).bearer(&world.agency.external);
        let again = request.header("accept", kind).header("if-none-match", &tag).send().await;
        assert_eq!((again.status.as_u16(), again.header("vary")), (304, Some("accept")), "{name}");
        assert!(!tags.contains(&tag), "{name}");
        tags.push(tag);
    }
    let foreign = format!("{path}?format=odrl");
    let foreign = world.brand.external(&world.app, Method::GET, &foreign, None).await;
    assert_eq!(foreign.json()["error"]["code"], "ACCESS_DENIED");
    let both = world.get(&format!("{path}?format=odrl&include_images=true")).await;
    let details = json!({ "include_images": "requires the format json" });
    assert_eq!((both.status.as_u16(), &both.json()["error"]["details"]), (400, &details));
}

#[db_test]
async fn a_tag_of_any_format_allows_a_change(world: World) {
    let license = world.license(json!({})).await;
    let path = format!("/licenses/{license}");
    let tag = world.get(&format!("{path}?format=odrl")).await.header("etag").unwrap().to_owned();
    let change = |title: &str| {
        let request = world.app.request(Method::PATCH, &path).bearer(&world.agency.external);
        request.header("if-match", &tag).json(&json!({ "title": title })).send()
    };
    assert_eq!(change("Spring").await.status, 200);
    assert_eq!(change("Summer").await.status, 412, "the tag is of an earlier version");
}

#[db_test]
async fn earlier_versions_and_drafts_say_what_they_offered(world: World) {
    let license = world.license(json!({ "status": "draft", "uses": ["voice"] })).await;
    let policy = |query: &'static str| {
        let path = format!("/licenses/{license}?format=odrl{query}");
        let world = &world;
        async move { world.get(&path).await.json() }
    };
    let draft = policy("").await;
    assert_eq!(
        (draft.get("permission"), &draft["prohibition"][0]["action"]),
        (None, &json!("use"))
    );
    world.patch(&license, json!({ "status": "private", "uses": ["merchandise"] })).await;
    let uses = |policy: &Value| {
        let constraint = &policy["permission"][0]["constraint"][0];
        constraint["rightOperand"]["@list"][0]["@id"].clone()
    };
    assert_eq!(uses(&policy("").await), "https://grantor.test/ns/uses#merchandise");
    let first = policy("&version=1").await;
    assert_eq!(first["prohibition"], draft["prohibition"], "of the same likeness");
    let url = format!("https://grantor.test/licenses/{license}");
    assert_eq!((&draft["uid"], &first["uid"]), (&json!(url), &json!(format!("{url}?version=1"))));
    let text = world.get(&format!("/licenses/{license}?version=1&format=text")).await;
    assert!(
        text_of(&text).contains(&format!("{url}?version=1&format=odrl")),
        "not the current one"
    );
}

/// What the served policy decides is what `/decisions` answers, before and after consent.
#[db_test]
async fn the_served_policy_decides_as_the_api_does(world: World) {
    let limits = json!({
        "status": "public", "uses": ["voice", "ai_training"], "territories": ["DE", "FR"],
        "expiresAt": "2026-03-01T00:00:00Z", "appearanceFee": "250", "currency": "EUR",
        "feePer": "use",
    });
    let license = world.license(limits).await;
    let served = world.app.get(&format!("/metadata/{license}?format=odrl")).await.json();
    assert_eq!(violations(&served), Vec::<String>::new());
    let policy = Policy::read(&served);
    for consent in [false, true] {
        if consent {
            assert_eq!(world.grant(&license, "viewer").await.status, 201);
        }
        let mut asked = vec![];
        for at in ["2026-02-28T23:59:59.999999Z", "2026-03-01T00:00:00Z"] {
            for (usage, place) in
                Uses::known().flat_map(|it| ["DE", "US", "WORLD"].map(|at| (it, at)))
            {
                asked.push((usage, place, at));
            }
        }
        let question = |(usage, place, at): &(LicenseType, &str, &str)| {
            let license = &license;
            json!({ "license_id": license, "use": usage, "territory": place, "at": at })
        };
        let body = json!({ "questions": asked.iter().map(question).collect::<Vec<_>>() });
        let answer = world.brand.external(&world.app, Method::POST, "/decisions", Some(body)).await;
        for ((usage, place, at), decided) in
            asked.into_iter().zip(answer.json()["decisions"].as_array().unwrap())
        {
            let (territory, at) = (Territory::parse(place).unwrap(), Timestamp::parse(at).unwrap());
            let found = policy.decide(&Question { usage, territory, at }, consent);
            assert_eq!(decided["decision"], found.name(), "{usage} {place} {at} {consent}");
        }
    }
}
