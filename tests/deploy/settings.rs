//! Every setting that a file in `deploy/` names exists.

use std::collections::BTreeSet;

use super::{files, read};

/// The environment variables of all settings, with those that name the files of secrets.
fn variables() -> BTreeSet<String> {
    let reference = read("docs/configuration.md");
    let rows = reference.lines().filter(|it| it.starts_with("| `"));
    let mut found = BTreeSet::new();
    for row in rows {
        let name = row.split('`').find(|it| it.starts_with("GRANTOR_")).unwrap();
        found.insert(name.to_owned());
        if row.contains("**Secret.**") {
            found.insert(format!("{name}_FILE"));
        }
    }
    found
}

/// The variables that a text names, without those that a template makes.
fn named(text: &str) -> BTreeSet<String> {
    let is_part = |it: char| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_';
    let words = text.split(|it: char| !is_part(it)).filter(|it| it.starts_with("GRANTOR_"));
    words.filter(|it| *it != "GRANTOR_").map(str::to_owned).collect()
}

#[test]
fn every_setting_in_deploy_exists() {
    let known = variables();
    for file in files("deploy") {
        let unknown: Vec<_> = named(&read(&file)).difference(&known).cloned().collect();
        assert_eq!(unknown, [""; 0], "{file}");
    }
}

#[test]
fn every_secret_of_the_chart_is_a_secret_setting() {
    let values = read("deploy/helm/grantor/values.yaml");
    let keys = values.split("\n  keys:\n").nth(1).unwrap().lines();
    let keys = keys.map_while(|it| it.strip_prefix("    - "));
    let files: Vec<_> = keys.map(|it| format!("GRANTOR_{}_FILE", it.to_uppercase())).collect();
    assert!(files.len() > 2, "{files:?}");
    let known = variables();
    assert!(files.iter().all(|it| known.contains(it)), "{files:?}");
}

#[test]
fn a_made_up_setting_is_noticed() {
    let known = variables();
    let text =
        "GRANTOR_LISTEN: a, GRANTOR_REDIS_URL_FILE=b GRANTOR_{{ upper . }} GRANTOR_LISTEN_FILE";
    let unknown: Vec<_> = named(text).difference(&known).cloned().collect();
    assert_eq!(unknown, ["GRANTOR_LISTEN_FILE"]);
}
