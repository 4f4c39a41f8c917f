//! OAuth 2.0: `/oauth/token`, `/oauth/introspect`, `/oauth/revoke` and their metadata.

use std::time::Duration;

use grantor_api::{Api, openapi};
use grantor_service::log::refusal;
use grantor_testkit::app::{Answer, ORIGIN, TestApp, TestRequest};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};
use url::form_urlencoded::Serializer;

use crate::external::{CLIENTS, Office, pair, post, sign_up, text};

const TOKEN: &str = "/oauth/token";
const INTROSPECT: &str = "/oauth/introspect";
const REVOKE: &str = "/oauth/revoke";
const FORM: &str = "application/x-www-form-urlencoded";
const GRANT: (&str, &str) = ("grant_type", "client_credentials");

fn form<'a>(app: &'a TestApp, path: &str, pairs: &[(&str, &str)]) -> TestRequest<'a> {
    let body = Serializer::new(String::new()).extend_pairs(pairs).finish();
    app.request(Method::POST, path).header("content-type", FORM).body(body)
}

/// A client's key and secret.
fn credentials(client: &Value) -> (String, String) {
    let pair = pair(client);
    (text(&pair["api_key"]), text(&pair["api_secret"]))
}

impl Office {
    /// Sends a form with the office's client in the Authorization header.
    async fn send(&self, path: &str, pairs: &[(&str, &str)]) -> Answer {
        let (key, secret) = credentials(&self.client);
        form(&self.app, path, pairs).basic(&key, &secret).send().await
    }

    async fn token(&self, more: &[(&str, &str)]) -> Answer {
        self.send(TOKEN, &[&[GRANT][..], more].concat()).await
    }

    /// A client of another tenant.
    async fn stranger(&self) -> Value {
        let login = sign_up(&self.app, "grace@example.com").await;
        let body = json!({ "name": "Other", "environment": "production" });
        let request = self.app.request(Method::POST, CLIENTS).json(&body);
        let made = request.console(&text(&login["access_token"])).send().await;
        made.json()["data"].clone()
    }
}

fn error(answer: &Answer) -> (u16, String) {
    let body = answer.json();
    assert!(
        body["error_description"].is_string() && body.as_object().unwrap().len() == 2,
        "{body}"
    );
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("pragma"), Some("no-cache"));
    (answer.status.as_u16(), text(&body["error"]))
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[db_test]
async fn the_examples_of_the_forms_work(office: Office) {
    let document = openapi::document(Api::External, ORIGIN, "grantor");
    let document = serde_json::to_value(document).unwrap();
    let token = text(&office.token(&[]).await.json()["access_token"]);
    let (key, secret) = credentials(&office.client);
    let own = [("client_id", key), ("client_secret", secret), ("token", token)];
    for path in [TOKEN, INTROSPECT, REVOKE] {
        let content = &document["paths"][path]["post"]["requestBody"]["content"];
        let mut example = content[FORM]["example"].as_object().unwrap().clone();
        for (name, value) in &own {
            example.entry(*name).and_modify(|it| *it = json!(value));
        }
        let pairs = example.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap()));
        let answer = form(&office.app, path, &pairs.collect::<Vec<_>>()).send().await;
        assert_eq!(answer.status, 200, "{path} {example:?}");
    }
}

#[db_test]
async fn a_client_gets_a_token_by_header_or_by_form(office: Office) {
    let (key, secret) = credentials(&office.client);
    let pairs = [GRANT, ("client_id", key.as_str()), ("client_secret", secret.as_str())];
    let encoded = key.replace('_', "%5F");
    let answers = [
        office.token(&[]).await,
        form(&office.app, TOKEN, &pairs).send().await,
        form(&office.app, TOKEN, &[GRANT]).basic(&encoded, &secret).send().await,
        office.token(&[("client_id", &key), ("scope", ""), ("unknown", "x")]).await,
    ];
    for answer in answers {
        let token = answer.json()["access_token"].clone();
        let body = json!({
            "access_token": token, "token_type": "Bearer", "expires_in": 3600,
            "scope": "license:read license:write mention:read webhook:manage",
        });
        assert_eq!(answer.whole(), (200, body), "and no refresh token");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("pragma"), Some("no-cache"));
        assert_eq!(office.probe(&token).await.whole(), (200, json!({ "client": "Crawler" })));
    }
}

