//! Flash messages: a cookie with a message that the next page shows once, and with what takes back what
//! the message is about.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::id::BatchId;
use grantor_messages::{error, text};
use grantor_service::undo::Offered;
use maud::{Markup, html};

use super::field::hidden;
use crate::frame::{Cookie, CookieName, Identity, PageContext};

const LIFE: Duration = Duration::from_mins(1);
/// The longest message, in characters.
const MAX_LENGTH: usize = 1_000;
/// The longest encoded message. Browsers drop cookies of more than 4,096 bytes.
const MAX_ENCODED: usize = 3_000;
/// The names of the cookie's other values.
const TOKEN: &str = "undo";
const UNTIL: &str = "until";
const FAILED: &str = "failed";
const LINK: &str = "link";
const BATCH: &str = "batch";

/// A message, and the undo that its page offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flash {
    pub(crate) message: String,
    pub(crate) undo: Option<FlashUndo>,
    /// Whether the message says what failed.
    pub(crate) is_failure: bool,
    /// The page with what the message is about.
    pub(crate) link: Option<String>,
}

/// What the button Undo takes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FlashUndo {
    /// The last change, by its token.
    Change(Offered),
    /// A bulk action.
    Batch { id: BatchId, until: Timestamp },
}

impl FlashUndo {
    const fn until(&self) -> Timestamp {
        match self {
            Self::Change(Offered { until, .. }) | Self::Batch { until, .. } => *until,
        }
    }

    /// Where its form is sent.
    fn action(&self, identity: &Identity) -> Option<String> {
        match (self, identity) {
            (Self::Change(_), Identity::Person(_)) => Some("/app/undo".to_owned()),
            (Self::Change(_), Identity::Staff(_)) => Some("/app/admin/undo".to_owned()),
            (Self::Batch { id, .. }, Identity::Person(_)) => {
                Some(format!("/app/batches/{id}/undo"))
            }
            (_, Identity::Anonymous) | (Self::Batch { .. }, Identity::Staff(_)) => None,
        }
    }

    /// The hidden field of its form.
    fn field(&self) -> Markup {
        match self {
            Self::Change(offered) => hidden("token", &offered.token),
            Self::Batch { .. } => html! {},
        }
    }
}

/// Returns the cookie that carries the message.
pub(crate) fn cookie(text: &str) -> Cookie {
    cookie_with(text, None)
}

/// Returns the cookie that carries the message and an undo.
pub(crate) fn cookie_with(text: &str, undo: Option<&Offered>) -> Cookie {
    let mut value = encoded(text);
    if let Some(Offered { token, until }) = undo {
        value = format!("{value}&{TOKEN}={token}&{UNTIL}={}", until.as_secs());
    }
    Cookie::set(CookieName::Flash, value, LIFE)
}

/// Returns the cookie that carries a message about what failed.
pub(crate) fn failure_cookie(text: &str) -> Cookie {
    Cookie::set(CookieName::Flash, format!("{}&{FAILED}=true", encoded(text)), LIFE)
}

/// Returns the cookie that carries a message about a bulk action, the address of what it changed, and
/// until when it can be taken back.
pub(crate) fn batch_cookie(
    text: &str,
    link: &str,
    batch: BatchId,
    until: Option<Timestamp>,
) -> Cookie {
    let link: String = url::form_urlencoded::byte_serialize(link.as_bytes()).collect();
    let mut value = format!("{}&{LINK}={link}", encoded(text));
    if let Some(until) = until {
        value = format!("{value}&{BATCH}={batch}&{UNTIL}={}", until.as_secs());
    }
    Cookie::set(CookieName::Flash, value, LIFE)
}

/// Encodes as much of a message as fits.
fn encoded(text: &str) -> String {
    let mut value = String::new();
    for letter in text.chars().take(MAX_LENGTH) {
        let (end, mut bytes) = (value.len(), [0; 4]);
        let letter = letter.encode_utf8(&mut bytes);
        value.extend(url::form_urlencoded::byte_serialize(letter.as_bytes()));
        if value.len() > MAX_ENCODED {
            value.truncate(end);
            break;
        }
    }
    value
}

/// Returns the message of a cookie value.
pub(crate) fn read(value: &str) -> Option<Flash> {
    let mut pairs = url::form_urlencoded::parse(value.as_bytes());
    let (text, _) = pairs.next()?;
    let message = text.chars().take(MAX_LENGTH).collect();
    let (mut token, mut batch, mut until) = (None, None, None);
    let (mut is_failure, mut link) = (false, None);
    for (name, value) in pairs {
        match &*name {
            TOKEN => token = Some(value.into_owned()),
            BATCH => batch = value.parse::<BatchId>().ok(),
            UNTIL => until = value.parse().ok().map(Timestamp::from_secs),
            FAILED => is_failure = true,
            LINK if value.starts_with("/app/") => link = Some(value.into_owned()),
            _ => {}
        }
    }
    let undo = until.and_then(|until| match (token, batch) {
        (Some(token), _) => Some(FlashUndo::Change(Offered { token, until })),
        (None, Some(id)) => Some(FlashUndo::Batch { id, until }),
        (None, None) => None,
    });
    Some(Flash { message, undo, is_failure, link })
}

