//! `/org/request/pod/{platformId}`: an organization asks staff for a pod.

use grantor_domain::admin::AdminRole;
use grantor_testkit::db_test;
use http::Method;
use serde_json::json;

use super::admin::staff;
use super::platform::{Grounds, UNKNOWN, text};
use super::refused;

impl Grounds {
    async fn verify_all(&self) {
        let proved = "UPDATE platforms SET status = 'verified', verification_method = 'dns',
            verified_at = 1";
        self.run(proved.to_owned()).await;
    }

    async fn waiting(&self) -> usize {
        self.rows("SELECT CAST(requested_at AS text) FROM scanner_requests").await.len()
    }
}

#[db_test]
async fn a_pod_is_asked_for_once(grounds: Grounds) {
    let platform = grounds.platform(json!({})).await;
    let path = format!("/v1.0.1/org/request/pod/{}", text(&platform["platformId"]));
    let ask = async || grounds.home.send(Method::POST, &path, None).await;
    let message = "Verify the platform's domain first";
    assert_eq!(ask().await.whole(), (409, refused("RESOURCE_CONFLICT", message)));
    grounds.verify_all().await;
    let body = json!({ "message": "Pod requested", "status": "success" });
    assert_eq!(ask().await.whole(), (201, body));
    let body = json!({ "message": "A pod had already been requested", "status": "success" });
    assert_eq!(ask().await.whole(), (201, body));
    assert_eq!((grounds.waiting().await, grounds.logged("platform.ask_scanner").await), (1, 2));

    let token = staff(&grounds.home.app, "root@example.com", AdminRole::Admin).await;
    let named = json!({ "platformId": platform["platformId"] });
    let body = json!({ "platform": named, "scopes": ["crawl"] });
    let request = grounds.home.app.request(Method::POST, "/v1.0.1/pax/pod").bearer(&token);
    assert_eq!(request.json(&body).send().await.status, 201);
    assert_eq!(grounds.waiting().await, 0, "the platform has what it asked for");
    let message = "This platform already has a scanner";
    assert_eq!(ask().await.whole(), (409, refused("RESOURCE_CONFLICT", message)));
}

#[db_test]
async fn a_deleted_platform_waits_for_nothing(grounds: Grounds) {
    let platform = grounds.platform(json!({})).await;
    grounds.verify_all().await;
    let id = text(&platform["platformId"]);
    let path = format!("/v1.0.1/org/request/pod/{id}");
    assert_eq!(grounds.home.send(Method::POST, &path, None).await.status, 201);
    let path = format!("/v1.0.1/org/platform/{id}");
    assert_eq!(grounds.home.send(Method::DELETE, &path, None).await.status, 204);
    assert_eq!(grounds.waiting().await, 0);
}

#[db_test]
async fn nobody_asks_for_what_is_not_theirs(grounds: Grounds) {
    let foreign = grounds.foreign_platform("foreign.example").await;
    grounds.verify_all().await;
    for id in [text(&foreign["platformId"]), UNKNOWN.to_owned()] {
        let path = format!("/v1.0.1/org/request/pod/{id}");
        let answer = grounds.home.send(Method::POST, &path, None).await;
        assert_eq!(answer.whole(), (404, refused("NOT_FOUND", "Platform not found")));
    }
    assert_eq!(grounds.waiting().await, 0);
}
