//! What a release has beside the program: the software bill of materials, and archives that are the
//! same whoever makes them.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::process::Command;

use serde_json::Value;

use super::{read, root, run};

/// Fails on versions that are too old.
const PYTHON: [&str; 2] = ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"];

/// Two archives with the same files in another order.
const TWO_ARCHIVES: &str = "
import pathlib, sys
sys.path.insert(0, 'deploy/release')
import archive
folder, files = pathlib.Path(sys.argv[1]), [('b', b'1', True), ('a', b'2', False)]
archive.write(folder / 'one', 'x', files, 7)
archive.write(folder / 'two', 'x', reversed(files), 7)
(folder / 'SHA256SUMS').write_text(archive.sums(folder))
";

fn has_python() -> bool {
    run("python3", &PYTHON).is_some_and(|(is_recent, _)| is_recent)
}

fn bill() -> Value {
    let mut command = Command::new("python3");
    let run =
        command.args(["-B", "deploy/release", "--sbom"]).current_dir(root()).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).unwrap()
}

fn text<'a>(value: &'a Value, path: &str) -> &'a str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_else(|| panic!("{path} of {value}"))
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("{name} of {value}"))
}

#[test]
fn the_bill_of_materials_names_every_crate_of_the_program() {
    if !has_python() {
        return;
    }
    let (bill, lock) = (bill(), read("Cargo.lock"));
    let components = list(&bill, "components");
    let names: BTreeSet<_> = components.iter().map(|it| text(it, "/name")).collect();
    for used in ["tokio", "rusqlite", "tokio-postgres", "aws-lc-sys", "grantor-storage"] {
        assert!(names.contains(used), "{used}");
    }
    for unused in ["insta", "proptest", "grantor-testkit", "grantor-xtask"] {
        assert!(!names.contains(unused), "{unused}");
    }
    for it in components {
        assert!(!text(it, "/licenses/0/expression").is_empty());
        let (name, version) = (text(it, "/name"), text(it, "/version"));
        let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
        assert!(lock.contains(&entry), "{name} {version}");
        if it.get("purl").is_some() {
            assert_eq!(text(it, "/purl"), format!("pkg:cargo/{name}@{version}"));
            assert!(lock.contains(&format!("checksum = \"{}\"", text(it, "/hashes/0/content"))));
        }
    }
}

#[test]
fn the_bill_of_materials_says_what_needs_each_crate() {
    if !has_python() {
        return;
    }
    let bill = bill();
    let needs = |it: &Value| list(it, "dependsOn").to_vec();
    let nodes =
        list(&bill, "dependencies").iter().map(|it| (text(it, "/ref").to_owned(), needs(it)));
    let nodes: HashMap<_, _> = nodes.collect();
    let first = text(&bill, "/metadata/component/bom-ref");
    let (mut reached, mut next) = (BTreeSet::new(), vec![first.to_owned()]);
    while let Some(name) = next.pop() {
        let needed = nodes.get(&name).unwrap_or_else(|| panic!("{name} is not listed"));
        if reached.insert(name) {
            next.extend(needed.iter().map(|it| it.as_str().unwrap().to_owned()));
        }
    }
    let all: BTreeSet<_> = nodes.keys().cloned().collect();
    assert_eq!(all.difference(&reached).collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn archives_are_the_same_whoever_makes_them() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let (is_made, text) = run("python3", &["-B", "-c", TWO_ARCHIVES, path]).unwrap();
    assert!(is_made, "{text}");
    let [one, two] = ["one", "two"].map(|it| fs::read(folder.path().join(it)).unwrap());
    assert_eq!(one, two);
    let sums = fs::read_to_string(folder.path().join("SHA256SUMS")).unwrap();
    let names: Vec<_> = sums.lines().map(|it| it.split_once("  ").unwrap().1).collect();
    assert_eq!(names, ["one", "two"]);
}
