//! `/org/create/client`, `/org/clients`, `/org/client/{clientId}`, `/org/refresh/client`.

use std::time::Duration;

use grantor_service::identity::client::MAX_CLIENTS;
use grantor_testkit::app::Answer;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{
    Home, PASSWORD, access, account, exchange, faults, pair, probed, prove, refusal, refused,
};

const CREATE: &str = "/v1.0.1/org/create/client";
const LIST: &str = "/v1.0.1/org/clients";
pub(super) const REFRESH: &str = "/v1.0.1/org/refresh/client";
const SCOPES: [&str; 4] = ["license:read", "license:write", "mention:read", "webhook:manage"];

impl Home {
    pub(super) async fn clients(&self) -> Value {
        self.send(Method::GET, LIST, None).await.json()["data"]["clients"].clone()
    }

    async fn change(&self, client: &Value, body: Value) -> Answer {
        self.send(Method::PATCH, &path(client), Some(body)).await
    }

    pub(super) async fn rotate(&self, client: &Value, query: &str, body: Option<Value>) -> Answer {
        let path = format!("{REFRESH}?clientId={}{query}", client["clientId"].as_str().unwrap());
        self.send(Method::PATCH, &path, body).await
    }
}

fn path(client: &Value) -> String {
    format!("/v1.0.1/org/client/{}", client["clientId"].as_str().unwrap())
}

/// A client as every answer but the first shows it.
fn without_secret(client: &Value) -> Value {
    let mut shown = client.clone();
    shown["credentials"].as_object_mut().unwrap().remove("secretKey").expect("a secret");
    shown
}

#[db_test]
async fn the_secret_is_shown_once(home: Home) {
    let body = json!({ "name": "Importer", "environment": "production" });
    let made = home.send(Method::POST, CREATE, Some(body)).await;
    let client = made.json()["data"].clone();
    let [key, secret] = pair(&client);
    let expected = json!({
        "clientId": client["clientId"],
        "name": "Importer",
        "environment": "production",
        "credentials": { "clientId": key, "secretKey": secret },
        "permissions": SCOPES,
        "createdAt": "2026-01-01T00:00:00.000000Z",
        "status": "active",
    });
    let message = "Store the secret key now. It is shown only once.";
    let body = json!({ "data": expected, "message": message, "status": "success" });
    assert_eq!((made.whole(), made.header("cache-control")), ((201, body), Some("no-store")));
    let data = json!({ "clients": [without_secret(&client)] });
    let body = json!({ "data": data, "message": "Your API clients", "status": "success" });
    let listed = home.send(Method::GET, LIST, None).await;
    assert_eq!(listed.whole(), (200, body));
    assert!(!String::from_utf8_lossy(&listed.body).contains("gs_"));
}

#[db_test]
async fn the_environment_is_seen_in_the_pair(home: Home) {
    for (environment, mode) in
        [("production", "live"), ("staging", "test"), ("development", "test")]
    {
        let body = json!({
            "name": "  Importer ",
            "environment": environment,
            "permissions": ["mention:read", "license:read"],
            "expiresAt": "2027-01-01T01:00:00+01:00",
        });
        let client = home.client(body).await;
        let [key, secret] = pair(&client);
        assert!(key.starts_with(&format!("gk_{mode}_")), "{key}");
        assert!(secret.starts_with(&format!("gs_{mode}_")), "{secret}");
        let fields = ["name", "environment", "permissions", "expiresAt"].map(|it| &client[it]);
        let scopes = json!(["license:read", "mention:read"]);
        let expires_at = json!("2027-01-01T00:00:00.000000Z");
        assert_eq!(fields, [&json!("Importer"), &json!(environment), &scopes, &expires_at]);
    }
}

