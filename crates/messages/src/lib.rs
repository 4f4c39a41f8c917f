//! The texts of pages and mails, in the languages of the message files in `messages/`.
//!
//! A page reads a text with [`text!`], in the language of the request that is being answered. A mail
//! reads it from the [`Language`] of its recipient. English has every text; other languages fall back
//! to it.

mod error_pattern;
mod language;
mod message_set;

use std::borrow::Cow;

pub use fluent_bundle::FluentValue as Value;

pub use self::language::{Language, LoadError, find_error, load, with_thousands};

/// Returns a text in the current language: `text!("sign-in-title")` is a `&'static str`, and
/// `text!("team-size", count = 3)` is a `String`.
#[macro_export]
macro_rules! text {
    ($key:literal) => {
        $crate::text($key)
    };
    ($key:literal, $($name:ident = $value:expr),+ $(,)?) => {
        $crate::format($key, &[$((stringify!($name), $crate::Value::from($value))),+])
    };
}

/// Returns a text without variables in the current language. See [`Language::text`].
#[must_use]
pub fn text(key: &'static str) -> &'static str {
    Language::current().text(key)
}

/// Returns a text with variables in the current language. See [`Language::format`].
#[must_use]
pub fn format(key: &str, values: &[(&'static str, Value<'_>)]) -> String {
    Language::current().format(key, values)
}

/// Returns an English error of the domain in the current language. See [`Language::error`].
#[must_use]
pub fn error(text: &str) -> Cow<'_, str> {
    Language::current().error(text)
}

/// Returns the text for a name of a family in the current language. See [`Language::named`].
#[must_use]
pub fn named(family: &str, name: &str) -> Option<&'static str> {
    Language::current().named(family, name)
}
