//! The SDKs in `sdk/`: their own tests, and their tests against the running program. They need
//! Python 3.11 and Node 20.3; where one is missing, a line says that its tests are skipped.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use grantor_testkit::server::{Installation, ProcessOutput, finish};
use grantor_testkit::{db_test, print_figure};

/// Fails on versions that the SDK does not support.
const PYTHON: [&str; 3] = ["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"];
const NODE: [&str; 3] = ["node", "-e", "if (!AbortSignal.any) throw 0"];

fn folder(sdk: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk").join(sdk)
}

/// Whether the program is installed, in a version that the SDK supports.
fn is_installed([program, flag, check]: [&str; 3]) -> bool {
    let mut command = Command::new(program);
    command.args([flag, check]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let is_installed = command.status().is_ok_and(|it| it.success());
    if !is_installed {
        print_figure(&format!("skipped: {program} is not installed, or too old for the SDK"));
    }
    is_installed
}

/// A command in the folder of an SDK. It writes nothing there.
fn command(sdk: &str, words: &str) -> Command {
    let mut words = words.split_whitespace();
    let mut command = Command::new(words.next().unwrap());
    command.args(words).current_dir(folder(sdk)).stdin(Stdio::null());
    command.env("PYTHONPATH", "src").env("PYTHONDONTWRITEBYTECODE", "1");
    command.env_remove("GRANTOR_API_KEY").env_remove("GRANTOR_API_SECRET");
    command
}

/// The number of tests that a run reports after these words.
fn count(output: &str, words: &str) -> u32 {
    let rest = output.split(words).nth(1).unwrap_or_else(|| panic!("no {words} in {output}"));
    rest.split_whitespace().next().unwrap().parse().unwrap()
}

/// The number of tests that passed; a failed one fails this test.
fn passed(sdk: &str, output: &ProcessOutput) -> u32 {
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    match sdk {
        "python" => count(&output.err, "Ran "),
        _ => count(&output.out, "# pass "),
    }
}

/// Runs a command against a server with fresh sample data, and returns the number of its tests.
async fn run_live(sdk: &str, words: &str, installation: Installation) -> u32 {
    let installation = installation.with("GRANTOR_OUTBOUND_ALLOW", "127.0.0.0/8");
    let sample = installation.folder().join("sample.json");
    std::fs::write(&sample, installation.run("demo --json").await.ok()).unwrap();
    let server = installation.serve().await;
    let mut command = command(sdk, words);
    command.env("SDK_TEST_URL", format!("http://{}", server.address()));
    command.env("SDK_TEST_SAMPLE", &sample);
    passed(sdk, &finish(command).await)
}

#[tokio::test]
async fn the_tests_of_the_python_sdk_pass() {
    if is_installed(PYTHON) {
        let run = command("python", "python3 -m unittest discover --start-directory tests");
        assert!(passed("python", &finish(run).await) > 50);
    }
}

#[tokio::test]
async fn the_tests_of_the_typescript_sdk_pass() {
    if is_installed(NODE) {
        let mut run = command("typescript", "node --test --test-reporter=tap");
        let names = ["client", "retries", "tokens", "webhooks"];
        run.args(names.map(|it| format!("test/{it}.test.mjs")));
        assert!(passed("typescript", &finish(run).await) > 50);
    }
}

#[db_test]
async fn the_python_sdk_works_with_the_program(installation: Installation) {
    if is_installed(PYTHON) {
        assert!(run_live("python", "python3 tests/live.py", installation).await > 10);
    }
}

#[db_test]
async fn the_typescript_sdk_works_with_the_program(installation: Installation) {
    if is_installed(NODE) {
        let run = "node --test --test-reporter=tap test/live.mjs";
        assert!(run_live("typescript", run, installation).await > 10);
    }
}
