//! The values of mails. What a value says may depend on the language and the time zone of the
//! recipient, so it is put into words for each recipient.

use std::borrow::Cow;

use grantor_domain::Timestamp;
use grantor_domain::locale::Locale;
use grantor_domain::notice::Zone;
use grantor_domain::text::with_period;
use grantor_messages::{Language, Value};

use crate::watching::verdict_reason;

/// The language and the time zone that a mail is written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MailLocale {
    /// The language.
    pub(crate) language: Language,
    /// The time zone of dates.
    pub(crate) zone: Zone,
}

impl From<Locale> for MailLocale {
    /// People without a language that is known get English.
    fn from(Locale { language, zone }: Locale) -> Self {
        let known = language.as_deref().and_then(Language::find);
        Self { language: known.unwrap_or_else(Language::english), zone }
    }
}

impl From<Language> for MailLocale {
    fn from(language: Language) -> Self {
        Self { language, zone: Zone::default() }
    }
}

/// What a variable of a mail stands for.
#[derive(Clone, Debug)]
pub(crate) enum Phrase<'a> {
    /// The same in every language, such as a name or a link.
    Plain(Cow<'a, str>),
    /// What the domain says in English, such as why a source cannot be read.
    English(Cow<'a, str>),
    /// The reason of a verdict, as the domain says it.
    Reason(Cow<'a, str>),
    /// A message of the message files, with its variables.
    Message(&'static str, Vec<(&'static str, Value<'a>)>),
    /// A name of a family of messages.
    Named(&'static str, &'a str),
    /// A day.
    Date(Timestamp),
    /// A minute of a day.
    Moment(Timestamp),
}

/// The name of a variable, and what it stands for.
pub(crate) type MailValue<'a> = (&'static str, Phrase<'a>);

impl<'a> Phrase<'a> {
    /// A message without variables.
    pub(crate) fn message(key: &'static str) -> Self {
        Self::Message(key, vec![])
    }

    /// A message with one variable.
    pub(crate) fn with(key: &'static str, name: &'static str, value: impl Into<Value<'a>>) -> Self {
        Self::Message(key, vec![(name, value.into())])
    }

    /// Puts the phrase into words.
    pub(crate) fn say(&self, locale: &MailLocale) -> String {
        let language = locale.language;
        match self {
            Self::Plain(text) => text.clone().into_owned(),
            Self::English(text) => language.error(text).into_owned(),
            Self::Reason(text) => with_period(&verdict_reason::in_language(language, text)),
            Self::Message(key, values) => language.format(key, values),
            Self::Named(family, name) => language.named(family, name).unwrap_or(name).to_owned(),
            Self::Date(at) => date_words(locale, *at),
            Self::Moment(at) => moment_words(locale, *at),
        }
    }
}

/// A day such as `Nov 15, 2026`, as on pages.
pub(crate) fn date_words(locale: &MailLocale, at: Timestamp) -> String {
    let day = locale.zone.day(at);
    let month = locale.language.named("locale-month", &day.month.to_string());
    let values = [
        ("day", Value::from(day.day.to_string())),
        ("month", Value::from(month.unwrap_or_default())),
        ("year", Value::from(day.year.to_string())),
    ];
    locale.language.format("locale-date", &values)
}

/// A time such as `Nov 15, 2026, 09:30 CET`.
fn moment_words(locale: &MailLocale, at: Timestamp) -> String {
    let (time, zone) = locale.zone.clock(at);
    let values = [
        ("date", Value::from(date_words(locale, at))),
        ("time", Value::from(time)),
        ("zone", Value::from(zone)),
    ];
    locale.language.format("locale-exact", &values)
}

/// A value that is the same in every language.
pub(crate) fn plain<'a>(name: &'static str, value: &'a str) -> MailValue<'a> {
    (name, Phrase::Plain(Cow::Borrowed(value)))
}

/// A day.
pub(crate) fn date(name: &'static str, at: Timestamp) -> MailValue<'static> {
    (name, Phrase::Date(at))
}

/// A minute of a day.
pub(crate) fn moment(name: &'static str, at: Timestamp) -> MailValue<'static> {
    (name, Phrase::Moment(at))
}

/// A number of days.
pub(crate) fn days(name: &'static str, count: u64) -> MailValue<'static> {
    (name, Phrase::with("mail-days", "count", count))
}

/// A message without variables.
pub(crate) fn message(name: &'static str, key: &'static str) -> MailValue<'static> {
    (name, Phrase::message(key))
}

/// A name of a family of messages, which stands for itself in a language without such a message.
pub(crate) fn named<'a>(name: &'static str, family: &'static str, value: &'a str) -> MailValue<'a> {
    (name, Phrase::Named(family, value))
}

/// The reason of a verdict.
pub(crate) fn reason<'a>(name: &'static str, text: &'a str) -> MailValue<'a> {
    (name, Phrase::Reason(Cow::Borrowed(text)))
}

/// What the domain says in English.
pub(crate) fn english<'a>(name: &'static str, text: &'a str) -> MailValue<'a> {
    (name, Phrase::English(Cow::Borrowed(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_in_the_language_and_the_time_zone_of_the_recipient() {
        let at = Timestamp::parse("2026-02-28T23:30:00Z").unwrap();
        let zone = Zone::parse("Europe/Berlin").unwrap();
        let german = Locale { language: Some("de".to_owned()), zone };
        let unknown = Locale { language: Some("xx".to_owned()), ..Locale::default() };
        let locales = [Locale::default(), unknown, german].map(MailLocale::from);
        for ((_, phrase), english, german) in [
            (date("date", at), "Feb 28, 2026", "1. März 2026"),
            (days("time", 1), "1 day", "1 Tag"),
            (days("time", 30), "30 days", "30 Tagen"),
            (message("verdict", "mail-verdict-in-review"), "in review", "in Prüfung"),
            (named("role", "mail-role", "viewer"), "viewer", "Betrachter"),
            (named("role", "mail-role", "new_role"), "new_role", "new_role"),
            (reason("reason", "Something new"), "Something new.", "Something new."),
            (english("error", "something new"), "something new", "something new"),
            (plain("name", "{ $name } {{name}}"), "{ $name } {{name}}", "{ $name } {{name}}"),
        ] {
            let said = locales.each_ref().map(|it| phrase.say(it));
            assert_eq!(said, [english, english, german]);
        }
        let left =
            |count: usize| Phrase::with("mail-change-code-used", "left", count).say(&locales[0]);
        assert_eq!(left(1), "A recovery code was used. 1 is left.");
        assert_eq!(left(0), "A recovery code was used. 0 are left.");
    }
}
