//! The commands that call a server's API as an API client.

mod check;
mod connect;
mod credentials;
pub(super) mod environment;
mod events;
mod grant;
mod license;
mod login;
mod output;
pub(super) mod private_file;
mod profile;
mod prompt;
mod table;
mod token_file;
mod webhook;

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use grantor_client::{Client, Error, Pages};
use serde::de::DeserializeOwned;

pub(super) use self::connect::connect;
use self::environment::Environment;
use self::output::Terminal;
use self::table::clean;
use crate::cli::{ClientCommand, Connect};
use crate::config::Config;

/// Runs a command. The error is one line for the terminal.
pub(super) async fn run(
    config: &Config,
    command: ClientCommand,
    environment: &Environment,
    out: &mut dyn io::Write,
) -> Result<ExitCode, String> {
    let mut desk = Desk { config, environment, terminal: Terminal::new(out) };
    let desk = &mut desk;
    match command {
        ClientCommand::Login(options) => login::sign_in(desk, options).await?,
        ClientCommand::Logout(profile) => login::sign_out(desk, &profile).await?,
        ClientCommand::License(command) => license::run(desk, command).await?,
        ClientCommand::Grant(command) => grant::run(desk, command).await?,
        ClientCommand::Check(options) => return check::run(desk, options).await,
        ClientCommand::Events(options) => events::run(desk, &options).await?,
        ClientCommand::Webhook(command) => return webhook::run(desk, command).await,
    }
    Ok(ExitCode::SUCCESS)
}

/// What commands work with.
struct Desk<'a> {
    config: &'a Config,
    environment: &'a Environment,
    terminal: Terminal<'a>,
}

impl Desk<'_> {
    fn connect(&self, options: &Connect) -> Result<Client, String> {
        connect(self.config, self.environment, options)
    }
}

/// Describes an error in one line, with what to do about it.
pub(super) fn explain(error: &Error) -> String {
    let hint = match (error, error.code()) {
        (Error::Transport(_), _) => Some("check the URL and the network".to_owned()),
        (_, Some("INVALID_CREDENTIALS" | "CREDENTIAL_INACTIVE")) => {
            Some("grantor login replaces a stored key and secret".to_owned())
        }
        (_, Some("INSUFFICIENT_PERMISSIONS")) => {
            Some("change the permissions of the API client in the console".to_owned())
        }
        (_, Some("PRECONDITION_FAILED")) => {
            Some("somebody changed it in the meantime; run the command again".to_owned())
        }
        _ => error.retry_after().map(|it| format!("try again in {}", seconds(it))),
    };
    let hint = hint.map(|it| format!("; {it}")).unwrap_or_default();
    clean(&format!("{error}{hint}"))
}

/// Says why a request is sent again, and when.
pub(super) fn retrying(error: &Error, pause: Duration) -> String {
    clean(&format!("{error}; retrying in {}", seconds(pause)))
}

/// A time to wait, such as `0.5 s`.
pub(super) fn seconds(pause: Duration) -> String {
    format!("{} s", pause.as_secs_f32())
}

/// The first items of a list, and how many there are in all.
async fn take<T: DeserializeOwned>(
    pages: Pages<'_, T>,
    most: Option<u32>,
) -> Result<(Vec<T>, u64), String> {
    let mut pages = pages.per_page(most.unwrap_or(u32::MAX));
    let most = most.map_or(usize::MAX, |it| it as usize);
    let mut items = Vec::new();
    while items.len() < most
        && let Some(item) = pages.next().await.map_err(|it| explain(&it))?
    {
        items.push(item);
    }
    Ok((items, pages.total().unwrap_or_default()))
}

/// The day of a time, or nothing.
fn day(time: Option<&str>) -> &str {
    let time = time.unwrap_or_default();
    time.get(..10).unwrap_or(time)
}

/// A time without fractions of a second, or nothing.
fn moment(time: Option<&str>) -> String {
    let time = time.unwrap_or_default();
    time.get(..19).unwrap_or(time).replacen('T', " ", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_to_do_about_it() {
        let error = Error::Transport("cannot connect: refused\n".to_owned());
        let line = "The server cannot be reached: cannot connect: refused ; check the URL and \
                    the network";
        assert_eq!(explain(&error), line);
        assert_eq!(explain(&Error::Invalid("no".to_owned())), "no");
        let harmful = Error::Response("\u{1b}[2J".to_owned());
        let line = "The server's response is not valid:  [2J; retrying in 0.5 s";
        assert_eq!(retrying(&harmful, Duration::from_millis(500)), line);
    }

    #[test]
    fn times_are_short() {
        let time = "2026-11-15T12:30:00.123Z";
        assert_eq!(
            (day(Some(time)), moment(Some(time)).as_str()),
            ("2026-11-15", "2026-11-15 12:30:00")
        );
        assert_eq!((day(None), moment(None).as_str(), day(Some("?"))), ("", "", "?"));
        assert_eq!(seconds(Duration::from_millis(1_500)), "1.5 s");
    }
}
