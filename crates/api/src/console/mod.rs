//! The console, admin and legacy API 1.0.1 (`console-api-1.0.1.md`, contract section 5).

mod admin;
mod billing;
mod card;
mod client;
mod content;
mod envelope;
mod image;
mod invitation;
mod license;
mod log;
mod log_export;
mod organization;
mod paging;
mod password;
mod pax;
mod permission;
mod platform;
mod pod;
mod profile;
mod registration;
mod session;
mod staff;
mod talent;
mod team;
mod template;
mod token;
mod verification;

use std::time::Duration;

use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName::{Login, MailRequest, Open, Register};
use grantor_domain::role::Right;
use grantor_domain::scope::Scope;
use grantor_service::pod::{Pause, Start, Stop};
use grantor_service::sighting;
use http::Method;

use crate::frame::extract::required;
use crate::frame::form::{FORM_LIMIT, PICTURES};
use crate::frame::problem::{Problem, ProblemKind};
use crate::frame::route::Limit::{Address, Caller, Service};
use crate::frame::route::Permission::{Account, Admin, Console, Insider, Public};
use crate::frame::route::{Route, route};

/// The version in the path and in the OpenAPI document.
pub const VERSION: &str = "1.0.1";

/// How much longer than others a check of a domain may take: two requests, one after the other.
const PROOF: Duration = Duration::from_secs(15);

