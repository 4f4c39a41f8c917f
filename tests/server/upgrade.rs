//! A rolling upgrade under load: the last release next to this version, on one database. Only
//! `make soak` builds the last release.

use std::path::Path;
use std::process::{Command, Stdio};

use grantor_testkit::server::{GrantorProcess, Installation, Reply, finish};
use grantor_testkit::{Engine, Fixture as _, last_release, print_figure, repeats};
use serde_json::{Value, json};

use super::{send, sign_in};

/// The same command, with another program.
fn with_program(program: &Path, command: &Command) -> Command {
    let mut other = Command::new(program);
    let settings = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    // The last release does not know this one.
    let settings = settings.filter(|(name, _)| name.to_str() != Some("GRANTOR_DRAIN_DELAY"));
    other.args(command.get_args()).env_clear().envs(settings).stdin(Stdio::null());
    if let Some(folder) = command.get_current_dir() {
        other.current_dir(folder);
    }
    other
}

/// Creates a team by an idempotency key.
async fn create_team(server: &GrantorProcess, token: &str, number: u32) -> Reply {
    let bearer = format!("authorization: Bearer {token}");
    let key = format!("idempotency-key: team-{number}");
    let headers = [&*bearer, "x-source: console", &*key];
    let body = json!({ "name": format!("Team {number}") });
    let path = "POST /v1.0.1/org/create/team";
    send(server.connect().await, path, &headers, body).await.expect("an answer")
}

/// Creates a team on one node, and asks the other one again with the same key.
async fn create_twice([one, other]: [&GrantorProcess; 2], token: &str, number: u32) {
    for node in [one, other] {
        let ready = node.get("/readyz").await;
        assert_eq!(ready.status, 200, "{}", ready.body);
    }
    let made = create_team(one, token, number).await;
    assert!(matches!(made.status, 200 | 201), "{number}: {} {}", made.status, made.body);
    let again = create_team(other, token, number).await;
    assert_eq!((again.status, &again.body), (made.status, &made.body), "{number}");
    assert_eq!(again.header("idempotent-replayed"), Some("true"), "{number}");
}

#[tokio::test]
async fn the_last_release_serves_next_to_this_version() {
    let Some(program) = last_release() else { return };
    let installation = Installation::on(Engine::Postgres)
        .await
        .with("GRANTOR_PUBLIC_URL", "http://127.0.0.1:8080")
        .with("GRANTOR_LIMITS", "off");
    let old = |words: &str| with_program(&program, &installation.command(words));
    let sample: Value = serde_json::from_str(&finish(old("demo --json")).await.ok()).unwrap();
    let mut before = GrantorProcess::start(old("serve")).await;
    let signed_in = sign_in(&before, &sample["accounts"][0]).await.json();
    let token = signed_in["data"]["accessToken"].as_str().unwrap().to_owned();

    let plan = installation.run("migrate --plan").await.ok();
    assert!(plan.contains("expand") && !plan.contains("waits until"), "{plan}");
    let after = installation.serve().await;
    let rounds = repeats(20, 1_000);
    for number in 0..rounds {
        let nodes = if number % 2 == 0 { [&before, &after] } else { [&after, &before] };
        create_twice(nodes, &token, number).await;
    }
    // The old node also starts with the schema of the new one, and leaves without harm.
    before.stop().await;
    let before = GrantorProcess::start(old("serve")).await;
    for number in rounds..rounds + 20 {
        create_twice([&before, &after], &token, number).await;
    }
    before.signal("KILL");
    create_team(&after, &token, rounds + 20).await;
    print_figure(&format!("{} writes on two releases, no error", rounds + 20));
}
