//! What one page wants the next to say: a sentence in a cookie that is read once.

use std::time::Duration;

use crate::frame::{Cookie, Crumb};

const LIFE: Duration = Duration::from_mins(1);
const LONGEST: usize = 300;

/// The cookie that carries it.
pub(crate) fn cookie(text: &str) -> Cookie {
    let text: String = text.chars().take(LONGEST).collect();
    let value: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
    Cookie::set(Crumb::Said, value, LIFE)
}

/// What it carried.
pub(crate) fn read(value: &str) -> Option<String> {
    let (text, _) = url::form_urlencoded::parse(value.as_bytes()).next()?;
    Some(text.chars().take(LONGEST).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_arrives_as_it_was_sent() {
        let said = "Zoë & Co: 100 % done = fine";
        let header = cookie(said).header(false).unwrap();
        let header = header.to_str().unwrap();
        let value = header.strip_prefix("grantor-said=").unwrap().split(';').next().unwrap();
        assert_eq!(read(value).as_deref(), Some(said));
    }
}