#[db_test]
async fn every_fault_is_named(home: Home) {
    let create = |body: Value| home.send(Method::POST, CREATE, Some(body));
    let required = "is required";
    let details = json!({ "environment": required, "name": required });
    assert_eq!(faults(&create(json!({})).await), (400, details));
    let body = json!({
        "name": "x",
        "environment": "live",
        "permissions": ["license:read", "admin"],
        "expiresAt": "2026-01-01T00:00:00Z",
    });
    let details = json!({
        "environment": "must be one of production, staging, development",
        "expiresAt": "must be in the future",
        "name": "must be 2 to 100 characters",
        "permissions": format!("must contain only {}", SCOPES.join(", ")),
    });
    assert_eq!(faults(&create(body.clone()).await), (400, details.clone()));
    let mut changes = body;
    changes["status"] = json!("deleted");
    let (mut changed, client) = (details, home.any_client().await);
    changed["status"] = json!("must be one of active, inactive, revoked");
    changed.as_object_mut().unwrap().remove("environment");
    assert_eq!(faults(&home.change(&client, changes).await), (400, changed));
    let none = json!({ "name": "None", "environment": "staging", "permissions": [] });
    let details = json!({ "permissions": "must contain at least one scope" });
    assert_eq!(faults(&create(none).await), (400, details));
    let never = json!({ "name": "No", "environment": "staging", "expiresAt": "tomorrow" });
    assert_eq!(faults(&create(never).await).1.as_object().unwrap().len(), 1);
}

#[db_test]
async fn a_lost_answer_is_given_again_with_its_secret(home: Home) {
    let create = |name: &str| {
        let body = json!({ "name": name, "environment": "production" });
        let request = home.app.request(Method::POST, CREATE).console(&home.token);
        request.header("idempotency-key", "once").json(&body).send()
    };
    let first = create("Importer").await;
    let again = create("Importer").await;
    assert_eq!((first.status.as_u16(), first.whole()), (201, again.whole()));
    assert!(pair(&again.json()["data"])[1].starts_with("gs_live_"));
    assert_eq!(home.clients().await.as_array().unwrap().len(), 1);
    assert_eq!(refusal(&create("Exporter").await), (422, "IDEMPOTENCY_MISMATCH".to_owned()));
}

#[db_test]
async fn a_tenant_sees_its_own_clients_newest_first(home: Home) {
    let first = home.any_client().await;
    home.app.clock.advance(Duration::from_secs(1));
    let second = home.any_client().await;
    account(&home.app, "other@example.com", "Another Agency").await;
    let other = access(&home.app.sign_in("other@example.com", PASSWORD).await);
    let body = json!({ "name": "Theirs", "environment": "production" });
    assert_eq!(home.send_as(&other, Method::POST, CREATE, Some(body)).await.status, 201);
    let expected = json!([without_secret(&second), without_secret(&first)]);
    assert_eq!(home.clients().await, expected);
    let theirs = home.send_as(&other, Method::GET, LIST, None).await.json();
    assert_eq!(theirs["data"]["clients"].as_array().unwrap().len(), 1);
}

#[db_test]
async fn a_client_is_changed_field_by_field(home: Home) {
    let client = home.any_client().await;
    let mut expected = without_secret(&client);
    for (field, value, shown) in [
        ("name", json!("Exporter"), json!("Exporter")),
        ("permissions", json!(["mention:read"]), json!(["mention:read"])),
        ("expiresAt", json!("2026-02-01T00:00:00Z"), json!("2026-02-01T00:00:00.000000Z")),
        ("status", json!("inactive"), json!("inactive")),
        ("status", json!("active"), json!("active")),
    ] {
        expected[field] = shown;
        let changed = home.change(&client, json!({ field: value })).await;
        let message = "API client updated";
        let body = json!({ "data": expected, "message": message, "status": "success" });
        assert_eq!(changed.whole(), (200, body), "{field}");
    }
    home.change(&client, json!({ "expiresAt": null })).await;
    expected.as_object_mut().unwrap().remove("expiresAt");
    assert_eq!(home.clients().await, json!([expected]));
}

