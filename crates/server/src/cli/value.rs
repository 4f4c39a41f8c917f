//! Values of options that are more than a text. A wrong one is refused by the name of its option.

use std::ffi::OsStr;
use std::time::Duration;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command};
use grantor_client::Client;
use grantor_domain::Timestamp;
use grantor_domain::event::EventType;
use serde_json::{Value, json};
use url::Url;

/// Parses values with a function. Unlike those of clap, its errors do not repeat the value by
/// themselves: a URL may contain a password.
#[derive(Clone)]
pub(super) struct Parsed<T>(pub(super) fn(&str) -> Result<T, String>);

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Parsed<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let text = value.to_str().ok_or_else(|| "must be valid UTF-8".to_owned());
        text.and_then(self.0).map_err(|reason| {
            let option = argument.and_then(Arg::get_long).unwrap_or_default();
            command.clone().error(ErrorKind::ValueValidation, format!("--{option}: {reason}"))
        })
    }
}

/// Since when events are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// A time.
    At(Timestamp),
    /// A duration before now.
    Ago(Duration),
}

impl Since {
    /// The time it means when it is `now`.
    pub(crate) fn time(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(time) => time,
            Self::Ago(duration) => now.minus(duration),
        }
    }

    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let time = || Timestamp::parse(text).ok().map(Self::At);
        ago(text).map(Self::Ago).or_else(time).ok_or_else(|| {
            "must be a time such as 2026-11-15T00:00:00Z, or a duration such as 30m, 12h or 7d"
                .to_owned()
        })
    }
}

fn ago(text: &str) -> Option<Duration> {
    let unit = text.chars().last()?;
    let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return None,
    };
    Some(Duration::from_secs(number.checked_mul(seconds)?))
}

/// Whether a type of events is the wanted one, or one of the wanted group.
pub(crate) fn is_event_of(kind: &str, wanted: &str) -> bool {
    kind.strip_prefix(wanted).is_some_and(|it| it.is_empty() || it.starts_with('.'))
}

/// A type of events, or a group of them.
pub(super) fn event_type(text: &str) -> Result<String, String> {
    let mut known = EventType::ALL.map(EventType::name).into_iter();
    if known.any(|it| is_event_of(it, text)) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "{text} is neither a type of events such as license.updated nor a group such as license"
    ))
}

/// A fee such as `500.00 EUR month`; nothing means that there is none.
pub(super) fn fee(text: &str) -> Result<Value, String> {
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        [] => Ok(Value::Null),
        [amount, currency, per] | [amount, currency, "per", per] => {
            Ok(json!({ "amount": amount, "currency": currency, "per": per }))
        }
        _ => Err("must be an amount, a currency and a unit, such as 500 EUR month".to_owned()),
    }
}

/// The URL of a server, which is sent secrets.
pub(super) fn server_url(text: &str) -> Result<String, String> {
    Client::check_url(text).map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}

/// The URL of a receiver of events.
pub(super) fn receiver_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|it| matches!(it.scheme(), "http" | "https"));
    url.ok_or_else(|| "must be a URL such as http://localhost:3000/hook".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_may_be_a_duration() {
        let now = Timestamp::parse("2026-11-15T12:00:00Z").unwrap();
        for (text, time) in [
            ("30m", "2026-11-15T11:30:00Z"),
            ("7d", "2026-11-08T12:00:00Z"),
            ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
        ] {
            let since = Since::parse(text).unwrap();
            assert_eq!(since.time(now), Timestamp::parse(time).unwrap(), "{text}");
        }
        for wrong in ["", "yesterday", "d", "1w", "-1d", "999999999999999999999d"] {
            assert!(Since::parse(wrong).unwrap_err().starts_with("must be a time"), "{wrong}");
        }
    }

    #[test]
    fn a_fee_may_be_nothing() {
        let month = json!({ "amount": "500", "currency": "EUR", "per": "month" });
        assert_eq!(fee("500 EUR month"), Ok(month.clone()));
        assert_eq!(fee("500 EUR per month"), Ok(month));
        assert_eq!(fee(" "), Ok(Value::Null));
        for wrong in ["5", "5 EUR", "5 EUR per use now"] {
            assert!(fee(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_type_may_be_a_group() {
        for known in ["license", "license.updated", "grant"] {
            assert_eq!(event_type(known).as_deref(), Ok(known));
        }
        for unknown in ["", "license.", "license.up", "nothing"] {
            assert!(event_type(unknown).is_err(), "{unknown}");
        }
    }
}
