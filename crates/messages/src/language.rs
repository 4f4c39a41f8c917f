//! Languages.

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use fluent_bundle::FluentValue;

use crate::error_pattern::{ErrorPatterns, FoundError};
use crate::message_set::MessageSet;

/// The language that has every text.
const ENGLISH: &str = "en";

/// The built-in files: the language, the name and the messages of each.
const FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

static SETS: OnceLock<Vec<MessageSet>> = OnceLock::new();

tokio::task_local! {
    /// The language of the page that is being rendered.
    static CURRENT: Language;
    /// The separator of thousands on the page that is being rendered.
    static THOUSANDS: char;
}

/// The name of the built-in file with the patterns of errors.
const ERRORS: &str = "error";

/// The families of the names of states and roles, which errors contain.
const STATES: [&str; 2] = ["view-state", "view-role"];

/// How deep an error can contain others, such as the reason why an address could not be read.
const MAX_DEPTH: u8 = 3;

/// Renders a page with another separator of thousands than its language has, as in a region.
pub async fn with_thousands<F: Future>(separator: char, page: F) -> F::Output {
    THOUSANDS.scope(separator, page).await
}

/// The separator of thousands on the page that is being rendered, if it has one of its own.
pub(crate) fn thousands() -> Option<char> {
    THOUSANDS.try_with(|it| *it).ok()
}

/// Returns the key of the message that translates an English error of the domain.
#[must_use]
pub fn find_error(text: &str) -> Option<&'static str> {
    let patterns = error_patterns();
    let found = patterns.find(text).or_else(|| patterns.find(text.strip_suffix('.')?));
    found.map(|it| it.key)
}

fn error_patterns() -> &'static ErrorPatterns {
    ErrorPatterns::get(|| {
        let file = FILES.iter().find(|(code, file, _)| *code == ENGLISH && *file == ERRORS);
        file.map_or("", |(_, _, messages)| *messages)
    })
}

/// Why message files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A folder or a file cannot be read.
    #[error("{0}: {1}")]
    Unreadable(String, std::io::Error),
    /// A file is not valid Fluent, or defines a message twice.
    #[error("{0}: {1}")]
    Invalid(String, String),
}

