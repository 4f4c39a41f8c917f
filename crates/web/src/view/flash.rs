//! Flash messages: a cookie with a message that the next page shows once.

use std::time::Duration;

use crate::frame::{Cookie, CookieName};

const LIFE: Duration = Duration::from_mins(1);
const MAX_LENGTH: usize = 300;

/// Returns the cookie that carries the message.
pub(crate) fn cookie(text: &str) -> Cookie {
    let text: String = text.chars().take(MAX_LENGTH).collect();
    let value: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
    Cookie::set(CookieName::Flash, value, LIFE)
}

/// Returns the message of a cookie value.
pub(crate) fn read(value: &str) -> Option<String> {
    let (text, _) = url::form_urlencoded::parse(value.as_bytes()).next()?;
    Some(text.chars().take(MAX_LENGTH).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_arrives_as_it_was_sent() {
        let message = "Zoë & Co: 100 % done = fine";
        let header = cookie(message).header(false).unwrap();
        let header = header.to_str().unwrap();
        let value = header.strip_prefix("grantor-flash=").unwrap().split(';').next().unwrap();
        assert_eq!(read(value).as_deref(), Some(message));
    }
}
