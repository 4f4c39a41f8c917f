//! `/pax/pod`, `/pax/pods`, `/pax/{start,pause,stop}/…`: the staff's side of platforms.

use std::time::Duration;

use grantor_domain::admin::AdminRole;
use grantor_testkit::app::Answer;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::admin::staff;
use super::platform::{Grounds, UNKNOWN, managed, text};
use super::{faults, refusal, refused};

const POD: &str = "/v1.0.1/pax/pod";
const PODS: &str = "/v1.0.1/pax/pods";

/// Grounds that staff looks after.
struct Yard {
    grounds: Grounds,
    token: String,
}

impl Fixture for Yard {
    async fn on(engine: Engine) -> Self {
        let grounds = Grounds::on(engine).await;
        let token = staff(&grounds.home.app, "root@example.com", AdminRole::Admin).await;
        Self { grounds, token }
    }
}

impl Yard {
    async fn send_as(&self, token: &str, what: &str, body: Option<Value>) -> Answer {
        let (method, path) = what.split_once(' ').unwrap();
        let request = self.grounds.home.app.request(method.parse().unwrap(), path).bearer(token);
        match body {
            Some(body) => request.json(&body).send().await,
            None => request.send().await,
        }
    }

    async fn ask(&self, what: &str) -> Answer {
        self.send_as(&self.token, what, None).await
    }

    async fn create(&self, platform: &Value, scopes: Value) -> Answer {
        let platform = json!({ "platformId": platform["platformId"] });
        let body = json!({ "platform": platform, "scopes": scopes });
        self.send_as(&self.token, &format!("POST {POD}"), Some(body)).await
    }

    async fn pod(&self, platform: &Value) -> Value {
        let made = self.create(platform, json!(["crawl"])).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()["data"].clone()
    }

    /// A platform of its own, with a pod.
    async fn pod_at(&self, domain: &str) -> Value {
        let platform = self.grounds.platform(json!({ "domain": domain })).await;
        self.pod(&platform).await
    }

    async fn make(&self, verb: &str, pod: &Value) -> Answer {
        self.ask(&format!("POST /v1.0.1/pax/{verb}/pod/{}", text(&pod["podId"]))).await
    }

    async fn shown(&self, pod: &Value) -> Value {
        let shown = self.ask(&format!("GET {POD}/{}", text(&pod["podId"]))).await;
        assert_eq!(shown.status, 200, "{}", shown.json());
        shown.json()["data"].clone()
    }

    fn pass(&self, seconds: u64) {
        self.grounds.home.app.clock.advance(Duration::from_secs(seconds));
    }
}

#[db_test]
async fn a_new_pod_is_stopped(yard: Yard) {
    let platform = yard.grounds.platform(json!({})).await;
    let answer = yard.create(&platform, json!(["crawl", "read"])).await;
    let record = json!({
        "podId": answer.json()["data"]["podId"],
        "platformId": platform["platformId"],
        "platformName": "The Wire",
        "status": "stopped",
        "scopes": ["read", "crawl"],
        "createdAt": "2026-01-01T00:00:00.000000Z",
        "lastStarted": null,
    });
    let mut details = record.clone();
    details["metrics"] = json!({ "uptime": 0, "requestCount": 0, "errorRate": 0.0 });
    details["blockedBy"] = json!(["pod_not_running", "platform_not_verified"]);
    details["lastRuns"] = json!([]);
    let body = json!({ "data": details, "message": "Pod created", "status": "success" });
    assert_eq!(answer.whole(), (201, body));
    assert_eq!(yard.shown(&record).await, details);
    let data = json!({ "pods": [record], "total": 1 });
    let body = json!({ "data": data, "message": "All pods", "status": "success" });
    assert_eq!(yard.ask(&format!("GET {PODS}")).await.whole(), (200, body));
    assert_eq!(yard.grounds.logged("pod.create").await, 1);
}

#[db_test]
async fn a_pod_is_of_a_platform_that_has_none(yard: Yard) {
    let platform = yard.grounds.foreign_platform("foreign.example").await;
    yard.pod(&platform).await;
    let again = yard.create(&platform, json!(["read"])).await;
    let message = "This platform already has a pod";
    assert_eq!(again.whole(), (409, refused("RESOURCE_EXISTS", message)));
    let unknown = yard.create(&json!({ "platformId": UNKNOWN }), json!(["read"])).await;
    assert_eq!(unknown.whole(), (404, refused("NOT_FOUND", "Platform not found")));
}

