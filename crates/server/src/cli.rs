//! The command line. Commands are derived; the flags of settings come from the settings table.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use secrecy::SecretString;

use crate::config::Flags;
use crate::config::settings::{SETTINGS, Setting, WORKERS};

/// How settings are given, under every help.
const ABOUT_SETTINGS: &str = "\
A setting named --some-name is also read from the variable GRANTOR_SOME_NAME and from the key
some_name of grantor.toml. Flags beat the environment, the environment beats the file.
What may hold a secret can be given as a file: --some-name-file, GRANTOR_SOME_NAME_FILE.";

/// The register of who may use whose likeness, and the watchtower over its use
#[derive(Debug, Parser)]
#[command(name = "grantor", version, max_term_width = 100, after_help = ABOUT_SETTINGS)]
pub(crate) struct Cli {
    /// Configuration file [default: grantor.toml in the current directory, if it is there]
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) config: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What the binary can do.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Command {
    /// Run the server and the background work
    Serve {
        /// Leave the background work to other processes (grantor worker)
        #[arg(long)]
        no_workers: bool,
        /// Fill a store without accounts with a sample first, and print how to try it
        #[arg(long)]
        demo: bool,
    },
    /// Run the background work only
    Worker,
    /// Bring the database's schema up to date
    Migrate,
    /// Copy the database, the pictures and the keys into a directory
    Backup {
        /// Directory to write, which must be new or empty
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
    },
    /// Fill an empty store from a backup
    Restore {
        /// Directory that a backup wrote
        #[arg(long, value_name = "DIR")]
        from: Option<PathBuf>,
        /// Prove that a backup is whole and that its keys open it, and touch nothing
        #[arg(long, value_name = "DIR", conflicts_with = "from")]
        check: Option<PathBuf>,
    },
    /// Show each setting, masked, and where it came from
    CheckConfig {
        /// Print the reference of all settings as Markdown instead
        #[arg(long)]
        reference: bool,
    },
    /// Test everything the server needs and say what is wrong
    Doctor {
        /// Read every picture and compare its hash, instead of a sample
        #[arg(long)]
        deep: bool,
    },
    /// Print the OpenAPI document of an API
    Openapi {
        /// Which API
        surface: Surface,
    },
    /// Look after the server's keys
    #[command(subcommand)]
    Keys(Keys),
    /// Let the operator's staff in
    #[command(subcommand)]
    Admin(Admin),
    /// Fill an empty store with a sample and print how to get in: the secrets are shown this once
    Demo {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Send an API client's events to an address of your own, signed as webhooks are
    Listen(Listen),
}

/// What `grantor listen` takes. The API client's pair comes from the environment.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listen {
    /// Address that each event is posted to; it may be one of this machine
    #[arg(long, value_name = "URL")]
    pub(crate) forward_to: String,
    /// Address of the Grantor server [default: the public URL]
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// File that keeps the place in the feed and the signing secret [default: one for each server
    /// and API key in ~/.local/state/grantor]
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Begin with the oldest event that is kept, instead of now, where nothing was forwarded yet
    #[arg(long)]
    pub(crate) from_start: bool,
}

/// An API with a document of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Surface {
    /// External API 3.1.0.
    External,
    /// Console and admin API 1.0.1.
    Console,
}

/// What can be done with keys.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Keys {
    /// Make new signing keys; live tokens stay valid
    Rotate {
        /// Make a new root key too, which seals from now on; older ones still open
        #[arg(long)]
        root: bool,
    },
}

/// What can be done with staff.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Admin {
    /// Make an account of staff and print its one-time token
    Create {
        /// Address of the new member
        #[arg(long)]
        email: String,
        /// Name of the new member, 2 to 100 characters
        #[arg(long)]
        fullname: String,
        /// What the new member may do
        #[arg(long, default_value = "Super_Admin", value_parser = ["Super_Admin", "Admin", "Support_Admin"])]
        role: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print another one-time token for an account of staff
    Token {
        /// Address of the member
        #[arg(long)]
        email: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Reads the command line: the command, and the settings given as flags.
///
/// A request for help or for the version comes back as an error too, as clap has it.
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

/// The whole command line. Only the commands that run the server list the settings in their help;
/// the others take them as well, without drowning their own arguments in them.
fn command() -> clap::Command {
    let mut command = Cli::command().args(setting_args(false));
    let names: Vec<_> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names.iter().filter(|name| !matches!(name.as_str(), "serve" | "worker")) {
        command = command.mut_subcommand(name, |sub| {
            sub.args(setting_args(true))
                .after_help("Takes every setting that grantor --help lists.")
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
        .help(format!("{sentence} [default: {}]", setting.fallback.words()))
        .help_heading(setting.group.title())
        .global(true)
}

/// Global values are known at every level, also when they were written after the command.
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
        assert_eq!(cli.command, Command::Keys(Keys::Rotate { root: true }));
        let given: Vec<_> =
            flags.iter().map(|(name, text)| (*name, text.expose_secret())).collect();
        assert_eq!(given, [("listen", "127.0.0.1:1"), ("redis-url-file", "/run/redis")]);
    }

    #[test]
    fn every_command_is_read() {
        for (line, command) in [
            ("grantor serve", Command::Serve { no_workers: false, demo: false }),
            ("grantor serve --demo", Command::Serve { no_workers: false, demo: true }),
            ("grantor worker", Command::Worker),
            ("grantor migrate", Command::Migrate),
            ("grantor backup --to b", Command::Backup { to: "b".into() }),
            ("grantor restore --from b", Command::Restore { from: Some("b".into()), check: None }),
            ("grantor restore --check b", Command::Restore { from: None, check: Some("b".into()) }),
            ("grantor check-config --reference", Command::CheckConfig { reference: true }),
            ("grantor doctor", Command::Doctor { deep: false }),
            ("grantor doctor --deep", Command::Doctor { deep: true }),
            ("grantor demo --json", Command::Demo { json: true }),
            (
                "grantor listen --forward-to http://localhost:1 --from-start",
                Command::Listen(Listen {
                    forward_to: "http://localhost:1".into(),
                    server: None,
                    state: None,
                    from_start: true,
                }),
            ),
            ("grantor openapi console", Command::Openapi { surface: Surface::Console }),
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