/// The table.
#[must_use]
pub fn routes() -> Vec<Route> {
    [
        ways_in(),
        people(),
        organization(),
        talents(),
        licenses(),
        platforms(),
        billing(),
        logs(),
        staff(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Ways in.
#[rustfmt::skip]
fn ways_in() -> Vec<Route> {
    vec![
        route(Method::POST, "/auth/token", Public, Service, token::exchange, "Exchanges Basic credentials for an access token of the external API").entered_by("basic").refuses(&[("401", "The header Authorization is missing, or the credentials are not valid"), ("403", "The account is suspended")]),
        route(Method::POST, "/auth/register", Public, Address(Register), registration::register, "Registers a person with an organization").refuses(&[("409", "The address or the name is taken")]),
        route(Method::POST, "/auth/m/register", Public, Address(Register), registration::register_person, "Registers a person who manages themself").refuses(&[("409", "The address is taken")]),
        route(Method::POST, "/auth/validate/registration", Public, Address(Open), registration::validate, "Proves the address with the mailed code").refuses(&[("401", "The code has expired"), ("409", "The address or the name was taken meanwhile")]),
        route(Method::PUT, "/auth/resend/otp/{session}", Public, Address(MailRequest), registration::resend, "Mails another code"),
        route(Method::POST, "/auth/login", Public, Address(Login), session::login, "Signs a person in").refuses(&[("401", "The username or the password is not right, or one is no member of the organization"), ("403", "The account or the membership is suspended, or one is a member of no organization any more")]),
        route(Method::POST, "/auth/switch", Account, Caller, session::switch, "Goes on in another organization one is a member of").refuses(&[("403", "The account or the organization is suspended"), ("404", "One is no member of such an organization")]),
        route(Method::POST, "/auth/refresh/token", Public, Service, session::refresh, "Renews a session").refuses(&[("401", "The refresh token is not valid or has expired"), ("403", "The account is suspended")]),
        route(Method::POST, "/auth/logout", Public, Address(Open), session::logout, "Ends a session"),
        route(Method::POST, "/auth/forgot/password", Public, Address(MailRequest), password::forgot, "Mails a code to who forgot the password"),
        route(Method::POST, "/auth/reset/password", Public, Address(Open), password::reset, "Sets another password and ends every session").refuses(&[("401", "The code has expired")]),
        route(Method::POST, "/auth/accept/invitation", Public, Address(Open), invitation::accept, "Accepts an invitation").refuses(&[("403", "The account or the organization is suspended"), ("409", "The address is taken, or somebody with it is in the team already")]),
        route(Method::POST, "/auth/authenticateAdmin", Public, Address(Open), admin::authenticate, "Signs a member of staff in").refuses(&[("401", "The admin token is not valid")]),
        route(Method::POST, "/external/validate/key", Public, Service, token::validate_key, "Tells what an API key is worth").entered_by("bearer").refuses(&[("401", "The header Authorization is missing")]),
    ]
}

/// A person's own record and sessions.
#[rustfmt::skip]
fn people() -> Vec<Route> {
    vec![
        route(Method::GET, "/user/profile", Console(Right::Read), Caller, profile::show, "Shows the caller's profile"),
        route(Method::PATCH, "/user/profile", Console(Right::Read), Caller, profile::change, "Changes the caller's profile").idempotent(),
        route(Method::PATCH, "/user/change/password", Console(Right::Read), Caller, profile::change_password, "Changes the caller's password").idempotent(),
        route(Method::GET, "/user/sessions", Console(Right::Read), Caller, profile::sessions, "Lists the caller's sign-ins"),
        route(Method::DELETE, "/user/sessions/{sessionId}", Console(Right::Read), Caller, profile::end_session, "Ends one of the caller's sign-ins"),
    ]
}

/// The organization, its teams and API clients.
#[rustfmt::skip]
fn organization() -> Vec<Route> {
    vec![
        route(Method::GET, "/org/information", Console(Right::Read), Caller, organization::show, "Shows the caller's organization"),
        route(Method::PATCH, "/org/information", Console(Right::ManageOrganization), Caller, organization::change, "Changes the caller's organization").idempotent().refuses(&[("409", "The name is taken, or a request with this idempotency key is still under way")]),
        route(Method::POST, "/org/create/team", Console(Right::ManageTeams), Caller, team::create, "Makes a team").idempotent().refuses(&[("409", "The name is taken, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/org/teams", Console(Right::ManageTeams), Caller, team::list, "Lists the teams"),
        route(Method::DELETE, "/org/team/{teamId}", Console(Right::ManageTeams), Caller, team::delete, "Deletes a team").refuses(&[("409", "Platforms belong to the team")]),
        route(Method::GET, "/org/team/members/{teamId}", Console(Right::ReadTeams), Caller, team::members, "Lists who is in a team"),
        route(Method::POST, "/org/invite/team/member/{teamId}", Console(Right::ManageTeams), Caller, team::invite, "Invites somebody into a team").idempotent().refuses(&[("409", "Somebody with this address is in the team already, the team has 500 members, or a request with this idempotency key is still under way")]),
        route(Method::PATCH, "/org/team/{teamId}/member/{memberId}", Console(Right::ManageTeams), Caller, team::change_member, "Changes a member's role or status").idempotent().refuses(&[("409", "The last active Organization_Admin stays, or a request with this idempotency key is still under way")]),
        route(Method::DELETE, "/org/team/{teamId}/member/{memberId}", Console(Right::ManageTeams), Caller, team::remove_member, "Removes a member from a team, or withdraws an invitation").refuses(&[("409", "The last active Organization_Admin stays")]),
        route(Method::POST, "/org/create/client", Console(Right::ManageClients), Caller, client::create, "Makes an API client and shows its secret once").idempotent().refuses(&[("409", "There are as many API clients as there can be")]),
        route(Method::GET, "/org/clients", Console(Right::ManageClients), Caller, client::list, "Lists the API clients"),
        route(Method::PATCH, "/org/client/{clientId}", Console(Right::ManageClients), Caller, client::change, "Changes an API client").idempotent(),
        route(Method::DELETE, "/org/client/{clientId}", Console(Right::ManageClients), Caller, client::delete, "Deletes an API client"),
        route(Method::PATCH, "/org/refresh/client", Console(Right::ManageClients), Caller, client::rotate, "Gives an API client another secret").idempotent().refuses(&[("404", "There is no such API client"), ("409", "The API client is revoked")]),
    ]
}

/// Talents.
#[rustfmt::skip]
fn talents() -> Vec<Route> {
    vec![
        route(Method::POST, "/org/talent", Console(Right::ManageTalents), Caller, talent::create, "Adds a talent to the roster").idempotent().refuses(&[("404", "There is no such team"), ("409", "Who manages themself has one record, the plan allows no more talents, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/org/talent/roster", Console(Right::ReadTalents), Caller, talent::roster, "Lists the roster"),
        route(Method::GET, "/org/talent/name/search", Console(Right::ReadTalents), Caller, talent::search, "Finds talents by name"),
        route(Method::POST, "/org/invite/talent", Console(Right::ManageTalents), Caller, invitation::invite_talent, "Invites a talent to take up their record").idempotent().refuses(&[("404", "There is no such talent"), ("409", "Somebody has taken up the record already, the plan allows no more talents, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/talent", Console(Right::Read), Caller, talent::own, "Lists the caller's own talent records"),
        route(Method::GET, "/talent/{talentId}", Console(Right::Read), Caller, talent::show, "Shows a talent"),
        route(Method::PATCH, "/talent/{talentId}", Console(Right::ManageTalents), Caller, talent::change, "Changes a talent").idempotent(),
    ]
}

/// Licenses, their pictures and who holds rights on them.
#[rustfmt::skip]
fn licenses() -> Vec<Route> {
    vec![
        route(Method::GET, "/org/licenses", Console(Right::ReadLicenses), Caller, license::list, "Lists the organization's licenses"),
        route(Method::POST, "/org/talent/license/{talentId}", Console(Right::ManageLicenses), Caller, license::create, "Makes a license over a talent").idempotent().body_limit(FORM_LIMIT).patience(PICTURES).refuses(&[("409", "The external id is taken, the plan allows no more licenses or bytes of images, or a request with this idempotency key is still under way")]),
        route(Method::PATCH, "/org/talent/license/{licenseId}/image", Console(Right::ManageLicenses), Caller, image::add, "Adds reference images to a license").guarded().idempotent().body_limit(FORM_LIMIT).patience(PICTURES).refuses(&[("409", "The plan allows no more bytes of images, or a request with this idempotency key is still under way")]),
        route(Method::DELETE, "/org/talent/license/{licenseId}/image/{imageId}", Console(Right::ManageLicenses), Caller, image::remove, "Removes a reference image from a license").guarded(),
        route(Method::PATCH, "/org/license/{licenseId}", Console(Right::ManageLicenses), Caller, license::change, "Changes a license").idempotent().guarded().refuses(&[("409", "The status does not lead there, the external id is taken, or a request with this idempotency key is still under way")]),
        route(Method::DELETE, "/org/license/{licenseId}", Console(Right::ManageLicenses), Caller, license::delete, "Deletes a license").guarded(),
        route(Method::GET, "/org/license/{licenseId}/permissions", Console(Right::ManageLicenses), Caller, permission::list, "Lists who may do what with a license"),
        route(Method::POST, "/org/license/{licenseId}/permissions", Console(Right::ManageLicenses), Caller, permission::grant, "Gives somebody a right on a license").idempotent().refuses(&[("409", "They hold a permission already or own the license, or a request with this idempotency key is still under way")]),
        route(Method::DELETE, "/org/license/{licenseId}/permissions/{permissionId}", Console(Right::ManageLicenses), Caller, permission::revoke, "Takes a right away"),
    ]
}

/// Platforms and the access that is granted to them.
#[rustfmt::skip]
fn platforms() -> Vec<Route> {
    vec![
        route(Method::POST, "/org/create/platform", Console(Right::ManagePlatforms), Caller, platform::create, "Makes a platform, whose domain is to be proved").idempotent().refuses(&[("404", "There is no such team"), ("409", "The organization has a platform with this domain, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/org/platforms", Console(Right::ReadPlatforms), Caller, platform::list, "Lists the organization's platforms"),
        route(Method::GET, "/platforms/{platformId}", Console(Right::ReadPlatforms), Caller, platform::show, "Shows a platform"),
        route(Method::PATCH, "/org/platform/{platformId}", Console(Right::ManagePlatforms), Caller, platform::change, "Changes a platform").idempotent().refuses(&[("409", "The organization has a platform with this domain, or a request with this idempotency key is still under way")]),
        route(Method::DELETE, "/org/platform/{platformId}", Console(Right::ManagePlatforms), Caller, platform::delete, "Deletes a platform, stops its pod and revokes its PAX"),
        route(Method::GET, "/org/verify/platform/{platformId}", Console(Right::ManagePlatforms), Caller, verification::verify, "Looks for the proof of a platform's domain").patience(PROOF).refuses(&[("409", "Another organization has proved this domain, or it was changed meanwhile")]),
        route(Method::POST, "/console/pax", Console(Right::ManagePlatforms), Caller, pax::create, "Grants access to a platform").idempotent().refuses(&[("404", "There is no such platform")]),
        route(Method::GET, "/console/pax", Console(Right::ReadPlatforms), Caller, pax::list, "Lists the access extensions, also revoked ones"),
        route(Method::GET, "/console/pax/{paxId}", Console(Right::ReadPlatforms), Caller, pax::show, "Shows an access extension"),
        route(Method::POST, "/console/pax/{paxId}/content", Insider(Right::ManagePlatforms, Scope::LicenseWrite), Caller, content::push, "Checks content for the people who are watched for").idempotent().patience(sighting::PICTURES).refuses(&[("409", "The PAX was revoked, or a request with this idempotency key is still under way")]),
        route(Method::DELETE, "/console/pax/{paxId}", Console(Right::ManagePlatforms), Caller, pax::revoke, "Revokes an access extension for good"),
    ]
}

/// Plans, cards and bills.
#[rustfmt::skip]
fn billing() -> Vec<Route> {
    vec![
        route(Method::GET, "/org/subscriptions", Console(Right::ManageBilling), Caller, billing::plans, "Lists the plans, and shows what the organization has and uses"),
        route(Method::POST, "/org/subscribe", Console(Right::ManageBilling), Caller, billing::subscribe, "Subscribes to a plan").idempotent().refuses(&[("404", "There is no such plan or card"), ("409", "The card was declined, the plan is by arrangement or in force already, a payment is under way, or a request with this idempotency key is")]),
        route(Method::DELETE, "/org/subscription", Console(Right::ManageBilling), Caller, billing::cancel, "Ends the subscription with the time that is paid").refuses(&[("404", "There is no subscription"), ("409", "A payment is under way")]),
        route(Method::GET, "/org/bill/history", Console(Right::ManageBilling), Caller, billing::bills, "Lists the bills"),
        route(Method::POST, "/org/card", Console(Right::ManageBilling), Caller, card::add, "Adds a payment card by a token of the payment processor").idempotent().refuses(&[("409", "There are as many cards as there can be, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/org/cards", Console(Right::ManageBilling), Caller, card::list, "Lists the payment cards"),
        route(Method::DELETE, "/org/card/{cardId}", Console(Right::ManageBilling), Caller, card::remove, "Removes a payment card").refuses(&[("409", "It is the only card of a subscription, or a payment is under way")]),
    ]
}

/// The organization's log.
#[rustfmt::skip]
fn logs() -> Vec<Route> {
    vec![
        route(Method::GET, "/console/logs", Console(Right::ReadLogs), Caller, log::list, "Lists the organization's log, newest first"),
        route(Method::GET, "/console/logs/{logId}", Console(Right::ReadLogs), Caller, log::show, "Shows a log entry"),
        route(Method::POST, "/console/logs/export", Console(Right::ReadLogs), Caller, log_export::create, "Exports log entries; the file can be fetched for 24 hours").idempotent(),
        route(Method::GET, "/console/logs/export/{exportId}", Console(Right::ReadLogs), Caller, log_export::fetch, "Gives the file of an export"),
    ]
}

/// What staff does: people, pods, texts of mails, everybody's log.
#[rustfmt::skip]
fn staff() -> Vec<Route> {
    vec![
        route(Method::POST, "/admin/member/invite", Admin(AdminRight::ManageMembers), Caller, admin::invite, "Invites a member of staff").idempotent().refuses(&[("409", "A member of staff has this address")]),
        route(Method::GET, "/logs/all", Admin(AdminRight::Read), Caller, log::list_all, "Lists everybody's log of one API, newest first"),
        route(Method::GET, "/logs/search", Admin(AdminRight::Read), Caller, log::search_all, "Finds entries in everybody's log of one API"),
        route(Method::GET, "/mail/templates", Admin(AdminRight::Read), Caller, template::list, "Lists the mails that are sent, with their texts"),
        route(Method::POST, "/mail/create/template", Admin(AdminRight::ManageTemplates), Caller, template::create, "Writes a text in place of the one built in").idempotent().refuses(&[("409", "There is a text for this mail, or a request with this idempotency key is still under way")]),
        route(Method::POST, "/mail/preview/template", Admin(AdminRight::Read), Caller, template::preview, "Shows what a mail would look like"),
        route(Method::PUT, "/mail/template/{templateId}", Admin(AdminRight::ManageTemplates), Caller, template::replace, "Writes the text of a mail anew").idempotent(),
        route(Method::DELETE, "/mail/template/{templateId}", Admin(AdminRight::ManageTemplates), Caller, template::delete, "Goes back to the text that is built in"),
        route(Method::GET, "/admin/members", Admin(AdminRight::Read), Caller, admin::members, "Lists the staff"),
        route(Method::PATCH, "/admin/member/{memberId}", Admin(AdminRight::ManageMembers), Caller, admin::change, "Changes the role or status of a member of staff").idempotent().refuses(&[("409", "The last active Super_Admin stays, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/admin/organizations", Admin(AdminRight::Read), Caller, staff::organizations, "Lists all organizations"),
        route(Method::PATCH, "/admin/organization/{organizationId}", Admin(AdminRight::SetPlan), Caller, staff::change_organization, "Suspends an organization or lets it act again, and sets its plan").idempotent(),
        route(Method::GET, "/admin/platforms", Admin(AdminRight::Read), Caller, staff::platforms, "Lists all platforms"),
        route(Method::GET, "/admin/licenses", Admin(AdminRight::Read), Caller, staff::licenses, "Lists all licenses"),
        route(Method::POST, "/pax/pod", Admin(AdminRight::ManagePods), Caller, pod::create, "Makes a pod, which is stopped").idempotent().refuses(&[("404", "There is no such platform"), ("409", "The platform has a pod already, there are 1,000 pods, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/pax/pods", Admin(AdminRight::Read), Caller, pod::list, "Lists all pods, of which there can be 1,000"),
        route(Method::GET, "/pax/pod/{podId}", Admin(AdminRight::Read), Caller, pod::show, "Shows a pod and how it does"),
        route(Method::POST, "/pax/start/pod/{podId}", Admin(AdminRight::ManagePods), Caller, pod::make::<Start>, "Starts a pod").idempotent(),
        route(Method::POST, "/pax/pause/pod/{podId}", Admin(AdminRight::ManagePods), Caller, pod::make::<Pause>, "Pauses a pod that runs").idempotent().refuses(&[("409", "The pod does not run, or a request with this idempotency key is still under way")]),
        route(Method::POST, "/pax/stop/pod/{podId}", Admin(AdminRight::ManagePods), Caller, pod::make::<Stop>, "Stops a pod").idempotent(),
        route(Method::POST, "/pax/start/pods", Admin(AdminRight::ManagePods), Caller, pod::make_all::<Start>, "Starts all pods").idempotent(),
        route(Method::POST, "/pax/pause/pods", Admin(AdminRight::ManagePods), Caller, pod::make_all::<Pause>, "Pauses all pods that run").idempotent(),
        route(Method::POST, "/pax/stop/pods", Admin(AdminRight::ManagePods), Caller, pod::make_all::<Stop>, "Stops all pods").idempotent(),
    ]
}

/// The id in a path.
fn path_id<T: std::str::FromStr>(text: &str, noun: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| {
        let message = format!("The {noun} id is not a UUID");
        Problem::new(ProblemKind::InvalidFormat, message)
    })
}
