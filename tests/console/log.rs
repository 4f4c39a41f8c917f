//! `/console/logs`, exports of them, `/logs/all`, `/logs/search`, and what the access log keeps.

use std::time::Duration;

use grantor_domain::admin::AdminRole;
use grantor_service::log::index_written;
use grantor_service::log::read_access;
use grantor_testkit::app::{Answer, TestApp};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::admin::staff;
use super::{Home, PASSWORD, PROFILE, access, account, exchange, faults, refusal, refused};

const LOGS: &str = "/v1.0.1/console/logs";
const EXPORT: &str = "/v1.0.1/console/logs/export";
const HOUR: Duration = Duration::from_hours(1);
const QUARTER: Duration = Duration::from_mins(15);

impl Home {
    async fn logs(&self, query: &str) -> Answer {
        self.send(Method::GET, &format!("{LOGS}?class=audit&{query}"), None).await
    }

    async fn export(&self, body: Value) -> Value {
        let made = self.send(Method::POST, EXPORT, Some(body)).await;
        assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.body));
        made.json()["data"].clone()
    }

    async fn fetch(&self, export: &Value) -> Answer {
        let path = format!("{EXPORT}/{}", export["exportId"].as_str().unwrap());
        self.send(Method::GET, &path, None).await
    }

    /// Makes clients of these names, a quarter of an hour after each other.
    async fn clients_in_turn(&self, names: &[&str]) {
        for name in names {
            self.app.clock.advance(QUARTER);
            self.client(json!({ "name": name, "environment": "staging" })).await;
        }
    }
}

/// The actions of a page, in its order.
fn actions(answer: &Answer) -> Vec<String> {
    column(answer, "action")
}

fn column(answer: &Answer, name: &str) -> Vec<String> {
    let (status, body) = answer.whole();
    assert_eq!(status, 200, "{body}");
    let logs = body["data"]["logs"].as_array().unwrap().clone();
    logs.iter().map(|it| it[name].as_str().unwrap_or("-").to_owned()).collect()
}

async fn all(app: &TestApp, token: &str, path: &str) -> Answer {
    app.request(Method::GET, &format!("/v1.0.1/logs/{path}")).bearer(token).send().await
}

#[db_test]
async fn an_entry_is_shown_as_documented(home: Home) {
    let client = home.any_client().await;
    let listed = home.logs("action=client.create").await;
    let entry = listed.json()["data"]["logs"][0].clone();
    let expected = json!({
        "logId": entry["logId"],
        "type": "INFO",
        "class": "audit",
        "message": "An API client was created",
        "userId": entry["userId"],
        "userName": "Ada Lovelace",
        "timestamp": "2026-01-01T00:00:00.000000Z",
        "action": "client.create",
        "resourceType": "client",
        "resourceId": client["clientId"],
        "resourceName": "Importer",
        "metadata": {
            "ipAddress": "203.0.113.7",
            "userAgent": null,
            "duration": 0,
            "requestId": entry["metadata"]["requestId"],
            "details": entry["metadata"]["details"],
        },
    });
    let pagination = json!({ "page": 1, "limit": 10, "total": 1, "totalPages": 1 });
    let data = json!({ "logs": [expected], "pagination": pagination });
    let body = json!({ "data": data, "message": "Log entries", "status": "success" });
    assert_eq!(listed.whole(), (200, body));
    let path = format!("{LOGS}/{}", entry["logId"].as_str().unwrap());
    let shown = home.send(Method::GET, &path, None).await;
    let body = json!({ "data": expected, "message": "Log entry", "status": "success" });
    assert_eq!(shown.whole(), (200, body));
}

#[db_test]
async fn what_is_asked_for_narrows_the_list(home: Home) {
    home.clients_in_turn(&["First", "Second_100%", "Third"]).await;
    let found = [
        ("action=client.create", "Third Second_100% First"),
        ("action=client.create&limit=2", "Third Second_100%"),
        ("action=client.create&limit=2&page=2", "First"),
        ("action=client.create&startDate=2026-01-01T00:30:00Z", "Third Second_100%"),
        ("action=client.create&endDate=2026-01-01T00:30:00Z", "First"),
        ("action=client.create&startDate=2026-01-01&endDate=2026-01-01", "Third Second_100% First"),
        ("startDate=2026-01-02", ""),
        ("action=client.create&type=WARN", ""),
        ("search=SECOND", "Second_100%"),
        ("search=second_100%25", "Second_100%"),
        ("search=d_1", ""),
        ("search=100*", "Second_100%"),
        ("search=%25", ""),
        ("search=api+client+was+created+fir*", "First"),
        ("search=%22client+was+created%22+third", "Third"),
        ("search=%22client+created%22", ""),
        ("search=%5C", ""),
    ];
    // Of the last client nobody has put in that it was made.
    for settled in ["none", "some", "all"] {
        for (query, names) in found {
            let listed = column(&home.logs(query).await, "resourceName");
            assert_eq!(listed.join(" "), names, "{query}, {settled} in the index");
        }
        assert_eq!(index_written(&home.app.app).await.unwrap() > 0, settled != "all");
        home.app.clock.advance(Duration::from_secs(3));
    }
}

