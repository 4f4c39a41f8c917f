//! Traces, metrics and the log of requests, as operators and their tools get them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::postgres::PostgresServer;
use grantor_testkit::redis::RedisServer;
use grantor_testkit::server::{GrantorProcess, Installation, Reply, eventually, exchange, request};
use grantor_testkit::{db_test, print_figure};
use serde_json::{Value, json};
use tokio::net::TcpStream;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// A collector that takes everything.
async fn collector() -> Listener {
    Listener::start(|_| Script::ok(b"{}")).await.unwrap()
}

fn with_collector(installation: Installation, collector: &Listener) -> Installation {
    installation
        .with("GRANTOR_METRICS_LISTEN", "127.0.0.1:0")
        .with("GRANTOR_OTLP_ENDPOINT", &collector.url("/"))
        .with("GRANTOR_OTLP_HEADERS", "authorization=Bearer MARKER-token")
        .with("GRANTOR_OTLP_SAMPLING", "0")
}

/// The bodies that were sent to a path.
fn bodies(calls: &[Call], path: &str) -> Vec<Value> {
    let calls = calls.iter().filter(|it| it.path == path);
    calls.map(|it| serde_json::from_slice(&it.body).unwrap()).collect()
}

fn spans(calls: &[Call]) -> Vec<Value> {
    let bodies = bodies(calls, "/v1/traces");
    let spans = bodies.iter().map(|it| &it["resourceSpans"][0]["scopeSpans"][0]["spans"]);
    spans.flat_map(|it| it.as_array().unwrap().clone()).collect()
}

/// The page of metrics, with these headers.
async fn metrics(server: &GrantorProcess, path: &str, headers: &[&str]) -> Reply {
    let stream = TcpStream::connect(server.metrics_address().await).await.unwrap();
    let text = request(&format!("GET {path}"), headers);
    exchange(stream, text.as_bytes()).await.expect("an answer")
}

#[db_test]
async fn a_collector_gets_the_trace_of_a_caller_and_all_metrics(installation: Installation) {
    let collector = collector().await;
    let mut server = with_collector(installation, &collector).serve().await;
    let sampled = format!("traceparent: 00-{TRACE}-00f067aa0ba902b7-01");
    // The control: a request that nobody traces.
    assert_eq!(server.get("/metadata").await.status, 200);
    assert_eq!(server.ask("GET /health", &[&sampled, "x-request-id: traced"]).await.status, 200);
    let span = eventually("the span", async || spans(&collector.calls()).pop()).await;
    assert_eq!(spans(&collector.calls()).len(), 1);
    let fixed = ["traceId", "parentSpanId", "name", "kind"].map(|it| span[it].clone());
    assert_eq!(json!(fixed), json!([TRACE, "00f067aa0ba902b7", "GET /health", 2]));
    let id = json!({ "key": "grantor.request_id", "value": { "stringValue": "traced" } });
    assert!(span["attributes"].as_array().unwrap().contains(&id), "{span}");
    let line = server.line("\"request_id\":\"traced\"").await;
    assert!(line.contains(&format!("\"trace_id\":\"{TRACE}\"")), "{line}");

    let open = metrics(&server, "/metrics", &["accept: application/openmetrics-text"]).await;
    let kind = open.header("content-type").unwrap();
    assert_eq!(kind, "application/openmetrics-text; version=1.0.0; charset=utf-8");
    assert!(open.body.ends_with("# EOF\n"), "{}", open.body);
    assert!(open.body.contains(&format!(" # {{trace_id=\"{TRACE}\"}} ")), "{}", open.body);

    assert_eq!(server.stop().await, Some(0));
    let sent = bodies(&collector.calls(), "/v1/metrics").pop().expect("metrics at the end");
    let sent = &sent["resourceMetrics"][0];
    let names: BTreeSet<_> = sent["scopeMetrics"][0]["metrics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    for name in ["grantor_http_requests_total", "grantor_http_request_seconds", "process_open_fds"]
    {
        assert!(names.contains(name), "{names:?}");
    }
    let service = json!({ "key": "service.name", "value": { "stringValue": "grantor" } });
    assert_eq!(sent["resource"]["attributes"][0], service);
    for call in collector.calls() {
        assert_eq!(call.header("authorization"), Some("Bearer MARKER-token"));
    }
    assert!(!server.log().join("\n").contains("MARKER"), "the header is a secret");
}

#[tokio::test]
async fn a_collector_that_fails_is_told_of_once_and_disturbs_nobody() {
    let failing = Listener::start(|_| Script::answer(400, b"")).await.unwrap();
    let mut server = with_collector(Installation::default(), &failing).serve().await;
    server.line("traces and metrics do not reach the collector").await;
    assert_eq!(server.get("/health").await.status, 200);
    let page = metrics(&server, "/metrics", &[]).await.body;
    assert!(page.contains("grantor_otlp_failures_total{signal=\"metrics\"} 1\n"), "{page}");
    assert_eq!(server.stop().await, Some(0));
    let told = server.log().iter().filter(|it| it.contains("reach the collector")).count();
    assert_eq!(told, 1);
}

#[tokio::test]
async fn requests_are_logged_up_to_a_rate() {
    let server = Installation::default().serve().await;
    server.ask("GET /health", &["x-request-id: shown"]).await;
    let line: Value = serde_json::from_str(&server.line("\"shown\"").await).unwrap();
    let known = ["level", "message", "method", "route", "status"].map(|it| line[it].clone());
    assert_eq!(json!(known), json!(["INFO", "request", "GET", "/health", 200]));
    assert!(line["micros"].is_u64(), "{line}");
    for (path, id, route) in [
        ("/v1.0.1/auth/authenticateAdmin", "of-staff", "/v1.0.1/auth/authenticateAdmin"),
        ("/v1.0.1/nowhere", "of-nobody", "unknown path"),
    ] {
        server.ask(&format!("POST {path}"), &[&format!("x-request-id: {id}")]).await;
        let part = format!("\"message\":\"request\",\"request_id\":\"{id}\"");
        let line: Value = serde_json::from_str(&server.line(&part).await).unwrap();
        assert_eq!(line["route"], route, "as the client sees it");
    }

    let mut silent = Installation::default().with("GRANTOR_LOG_REQUESTS", "0").serve().await;
    assert_eq!(silent.ask("GET /health", &["x-request-id: shown"]).await.status, 200);
    assert_eq!(silent.stop().await, Some(0));
    assert!(!silent.log().join("\n").contains("\"shown\""));
}

#[db_test]
async fn a_worker_has_probes_and_metrics(installation: Installation) {
    let installation = installation.with("GRANTOR_METRICS_LISTEN", "127.0.0.1:0");
    let mut worker = GrantorProcess::start_worker(installation.command("worker")).await;
    assert_eq!(metrics(&worker, "/livez", &[]).await.json(), json!({ "status": "live" }));
    let ready = metrics(&worker, "/readyz", &[]).await;
    assert_eq!((ready.status, &ready.json()["status"]), (200, &json!("ready")));
    let page = metrics(&worker, "/metrics", &[]).await.body;
    assert!(page.contains("grantor_queue_depth{queue=\"mail\"} 0\n"), "{page}");
    assert!(page.contains("grantor_ready 1\n"), "{page}");
    assert_eq!(worker.stop().await, Some(0));
}

/// A folder of the files for other tools.
fn deploy(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy").join(name)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of our metrics in an expression.
fn names(text: &str) -> BTreeSet<String> {
    let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    let ours = |it: &&str| it.starts_with("grantor_") || it.starts_with("process_");
    words.filter(ours).map(str::to_owned).collect()
}

/// The expressions of a dashboard.
fn expressions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text) if name == "expr" || name == "query" => {
                        found.push(text.clone());
                    }
                    other => expressions(other, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|it| expressions(it, found)),
        _ => {}
    }
}

