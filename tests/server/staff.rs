//! `grantor admin`: how the operator's staff comes in, and how soon what was ended is over on every
//! node.

use std::time::{Duration, Instant};

use grantor_testkit::server::{GrantorProcess, Installation, Reply, exchange};
use grantor_testkit::{Engine, Fixture as _, db_test};
use serde_json::{Value, json};
use tokio::net::TcpStream;

async fn post(server: &GrantorProcess, path: &str, body: &Value) -> Reply {
    let body = body.to_string();
    let text = format!(
        "POST /v1.0.1{path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let stream = TcpStream::connect(server.address()).await.unwrap();
    exchange(stream, text.as_bytes()).await.expect("an answer")
}

async fn members(server: &GrantorProcess, token: &Value) -> Reply {
    let bearer = format!("authorization: Bearer {}", token.as_str().unwrap());
    server.ask("GET /v1.0.1/admin/members", &[&bearer]).await
}

/// Signs in with the one-time token a command printed.
async fn sign_in(server: &GrantorProcess, printed: &str) -> Value {
    let printed: Value = serde_json::from_str(printed).unwrap();
    let answer =
        post(server, "/auth/authenticateAdmin", &json!({ "token": printed["token"] })).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.json()["data"].clone()
}

const CREATE: &str = "admin create --email root@example.com --fullname Root --json";
const TOKEN: &str = "admin token --email root@example.com --json";

#[db_test]
async fn staff_is_made_on_the_machine_while_the_server_runs(installation: Installation) {
    let server = installation.serve().await;
    let printed = installation.run(CREATE).await.ok();
    let made: Value = serde_json::from_str(&printed).unwrap();
    let members_of: Vec<&String> = made.as_object().unwrap().keys().collect();
    assert_eq!(members_of, ["adminId", "token", "expiresAt"]);
    let signed_in = sign_in(&server, &printed).await;
    assert_eq!(signed_in["admin"]["adminId"], made["adminId"]);
    assert_eq!(signed_in["admin"]["role"], "Super_Admin");
    assert_eq!(members(&server, &signed_in["accessToken"]).await.status, 200);
    let again = installation.run(TOKEN).await.ok();
    sign_in(&server, &again).await;
    let words = installation.run("admin token --email root@example.com").await.ok();
    assert!(words.starts_with("One-time token for root@example.com, valid until "), "{words}");
    assert!(words.trim_end().ends_with("/app/admin/sign-in."), "{words}");
}

#[tokio::test]
async fn what_cannot_be_is_told_in_a_sentence() {
    let installation = Installation::default();
    drop(installation.run(CREATE).await.ok());
    for (words, told) in [
        (CREATE, "root@example.com: A staff member with this email address already exists"),
        ("admin token --email nobody@example.com", "nobody@example.com: Staff member not found"),
        ("admin token --email nonsense", "--email must be an email address"),
        ("admin create --email a@example.com --fullname x", "--fullname must"),
    ] {
        let ran = installation.run(words).await;
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{words}");
        assert!(ran.err.starts_with(&format!("grantor: {told}")), "{words}: {}", ran.err);
    }
    let role =
        installation.run("admin create --email a@example.com --fullname Abc --role King").await;
    assert_eq!(role.code, Some(2));
    assert!(role.err.contains("Super_Admin, Admin, Support_Admin"), "{}", role.err);
}

#[expect(clippy::disallowed_methods, reason = "real processes have real time")]
fn now() -> Instant {
    Instant::now()
}

/// What one node answered, and when it was asked.
type Looks = Vec<(Instant, u16)>;

/// Asks one node without a pause, from now until so long after the end that `over` tells.
async fn watch(
    node: &GrantorProcess,
    token: &Value,
    over: &tokio::sync::watch::Receiver<Option<Instant>>,
) -> Looks {
    let mut looks = Looks::new();
    loop {
        let asked = now();
        looks.push((asked, members(node, token).await.status));
        let ended = *over.borrow();
        if ended.is_some_and(|at| asked.duration_since(at) > Duration::from_millis(1_500)) {
            return looks;
        }
    }
}

#[tokio::test]
async fn what_one_node_ends_is_over_everywhere_within_a_second() {
    let first = Installation::on(Engine::Postgres).await.with("GRANTOR_LIMITS", "off");
    drop(first.run(CREATE).await.ok());
    let mut nodes = vec![first.serve().await];
    for _ in 0..2 {
        let next = Installation::default()
            .with("GRANTOR_LIMITS", "off")
            .with("GRANTOR_PUBLIC_URL", &format!("http://{}", nodes[0].address()))
            .with("GRANTOR_DATABASE_URL", first.setting("GRANTOR_DATABASE_URL"));
        std::fs::create_dir(next.data("")).unwrap();
        std::fs::copy(first.data("keys.json"), next.data("keys.json")).unwrap();
        nodes.push(next.serve().await);
    }
    let ended = sign_in(&nodes[0], &first.run(TOKEN).await.ok()).await;
    let kept = sign_in(&nodes[0], &first.run(TOKEN).await.ok()).await;
    let (tell, over) = tokio::sync::watch::channel(None);
    let token = &ended["accessToken"];
    let end = async {
        let body = json!({ "refreshToken": ended["refreshToken"] });
        assert_eq!(post(&nodes[0], "/auth/logout", &body).await.status, 201);
        let at = now();
        tell.send(Some(at)).unwrap();
        at
    };
    let (at, here, there, elsewhere, control) = tokio::join!(
        end,
        watch(&nodes[0], token, &over),
        watch(&nodes[1], token, &over),
        watch(&nodes[2], token, &over),
        watch(&nodes[2], &kept["accessToken"], &over),
    );
    let late = |looks: &Looks, grace: u64| {
        let limit = at + Duration::from_millis(grace);
        looks.iter().filter(|(asked, status)| *asked > limit && *status == 200).count()
    };
    assert_eq!(late(&here, 0), 0, "at once on the node itself");
    assert_eq!((late(&there, 1_000), late(&elsewhere, 1_000)), (0, 0));
    assert!(control.iter().all(|(_, status)| *status == 200), "the control: another session lives");
    assert!(there.iter().any(|(_, status)| *status == 401), "and the end was seen");
}
