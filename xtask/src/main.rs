//! Chores of the project: `cargo xtask servers -- COMMAND…` runs a command with the servers that
//! tests need.

mod servers;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask servers -- COMMAND [ARGUMENT…]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["servers", "--", command @ ..] if !command.is_empty() => servers::run(command),
        _ => Err(USAGE.to_owned()),
    };
    outcome.unwrap_or_else(|message| {
        report(&message);
        ExitCode::FAILURE
    })
}

#[expect(clippy::print_stderr, reason = "a chore talks to whoever runs it")]
fn report(message: &str) {
    eprintln!("xtask: {message}");
}