#[db_test]
async fn a_revoked_client_never_comes_back(home: Home) {
    let client = home.any_client().await;
    assert_eq!(home.change(&client, json!({ "status": "revoked" })).await.status, 200);
    for next in ["active", "inactive"] {
        let message = format!("An API client cannot change from revoked to {next}");
        let answer = home.change(&client, json!({ "status": next })).await;
        assert_eq!(answer.whole(), (409, refused("RESOURCE_CONFLICT", &message)));
    }
    let rotated = home.rotate(&client, "", None).await;
    let message = "A revoked API client can't get a new secret";
    assert_eq!(rotated.whole(), (409, refused("RESOURCE_CONFLICT", message)));
    assert_eq!(home.change(&client, json!({ "status": "revoked" })).await.status, 200, "no-op");
    assert_eq!(exchange(&home.app, &client).await.status, 401);
}

#[db_test]
async fn a_client_is_revoked_whatever_else_happens_to_it_at_once(home: Home) {
    for _ in 0..4 {
        let client = home.any_client().await;
        let mut changes = vec![json!({ "name": "Exporter" }); 32];
        changes[9] = json!({ "status": "revoked" });
        let all = changes.into_iter().map(|it| home.change(&client, it));
        let answers = futures_util::future::join_all(all).await;
        assert!(answers.iter().all(|it| it.status == 200));
        assert_eq!(home.clients().await[0]["status"], "revoked", "nothing was lost");
        home.app.clock.advance(Duration::from_mins(1));
    }
}

#[db_test]
async fn a_strangers_client_is_unknown(home: Home) {
    let client = home.any_client().await;
    account(&home.app, "other@example.com", "Another Agency").await;
    let other = access(&home.app.sign_in("other@example.com", PASSWORD).await);
    let unknown = json!({ "clientId": "0190a5e4-7b3c-7def-8123-456789abcdef" });
    let expected = (404, refused("NOT_FOUND", "API client not found"));
    for (token, client) in [(&other, &client), (&home.token, &unknown)] {
        let rotate = format!("{REFRESH}?clientId={}", client["clientId"].as_str().unwrap());
        let change = Some(json!({ "status": "revoked" }));
        for (method, path, body) in [
            (Method::PATCH, path(client), change),
            (Method::DELETE, path(client), None),
            (Method::PATCH, rotate, None),
        ] {
            assert_eq!(home.send_as(token, method, &path, body).await.whole(), expected, "{path}");
        }
    }
    for (method, body) in [(Method::PATCH, Some(json!({}))), (Method::DELETE, None)] {
        let bad = home.send(method, "/v1.0.1/org/client/x", body).await;
        assert_eq!(bad.whole(), (400, refused("INVALID_FORMAT", "The client ID is not a UUID")));
    }
    assert_eq!(exchange(&home.app, &client).await.status, 201, "nothing happened to it");
}

#[db_test]
async fn a_deleted_client_is_gone_with_its_tokens(home: Home) {
    let client = home.any_client().await;
    let token = access(&exchange(&home.app, &client).await.json()["data"]);
    assert_eq!(probed(&home.app, &token).await.status, 200);
    let deleted = home.send(Method::DELETE, &path(&client), None).await;
    assert_eq!((deleted.status.as_u16(), deleted.body.len()), (204, 0));
    assert_eq!(probed(&home.app, &token).await.status, 401, "at once");
    assert_eq!(refusal(&exchange(&home.app, &client).await).1, "INVALID_CREDENTIALS");
    assert_eq!(home.clients().await, json!([]));
    assert_eq!(home.send(Method::DELETE, &path(&client), None).await.status, 404);
}

#[db_test]
async fn what_a_client_may_reaches_its_tokens_at_once(home: Home) {
    let client = home.any_client().await;
    let token = access(&exchange(&home.app, &client).await.json()["data"]);
    let scopes = probed(&home.app, &token).await.json()["scopes"].clone();
    assert_eq!(scopes, json!(SCOPES.join(" ")));
    home.change(&client, json!({ "permissions": ["mention:read"] })).await;
    let narrow = probed(&home.app, &token).await;
    assert_eq!(refusal(&narrow), (403, "INSUFFICIENT_PERMISSIONS".to_owned()));
    home.change(&client, json!({ "permissions": SCOPES, "status": "inactive" })).await;
    assert_eq!(refusal(&probed(&home.app, &token).await), (401, "UNAUTHORIZED".to_owned()));
    home.change(&client, json!({ "status": "active" })).await;
    assert_eq!(probed(&home.app, &token).await.status, 401, "for good");
    let token = access(&exchange(&home.app, &client).await.json()["data"]);
    assert_eq!(probed(&home.app, &token).await.status, 200);
}