#[db_test]
async fn every_member_that_does_not_fit_is_named(yard: Yard) {
    let missing = json!({ "platform.platformId": "is required", "scopes": "is required" });
    for body in [json!({}), json!({ "platform": null }), json!({ "platform": {} })] {
        let answer = yard.send_as(&yard.token, &format!("POST {POD}"), Some(body)).await;
        assert_eq!(faults(&answer), (400, missing.clone()));
    }
    let answer = yard.create(&json!({ "platformId": "7" }), json!(["All"])).await;
    let wrong = json!({
        "platform.platformId": "must be a UUID",
        "scopes": "must contain names of 1 to 64 characters from a-z, 0-9, dot, underscore, colon \
                   and hyphen",
    });
    assert_eq!(faults(&answer), (400, wrong));
}

/// Every move from every status: where it leads, or that it is refused.
#[db_test]
async fn moves_lead_where_the_contract_says(yard: Yard) {
    let pod = yard.pod_at("wire.example").await;
    let ways =
        [("running", &["start"][..]), ("paused", &["start", "pause"]), ("stopped", &["stop"])];
    for (from, way) in ways {
        for (verb, to) in [
            ("start", Some("running")),
            ("pause", (from == "running").then_some("paused")),
            ("stop", Some("stopped")),
        ] {
            for step in way {
                assert_eq!(yard.make(step, &pod).await.status, 201);
            }
            let answer = yard.make(verb, &pod).await;
            let Some(to) = to else {
                let message = format!("A pod that is {from} cannot be paused");
                assert_eq!(answer.whole(), (409, refused("RESOURCE_CONFLICT", &message)));
                assert_eq!(yard.shown(&pod).await["status"], from);
                continue;
            };
            let body = answer.json();
            let told =
                (answer.status.as_u16(), text(&body["data"]["status"]), text(&body["message"]));
            assert_eq!(told, (201, to.to_owned(), format!("The pod is {to}")), "{verb} {from}");
            assert_eq!(yard.shown(&pod).await, body["data"]);
        }
    }
}

#[db_test]
async fn uptime_is_the_sum_of_all_runs(yard: Yard) {
    let pod = yard.pod_at("wire.example").await;
    for (verb, seconds, uptime) in
        [("start", 10, 10), ("start", 5, 15), ("pause", 7, 15), ("start", 2, 17), ("stop", 9, 17)]
    {
        yard.make(verb, &pod).await;
        yard.pass(seconds);
        assert_eq!(yard.shown(&pod).await["metrics"]["uptime"], uptime, "{verb}");
    }
    assert_eq!(yard.shown(&pod).await["lastStarted"], "2026-01-01T00:00:22.000000Z");
}

#[db_test]
async fn metrics_are_those_that_were_counted(yard: Yard) {
    let pod = yard.pod_at("wire.example").await;
    yard.grounds.run("UPDATE pods SET request_count = 8, error_count = 2".to_owned()).await;
    let metrics = json!({ "uptime": 0, "requestCount": 8, "errorRate": 0.25 });
    assert_eq!(yard.shown(&pod).await["metrics"], metrics);
}

#[db_test]
async fn a_pod_says_what_keeps_it_from_scanning(yard: Yard) {
    let settings = json!({ "crawlingEnabled": false });
    let platform = yard.grounds.platform(json!({ "settings": settings })).await;
    let made = yard.create(&platform, json!(["read"])).await.json()["data"].clone();
    let all =
        ["pod_not_running", "scope_crawl_missing", "platform_not_verified", "crawling_disabled"];
    assert_eq!(made["blockedBy"], json!(all));
    assert_eq!(yard.make("start", &made).await.json()["data"]["blockedBy"], json!(all[1..]));
    let proved = "UPDATE pods SET scopes = 'crawl'; UPDATE platforms SET status = 'verified',
        verification_method = 'dns', verified_at = 1";
    yard.grounds.run(proved.to_owned()).await;
    let enabled = json!({ "settings": { "crawlingEnabled": true } });
    yard.grounds.home.send(Method::PATCH, &managed(&platform), Some(enabled)).await;
    assert_eq!(yard.shown(&made).await["blockedBy"], json!([]));
}

