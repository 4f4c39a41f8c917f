//! Logs: colored lines for people at a terminal, JSON for machines.

use std::io::{IsTerminal as _, Write as _};

use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;

/// Starts logging to standard error.
pub(crate) fn start(filter: &str, format: LogFormat) -> Result<(), String> {
    let filter = EnvFilter::try_new(filter)
        .map_err(|error| format!("log: \"{filter}\" is not a filter such as info: {error}"))?;
    let human = match format {
        LogFormat::Human => true,
        LogFormat::Json => false,
        LogFormat::Auto => std::io::stderr().is_terminal(),
    };
    // A log nobody reads any more must not stop the program, nor its orderly end.
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .log_internal_errors(false);
    let started = if human {
        builder.with_target(false).with_ansi(std::io::stderr().is_terminal()).try_init()
    } else {
        builder.json().flatten_event(true).with_current_span(false).try_init()
    };
    started.map_err(|error| format!("logging did not start: {error}"))
}

/// Says on standard error why the program stops, in one line of its own.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(std::io::stderr(), "grantor: {message}");
}
