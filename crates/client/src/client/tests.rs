use serde_json::Map;

use super::*;
use crate::testing::{
    Server, answer, answer_with, body, header, license, page, refusal, refusal_with, tokens,
    webhook,
};
use crate::{CheckInput, Event};

async fn first_webhook(client: &Client) -> Result<Option<String>> {
    Ok(client.webhooks().next().await?.map(|it| it.id))
}

fn one_webhook() -> String {
    page(&[webhook("w-1")], 1, false)
}

fn changes() -> Map<String, Value> {
    Map::from_iter([("title".to_owned(), json!("New"))])
}

#[tokio::test]
async fn a_token_serves_many_calls() {
    let server = Server::start(vec![tokens("t-1", 3_600), one_webhook(), one_webhook()]).await;
    let client = server.client();
    for _ in 0..2 {
        assert_eq!(first_webhook(&client).await.unwrap().as_deref(), Some("w-1"));
    }
    let list = "GET /webhooks?page=1&per_page=100";
    assert_eq!(server.lines(), ["POST /auth/token", list, list]);
    let calls = server.calls();
    assert_eq!(body(&calls[0]), json!({ "api_key": "gk_test_a", "api_secret": "gs_test_b" }));
    assert_eq!(header(&calls[0], "authorization"), None);
    assert_eq!(header(&calls[2], "authorization"), Some("Bearer t-1"));
    let agent = concat!("grantor-client/", env!("CARGO_PKG_VERSION"));
    assert_eq!(header(&calls[2], "user-agent"), Some(agent));
}

#[tokio::test]
async fn a_token_that_is_about_to_expire_is_refreshed_and_told() {
    let refreshed = json!({ "access_token": "t-2", "token_type": "Bearer", "expires_in": 3_600 });
    let refreshed = answer(200, &json!({ "success": true, "data": refreshed }));
    let answers = vec![tokens("t-1", 0), one_webhook(), refreshed, one_webhook()];
    let server = Server::start(answers).await;
    let (sender, told) = std::sync::mpsc::channel();
    let client = server.client().on_tokens(move |it| sender.send(it.clone()).unwrap());
    for _ in 0..2 {
        first_webhook(&client).await.unwrap();
    }
    let calls = server.calls();
    assert_eq!(server.lines()[2], "POST /auth/token/refresh");
    assert_eq!(body(&calls[2]), json!({ "refresh_token": "gxr_r" }));
    assert_eq!(header(&calls[3], "authorization"), Some("Bearer t-2"));
    let told: Vec<_> = told.try_iter().map(|it| it.access_token).collect();
    assert_eq!(told, ["t-1", "t-2"]);
}

#[tokio::test]
async fn a_refused_token_is_renewed_once() {
    let no = || refusal(401, "UNAUTHORIZED");
    let answers = vec![no(), no(), tokens("t-2", 3_600), one_webhook(), no(), no(), no()];
    let server = Server::start(answers).await;
    let old = Tokens::new("t-1".to_owned(), "gxr_old".to_owned(), 3_600, system::now());
    let client = server.client().with_tokens(old);
    assert_eq!(first_webhook(&client).await.unwrap().as_deref(), Some("w-1"));
    let list = "GET /webhooks?page=1&per_page=100";
    let (refresh, exchange) = ("POST /auth/token/refresh", "POST /auth/token");
    assert_eq!(server.lines(), [list, refresh, exchange, list]);
    // The next token is refused, it cannot be refreshed, and the secret is not valid any more.
    let error = first_webhook(&client).await.unwrap_err();
    assert_eq!((error.status(), error.code()), (Some(401), Some("UNAUTHORIZED")));
    assert_eq!(server.lines()[4..], [list, refresh, exchange]);
}

