//! Logs: colored lines on a terminal, JSON otherwise.

use std::io::{IsTerminal as _, Write as _};

use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;

/// Starts logging to standard error.
pub(crate) fn start(filter: &str, format: LogFormat) -> Result<(), String> {
    let parsed = EnvFilter::try_new(filter)
        .map_err(|error| format!("log: \"{filter}\" is not a filter such as info: {error}"))?;
    let filter = quiet_protocol(parsed, filter);
    // A closed log stream must stop neither the program nor its shutdown.
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .log_internal_errors(false);
    let started = if is_human(format) {
        builder.with_target(false).with_ansi(std::io::stderr().is_terminal()).try_init()
    } else {
        builder.json().flatten_event(true).with_current_span(false).try_init()
    };
    started.map_err(|error| format!("logging did not start: {error}"))
}

/// Leaves out what the library of the Model Context Protocol logs, which includes every refused
/// request and, at lower levels, what tools are called with. A filter that names it is kept.
fn quiet_protocol(parsed: EnvFilter, filter: &str) -> EnvFilter {
    match "rmcp=error".parse() {
        Ok(quiet) if !filter.contains("rmcp") => parsed.add_directive(quiet),
        _ => parsed,
    }
}

/// Whether the log is written for people, not as JSON.
pub(crate) fn is_human(format: LogFormat) -> bool {
    match format {
        LogFormat::Human => true,
        LogFormat::Json => false,
        LogFormat::Auto => std::io::stderr().is_terminal(),
    }
}

/// Prints the error that ends the program to standard error.
pub(crate) fn print_error(message: &str) {
    let _ = writeln!(std::io::stderr(), "grantor: {message}");
}
