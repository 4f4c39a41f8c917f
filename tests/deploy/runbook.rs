//! Every alert has a runbook, and every runbook an alert.

use std::collections::BTreeSet;

use super::{files, read};

/// The parts of a runbook.
const PARTS: [&str; 3] = ["**Means:** ", "**Check:** ", "**Do:** "];

/// The names of the alerts in a file of rules.
fn alerts(rules: &str) -> Vec<&str> {
    let lines = rules.lines().map(|it| it.trim_start().trim_start_matches("- "));
    lines.filter_map(|it| it.strip_prefix("alert: ")).map(str::trim).collect()
}

/// The runbooks: the name of an alert, and what is below it.
fn runbooks(page: &str) -> Vec<(&str, &str)> {
    page.split("\n## ").skip(1).map(|it| it.split_once('\n').unwrap()).collect()
}

#[test]
fn every_alert_has_a_runbook_and_every_runbook_an_alert() {
    let rules: Vec<_> = files("deploy/prometheus").iter().map(|it| read(it)).collect();
    let alerts: Vec<_> = rules.iter().flat_map(|it| alerts(it)).collect();
    let names: BTreeSet<_> = alerts.iter().copied().collect();
    assert_eq!(alerts.len(), names.len(), "two alerts have the same name: {alerts:?}");
    assert!(!names.is_empty(), "no alerts in deploy/prometheus");
    let page = read("docs/runbooks.md");
    let explained: BTreeSet<_> = runbooks(&page).into_iter().map(|(name, _)| name).collect();
    assert_eq!(explained, names);
    for name in names {
        let link = format!("runbook: docs/runbooks.md#{}\n", name.to_lowercase());
        assert!(rules.iter().any(|it| it.contains(&link)), "{link}");
    }
}

#[test]
fn every_runbook_says_what_it_means_and_what_to_do() {
    for (name, text) in runbooks(&read("docs/runbooks.md")) {
        for part in PARTS {
            let said = text.split_once(part).map_or(0, |(_, it)| it.trim().len());
            assert!(said > 20, "{name}: {part}");
        }
    }
}

#[test]
fn an_alert_is_found_however_it_is_written() {
    let rules = "rules:\n  - alert: One\n    expr: up\n  - expr: x\n    alert: Two\n";
    assert_eq!(alerts(rules), ["One", "Two"]);
    assert_eq!(
        runbooks("# R\n\n## One\na\n### b\n\n## Two\nc\n"),
        [("One", "a\n### b\n"), ("Two", "c\n")]
    );
}
