//! Encoding a mail as an Internet message (RFC 5322, MIME), safe from header injection.

use std::time::{Duration, SystemTime};

use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::id::MailId;
use grantor_domain::mail::Mail;
use grantor_domain::{Error, Result, Timestamp};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MessageBuilder, MultiPart, SinglePart};
use lettre::{Address, Message};

use super::SendError;

/// The last second that a Date header can express. A later clock must not cause a panic.
const LAST_SECOND: u64 = 253_402_300_799;

/// Refuses invalid recipients and subjects that would inject headers.
pub(super) fn check(mail: &Mail) -> Result<()> {
    let mut fields = Fields::default();
    fields.take("to", recipient(&mail.to));
    if let Some(address) = &mail.reply_to {
        fields.take("reply_to", recipient(address));
    }
    if has_control(&mail.subject) {
        fields.add("subject", "must not contain line breaks or other control characters");
    }
    fields.finish()
}

/// Parses the sender, with or without a name: `Grantor <no-reply@example.com>`.
pub(super) fn sender(from: &str) -> Result<Mailbox> {
    // The parser ignores everything after a character it doesn't understand.
    let parsed = if has_control(from) { None } else { from.parse().ok() };
    parsed.ok_or_else(|| Error::field("from", "must be an email address, with or without a name"))
}

/// Returns the message id of a mail, the same for all attempts.
pub(super) fn message_id(id: MailId, from: &Mailbox) -> String {
    format!("<{id}@{}>", from.email.domain())
}

/// Returns the mail id from a message id.
pub(super) fn mail_id(message_id: &str) -> Option<MailId> {
    let (id, _) = message_id.strip_prefix('<')?.split_once('@')?;
    id.parse().ok()
}

/// Encodes a mail. The result is deterministic.
pub(super) fn build(
    from: &str,
    mail: &Mail,
    message_id: &str,
    now: Timestamp,
) -> Result<Message, SendError> {
    check(mail).map_err(|_| SendError::permanent("the recipient or subject is invalid"))?;
    let from = sender(from).map_err(|_| SendError::permanent("the sender is invalid"))?;
    let to = recipient(&mail.to).map_err(SendError::permanent)?;
    let head = Message::builder()
        .from(from)
        .to(Mailbox::new(None, to))
        .subject(mail.subject.clone())
        .date(system_time(now))
        .message_id(Some(message_id.to_owned()));
    // A letter that a person sends is not automatic.
    let head = match &mail.reply_to {
        Some(address) => {
            let address = recipient(address).map_err(SendError::permanent)?;
            head.reply_to(Mailbox::new(None, address))
        }
        None => head.raw_header(auto_submitted()),
    };
    let head = match &mail.unsubscribe {
        Some(link) => one_click_unsubscribe(head, link),
        None => head,
    };
    body(head, mail, message_id).map_err(|_| SendError::permanent("the mail cannot be encoded"))
}

fn body(
    head: MessageBuilder,
    mail: &Mail,
    message_id: &str,
) -> Result<Message, lettre::error::Error> {
    let text = SinglePart::plain(mail.text.clone());
    let Some(html) = &mail.html else { return head.singlepart(text) };
    // The id is random, so no text can contain the boundary.
    let boundary = mail_id(message_id).map(|id| format!("part-{id}")).unwrap_or_default();
    let parts = MultiPart::alternative().boundary(boundary);
    head.multipart(parts.singlepart(text).singlepart(SinglePart::html(html.clone())))
}

/// Suppresses automatic replies (RFC 3834).
fn auto_submitted() -> HeaderValue {
    let name = HeaderName::new_from_ascii_str("Auto-Submitted");
    HeaderValue::new(name, "auto-generated".to_owned())
}

/// Lets the reader's mail program unsubscribe without opening a page (RFC 2369, RFC 8058).
fn one_click_unsubscribe(head: MessageBuilder, link: &str) -> MessageBuilder {
    let header = |name: &'static str, value: String| {
        HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
    };
    head.raw_header(header("List-Unsubscribe", format!("<{link}>")))
        .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()))
}

/// Parses a recipient, with an internationalized domain in its ASCII form.
fn recipient(to: &str) -> Result<Address, &'static str> {
    let mailbox = Email::parse(to).map_or_else(|_| to.to_owned(), |it| it.mailbox());
    let parsed = if has_control(&mailbox) { None } else { mailbox.parse().ok() };
    parsed.ok_or("must be an email address")
}

fn has_control(text: &str) -> bool {
    text.chars().any(char::is_control)
}