#[db_test]
async fn only_who_runs_the_organization_manages_clients(home: Home) {
    let client = home.any_client().await;
    let token = home.colleague("Team_Member").await;
    let body = json!({ "name": "Importer", "environment": "production" });
    let rotate = format!("{REFRESH}?clientId={}", client["clientId"].as_str().unwrap());
    let message = "The role Team_Member does not allow you to manage API clients";
    for (method, path, body) in [
        (Method::POST, CREATE.to_owned(), Some(body)),
        (Method::GET, LIST.to_owned(), None),
        (Method::PATCH, path(&client), Some(json!({ "status": "revoked" }))),
        (Method::PATCH, rotate, None),
        (Method::DELETE, path(&client), None),
    ] {
        let answer = home.send_as(&token, method, &path, body).await;
        assert_eq!(answer.whole(), (403, refused("INSUFFICIENT_PERMISSIONS", message)), "{path}");
    }
    for role in ["Organization_User", "Team_Lead"] {
        seed::set_role(&home.app.database.options, "coll%", role).await;
        home.app.clock.advance(Duration::from_secs(1));
        assert_eq!(home.send_as(&token, Method::GET, LIST, None).await.status, 403, "{role}");
    }
}

#[db_test]
async fn who_manages_themself_has_clients_too(home: Home) {
    let email = "grace@example.com";
    let body = json!({ "fullname": "Grace Hopper", "email": email, "password": PASSWORD });
    let begun = home.app.post("/v1.0.1/auth/m/register", &body).await.json();
    let code = home.app.mailed_code(email).await;
    prove(&home.app, &begun["data"]["otpSession"], &code).await;
    let token = access(&home.app.sign_in(email, PASSWORD).await);
    let body = json!({ "name": "Importer", "environment": "staging" });
    let made = home.send_as(&token, Method::POST, CREATE, Some(body)).await;
    assert_eq!(exchange(&home.app, &made.json()["data"]).await.status, 201);
}

#[db_test]
async fn a_tenant_has_at_most_100_clients(home: Home) {
    for _ in 1..MAX_CLIENTS {
        home.any_client().await;
    }
    let body = json!({ "name": "One more", "environment": "production" });
    let all = (0..8).map(|_| home.send(Method::POST, CREATE, Some(body.clone())));
    let answers = futures_util::future::join_all(all).await;
    let message = "You can have at most 100 API clients; delete one first";
    let expected = (409, refused("RESOURCE_CONFLICT", message));
    let refused = answers.iter().filter(|it| it.whole() == expected).count();
    let clients = home.clients().await;
    assert_eq!((refused, clients.as_array().unwrap().len()), (7, 100));
    home.send(Method::DELETE, &path(&clients[0]), None).await;
    assert_eq!(home.send(Method::POST, CREATE, Some(body)).await.status, 201);
}

#[db_test]
async fn every_change_is_logged_without_its_secret(home: Home) {
    let client = home.any_client().await;
    home.change(&client, json!({ "name": "Exporter" })).await;
    let rotated = home.rotate(&client, "", None).await.json()["data"].clone();
    home.send(Method::DELETE, &path(&client), None).await;
    let query = "SELECT action, level, actor_kind, actor_name, resource_name FROM log_entries
        WHERE resource_type = 'client' ORDER BY action";
    let row = |action, name| [action, "INFO", "user", "Ada Lovelace", name];
    let rows = [
        row("client.create", "Importer"),
        row("client.delete", "Exporter"),
        row("client.rotate", "Exporter"),
        row("client.update", "Exporter"),
    ];
    assert_eq!(seed::rows(&home.app.database.options, query).await, rows);
    let query = "SELECT message || details || coalesce(resource_name, '') FROM log_entries";
    let log = seed::rows(&home.app.database.options, query).await.concat().concat();
    assert!(log.contains("Exporter") && !log.contains("gs_live_"));
    assert!(!log.contains(&pair(&rotated)[1]));
}
