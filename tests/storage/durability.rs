//! What was acknowledged on `SQLite` is there after the process was killed, and a full disk costs
//! neither data nor the process.
//!
//! The writer is this test program itself, started again with [`child`] as its only test. A killed
//! process loses nothing that the system's cache holds: that the disk has it too is the business
//! of `synchronous = FULL`.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use grantor_domain::Entropy as _;
use grantor_storage::{Error, Options, Store, StoreUrl};
use grantor_testkit::entropy::SeededEntropy;
use grantor_testkit::seed::integrity;
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture as _, repeats};
use tokio::task::JoinSet;

use super::{is_there, put};

const ROLE: &str = "GRANTOR_TEST_CHILD_ROLE";
const FILE: &str = "GRANTOR_TEST_CHILD_FILE";

/// How often a writer is killed.
fn kills() -> usize {
    usize::try_from(repeats(20, 500)).unwrap()
}

/// The other process. Does nothing unless it was started by one of the tests below.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child() {
    let (Some(role), Some(file)) = (told(ROLE), told(FILE)) else { return };
    let store = Store::open(&options(Path::new(&file))).await.unwrap();
    match role.split_once(' ') {
        Some((order, round)) => write_until_killed(&store, order == "hasty", round).await,
        None => outlast_a_full_disk(&store).await,
    }
}

#[expect(clippy::disallowed_methods, reason = "a child process is told its role by environment")]
fn told(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn options(file: &Path) -> Options {
    Options::new(StoreUrl::Sqlite(file.to_owned()), 2)
}

/// Writes from many tasks and says so after each write, or, when hasty, before it.
async fn write_until_killed(store: &Store, hasty: bool, round: &str) {
    let mut writers = JoinSet::new();
    for writer in 0..16 {
        let (store, round) = (store.clone(), round.to_owned());
        writers.spawn(async move {
            for number in 0.. {
                let name = format!("{round}-{writer}-{number}");
                if hasty {
                    say(&name);
                }
                put(&store, &name).await.unwrap();
                if !hasty {
                    say(&name);
                }
            }
        });
    }
    writers.join_all().await;
}

/// One line for the parent. It begins with a line break, because the test harness may have left
/// the last line open.
fn say(text: &str) {
    std::io::stdout().write_all(format!("\nsaid {text}\n").as_bytes()).unwrap();
}

fn start(mut command: Command, role: &str, file: &Path) -> Child {
    command
        .args(["storage::durability::child", "--exact", "--nocapture"])
        .env(ROLE, role)
        .env(FILE, file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn this_program() -> Command {
    Command::new(std::env::current_exe().unwrap())
}

/// The next thing the child said; none when it has ended. A line cut off by the kill was not said.
fn heard(from: &mut BufReader<impl Read>) -> Option<String> {
    loop {
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        let whole = line.strip_suffix('\n')?;
        if let Some(text) = whole.strip_prefix("said ") {
            return Some(text.to_owned());
        }
    }
}

/// Everything a writer said before it was killed, which was after so many lines.
fn killed_after(lines: usize, role: &str, file: &Path) -> Vec<String> {
    let mut writer = start(this_program(), role, file);
    let mut output = BufReader::new(writer.stdout.take().unwrap());
    let mut said = Vec::new();
    while let Some(name) = heard(&mut output) {
        said.push(name);
        if said.len() == lines {
            writer.kill().unwrap();
        }
    }
    writer.wait().unwrap();
    assert!(said.len() >= lines, "the writer ended by itself");
    said
}

/// What was said to be written and is not there after a restart.
async fn lost(file: &Path, said: &[String]) -> Vec<String> {
    let store = Store::open(&options(file)).await.unwrap();
    let mut lost = Vec::new();
    for name in said {
        if !is_there(&store, name).await.unwrap() {
            lost.push(name.clone());
        }
    }
    lost
}

async fn migrated_file() -> (TestStore, PathBuf) {
    let test = TestStore::on(Engine::Sqlite).await;
    let StoreUrl::Sqlite(file) = test.options.url.clone() else { panic!("not a file") };
    (test, file)
}

fn random_lines(entropy: &SeededEntropy) -> usize {
    let mut byte = [0];
    entropy.fill(&mut byte);
    usize::from(byte[0]) + 1
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_kills_lose_nothing_that_was_acknowledged() {
    let (_test, file) = migrated_file().await;
    let entropy = SeededEntropy::new(1);
    let mut said = Vec::new();
    for round in 0..kills() {
        said.extend(killed_after(random_lines(&entropy), &format!("patient {round}"), &file));
        assert_eq!(lost(&file, &said).await, [""; 0], "round {round}");
        assert_eq!(integrity(&file), "ok", "round {round}");
    }
    assert!(said.len() > kills());
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledging_before_the_commit_would_be_noticed() {
    let (_test, file) = migrated_file().await;
    let entropy = SeededEntropy::new(2);
    for round in 0..kills() {
        let said = killed_after(random_lines(&entropy), &format!("hasty {round}"), &file);
        if !lost(&file, &said).await.is_empty() {
            return;
        }
    }
    panic!("a writer that acknowledged too early was never caught");
}

/// In the child: files may not grow beyond a limit, until the parent lifts it.
async fn outlast_a_full_disk(store: &Store) {
    let mut written = 0;
    let refused = loop {
        match put(store, format!("row {written}")).await {
            Ok(()) => written += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::Unavailable(_)), "{refused:?}");
    assert!(written > 10, "the limit was met too early");
    for number in 0..=written {
        assert_eq!(is_there(store, format!("row {number}")).await, Ok(number < written));
    }
    say("full");
    tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new()))
        .await
        .unwrap()
        .unwrap();
    put(store, format!("row {written}")).await.unwrap();
    say(&(written + 1).to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_writes_until_there_is_room() {
    let (_test, file) = migrated_file().await;
    // A limit on the size of files stands for the full disk: a disk of its own would need root.
    // The signal that comes with it is switched off, so that writing fails as it should.
    let mut limited = Command::new("prlimit");
    limited.args(["--fsize=1048576:unlimited", "sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
    limited.arg(std::env::current_exe().unwrap());
    let mut writer = start(limited, "crowded", &file);
    let mut output = BufReader::new(writer.stdout.take().unwrap());
    assert_eq!(heard(&mut output).as_deref(), Some("full"));
    let process = writer.id().to_string();
    let lifted = Command::new("prlimit").args(["--fsize=unlimited", "--pid", &process]).status();
    assert!(lifted.unwrap().success());
    writer.stdin.take().unwrap().write_all(b"\n").unwrap();
    let count: usize = heard(&mut output).unwrap().parse().unwrap();
    assert!(writer.wait().unwrap().success());
    let rows: Vec<String> = (0..count).map(|number| format!("row {number}")).collect();
    assert_eq!(lost(&file, &rows).await, [""; 0]);
    assert_eq!(integrity(&file), "ok");
}
