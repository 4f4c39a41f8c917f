//! The compose file, its proxy and its secrets belong together.

use std::collections::BTreeSet;
use std::fs;

use super::{read, root, run};

const FILE: &str = "deploy/compose/compose.yaml";
const NODES: [&str; 3] = ["node1", "node2", "node3"];

/// The values of a key, wherever it is.
fn values<'a>(text: &'a str, key: &'a str) -> Vec<&'a str> {
    text.lines().filter_map(|it| it.trim().strip_prefix(key)?.strip_prefix(": ")).collect()
}

#[test]
fn the_proxy_knows_every_node() {
    let (compose, proxy) = (read(FILE), read("deploy/compose/haproxy.cfg"));
    for node in NODES {
        assert!(compose.contains(&format!("\n  {node}: *node")) || node == "node1", "{node}");
        assert!(proxy.contains(&format!("\n    server {node} {node}:8080\n")), "{node}");
    }
    assert!(compose.contains("\n  node1:\n    <<: *node\n"));
    assert!(proxy.contains("uri /readyz"));
}

#[test]
fn nodes_are_read_only_and_trust_only_the_proxy() {
    let compose = read(FILE);
    let node = compose.split("x-node: &node").nth(1).unwrap().split("\nservices:").next().unwrap();
    for line in ["read_only: true", "cap_drop: [ALL]", "user: \"65532:65532\""] {
        assert!(node.contains(line), "{line}");
    }
    let subnet = compose.split("subnet: ").nth(1).unwrap().split(' ').next().unwrap();
    assert_eq!(values(&compose, "GRANTOR_TRUSTED_PROXIES"), [subnet]);
}

#[test]
fn others_reach_nothing_and_every_image_has_a_version() {
    let compose = read(FILE);
    for ports in values(&compose, "ports") {
        assert!(ports.starts_with("[\"127.0.0.1:"), "{ports}");
    }
    for image in values(&compose, "image") {
        let version = image.rsplit_once(':').map_or("latest", |(_, it)| it);
        assert!(version != "latest" && !version.contains('/'), "{image}");
    }
}

#[test]
fn a_node_has_the_time_to_stop_everywhere() {
    let compose = read(FILE);
    assert_eq!(values(&compose, "stop_grace_period"), ["45s"]);
    let chart = read("deploy/helm/grantor/values.yaml");
    assert_eq!(values(&chart, "terminationGracePeriodSeconds"), ["45"]);
    assert!(read("deploy/systemd/grantor.service").contains("\nTimeoutStopSec=45\n"));
}

/// The files that the compose file needs.
fn wanted() -> BTreeSet<String> {
    let compose = read(FILE);
    let files = compose.split("./secrets/").skip(1).filter_map(|it| it.split(' ').next());
    files.map(str::to_owned).collect()
}

#[test]
fn every_secret_is_made_once() {
    if run("openssl", &["version"]).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("prepare.sh");
    fs::copy(root().join("deploy/compose/prepare.sh"), &script).unwrap();
    let prepare = || run("sh", &[script.to_str().unwrap()]).unwrap();
    let (is_made, text) = prepare();
    assert!(is_made, "{text}");
    let secrets = folder.path().join("secrets");
    let names = fs::read_dir(&secrets).unwrap().map(|it| it.unwrap().file_name());
    let names: BTreeSet<_> = names.map(|it| it.into_string().unwrap()).collect();
    assert_eq!(names, wanted());
    let before = fs::read(secrets.join("database_url")).unwrap();
    assert!(prepare().0);
    assert_eq!(fs::read(secrets.join("database_url")).unwrap(), before);
}