/// The lines of the rules that are expressions, without those around them.
fn of_rules() -> BTreeSet<String> {
    let rules = read(&deploy("prometheus/grantor.rules.yml"));
    let lines = rules.lines().filter(|it| !it.trim_start().starts_with(['#', '-']));
    let lines = lines.filter(|it| !it.contains("summary:") && !it.contains("runbook:"));
    names(&lines.collect::<Vec<_>>().join("\n"))
}

fn of_dashboard() -> BTreeSet<String> {
    let dashboard = serde_json::from_str(&read(&deploy("grafana/grantor.json"))).unwrap();
    let mut found = Vec::new();
    expressions(&dashboard, &mut found);
    assert!(found.len() > 30, "{found:?}");
    names(&found.join("\n"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_metric_of_rules_and_panels_exists() {
    let (primary, redis) = (PostgresServer::start(), RedisServer::start().await.unwrap());
    let replica = primary.start_standby();
    let server = Installation::default()
        .with("GRANTOR_DATABASE_URL", &primary.url())
        .with("GRANTOR_DATABASE_REPLICA_URL", &replica.url())
        .with("GRANTOR_REDIS_URL", &redis.url())
        .with("GRANTOR_METRICS_LISTEN", "127.0.0.1:0")
        .serve()
        .await;
    assert_eq!(server.get("/metadata").await.status, 200);
    let wanted: BTreeSet<_> = of_rules().union(&of_dashboard()).cloned().collect();
    assert!(wanted.len() > 30, "{wanted:?}");
    let missing = async || {
        let page = metrics(&server, "/metrics", &[]).await.body;
        let lines = page.lines().filter(|it| !it.starts_with('#'));
        let known = names(&lines.collect::<Vec<_>>().join("\n"));
        wanted.difference(&known).cloned().collect::<Vec<_>>()
    };
    // Some are measured for the first time a second or two after the start.
    let what = format!("all metrics; at first there were no {:?}", missing().await);
    eventually(&what, async || missing().await.is_empty().then_some(())).await;
    // The control: what is made up is missed.
    assert!(names("rate(grantor_made_up_total[5m]) > 0").contains("grantor_made_up_total"));
    assert!(!wanted.contains("grantor_made_up_total"));
}

#[test]
fn promtool_accepts_the_rules() {
    let folder = deploy("prometheus");
    let check = |words: &str| {
        let mut command = Command::new("promtool");
        command.args(words.split_whitespace()).current_dir(&folder).output()
    };
    if check("--version").is_err() {
        // `make test` does not require it.
        print_figure("skipped: promtool is not installed");
        return;
    }
    for words in [
        "check rules grantor.rules.yml",
        "test rules grantor.rules.test.yml",
        "check config prometheus.yml",
    ] {
        let output = check(words).unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let failed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "promtool {words}: {said}{failed}");
    }
    assert!(!check("check rules prometheus.yml").unwrap().status.success(), "the control");
}