#[db_test]
async fn all_pods_move_at_once(yard: Yard) {
    let pods = [
        yard.pod_at("a.example").await,
        yard.pod_at("b.example").await,
        yard.pod_at("c.example").await,
    ];
    yard.make("start", &pods[0]).await;
    yard.make("start", &pods[1]).await;
    yard.make("pause", &pods[1]).await;
    yard.pass(3);
    for (verb, moved, statuses) in [
        ("pause", 1, ["paused", "paused", "stopped"]),
        ("pause", 0, ["paused", "paused", "stopped"]),
        ("start", 3, ["running", "running", "running"]),
        ("start", 0, ["running", "running", "running"]),
        ("stop", 3, ["stopped", "stopped", "stopped"]),
        ("stop", 0, ["stopped", "stopped", "stopped"]),
    ] {
        let answer = yard.ask(&format!("POST /v1.0.1/pax/{verb}/pods")).await;
        let message = "Pods updated";
        let body = json!({ "data": { "moved": moved }, "message": message, "status": "success" });
        assert_eq!(answer.whole(), (201, body), "{verb}");
        yard.pass(2);
        for (pod, status) in pods.iter().zip(statuses) {
            assert_eq!(yard.shown(pod).await["status"], status, "{verb}");
        }
    }
    let uptimes = [yard.shown(&pods[0]).await, yard.shown(&pods[1]).await];
    assert_eq!(uptimes.map(|it| it["metrics"]["uptime"].clone()), [7, 4], "as one by one");
    let due = yard.grounds.rows("SELECT CAST(due_at AS text) FROM pods").await;
    assert_eq!(due, vec![vec!["NULL"]; 3]);
    assert_eq!(yard.grounds.logged("pod.start_all").await, 2);
}

#[db_test]
async fn a_started_pod_is_due_at_once(yard: Yard) {
    let due =
        async || yard.grounds.rows("SELECT CAST(due_at AS text) FROM pods").await[0][0].clone();
    let pod = yard.pod_at("wire.example").await;
    assert_eq!(due().await, "NULL");
    yard.make("start", &pod).await;
    assert_eq!(due().await, "1767225600000000");
    yard.make("pause", &pod).await;
    assert_eq!(due().await, "NULL");
}

/// Other settings may be what it waited for; another name is not.
#[db_test]
async fn a_running_pod_whose_settings_change_is_due_at_once(yard: Yard) {
    let platform = yard.grounds.platform(json!({})).await;
    let pod = yard.pod(&platform).await;
    yard.make("start", &pod).await;
    yard.grounds.run("UPDATE pods SET due_at = 1999999999999999".to_owned()).await;
    let change = async |body: Value| {
        yard.grounds.home.send(Method::PATCH, &managed(&platform), Some(body)).await;
        yard.grounds.rows("SELECT CAST(due_at AS text) FROM pods").await[0][0].clone()
    };
    assert_eq!(change(json!({ "name": "The Post" })).await, "1999999999999999");
    let settings = json!({ "settings": { "detectionFrequency": "hourly" } });
    assert_eq!(change(settings).await, "1767225600000000");
}

#[db_test]
async fn the_pod_of_a_deleted_platform_stops_and_is_gone(yard: Yard) {
    let platform = yard.grounds.platform(json!({})).await;
    let pod = yard.pod(&platform).await;
    yard.make("start", &pod).await;
    yard.grounds.home.send(Method::DELETE, &managed(&platform), None).await;
    let gone = (404, refused("NOT_FOUND", "Pod not found"));
    assert_eq!(yard.make("start", &pod).await.whole(), gone);
    assert_eq!(yard.ask(&format!("GET {POD}/{}", text(&pod["podId"]))).await.whole(), gone);
    assert_eq!(
        yard.ask(&format!("GET {PODS}")).await.json()["data"],
        json!({ "pods": [], "total": 0 })
    );
    let all = yard.ask("POST /v1.0.1/pax/start/pods").await;
    assert_eq!(all.json()["data"]["moved"], 0);
    let left = yard.grounds.rows("SELECT status, CAST(due_at AS text) FROM pods").await;
    assert_eq!(left, [["stopped", "NULL"]]);
    let made = yard.create(&platform, json!(["crawl"])).await;
    assert_eq!(made.whole(), (404, refused("NOT_FOUND", "Platform not found")));
}

