//! Collects the values from the command line, the environment and the file, each with its source.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};

use super::file;
use super::mask::masked;
use super::problem::{Problem, Problems};
use super::setting_names::{self, Named, Spelling};
use super::settings::{Fallback, Setting};

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ValueSource {
    /// The flag of this name.
    Flag(&'static str),
    /// The environment variable of this name.
    Environment(&'static str),
    /// This configuration file.
    File(PathBuf),
    /// The default value.
    Default,
}

impl fmt::Display for ValueSource {
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

/// All sources of a configuration.
pub(crate) struct Sources<E> {
    /// Flags of the command line.
    pub(crate) flags: Flags,
    /// The process's environment; unrelated variables are ignored.
    pub(crate) environment: E,
    /// The file given with `--config`, which must exist.
    pub(crate) config: Option<PathBuf>,
    /// The file that is read without `--config`, if it exists.
    pub(crate) default_config: PathBuf,
}

/// A value before it is parsed. Every value is kept as a secret, so that only [`Settings::shown`]
/// decides what may be shown.
#[derive(Clone, Debug)]
struct Given {
    text: SecretString,
    source: ValueSource,
}

/// The given values, by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    given: BTreeMap<&'static str, Given>,
}

impl Settings {
    /// Flags override the environment, and the environment overrides the file.
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

    /// The given value, or else the default.
    pub(crate) fn text(&self, setting: &Setting) -> Option<&str> {
        match (self.given.get(setting.key), setting.fallback) {
            (Some(given), _) => Some(given.text.expose_secret()),
            (None, Fallback::Text(text)) => Some(text),
            (None, Fallback::Unset(_)) => None,
        }
    }

    /// Where the value comes from.
    pub(crate) fn source(&self, setting: &Setting) -> &ValueSource {
        self.given.get(setting.key).map_or(&ValueSource::Default, |given| &given.source)
    }

    /// The value with its secret parts masked.
    pub(crate) fn shown(&self, setting: &Setting) -> Option<String> {
        self.text(setting).map(|text| masked(setting.secrecy, text))
    }
}

/// The values of one source, and the names of files that contain values.
#[derive(Default)]
struct Layer(Vec<(Named, Given)>);

impl Layer {
    fn push(&mut self, named: Named, text: SecretString, source: ValueSource) {
        self.0.push((named, Given { text, source }));
    }

    /// Reads the named files. A secret given both ways is a problem: one would be ignored.
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
                let what = "set either the value or its file, not both";
                problems.push(named_file_problem(setting, &source, what));
            }
        }
        resolved
    }
}

fn read_flags(flags: Flags) -> Layer {
    let mut layer = Layer::default();
    for (name, text) in flags {
        // The command line is built from the same table, so every flag is found.
        if let Some(named) = setting_names::find(setting_names::FLAG, name) {
            layer.push(named, text, ValueSource::Flag(name));
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
        // Tools such as Docker Compose pass unset variables as empty.
        if value.is_empty() {
            continue;
        }
        let value = value.into_string();
        match (setting_names::find(setting_names::ENVIRONMENT, name), value) {
            (Some(named), Ok(text)) => {
                let source = ValueSource::Environment(spelled(setting_names::ENVIRONMENT, named));
                layer.push(named, text.into(), source);
            }
            (Some(_), Err(_)) => {
                problems.push(Problem::at(name, "environment", "the value is not UTF-8 text"));
            }
            (None, value)
                if setting_names::is_foreign(name, value.as_deref().unwrap_or_default()) => {}
            (None, _) => {
                let what = setting_names::unknown(setting_names::ENVIRONMENT, name);
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
        if let Some(named) = setting_names::find(setting_names::FILE, &key) {
            layer.push(named, value, ValueSource::File(path.to_owned()));
        } else {
            let place = format!("file {}", path.display());
            problems.push(Problem::at(
                &key,
                &place,
                setting_names::unknown(setting_names::FILE, &key),
            ));
        }
    }
    layer
}

/// Reads a secret from a file. A trailing line break is not part of it.
pub(crate) fn read_secret(path: &str) -> Result<SecretString, String> {
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        // The path is not repeated: it may be the secret itself by mistake.
        ErrorKind::NotFound | ErrorKind::InvalidFilename => "there is no such file".to_owned(),
        _ => format!("{path} cannot be read: {error}"),
    })?;
    let secret = text.strip_suffix('\n').unwrap_or(&text);
    let secret = secret.strip_suffix('\r').unwrap_or(secret);
    if secret.is_empty() {
        return Err(format!("{path} is empty"));
    }
    Ok(secret.into())
}

/// In a configuration file the name is the `_file` key; elsewhere the source has the name.
fn named_file_problem(setting: &Setting, source: &ValueSource, what: &str) -> Problem {
    match source {
        ValueSource::File(path) => {
            Problem::at(setting.key_file, &format!("file {}", path.display()), what)
        }
        _ => Problem::of(setting, source, what),
    }
}

fn spelled(spelling: Spelling, named: Named) -> &'static str {
    let (plain, file) = spelling(named.setting);
    if named.is_file { file } else { plain }
}
