//! The container file: a small image that needs no root and nothing writable but its data.

use super::{read, run};

const FILE: &str = "deploy/container/Dockerfile";

/// The lines of the image itself, after those of the build.
fn image() -> Vec<String> {
    let text = read(FILE);
    text.rsplit("\nFROM ").next().unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn the_image_has_no_shell_and_does_not_run_as_root() {
    let image = image();
    assert!(image[0].contains("distroless") && image[0].ends_with(":nonroot"), "{}", image[0]);
    assert!(image.iter().any(|it| it == "USER 65532:65532"));
    assert!(image.iter().any(|it| it == "ENTRYPOINT [\"/usr/local/bin/grantor\"]"));
    // Without a shell nothing can run while it is built.
    assert!(!image.iter().any(|it| it.starts_with("RUN")), "{image:?}");
}

#[test]
fn the_image_is_built_with_the_oldest_compiler_that_is_supported() {
    let manifest = read("Cargo.toml");
    let version = manifest.split("rust-version = \"").nth(1).unwrap().split('"').next().unwrap();
    assert!(read(FILE).contains(&format!("FROM docker.io/library/rust:{version}-bookworm")));
}

#[test]
fn everything_that_the_build_reads_is_sent_to_it() {
    let ignored = read("deploy/container/Dockerfile.dockerignore");
    let sent: Vec<_> = ignored.lines().filter_map(|it| it.strip_prefix('!')).collect();
    let manifest = read("Cargo.toml");
    let members = manifest.split("members = [").nth(1).unwrap().split(']').next().unwrap();
    let contents = read("crates/docs/build/contents.rs");
    let pages = contents.split("page(\"").skip(1).filter_map(|it| it.split('"').nth(2));
    let read = members.split('"').skip(1).step_by(2).chain(pages);
    let read = read.chain(["Cargo.toml", "Cargo.lock", ".cargo/config.toml"]);
    for path in read.chain(["messages/en", "migrations/0001_house.sql"]) {
        let first = path.split('/').next().unwrap();
        assert!(sent.contains(&first), "{path}");
    }
    assert!(!sent.contains(&"target") && !sent.contains(&"data"));
}

#[test]
fn hadolint_finds_nothing() {
    if let Some((is_fine, text)) = run("hadolint", &[FILE]) {
        assert!(is_fine, "{text}");
    }
}
