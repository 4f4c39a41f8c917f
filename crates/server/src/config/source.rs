//! Gathers what the command line, the environment and the file say, each value with its source.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};

use super::file;
use super::mask::masked;
use super::names::{self, Named, Spelling};
use super::problem::{Problem, Problems};
use super::settings::{Fallback, Setting};

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The flag of this name.
    Flag(&'static str),
    /// The environment variable of this name.
    Environment(&'static str),
    /// This configuration file.
    File(PathBuf),
    /// Nobody gave it.
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) => write!(f, "flag --{name}"),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::File(path) => write!(f, "file {}", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// Flags by name without dashes. Their values may be secret.
pub(crate) type Flags = Vec<(&'static str, SecretString)>;

/// Everything a configuration is read from.
pub(crate) struct Sources<E> {
    /// Flags of the command line.
    pub(crate) flags: Flags,
    /// The process's environment; variables of others are passed over.
    pub(crate) environment: E,
    /// The file named with `--config`, which must be there.
    pub(crate) config: Option<PathBuf>,
    /// The file that is read without `--config`, if it is there.
    pub(crate) default_config: PathBuf,
}

/// A value as text, before it is read. Kept as a secret whatever it is, so that only
/// [`Settings::shown`] decides what may be seen.
#[derive(Clone, Debug)]
struct Given {
    text: SecretString,
    source: Source,
}

/// The values somebody gave, by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    given: BTreeMap<&'static str, Given>,
}

impl Settings {
    /// Flags beat the environment, the environment beats the file.
    pub(crate) fn gather<E>(sources: Sources<E>) -> Result<Self, Problems>
    where
        E: IntoIterator<Item = (OsString, OsString)>,
    {
        let mut problems = Vec::new();
        let mut settings = Self::default();
        let layers = [
            read_file(sources.config.as_deref(), &sources.default_config, &mut problems),
            read_environment(sources.environment, &mut problems),
            read_flags(sources.flags),
        ];
        for layer in layers {
            settings.given.extend(layer.resolve(&mut problems));
        }
        Problems::check(problems)?;
        Ok(settings)
    }

    /// The text to read: the given one, or else the default's.
    pub(crate) fn text(&self, setting: &Setting) -> Option<&str> {
        match (self.given.get(setting.key), setting.fallback) {
            (Some(given), _) => Some(given.text.expose_secret()),
            (None, Fallback::Text(text)) => Some(text),
            (None, Fallback::Unset(_)) => None,
        }
    }

    /// Where the value came from.
    pub(crate) fn source(&self, setting: &Setting) -> &Source {
        self.given.get(setting.key).map_or(&Source::Default, |given| &given.source)
    }

    /// The value as far as it may be shown.
    pub(crate) fn shown(&self, setting: &Setting) -> Option<String> {
        self.text(setting).map(|text| masked(setting.secrecy, text))
    }
}

/// What one source says: texts, and names of files that hold texts.
#[derive(Default)]
struct Layer(Vec<(Named, Given)>);

impl Layer {
    fn push(&mut self, named: Named, text: SecretString, source: Source) {
        self.0.push((named, Given { text, source }));
    }

    /// Reads the named files. A secret given both ways is a fault: one of them would be ignored.
    fn resolve(self, problems: &mut Vec<Problem>) -> BTreeMap<&'static str, Given> {
        let mut resolved = BTreeMap::new();
        for (Named { setting, is_file }, mut given) in self.0 {
            if is_file {
                match read_secret(given.text.expose_secret()) {
                    Ok(text) => given.text = text,
                    Err(what) => problems.push(named_file_problem(setting, &given.source, &what)),
                }
            }
            let source = given.source.clone();
            if resolved.insert(setting.key, given).is_some() {
                let what = "give either the value or the file that holds it, not both";
                problems.push(named_file_problem(setting, &source, what));
            }
        }
        resolved
    }
}

fn read_flags(flags: Flags) -> Layer {
    let mut layer = Layer::default();
    for (name, text) in flags {
        // The command line is built from the same table, so that a flag is always found.
        if let Some(named) = names::find(names::FLAG, name) {
            layer.push(named, text, Source::Flag(name));
        }
    }
    layer
}

fn read_environment(
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    problems: &mut Vec<Problem>,
) -> Layer {
    let mut layer = Layer::default();
    for (name, value) in environment {
        let Some(name) = name.to_str().filter(|name| name.starts_with("GRANTOR_")) else {
            continue;
        };
        // Composing tools pass on what is not set as an empty text.
        if value.is_empty() {
            continue;
        }
        let value = value.into_string();
        match (names::find(names::ENVIRONMENT, name), value) {
            (Some(named), Ok(text)) => {
                let source = Source::Environment(spelled(names::ENVIRONMENT, named));
                layer.push(named, text.into(), source);
            }
            (Some(_), Err(_)) => {
                problems.push(Problem::at(name, "environment", "the value is not UTF-8 text"));
            }
            (None, value) if names::is_foreign(name, value.as_deref().unwrap_or_default()) => {}
            (None, _) => {
                let what = names::unknown(names::ENVIRONMENT, name);
                problems.push(Problem::at(name, "environment", what));
            }
        }
    }
    layer
}

fn read_file(config: Option<&Path>, default: &Path, problems: &mut Vec<Problem>) -> Layer {
    let path = config.unwrap_or(default);
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if config.is_none() && error.kind() == ErrorKind::NotFound => {
            return Layer::default();
        }
        Err(error) => {
            let name = if config.is_some() { "--config" } else { "grantor.toml" };
            let place = if config.is_some() { "flag" } else { "file" };
            let what = format!("{} cannot be read: {error}", path.display());
            problems.push(Problem::at(name, place, what));
            return Layer::default();
        }
    };
    let mut layer = Layer::default();
    for (key, value) in file::entries(path, &text, problems) {
        if let Some(named) = names::find(names::FILE, &key) {
            layer.push(named, value, Source::File(path.to_owned()));
        } else {
            let place = format!("file {}", path.display());
            problems.push(Problem::at(&key, &place, names::unknown(names::FILE, &key)));
        }
    }
    layer
}

/// A trailing line break is the editor's, not part of the secret.
pub(crate) fn read_secret(path: &str) -> Result<SecretString, String> {
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        // The name is not repeated: somebody may have put the secret itself there.
        ErrorKind::NotFound | ErrorKind::InvalidFilename => "no file has that name".to_owned(),
        _ => format!("{path} cannot be read: {error}"),
    })?;
    let secret = text.strip_suffix('\n').unwrap_or(&text);
    let secret = secret.strip_suffix('\r').unwrap_or(secret);
    if secret.is_empty() {
        return Err(format!("{path} is empty"));
    }
    Ok(secret.into())
}

/// In a file the fault is the one of the `_file` key; elsewhere the source has the name already.
fn named_file_problem(setting: &Setting, source: &Source, what: &str) -> Problem {
    match source {
        Source::File(path) => {
            Problem::at(setting.key_file, &format!("file {}", path.display()), what)
        }
        _ => Problem::of(setting, source, what),
    }
}

fn spelled(spelling: Spelling, named: Named) -> &'static str {
    let (plain, file) = spelling(named.setting);
    if named.is_file { file } else { plain }
}
