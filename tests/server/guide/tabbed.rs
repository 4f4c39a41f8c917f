//! The guides of `docs/guide/`, whose examples are in several languages: they run as they are
//! written with `curl`, Python and, where Node is installed, JavaScript, and answer as the guides
//! show. Rust and Go are parsed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use grantor_testkit::server::{Installation, free_port};
use grantor_testkit::{db_test, print_figure};
use serde_json::Value;

use super::{Block, count_shown, run_on, shell};

/// The guides in the order in which they run, and how many responses each shows.
const GUIDES: [(&str, usize); 15] = [
    ("quick-start.md", 3),
    ("tokens.md", 6),
    ("oauth.md", 3),
    ("paging.md", 7),
    ("idempotency.md", 3),
    ("errors.md", 3),
    ("webhooks.md", 9),
    ("listen.md", 1),
    ("images.md", 4),
    ("decisions.md", 1),
    ("mcp.md", 1),
    ("receipts.md", 2),
    ("push.md", 2),
    ("rights.md", 1),
    ("creating.md", 4),
];

/// Guides that are not run, and why.
const NOT_RUN: [(&str, &str); 4] = [
    ("index.md", "no commands"),
    ("events.md", "samples, which are compared with their schemas"),
    ("error-codes.md", "no commands"),
    ("command-line.md", "commands for a terminal, which other tests run"),
];

/// The languages of examples that a guide shows as tabs.
const TABS: [&str; 5] = ["sh", "python", "js", "go", "rust"];

/// Starts the receiver, and waits for it.
const START_RECEIVER: &str = "$RECEIVER > receiver.log 2>&1 &
until curl -s -o /dev/null http://127.0.0.1:3000/; do sleep 0.1; done
";

/// An example in one language, with the name of its file or what is special about it.
struct Example {
    language: String,
    caption: String,
    code: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

/// The examples of a guide. Those that follow each other in other languages are one group.
fn groups(text: &str) -> Vec<Vec<Example>> {
    let mut groups: Vec<Vec<Example>> = Vec::new();
    let parts: Vec<_> = text.split("```").collect();
    for pair in parts.chunks_exact(2) {
        let (info, code) = pair[1].split_once('\n').unwrap();
        let (language, caption) = info.split_once(' ').unwrap_or((info, ""));
        let is_tab = |it: &str| TABS.contains(&it);
        let is_other = |it: &Example| is_tab(&it.language) && it.language != language;
        let [language, caption, code] = [language, caption, code].map(str::to_owned);
        let follows = pair[0].trim().is_empty() && is_tab(&language);
        match groups.last_mut() {
            Some(group) if follows && group.iter().all(is_other) => {
                group.push(Example { language, caption, code });
            }
            _ => groups.push(vec![Example { language, caption, code }]),
        }
    }
    groups
}

/// What a reader of one language does with a guide.
fn blocks(text: &str, language: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for group in groups(text) {
        let in_language = |name: &str| group.iter().find(|it| it.language == name);
        let example = in_language(language).or_else(|| in_language("sh")).unwrap_or(&group[0]);
        match example.language.as_str() {
            "json" => {
                let shown = serde_json::from_str(&example.code).unwrap();
                blocks.last_mut().unwrap().1 = Some(shown);
            }
            "text" => {}
            _ => blocks.push((commands(example), None)),
        }
    }
    blocks
}

/// The commands that do what an example says.
fn commands(Example { language, caption, code }: &Example) -> String {
    let program = match language.as_str() {
        "python" => "python3",
        "js" => "node",
        _ if caption == "another shell" => {
            return format!("(exec {}) > another.log 2>&1 &", code.trim());
        }
        _ if code.contains("export WEBHOOK_SECRET=") => return format!("{code}{START_RECEIVER}"),
        _ => return code.clone(),
    };
    let run = match caption.split('.').next() {
        Some("api") => String::new(),
        Some("receiver") => format!("RECEIVER='{program} {caption}'"),
        _ => format!("{program} {caption}"),
    };
    format!("cat > {caption} <<'END_OF_FILE'\n{code}END_OF_FILE\n{run}")
}

/// Fills in what the guides leave to their readers.
fn filled(text: &str, sample: &Value, port: u16) -> String {
    let account = |place: usize, member: &str| sample["accounts"][place][member].as_str().unwrap();
    let secret = "$(until grep -o 'whsec_.*' another.log; do sleep 0.1; done)";
    let own = [
        ("127.0.0.1:3000", format!("127.0.0.1:{port}")),
        ("\"127.0.0.1\", 3000", format!("\"127.0.0.1\", {port}")),
        (".listen(3000,", format!(".listen({port},")),
        ("whsec_YOUR_SECRET", secret.to_owned()),
    ];
    let known = [
        ("YOUR_API_KEY", account(0, "apiKey")),
        ("YOUR_API_SECRET", account(0, "apiSecret")),
        ("YOUR_EMAIL", account(0, "email")),
        ("YOUR_PASSWORD", account(0, "password")),
        ("PLATFORM_API_KEY", account(2, "apiKey")),
        ("PLATFORM_API_SECRET", account(2, "apiSecret")),
        ("PLATFORM_EMAIL", account(2, "email")),
        ("PLATFORM_PASSWORD", account(2, "password")),
    ];
    let text = own.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value));
    known.iter().fold(text, |text, (name, value)| text.replace(name, value))
}

