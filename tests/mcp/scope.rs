//! Access tokens and their scopes.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::accept::wish;
use super::{TOOLS, ask, call, data, error, failure, scoped};
use crate::grant::terms;
use crate::license::{World, text};
use crate::picture::png;

const SCOPES: [&str; 4] = ["license:read", "license:write", "mention:read", "webhook:manage"];
const METADATA: &str = "https://grantor.test/.well-known/oauth-protected-resource/mcp";

/// Every tool with arguments that fit, and the scope that it needs.
async fn calls(world: &World) -> Vec<(&'static str, Option<&'static str>, Value)> {
    let license = world.public().await;
    world.grant(&license, "viewer").await;
    let grant = world.granted(&license, terms()).await;
    let request = world.request_license(&world.public().await).await;
    world.offer(&request, terms()).await;
    let question = json!({ "license_id": license, "use": "voice", "territory": "US" });
    let image = STANDARD.encode(png(64, 64));
    vec![
        ("search_catalog", None, json!({})),
        ("get_license", Some("license:read"), json!({ "id": license })),
        ("may_i", Some("license:read"), json!({ "questions": [question] })),
        ("check_picture", Some("mention:read"), json!({ "image": image })),
        ("request_license", Some("license:write"), wish(&world.public().await)),
        ("read_offer", Some("license:read"), json!({ "id": request })),
        ("accept_offer", Some("license:write"), json!({ "id": request })),
        ("list_grants", Some("license:read"), json!({})),
        ("get_receipt", Some("license:read"), json!({ "id": grant["id"] })),
    ]
}

#[db_test]
async fn every_tool_needs_its_scope(world: World) {
    let calls = calls(&world).await;
    assert_eq!(calls.iter().map(|it| it.0).collect::<Vec<_>>(), TOOLS);
    let app = &world.app;
    for (tool, scope, arguments) in calls {
        let Some(scope) = scope else {
            data(&call(app, None, tool, arguments).await);
            continue;
        };
        let others: Vec<&str> = SCOPES.into_iter().filter(|it| *it != scope).collect();
        let narrow = scoped(app, &world.brand, &others).await;
        let refused = call(app, Some(&narrow), tool, arguments.clone()).await;
        assert_eq!(error(&refused), (403, -32600), "{tool}");
        let error_and_scope = format!("error=\"insufficient_scope\", scope=\"{scope}\"");
        let challenge = format!("Bearer resource_metadata=\"{METADATA}\", {error_and_scope}");
        assert_eq!(refused.header("www-authenticate"), Some(&*challenge), "{tool}");
        let anonymous = call(app, None, tool, arguments.clone()).await;
        assert_eq!(error(&anonymous), (401, -32600), "{tool}");
        let challenge = anonymous.header("www-authenticate").unwrap();
        assert!(challenge.starts_with(&format!("Bearer resource_metadata=\"{METADATA}\", scope=")));
        // The first call of the two reads the offer.
        let needed = if tool == "accept_offer" { vec!["license:read", scope] } else { vec![scope] };
        let sufficient = scoped(app, &world.brand, &needed).await;
        data(&call(app, Some(&sufficient), tool, arguments).await);
    }
}

#[db_test]
async fn a_refusal_has_the_error_of_the_api_and_the_id_of_the_message(world: World) {
    let refused = call(&world.app, None, "list_grants", json!({})).await;
    let message = "An access token is required";
    let data = json!({ "code": "UNAUTHORIZED", "message": message, "request_id": "r-1" });
    let error = json!({ "code": -32600, "message": message, "data": data });
    let expected = json!({ "jsonrpc": "2.0", "id": 1, "error": error });
    assert_eq!(refused.whole(), (401, expected));
    let challenge = format!("Bearer resource_metadata=\"{METADATA}\", scope=\"license:read\"");
    assert_eq!(refused.header("www-authenticate"), Some(&*challenge));
}

/// Also where no token is needed, so that clients get another one.
#[db_test]
async fn a_token_that_is_sent_must_be_valid(world: World) {
    let invalid = format!("Bearer resource_metadata=\"{METADATA}\", error=\"invalid_token\"");
    let good = world.brand.external.clone();
    let console = world.brand.console.clone();
    for token in ["x", "", console.as_str()] {
        let refused = ask(&world.app, Some(token), "tools/list", json!({})).await;
        assert_eq!(error(&refused), (401, -32600));
        assert_eq!(refused.header("www-authenticate"), Some(&*invalid));
    }
    assert_eq!(ask(&world.app, Some(&good), "tools/list", json!({})).await.status, 200);
    world.app.clock.advance(Duration::from_hours(1));
    let expired = ask(&world.app, Some(&good), "tools/list", json!({})).await;
    assert_eq!(error(&expired), (401, -32600));
    assert_eq!(text(&expired.json()["error"]["data"]["code"]), "TOKEN_EXPIRED");
}

/// A role that may not ask is an error of the tool: no other token would help.
#[db_test]
async fn a_role_that_is_too_low_is_an_error_of_the_tool(world: World) {
    let license = world.public().await;
    let options = &world.app.database.options;
    seed::set_role(options, world.brand.email, "Team_Member").await;
    world.app.clock.advance(Duration::from_secs(1));
    let token = Some(world.brand.external.as_str());
    let refused = failure(&call(&world.app, token, "request_license", wish(&license)).await);
    let rest = world.app.request(Method::POST, "/requests").bearer(&world.brand.external);
    let rest = rest.header("x-request-id", "r-1").json(&wish(&license)).send().await;
    assert_eq!((rest.status.as_u16(), &rest.json()["error"]), (403, &refused));
}
