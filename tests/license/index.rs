//! The index of licenses: whatever is asked, the answer is that of its own moment, whether a worker has
//! put the last changes in or not.

use std::time::Duration;

use grantor_service::licensing::license::index_changed;
use grantor_testkit::db_test;
use http::Method;
use serde_json::json;

use super::{World, page};

/// What an agency asks of its licenses.
const QUESTIONS: [&str; 23] = [
    "",
    "?order=asc",
    "?per_page=2&page=2",
    "?status=public",
    "?status=expired",
    "?license_type=voice",
    "?license_type=voice&status=public&sort=title",
    "?search=winter",
    "?search=winter&order=asc&per_page=1&page=2",
    "?search=winter&sort=updated_at",
    "?search=winter&license_type=voice",
    "?search=wint*",
    "?search=%22winter+coat%22",
    "?search=%22coat+winter%22",
    "?search=cafe",
    "?search=%E4%BA%AC%E9%83%BD",
    "?search=%E9%83%BD%E4%BA%AC",
    "?search=zoe",
    "?q=zoe",
    "?q=zoe+winter",
    "?q=winter-7",
    "?q=lindqv*",
    "?search=coat&q=winter-6",
];

async fn answers(world: &World) -> Vec<(Vec<String>, u64)> {
    let mut answers = Vec::new();
    for question in QUESTIONS {
        answers.push(page(&world.get(&format!("/licenses{question}")).await));
    }
    answers
}

/// The answers, which must not change when all that changed is put in.
async fn settled(world: &World) -> Vec<(Vec<String>, u64)> {
    let before = answers(world).await;
    index_changed(&world.app.app).await.unwrap();
    let after = answers(world).await;
    for (question, (before, after)) in QUESTIONS.iter().zip(before.iter().zip(&after)) {
        assert_eq!(before, after, "{question}");
    }
    after
}

fn found(answers: &[(Vec<String>, u64)], question: &str) -> Vec<String> {
    let at = QUESTIONS.iter().position(|it| *it == question).unwrap();
    answers[at].0.clone()
}

async fn shelf(world: &World) -> Vec<String> {
    let mut ids = Vec::new();
    for (name, description, kind, status) in [
        ("Winter coat", "Café scenes", "voice", "public"),
        ("Coat of winter", "Zoë herself", "advertising", "private"),
        ("東京都の写真", "Summer", "voice", "draft"),
        ("Wintertime", "", "advertising", "public"),
    ] {
        let body = json!({ "name": name, "description": description, "type": kind,
            "status": status, "externalId": format!("winter-{}", ids.len() + 5) });
        ids.push(world.license(body).await);
    }
    ids
}

#[db_test]
async fn answers_do_not_wait_for_the_worker(world: World) {
    let ids = shelf(&world).await;
    let first = settled(&world).await;
    let all = ["Wintertime", "東京都の写真", "Coat of winter", "Winter coat"];
    assert_eq!(found(&first, ""), all);
    assert_eq!(found(&first, "?search=winter"), ["Coat of winter", "Winter coat"]);
    assert_eq!(found(&first, "?search=wint*"), ["Wintertime", "Coat of winter", "Winter coat"]);
    assert_eq!(found(&first, "?search=%22winter+coat%22"), ["Winter coat"]);
    assert_eq!(found(&first, "?search=cafe"), ["Winter coat"]);
    assert_eq!(found(&first, "?search=%E4%BA%AC%E9%83%BD"), ["東京都の写真"]);
    assert_eq!(found(&first, "?search=%E9%83%BD%E4%BA%AC"), [""; 0]);
    assert_eq!(found(&first, "?search=zoe"), ["Coat of winter"]);
    assert_eq!(found(&first, "?q=winter-7"), ["東京都の写真"]);
    assert_eq!(found(&first, "?search=coat&q=winter-6"), ["Coat of winter"]);

    world.app.clock.advance(Duration::from_secs(1));
    let change = json!({ "title": "Summer coat", "status": "private", "license_type": "voice" });
    assert_eq!(world.patch(&ids[3], change).await.status, 200);
    assert_eq!(world.patch(&ids[0], json!({ "title": "Winter hat" })).await.status, 200);
    let deleted = format!("/org/license/{}", ids[1]);
    assert_eq!(world.agency.console(&world.app, Method::DELETE, &deleted, None).await.status, 204);
    let second = settled(&world).await;
    assert_eq!(found(&second, ""), ["Summer coat", "東京都の写真", "Winter hat"]);
    assert_eq!(found(&second, "?search=winter"), ["Winter hat"]);
    assert_eq!(
        found(&second, "?license_type=voice"),
        ["Summer coat", "東京都の写真", "Winter hat"]
    );
    assert_eq!(found(&second, "?status=public"), ["Winter hat"]);
}

#[db_test]
async fn names_are_found_by_q_and_follow_a_change(world: World) {
    shelf(&world).await;
    let none = settled(&world).await;
    assert_eq!(found(&none, "?q=lindqv*"), [""; 0]);
    let rename = json!({ "fullname": "Zoë Lindqvist" });
    let talent = format!("/talent/{}", world.talent);
    let answer = world.agency.console(&world.app, Method::PATCH, &talent, Some(rename)).await;
    assert_eq!(answer.status, 200, "{}", answer.json());
    grantor_service::operations::chore::work(&world.app.app).await.unwrap();
    let renamed = settled(&world).await;
    assert_eq!(found(&renamed, "?q=lindqv*").len(), 4);
    assert_eq!(found(&renamed, "?q=zoe+winter").len(), 4, "the external id has it too");
    assert_eq!(found(&renamed, "?search=zoe"), ["Coat of winter"], "title and description alone");
}

#[db_test]
async fn what_ends_by_itself_is_another_status_at_once(world: World) {
    let ends = world.app.app.clock.now().plus(Duration::from_mins(1));
    let body = json!({ "name": "Winter coat", "status": "public", "expiresAt": ends });
    world.license(body).await;
    let before = settled(&world).await;
    assert_eq!(found(&before, "?status=public"), ["Winter coat"]);
    world.app.clock.advance(Duration::from_secs(61));
    let after = settled(&world).await;
    assert_eq!(found(&after, "?status=public"), [""; 0]);
    assert_eq!(found(&after, "?status=expired"), ["Winter coat"]);
}
