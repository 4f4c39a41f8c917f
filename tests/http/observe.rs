//! Requests are measured by interface, route and status.

use grantor_testkit::app::TestApp;
use grantor_testkit::db_test;

#[db_test]
async fn requests_are_measured_by_interface_route_and_status(app: TestApp) {
    for path in ["/health", "/health", "/app/sign-in"] {
        assert_eq!(app.get(path).await.status, 200, "{path}");
    }
    let refused = app.get("/mcp").await.status.as_u16();
    let refused = format!("surface=\"mcp\",route=\"/mcp\",status=\"{refused}\"");
    let mut page = String::new();
    app.app.latencies.render(&mut page, false);
    for (labels, count) in [
        ("surface=\"external\",route=\"/health\",status=\"200\"", 2),
        ("surface=\"web\",route=\"/app/sign-in\",status=\"200\"", 1),
        (refused.as_str(), 1),
    ] {
        let line = format!("grantor_http_request_seconds_count{{{labels}}} {count}\n");
        assert!(page.contains(&line), "{line} is not in {page}");
    }
}
