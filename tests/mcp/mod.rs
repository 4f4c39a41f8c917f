//! The Model Context Protocol at `/mcp`.

mod accept;
mod limit;
mod protocol;
mod scope;
mod transport;
mod untrusted;
mod visible;

use grantor_testkit::app::{Answer, TestApp, TestRequest};
use http::Method;
use serde_json::{Value, json};

use crate::license::{Member, text};

const PATH: &str = "/mcp";
const VERSION: &str = "2026-07-28";
/// An ID that no record has.
const UNKNOWN: &str = "0190a5e4-7b3c-7def-8123-456789abcdef";
/// All tools, in the order of the list.
const TOOLS: [&str; 9] = [
    "search_catalog",
    "get_license",
    "may_i",
    "check_picture",
    "request_license",
    "read_offer",
    "accept_offer",
    "list_grants",
    "get_receipt",
];

/// A message with the metadata that each needs.
fn message(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

/// A request to the endpoint, without the headers that repeat its message.
fn post(app: &TestApp) -> TestRequest<'_> {
    let request = app.request(Method::POST, PATH).header("host", "grantor.test");
    request.header("accept", "application/json, text/event-stream").header("x-request-id", "r-1")
}

/// A request with a message.
fn request<'a>(app: &'a TestApp, token: Option<&str>, message: &Value) -> TestRequest<'a> {
    let mut request = post(app)
        .header("mcp-protocol-version", VERSION)
        .header("mcp-method", message["method"].as_str().unwrap());
    if let Some(name) = message["params"]["name"].as_str() {
        request = request.header("mcp-name", name);
    }
    if let Some(token) = token {
        request = request.bearer(token);
    }
    request.json(message)
}

async fn ask(app: &TestApp, token: Option<&str>, method: &str, params: Value) -> Answer {
    request(app, token, &message(method, params)).send().await
}

async fn call(app: &TestApp, token: Option<&str>, tool: &str, arguments: Value) -> Answer {
    ask(app, token, "tools/call", json!({ "name": tool, "arguments": arguments })).await
}

/// The data of a call that succeeded. Its text is the same.
fn data(answer: &Answer) -> Value {
    let body = answer.json();
    let result = &body["result"];
    assert_eq!((answer.status.as_u16(), &result["isError"]), (200, &json!(false)), "{body}");
    let as_text: Value = serde_json::from_str(&text(&result["content"][1]["text"])).unwrap();
    assert_eq!(as_text, result["structuredContent"]);
    as_text
}

/// The error of a call that failed.
fn failure(answer: &Answer) -> Value {
    let body = answer.json();
    let result = &body["result"];
    assert_eq!((answer.status.as_u16(), &result["isError"]), (200, &json!(true)), "{body}");
    assert_eq!(result.get("structuredContent"), None, "{body}");
    serde_json::from_str(&text(&result["content"][0]["text"])).unwrap()
}

/// The status and the code of a JSON-RPC error.
fn error(answer: &Answer) -> (u16, i64) {
    (answer.status.as_u16(), answer.json()["error"]["code"].as_i64().unwrap())
}

/// A token of another client of the member, with these scopes.
async fn scoped(app: &TestApp, member: &Member, scopes: &[&str]) -> String {
    let client =
        json!({ "name": scopes.join(" "), "environment": "production", "permissions": scopes });
    let made = member.console(app, Method::POST, "/org/create/client", Some(client)).await;
    let pair = made.json()["data"]["credentials"].clone();
    let pair = json!({ "api_key": pair["clientId"], "api_secret": pair["secretKey"] });
    text(&app.post("/auth/token", &pair).await.json()["data"]["access_token"])
}
