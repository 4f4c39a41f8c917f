//! The command line. Commands are derived; the flags for settings come from the settings table.

mod client;
mod examples;
mod size;
mod value;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use secrecy::SecretString;
use url::Url;

pub(crate) use self::client::{
    Check, ClientCommand, Connect, Events, Grant, GrantList, License, LicenseChanges, LicenseList,
    LicenseUpdate, ListOptions, Login, Profile, RecordGet, Webhook, is_check,
};
pub(crate) use self::size::Size;
#[cfg(test)]
pub(crate) use self::value::Since;
pub(crate) use self::value::is_event_of;
use self::value::{Parsed, receiver_url};
use crate::config::Flags;
use crate::config::settings::{SETTINGS, Setting, WORKERS};

/// Printed at the end of help texts.
const ABOUT_SETTINGS: &str = "\
The setting --some-name can also be set with the environment variable GRANTOR_SOME_NAME or the key
some_name in grantor.toml. Flags override the environment, and the environment overrides the file.
Secrets can be read from a file: --some-name-file PATH or GRANTOR_SOME_NAME_FILE.";

/// Open licensing server for names, images and likenesses
#[derive(Debug, Parser)]
#[command(name = "grantor", version, max_term_width = 100, after_help = ABOUT_SETTINGS)]
pub(crate) struct Cli {
    /// Configuration file [default: grantor.toml in the current directory, if it exists]
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) config: Option<PathBuf>,
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Command {
    /// Run the server and its background work
    Serve {
        /// Do not run background work; run it separately with grantor worker
        #[arg(long)]
        no_workers: bool,
        /// Create sample data if the store has no accounts, and print how to sign in
        #[arg(long)]
        demo: bool,
        /// Log at the info level; by default, --demo on a terminal logs only warnings
        #[arg(long, short)]
        verbose: bool,
    },
    /// Run only background work
    Worker,
    /// Update the database schema
    Migrate {
        /// Say what would be done now and what waits for older nodes, without doing it
        #[arg(long)]
        plan: bool,
    },
    /// Copy the database, images and keys to a directory
    Backup {
        /// Directory to write to; must be new or empty
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
    },
    /// Restore a backup into an empty store
    Restore {
        /// Directory of the backup to restore
        #[arg(long, value_name = "DIR")]
        from: Option<PathBuf>,
        /// Verify a backup and its keys without changing anything
        #[arg(long, value_name = "DIR", conflicts_with = "from")]
        check: Option<PathBuf>,
    },
    /// Show each setting, with secrets masked, and where its value comes from
    CheckConfig {
        /// Print a Markdown reference of all settings instead
        #[arg(long)]
        reference: bool,
    },
    /// Check everything the server needs and report problems
    Doctor {
        /// Verify the hash of every image instead of a sample
        #[arg(long)]
        deep: bool,
    },
    /// Calculate how much disk space an installation needs
    Size(Size),
    /// Print the OpenAPI document of an API
    Openapi {
        /// Which API
        #[arg(value_name = "API")]
        surface: Surface,
    },
    /// Manage the server's keys
    #[command(subcommand)]
    Keys(Keys),
    /// Manage staff accounts
    #[command(subcommand)]
    Admin(Admin),
    /// Create sample data in an empty store and print its credentials, which are shown only once
    Demo {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Forward an API client's events to a local URL, signed like webhooks
    Listen(Listen),
    /// Verify a receipt or a capsule of evidence without the network; exits with 0 if it is valid, 1
    /// if it is not, 2 if an option or a file is wrong, and 3 if it could not be checked
    Verify(Verify),
    /// Commands that call a server's API.
    #[command(flatten)]
    Client(ClientCommand),
    /// Print the completions for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write the pages of all commands to a directory
    Man {
        /// Directory to write to, for example ~/.local/share/man/man1
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
}

/// Options of `grantor verify`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verify {
    /// File with the receipt or the evidence, for example GR-2026-000042.sd-jwt or evidence.zip
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Keys to trust: the issuer's /.well-known/jwks.json [default: the keys in the data directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) jwks: Option<PathBuf>,
    /// Status list that the receipt names, fetched in the last five minutes [default: the database
    /// of the data directory, unless --jwks is given]
    #[arg(long, value_name = "FILE")]
    pub(crate) status: Option<PathBuf>,
    /// Verify for this time instead of now, for example 2026-11-15T00:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<String>,
}

/// Options of `grantor listen`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listen {
    /// URL to send each event to; can be on this machine
    #[arg(long, value_name = "URL", value_parser = Parsed(receiver_url))]
    pub(crate) forward_to: Url,
    #[command(flatten)]
    pub(crate) connect: Connect,
    /// File for the position in the feed and the signing secret [default: one for each server and
    /// API key in ~/.local/state/grantor]
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// On the first run, start with the oldest stored event instead of the next one
    #[arg(long)]
    pub(crate) from_start: bool,
}

