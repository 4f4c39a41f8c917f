//! Builds the last release, whose commit the changelog names, so that tests can run it next to this
//! version.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Builds the program of the last release as `target/last-release/grantor`.
pub(crate) fn run() -> Result<ExitCode, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("");
    let changelog = fs::read_to_string(root.join("CHANGELOG.md"))
        .map_err(|error| format!("CHANGELOG.md: {error}"))?;
    let commit = commit_of(&changelog).ok_or("CHANGELOG.md names no commit of a release")?;
    let folder = root.join("target/last-release");
    let built = folder.join("grantor");
    if fs::read_to_string(folder.join("commit")).is_ok_and(|it| it == commit) && built.exists() {
        return Ok(ExitCode::SUCCESS);
    }
    let source = folder.join("source");
    if source.exists() {
        fs::remove_dir_all(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    }
    fs::create_dir_all(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    let archive = folder.join("source.tar");
    let archive = archive.to_str().ok_or("the path of the repository is not UTF-8")?;
    command(&root, "git", &["archive", "--output", archive, commit])?;
    command(&source, "tar", &["-xf", archive])?;
    let build = ["build", "--release", "--quiet", "--locked", "--package", "grantor-server"];
    command(&source, "cargo", &build)?;
    fs::copy(source.join("target/release/grantor"), &built)
        .and_then(|_| fs::write(folder.join("commit"), commit))
        .map_err(|error| format!("{}: {error}", built.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The commit of the newest release; before the first one, the commit from which upgrades are tested.
fn commit_of(changelog: &str) -> Option<&str> {
    let is_hash = |it: &&str| it.len() == 40 && it.bytes().all(|byte| byte.is_ascii_hexdigit());
    let headings = changelog.lines().filter(|line| line.starts_with("## "));
    let mut named = headings.filter_map(|line| line.split_once("(commit ")?.1.strip_suffix(')'));
    named.find(is_hash).or_else(|| {
        let rest = changelog.split_once("tested from commit `")?.1;
        rest.split_once('`').map(|it| it.0).filter(is_hash)
    })
}

fn command(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(program);
    // The other version has its own lints and its own folder of builds.
    for name in ["CARGO_TARGET_DIR", "RUSTC_WORKSPACE_WRAPPER", "CLIPPY_ARGS"] {
        command.env_remove(name);
    }
    match command.args(arguments).current_dir(folder).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} {} failed: {status}", arguments.join(" "))),
        Err(error) => Err(format!("{program}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_release_counts() {
        let (one, two) = ("a".repeat(40), "b".repeat(40));
        let before = format!("upgrades are tested from commit `{one}`.\n## 0.1.0 – unreleased\n");
        assert_eq!(commit_of(&before), Some(&*one));
        let released = format!("## 0.2.0 – 2027-03-01 (commit {two})\n{before}");
        assert_eq!(commit_of(&released), Some(&*two));
        assert_eq!(commit_of("## 0.1.0 – unreleased\n(commit <hash>)"), None);
    }
}
