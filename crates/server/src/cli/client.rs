//! The commands that call a server's API as an API client, and their options.

use std::ffi::OsString;

use clap::{Args, Subcommand};
use grantor_domain::grant::GrantStatus;
use grantor_domain::license::{LicenseStatus, LicenseType};

use serde_json::Value;

use super::examples;
use super::value::{Parsed, Since, event_type, fee, server_url};

/// The commands whose help has examples instead of a hint to the settings of the server.
pub(super) const NAMES: [&str; 9] =
    ["login", "logout", "license", "grant", "check", "events", "webhook", "completions", "man"];

/// Commands that call a server's API.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum ClientCommand {
    /// Sign in to a server with an API key and secret, and keep them for other commands
    #[command(after_help = examples::LOGIN)]
    Login(Login),
    /// Forget an API key and secret, and revoke their tokens
    Logout(Profile),
    /// List, show and update licenses
    #[command(subcommand, after_help = examples::LICENSE)]
    License(License),
    /// List and show grants
    #[command(subcommand, after_help = examples::GRANT)]
    Grant(Grant),
    /// Check whether a picture, an address or a text shows or names somebody with a license
    #[command(after_help = examples::CHECK)]
    Check(Check),
    /// List events, or print them as they happen
    #[command(after_help = examples::EVENTS)]
    Events(Events),
    /// List and test webhooks
    #[command(subcommand, after_help = examples::WEBHOOK)]
    Webhook(Webhook),
}

/// The profile: a server with its API key and secret.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Profile {
    /// Profile, created with grantor login [default: default]
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
}

/// The server, and as whom to call it.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Connect {
    /// URL of the server [default: that of the profile, or the public URL]
    #[arg(long, value_name = "URL", alias = "server", value_parser = Parsed(server_url))]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) profile: Profile,
}

/// Options of `grantor login`.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Login {
    /// API key; asked for without this option
    #[arg(long, value_name = "KEY")]
    pub(crate) api_key: Option<String>,
    #[command(flatten)]
    pub(crate) connect: Connect,
}

/// How much of a list is printed, and how.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListOptions {
    /// Maximum number to list
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,
    /// List all
    #[arg(long, conflicts_with = "limit")]
    pub(crate) all: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: Connect,
}

impl ListOptions {
    /// The largest number of rows, if there is one.
    pub(crate) fn most(&self) -> Option<u32> {
        (!self.all).then_some(self.limit)
    }
}

/// Which record to show, and how.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordGet {
    /// ID, also the external ID or the exact title of a license, or the number of a grant
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: Connect,
}

/// Commands for licenses.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum License {
    /// List the licenses that the API client can view, newest first
    List(LicenseList),
    /// Show a license
    Get(RecordGet),
    /// Change a license and print what changed
    Update(Box<LicenseUpdate>),
}

/// Options of `grantor license list`.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LicenseList {
    /// Words of the title, description, talent, owner or external ID
    #[arg(long, value_name = "WORDS")]
    pub(crate) search: Option<String>,
    /// Status
    #[arg(long, value_name = "STATUS", value_parser = LicenseStatus::ALL.map(LicenseStatus::name))]
    pub(crate) status: Option<String>,
    /// Type
    #[arg(long = "type", value_name = "TYPE")]
    #[arg(value_parser = LicenseType::ALL.map(LicenseType::key))]
    pub(crate) license_type: Option<String>,
    #[command(flatten)]
    pub(crate) list: ListOptions,
}

/// Options of `grantor license update`.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LicenseUpdate {
    #[command(flatten)]
    pub(crate) record: RecordGet,
    #[command(flatten)]
    pub(crate) changes: LicenseChanges,
}

/// What is changed, at least one member. An empty text removes what is optional.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[group(required = true, multiple = true)]
pub(crate) struct LicenseChanges {
    /// Title
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Description
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// Status
    #[arg(long, value_name = "STATUS", value_parser = LicenseStatus::ALL.map(LicenseStatus::name))]
    pub(crate) status: Option<String>,
    /// Type
    #[arg(long = "type", value_name = "TYPE")]
    #[arg(value_parser = LicenseType::ALL.map(LicenseType::key))]
    pub(crate) license_type: Option<String>,
    /// External ID; empty to remove it
    #[arg(long, value_name = "ID")]
    pub(crate) external_id: Option<String>,
    /// Uses, separated by commas
    #[arg(long, value_name = "TYPES")]
    pub(crate) uses: Option<String>,
    /// Territories, separated by commas: ISO 3166-1 codes such as DE, or WORLD
    #[arg(long, value_name = "CODES")]
    pub(crate) territories: Option<String>,
    /// Fee, such as '500.00 EUR month'; empty to remove it
    #[arg(long, value_name = "FEE", value_parser = Parsed(fee))]
    pub(crate) fee: Option<Value>,
    /// Whether to watch for uses of the likeness
    #[arg(long, value_name = "BOOL")]
    pub(crate) can_crawl: Option<bool>,
    /// Start, such as 2026-11-15T00:00:00Z; empty to remove it
    #[arg(long, value_name = "TIME")]
    pub(crate) valid_from: Option<String>,
    /// End, such as 2027-11-15T00:00:00Z; empty to remove it
    #[arg(long, value_name = "TIME")]
    pub(crate) expires_at: Option<String>,
}

/// Commands for grants.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Grant {
    /// List the grants that the organization gave or holds, newest first
    List(GrantList),
    /// Show a grant
    Get(RecordGet),
}

