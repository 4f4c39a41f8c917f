//! `/org/refresh/client`: another secret for an API client.

use std::time::Duration;

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::client::REFRESH;
use super::{Home, exchange, faults, refusal, refused};

#[db_test]
async fn another_secret_ends_the_one_before_at_once(home: Home) {
    let client = home.any_client().await;
    let rotated = home.rotate(&client, "", None).await;
    let secret = rotated.json()["data"]["credentials"]["secretKey"].clone();
    assert_ne!(secret, client["credentials"]["secretKey"]);
    let mut expected = client.clone();
    expected["credentials"]["secretKey"] = secret;
    let message = "Store the secret key now. It is shown only once.";
    let body = json!({ "data": expected, "message": message, "status": "success" });
    assert_eq!(rotated.whole(), (200, body), "the key and all else stay");
    assert_eq!(exchange(&home.app, &client).await.status, 401);
    assert_eq!(exchange(&home.app, &expected).await.status, 201);
}

#[db_test]
async fn a_key_used_for_one_client_never_shows_the_secret_of_another(home: Home) {
    let (one, other) = (home.any_client().await, home.any_client().await);
    let rotate = |client: &Value| {
        let path = format!("{REFRESH}?clientId={}", client["clientId"].as_str().unwrap());
        let request = home.app.request(Method::PATCH, &path).console(&home.token);
        request.header("idempotency-key", "k-1").send()
    };
    let first = rotate(&one).await;
    let second = rotate(&other).await;
    assert_eq!(refusal(&second), (422, "IDEMPOTENCY_MISMATCH".to_owned()));
    assert_eq!(rotate(&one).await.body, first.body, "the control: the same request again");
    assert_eq!(exchange(&home.app, &other).await.status, 201, "and nothing was changed");
}

#[db_test]
async fn an_old_secret_may_work_on_for_a_while(home: Home) {
    let in_body = Some(json!({ "graceSeconds": 60 }));
    for (query, body) in [("", in_body), ("&graceSeconds=60", None)] {
        let client = home.any_client().await;
        let new = home.rotate(&client, query, body).await.json()["data"].clone();
        home.app.clock.advance(Duration::from_secs(59));
        assert_eq!(exchange(&home.app, &client).await.status, 201);
        assert_eq!(exchange(&home.app, &new).await.status, 201);
        home.app.clock.advance(Duration::from_secs(1));
        assert_eq!(exchange(&home.app, &client).await.status, 401);
        assert_eq!(exchange(&home.app, &new).await.status, 201);
    }
}

#[db_test]
async fn a_rotation_says_what_is_wrong_with_it(home: Home) {
    let client = home.any_client().await;
    for query in ["", "?clientId=", "?graceSeconds=1"] {
        let answer = home.send(Method::PATCH, &format!("{REFRESH}{query}"), None).await;
        let message = "The query parameter clientId is required";
        assert_eq!(answer.whole(), (400, refused("MISSING_REQUIRED_FIELD", message)));
    }
    let grace = json!({ "graceSeconds": "must be a whole number of seconds from 0 to 86400" });
    for query in ["&graceSeconds=-1", "&graceSeconds=86401", "&graceSeconds=x"] {
        let answer = home.rotate(&client, query, None).await;
        assert_eq!(faults(&answer), (400, grace.clone()), "{query}");
    }
    for seconds in [-1, 86_401] {
        let answer = home.rotate(&client, "", Some(json!({ "graceSeconds": seconds }))).await;
        assert_eq!(faults(&answer), (400, grace.clone()));
    }
    let text = home.rotate(&client, "", Some(json!({ "graceSeconds": "60" }))).await;
    assert_eq!(faults(&text).0, 400);
    let id = home.send(Method::PATCH, &format!("{REFRESH}?clientId=x"), None).await;
    assert_eq!(faults(&id).1.as_object().unwrap().len(), 1);
    assert_eq!(exchange(&home.app, &client).await.status, 201, "the secret is the same");
}
