//! The files in `deploy/`. `make verify-deploy` checks them with the tools of others; these tests
//! compare them with each other, with the settings and with the documentation.

mod chart;
mod compose;
mod container;
mod release;
mod runbook;
mod service;
mod settings;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use grantor_testkit::print_figure;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The path of every file below a folder, relative to the root. What operators make there is left
/// out.
fn files(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(|it| it.unwrap().path());
    let name = |path: &Path| format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
    let kept = entries.filter(|it| !it.ends_with("secrets") && !it.ends_with("__pycache__"));
    let mut found: Vec<_> =
        kept.flat_map(|it| if it.is_dir() { files(&name(&it)) } else { vec![name(&it)] }).collect();
    found.sort();
    found
}

/// The version of the workspace.
fn version() -> String {
    let manifest = read("Cargo.toml");
    manifest.split("\nversion = \"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

/// Runs a tool and returns whether it succeeded and what it printed; `None` and a line about it
/// where it is not installed.
fn run(program: &str, arguments: &[&str]) -> Option<(bool, String)> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    let Ok(run) = command.output() else {
        print_figure(&format!("skipped: {program} is not installed"));
        return None;
    };
    let text = [run.stdout, run.stderr].concat();
    Some((run.status.success(), String::from_utf8_lossy(&text).into_owned()))
}