#[db_test]
async fn unknown_pods_are_not_found(yard: Yard) {
    for what in
        ["GET /v1.0.1/pax/pod/", "POST /v1.0.1/pax/start/pod/", "POST /v1.0.1/pax/stop/pod/"]
    {
        let unknown = yard.ask(&format!("{what}{UNKNOWN}")).await;
        assert_eq!(unknown.whole(), (404, refused("NOT_FOUND", "Pod not found")), "{what}");
        let odd = yard.ask(&format!("{what}7")).await;
        assert_eq!(odd.whole(), (400, refused("INVALID_FORMAT", "The pod ID is not a UUID")));
    }
}

#[db_test]
async fn support_reads_and_others_do_not_come_in(yard: Yard) {
    let pod = yard.pod_at("wire.example").await;
    let id = text(&pod["podId"]);
    let app = &yard.grounds.home.app;
    let support = staff(app, "support@example.com", AdminRole::SupportAdmin).await;
    let root = staff(app, "super@example.com", AdminRole::SuperAdmin).await;
    let reads = [format!("GET {PODS}"), format!("GET {POD}/{id}")];
    let writes = ["start", "pause", "stop"]
        .into_iter()
        .flat_map(|it| {
            [format!("POST /v1.0.1/pax/{it}/pod/{id}"), format!("POST /v1.0.1/pax/{it}/pods")]
        })
        .chain([format!("POST {POD}")]);
    for what in &reads {
        assert_eq!(yard.send_as(&support, what, None).await.status, 200, "{what}");
    }
    for what in writes.clone() {
        let answer = yard.send_as(&support, &what, Some(json!({}))).await;
        let message = "The role Support_Admin does not allow you to manage pods";
        assert_eq!(answer.whole(), (403, refused("INSUFFICIENT_PERMISSIONS", message)), "{what}");
    }
    assert_eq!(
        yard.send_as(&root, &format!("POST /v1.0.1/pax/start/pod/{id}"), None).await.status,
        201
    );
    for what in reads.into_iter().chain(writes) {
        let answer = yard.send_as(&yard.grounds.home.token, &what, Some(json!({}))).await;
        assert_eq!(refusal(&answer), (401, "UNAUTHORIZED".to_owned()), "{what}");
    }
}

#[db_test]
async fn what_staff_does_is_in_the_log_of_whose_platform_it_is(yard: Yard) {
    let pod = yard.pod_at("wire.example").await;
    for verb in ["start", "pause", "stop"] {
        yard.make(verb, &pod).await;
    }
    let query = "SELECT action FROM log_entries WHERE action LIKE 'pod.%' AND tenant_id =
        (SELECT tenant_id FROM tenants WHERE name = 'Babbage Talent') ORDER BY action";
    let logged = yard.grounds.rows(query).await.concat();
    assert_eq!(logged, ["pod.create", "pod.pause", "pod.start", "pod.stop"]);
}

/// The list of all pods is answered whole, so there is an end to how many there can be.
#[db_test]
async fn there_can_be_a_thousand_pods(yard: Yard) {
    let options = &yard.grounds.home.app.database.options;
    yard.pod_at("first.example").await;
    let last = yard.grounds.platform(json!({ "domain": "last.example" })).await;
    let id = match yard.grounds.home.app.app.store.engine() {
        Engine::Sqlite => "randomblob(16)",
        Engine::Postgres => "gen_random_uuid()",
    };
    let script = format!(
        "INSERT INTO platforms (platform_id, tenant_id, name, domain, created_at)
         WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 999)
         SELECT {id}, (SELECT tenant_id FROM platforms LIMIT 1), 'Many', 'many' || n, n FROM c;
         INSERT INTO pods (pod_id, platform_id, scopes, status, uptime, request_count, error_count,
           created_at, updated_at)
         SELECT platform_id, platform_id, (SELECT scopes FROM pods), 'stopped', 0, 0, 0, 0, 0
         FROM platforms WHERE name = 'Many';"
    );
    seed::run(options, script).await;
    let message = "There can be at most 1000 pods; delete a platform that has one";
    let full = (409, refused("RESOURCE_CONFLICT", message));
    assert_eq!(yard.create(&last, json!(["crawl"])).await.whole(), full);
    assert_eq!(yard.ask(&format!("GET {PODS}")).await.json()["data"]["total"], 1_000);
    let gone = "UPDATE platforms SET deleted_at = 1 WHERE domain = 'many7'";
    seed::run(options, gone.to_owned()).await;
    assert_eq!(yard.create(&last, json!(["crawl"])).await.status, 201);
}