#[db_test]
async fn refusals_are_found_by_their_level(home: Home) {
    home.any_client().await;
    let script = "UPDATE log_entries SET level = 'WARN' WHERE action = 'session.create'";
    seed::run(&home.app.database.options, script.to_owned()).await;
    assert_eq!(actions(&home.logs("type=WARN").await), ["session.create"]);
    assert!(!actions(&home.logs("type=INFO").await).contains(&"session.create".to_owned()));
    assert_eq!(actions(&home.logs("type=ERROR").await), Vec::<String>::new());
}

#[db_test]
async fn a_refused_sign_in_is_in_the_log_of_whose_account_it_was(home: Home) {
    let body = json!({ "username": "ada@example.com", "password": "not-hers-1843" });
    home.app.post("/v1.0.1/auth/login", &body).await;
    let warned = home.logs("type=WARN").await;
    assert_eq!(
        (actions(&warned), column(&warned, "userName")),
        (vec!["session.create".into()], vec!["anonymous".into()])
    );
}

#[db_test]
async fn a_sign_in_is_logged_as_done_by_who_signed_in(home: Home) {
    let entry = home.logs("action=session.create").await.json()["data"]["logs"][0].clone();
    let profile = home.send(Method::GET, PROFILE, None).await.json()["data"].clone();
    assert_eq!((&entry["userId"], &entry["userName"]), (&profile["id"], &json!("Ada Lovelace")));
    let root = staff(&home.app, "root@example.com", AdminRole::SupportAdmin).await;
    let seen = all(&home.app, &root, "all?scheme=admin&action=admin.authenticate").await;
    assert_eq!(actions(&seen), ["admin.authenticate"]);
    assert_ne!(seen.json()["data"]["logs"][0]["userId"], Value::Null);
}

#[db_test]
async fn the_log_is_the_admins_own(home: Home) {
    let colleague = home.colleague("Organization_User").await;
    let message = "The role Organization_User does not allow you to view the log";
    let refused = (403, refused("INSUFFICIENT_PERMISSIONS", message));
    for path in [LOGS, "/v1.0.1/console/logs/0190a000-0000-7000-8000-000000000000"] {
        assert_eq!(home.send_as(&colleague, Method::GET, path, None).await.whole(), refused);
    }
    let body = Some(json!({ "format": "csv" }));
    assert_eq!(home.send_as(&colleague, Method::POST, EXPORT, body).await.whole(), refused);
}

#[db_test]
async fn every_fault_of_the_question_is_named(home: Home) {
    let query = "page=0&limit=101&type=x&startDate=x&endDate=x&action=x&search=";
    let day = "must be a day such as 2026-01-31 or an RFC 3339 date-time";
    let details = json!({
        "page": "must be a whole number from 1 to 4294967295",
        "limit": "must be a whole number from 1 to 100",
        "type": "must be one of INFO, WARN, ERROR",
        "startDate": day,
        "endDate": day,
        "action": "must have the form resource.verb, such as team.create",
        "search": "must be 1 to 100 characters",
    });
    assert_eq!(faults(&home.logs(query).await), (400, details));
}

#[db_test]
async fn another_organizations_log_is_not_there(home: Home) {
    home.any_client().await;
    let entry = home.logs("action=client.create").await.json()["data"]["logs"][0].clone();
    account(&home.app, "eve@example.com", "Another Agency").await;
    let stranger = access(&home.app.sign_in("eve@example.com", PASSWORD).await);
    let path = format!("{LOGS}/{}", entry["logId"].as_str().unwrap());
    let shown = home.send_as(&stranger, Method::GET, &path, None).await;
    assert_eq!(shown.whole(), (404, refused("NOT_FOUND", "Log entry not found")));
    let listed = home.send_as(&stranger, Method::GET, LOGS, None).await;
    assert!(!actions(&listed).contains(&"client.create".to_owned()));
    let bad = home.send(Method::GET, &format!("{LOGS}/7"), None).await;
    assert_eq!(refusal(&bad), (400, "INVALID_FORMAT".to_owned()));
}