/// A language that there are messages in.
#[derive(Clone, Copy)]
pub struct Language(&'static MessageSet);

/// Adds the languages of a folder: each of its folders is named by a language, such as `fr`, and has
/// message files. Their messages replace built-in ones. Call this before anything is rendered.
pub fn load(folder: &Path) -> Result<(), LoadError> {
    let mut sets = built_in();
    for language in entries(folder)? {
        let code = name(&language);
        let known = sets.iter().position(|it| it.code() == code);
        let at = known.unwrap_or_else(|| {
            sets.push(MessageSet::new(&code));
            sets.len() - 1
        });
        for file in entries(&language)? {
            let messages = fs::read_to_string(&file);
            let path = file.display().to_string();
            let messages = messages.map_err(|error| LoadError::Unreadable(path.clone(), error))?;
            sets[at].add(messages).map_err(|problem| LoadError::Invalid(path, problem))?;
        }
    }
    sets.iter_mut().for_each(MessageSet::finish);
    // A second call would have to change texts that are in use.
    let _ = SETS.set(sets);
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<std::path::PathBuf>, LoadError> {
    let unreadable = |error| LoadError::Unreadable(folder.display().to_string(), error);
    let listed = fs::read_dir(folder).map_err(unreadable)?;
    let mut found = listed
        .map(|it| it.map(|it| it.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(unreadable)?;
    found.sort();
    Ok(found)
}

fn name(path: &Path) -> String {
    path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default()
}

fn built_in() -> Vec<MessageSet> {
    let mut sets: Vec<MessageSet> = vec![MessageSet::new(ENGLISH)];
    for (code, _, messages) in FILES {
        if sets.iter().all(|it| it.code() != *code) {
            sets.push(MessageSet::new(code));
        }
        if let Some(set) = sets.iter_mut().find(|it| it.code() == *code) {
            // A test reads all built-in files, so this does not fail.
            let _ = set.add((*messages).to_owned());
        }
    }
    sets.iter_mut().for_each(MessageSet::finish);
    sets
}

fn sets() -> &'static [MessageSet] {
    SETS.get_or_init(built_in)
}

impl Language {
    /// All languages; English is the first.
    pub fn all() -> impl Iterator<Item = Self> {
        sets().iter().map(Self)
    }

    /// English.
    #[must_use]
    pub fn english() -> Self {
        Self(&sets()[0])
    }

    /// Returns the language with a code, such as `de`.
    #[must_use]
    pub fn find(code: &str) -> Option<Self> {
        sets().iter().find(|it| it.code() == code).map(Self)
    }

    /// Chooses a language by what a browser prefers: the value of `Accept-Language`.
    #[must_use]
    pub fn preferred(accepted: &str) -> Self {
        let mut wanted: Vec<(f32, &str)> = accepted
            .split(',')
            .filter_map(|it| {
                let (tag, weight) = it.split_once(';').unwrap_or((it, ""));
                let weight = weight.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse);
                Some((weight.ok()?, tag.trim()))
            })
            .filter(|(weight, _)| *weight > 0.0)
            .collect();
        wanted.sort_by(|one, other| other.0.total_cmp(&one.0));
        let primary = |tag: &str| tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
        let found = wanted
            .into_iter()
            .find_map(|(_, tag)| Self::find(tag).or_else(|| Self::find(&primary(tag))));
        found.unwrap_or_else(Self::english)
    }

    /// The language of the page that is being rendered, or English.
    #[must_use]
    pub fn current() -> Self {
        CURRENT.try_with(|it| *it).unwrap_or_else(|_| Self::english())
    }

    /// Renders a page in this language.
    pub async fn scope<F: Future>(self, page: F) -> F::Output {
        CURRENT.scope(self, page).await
    }

    /// The code, such as `de`.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// The name in the language itself.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.text("language-name")
    }

    /// Returns a text without variables. A missing one is its key, which a test finds.
    #[must_use]
    pub fn text(self, key: &'static str) -> &'static str {
        self.find_text(key).unwrap_or(key)
    }

    /// Returns the text for a name that is not known at compile time: the message
    /// `{family}-{name}`, with hyphens for all other punctuation.
    #[must_use]
    pub fn named(self, family: &str, name: &str) -> Option<&'static str> {
        let name = name.replace(|it: char| !it.is_ascii_alphanumeric(), "-");
        self.find_text(&format!("{family}-{name}"))
    }

    fn find_text(self, key: &str) -> Option<&'static str> {
        self.0.text(key).or_else(|| Self::english().0.text(key))
    }

    /// Returns an English error of the domain or the service in this language. An unknown one stays
    /// English.
    #[must_use]
    pub fn error(self, text: &str) -> Cow<'_, str> {
        if self == Self::english() { Cow::Borrowed(text) } else { self.error_at(text, 0) }
    }

    /// Parts of an error can be errors too.
    fn error_at(self, text: &str, depth: u8) -> Cow<'_, str> {
        let patterns = error_patterns();
        let find = |text| patterns.find(text).filter(|_| depth < MAX_DEPTH);
        let (found, end) = match (find(text), text.strip_suffix('.')) {
            (None, Some(plain)) => (find(plain), "."),
            (found, _) => (found, ""),
        };
        let Some(FoundError { key, values }) = found else { return Cow::Borrowed(text) };
        let values: Vec<_> = values
            .into_iter()
            .map(|(name, value)| (name, self.error_value(value, depth + 1)))
            .collect();
        Cow::Owned(self.format(key, &values) + end)
    }

    /// A part of an error: a number, a list of states, another error, or anything else.
    fn error_value(self, value: &str, depth: u8) -> FluentValue<'_> {
        let digits = value.replace(',', "");
        let is_number = value.starts_with(|it: char| it.is_ascii_digit())
            && digits.len() <= 15
            && digits.bytes().all(|it| it.is_ascii_digit());
        match digits.parse::<u64>() {
            Ok(number) if is_number => number.into(),
            _ => {
                let words: Option<Vec<_>> =
                    value.split(", ").map(|it| self.error_word(it)).collect();
                let words = words.map(|it| Cow::Owned(it.join(", ")));
                FluentValue::String(words.unwrap_or_else(|| self.error_at(value, depth)))
            }
        }
    }

    /// The name of a state or role, or an error without variables.
    fn error_word(self, word: &str) -> Option<&'static str> {
        let found = error_patterns().find(word).filter(|it| it.values.is_empty());
        let name = word.to_ascii_lowercase();
        found
            .and_then(|it| self.find_text(it.key))
            .or_else(|| STATES.iter().find_map(|family| self.named(family, &name)))
    }

    /// Returns a text with variables.
    #[must_use]
    pub fn format(self, key: &str, values: &[(&'static str, FluentValue<'_>)]) -> String {
        let found = self.0.format(key, values).or_else(|| Self::english().0.format(key, values));
        found.unwrap_or_else(|| key.to_owned())
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.code() == other.code()
    }
}

