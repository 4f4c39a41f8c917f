//! One module for each command.

mod admin;
mod backoff;
mod backup;
pub(crate) mod check_config;
mod client;
mod completions;
mod demo;
mod doctor;
mod image_files;
mod keys;
mod listen;
mod migrate;
mod openapi;
mod serve;
mod size;
pub(crate) mod verify;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use tokio::runtime::{Builder, Runtime};

use crate::cli::Command;
use crate::config::settings::LOG;
use crate::config::{self, Config, Settings, Sources, ValueSource};
use crate::{telemetry, tls};

const NO_BACKUP: &str = "restore: use --from DIR to restore a backup, or --check DIR to verify one";

/// Runs a command. The error is one line for the terminal.
pub(crate) fn run<E>(command: Command, sources: Sources<E>) -> Result<ExitCode, String>
where
    E: IntoIterator<Item = (OsString, OsString)>,
{
    let mut out = io::stdout().lock();
    if print_fixed(&command, &mut out)? {
        return Ok(ExitCode::SUCCESS);
    }
    let environment: Vec<_> = sources.environment.into_iter().collect();
    let sources = Sources {
        flags: sources.flags,
        environment: environment.clone(),
        config: sources.config,
        default_config: sources.default_config,
    };
    let (settings, config) = config::load(sources).map_err(|problems| problems.to_string())?;
    telemetry::start(log_filter(&command, &settings, &config), config.log_format)?;
    load_messages(&config)?;
    if rustls::crypto::aws_lc_rs::default_provider().install_default().is_err() {
        return Err("another TLS provider is already installed".to_owned());
    }
    match command {
        // Printed before.
        Command::Completions { .. } | Command::Man { .. } => {}
        Command::CheckConfig { .. } => {
            if let Some(files) = &config.tls {
                runtime()?.block_on(tls::load(files))?;
            }
            printed(check_config::table(&mut out, &settings, &config))?;
        }
        Command::Serve { demo, .. } => {
            let role = serve::Role::Server { demo };
            runtime()?.block_on(serve::run(config, role, &mut out))?;
        }
        Command::Worker => {
            runtime()?.block_on(serve::run(config, serve::Role::Worker, &mut out))?;
        }
        Command::Migrate { plan } => say(&mut out, &migrated(&config, plan)?)?,
        Command::Backup { to } => {
            say(&mut out, &runtime()?.block_on(backup::export(&config, to))?)?;
        }
        Command::Restore { from, check } => say(&mut out, &restore(&config, from, check)?)?,
        Command::Size(options) => say(&mut out, &size::report(&config, &options))?,
        Command::Openapi { surface } => say(&mut out, &openapi::run(&config, surface)?)?,
        Command::Keys(keys) => say(&mut out, &runtime()?.block_on(keys::run(&config, keys))?)?,
        Command::Admin(admin) => say(&mut out, &runtime()?.block_on(admin::run(&config, admin))?)?,
        Command::Demo { json } => say(&mut out, &runtime()?.block_on(demo::run(&config, json))?)?,
        Command::Listen(options) => {
            runtime()?.block_on(listen::run(&config, &options, &environment, &mut out))?;
        }
        Command::Client(command) => {
            return runtime()?.block_on(client::run(&config, command, &environment, &mut out));
        }
        Command::Verify(options) => {
            return runtime()?.block_on(verify::run(&config, &options, &mut out));
        }
        Command::Doctor { deep } => {
            return runtime()?.block_on(doctor::run(&config, deep, &mut out));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn migrated(config: &Config, only_plan: bool) -> Result<String, String> {
    runtime()?.block_on(migrate::run(config, only_plan))
}

/// Prints what depends on no setting. Returns whether that was the command.
fn print_fixed(command: &Command, out: &mut dyn io::Write) -> Result<bool, String> {
    match command {
        Command::CheckConfig { reference: true } => printed(check_config::reference(out))?,
        Command::Completions { shell } => say(out, &completions::script(*shell))?,
        Command::Man { folder } => say(out, &completions::manual(folder.as_deref())?)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Adds the languages of the operator, before anything is written in a language.
fn load_messages(config: &Config) -> Result<(), String> {
    match &config.messages_dir {
        Some(folder) => grantor_messages::load(folder).map_err(|it| format!("messages_dir: {it}")),
        None => Ok(()),
    }
}

/// Restores or checks a backup.
fn restore(
    config: &Config,
    from: Option<PathBuf>,
    check: Option<PathBuf>,
) -> Result<String, String> {
    match (from, check) {
        (Some(from), None) => runtime()?.block_on(backup::import(config, from)),
        (_, Some(folder)) => runtime()?.block_on(backup::check(folder)),
        (None, None) => Err(NO_BACKUP.to_owned()),
    }
}

/// The demo screen comes without log lines, the reports of the doctor and of a verification already
/// contain what they log, and commands of API clients print their own errors.
fn log_filter<'a>(command: &Command, settings: &Settings, config: &'a Config) -> &'a str {
    let is_default = *settings.source(&LOG) == ValueSource::Default;
    match command {
        Command::Doctor { .. } | Command::Verify(_) => "off",
        Command::Client(_) if is_default => "off",
        Command::Serve { demo: true, verbose: false, .. }
            if is_default && telemetry::is_human(config.log_format) =>
        {
            "warn"
        }
        _ => &config.log,
    }
}

/// Prints and flushes: a server keeps running after its last output.
fn say(out: &mut dyn io::Write, text: &str) -> Result<(), String> {
    printed(writeln!(out, "{text}").and_then(|()| out.flush()))
}

/// A closed pipe is not an error: a reader such as `head` has read all it wanted.
fn printed(written: io::Result<()>) -> Result<(), String> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output: {error}"))
        }
        _ => Ok(()),
    }
}

/// The stack of a thread: deep calls, such as a request to an identity provider during a sign-in, need
/// more than the usual 2 MiB in a build without optimization. Only what is used takes memory.
const STACK: usize = 8 * 1024 * 1024;

fn runtime() -> Result<Runtime, String> {
    Builder::new_multi_thread()
        .thread_stack_size(STACK)
        .enable_all()
        .build()
        .map_err(|error| format!("the runtime did not start: {error}"))
}

/// The public URL for commands that don't listen on a port.
fn public_url(config: &Config) -> String {
    config.public_url.to_string()
}
