//! Flash messages: a cookie with a message that the next page shows once, and with the token that takes
//! back what the message is about.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_messages::{error, text};
use grantor_service::undo::Offered;
use maud::{Markup, html};

use super::field::hidden;
use crate::frame::{Cookie, CookieName, Identity, PageContext};

const LIFE: Duration = Duration::from_mins(1);
const MAX_LENGTH: usize = 300;
/// The names of the cookie's other values.
const TOKEN: &str = "undo";
const UNTIL: &str = "until";

/// A message, and the undo that its page offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flash {
    pub(crate) message: String,
    pub(crate) undo: Option<Offered>,
}

/// Returns the cookie that carries the message.
pub(crate) fn cookie(text: &str) -> Cookie {
    cookie_with(text, None)
}

/// Returns the cookie that carries the message and an undo.
pub(crate) fn cookie_with(text: &str, undo: Option<&Offered>) -> Cookie {
    let text: String = text.chars().take(MAX_LENGTH).collect();
    let mut value: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
    if let Some(Offered { token, until }) = undo {
        value = format!("{value}&{TOKEN}={token}&{UNTIL}={}", until.as_secs());
    }
    Cookie::set(CookieName::Flash, value, LIFE)
}

/// Returns the message of a cookie value.
pub(crate) fn read(value: &str) -> Option<Flash> {
    let mut pairs = url::form_urlencoded::parse(value.as_bytes());
    let (text, _) = pairs.next()?;
    let message = text.chars().take(MAX_LENGTH).collect();
    let (mut token, mut until) = (None, None);
    for (name, value) in pairs {
        match &*name {
            TOKEN => token = Some(value.into_owned()),
            UNTIL => until = value.parse().ok().map(Timestamp::from_secs),
            _ => {}
        }
    }
    let undo = token.zip(until).map(|(token, until)| Offered { token, until });
    Some(Flash { message, undo })
}

/// Shows the message, which may be an error, and the button that takes back what it is about. A script
/// hides the button when its minute is over.
pub(super) fn show(ctx: &PageContext) -> Markup {
    let Some(Flash { message, undo }) = &ctx.flash else { return html! {} };
    let action = match ctx.identity {
        Identity::Anonymous => None,
        Identity::Person(_) => Some("/app/undo"),
        Identity::Staff(_) => Some("/app/admin/undo"),
    };
    let undo = undo.as_ref().filter(|it| ctx.now() < it.until).zip(action);
    html! {
        @match undo {
            None => p.notice.good role="status" { (error(message)) },
            Some((offered, action)) => {
                div.notice.good.flash {
                    p role="status" { (error(message)) }
                    form.inline method="post" action=(action)
                        data-seconds=(offered.until.since(ctx.now()).as_secs()) {
                        (hidden("token", &offered.token)) (hidden("back", &ctx.here))
                        button.small.plain { (text!("action-undo")) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value_of(cookie: &Cookie) -> String {
        let header = cookie.header(false).unwrap();
        let header = header.to_str().unwrap();
        let value = header.strip_prefix("grantor-flash=").unwrap().split(';').next().unwrap();
        value.to_owned()
    }

    #[test]
    fn a_sentence_arrives_as_it_was_sent() {
        let message = "Zoë & Co: 100 % done = fine";
        let read = read(&value_of(&cookie(message)));
        assert_eq!(read, Some(Flash { message: message.to_owned(), undo: None }));
    }

    #[test]
    fn an_undo_arrives_with_its_sentence() {
        let (token, until) = ("gun_0aZ".to_owned(), Timestamp::from_secs(1_800_000_000));
        let undo = Offered { token, until };
        let read = read(&value_of(&cookie_with("License & all deleted", Some(&undo)))).unwrap();
        assert_eq!((read.message.as_str(), read.undo), ("License & all deleted", Some(undo)));
    }

    #[test]
    fn half_an_undo_is_none() {
        for value in ["Gone&undo=gun_1", "Gone&until=5", "Gone&undo=gun_1&until=soon"] {
            assert_eq!(read(value), Some(Flash { message: "Gone".to_owned(), undo: None }));
        }
    }
}
