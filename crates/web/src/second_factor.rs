//! Second factors on pages.

mod qr;
pub(crate) mod requirement;
pub(crate) mod security;
pub(crate) mod set_up;
pub(crate) mod sign_in;

use axum::response::Response;
use grantor_domain::second_factor::Factors;
use grantor_domain::sign_in::SignInMethod;
use grantor_domain::{Error, ErrorKind};
use grantor_messages::text;
use maud::{Markup, html};

use crate::frame::Person;
use crate::view::component::with_query;
use crate::view::{badge, code};

/// The page with a person's own second factors.
pub(crate) const PAGE: &str = "/app/profile/security";

/// The error for a step of a sign-in that is over, or that began in another browser.
pub(crate) fn over() -> Error {
    let message = "This sign-in has expired or was started in another browser; start again";
    Error::new(ErrorKind::InvalidSession, message)
}

/// Leads to the sign-in page if the person signed in too long ago to change how they sign in, and
/// from there back to the page with the form.
pub(crate) fn sign_in_again(person: &Person, form: &str) -> Option<Response> {
    let caller = &person.caller;
    let by_provider = caller.method == Some(SignInMethod::SingleSignOn);
    if by_provider || caller.signed_in_recently(person.now()) {
        return None;
    }
    let to = crate::sign_in::with_next("/app/sign-in", form);
    Some(person.redirect(to, text!("security-sign-in-again-first")))
}

/// The page with a person's own second factors, and the name that was typed for a passkey.
pub(crate) fn page_with_name(name: &str) -> String {
    with_query(PAGE, "name", name)
}

/// A person's second factors in words.
pub(crate) fn in_words(factors: Factors) -> Markup {
    let mut all = Vec::new();
    if factors.app {
        all.push(text!("security-app").to_owned());
    }
    if factors.passkeys > 0 {
        all.push(text!("security-passkey-count", count = factors.passkeys));
    }
    html! {
        @if all.is_empty() { (badge("none")) } @else { (all.join(", ")) }
    }
}

/// New recovery codes, which are shown once.
pub(crate) fn recovery_codes(codes: &[String]) -> Markup {
    html! {
        p { (text!("security-codes-keep")) }
        (code(text!("security-codes"), &codes.join("\n")))
    }
}
