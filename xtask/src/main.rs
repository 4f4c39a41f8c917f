//! Development tasks: `cargo xtask servers -- COMMAND…` runs a command with the servers that the
//! tests need; `cargo xtask tour` takes screenshots of the pages.

mod browser;
mod packages;
mod servers;
mod tour;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask servers -- COMMAND [ARGUMENT…]\n       \
    cargo xtask tour [FOLDER | --all FOLDER]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["servers", "--", command @ ..] if !command.is_empty() => servers::run(command),
        ["tour"] => tour::run(&[]),
        ["tour", folder] if !folder.starts_with('-') => tour::run(&[folder]),
        ["tour", "--all", folder] => tour::run(&["--all", folder]),
        _ => Err(USAGE.to_owned()),
    };
    outcome.unwrap_or_else(|message| {
        report(&message);
        ExitCode::FAILURE
    })
}

#[expect(clippy::print_stderr, reason = "a task prints its errors")]
fn report(message: &str) {
    eprintln!("xtask: {message}");
}