/// What a reader of a later guide has done before, in the quick start. A key can be exchanged ten
/// times an hour, so its token is kept.
fn prelude(quick_start: &str, language: &str) -> Block {
    let in_shell: Vec<_> =
        groups(quick_start).into_iter().flatten().filter(|it| it.language == "sh").collect();
    let (exchange, function) = in_shell[1].code.split_once("\n\n").unwrap();
    let receiver = if language == "js" { "node receiver.mjs" } else { "python3 receiver.py" };
    let commands = format!(
        "{}\nRECEIVER='{receiver}'\n{function}\n\
         KEPT=\"token-$GRANTOR_API_KEY.txt\"\n\
         if [ -s \"$KEPT\" ]; then TOKEN=$(cat \"$KEPT\"); else {exchange}\n\
         printf '%s' \"$TOKEN\" > \"$KEPT\"; fi",
        in_shell[0].code
    );
    (commands, None)
}

async fn run_all(installation: Installation, language: &str) {
    let installation = installation.with("GRANTOR_OUTBOUND_ALLOW", "127.0.0.0/8");
    let sample = installation.run("demo --json").await.ok();
    let sample: Value = serde_json::from_str(&sample).unwrap();
    let server = installation.serve().await;
    let port = free_port();
    let quick_start = filled(&read("quick-start.md"), &sample, port);
    for example in groups(&quick_start).into_iter().flatten() {
        if example.caption.starts_with("api.") {
            std::fs::write(installation.folder().join(example.caption), example.code).unwrap();
        }
    }
    for (name, shown) in GUIDES {
        let mut all = blocks(&filled(&read(name), &sample, port), language);
        assert_eq!(count_shown(&all), shown, "{name}");
        if name == "quick-start.md" {
            let arrived =
                "until grep -q 'verified license.updated' receiver.log; do sleep 0.1; done";
            all.push((arrived.to_owned(), None));
        } else {
            all.insert(0, prelude(&quick_start, language));
        }
        // The port in what the tests add.
        let all: Vec<Block> =
            all.into_iter().map(|(code, shown)| (filled(&code, &sample, port), shown)).collect();
        run_on(&installation, server.address(), &all).await;
    }
}

/// Whether the shell of the guides finds Node.
fn has_node(installation: &Installation) -> bool {
    let found = shell(installation, "node --version > /dev/null 2>&1").status();
    let has_node = found.is_ok_and(|it| it.success());
    if !has_node {
        print_figure("skipped: node is not installed");
    }
    has_node
}

#[db_test]
async fn the_guides_do_what_they_say_with_curl(installation: Installation) {
    run_all(installation, "sh").await;
}

#[db_test]
async fn the_guides_do_what_they_say_with_python(installation: Installation) {
    run_all(installation, "python").await;
}

#[db_test]
async fn the_guides_do_what_they_say_with_javascript(installation: Installation) {
    if has_node(&installation) {
        run_all(installation, "js").await;
    }
}

#[test]
fn every_guide_is_run_or_excused() {
    let files = std::fs::read_dir(folder()).unwrap();
    let files: BTreeSet<_> =
        files.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    let known = GUIDES.iter().map(|it| it.0).chain(NOT_RUN.iter().map(|it| it.0));
    assert_eq!(files, known.map(str::to_owned).collect::<BTreeSet<_>>());
}

/// Every example in Rust, and in Go if there is a tool for it, is at least well-formed.
#[test]
fn other_languages_are_well_formed() {
    let mut seen = BTreeSet::new();
    for (name, _) in GUIDES {
        for Example { language, caption, code } in groups(&read(name)).into_iter().flatten() {
            if language == "rust" {
                let parsed = syn::parse_file(&code);
                assert!(parsed.is_ok(), "{name}, {caption}: {:?}", parsed.err());
            } else if language == "go" {
                let file = tempfile::NamedTempFile::new().unwrap();
                std::fs::write(&file, &code).unwrap();
                let mut tool = Command::new("gofmt");
                let parsed = tool.arg("-e").arg(file.path()).stdout(Stdio::null()).status();
                assert!(parsed.is_err() || parsed.unwrap().success(), "{name}, {caption}");
            }
            seen.insert(language);
        }
    }
    for language in TABS {
        assert!(seen.contains(language), "{language}");
    }
}

#[test]
fn a_reader_takes_the_tab_of_their_language() {
    let text = "a\n```sh\none\n```\n\n```python two.py\ntwo\n```\nb\n```json\n1\n```\nc\n\
                ```sh another shell\nthree\n```\n";
    let shell = blocks(text, "sh");
    assert_eq!(shell[0], ("one\n".to_owned(), Some(1.into())));
    assert_eq!(shell[1].0, "(exec three) > another.log 2>&1 &");
    let python = blocks(text, "python");
    let expected = "cat > two.py <<'END_OF_FILE'\ntwo\nEND_OF_FILE\npython3 two.py";
    assert_eq!((python.len(), python[0].0.as_str()), (2, expected));
    assert_eq!(blocks(text, "js")[0].0, "one\n", "without a tab of their own, that of curl");
}
