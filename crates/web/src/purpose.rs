//! Why somebody is asked to sign in or sign up: what they wanted to do on the page that led there.
//! Only pages that we know are named, and nothing of their address is shown.

use grantor_domain::email::Email;
use grantor_domain::id::{GrantId, LicenseId, RequestId};
use grantor_domain::{ErrorKind, Result};
use grantor_messages::text;
use grantor_service::App;
use grantor_service::licensing::catalog;
use maud::{Markup, html};

use crate::frame::Params;
use crate::sign_in::next_page;
use crate::view::rich::rich;

/// What somebody wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Request a license; its title if everybody may know it.
    Request(Option<String>),
    /// Read an offer that was sent to an email address.
    Offer,
    /// View a request.
    ViewRequest,
    /// View a grant.
    ViewGrant,
    /// View another page of the console.
    ViewPage,
}

impl Purpose {
    /// The purpose of the page to go to after signing in; none for the dashboard.
    pub(crate) async fn of(app: &App, next: &str) -> Result<Option<Self>> {
        let Some(page) = Page::of(next) else {
            return Ok(next_page(next).map(|_| Self::ViewPage));
        };
        Ok(Some(match page {
            Page::NewRequest(license) => Self::Request(public_title(app, license).await?),
            Page::Offer => Self::Offer,
            Page::Request => Self::ViewRequest,
            Page::Grant => Self::ViewGrant,
        }))
    }

    /// Whether the purpose is one of somebody who wants to use a likeness.
    pub(crate) const fn is_licensee(&self) -> bool {
        matches!(self, Self::Request(_) | Self::Offer)
    }

    /// The line below the heading of the sign-in form.
    pub(crate) fn sign_in_line(&self) -> Markup {
        html! {
            p {
                @match self {
                    Self::Request(Some(title)) => (rich!("request-sign-in-to-request", license = strong(title))),
                    Self::Request(None) => (text!("request-sign-in-to-request-this")),
                    Self::Offer => (text!("request-sign-in-to-read-offer")),
                    Self::ViewRequest => (text!("request-sign-in-to-view")),
                    Self::ViewGrant => (text!("request-sign-in-to-view-grant")),
                    Self::ViewPage => (text!("request-sign-in-to-view-page")),
                }
            }
        }
    }

    /// The line below the heading of the sign-up form.
    pub(crate) fn sign_up_line(&self) -> Markup {
        html! {
            p {
                @match self {
                    Self::Request(Some(title)) => (rich!("request-sign-up-to-request", license = strong(title))),
                    Self::Request(None) => (text!("request-sign-up-to-request-this")),
                    Self::Offer => (text!("request-sign-up-to-read-offer")),
                    Self::ViewRequest => (text!("request-sign-up-to-view")),
                    Self::ViewGrant => (text!("request-sign-up-to-view-grant")),
                    Self::ViewPage => (text!("request-sign-up-to-view-page")),
                }
            }
        }
    }
}

fn strong(title: &str) -> Markup {
    html! { strong { (title) } }
}

/// The title of a license that everybody can see.
async fn public_title(app: &App, license: LicenseId) -> Result<Option<String>> {
    match catalog::get(app, license).await {
        Ok(found) => Ok(Some(found.license.title.as_str().to_owned())),
        Err(error) if *error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A page whose purpose is known.
#[derive(Debug, PartialEq, Eq)]
enum Page {
    NewRequest(LicenseId),
    Offer,
    Request,
    Grant,
}

impl Page {
    fn of(next: &str) -> Option<Self> {
        let next = next_page(next)?;
        let (path, query) = next.split_once('?').unwrap_or((next.as_str(), ""));
        let params = Params::read(query);
        let rest = path.strip_prefix("/app/")?;
        match rest.split_once('/')? {
            ("requests", "new") => params.get("license")?.parse().ok().map(Self::NewRequest),
            ("requests", id) => {
                id.parse::<RequestId>().ok()?;
                let to = params.get("to").is_some_and(|it| Email::parse(it).is_ok());
                Some(if to { Self::Offer } else { Self::Request })
            }
            ("grants", id) => {
                id.parse::<GrantId>().ok()?;
                Some(Self::Grant)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_pages_have_a_purpose() {
        let id = "0190a5e4-7b3c-7def-8123-456789abcdef";
        let license = id.parse().unwrap();
        for (next, page) in [
            (format!("/app/requests/new?license={id}"), Page::NewRequest(license)),
            (format!("/app/requests/{id}?to=zoe%40example.com"), Page::Offer),
            (format!("/app/requests/{id}"), Page::Request),
            (format!("/app/grants/{id}"), Page::Grant),
        ] {
            assert_eq!(Page::of(&next), Some(page), "{next}");
        }
        for other in [
            "/app",
            "/app/requests",
            "/app/requests/new",
            "/app/requests/new?license=Win+a+prize",
            "/app/requests/Win-a-prize?to=zoe%40example.com",
            "/app/talents/1",
            "//evil.example/app/requests/new",
        ] {
            assert_eq!(Page::of(other), None, "{other}");
        }
    }
}
