//! Who signed in at a provider.

use grantor_domain::email::Email;
use grantor_domain::person::FullName;
use openidconnect::core::{CoreIdTokenClaims, CoreUserInfoClaims};

/// A person as their provider describes them.
pub(super) struct Identity {
    /// The provider's identifier, which never changes.
    pub(super) subject: String,
    /// The email address.
    pub(super) email: Option<String>,
    /// Whether the provider denies having verified the address. Many do not tell.
    pub(super) unverified: bool,
    name: Option<String>,
}

impl Identity {
    /// Reads a verified ID token.
    pub(super) fn of_token(claims: &CoreIdTokenClaims) -> Self {
        let name = claims.name().and_then(|it| it.get(None)).map(|it| it.as_str().to_owned());
        Self {
            subject: claims.subject().as_str().to_owned(),
            email: claims.email().map(|it| it.as_str().to_owned()),
            unverified: claims.email_verified() == Some(false),
            name,
        }
    }

    /// Adds what the provider tells separately.
    pub(super) fn add(&mut self, info: &CoreUserInfoClaims) {
        self.email = info.email().map(|it| it.as_str().to_owned());
        self.unverified = info.email_verified() == Some(false);
        let name = info.name().and_then(|it| it.get(None)).map(|it| it.as_str().to_owned());
        self.name = name.or_else(|| self.name.take());
    }

    /// The name for a new account; that of the mailbox if there is no other.
    pub(super) fn fullname(&self, email: &Email) -> Option<FullName> {
        let named = self.name.as_deref().and_then(|it| FullName::parse(it).ok());
        let mailbox = || email.as_str().split('@').next().and_then(|it| FullName::parse(it).ok());
        named.or_else(mailbox).or_else(|| FullName::parse(email.as_str()).ok())
    }
}
