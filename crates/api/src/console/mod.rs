//! The console, admin and legacy API 1.0.1 (`console-api-1.0.1.md`, contract section 5).

mod envelope;
mod organization;
mod profile;
mod registration;
mod session;

use grantor_domain::error::Fields;
use grantor_domain::limit::LimitName::{Anonymous, Login, Register};
use grantor_domain::role::Right;
use http::Method;

use crate::frame::route::Limit::{Address, Caller, Service};
use crate::frame::route::Permission::{Console, Public};
use crate::frame::route::{Route, route};

/// The version in the path and in the OpenAPI document.
pub const VERSION: &str = "1.0.1";

/// The table.
#[must_use]
#[rustfmt::skip]
pub fn routes() -> Vec<Route> {
    vec![
        route(Method::POST, "/auth/register", Public, Address(Register), registration::register, "Registers a person with an organization"),
        route(Method::POST, "/auth/m/register", Public, Address(Register), registration::register_person, "Registers a person who manages themself"),
        route(Method::POST, "/auth/validate/registration", Public, Address(Anonymous), registration::validate, "Proves the address with the mailed code"),
        route(Method::PUT, "/auth/resend/otp/{session}", Public, Address(Anonymous), registration::resend, "Mails another code"),
        route(Method::POST, "/auth/login", Public, Address(Login), session::login, "Signs a person in"),
        route(Method::POST, "/auth/refresh/token", Public, Service, session::refresh, "Renews a session"),
        route(Method::GET, "/user/profile", Console(Right::Read), Caller, profile::show, "Shows the caller's profile"),
        route(Method::PATCH, "/user/profile", Console(Right::Read), Caller, profile::change, "Changes the caller's profile").idempotent(),
        route(Method::PATCH, "/user/change/password", Console(Right::Read), Caller, profile::change_password, "Changes the caller's password").idempotent(),
        route(Method::GET, "/user/sessions", Console(Right::Read), Caller, profile::sessions, "Lists the caller's sign-ins"),
        route(Method::DELETE, "/user/sessions/{sessionId}", Console(Right::Read), Caller, profile::end_session, "Ends one of the caller's sign-ins"),
        route(Method::GET, "/org/information", Console(Right::Read), Caller, organization::show, "Shows the caller's organization"),
        route(Method::POST, "/auth/logout", Public, Address(Anonymous), session::logout, "Ends a session"),
    ]
}

/// The value of a field that must be there; an empty one is as good as none.
fn required<'a>(fields: &mut Fields, name: &str, value: Option<&'a str>) -> &'a str {
    match value {
        Some(value) if !value.is_empty() => value,
        _ => {
            fields.add(name, "is required");
            ""
        }
    }
}
