//! `/bookmarks`, `/bookmarks/{id}`.

use std::time::Duration;

use futures_util::future::join_all;
use grantor_testkit::app::Answer;
use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::gallery::{Gallery, UNKNOWN, first_mention};
use super::{invalid, refused, text};

const GRACE: &str = "grace@example.com";
const COUNT: &str = "SELECT CAST(count(*) AS text) FROM bookmarks";

impl Gallery {
    async fn keep(&self, token: &str, body: Value) -> Answer {
        self.send(token, Method::POST, "/bookmarks", Some(body)).await
    }

    async fn kept(&self, token: &str) -> Vec<Value> {
        let answer = self.get(token, "/bookmarks").await;
        assert_eq!(answer.status, 200);
        answer.json()["data"].as_array().unwrap().clone()
    }
}

fn target(kind: &str, id: &str) -> Value {
    json!({ "target_type": kind, "target_id": id })
}

#[db_test]
async fn a_license_and_a_mention_are_kept_at_hand(gallery: Gallery) {
    let license = gallery.license("private").await;
    let mention = gallery.mention(1, &license).await;
    let mut body = target("license", &license);
    body["note"] = json!(" ask again ");
    body["tags"] = json!(["Q4", "q4"]);
    let made = gallery.keep(&gallery.token, body).await;
    let shown = gallery.get(&gallery.token, &format!("/licenses/{license}")).await.json();
    let of_license = json!({
        "id": made.json()["id"],
        "target_type": "license",
        "target_id": license,
        "note": "ask again",
        "tags": ["Q4"],
        "created_at": "2026-01-01T00:00:00.000000Z",
        "access_lost": false,
        "target": shown,
    });
    assert_eq!(made.whole(), (201, of_license.clone()));
    gallery.office.app.clock.advance(Duration::from_millis(1));
    let made = gallery.keep(&gallery.token, target("mention", &mention)).await;
    let of_mention = json!({
        "id": made.json()["id"],
        "target_type": "mention",
        "target_id": mention,
        "note": null,
        "tags": [],
        "created_at": "2026-01-01T00:00:00.001000Z",
        "access_lost": false,
        "target": first_mention(&license),
    });
    assert_eq!(made.whole(), (201, of_mention.clone()));

    let list = gallery.get(&gallery.token, "/bookmarks").await;
    let pagination = json!({
        "page": 1, "per_page": 20, "total": 2, "total_pages": 1,
        "has_next": false, "has_prev": false,
    });
    let body = json!({ "data": [of_mention, of_license], "pagination": pagination });
    assert_eq!(list.whole(), (200, body));
    let second = gallery.get(&gallery.token, "/bookmarks?per_page=1&page=2").await;
    assert_eq!(second.json()["data"][0]["target_type"], "license");
    let first = "</bookmarks?page=1&per_page=1>";
    let link = format!(
        "{first}; rel=\"first\", {first}; rel=\"prev\", </bookmarks?page=2&per_page=1>; rel=\"last\""
    );
    assert_eq!(second.header("link"), Some(link.as_str()));
}

#[db_test]
async fn the_first_bookmark_of_a_target_stays(gallery: Gallery) {
    let license = gallery.license("private").await;
    let first = gallery.keep(&gallery.token, target("license", &license)).await;
    gallery.office.app.clock.advance(Duration::from_secs(1));
    let mut again = target("license", &license);
    again["note"] = json!("another");
    // It is the person's: another client of theirs finds it too.
    let other = gallery.scoped(&["license:read"]).await;
    for token in [&gallery.token, &other] {
        let answer = gallery.keep(token, again.clone()).await;
        assert_eq!(answer.whole(), (200, first.json()));
    }
    assert_eq!(gallery.rows(COUNT).await, [["1"]]);
}

#[db_test]
async fn of_64_at_once_one_makes_the_bookmark(gallery: Gallery) {
    let license = gallery.license("private").await;
    let all = (0..64).map(|_| gallery.keep(&gallery.token, target("license", &license)));
    let answers = join_all(all).await;
    let made = answers.iter().filter(|it| it.status == 201).count();
    let found = answers.iter().filter(|it| it.status == 200).count();
    assert_eq!((made, found), (1, 63));
    let one = answers[0].json();
    assert!(answers.iter().all(|it| it.json() == one));
    assert_eq!(gallery.rows(COUNT).await, [["1"]]);
}

#[db_test]
async fn an_idempotency_key_gives_the_first_answer_again(gallery: Gallery) {
    let license = gallery.license("private").await;
    let send = || {
        let request = gallery.office.app.request(Method::POST, "/bookmarks");
        let request = request.bearer(&gallery.token).header("idempotency-key", "k1");
        request.json(&target("license", &license)).send()
    };
    let first = send().await;
    assert_eq!(first.status, 201);
    assert_eq!(send().await.whole(), first.whole());
}

