//! Chat addresses: incoming webhooks of a chat that a tenant is told through.

use std::fmt;

use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::id::{ChatAddressId, TenantId};
use crate::network::MAX_URL_LENGTH;
use crate::notice::NoticeKind;
use crate::text::{TextRule, texts};

/// How many chat addresses a tenant can have.
pub const MAX_CHAT_ADDRESSES: usize = 100;
/// How many messages that wait for one address are sent as one.
pub const MAX_FOLDED: usize = 20;
/// How many characters of the end of a URL are shown.
const SHOWN: usize = 4;

enum_names!(ChatStatus);
texts!(ChatName);

/// Whether messages are sent to a chat address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum ChatStatus {
    /// Messages are sent.
    Active,
    /// Messages are not sent.
    Disabled,
}

/// The tenant's own name for a chat address, such as the channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatName(String);

impl ChatName {
    /// 1 to 80 characters on one line.
    pub const RULE: TextRule = TextRule::line(1, 80);

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

/// The URL of an incoming webhook. Whoever knows it can post, so it is a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct ChatUrl(String);

impl ChatUrl {
    /// Parses a URL. Whether it may be reached is checked where it is used.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("is required".to_owned());
        }
        if text.chars().count() > MAX_URL_LENGTH {
            return Err(format!("must have at most {MAX_URL_LENGTH} characters"));
        }
        let url = url::Url::parse(text).ok().filter(url::Url::has_host);
        let url = url.ok_or("must be a URL that starts with https://")?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not contain a user name or a password".to_owned());
        }
        Ok(Self(text.to_owned()))
    }

    /// The whole URL, for sending.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The scheme, host and port, which are not secret.
    #[must_use]
    pub fn origin(&self) -> String {
        let url = url::Url::parse(&self.0);
        url.map(|it| it.origin().ascii_serialization()).unwrap_or_default()
    }

    /// The last characters, by which its owner recognizes it. Empty if the URL is so short that
    /// they would give it away.
    #[must_use]
    pub fn ending(&self) -> String {
        let path = url::Url::parse(&self.0).map(|it| it.path().to_owned()).unwrap_or_default();
        let letters: Vec<char> = self.0.chars().collect();
        if path.chars().count() < 4 * SHOWN {
            return String::new();
        }
        letters[letters.len() - SHOWN..].iter().collect()
    }
}

impl fmt::Debug for ChatUrl {
    /// Omits the secret part.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChatUrl({})", self.origin())
    }
}

/// A tenant's address in a chat, without the secret part of its URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatAddress {
    /// The address's ID.
    pub id: ChatAddressId,
    /// The tenant.
    pub tenant: TenantId,
    /// The tenant's name for it.
    pub name: ChatName,
    /// The scheme, host and port of the URL.
    pub origin: String,
    /// The last characters of the URL.
    pub ending: String,
    /// What is sent.
    pub kinds: Vec<NoticeKind>,
    /// Whether messages are sent.
    pub status: ChatStatus,
    /// Since when messages fail.
    pub failing_since: Option<Timestamp>,
    /// When a message last arrived.
    pub last_success_at: Option<Timestamp>,
    /// Why the last message failed.
    pub last_error: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl ChatAddress {
    /// The URL with its secret part left out.
    #[must_use]
    pub fn masked(&self) -> String {
        format!("{}/…{}", self.origin, self.ending)
    }

    /// Parses the kinds of notices to send. There must be at least one; repeated ones count once.
    pub fn parse_kinds<T: AsRef<str>>(names: &[T]) -> Result<Vec<NoticeKind>, String> {
        if names.len() > NoticeKind::ALL.len() {
            return Err(format!("must contain at most {} kinds", NoticeKind::ALL.len()));
        }
        let read: Result<Vec<_>, _> =
            names.iter().map(|it| NoticeKind::parse_of_chats(it.as_ref())).collect();
        let mut kinds = read?;
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() {
            return Err("must contain at least one kind".to_owned());
        }
        Ok(kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_shows_where_it_leads_but_not_how() {
        let secret = "https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXXwxyz";
        let url = ChatUrl::parse(secret).unwrap();
        let origin = "https://hooks.slack.com";
        assert_eq!((url.origin().as_str(), url.ending().as_str()), (origin, "wxyz"));
        assert_eq!(format!("{url:?}"), "ChatUrl(https://hooks.slack.com)");
        let local = ChatUrl::parse("http://10.0.0.1:8065/hooks/x").unwrap();
        assert_eq!(local.origin(), "http://10.0.0.1:8065");
        assert_eq!(ChatUrl::parse("https://chat.example/abc").unwrap().ending(), "");
        for wrong in ["", "slack", "https://", "https://a:b@chat.example/x", "mailto:a@b.example"] {
            assert!(ChatUrl::parse(wrong).is_err(), "{wrong}");
        }
        let long = format!("https://chat.example/{}", "a".repeat(MAX_URL_LENGTH));
        assert!(ChatUrl::parse(&long).is_err());
    }

    #[test]
    fn kinds_are_known_and_not_empty() {
        let kinds = ChatAddress::parse_kinds(&["offer", "request", "offer"]).unwrap();
        assert_eq!(kinds, [NoticeKind::Request, NoticeKind::Offer]);
        assert!(ChatAddress::parse_kinds::<&str>(&[]).is_err());
        for never_sent in ["platform_waiting", "case_assigned"] {
            assert!(ChatAddress::parse_kinds(&[never_sent]).is_err(), "{never_sent}");
        }
    }
}