/// An API with its own OpenAPI document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Surface {
    /// External API 3.1.0.
    External,
    /// Console and admin API 1.0.1.
    Console,
}

/// Commands for keys.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Keys {
    /// Create new signing keys; existing tokens stay valid
    Rotate {
        /// Also create a new root key for encryption; older root keys still decrypt
        #[arg(long)]
        root: bool,
        /// Write the new key ring to this file, for a key ring that is mounted
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
    },
    /// Withdraw the last rotation if its file was lost before any node had it
    Cancel,
}

/// Commands for staff accounts.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Admin {
    /// Create a staff account and print a one-time sign-in token
    Create {
        /// Email address of the new staff member
        #[arg(long)]
        email: String,
        /// Full name of the new staff member, 2 to 100 characters
        #[arg(long)]
        fullname: String,
        /// Role of the new staff member
        #[arg(long, default_value = "Super_Admin", value_parser = ["Super_Admin", "Admin", "Support_Admin"])]
        role: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a new one-time sign-in token for a staff account
    Token {
        /// Email address of the staff member
        #[arg(long)]
        email: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Parses the command line into the command and the settings given as flags.
///
/// As usual with clap, a request for help or for the version is returned as an error.
pub(crate) fn parse<A>(arguments: A) -> Result<(Cli, Flags), clap::Error>
where
    A: IntoIterator<Item = OsString>,
{
    let matches = command().try_get_matches_from(arguments)?;
    let cli = Cli::from_arg_matches(&matches)?;
    let mut flags = setting_flags(&matches);
    if matches!(cli.command, Command::Serve { no_workers: true, .. }) {
        flags.push((WORKERS.flag, "false".into()));
    }
    Ok((cli, flags))
}

/// The whole command line. Every command accepts the settings, but only those that run the server
/// list them in their help.
pub(crate) fn command() -> clap::Command {
    let mut command = Cli::command().args(setting_args(false));
    let names: Vec<_> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names.iter().filter(|name| !matches!(name.as_str(), "serve" | "worker")) {
        command = command.mut_subcommand(name, |sub| {
            let sub = sub.args(setting_args(true));
            if client::NAMES.contains(&name.as_str()) {
                return sub;
            }
            sub.after_help("Accepts every setting listed by grantor --help.")
        });
    }
    for name in ["serve", "worker"] {
        command = command.mut_subcommand(name, |sub| sub.after_help(ABOUT_SETTINGS));
    }
    command
}

fn setting_args(hidden: bool) -> impl Iterator<Item = Arg> {
    SETTINGS.iter().filter(|setting| !setting.is_switch()).flat_map(move |setting| {
        let file = Arg::new(setting.flag_file).long(setting.flag_file).value_name("PATH");
        let file = setting.may_be_file().then(|| file.global(true).hide(true));
        [Some(setting_arg(setting).hide(hidden)), file].into_iter().flatten()
    })
}

fn setting_arg(setting: &'static Setting) -> Arg {
    let sentence = setting.help.trim_end_matches('.');
    Arg::new(setting.flag)
        .long(setting.flag)
        .value_name(setting.placeholder)
        .help(format!("{sentence} [default: {}]", setting.fallback.text()))
        .help_heading(setting.group.title())
        .global(true)
}

/// Global arguments are available here even if they were written after the command.
fn setting_flags(matches: &ArgMatches) -> Flags {
    let names = SETTINGS.iter().filter(|setting| !setting.is_switch()).flat_map(|setting| {
        [Some(setting.flag), setting.may_be_file().then_some(setting.flag_file)]
    });
    let given = names.flatten().filter_map(|name| {
        let text: &String = matches.get_one(name)?;
        Some((name, SecretString::from(text.as_str())))
    });
    given.collect()
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    fn read(line: &str) -> Result<(Cli, Flags), clap::Error> {
        parse(line.split(' ').map(OsString::from))
    }

    fn help(line: &str) -> String {
        read(line).unwrap_err().to_string()
    }

    #[test]
    fn the_command_line_is_well_formed() {
        command().debug_assert();
    }

    #[test]
    fn a_setting_may_stand_before_or_after_the_command() {
        let line = "grantor --listen 127.0.0.1:1 keys rotate --root --redis-url-file /run/redis";
        let (cli, flags) = read(line).unwrap();
        assert_eq!(cli.command, Command::Keys(Keys::Rotate { root: true, to: None }));
        let given: Vec<_> =
            flags.iter().map(|(name, text)| (*name, text.expose_secret())).collect();
        assert_eq!(given, [("listen", "127.0.0.1:1"), ("redis-url-file", "/run/redis")]);
    }

    #[test]
    fn every_command_is_read() {
        for (line, command) in [
            ("grantor serve", Command::Serve { no_workers: false, demo: false, verbose: false }),
            (
                "grantor serve --demo -v",
                Command::Serve { no_workers: false, demo: true, verbose: true },
            ),
            ("grantor worker", Command::Worker),
            ("grantor migrate", Command::Migrate { plan: false }),
            ("grantor migrate --plan", Command::Migrate { plan: true }),
            ("grantor backup --to b", Command::Backup { to: "b".into() }),
            ("grantor restore --from b", Command::Restore { from: Some("b".into()), check: None }),
            ("grantor restore --check b", Command::Restore { from: None, check: Some("b".into()) }),
            ("grantor check-config --reference", Command::CheckConfig { reference: true }),
            ("grantor doctor", Command::Doctor { deep: false }),
            ("grantor doctor --deep", Command::Doctor { deep: true }),
            ("grantor keys cancel", Command::Keys(Keys::Cancel)),
            ("grantor demo --json", Command::Demo { json: true }),
            (
                "grantor listen --forward-to http://localhost:1 --from-start",
                Command::Listen(Listen {
                    forward_to: Url::parse("http://localhost:1").unwrap(),
                    connect: Connect::default(),
                    state: None,
                    from_start: true,
                }),
            ),
            (
                "grantor verify r.sd-jwt --jwks k.json --at 2026-11-15T00:00:00Z",
                Command::Verify(Verify {
                    file: "r.sd-jwt".into(),
                    jwks: Some("k.json".into()),
                    status: None,
                    at: Some("2026-11-15T00:00:00Z".into()),
                }),
            ),
            ("grantor openapi console", Command::Openapi { surface: Surface::Console }),
            ("grantor completions zsh", Command::Completions { shell: Shell::Zsh }),
            ("grantor man pages", Command::Man { folder: Some("pages".into()) }),
        ] {
            let (cli, flags) = read(line).unwrap();
            assert_eq!((cli.command, flags.len()), (command, 0), "{line}");
        }
    }

    #[test]
    fn no_workers_is_the_setting_turned_off() {
        let (_, flags) = read("grantor serve --no-workers --config x.toml").unwrap();
        assert_eq!(flags.len(), 1);
        assert_eq!((flags[0].0, flags[0].1.expose_secret()), ("no-workers", "false"));
    }

    #[test]
    fn help_lists_settings_where_they_matter() {
        let root = help("grantor --help");
        for part in ["check-config", "Serving:", "--redis-url <URL>", "GRANTOR_SOME_NAME"] {
            assert!(root.contains(part), "{part} is missing in\n{root}");
        }
        assert!(help("grantor serve --help").contains("--redis-url <URL>"));
        let backup = help("grantor backup --help");
        assert!(backup.contains("--to <DIR>") && !backup.contains("--redis-url"), "{backup}");
    }

    #[test]
    fn a_slip_in_a_flag_is_told() {
        assert!(help("grantor serve --lisen x").contains("--listen"));
    }
}
