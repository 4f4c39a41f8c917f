//! `grantor`: the command line, configuration, wiring and lifecycle. Only this crate reads the
//! system's clock, randomness and environment.

// The futures of a server are nested deeply.
#![recursion_limit = "256"]

mod bootstrap;
mod cli;
mod commands;
mod config;
mod key_ring;
mod listener;
mod memory;
mod metrics;
mod open_files;
mod otlp;
mod signals;
mod system;
mod telemetry;
mod tls;

use std::process::ExitCode;

use cli::Command;
use commands::verify::NOT_CHECKED;
use config::Sources;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[expect(clippy::disallowed_methods, reason = "only this function reads the environment")]
fn environment() -> std::env::VarsOs {
    std::env::vars_os()
}

fn main() -> ExitCode {
    memory::disable_huge_pages();
    let arguments: Vec<_> = std::env::args_os().collect();
    let (cli, flags) = match cli::parse(arguments.clone()) {
        Ok(parsed) => parsed,
        // For a check, the usual exit code of wrong options means that something is not allowed.
        Err(error) if error.use_stderr() && cli::is_check(&arguments) => {
            let _ = error.print();
            return ExitCode::FAILURE;
        }
        Err(error) => error.exit(),
    };
    let sources = Sources {
        flags,
        environment: environment(),
        config: cli.config,
        default_config: "grantor.toml".into(),
    };
    // For a verification, a failure says nothing about the receipt.
    let failed = match cli.command {
        Command::Verify(_) => ExitCode::from(NOT_CHECKED),
        _ => ExitCode::FAILURE,
    };
    match commands::run(cli.command, sources) {
        Ok(code) => code,
        Err(message) => {
            telemetry::print_error(&message);
            failed
        }
    }
}