/// Options of `grantor grant list`.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GrantList {
    /// Your side: owner for grants given, asker for grants held
    #[arg(long, value_name = "ROLE", value_parser = ["owner", "asker"])]
    pub(crate) role: Option<String>,
    /// Status
    #[arg(long, value_name = "STATUS", value_parser = GrantStatus::ALL.map(GrantStatus::name))]
    pub(crate) status: Option<String>,
    /// ID of the license
    #[arg(long, value_name = "ID")]
    pub(crate) license: Option<String>,
    /// ID of the talent
    #[arg(long, value_name = "ID")]
    pub(crate) talent: Option<String>,
    /// Only grants that end before this time, such as 2026-11-15T00:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) ends_before: Option<String>,
    #[command(flatten)]
    pub(crate) list: ListOptions,
}

/// Options of `grantor check`.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Check {
    /// File with a picture or a text, - for standard input, or the URL of a page, feed or picture
    #[arg(value_name = "FILE|URL", required_unless_present = "text", conflicts_with = "text")]
    pub(crate) target: Option<String>,
    /// Text to check
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: Connect,
}

/// Options of `grantor events`.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Events {
    /// Print events as they happen, until Ctrl+C; with --json, one per line
    #[arg(long, short)]
    pub(crate) follow: bool,
    /// Only events since a time such as 2026-11-15T00:00:00Z, or of the last 30m, 12h or 7d
    #[arg(long, value_name = "TIME", value_parser = Parsed(Since::parse))]
    pub(crate) since: Option<Since>,
    /// Only events of a type such as license.updated or, for all about licenses, license; can be
    /// repeated
    #[arg(long = "type", value_name = "TYPE", value_parser = Parsed(event_type))]
    pub(crate) types: Vec<String>,
    /// Maximum number of stored events, the newest [default: 20; none with --follow, all with
    /// --since]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    /// All stored events
    #[arg(long, conflicts_with = "limit")]
    pub(crate) all: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) connect: Connect,
}

/// Commands for webhooks.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Webhook {
    /// List the webhooks
    List(ListOptions),
    /// Send a test event to a webhook and print the result; exits with 1 if it did not arrive
    Test(RecordGet),
}

/// Whether a command line is one of `grantor check`, whose exit code for wrong options is another.
pub(crate) fn is_check(arguments: &[OsString]) -> bool {
    arguments.get(1).is_some_and(|it| it == "check")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Command, parse};

    fn read(line: &str) -> Result<ClientCommand, clap::Error> {
        let (cli, _) = parse(line.split(' ').map(OsString::from))?;
        match cli.command {
            Command::Client(command) => Ok(command),
            other => panic!("{other:?}"),
        }
    }

    fn at(url: &str) -> Connect {
        Connect { url: Some(url.to_owned()), ..Connect::default() }
    }

    fn named(id: &str) -> RecordGet {
        RecordGet { id: id.to_owned(), ..RecordGet::default() }
    }

    #[expect(clippy::unnecessary_wraps, reason = "the options are optional")]
    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn every_command_is_read() {
        let profile = Profile { profile: text("b") };
        let twenty = ListOptions { limit: 20, ..ListOptions::default() };
        let list =
            ListOptions { all: true, json: true, connect: at("https://g"), ..twenty.clone() };
        let (status, types) =
            (text("public"), vec!["grant".to_owned(), "license.updated".to_owned()]);
        let update = LicenseUpdate {
            record: named("7"),
            changes: LicenseChanges {
                title: text("T"),
                can_crawl: Some(true),
                fee: Some(Value::Null),
                ..LicenseChanges::default()
            },
        };
        for (line, command) in [
            (
                "login --url https://g",
                ClientCommand::Login(Login { connect: at("https://g"), ..Login::default() }),
            ),
            ("logout --profile b", ClientCommand::Logout(profile)),
            (
                "license list --status public --all --json --server https://g",
                ClientCommand::License(License::List(LicenseList {
                    status,
                    list,
                    ..LicenseList::default()
                })),
            ),
            ("license get 7", ClientCommand::License(License::Get(named("7")))),
            (
                "license update 7 --title T --can-crawl true --fee ",
                ClientCommand::License(License::Update(Box::new(update))),
            ),
            ("grant get 7", ClientCommand::Grant(Grant::Get(named("7")))),
            ("check --text T", ClientCommand::Check(Check { text: text("T"), ..Check::default() })),
            (
                "events -f --type grant --type license.updated",
                ClientCommand::Events(Events { follow: true, types, ..Events::default() }),
            ),
            ("webhook list", ClientCommand::Webhook(Webhook::List(twenty))),
        ] {
            assert_eq!(read(&format!("grantor {line}")).unwrap(), command, "{line}");
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        for line in [
            "check",
            "check a --text b",
            "license list --status open",
            "license list --limit 0",
            "license list --limit 5 --all",
            "license update",
            "license update 7",
            "license update 7 --fee abc",
            "events --since bogus",
            "events --type nothing",
            "grant list --url http://grantor.example.com",
            "webhook test",
            "license get a --limit 5",
        ] {
            assert!(read(&format!("grantor {line}")).is_err(), "{line}");
        }
    }

    #[test]
    fn help_has_examples() {
        for name in NAMES.into_iter().filter(|it| !["logout", "man"].contains(it)) {
            let help = read(&format!("grantor {name} --help")).unwrap_err().to_string();
            assert!(help.contains("xamples:\n  grantor "), "{help}");
            assert!(!help.contains("--redis-url"), "{help}");
        }
    }

    #[test]
    fn only_a_check_is_a_check() {
        let is = |line: &str| {
            let words: Vec<_> = line.split(' ').map(OsString::from).collect();
            is_check(&words)
        };
        assert!(is("grantor check --wrong") && !is("grantor license get check"));
        assert!(!is("grantor"));
    }
}
