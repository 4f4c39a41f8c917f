//! The console, admin and legacy API 1.0.1 (`console-api-1.0.1.md`, contract section 5).

mod admin;
mod billing;
mod card;
mod client;
mod envelope;
mod image;
mod invitation;
mod license;
mod organization;
mod paging;
mod password;
mod permission;
mod profile;
mod registration;
mod session;
mod talent;
mod token;

use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName::{Login, Open, Register};
use grantor_domain::role::Right;
use http::Method;

use crate::frame::extract::required;
use crate::frame::form::{FORM_LIMIT, PICTURES};
use crate::frame::problem::{Problem, ProblemKind};
use crate::frame::route::Limit::{Address, Caller, Service};
use crate::frame::route::Permission::{Admin, Console, Public};
use crate::frame::route::{Route, route};

/// The version in the path and in the OpenAPI document.
pub const VERSION: &str = "1.0.1";

/// The table.
#[must_use]
#[rustfmt::skip]
pub fn routes() -> Vec<Route> {
    vec![
        route(Method::POST, "/auth/token", Public, Service, token::exchange, "Exchanges Basic credentials for an access token of the external API").entered_by("basic").refuses(&[("400", "The header Authorization is missing"), ("401", "The credentials are not valid"), ("403", "The account is suspended")]),
        route(Method::POST, "/auth/register", Public, Address(Register), registration::register, "Registers a person with an organization").refuses(&[("409", "The address or the name is taken")]),
        route(Method::POST, "/auth/m/register", Public, Address(Register), registration::register_person, "Registers a person who manages themself").refuses(&[("409", "The address is taken")]),
        route(Method::POST, "/auth/validate/registration", Public, Address(Open), registration::validate, "Proves the address with the mailed code").refuses(&[("401", "The code has expired"), ("409", "The address or the name was taken meanwhile")]),
        route(Method::PUT, "/auth/resend/otp/{session}", Public, Address(Open), registration::resend, "Mails another code"),
        route(Method::POST, "/auth/login", Public, Address(Login), session::login, "Signs a person in").refuses(&[("401", "The username or the password is not right"), ("403", "The account is suspended")]),
        route(Method::POST, "/auth/refresh/token", Public, Service, session::refresh, "Renews a session").refuses(&[("401", "The refresh token is not valid or has expired"), ("403", "The account is suspended")]),
        route(Method::POST, "/auth/logout", Public, Address(Open), session::logout, "Ends a session"),
        route(Method::POST, "/auth/forgot/password", Public, Address(Open), password::forgot, "Mails a code to who forgot the password"),
        route(Method::POST, "/auth/reset/password", Public, Address(Open), password::reset, "Sets another password and ends every session").refuses(&[("401", "The code has expired")]),
        route(Method::POST, "/auth/accept/invitation", Public, Address(Open), invitation::accept, "Accepts an invitation").refuses(&[("409", "The address is taken")]),
        route(Method::POST, "/auth/authenticateAdmin", Public, Address(Open), admin::authenticate, "Signs a member of staff in").refuses(&[("401", "The admin token is not valid")]),
        route(Method::GET, "/user/profile", Console(Right::Read), Caller, profile::show, "Shows the caller's profile"),
        route(Method::PATCH, "/user/profile", Console(Right::Read), Caller, profile::change, "Changes the caller's profile").idempotent(),
        route(Method::PATCH, "/user/change/password", Console(Right::Read), Caller, profile::change_password, "Changes the caller's password").idempotent(),
        route(Method::GET, "/user/sessions", Console(Right::Read), Caller, profile::sessions, "Lists the caller's sign-ins"),
        route(Method::DELETE, "/user/sessions/{sessionId}", Console(Right::Read), Caller, profile::end_session, "Ends one of the caller's sign-ins"),
        route(Method::GET, "/org/information", Console(Right::Read), Caller, organization::show, "Shows the caller's organization"),
        route(Method::POST, "/org/create/client", Console(Right::ManageClients), Caller, client::create, "Makes an API client and shows its secret once").idempotent().refuses(&[("409", "There are as many API clients as there can be")]),
        route(Method::GET, "/org/clients", Console(Right::ManageClients), Caller, client::list, "Lists the API clients"),
        route(Method::PATCH, "/org/client/{clientId}", Console(Right::ManageClients), Caller, client::change, "Changes an API client").idempotent(),
        route(Method::DELETE, "/org/client/{clientId}", Console(Right::ManageClients), Caller, client::delete, "Deletes an API client"),
        route(Method::PATCH, "/org/refresh/client", Console(Right::ManageClients), Caller, client::rotate, "Gives an API client another secret").idempotent().refuses(&[("404", "There is no such API client"), ("409", "The API client is revoked")]),
        route(Method::POST, "/external/validate/key", Public, Address(Open), token::validate_key, "Tells what an API key is worth").entered_by("bearer").refuses(&[("401", "The header Authorization is missing")]),
        route(Method::POST, "/admin/member/invite", Admin(AdminRight::ManageMembers), Caller, admin::invite, "Invites a member of staff").idempotent().refuses(&[("409", "A member of staff has this address")]),
        route(Method::POST, "/org/talent", Console(Right::ManageTalents), Caller, talent::create, "Adds a talent to the roster").idempotent().refuses(&[("409", "Who manages themself has one record, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/org/talent/roster", Console(Right::ReadTalents), Caller, talent::roster, "Lists the roster"),
        route(Method::GET, "/org/talent/name/search", Console(Right::ReadTalents), Caller, talent::search, "Finds talents by name"),
        route(Method::POST, "/org/invite/talent", Console(Right::ManageTalents), Caller, invitation::invite_talent, "Invites a talent to take up their record").idempotent(),
        route(Method::GET, "/talent", Console(Right::Read), Caller, talent::own, "Lists the caller's own talent records"),
        route(Method::GET, "/talent/{talentId}", Console(Right::Read), Caller, talent::show, "Shows a talent"),
        route(Method::PATCH, "/talent/{talentId}", Console(Right::ManageTalents), Caller, talent::change, "Changes a talent").idempotent(),
        route(Method::GET, "/org/licenses", Console(Right::ReadLicenses), Caller, license::list, "Lists the organization's licenses"),
        route(Method::POST, "/org/talent/license/{talentId}", Console(Right::ManageLicenses), Caller, license::create, "Makes a license over a talent").idempotent().body_limit(FORM_LIMIT).patience(PICTURES).refuses(&[("409", "The external id is taken, or a request with this idempotency key is still under way")]),
        route(Method::PATCH, "/org/talent/license/{licenseId}/image", Console(Right::ManageLicenses), Caller, image::add, "Adds reference images to a license").idempotent().body_limit(FORM_LIMIT).patience(PICTURES),
        route(Method::DELETE, "/org/talent/license/{licenseId}/image/{imageId}", Console(Right::ManageLicenses), Caller, image::remove, "Removes a reference image from a license"),
        route(Method::PATCH, "/org/license/{licenseId}", Console(Right::ManageLicenses), Caller, license::change, "Changes a license").idempotent().refuses(&[("409", "The status does not lead there, the external id is taken, or a request with this idempotency key is still under way")]),
        route(Method::DELETE, "/org/license/{licenseId}", Console(Right::ManageLicenses), Caller, license::delete, "Deletes a license"),
        route(Method::GET, "/org/license/{licenseId}/permissions", Console(Right::ManageLicenses), Caller, permission::list, "Lists who may do what with a license"),
        route(Method::POST, "/org/license/{licenseId}/permissions", Console(Right::ManageLicenses), Caller, permission::grant, "Gives somebody a right on a license").idempotent().refuses(&[("409", "They hold a permission already or own the license, or a request with this idempotency key is still under way")]),
        route(Method::DELETE, "/org/license/{licenseId}/permissions/{permissionId}", Console(Right::ManageLicenses), Caller, permission::revoke, "Takes a right away"),
        route(Method::GET, "/org/subscriptions", Console(Right::ManageBilling), Caller, billing::plans, "Lists the plans, and shows what the organization has and uses"),
        route(Method::POST, "/org/subscribe", Console(Right::ManageBilling), Caller, billing::subscribe, "Subscribes to a plan").idempotent().refuses(&[("404", "There is no such plan or card"), ("409", "The card was declined, the plan is by arrangement or in force already, a payment is under way, or a request with this idempotency key is")]),
        route(Method::DELETE, "/org/subscription", Console(Right::ManageBilling), Caller, billing::cancel, "Ends the subscription with the time that is paid").refuses(&[("404", "There is no subscription"), ("409", "A payment is under way")]),
        route(Method::GET, "/org/bill/history", Console(Right::ManageBilling), Caller, billing::bills, "Lists the bills"),
        route(Method::POST, "/org/card", Console(Right::ManageBilling), Caller, card::add, "Adds a payment card by a token of the payment processor").idempotent().refuses(&[("409", "There are as many cards as there can be, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/org/cards", Console(Right::ManageBilling), Caller, card::list, "Lists the payment cards"),
        route(Method::DELETE, "/org/card/{cardId}", Console(Right::ManageBilling), Caller, card::remove, "Removes a payment card").refuses(&[("409", "It is the only card of a subscription, or a payment is under way")]),
        route(Method::GET, "/admin/members", Admin(AdminRight::Read), Caller, admin::members, "Lists the staff"),
    ]
}

/// The id in a path.
fn path_id<T: std::str::FromStr>(text: &str, noun: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| {
        let message = format!("The {noun} id is not a UUID");
        Problem::new(ProblemKind::InvalidFormat, message)
    })
}