#[db_test]
async fn only_what_one_sees_can_be_kept(gallery: Gallery) {
    let (license, draft) = (gallery.license("private").await, gallery.license("draft").await);
    let mention = gallery.mention(1, &license).await;
    let grace = gallery.person(GRACE).await;
    let denied = (403, refused("ACCESS_DENIED", "You don't have access to this license"));
    for (kind, id) in [("license", &license), ("license", &draft), ("mention", &mention)] {
        assert_eq!(gallery.keep(&grace, target(kind, id)).await.whole(), denied, "{kind}");
    }
    for (kind, noun) in [("license", "License"), ("mention", "Mention")] {
        let unknown = (404, refused("NOT_FOUND", &format!("{noun} not found")));
        assert_eq!(gallery.keep(&grace, target(kind, UNKNOWN)).await.whole(), unknown);
    }
    let faults = json!({
        "target_id": "must be a UUID",
        "target_type": "must be one of license, mention",
    });
    let answer = gallery.keep(&grace, target("talent", "1")).await;
    assert_eq!(answer.whole(), (400, invalid(&faults)));
    assert_eq!(gallery.rows(COUNT).await, [["0"]]);
    gallery.grant(&draft, GRACE, "viewer").await;
    assert_eq!(gallery.keep(&grace, target("license", &draft)).await.status, 201);
}

#[db_test]
async fn what_is_no_longer_seen_keeps_its_place_without_content(gallery: Gallery) {
    let (shared, gone) = (gallery.license("private").await, gallery.license("public").await);
    let mention = gallery.mention(1, &shared).await;
    let grace = gallery.person(GRACE).await;
    let right = gallery.grant(&shared, GRACE, "viewer").await;
    gallery.grant(&gone, GRACE, "viewer").await;
    for (kind, id) in [("license", &shared), ("mention", &mention), ("license", &gone)] {
        assert_eq!(gallery.keep(&grace, target(kind, id)).await.status, 201);
    }
    assert!(gallery.kept(&grace).await.iter().all(|it| it["access_lost"] == false));
    gallery.office.console(Method::DELETE, &right, &json!({})).await;
    gallery.delete(&gone).await;
    let kept = gallery.kept(&grace).await;
    assert_eq!(kept.len(), 3);
    for it in kept {
        let bare = json!({
            "id": it["id"],
            "target_type": it["target_type"],
            "target_id": it["target_id"],
            "note": null,
            "tags": [],
            "created_at": "2026-01-01T00:00:00.000000Z",
            "access_lost": true,
        });
        assert_eq!(it, bare);
    }
    gallery.grant(&shared, GRACE, "viewer").await;
    let seen = gallery.kept(&grace).await;
    assert_eq!(seen.iter().filter(|it| it["access_lost"] == false).count(), 2);
}

#[db_test]
async fn a_bookmark_leads_nobody_around_a_scope(gallery: Gallery) {
    let license = gallery.license("private").await;
    let mention = gallery.mention(1, &license).await;
    let narrow = gallery.scoped(&["license:read"]).await;
    let answer = gallery.keep(&narrow, target("mention", &mention)).await;
    let message = "The token lacks the scope mention:read";
    assert_eq!(answer.whole(), (403, refused("INSUFFICIENT_PERMISSIONS", message)));
    assert_eq!(gallery.keep(&gallery.token, target("mention", &mention)).await.status, 201);
    let kept = gallery.kept(&narrow).await;
    assert_eq!((&kept[0]["access_lost"], kept[0].get("target")), (&json!(true), None));
}

#[db_test]
async fn a_bookmark_is_let_go_by_its_owner_alone(gallery: Gallery) {
    let license = gallery.license("private").await;
    let made = gallery.keep(&gallery.token, target("license", &license)).await;
    let path = format!("/bookmarks/{}", text(&made.json()["id"]));
    let grace = gallery.person(GRACE).await;
    assert_eq!(gallery.kept(&grace).await, [] as [Value; 0]);
    let unknown = (404, refused("NOT_FOUND", "Bookmark not found"));
    let delete = |token: String| {
        let (gallery, path) = (&gallery, &path);
        async move { gallery.send(&token, Method::DELETE, path, None).await }
    };
    assert_eq!(delete(grace).await.whole(), unknown);
    let gone = delete(gallery.token.clone()).await;
    assert_eq!((gone.status.as_u16(), gone.body.len()), (204, 0));
    assert_eq!(delete(gallery.token.clone()).await.whole(), unknown);
    let wrong = gallery.send(&gallery.token, Method::DELETE, "/bookmarks/1", None).await;
    assert_eq!(wrong.whole(), (400, invalid(&json!({ "id": "must be a UUID" }))));
}