#[tokio::test]
async fn what_failed_for_a_moment_is_sent_again() {
    let busy = refusal_with(429, "RATE_LIMITED", "retry-after: 0\r\n");
    let away = refusal(503, "UNAVAILABLE");
    let server = Server::start(vec![tokens("t", 3_600), busy, away, one_webhook()]).await;
    let (sender, told) = std::sync::mpsc::channel();
    let client = server.client().on_retry(move |it, pause| {
        sender.send((it.status(), pause)).unwrap();
    });
    assert_eq!(first_webhook(&client).await.unwrap().as_deref(), Some("w-1"));
    let told: Vec<_> = told.try_iter().collect();
    assert_eq!(told, [(Some(429), Duration::ZERO), (Some(503), Duration::ZERO)]);
}

#[tokio::test]
async fn a_failure_that_stays_is_returned_with_all_that_is_known() {
    let away = || refusal(503, "UNAVAILABLE");
    let server = Server::start(vec![tokens("t", 3_600), away(), away(), away()]).await;
    let error = first_webhook(&server.client()).await.unwrap_err();
    assert_eq!(error.to_string(), "No (503 UNAVAILABLE, request r-1)");
    assert_eq!((server.calls().len(), error.is_temporary()), (4, true));
    let long = refusal_with(429, "QUOTA_EXCEEDED", "retry-after: 86400\r\n");
    let server = Server::start(vec![tokens("t", 3_600), long]).await;
    let error = first_webhook(&server.client()).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_hours(24)));
    assert_eq!(server.calls().len(), 2, "nobody waits for a day");
}

#[tokio::test]
async fn a_change_is_repeated_with_the_same_key() {
    let changed = answer_with(200, "etag: \"4-draft\"\r\n", &license("New"));
    let broken = String::new();
    let server = Server::start(vec![tokens("t", 3_600), broken, changed]).await;
    let client = server.client();
    let license = client.update_license("0198", &changes(), Some("\"3-draft\"")).await.unwrap();
    assert_eq!(
        (license.value.title.as_str(), license.etag.as_deref()),
        ("New", Some("\"4-draft\""))
    );
    let calls = server.calls();
    assert_eq!(server.lines()[1..], ["PATCH /licenses/0198", "PATCH /licenses/0198"]);
    let keys = [&calls[1], &calls[2]].map(|it| header(it, "idempotency-key").unwrap().to_owned());
    assert!(keys[0] == keys[1] && keys[0].len() == 32, "{keys:?}");
    assert_eq!(header(&calls[2], "if-match"), Some("\"3-draft\""));
    assert_eq!(body(&calls[2]), json!({ "title": "New" }));
}

#[tokio::test]
async fn nobody_there_is_told() {
    let server = Server::start(vec![]).await;
    let client = server.client();
    drop(server);
    let error = first_webhook(&client).await.unwrap_err().to_string();
    assert!(error.starts_with("The server cannot be reached: "), "{error}");
}

#[tokio::test]
async fn a_response_of_another_program_is_told() {
    let server = Server::start(vec![answer(200, &json!({ "hello": "world" }))]).await;
    let error = first_webhook(&server.client()).await.unwrap_err().to_string();
    assert!(error.starts_with("The server's response is not valid: "), "{error}");
}

#[tokio::test]
async fn all_pages_are_read() {
    let pages = [page(&[webhook("1"), webhook("2")], 3, true), page(&[webhook("3")], 3, false)];
    let server = Server::start([vec![tokens("t", 3_600)], pages.to_vec()].concat()).await;
    let client = server.client();
    let mut webhooks = client.webhooks().per_page(2);
    let mut ids = Vec::new();
    while let Some(webhook) = webhooks.next().await.unwrap() {
        assert_eq!(webhook.other["color"], "blue", "what is not known is kept");
        ids.push(webhook.id);
    }
    assert_eq!((ids.join(" ").as_str(), webhooks.total()), ("1 2 3", Some(3)));
    let lines = ["GET /webhooks?page=1&per_page=2", "GET /webhooks?page=2&per_page=2"];
    assert_eq!(server.lines()[1..], lines);
}

#[tokio::test]
async fn records_are_written_as_they_were_read() {
    let server = Server::start(vec![tokens("t", 3_600), answer(200, &license("Old"))]).await;
    let found = server.client().license("0198").await.unwrap().value;
    assert_eq!(serde_json::to_value(found).unwrap(), license("Old"));
}