fn system_time(now: Timestamp) -> SystemTime {
    let seconds = u64::try_from(now.as_secs()).unwrap_or(0).min(LAST_SECOND);
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "<0190a5e4-7b3c-7def-8123-456789abcdef@example.com>";

    fn mail(to: &str, subject: &str) -> Mail {
        let (to, subject) = (to.to_owned(), subject.to_owned());
        let (html, unsubscribe, reply_to) = (None, None, None);
        Mail { to, subject, text: "text".to_owned(), html, unsubscribe, reply_to }
    }

    #[test]
    fn headers_cannot_be_written_into() {
        assert_eq!(check(&mail("a@example.com", "Größe: 3 € — ok?")), Ok(()));
        for subject in ["a\r\nBcc: b@example.com", "a\nb", "a\rb", "a\0b"] {
            let error = check(&mail("a@example.com", subject)).unwrap_err();
            assert_eq!(error.fields().keys().collect::<Vec<_>>(), ["subject"], "{subject:?}");
        }
        for to in ["a@example.com\r\nBcc: b@example.com", "a@example.com, b@example.com", "a", ""] {
            let error = check(&mail(to, "subject")).unwrap_err();
            assert_eq!(error.fields().keys().collect::<Vec<_>>(), ["to"], "{to:?}");
        }
    }

    #[test]
    fn a_sender_may_have_a_name() {
        let named = sender("Grantor <no-reply@example.com>").unwrap();
        assert_eq!(message_id(mail_id(ID).unwrap(), &named), ID);
        assert!(sender("no-reply@example.com").is_ok());
        for from in ["", "Grantor", "a@example.com\r\nBcc: b@example.com"] {
            assert!(sender(from).is_err(), "{from:?}");
        }
    }

    #[test]
    fn any_clock_gives_a_date() {
        for seconds in [i64::MIN, -1, 0, i64::MAX] {
            let now = Timestamp::from_secs(seconds);
            assert!(build("a@example.com", &mail("b@example.com", "s"), ID, now).is_ok());
        }
    }

    #[test]
    fn a_notification_can_be_unsubscribed_from_with_one_click() {
        let mut mail = mail("b@example.com", "s");
        let now = Timestamp::from_secs(1_767_225_600);
        let head = |mail: &Mail| {
            let message = build("a@example.com", mail, ID, now).unwrap().formatted();
            String::from_utf8(message).unwrap().replace("\r\n ", " ")
        };
        assert!(!head(&mail).contains("List-Unsubscribe"));
        let link = format!("https://grantor.example/unsubscribe/{}", "a".repeat(100));
        mail.unsubscribe = Some(link.clone());
        let head = head(&mail);
        let post = "\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n";
        assert!(head.contains(post), "{head}");
        let line = head.lines().find_map(|it| it.strip_prefix("List-Unsubscribe:"));
        assert_eq!(line.map(str::trim), Some(&*format!("<{link}>")), "{head}");
    }

    #[test]
    fn answers_to_a_letter_go_to_its_sender() {
        let now = Timestamp::from_secs(1_767_225_600);
        let mut mail = mail("b@example.com", "s");
        mail.reply_to = Some("ada@example.com".to_owned());
        let message = build("a@example.com", &mail, ID, now).unwrap().formatted();
        let message = String::from_utf8(message).unwrap();
        assert!(message.contains("\r\nReply-To: ada@example.com\r\n"), "{message}");
        assert!(!message.contains("Auto-Submitted"), "{message}");
        mail.reply_to = Some("ada@example.com\r\nBcc: b@example.com".to_owned());
        assert_eq!(check(&mail).unwrap_err().fields().keys().collect::<Vec<_>>(), ["reply_to"]);
    }

    #[test]
    fn the_whole_message() {
        let mut mail = mail("b@example.com", "Grüße");
        mail.html = Some("<p>text</p>".to_owned());
        let now = Timestamp::from_secs(1_767_225_600);
        let message = build("Grantor <a@example.com>", &mail, ID, now).unwrap();
        let expected = "From: Grantor <a@example.com>\r\n\
            To: b@example.com\r\n\
            Subject: =?utf-8?b?R3LDvMOfZQ==?=\r\n\
            Date: Thu, 01 Jan 2026 00:00:00 +0000\r\n\
            Message-ID: <0190a5e4-7b3c-7def-8123-456789abcdef@example.com>\r\n\
            Auto-Submitted: auto-generated\r\n\
            MIME-Version: 1.0\r\n\
            Content-Type: multipart/alternative;\r\n \
            boundary=\"part-0190a5e4-7b3c-7def-8123-456789abcdef\"\r\n\
            \r\n\
            --part-0190a5e4-7b3c-7def-8123-456789abcdef\r\n\
            Content-Type: text/plain; charset=utf-8\r\n\
            Content-Transfer-Encoding: 7bit\r\n\
            \r\n\
            text\r\n\
            --part-0190a5e4-7b3c-7def-8123-456789abcdef\r\n\
            Content-Type: text/html; charset=utf-8\r\n\
            Content-Transfer-Encoding: 7bit\r\n\
            \r\n\
            <p>text</p>\r\n\
            --part-0190a5e4-7b3c-7def-8123-456789abcdef--\r\n";
        assert_eq!(String::from_utf8(message.formatted()).unwrap(), expected);
    }
}
