//! `grantor check-config`: each setting, masked, and where it came from; or the reference of all.

use std::io::{self, Write};

use crate::config::settings::{DATABASE_URL, Fallback, PUBLIC_URL, SETTINGS, Setting};
use crate::config::{Config, Database, Settings, Source};

/// Writes the table of settings.
pub(crate) fn table(out: &mut dyn Write, settings: &Settings, config: &Config) -> io::Result<()> {
    let rows: Vec<[String; 3]> = SETTINGS
        .iter()
        .map(|setting| {
            let source = settings.source(setting).to_string();
            [setting.key.to_owned(), value(setting, settings, config), source]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let (names, values) = (width(0).unwrap_or(0), width(1).unwrap_or(0));
    writeln!(out, "{:names$}  {:values$}  SOURCE", "SETTING", "VALUE")?;
    for [name, value, source] in &rows {
        writeln!(out, "{name:names$}  {value:values$}  {source}")?;
    }
    Ok(())
}

/// Writes the reference of all settings as Markdown.
pub(crate) fn reference(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(PREFACE.as_bytes())?;
    let mut group = None;
    for setting in SETTINGS {
        if group != Some(setting.group) {
            group = Some(setting.group);
            writeln!(out, "\n## {}\n", setting.group.title())?;
            writeln!(out, "| Key | Environment | Flag | Default | Meaning |")?;
            writeln!(out, "|---|---|---|---|---|")?;
        }
        writeln!(
            out,
            "| `{}` | `{}` | `--{}` | {} | {}{} |",
            setting.key,
            setting.env,
            setting.flag,
            fallback(setting),
            setting.help,
            if setting.may_be_file() { " **Secret.**" } else { "" },
        )?;
    }
    Ok(())
}

const PREFACE: &str = "\
<!-- Written by `grantor check-config --reference`. Change the settings table, not this file. -->
# Configuration

Without any configuration Grantor runs on loopback and keeps everything in `./data`.

A setting is given as a flag, as an environment variable or as a key of a TOML file. Flags beat the
environment, the environment beats the file. The file is the one named with `--config`, or else
`grantor.toml` in the current directory if it is there. An empty environment variable counts as not
given. Relative paths start at the current directory.

What is marked **Secret** can also be read from a file, so that it stands neither in the process
list nor in the environment: add `_FILE` to the variable (`GRANTOR_REDIS_URL_FILE`), `_file` to the
key or `-file` to the flag, and give the file's path. A line break at the file's end is not part of
the secret. Giving both the value and its file in one place is an error.

In the TOML file a list may be written as text with commas or as an array.

An unknown or malformed setting stops the start with a sentence that names it. `grantor
check-config` shows each value and where it came from; secrets and passwords are masked.
`GRANTOR_API_KEY` and `GRANTOR_API_SECRET` (or `GRANTOR_API_SECRET_FILE`) are read by `grantor
listen` and are no settings.
";

/// A value that was worked out is shown as it came out.
fn value(setting: &Setting, settings: &Settings, config: &Config) -> String {
    if *settings.source(setting) == Source::Default {
        if setting.key == PUBLIC_URL.key {
            return config.public_url.to_string();
        }
        if let (true, Database::Sqlite(path)) = (setting.key == DATABASE_URL.key, &config.database)
        {
            return format!("sqlite:{}", path.display());
        }
    }
    settings.shown(setting).unwrap_or_else(|| format!("({})", setting.fallback.words()))
}

fn fallback(setting: &Setting) -> String {
    match setting.fallback {
        Fallback::Text(text) => format!("`{text}`"),
        // An angle bracket would begin a tag.
        Fallback::Unset(words) => words.replace('<', "&lt;").replace('>', "&gt;"),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::config::{self, Sources};

    fn shown(environment: &[(&str, &str)]) -> String {
        let pairs = environment.iter().map(|(name, value)| (name.into(), value.into()));
        let sources = Sources {
            flags: vec![("listen", "127.0.0.1:7000".into())],
            environment: pairs.collect::<Vec<(OsString, OsString)>>(),
            config: None,
            default_config: "no-such-file.toml".into(),
        };
        let (settings, config) = config::load(sources).unwrap();
        let mut out = Vec::new();
        table(&mut out, &settings, &config).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn row(table: &str, key: &str) -> String {
        let line = table.lines().find(|line| line.split(' ').next() == Some(key)).unwrap();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_row_says_name_value_and_source() {
        let table = shown(&[("GRANTOR_SERVICE_NAME", "likeness")]);
        for (key, expected) in [
            ("listen", "listen 127.0.0.1:7000 flag --listen"),
            ("service_name", "service_name likeness environment GRANTOR_SERVICE_NAME"),
            ("retention_audit", "retention_audit 730 default"),
            ("public_url", "public_url http://127.0.0.1:7000 default"),
            ("database_url", "database_url sqlite:./data/grantor.sqlite default"),
            ("redis_url", "redis_url (in memory, for one node) default"),
        ] {
            assert_eq!(row(&table, key), expected);
        }
        assert_eq!(table.lines().count(), SETTINGS.len() + 1);
    }

    #[test]
    fn a_secret_is_not_shown() {
        let table = shown(&[
            ("GRANTOR_DATABASE_URL", "postgres://u:hunter2@db/g"),
            ("GRANTOR_STRIPE_SECRET_KEY", "sk_live_hunter2"),
            ("GRANTOR_S3_BUCKET", "open-bucket"),
            ("GRANTOR_S3_ACCESS_KEY_ID", "hunter2"),
            ("GRANTOR_S3_SECRET_ACCESS_KEY", "hunter2"),
        ]);
        assert!(!table.contains("hunter2"), "{table}");
        // The same search finds what is not secret.
        assert!(table.contains("open-bucket"), "{table}");
        assert!(row(&table, "database_url").contains(" postgres://u:********@db/g "), "{table}");
        assert!(row(&table, "stripe_secret_key").contains(" ******** "), "{table}");
    }

    #[test]
    fn the_reference_has_every_name() {
        let mut out = Vec::new();
        reference(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for setting in SETTINGS {
            let names = format!("| `{}` | `{}` | `--{}` |", setting.key, setting.env, setting.flag);
            assert!(text.contains(&names), "{names}");
        }
    }
}
