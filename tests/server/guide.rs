//! `docs/asking-to-proof.md`: its commands run as they are written, and answer as it shows.

use std::path::Path;
use std::process::Command;

use grantor_testkit::db_test;
use grantor_testkit::server::{Installation, finish};
use serde_json::{Value, json};

/// The address of the server in the guide.
const ADDRESS: &str = "http://127.0.0.1:8080";
/// Printed after each block.
const END: &str = "-- end of block --";

/// The blocks of commands, each with the response that the guide shows.
fn blocks() -> Vec<(String, Option<Value>)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/asking-to-proof.md");
    let text = std::fs::read_to_string(file).unwrap();
    let mut blocks: Vec<(String, Option<Value>)> = Vec::new();
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
        &format!("set -euo pipefail\nPATH='{folder}:/usr/local/bin:/usr/bin:/bin'\n{script}"),
    ]);
    shell.current_dir(installation.folder()).env_clear();
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

#[db_test]
async fn the_guide_from_asking_to_proof_does_what_it_says(installation: Installation) {
    let server = installation.serve().await;
    let blocks = blocks();
    let marked = blocks.iter().map(|(commands, _)| format!("{commands}\nprintf '%s' '{END}'\n"));
    let script = marked.collect::<Vec<_>>().concat();
    let script = script.replace(ADDRESS, &format!("http://{}", server.address()));
    let printed = finish(shell(&installation, &script)).await.ok();
    let answers: Vec<_> = printed.split(END).collect();
    assert_eq!(answers.len(), blocks.len() + 1, "{printed}");
    for ((commands, shown), answer) in blocks.iter().zip(answers) {
        let Some(shown) = shown else { continue };
        let answer: Value =
            serde_json::from_str(answer).unwrap_or_else(|_| panic!("{commands}{answer}"));
        assert!(fits(shown, &answer), "{commands}\nshown: {shown}\nanswer: {answer}");
    }
    assert_eq!(blocks.iter().filter(|(_, shown)| shown.is_some()).count(), 14);
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
