//! Development tasks: `cargo xtask servers -- COMMAND…` runs a command with the servers that the
//! tests need; `cargo xtask tour` takes screenshots of the pages; `cargo xtask cells` simulates
//! tenants that are spread over several databases.

mod browser;
mod cells;
mod last_release;
mod packages;
mod servers;
mod tour;

use std::io::Write as _;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask servers -- COMMAND [ARGUMENT…]\n       \
    cargo xtask tour [FOLDER | --all FOLDER]\n       \
    cargo xtask cells\n       \
    cargo xtask last-release";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["servers", "--", command @ ..] if !command.is_empty() => servers::run(command),
        ["tour"] => tour::run(&[]),
        ["tour", folder] if !folder.starts_with('-') => tour::run(&[folder]),
        ["tour", "--all", folder] => tour::run(&["--all", folder]),
        ["cells"] => print(&cells::report()),
        ["last-release"] => last_release::run(),
        _ => Err(USAGE.to_owned()),
    };
    outcome.unwrap_or_else(|message| {
        report(&message);
        ExitCode::FAILURE
    })
}

fn print(text: &str) -> Result<ExitCode, String> {
    let printed = std::io::stdout().lock().write_all(text.as_bytes());
    printed.map(|()| ExitCode::SUCCESS).map_err(|error| error.to_string())
}

#[expect(clippy::print_stderr, reason = "a task prints its errors")]
fn report(message: &str) {
    eprintln!("xtask: {message}");
}
