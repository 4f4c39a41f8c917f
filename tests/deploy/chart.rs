//! The Helm chart: its templates use the values that exist, all of them, and make what a cluster
//! needs. Where Helm is installed, it is asked too.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{files, read, run, version};

const CHART: &str = "deploy/helm/grantor";

/// What templates must contain, by what it is for.
const PARTS: [(&str, &str); 13] = [
    ("deployment.startup", "startupProbe:\n            httpGet: { path: /livez,"),
    ("deployment.live", "livenessProbe:\n            httpGet: { path: /livez,"),
    ("deployment.ready", "readinessProbe:\n            httpGet: { path: /readyz,"),
    ("deployment.rolling", "rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }"),
    ("security.user", "runAsNonRoot: true"),
    ("security.files", "readOnlyRootFilesystem: true"),
    ("security.capabilities", "capabilities: { drop: [ALL] }"),
    ("security.token", "automountServiceAccountToken: false"),
    ("autoscaler", "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler"),
    ("budget", "apiVersion: policy/v1\nkind: PodDisruptionBudget"),
    ("migration", "helm.sh/hook: pre-install,pre-upgrade"),
    ("migration.command", "args: [migrate]"),
    ("monitor.job", "\n  jobLabel: app.kubernetes.io/name\n"),
];

/// The templates, with their names.
fn templates() -> Vec<(String, String)> {
    let files = files(&format!("{CHART}/templates")).into_iter();
    files.map(|it| (it.clone(), read(&it))).collect()
}

/// The paths of all values, such as `server.autoscaling.enabled`.
fn values(text: &str) -> BTreeSet<String> {
    let (mut found, mut parents) = (BTreeSet::new(), Vec::<&str>::new());
    for line in text.lines() {
        let key = line.trim_start();
        let depth = (line.len() - key.len()) / 2;
        let Some((key, _)) = key.split_once(':').filter(|_| !key.starts_with(['#', '-'])) else {
            continue;
        };
        parents.truncate(depth);
        parents.push(key);
        found.insert(parents.join("."));
    }
    found
}

/// The paths of the values that a template uses.
fn used(template: &str) -> BTreeSet<String> {
    let is_path = |it: char| it.is_ascii_alphanumeric() || it == '.';
    let rest = template.split(".Values.").skip(1);
    rest.map(|it| it.split(|it: char| !is_path(it)).next().unwrap().to_owned()).collect()
}

/// The first words of the actions of a template: `if`, `end`, `include`.
fn actions(template: &str) -> Vec<&str> {
    let actions = template.split("{{").skip(1);
    let actions = actions.map(|it| it.split_once("}}").expect("the end of an action").0);
    actions.map(|it| it.trim_matches(['-', ' ']).split([' ', '(']).next().unwrap()).collect()
}

/// What stands in quotes after a word.
fn quoted<'a>(text: &'a str, word: &str) -> BTreeSet<&'a str> {
    text.split(&format!("{word} \"")).skip(1).filter_map(|it| it.split('"').next()).collect()
}

/// The description of a value in the schema; `None` if it has none.
fn described<'a>(schema: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(schema, |at, key| match at.get("properties") {
        Some(members) => members.get(key),
        // Any members are allowed.
        None => Some(at),
    })
}

#[test]
fn templates_use_the_values_that_exist_and_all_of_them() {
    let known = values(&read(&format!("{CHART}/values.yaml")));
    assert!(known.len() > 40, "{known:?}");
    let used: BTreeSet<_> = templates().iter().flat_map(|(_, it)| used(it)).collect();
    assert_eq!(used.difference(&known).collect::<Vec<_>>(), Vec::<&String>::new());
    // A template that uses a value uses what is in it, and what it is in.
    let is_used = |path: &String| {
        let is_in = |inner: &String, outer: &String| inner.starts_with(&format!("{outer}."));
        used.iter().any(|it| it == path || is_in(it, path) || is_in(path, it))
    };
    let unused: Vec<_> = known.iter().filter(|it| !is_used(it)).collect();
    assert_eq!(unused, Vec::<&String>::new());
}

#[test]
fn the_schema_describes_every_value() {
    let schema = serde_json::from_str(&read(&format!("{CHART}/values.schema.json"))).unwrap();
    for path in values(&read(&format!("{CHART}/values.yaml"))) {
        assert!(described(&schema, &path).is_some(), "{path}");
    }
    assert!(described(&schema, "server.replica").is_none());
}

#[test]
fn templates_are_complete() {
    let templates = templates();
    for (name, text) in &templates {
        let opened = actions(text).into_iter();
        let opened = opened.filter(|it| ["if", "with", "range", "define"].contains(it)).count();
        let closed = actions(text).into_iter().filter(|it| *it == "end").count();
        assert_eq!(opened, closed, "{name}");
    }
    let all: String = templates.into_iter().map(|(_, text)| text).collect();
    assert_eq!(quoted(&all, "include"), quoted(&all, "define"));
    for (what, part) in PARTS {
        assert!(all.contains(part), "{what}");
    }
}

#[test]
fn the_chart_has_the_version_of_the_program() {
    let (chart, version) = (read(&format!("{CHART}/Chart.yaml")), version());
    assert!(chart.contains(&format!("\nversion: {version}\nappVersion: {version}\n")), "{chart}");
}

#[test]
fn helm_makes_every_resource() {
    let [url, proxies] = ["publicUrl=https://grantor.example.com", "trustedProxies={10.0.0.0/8}"];
    let lint = ["lint", "--strict", CHART, "--set", url, "--set", proxies];
    let Some((is_fine, text)) = run("helm", &lint) else { return };
    assert!(is_fine, "{text}");
    let separate = "worker.separate=true";
    let template =
        ["template", "grantor", CHART, "--set", url, "--set", proxies, "--set", separate];
    let (_, made) = run("helm", &template).unwrap();
    let mut kinds: Vec<_> = made.lines().filter_map(|it| it.strip_prefix("kind: ")).collect();
    kinds.sort_unstable();
    let budget = "PodDisruptionBudget";
    let expected =
        ["Deployment", "Deployment", "HorizontalPodAutoscaler", "Job", budget, budget, "Service"];
    assert_eq!(kinds, expected);
    let (is_accepted, _) = run("helm", &["template", "grantor", CHART]).unwrap();
    assert!(!is_accepted, "without the values that it needs");
}

#[test]
fn a_value_that_does_not_exist_is_noticed() {
    let known = values("# a: b\nserver:\n  replicas: 3\n  list:\n    - x: y\nother: {}\n");
    let expected = ["other", "server", "server.list", "server.replicas"].map(str::to_owned);
    assert_eq!(known, BTreeSet::from(expected));
    let template = "{{- if .Values.server.replica }}{{ $.Values.other | quote }}{{- end }}";
    let expected = ["other", "server.replica"].map(str::to_owned);
    assert_eq!(used(template), BTreeSet::from(expected));
    assert_eq!(actions(template), ["if", "$.Values.other", "end"]);
}