#[db_test]
async fn a_token_has_the_requested_scopes_that_the_client_has(office: Office) {
    office.change_client(json!({ "permissions": ["license:read", "mention:read"] })).await;
    let ask = |scope: &'static str| {
        let office = &office;
        async move { office.token(&[("scope", scope)]).await }
    };
    let scope = |answer: &Answer| answer.json()["scope"].clone();
    let narrow = ask("mention:read").await;
    assert_eq!(scope(&narrow), "mention:read");
    assert_eq!(
        office.probe(&narrow.json()["access_token"]).await.status,
        403,
        "needs license:read"
    );
    assert_eq!(scope(&ask("webhook:manage license:read").await), "license:read");
    for beyond in ["webhook:manage", "license", "license:read  mention:read"] {
        assert_eq!(error(&ask(beyond).await), refused(400, "invalid_scope"), "{beyond}");
    }
}

#[db_test]
async fn what_is_malformed_is_refused_in_the_words_of_the_standard(office: Office) {
    let (key, secret) = credentials(&office.client);
    let both = [GRANT, ("client_secret", secret.as_str())];
    let (id, other) = ([GRANT, ("client_id", "gk_other")], [GRANT, ("scope", "license:read")]);
    let twice = [&other[..], &[("scope", "license:read")]].concat();
    let cases: [(&[(&str, &str)], &str); 10] = [
        (&[], "invalid_request"),
        (&[("grant_type", "")], "invalid_request"),
        (&[GRANT, GRANT], "invalid_request"),
        (&both, "invalid_request"),
        (&id, "invalid_request"),
        (&twice, "invalid_request"),
        (&[("grant_type", "password")], "unsupported_grant_type"),
        (&[("grant_type", "refresh_token")], "unsupported_grant_type"),
        (&[GRANT, ("resource", "https://other.example")], "invalid_target"),
        (&[GRANT, ("resource", "https://grantor.testing/")], "invalid_target"),
    ];
    for (pairs, code) in cases {
        assert_eq!(error(&office.send(TOKEN, pairs).await), refused(400, code), "{pairs:?}");
    }
    let body = json!({ "grant_type": "client_credentials" });
    let as_json = office.app.request(Method::POST, TOKEN).basic(&key, &secret).json(&body);
    assert_eq!(error(&as_json.send().await), refused(400, "invalid_request"));
    let in_url = format!("{TOKEN}?client_id={key}&client_secret={secret}");
    let in_url = form(&office.app, &in_url, &[GRANT]).send().await;
    assert_eq!(error(&in_url), refused(400, "invalid_request"));
    let large = form(&office.app, TOKEN, &[("scope", &"x".repeat(20_000))]).send().await;
    assert_eq!(error(&large), refused(413, "invalid_request"));
    let resources =
        [("resource", "https://grantor.test/mcp"), ("resource", "https://grantor.test")];
    assert_eq!(office.token(&resources).await.status, 200, "the control");
}

#[db_test]
async fn what_was_wrong_about_credentials_is_not_said(office: Office) {
    let ((key, secret), stranger) = (credentials(&office.client), office.stranger().await);
    let (other_key, other_secret) = credentials(&stranger);
    let mut bodies = vec![];
    for (key, secret) in [
        (&key, &other_secret),
        (&other_key, &secret),
        (&key, &"gs_live_nonsense".to_owned()),
        (&"nobody".to_owned(), &secret),
    ] {
        for path in [TOKEN, INTROSPECT, REVOKE] {
            let pairs = [GRANT, ("token", "x")];
            let answer = form(&office.app, path, &pairs).basic(key, secret).send().await;
            assert_eq!(error(&answer), refused(401, "invalid_client"), "{path}");
            assert_eq!(answer.header("www-authenticate"), Some("Basic realm=\"grantor\""));
            bodies.push(answer.body);
        }
    }
    assert!(bodies.windows(2).all(|two| two[0] == two[1]));
    for (name, value) in
        [("x-none", ""), ("authorization", "Basic ???"), ("authorization", "Bearer x")]
    {
        let answer = form(&office.app, TOKEN, &[GRANT]).header(name, value).send().await;
        assert_eq!(error(&answer), refused(401, "invalid_client"), "{value}");
    }
    assert_eq!(office.token(&[]).await.status, 200, "the control");
}

#[db_test]
async fn that_a_client_is_inactive_is_told_only_with_its_secret(office: Office) {
    let (key, _) = credentials(&office.client);
    let guess = || form(&office.app, TOKEN, &[GRANT]).basic(&key, "gs_live_guess").send();
    office.change_client(json!({ "status": "inactive" })).await;
    let inactive = office.token(&[]).await;
    let description = &inactive.json()["error_description"];
    assert_eq!(
        (error(&inactive), description),
        (refused(400, "invalid_grant"), &json!("This API client is inactive"))
    );
    assert_eq!(error(&guess().await), refused(401, "invalid_client"));
    let asked = office.send(INTROSPECT, &[("token", "x")]).await;
    assert_eq!(error(&asked), refused(401, "invalid_client"), "nothing is granted there");
    office.change_client(json!({ "status": "active" })).await;
    let script = "UPDATE tenants SET status = 'suspended'".to_owned();
    seed::run(&office.app.database.options, script).await;
    assert_eq!(error(&office.token(&[]).await), refused(400, "invalid_grant"));
    assert_eq!(
        error(&office.send(REVOKE, &[("token", "x")]).await),
        refused(401, "invalid_client")
    );
}

