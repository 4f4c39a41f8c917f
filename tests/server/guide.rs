//! The guides `docs/asking-to-proof.md` and `docs/watching.md`: their commands run as they are
//! written, and answer as the guides show. `tabbed.rs` does the same with `docs/guide/`.

mod tabbed;

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use grantor_testkit::db_test;
use grantor_testkit::server::{Installation, finish, free_port};
use serde_json::{Value, json};

/// The address of the server in the guides.
const ADDRESS: &str = "http://127.0.0.1:8080";
/// The port of the site that is watched in the guide.
const SITE_PORT: &str = "8090";
/// Printed after each block.
const END: &str = "-- end of block --";

/// A block of commands, with the response that the guide shows.
type Block = (String, Option<Value>);

/// The text of a guide.
fn guide(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name);
    std::fs::read_to_string(file).unwrap()
}

/// The blocks of commands, each with the response that the guide shows.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for block in text.split("```").skip(1).step_by(2) {
        match block.split_once('\n').unwrap() {
            ("sh", commands) => blocks.push((commands.to_owned(), None)),
            ("json", shown) => {
                blocks.last_mut().unwrap().1 = Some(serde_json::from_str(shown).unwrap());
            }
            (language, _) => panic!("a block in {language}"),
        }
    }
    blocks
}

/// A shell in the folder of an installation, in which `grantor` is the program.
fn shell(installation: &Installation, script: &str) -> Command {
    let program = installation.command("");
    let folder = Path::new(program.get_program()).parent().unwrap().display();
    let mut shell = Command::new("bash");
    shell.args([
        "-c",
        &format!(
            "set -euo pipefail\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n\
             PATH='{folder}:/usr/local/bin:/usr/bin:/bin'\n{script}"
        ),
    ]);
    shell.current_dir(installation.folder()).env_clear().env("HOME", installation.folder());
    shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell
}

/// Whether a response has everything that is shown. A text that ends in `…` is shown in part.
fn fits(shown: &Value, answer: &Value) -> bool {
    match (shown, answer) {
        (Value::Object(shown), Value::Object(answer)) => {
            shown.iter().all(|(name, value)| answer.get(name).is_some_and(|it| fits(value, it)))
        }
        (Value::Array(shown), Value::Array(answer)) => {
            shown.len() == answer.len()
                && shown.iter().zip(answer).all(|(it, other)| fits(it, other))
        }
        (Value::String(shown), Value::String(answer)) => {
            shown.strip_suffix('…').map_or(shown == answer, |start| answer.starts_with(start))
        }
        _ => shown == answer,
    }
}

/// Runs the blocks of a guide and compares what they print with the responses that the guide shows.
async fn run(installation: &Installation, blocks: &[Block]) {
    let server = installation.serve().await;
    run_on(installation, server.address(), blocks).await;
}

async fn run_on(installation: &Installation, server: SocketAddr, blocks: &[Block]) {
    let marked = blocks.iter().map(|(commands, _)| format!("{commands}\nprintf '%s' '{END}'\n"));
    let placed = |text: &str| text.replace(ADDRESS, &format!("http://{server}"));
    let script = placed(&marked.collect::<Vec<_>>().concat());
    let printed = finish(shell(installation, &script)).await.ok();
    let answers: Vec<_> = printed.split(END).collect();
    assert_eq!(answers.len(), blocks.len() + 1, "{printed}");
    for ((commands, shown), answer) in blocks.iter().zip(answers) {
        let Some(shown) = shown else { continue };
        let shown: Value = serde_json::from_str(&placed(&shown.to_string())).unwrap();
        let answer: Value =
            serde_json::from_str(answer).unwrap_or_else(|_| panic!("{commands}{answer}"));
        assert!(fits(&shown, &answer), "{commands}\nshown: {shown}\nanswer: {answer}");
    }
}

fn count_shown(blocks: &[Block]) -> usize {
    blocks.iter().filter(|(_, shown)| shown.is_some()).count()
}

#[db_test]
async fn the_guide_from_asking_to_proof_does_what_it_says(installation: Installation) {
    let blocks = blocks(&guide("asking-to-proof.md"));
    run(&installation, &blocks).await;
    assert_eq!(count_shown(&blocks), 14);
}

#[db_test]
async fn the_guide_to_watching_does_what_it_says(installation: Installation) {
    let installation = installation.with("GRANTOR_OUTBOUND_ALLOW", "127.0.0.0/8");
    let port = free_port();
    let blocks = blocks(&guide("watching.md").replace(SITE_PORT, &port.to_string()));
    run(&installation, &blocks).await;
    assert_eq!(count_shown(&blocks), 5);
}

#[test]
fn another_answer_is_noticed() {
    let answer = json!({ "id": "0198", "status": "open", "offers": [{ "hash": "sha256:x" }] });
    assert!(fits(&json!({ "id": "…", "offers": [{ "hash": "sha256:…" }] }), &answer));
    for other in [
        json!({ "status": "offered" }),
        json!({ "number": "…" }),
        json!({ "offers": [] }),
        json!({ "offers": [{ "hash": "md5:…" }] }),
        json!({ "status": null }),
    ] {
        assert!(!fits(&other, &answer), "{other}");
    }
}
