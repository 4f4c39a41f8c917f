//! Every cell of the documents' tables of query parameters: default, smallest, largest, beyond both,
//! the wrong type, empty, repeated and unknown.

use grantor_testkit::app::Answer;
use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::sighting::{MENTION, PLATFORM, shown};
use super::{World, text};

const PAGE: &str = "must be a whole number from 1 to 4294967295";
const SIZE: &str = "must be a whole number from 1 to 100";
const TWICE: &str = "is given more than once";
const FLAG: &str = "must be true or false";
const STATUS: &str = "must be one of draft, private, public, expired";
const TYPE: &str = "must be one of social_media, advertising, endorsement, ai_training, \
                    ai_generation, voice, merchandise, custom";
const SORT: &str = "must be one of created_at, updated_at, title";
const ORDER: &str = "must be one of asc, desc";
const DECIDED: &str = "must be one of new, confirmed, dismissed";
const VERDICT: &str = "must be one of licensed, unlicensed, needs_review";
const INSTANT: &str = "must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z";

/// A query that is refused, the parameter at fault, and why.
type Refused = (&'static str, &'static str, &'static str);

/// What every list refuses.
const PAGING: [Refused; 17] = [
    ("page=0", "page", PAGE),
    ("page=-1", "page", PAGE),
    ("page=4294967296", "page", PAGE),
    ("page=99999999999999999999", "page", PAGE),
    ("page=one", "page", PAGE),
    ("page=1.5", "page", PAGE),
    ("page=%2B1", "page", PAGE),
    ("page=%201", "page", PAGE),
    ("page=", "page", PAGE),
    ("page=1&page=1", "page", TWICE),
    ("per_page=0", "per_page", SIZE),
    ("per_page=-20", "per_page", SIZE),
    ("per_page=101", "per_page", SIZE),
    ("per_page=all", "per_page", SIZE),
    ("per_page=1e1", "per_page", SIZE),
    ("per_page=", "per_page", SIZE),
    ("per_page=5&per_page=5", "per_page", TWICE),
];

/// What lists of licenses refuse besides.
const SORTED: [Refused; 11] = [
    ("license_type=poster", "license_type", TYPE),
    ("license_type=Voice", "license_type", TYPE),
    ("license_type=", "license_type", TYPE),
    ("license_type=voice&license_type=voice", "license_type", TWICE),
    ("sort=fee", "sort", SORT),
    ("sort=", "sort", SORT),
    ("sort=title&sort=title", "sort", TWICE),
    ("order=up", "order", ORDER),
    ("order=ASC", "order", ORDER),
    ("order=", "order", ORDER),
    ("search=a&search=b", "search", TWICE),
];

const LISTED: [Refused; 8] = [
    ("status=gone", "status", STATUS),
    ("status=Public", "status", STATUS),
    ("status=1", "status", STATUS),
    ("status=", "status", STATUS),
    ("status=draft&status=public", "status", TWICE),
    ("include_image_urls=2", "include_image_urls", FLAG),
    ("include_image_urls=", "include_image_urls", FLAG),
    ("include_image_urls=true&include_image_urls=true", "include_image_urls", TWICE),
];

const FLAGS: [Refused; 9] = [
    ("include_images=yes", "include_images", FLAG),
    ("include_images=10", "include_images", FLAG),
    ("include_images=", "include_images", FLAG),
    ("include_images=true&include_images=true", "include_images", TWICE),
    ("include_images=true&include_image_urls=yes", "include_image_urls", FLAG),
    ("include_images=true&include_image_urls=", "include_image_urls", FLAG),
    ("include_image_urls=true&include_image_urls=true", "include_image_urls", TWICE),
    ("include_image_urls=true", "include_image_urls", "requires include_images=true"),
    (
        "include_images=false&include_image_urls=true",
        "include_image_urls",
        "requires include_images=true",
    ),
];

const MENTIONS: [Refused; 18] = [
    ("status=old", "status", DECIDED),
    ("status=", "status", DECIDED),
    ("status=new&status=new", "status", TWICE),
    ("verdict=bad", "verdict", VERDICT),
    ("verdict=", "verdict", VERDICT),
    ("verdict=licensed&verdict=licensed", "verdict", TWICE),
    ("platform_id=1", "platform_id", "must be a UUID"),
    ("platform_id=", "platform_id", "must be a UUID"),
    ("platform_id=1&platform_id=1", "platform_id", TWICE),
    ("from=yesterday", "from", INSTANT),
    ("from=2026-01-01", "from", INSTANT),
    ("from=", "from", INSTANT),
    ("to=1767225600", "to", INSTANT),
    ("to=", "to", INSTANT),
    ("to=2026-01-01T00:00:00Z&from=2026-01-01T00:00:00Z", "to", "must be after from"),
    ("to=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z", "to", TWICE),
    ("order=up", "order", ORDER),
    ("order=", "order", ORDER),
];

impl World {
    async fn ask(&self, method: Method, path: &str) -> Answer {
        let request = self.app.request(method.clone(), path).header("x-request-id", "r-1");
        let request = request.bearer(&self.agency.external);
        match method {
            Method::PATCH => request.json(&json!({ "title": "Never" })).send().await,
            _ => request.send().await,
        }
    }

    /// Each of these queries is refused, and says so whole.
    async fn refuse_all(&self, method: Method, path: &str, tables: &[&[Refused]]) {
        for (query, field, reason) in tables.concat() {
            let answer = self.ask(method.clone(), &format!("{path}?{query}")).await;
            let error = json!({
                "code": "VALIDATION_ERROR", "message": "Some fields are not valid",
                "details": { field: reason }, "request_id": "r-1",
            });
            let body = json!({ "success": false, "error": error });
            assert_eq!(answer.whole(), (400, body), "{method} {path}?{query}");
        }
    }

    /// Each of these queries gets these items of all, in this order, on this page.
    async fn give_all(&self, path: &str, all: &[Value], cells: &[(&str, &str, [u64; 3])]) {
        for (query, found, [page, size, total]) in cells {
            let items = found.chars().map(|it| &all[it.to_digit(10).unwrap() as usize]);
            let pages = total.div_ceil(*size);
            let body = json!({
                "data": items.collect::<Vec<_>>(),
                "pagination": {
                    "page": page, "per_page": size, "total": total, "total_pages": pages,
                    "has_next": *page < pages, "has_prev": *page > 1,
                },
            });
            let answer = self.ask(Method::GET, &format!("{path}?{query}")).await;
            assert_eq!(answer.whole(), (200, body), "{path}?{query}");
        }
    }

    /// Three licenses, as they are shown: a draft, a private and a public one.
    async fn three(&self) -> Vec<Value> {
        let mut shown = Vec::new();
        for (name, kind, status) in [
            ("Bravo", "voice", "draft"),
            ("Alpha", "voice", "private"),
            ("Charlie", "custom", "public"),
        ] {
            let id = self.license(json!({ "name": name, "type": kind, "status": status })).await;
            shown.push(self.get(&format!("/licenses/{id}")).await.json());
        }
        shown
    }
}

#[db_test]
async fn get_licenses(world: World) {
    let all = world.three().await;
    world.refuse_all(Method::GET, "/licenses", &[&PAGING, &SORTED, &LISTED]).await;
    let long = format!("search={}", "x".repeat(201)).leak();
    let long: [Refused; 1] = [(long, "search", "must be at most 200 characters")];
    world.refuse_all(Method::GET, "/licenses", &[&long]).await;
    let longest = format!("search={}", "x".repeat(200));
    world
        .give_all(
            "/licenses",
            &all,
            &[
                ("", "210", [1, 20, 3]),
                ("page=1", "210", [1, 20, 3]),
                ("page=4294967295", "", [4_294_967_295, 20, 3]),
                ("page=02&per_page=2", "0", [2, 2, 3]),
                ("per_page=1", "2", [1, 1, 3]),
                ("per_page=100", "210", [1, 100, 3]),
                ("status=draft", "0", [1, 20, 1]),
                ("status=private", "1", [1, 20, 1]),
                ("status=public", "2", [1, 20, 1]),
                ("status=expired", "", [1, 20, 0]),
                ("search=", "210", [1, 20, 3]),
                ("search=alpha", "1", [1, 20, 1]),
                (&longest, "", [1, 20, 0]),
                ("license_type=voice", "10", [1, 20, 2]),
                ("license_type=merchandise", "", [1, 20, 0]),
                ("sort=created_at", "210", [1, 20, 3]),
                ("sort=updated_at", "210", [1, 20, 3]),
                ("sort=title", "201", [1, 20, 3]),
                ("order=desc", "210", [1, 20, 3]),
                ("order=asc", "012", [1, 20, 3]),
                ("include_image_urls=false", "210", [1, 20, 3]),
                ("Page=2&limit=1&unknown=x&unknown=y", "210", [1, 20, 3]),
            ],
        )
        .await;
    let mut with_urls = all;
    for it in &mut with_urls {
        it["image_urls"] = json!([]);
    }
    world
        .give_all("/licenses", &with_urls, &[("include_image_urls=true", "210", [1, 20, 3])])
        .await;
}

#[db_test]
async fn get_and_patch_a_license(world: World) {
    let id = world.license(json!({})).await;
    let path = format!("/licenses/{id}");
    let plain = world.get(&path).await.json();
    for method in [Method::GET, Method::PATCH] {
        world.refuse_all(method, &path, &[&FLAGS]).await;
    }
    assert_eq!(world.get(&path).await.json(), plain, "nothing refused has changed it");
    let mut with_images = plain.clone();
    with_images["reference_images"] = json!([]);
    for (query, expected) in [
        ("", &plain),
        ("include_images=false", &plain),
        ("include_images=false&include_image_urls=false", &plain),
        ("include_image_urls=false", &plain),
        ("include_images=true", &with_images),
        ("include_images=true&include_image_urls=false", &with_images),
        ("include_images=true&include_image_urls=true", &with_images),
        ("include_images=TRUE", &with_images),
        ("include_images=1&include_image_urls=False", &with_images),
        ("include_images=0", &plain),
        ("unknown=x&unknown=y", &plain),
    ] {
        let path = format!("{path}?{query}");
        assert_eq!(world.ask(Method::GET, &path).await.whole(), (200, expected.clone()), "{query}");
        // A change that changes nothing answers with the same.
        let patch = world.app.request(Method::PATCH, &path).bearer(&world.agency.external);
        let answer = patch.json(&json!({})).send().await;
        assert_eq!(answer.whole(), (200, expected.clone()), "{query}");
    }
}

#[db_test]
async fn get_mentions(world: World) {
    let id = world.license(json!({})).await;
    world.sight(&id).await;
    let path = format!("/licenses/{id}/mentions");
    world.refuse_all(Method::GET, &path, &[&PAGING, &MENTIONS]).await;
    let mut mention = shown(&id, "new");
    mention["note"] = Value::Null;
    let (here, elsewhere) = (format!("platform_id={PLATFORM}"), format!("platform_id={id}"));
    world
        .give_all(
            &path,
            &[mention.clone()],
            &[
                ("", "0", [1, 20, 1]),
                ("page=1", "0", [1, 20, 1]),
                ("page=4294967295", "", [4_294_967_295, 20, 1]),
                ("per_page=1", "0", [1, 1, 1]),
                ("per_page=100", "0", [1, 100, 1]),
                ("status=new", "0", [1, 20, 1]),
                ("status=confirmed", "", [1, 20, 0]),
                ("status=dismissed", "", [1, 20, 0]),
                ("verdict=licensed", "", [1, 20, 0]),
                ("verdict=unlicensed", "0", [1, 20, 1]),
                ("verdict=needs_review", "", [1, 20, 0]),
                (&here, "0", [1, 20, 1]),
                (&elsewhere, "", [1, 20, 0]),
                ("from=2026-01-01T00:00:00Z", "0", [1, 20, 1]),
                ("from=2026-01-01T01:00:00%2B01:00", "0", [1, 20, 1]),
                ("from=2026-01-01T00:00:00.000001Z", "", [1, 20, 0]),
                ("to=2026-01-01T00:00:00Z", "", [1, 20, 0]),
                ("to=2026-01-01T00:00:00.000001Z", "0", [1, 20, 1]),
                ("order=asc", "0", [1, 20, 1]),
                ("order=desc", "0", [1, 20, 1]),
                ("sort=title&unknown=x&unknown=y", "0", [1, 20, 1]),
            ],
        )
        .await;
    // One mention has no parameters: whatever comes is unknown.
    let one = format!("/mentions/{MENTION}?page=0&unknown=x&unknown=y");
    assert_eq!(world.ask(Method::GET, &one).await.whole(), (200, mention));
}

#[db_test]
async fn get_metadata(world: World) {
    let all = world.three().await;
    let entry = |it: &Value| {
        json!({
            "id": it["id"], "title": it["title"], "description": it["description"],
            "license_type": it["license_type"], "talent": { "name": it["talent"]["name"] },
            "owner": { "name": it["owner"]["name"], "type": it["owner"]["type"] },
            "territories": it["territories"], "uses": it["uses"], "fee": it["fee"],
            "valid_from": it["valid_from"], "expires_at": it["expires_at"],
            "updated_at": it["updated_at"],
        })
    };
    let entries: Vec<_> = all.iter().map(entry).collect();
    world.refuse_all(Method::GET, "/metadata", &[&PAGING, &SORTED]).await;
    world
        .give_all(
            "/metadata",
            &entries,
            &[
                ("", "2", [1, 20, 1]),
                ("page=4294967295", "", [4_294_967_295, 20, 1]),
                ("per_page=1", "2", [1, 1, 1]),
                ("per_page=100", "2", [1, 100, 1]),
                ("search=", "2", [1, 20, 1]),
                ("search=alpha", "", [1, 20, 0]),
                ("license_type=custom", "2", [1, 20, 1]),
                ("license_type=voice", "", [1, 20, 0]),
                ("sort=created_at&order=asc", "2", [1, 20, 1]),
                ("sort=updated_at&order=desc", "2", [1, 20, 1]),
                ("sort=title", "2", [1, 20, 1]),
                // No parameter of the catalog: whoever asks sees what is public, and no more.
                ("status=draft&include_image_urls=true&unknown=x", "2", [1, 20, 1]),
            ],
        )
        .await;
}

#[db_test]
async fn get_bookmarks(world: World) {
    let id = world.license(json!({})).await;
    let body = Some(json!({ "target_type": "license", "target_id": id }));
    let made = world.agency.external(&world.app, Method::POST, "/bookmarks", body).await.json();
    assert_eq!(text(&made["target"]["id"]), id);
    world.refuse_all(Method::GET, "/bookmarks", &[&PAGING]).await;
    world
        .give_all(
            "/bookmarks",
            &[made],
            &[
                ("", "0", [1, 20, 1]),
                ("page=1", "0", [1, 20, 1]),
                ("page=4294967295", "", [4_294_967_295, 20, 1]),
                ("per_page=1", "0", [1, 1, 1]),
                ("per_page=100", "0", [1, 100, 1]),
                ("sort=title&unknown=x&unknown=y", "0", [1, 20, 1]),
            ],
        )
        .await;
}
