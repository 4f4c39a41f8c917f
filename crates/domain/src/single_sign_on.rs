//! Single sign-on by OpenID Connect: an organization's own identity provider signs its members in.

use std::fmt;

use url::Url;
use zeroize::Zeroizing;

use crate::Timestamp;
use crate::email::Email;
use crate::id::TenantId;
use crate::network::{Host, MAX_URL_LENGTH};
use crate::platform::{PlatformDomain, ProofToken};
use crate::role::Role;
use crate::text::TextRule;

/// The maximum number of email domains of an organization.
pub const MAX_DOMAINS: usize = 20;

/// How long a person has to sign in at the provider.
pub const CEREMONY_LIFE: std::time::Duration = std::time::Duration::from_mins(15);

/// The roles that people can get who sign in for the first time. Administrators are appointed.
pub const NEW_MEMBER_ROLES: [Role; 3] = [Role::TeamMember, Role::TeamLead, Role::OrganizationUser];

/// The address that identifies a provider. It is kept exactly as entered, because the provider's
/// tokens must contain the same text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer(String);

impl Issuer {
    /// Parses the address. Whether it may be reached is checked when it is.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const FORM: &str = "must be a URL such as https://login.example.com";
        let text = text.trim();
        if text.chars().count() > MAX_URL_LENGTH {
            return Err("must be at most 2048 characters");
        }
        if text.chars().any(|it| it.is_whitespace() || it.is_control()) {
            return Err(FORM);
        }
        let url = Url::parse(text).map_err(|_| FORM)?;
        if !matches!(url.scheme(), "https" | "http") || url.host().is_none() {
            return Err(FORM);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err("must not have a query or a fragment");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not contain a user name or password");
        }
        if url.path().ends_with("/.well-known/openid-configuration") {
            return Err("must be without /.well-known/openid-configuration");
        }
        Ok(Self(text.to_owned()))
    }

    /// The address as entered.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name under which the provider knows us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderClientId(String);

impl ProviderClientId {
    /// The rule for client IDs.
    pub const RULE: TextRule = TextRule::line(1, 255);

    /// Parses a client ID.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The client ID.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The secret that the provider shares with us. Stored sealed and never shown again.
pub struct ProviderSecret(Zeroizing<String>);

impl fmt::Debug for ProviderSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProviderSecret(…)")
    }
}

impl ProviderSecret {
    const LONGEST: usize = 1_024;

    /// Parses a secret: visible ASCII, as providers issue it.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        let fits = (1..=Self::LONGEST).contains(&text.len())
            && text.bytes().all(|it| it.is_ascii_graphic() || it == b' ');
        if fits {
            Ok(Self(Zeroizing::new(text.to_owned())))
        } else {
            Err("must be 1 to 1024 letters, digits and symbols")
        }
    }

    /// The secret, for the provider only.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// The domain of email addresses, such as `example.com`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailDomain(String);

impl MailDomain {
    /// Parses a domain as entered: a host name with a dot, without a port.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const FORM: &str = "must be a domain such as example.com";
        let domain = PlatformDomain::parse(text).map_err(|_| FORM)?;
        match domain.host() {
            Host::Name(name) if name == domain.as_str() && name.contains('.') => {
                Ok(Self(name.clone()))
            }
            _ => Err(FORM),
        }
    }

    /// The domain of an address.
    #[must_use]
    pub fn of(email: &Email) -> Self {
        Self(email.domain().to_owned())
    }

    /// The domain in lower case and ASCII.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the TXT record that proves the domain. The same name proves the domain of a
    /// platform; every claim has its own value.
    #[must_use]
    pub fn record_name(&self, service: &str) -> String {
        format!("_{service}-challenge.{}", self.0)
    }
}

/// An organization's claim to a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainClaim {
    /// The domain.
    pub domain: MailDomain,
    /// The value of the TXT record.
    pub token: ProofToken,
    /// When the record was found.
    pub proved_at: Option<Timestamp>,
    /// When it was claimed.
    pub created_at: Timestamp,
}

/// The connection of an organization to its provider, without the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The organization.
    pub tenant: TenantId,
    /// The provider.
    pub issuer: Issuer,
    /// Our name at the provider.
    pub client_id: ProviderClientId,
    /// What the provider published about itself when the connection was saved, as JSON.
    pub metadata: String,
    /// Whether people can sign in with it.
    pub enabled: bool,
    /// The role of people who sign in for the first time; `None` if only members may sign in.
    pub new_member_role: Option<Role>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Parses the role of people who sign in for the first time; an empty text is none.
pub fn parse_new_member_role(text: &str) -> Result<Option<Role>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let found = NEW_MEMBER_ROLES.into_iter().find(|it| it.name() == text);
    let names = || NEW_MEMBER_ROLES.map(Role::name).join(", ");
    found.map(Some).ok_or_else(|| format!("must be one of {}", names()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_kept_as_it_was_entered() {
        for fine in
            ["https://login.example.com", "https://a.example/tenant/v2.0/", "http://10.0.0.1:80"]
        {
            assert_eq!(Issuer::parse(&format!(" {fine} ")).unwrap().as_str(), fine);
        }
        for bad in [
            "",
            "login.example.com",
            "ftp://a.example",
            "https://a.example?x=1",
            "https://a.example#x",
            "https://a:b@a.example",
            "https://a.example/ b",
            "https://a.example/.well-known/openid-configuration",
        ] {
            assert!(Issuer::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_mail_domain_is_that_of_its_addresses_and_of_no_others() {
        let domain = MailDomain::parse(" Example.COM. ").unwrap();
        let of = |text: &str| MailDomain::of(&Email::parse(text).unwrap());
        assert_eq!(of("Ada@EXAMPLE.com"), domain);
        for other in ["ada@mail.example.com", "ada@example.org", "ada@notexample.com"] {
            assert_ne!(of(other), domain, "{other}");
        }
        assert_eq!(of("ada@bücher.example"), MailDomain::parse("bücher.example").unwrap());
        assert_eq!(domain.record_name("grantor"), "_grantor-challenge.example.com");
        for bad in [
            "",
            "localhost",
            "example.com:8443",
            "127.0.0.1",
            "[::1]",
            "https://a.example",
            "a@b.example",
        ] {
            assert!(MailDomain::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn nobody_becomes_an_administrator_by_signing_in() {
        assert_eq!(parse_new_member_role(""), Ok(None));
        assert_eq!(parse_new_member_role("Team_Member"), Ok(Some(Role::TeamMember)));
        for bad in ["Organization_Admin", "Individual", "x"] {
            assert!(parse_new_member_role(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_secret_is_not_printed() {
        let secret = ProviderSecret::parse(" p@ss word ").unwrap();
        assert_eq!(
            (secret.expose(), format!("{secret:?}").as_str()),
            ("p@ss word", "ProviderSecret(…)")
        );
        for bad in ["", " ", "a\nb", "é", &"x".repeat(1_025)] {
            assert!(ProviderSecret::parse(bad).is_err(), "{bad}");
        }
    }
}