/// Shows the message, which may be an error, and the button that takes back what it is about. A script
/// hides the button when its minute is over.
pub(super) fn show(ctx: &PageContext) -> Markup {
    let Some(Flash { message, undo, is_failure, link }) = &ctx.flash else { return html! {} };
    let class = if *is_failure { "notice bad" } else { "notice good" };
    // Nothing can be taken back in a view.
    let undo = undo.as_ref().filter(|it| ctx.now() < it.until() && !ctx.is_viewed());
    let undo = undo.and_then(|it| Some((it, it.action(&ctx.identity)?)));
    let link = html! {
        @if let Some(link) = link { " " a href=(link) { (text!("action-view")) } }
    };
    html! {
        @match undo {
            None if message.contains('\n') => {
                div class=(class) role="status" { (lines(message)) }
            }
            None => p class=(class) role="status" { (error(message)) (link) },
            Some((undo, action)) => {
                div.notice.good.flash {
                    p role="status" { (error(message)) (link) }
                    form.inline method="post" action=(action)
                        data-seconds=(undo.until().since(ctx.now()).as_secs()) {
                        (undo.field()) (hidden("back", &ctx.here))
                        button.small.plain { (text!("action-undo")) }
                    }
                }
            }
        }
    }
}

/// A message, and a list of the lines below its first.
fn lines(message: &str) -> Markup {
    let (first, rest) = message.split_once('\n').unwrap_or((message, ""));
    html! {
        p { (error(first)) }
        @if !rest.is_empty() { ul { @for line in rest.lines() { li { (line) } } } }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

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
        let (message, undo, link) = (message.to_owned(), None, None);
        assert_eq!(read, Some(Flash { message, undo, is_failure: false, link }));
    }

    #[test]
    fn a_link_leads_into_the_console() {
        let cookie = |link| batch_cookie("Published", link, BatchId::from(Uuid::nil()), None);
        let link_of = |link| read(&value_of(&cookie(link))).unwrap().link;
        let list = "/app/licenses?status=public&page=2";
        assert_eq!(link_of(list).as_deref(), Some(list));
        assert_eq!(link_of("https://evil.example/app/"), None);
    }

    #[test]
    fn a_failure_is_told_as_one() {
        let read = read(&value_of(&failure_cookie("Test event failed\nno response"))).unwrap();
        assert_eq!((&*read.message, read.is_failure), ("Test event failed\nno response", true));
    }

    #[test]
    fn an_undo_arrives_with_its_sentence() {
        let (token, until) = ("gun_0aZ".to_owned(), Timestamp::from_secs(1_800_000_000));
        let offered = Offered { token, until };
        let read = read(&value_of(&cookie_with("License & all deleted", Some(&offered)))).unwrap();
        assert_eq!(read.message, "License & all deleted");
        assert_eq!(read.undo, Some(FlashUndo::Change(offered)));
    }

    #[test]
    fn the_undo_of_a_bulk_action_arrives_with_its_link() {
        let (id, until) = (BatchId::from(Uuid::from_u128(7)), Timestamp::from_secs(1_800_000_000));
        let list = "/app/licenses?status=public";
        let read = read(&value_of(&batch_cookie("Published", list, id, Some(until)))).unwrap();
        assert_eq!(read.undo, Some(FlashUndo::Batch { id, until }));
        assert_eq!(read.link.as_deref(), Some(list));
    }

    #[test]
    fn a_message_fits_into_its_cookie() {
        let (short, long) = ("a\nb".to_owned(), "ä".repeat(2_000));
        for (message, kept) in [(&short, 3), (&long, 500), (&"a".repeat(2_000), 1_000)] {
            let read = read(&value_of(&cookie(message))).unwrap().message;
            assert_eq!(read, message.chars().take(kept).collect::<String>());
        }
    }

    #[test]
    fn lines_become_a_list() {
        let shown = lines("Added\n<a>.png: plain\nb.png: plain").into_string();
        let list = "<ul><li>&lt;a&gt;.png: plain</li><li>b.png: plain</li></ul>";
        assert_eq!(shown, format!("<p>Added</p>{list}"));
    }

    #[test]
    fn half_an_undo_is_none() {
        let halves = [
            "Gone&undo=gun_1",
            "Gone&until=5",
            "Gone&undo=gun_1&until=soon",
            "Gone&batch=7&until=5",
        ];
        for value in halves {
            let (message, undo, link) = ("Gone".to_owned(), None, None);
            assert_eq!(read(value), Some(Flash { message, undo, is_failure: false, link }));
        }
    }
}