fn events(numbers: &[i64], next: &str, has_more: bool) -> String {
    let events = numbers.iter().map(|number| {
        json!({
            "id": format!("e-{number}"), "type": "license.updated",
            "timestamp": "2026-01-01T00:00:00Z", "data": { "share": 0.1 }, "sequence": number,
            "resource_version": 2,
        })
    });
    let data: Vec<_> = events.collect();
    answer(200, &json!({ "data": data, "next_cursor": next, "has_more": has_more }))
}

#[tokio::test]
async fn the_feed_is_followed_by_its_cursor() {
    let answers = vec![
        tokens("t", 3_600),
        events(&[1, 2], "2", true),
        events(&[], "5", false),
        events(&[], "5", false),
        events(&[6], "6", false),
    ];
    let server = Server::start(answers).await;
    let client = server.client();
    let mut feed = client.feed(None);
    let mut stored: Vec<Event> = Vec::new();
    while let Some(event) = feed.next_stored().await.unwrap() {
        stored.push(event);
    }
    assert_eq!((stored.len(), feed.cursor()), (2, Some("5")));
    assert_eq!(feed.next().await.unwrap().sequence, 6);
    let read = |more: &str| format!("GET /events?limit=100&wait={more}");
    let lines = ["0", "0&after=2", "30&after=5", "30&after=5"].map(read);
    assert_eq!(server.lines()[1..], lines);
    let payload = r#"{"type":"license.updated","timestamp":"2026-01-01T00:00:00Z","#;
    let payload = format!(r#"{payload}"data":{{"share":0.1}},"sequence":1,"resource_version":2}}"#);
    assert_eq!(String::from_utf8(stored[0].payload().unwrap()).unwrap(), payload);
}

#[tokio::test]
async fn a_check_sends_what_it_is_about() {
    let reason = json!({ "code": "NO_GRANT", "message": "No grant", "license_id": "0198" });
    let found = json!({
        "talent": { "id": "1", "name": "Ann Lee" }, "license_id": "0198", "kind": "name",
        "method": "full_name", "term": "Ann Lee", "confidence": 0.98,
        "decision": { "decision": "ask", "reasons": [reason] },
    });
    let nothing = answer(200, &json!({ "matches": [], "skipped": [] }));
    let found = answer(200, &json!({ "matches": [found], "skipped": [] }));
    let server = Server::start(vec![tokens("t", 3_600), found, nothing.clone(), nothing]).await;
    let client = server.client();
    let result = client.check(CheckInput::Text("Ann Lee")).await.unwrap();
    assert!(!result.is_allowed() && result.matches[0].decision.reasons[0].code == "NO_GRANT");
    let result = client.check(CheckInput::Url("https://a.example/")).await.unwrap();
    assert!(result.is_allowed() && result.matches.is_empty());
    client.check(CheckInput::Image(b"bytes")).await.unwrap();
    let calls = server.calls();
    assert_eq!(body(&calls[1]), json!({ "text": "Ann Lee" }));
    assert_eq!(body(&calls[2]), json!({ "url": "https://a.example/" }));
    let kind = header(&calls[3], "content-type").unwrap();
    assert!(kind.starts_with("multipart/form-data; boundary="), "{kind}");
    assert!(calls[3].contains("name=\"image\"") && calls[3].contains("\r\n\r\nbytes\r\n--"));
}

#[tokio::test]
async fn signing_in_names_the_scopes_and_signing_out_revokes() {
    let done = answer(200, &json!({ "success": true }));
    let server = Server::start(vec![tokens("t", 3_600), done]).await;
    let client = server.client();
    assert_eq!(client.sign_in().await.unwrap(), ["license:read"]);
    client.sign_out().await.unwrap();
    client.sign_out().await.unwrap();
    assert_eq!(server.lines(), ["POST /auth/token", "POST /auth/token/revoke"]);
    assert_eq!(body(&server.calls()[1]), json!({ "token": "gxr_r" }));
}
