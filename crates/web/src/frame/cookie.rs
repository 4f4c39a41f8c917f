//! Cookies. Over HTTPS their names begin with `__Host-`, which browsers let only this host set; on
//! loopback they refuse that prefix, so there the names are plain.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};

/// What is kept in a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crumb {
    /// A person's sign-in.
    Person,
    /// The sign-in of a member of staff.
    Staff,
    /// What the next page shall say, once.
    Said,
    /// Light or dark, where somebody chose.
    Theme,
    /// What a mailed code belongs to, until it is entered.
    Code,
    /// What the browser is known by, once somebody signed in with it.
    Device,
}

impl Crumb {
    fn name(self, secure: bool) -> String {
        let prefix = if secure { "__Host-" } else { "" };
        let suffix = match self {
            Self::Person => "",
            Self::Staff => "-staff",
            Self::Said => "-said",
            Self::Theme => "-theme",
            Self::Code => "-code",
            Self::Device => "-device",
        };
        format!("{prefix}grantor{suffix}")
    }

    /// What a request brought of it.
    pub(crate) fn read(self, headers: &HeaderMap, secure: bool) -> Option<&str> {
        let name = self.name(secure);
        let pairs = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
        pairs
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find_map(|(it, value)| (it == name && !value.is_empty()).then_some(value))
    }
}

/// A cookie that an answer sets or takes away.
#[derive(Clone, Debug)]
pub(crate) struct Cookie {
    crumb: Crumb,
    value: String,
    life: Duration,
}

impl Cookie {
    /// Sets it for so long.
    pub(crate) fn set(crumb: Crumb, value: impl Into<String>, life: Duration) -> Self {
        Self { crumb, value: value.into(), life }
    }

    /// Takes it away.
    pub(crate) fn clear(crumb: Crumb) -> Self {
        Self::set(crumb, "", Duration::ZERO)
    }

    /// As a header says it. Scripts never see it, and forms of other sites do not send it.
    pub(crate) fn header(&self, secure: bool) -> Option<HeaderValue> {
        let (name, value, seconds) = (self.crumb.name(secure), &self.value, self.life.as_secs());
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
        let cookie = Cookie::set(Crumb::Person, "a~b", Duration::from_mins(1));
        assert_eq!(
            cookie.header(true).unwrap(),
            "__Host-grantor=a~b; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure"
        );
        assert_eq!(
            Cookie::clear(Crumb::Said).header(false).unwrap(),
            "grantor-said=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
        );
    }

    #[test]
    fn one_is_found_among_many() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, "x=1; grantor-said=hi; grantor=a~b".parse().unwrap());
        headers.append(header::COOKIE, "__Host-grantor=c".parse().unwrap());
        assert_eq!(Crumb::Person.read(&headers, false), Some("a~b"));
        assert_eq!(Crumb::Person.read(&headers, true), Some("c"));
        assert_eq!(Crumb::Staff.read(&headers, false), None);
    }
}