#[db_test]
async fn both_token_endpoints_share_one_limit(office: Office) {
    for _ in 0..5 {
        assert_eq!(office.token(&[]).await.status, 200);
        assert_eq!(post(&office.app, "/auth/token", &office.pair()).await.status, 200);
    }
    let limited = office.token(&[]).await;
    assert_eq!(error(&limited), refused(429, "temporarily_unavailable"));
    let standing = ["x-ratelimit-limit", "x-ratelimit-remaining", "retry-after"];
    assert_eq!(standing.map(|it| limited.header(it)), [Some("10"), Some("0"), Some("3600")]);
    let token = [("token", "x")];
    assert_eq!(office.send(INTROSPECT, &token).await.status, 200, "introspection is counted apart");
}

#[db_test]
async fn guessed_secrets_are_counted_at_every_endpoint(office: Office) {
    let (key, secret) = credentials(&office.client);
    let guess = |path, secret: &str| {
        form(&office.app, path, &[GRANT, ("token", "x")]).basic(&key, secret).send()
    };
    for path in [INTROSPECT, REVOKE].iter().cycle().take(10) {
        assert_eq!(guess(path, "gs_live_guess").await.status, 401);
    }
    for path in [TOKEN, INTROSPECT, REVOKE] {
        assert_eq!(guess(path, &secret).await.status, 429, "{path}");
    }
    let elsewhere = form(&office.app, INTROSPECT, &[("token", "x")]).from("198.51.100.1");
    assert_eq!(elsewhere.basic(&key, &secret).send().await.status, 200);
}

#[db_test]
async fn a_token_of_the_same_tenant_is_told_of(office: Office) {
    let token = text(&office.token(&[("scope", "license:read")]).await.json()["access_token"]);
    let colleague = office.make_client(json!({ "name": "Colleague" })).await;
    let (key, secret) = credentials(&colleague);
    office.app.clock.advance(Duration::from_mins(1));
    let pairs = [("token", token.as_str()), ("token_type_hint", "anything")];
    let answer = form(&office.app, INTROSPECT, &pairs).basic(&key, &secret).send().await;
    let found = answer.json();
    let expected = json!({
        "active": true, "scope": "license:read", "client_id": credentials(&office.client).0,
        "token_type": "Bearer", "exp": 1_767_229_200, "iat": 1_767_225_600, "sub": found["sub"],
        "iss": "https://grantor.test", "jti": found["jti"],
    });
    assert_eq!(answer.whole(), (200, expected));
    assert_eq!((text(&found["sub"]).len(), text(&found["jti"]).len()), (36, 36));
    let refresh = text(&office.tokens().await["refresh_token"]);
    let found = office.send(INTROSPECT, &[("token", &refresh)]).await.json();
    assert_eq!((&found["active"], &found["exp"]), (&json!(true), &json!(1_769_817_660)));
    assert_eq!((found.get("token_type"), found.get("jti")), (None, None));
}

#[db_test]
async fn of_any_other_token_only_that_it_is_not_active(office: Office) {
    let (key, secret) = credentials(&office.stranger().await);
    let ask = |token: String| {
        let request = form(&office.app, INTROSPECT, &[("token", &token)]);
        request.basic(&key, &secret).send()
    };
    let tokens = office.tokens().await;
    let own = form(&office.app, TOKEN, &[GRANT]).basic(&key, &secret).send().await.json();
    assert_eq!(ask(text(&own["access_token"])).await.json()["active"], true, "the control");
    let foreign = [text(&tokens["access_token"]), text(&tokens["refresh_token"])];
    for token in foreign.into_iter().chain([office.person.clone(), "x".into(), "gxr_x".into()]) {
        assert_eq!(ask(token).await.whole(), (200, json!({ "active": false })));
    }
    office.app.clock.advance(Duration::from_hours(1));
    assert_eq!(ask(text(&own["access_token"])).await.whole(), (200, json!({ "active": false })));
    assert_eq!(error(&office.send(INTROSPECT, &[]).await), refused(400, "invalid_request"));
}

