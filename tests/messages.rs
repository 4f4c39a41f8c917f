//! The message files: every text that the code names exists, every text is used, and every error of
//! the domain can be translated. That all languages have the same texts is a test of the crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use grantor_messages::find_error;

/// What stands before the key of a text.
const READS: [&str; 8] = [
    "text!(",
    "rich!(",
    "rich(",
    "messages::text(",
    "messages::format(",
    "language.text(",
    "language.format(",
    "current().text(",
];

/// What stands before an error.
const REFUSES: [&str; 11] = [
    "Err(",
    "Err(format!(",
    "ok_or(",
    "conflict(",
    "conflict(format!(",
    "validation(",
    "validation(format!(",
    "forbidden(",
    "let message =",
    "let message = format!(",
    "#[error(",
];

/// Sources of the domain whose errors only operators and programs meet.
const NOT_ON_PAGES: [(&str, &str); 5] = [
    ("limit/settings.rs", "a setting of the server"),
    ("plan.rs", "a file of the operator"),
    ("network.rs", "settings, and reasons of the outbound client"),
    ("template/", "texts of emails"),
    ("spreadsheet.rs", "nothing that is shown"),
];

/// A string of a source, and the code before it.
struct Literal<'a> {
    text: String,
    before: &'a str,
}

impl Literal<'_> {
    fn follows(&self, needles: &[&str]) -> bool {
        needles.iter().any(|it| self.before.ends_with(it))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The paths and texts of all files with an ending below a folder.
fn files(folder: &Path, ending: &str) -> Vec<(String, String)> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|it| it == ending) {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

fn sources() -> Vec<(String, String)> {
    let crates = fs::read_dir(root().join("crates")).unwrap();
    crates.flat_map(|it| files(&it.unwrap().path().join("src"), "rs")).collect()
}

/// The source without the tests at its end.
fn shipped(source: &str) -> &str {
    source.split_once("#[cfg(test)]\nmod ").map_or(source, |(it, _)| it)
}

/// The strings of a source. Raw ones and comments are left out.
fn literals(source: &str) -> Vec<Literal<'_>> {
    let (mut found, mut at) = (vec![], 0);
    while let Some(rest) = source.get(at..).filter(|it| !it.is_empty()) {
        let first = rest.chars().next().unwrap();
        at += match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '\'' => char_length(rest),
            'r' if rest.starts_with("r\"") || rest.starts_with("r#\"") => raw_length(rest),
            '"' => {
                let length = string_length(rest);
                let text = unescaped(&rest[1..length - 1]);
                found.push(Literal { text, before: source[..at].trim_end() });
                length
            }
            other => other.len_utf8(),
        };
    }
    found
}

/// The length of a character such as `'"'`, or of the quote of a lifetime.
fn char_length(rest: &str) -> usize {
    let mut letters = rest[1..].char_indices();
    match (letters.next(), letters.next()) {
        (Some((_, '\\')), Some((at, _))) => {
            rest[1 + at + 1..].find('\'').map_or(1, |end| at + end + 3)
        }
        (Some(_), Some((at, '\''))) => at + 2,
        _ => 1,
    }
}

fn raw_length(rest: &str) -> usize {
    let (begin, end) = if rest.starts_with("r#") { (3, "\"#") } else { (2, "\"") };
    rest[begin..].find(end).map_or(rest.len(), |at| begin + at + end.len())
}

fn string_length(rest: &str) -> usize {
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '"' => return at + 1,
            _ => {}
        }
    }
    panic!("a string without an end: {rest}")
}

/// The text of a string: without escaped quotes, and without breaks of its lines.
fn unescaped(written: &str) -> String {
    let mut lines = written.split("\\\n");
    let first = lines.next().unwrap_or_default().to_owned();
    let text = lines.fold(first, |text, it| text + it.trim_start());
    text.replace("\\\"", "\"").replace("\\u{201C}", "“").replace("\\u{201D}", "”")
}

/// The keys of a language with the names of their files.
fn keys(language: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (path, messages) in files(&root().join("messages").join(language), "ftl") {
        let name = Path::new(&path).file_stem().unwrap().to_string_lossy().into_owned();
        let begins = |it: &&str| it.starts_with(|it: char| it.is_ascii_alphabetic());
        for line in messages.lines().filter(begins) {
            let (key, _) = line.split_once(" =").unwrap();
            let before = found.insert(key.to_owned(), name.clone());
            assert_eq!(before, None, "{language}: {key} is there twice");
        }
    }
    found
}

#[test]
fn every_text_that_the_code_names_exists() {
    let keys = keys("en");
    let mut read = 0;
    for (path, source) in sources() {
        for literal in literals(shipped(&source)).iter().filter(|it| it.follows(&READS)) {
            read += 1;
            assert!(keys.contains_key(&literal.text), "{path}: {}", literal.text);
        }
    }
    assert!(read > 1_000, "{read}");
}

#[test]
fn every_text_is_used() {
    let (mut words, mut families, mut beginnings) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (_, source) in sources() {
        for literal in literals(&source) {
            if literal.follows(&["named(", "Named("]) {
                families.insert(literal.text.clone());
            }
            // A key that is put together, such as `mail-{kind}-subject`.
            if let Some((beginning, _)) = literal.text.split_once('{')
                && beginning.ends_with('-')
            {
                beginnings.insert(beginning.to_owned());
            }
            words.insert(literal.text);
        }
    }
    let keys = keys("en");
    let is_used = |key: &str, file: &str| {
        let mut parts = key.match_indices('-').map(|(at, _)| &key[..at]);
        words.contains(key)
            || parts.any(|family| {
                let is_named = family.contains('-')
                    && family != file
                    && words.contains(family)
                    && !keys.contains_key(family);
                is_named || families.contains(family) || beginnings.contains(&format!("{family}-"))
            })
    };
    // The texts of errors are found by what they say.
    let others = keys.iter().filter(|(key, _)| !key.starts_with("error-"));
    let unused: Vec<_> = others.filter(|(key, file)| !is_used(key, file)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn every_error_of_the_domain_can_be_translated() {
    let folder = root().join("crates/domain/src");
    let mut found = 0;
    for (path, source) in files(&folder, "rs") {
        let is_skipped = |part: &str| path.contains(&format!("/src/{part}"));
        if path.ends_with("tests.rs") || NOT_ON_PAGES.iter().any(|(part, _)| is_skipped(part)) {
            continue;
        }
        for literal in literals(shipped(&source)) {
            let is_error = literal.text.starts_with("must ") || literal.follows(&REFUSES);
            let text = literal.text.replace("{{", "{").replace("}}", "}");
            if is_error && text.contains(' ') {
                found += 1;
                assert!(find_error(&text).is_some(), "{path}: {text:?} is not in error.ftl");
            }
        }
    }
    assert!(found > 150, "{found}");
}

#[test]
fn everything_that_can_be_missing_has_a_name() {
    for (path, source) in sources() {
        for literal in literals(shipped(&source)) {
            if literal.follows(&["Error::not_found("]) {
                let text = format!("{} not found", literal.text);
                assert!(find_error(&text).is_some(), "{path}: {text:?} is not in error.ftl");
            }
        }
    }
}
