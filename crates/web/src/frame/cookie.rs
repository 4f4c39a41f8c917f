//! Cookies. Over HTTPS their names start with `__Host-`, which only this host may set. Browsers
//! reject that prefix without HTTPS, so plain HTTP on loopback uses unprefixed names.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};

/// The cookies the console sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CookieName {
    /// A user's session.
    Person,
    /// A staff member's session.
    Staff,
    /// A message the next page shows once.
    Flash,
    /// The chosen theme.
    Theme,
    /// The language that was chosen in this browser.
    Language,
    /// The pending one-time code's session and email address.
    Code,
    /// The secret that identifies a browser that has signed in before.
    Device,
    /// The secret of a sign-in or set-up in several steps.
    Ceremony,
    /// The token of staff who view an organization as one of its people.
    View,
}

impl CookieName {
    fn name(self, secure: bool) -> String {
        let prefix = if secure { "__Host-" } else { "" };
        let suffix = match self {
            Self::Person => "",
            Self::Staff => "-staff",
            Self::Flash => "-flash",
            Self::Theme => "-theme",
            Self::Language => "-language",
            Self::Code => "-code",
            Self::Device => "-device",
            Self::Ceremony => "-ceremony",
            Self::View => "-view",
        };
        format!("{prefix}grantor{suffix}")
    }

    /// Returns the cookie's value from the request headers.
    pub(crate) fn read(self, headers: &HeaderMap, secure: bool) -> Option<&str> {
        let name = self.name(secure);
        let pairs = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
        pairs
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find_map(|(it, value)| (it == name && !value.is_empty()).then_some(value))
    }
}

/// A cookie that a response sets or clears.
#[derive(Clone, Debug)]
pub(crate) struct Cookie {
    name: CookieName,
    value: String,
    life: Duration,
}

impl Cookie {
    /// Sets the cookie for `life`.
    pub(crate) fn set(name: CookieName, value: impl Into<String>, life: Duration) -> Self {
        Self { name, value: value.into(), life }
    }

    /// Clears the cookie.
    pub(crate) fn clear(name: CookieName) -> Self {
        Self::set(name, "", Duration::ZERO)
    }

    /// Returns the `Set-Cookie` value: hidden from scripts and not sent by other sites' forms.
    pub(crate) fn header(&self, secure: bool) -> Option<HeaderValue> {
        let (name, value, seconds) = (self.name.name(secure), &self.value, self.life.as_secs());
        let secure = if secure { "; Secure" } else { "" };
        let text =
            format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
        HeaderValue::from_str(&text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_bound_to_the_host_where_browsers_allow_it() {
        let cookie = Cookie::set(CookieName::Person, "a~b", Duration::from_mins(1));
        assert_eq!(
            cookie.header(true).unwrap(),
            "__Host-grantor=a~b; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure"
        );
        assert_eq!(
            Cookie::clear(CookieName::Flash).header(false).unwrap(),
            "grantor-flash=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
        );
    }

    #[test]
    fn one_is_found_among_many() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, "x=1; grantor-flash=hi; grantor=a~b".parse().unwrap());
        headers.append(header::COOKIE, "__Host-grantor=c".parse().unwrap());
        assert_eq!(CookieName::Person.read(&headers, false), Some("a~b"));
        assert_eq!(CookieName::Person.read(&headers, true), Some("c"));
        assert_eq!(CookieName::Staff.read(&headers, false), None);
    }
}