#[db_test]
async fn staff_is_not_named_in_an_organizations_log(home: Home) {
    let script = "UPDATE log_entries SET actor_kind = 'admin', actor_name = 'Grace Hopper'
      WHERE action = 'session.create'";
    seed::run(&home.app.database.options, script.to_owned()).await;
    let entry = home.logs("action=session.create").await.json()["data"]["logs"][0].clone();
    assert_eq!((&entry["userId"], &entry["userName"]), (&Value::Null, &json!("Staff")));
    assert_eq!(entry["metadata"]["ipAddress"], Value::Null);
    let root = staff(&home.app, "root@example.com", AdminRole::SupportAdmin).await;
    let seen = all(&home.app, &root, "all?scheme=console&action=session.create").await;
    assert_eq!(seen.json()["data"]["logs"][0]["userName"], "Grace Hopper");
}

#[db_test]
async fn reads_are_logged_in_batches(home: Home) {
    let client = home.any_client().await;
    let token = exchange(&home.app, &client).await.json()["data"]["accessToken"].clone();
    let token = token.as_str().unwrap();
    let path = "/licenses/0190a000-0000-7000-8000-000000000000?secret=1";
    home.app.request(Method::GET, path).bearer(token).send().await;
    home.app.clock.advance(QUARTER);
    home.send(Method::GET, PROFILE, None).await;
    home.app.clock.advance(QUARTER);
    let reads = "/v1.0.1/console/logs?class=access";
    assert_eq!(actions(&home.send(Method::GET, reads, None).await), Vec::<String>::new());
    // The last of them is the look at the log itself.
    assert_eq!(read_access::write(&home.app.app).await, Ok(3));
    let listed = home.send(Method::GET, reads, None).await;
    assert_eq!(actions(&listed), ["log.list", "profile.show", "license.show"]);
    let entry = &listed.json()["data"]["logs"][2];
    let id = "0190a000-0000-7000-8000-000000000000";
    let shown = json!([entry["type"], entry["userName"], entry["resourceId"]]);
    assert_eq!(shown, json!(["WARN", "Importer", id]));
    assert_eq!(entry["metadata"]["details"], json!({ "status": 404 }));
    assert!(!String::from_utf8_lossy(&listed.body).contains("secret"));
}

#[db_test]
async fn of_very_many_reads_each_tenant_has_its_share(home: Home) {
    for _ in 0..60 {
        home.send(Method::GET, PROFILE, None).await;
    }
    assert_eq!(read_access::write(&home.app.app).await, Ok(50));
    home.send(Method::GET, PROFILE, None).await;
    assert_eq!(read_access::write(&home.app.app).await, Ok(1));
}

#[db_test]
async fn an_export_is_a_file_of_what_was_there(home: Home) {
    home.clients_in_turn(&["=cmd()", "Comma, \"quoted\""]).await;
    home.app.clock.advance(QUARTER);
    let asked = json!({ "format": "csv", "action": "client.create" });
    let export = home.export(asked).await;
    let expected = json!({
        "exportId": export["exportId"],
        "format": "csv",
        "status": "ready",
        "entries": 2,
        "createdAt": "2026-01-01T00:45:00.000000Z",
        "expiresAt": "2026-01-02T00:45:00.000000Z",
    });
    assert_eq!(export, expected);
    home.any_client().await;
    let file = home.fetch(&export).await;
    let name =
        format!("attachment; filename=\"logs-{}.csv\"", export["exportId"].as_str().unwrap());
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(file.header("content-disposition"), Some(&*name));
    let text = String::from_utf8(file.body.clone()).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("logId,timestamp,type,class,action,message,userId"), "{text}");
    assert!(lines[1].contains(",\"Comma, \"\"quoted\"\"\","), "{text}");
    assert!(lines[2].contains(",'=cmd(),"), "{text}");
}

#[db_test]
async fn the_json_of_an_export_is_the_list(home: Home) {
    home.clients_in_turn(&["One", "Two"]).await;
    home.app.clock.advance(QUARTER);
    let export = home.export(json!({ "format": "json", "action": "client.create" })).await;
    let file = home.fetch(&export).await;
    assert_eq!(file.header("content-type"), Some("application/json"));
    let listed = home.logs("action=client.create").await.json()["data"]["logs"].clone();
    assert_eq!(file.json(), listed);
    let none = home.export(json!({ "format": "json", "action": "no.such" })).await;
    assert_eq!(home.fetch(&none).await.json(), json!([]));
}