impl Eq for Language {}

impl std::fmt::Debug for Language {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Language({})", self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_the_messages_of_english_with_the_same_variables() {
        for (code, file, messages) in FILES {
            let added = MessageSet::new(code).add((*messages).to_owned());
            assert_eq!(added, Ok(()), "{code}/{file}.ftl");
        }
        let english = Language::english().0.variables();
        for language in Language::all() {
            let found = language.0.variables();
            let missing: Vec<_> = english.iter().filter(|it| !found.contains(it)).collect();
            let unknown: Vec<_> = found.iter().filter(|it| !english.contains(it)).collect();
            assert!(
                missing.is_empty() && unknown.is_empty(),
                "{language:?}: missing {missing:?}, unknown {unknown:?}"
            );
        }
    }

    #[test]
    fn a_browser_gets_the_language_that_it_prefers_most() {
        let code = |accepted| Language::preferred(accepted).code();
        assert_eq!(code("de-AT,de;q=0.9,en;q=0.8"), "de");
        assert_eq!(code("fr,en;q=0.5,de;q=0.7"), "de");
        assert_eq!(code("en-US"), "en");
        assert_eq!(code("xx, de;q=0"), "en");
        assert_eq!(code(";;q=x,"), "en");
    }

    #[test]
    fn numbers_are_grouped_as_the_language_does() {
        let count = |code| {
            Language::find(code)
                .unwrap()
                .format("list-count", &[("count", FluentValue::from(12_345))])
        };
        assert_eq!([count("en"), count("de")], ["12,345 results", "12.345 Ergebnisse"]);
    }

    #[test]
    fn errors_are_found_by_their_english_texts() {
        let german = |text| Language::find("de").unwrap().error(text).into_owned();
        assert_eq!(german("is required"), "ist erforderlich");
        assert_eq!(german("must be 2 to 1,000 characters"), "muss 2 bis 1.000 Zeichen lang sein");
        assert_eq!(german("License not found."), "Lizenz nicht gefunden.");
        let nested = german("could not be read: the server returned status 404");
        assert_eq!(nested, "konnte nicht gelesen werden: der Server antwortete mit Status 404");
        let state = german("A license cannot change from draft to expired");
        assert_eq!(state, "Eine Lizenz kann nicht von „Entwurf“ zu „abgelaufen“ wechseln");
        let list = german("must have at least 8 characters, an uppercase letter and a digit");
        let expected = "mindestens 8 Zeichen, einen Großbuchstaben und eine Ziffer";
        assert_eq!(list, format!("muss Folgendes enthalten: {expected}"));
        assert_eq!(german("something unheard of"), "something unheard of");
        assert_eq!(Language::english().error("is required"), "is required");
        assert_eq!(find_error("must not be . or .."), Some("error-must-not-be-or"));
        let bounds = find_error("must be {min} to {max} characters");
        assert_eq!(bounds, find_error("must be 1 to 2 characters"));
        assert_eq!(find_error("something unheard of"), None);
    }

    #[tokio::test]
    async fn texts_are_in_the_language_of_the_page() {
        let read = || crate::text("list-empty");
        assert_eq!(read(), "Nothing found.");
        let german = Language::find("de").unwrap();
        assert_eq!(german.scope(async { read() }).await, "Nichts gefunden.");
        assert_eq!((german.name(), german.text("no-such-key")), ("Deutsch", "no-such-key"));
    }
}