#[db_test]
async fn a_client_revokes_its_own_tokens(office: Office) {
    let token = office.token(&[]).await.json()["access_token"].clone();
    let tokens = office.tokens().await;
    let revoke = |token: String| {
        let office = &office;
        async move { office.send(REVOKE, &[("token", &token)]).await.whole() }
    };
    let done = (200, json!({}));
    assert_eq!(office.probe(&token).await.status, 200);
    assert_eq!(revoke(text(&token)).await, done);
    assert_eq!(office.probe(&token).await.status, 401);
    assert_eq!(office.probe(&tokens["access_token"]).await.status, 200, "of another exchange");
    assert_eq!(revoke(text(&tokens["refresh_token"])).await, done);
    assert_eq!(office.probe(&tokens["access_token"]).await.status, 401);
    for unknown in [text(&token), office.person.clone(), "gxr_nonsense".into(), "x".into()] {
        assert_eq!(revoke(unknown).await, done, "nothing is said of what is not valid");
    }
    assert_eq!(error(&office.send(REVOKE, &[]).await), refused(400, "invalid_request"));
    let query = "SELECT action || ' ' || actor_kind || ' ' || message FROM log_entries
        WHERE action = 'token.revoke'";
    let logged = seed::rows(&office.app.database.options, query).await.concat();
    assert_eq!(logged, ["token.revoke client A token was revoked"; 3]);
}

#[db_test]
async fn another_clients_token_is_not_revoked(office: Office) {
    let stranger = office.stranger().await;
    let colleague = office.make_client(json!({ "name": "Colleague" })).await;
    let tokens = office.tokens().await;
    for client in [&stranger, &colleague] {
        let (key, secret) = credentials(client);
        for token in ["access_token", "refresh_token"] {
            let token = text(&tokens[token]);
            let request = form(&office.app, REVOKE, &[("token", &token)]).basic(&key, &secret);
            assert_eq!(error(&request.send().await), refused(400, "invalid_grant"));
        }
    }
    assert_eq!(office.probe(&tokens["access_token"]).await.status, 200);
    assert_eq!(office.refresh(&tokens).await.status, 200);
    refusal::write(&office.app.app).await.unwrap();
    let query = "SELECT action || ' ' || level FROM log_entries WHERE action = 'token.revoke'";
    let logged = seed::rows(&office.app.database.options, query).await.concat();
    assert_eq!(logged, ["token.revoke WARN"; 4], "every attempt is logged");
}

#[db_test]
async fn refused_clients_are_logged(office: Office) {
    let (key, _) = credentials(&office.client);
    for path in [TOKEN, INTROSPECT] {
        let pairs = [GRANT, ("token", "x")];
        form(&office.app, path, &pairs).basic(&key, "gs_live_guess").send().await;
    }
    office.token(&[("scope", "nothing")]).await;
    refusal::write(&office.app.app).await.unwrap();
    let query = "SELECT action FROM log_entries WHERE level = 'WARN' ORDER BY action";
    let logged = seed::rows(&office.app.database.options, query).await.concat();
    assert_eq!(logged, ["token.create", "token.introspect"], "a malformed request is no attempt");
}

#[db_test]
async fn libraries_find_every_endpoint(app: TestApp) {
    let at = |path: &str| format!("https://grantor.test{path}");
    let scopes = json!(["license:read", "license:write", "mention:read", "webhook:manage"]);
    let methods = json!(["client_secret_basic", "client_secret_post"]);
    let server = json!({
        "issuer": "https://grantor.test",
        "authorization_endpoint": at("/oauth/authorize"),
        "token_endpoint": at(TOKEN),
        "introspection_endpoint": at(INTROSPECT),
        "revocation_endpoint": at(REVOKE),
        "jwks_uri": at("/.well-known/jwks.json"),
        "scopes_supported": scopes,
        "response_types_supported": [],
        "grant_types_supported": ["client_credentials"],
        "token_endpoint_auth_methods_supported": methods,
        "introspection_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": methods,
        "service_documentation": at("/docs/"),
    });
    let answer = app.get("/.well-known/oauth-authorization-server").await;
    assert_eq!(answer.whole(), (200, server));
    for path in ["", "/mcp"] {
        let resource = json!({
            "resource": at(path), "authorization_servers": ["https://grantor.test"],
            "scopes_supported": scopes, "bearer_methods_supported": ["header"],
            "resource_documentation": at("/docs/"),
        });
        let answer = app.get(&format!("/.well-known/oauth-protected-resource{path}")).await;
        assert_eq!(answer.whole(), (200, resource));
    }
    let refusal = app.get("/oauth/authorize?response_type=code").await;
    assert_eq!(error(&refusal), refused(400, "unsupported_response_type"));
}
