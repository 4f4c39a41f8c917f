//! Many writers at once.

use futures_util::future::join_all;
use grantor_testkit::{db_test, repeats};
use http::Method;
use serde_json::json;

use super::{World, page};

#[db_test]
async fn of_64_with_one_external_id_one_wins(world: World) {
    let answers = join_all((0..64).map(|_| world.create(json!({ "externalId": "ONE" })))).await;
    let count = |status: u16| answers.iter().filter(|it| it.status == status).count();
    assert_eq!((count(201), count(409)), (1, 63));
    assert_eq!(page(&world.get("/licenses").await).1, 1, "and the count is of one");
}

#[db_test]
async fn no_update_is_lost(world: World) {
    let id = world.license(json!({ "terms": { "count": 0 } })).await;
    let path = format!("/licenses/{id}");
    let tries = repeats(200, 10_000);
    // Each reads the count and writes one more, if nobody else has meanwhile.
    let add = || async {
        let read = world.get(&path).await;
        let count = read.json()["terms"]["count"].as_u64().unwrap() + 1;
        let request = world.app.request(Method::PATCH, &path).bearer(&world.agency.external);
        let request = request.header("if-match", read.header("etag").unwrap());
        request.json(&json!({ "terms": { "count": count } })).send().await.status == 200
    };
    let mut written = 0;
    for _ in 0..tries / 8 {
        written += join_all((0..8).map(|_| add())).await.into_iter().filter(|it| *it).count();
    }
    let last = world.get(&path).await.json();
    assert_eq!(last["terms"]["count"], written as u64);
    assert!(written >= 1);
}