#[db_test]
async fn an_export_of_thousands_is_whole(home: Home) {
    seed::log_entries(&home.app.database.options, "Babbage Talent", "many.make", 4, 2_503).await;
    home.app.clock.advance(QUARTER);
    let export = home.export(json!({ "format": "json", "action": "many.make" })).await;
    assert_eq!(export["entries"], 2_503);
    let file = home.fetch(&export).await.json();
    let mut messages: Vec<_> = file.as_array().unwrap().iter().map(|it| &it["message"]).collect();
    assert_eq!(messages.len(), 2_503);
    messages.dedup();
    assert_eq!(messages.len(), 2_503);
}

#[db_test]
async fn an_export_ends_after_a_day_and_is_nobody_elses(home: Home) {
    let export = home.export(json!({ "format": "csv" })).await;
    account(&home.app, "eve@example.com", "Another Agency").await;
    let stranger = access(&home.app.sign_in("eve@example.com", PASSWORD).await);
    let path = format!("{EXPORT}/{}", export["exportId"].as_str().unwrap());
    let gone = (404, refused("NOT_FOUND", "Export not found"));
    assert_eq!(home.send_as(&stranger, Method::GET, &path, None).await.whole(), gone);
    home.app.clock.advance(HOUR * 23);
    let token = access(&home.app.sign_in("ada@example.com", PASSWORD).await);
    assert_eq!(home.send_as(&token, Method::GET, &path, None).await.status, 200);
    home.app.clock.advance(HOUR);
    let token = access(&home.app.sign_in("ada@example.com", PASSWORD).await);
    assert_eq!(home.send_as(&token, Method::GET, &path, None).await.whole(), gone);
}

#[db_test]
async fn an_export_needs_a_format(home: Home) {
    let wrong = json!({ "format": "xml", "type": "x", "endDate": "x" });
    let details = json!({
        "format": "must be one of csv, json",
        "type": "must be one of INFO, WARN, ERROR",
        "endDate": "must be a day such as 2026-01-31 or an RFC 3339 date-time",
    });
    let answer = home.send(Method::POST, EXPORT, Some(wrong)).await;
    assert_eq!(faults(&answer), (400, details));
    let answer = home.send(Method::POST, EXPORT, Some(json!({}))).await;
    assert_eq!(faults(&answer), (400, json!({ "format": "is required" })));
}

#[db_test]
async fn staff_reads_everybodys_log_by_scheme(home: Home) {
    home.any_client().await;
    let support = staff(&home.app, "help@example.com", AdminRole::SupportAdmin).await;
    let seen = all(&home.app, &support, "all?scheme=console&action=client.create").await;
    let body = seen.json();
    let entry = &body["data"]["logs"][0];
    assert_eq!((&entry["scheme"], &entry["action"]), (&json!("console"), &json!("client.create")));
    assert_eq!((&body["data"]["total"], seen.status.as_u16()), (&json!(1), 200));
    let organization = entry["organizationId"].as_str().unwrap();
    let own = format!("search?scheme=console&organizationId={organization}&search=importer");
    assert_eq!(actions(&all(&home.app, &support, &own).await), ["client.create"]);
    let other = "search?scheme=console&organizationId=0190a000-0000-7000-8000-000000000000";
    assert_eq!(actions(&all(&home.app, &support, other).await), Vec::<String>::new());
    assert_eq!(
        actions(&all(&home.app, &support, "all?scheme=external").await),
        Vec::<String>::new()
    );
}

#[db_test]
async fn staff_must_name_the_scheme(home: Home) {
    let support = staff(&home.app, "help@example.com", AdminRole::SupportAdmin).await;
    for path in ["all", "search?search=x"] {
        let answer = all(&home.app, &support, path).await;
        let body = refused("MISSING_REQUIRED_FIELD", "The query parameter scheme is required");
        assert_eq!(answer.whole(), (400, body));
    }
    let details = json!({
        "scheme": "must be one of admin, console, external, system",
        "organizationId": "must be a UUID",
        "page": "must be a whole number from 1 to 4294967295",
    });
    let answer = all(&home.app, &support, "all?scheme=x&organizationId=x&page=0").await;
    assert_eq!(faults(&answer), (400, details));
    assert_eq!(
        refusal(&home.send(Method::GET, "/v1.0.1/logs/all?scheme=console", None).await).0,
        401
    );
}
