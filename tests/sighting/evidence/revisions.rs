//! Mentions with more revisions than one response has.

use grantor_receipt::{KeySet, verify_capsule};
use grantor_testkit::db_test;
use serde_json::{Value, json};

use super::super::Watch;
use super::super::picture::{Gallery, PAGE};
use super::{file, open};
use crate::license::text;

/// More than a page of the API has.
const MANY: u64 = 103;

impl Watch {
    /// A mention whose text has changed again and again.
    async fn changed_often(&self) -> String {
        self.license(json!({})).await;
        let mut id = String::new();
        for number in 1..=MANY {
            let found = self.say(PAGE, &format!("Grâce Hopper was here, {number}")).await;
            id = text(&found[0]["mentionId"]);
        }
        id
    }

    async fn page_of(&self, id: &str, query: &str) -> (Vec<u64>, Value) {
        let answer = self.world.get(&format!("/mentions/{id}/evidence{query}")).await;
        let body = answer.json();
        assert_eq!(answer.status, 200, "{body}");
        let revisions = body["revisions"].as_array().unwrap().iter();
        (revisions.map(|it| it["revision"].as_u64().unwrap()).collect(), body["pagination"].clone())
    }
}

#[db_test]
async fn every_revision_is_on_a_page(watch: Watch) {
    let id = watch.changed_often().await;
    let pagination = |page: u32, per_page: u32, pages: u32| {
        json!({
            "page": page, "per_page": per_page, "total": MANY, "total_pages": pages,
            "has_next": page < pages, "has_prev": page > 1,
        })
    };
    let first = watch.page_of(&id, "").await;
    assert_eq!(first, ((1..=100).collect(), pagination(1, 100, 2)));
    assert_eq!(watch.page_of(&id, "?page=2").await, (vec![101, 102, 103], pagination(2, 100, 2)));
    let last = watch.page_of(&id, "?page=52&per_page=2").await;
    assert_eq!(last, (vec![103], pagination(52, 2, 52)));
    let answer = watch.world.get(&format!("/mentions/{id}/evidence")).await;
    let next = format!("</mentions/{id}/evidence?page=2&per_page=100>; rel=\"next\"");
    assert!(answer.header("link").unwrap().contains(&next), "{:?}", answer.header("link"));
    let wrong = watch.world.get(&format!("/mentions/{id}/evidence?page=0&per_page=101")).await;
    let details = json!({
        "page": "must be a whole number from 1 to 4294967295",
        "per_page": "must be a whole number from 1 to 100",
    });
    assert_eq!((wrong.status.as_u16(), &wrong.json()["error"]["details"]), (400, &details));
}

#[db_test]
async fn a_capsule_has_every_revision(watch: Watch) {
    let id = watch.changed_often().await;
    let zip = watch.world.get(&format!("/mentions/{id}/evidence.zip")).await;
    let keys = watch.world.get("/.well-known/jwks.json").await;
    let keys = KeySet::parse(std::str::from_utf8(&keys.body).unwrap()).unwrap();
    let capsule = verify_capsule(&zip.body, &keys, None).unwrap();
    let revisions = capsule.revisions.iter().map(|it| it["revision"].as_u64().unwrap());
    assert!(revisions.eq(1..=MANY));
    let last = file(&capsule, &format!("revision-{MANY}/text.txt"));
    assert_eq!(last.bytes, "Grâce Hopper was here, 103".as_bytes());
}

/// What two revisions share is in the capsule once.
#[db_test]
async fn a_capsule_has_no_picture_twice(gallery: Gallery) {
    let id = text(&gallery.push("/copy.jpg", "Look!").await["mentions"][0]["mentionId"]);
    gallery.push("/copy.jpg", "Look again!").await;
    let capsule = open(&gallery, &id).await.unwrap();
    let names: Vec<&str> = capsule.files.iter().map(|it| it.name.as_str()).collect();
    let expected = [
        "revision-1/text.txt",
        "revision-1/picture.jpg",
        "revision-1/reference.jpg",
        "revision-2/text.txt",
        "evidence.json",
        "jwks.json",
    ];
    assert_eq!(names, expected);
    let copies = capsule.revisions.iter().map(|it| it["picture"]["copy"].clone());
    let copies: Vec<Value> = copies.collect();
    assert!(copies[0].is_object() && copies[0] == copies[1], "{copies:?}");
}
