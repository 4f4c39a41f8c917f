//! The console, admin and legacy API 1.0.1 (`console-api-1.0.1.md`, contract section 5).

mod admin;
mod billing;
mod card;
mod catalog_picture;
mod chat_address;
mod client;
mod content;
mod envelope;
mod image;
mod invitation;
mod letter_template;
mod license;
mod log;
mod log_export;
mod notification;
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
mod source;
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
use grantor_http::body::{ONE_UPLOAD_LIMIT, UPLOAD_LIMIT, UPLOAD_TIME};
use grantor_service::watching::pod::{Pause, Start, Stop};
use grantor_service::watching::sighting;
use http::Method;

use crate::frame::extract::required;
use crate::frame::problem::{Problem, ProblemKind};
use crate::frame::route::Access::{Account, Admin, Console, Public, UserOrClient};
use crate::frame::route::Limit::{Address, Caller, Service};
use crate::frame::route::{Route, route};

/// The API version in the path and in the OpenAPI document.
pub const VERSION: &str = "1.0.1";

/// The extra time for a domain verification, which makes two requests in sequence.
const VERIFICATION_TIME: Duration = Duration::from_secs(15);

/// Returns the route table.
#[must_use]
pub fn routes() -> Vec<Route> {
    [
        authentication(),
        profile(),
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

/// Registration and sign-in.
#[rustfmt::skip]
fn authentication() -> Vec<Route> {
    vec![
        route(Method::POST, "/auth/token", Public, Service, token::exchange, "Exchange Basic credentials for an external API access token").security_scheme("basic").errors(&[("401", "The Authorization header is missing, or the credentials are not valid"), ("403", "The account is suspended")]),
        route(Method::POST, "/auth/register", Public, Address(Register), registration::register, "Register with an organization").errors(&[("409", "The email address or organization name is taken")]),
        route(Method::POST, "/auth/m/register", Public, Address(Register), registration::register_person, "Register as an individual").errors(&[("409", "The email address is taken")]),
        route(Method::POST, "/auth/validate/registration", Public, Address(Open), registration::validate, "Verify a registration").errors(&[("401", "The code has expired"), ("409", "The email address or organization name was taken in the meantime")]),
        route(Method::PUT, "/auth/resend/otp/{session}", Public, Address(MailRequest), registration::resend, "Resend a one-time code"),
        route(Method::POST, "/auth/login", Public, Address(Login), session::login, "Sign in").errors(&[("401", "The username or password is not valid, the user is not a member of the organization, or a second factor is needed (SECOND_FACTOR_REQUIRED)"), ("403", "The account or membership is suspended, or the user is no longer a member of any organization")]),
        route(Method::POST, "/auth/switch", Account, Caller, session::switch, "Switch to another organization").errors(&[("403", "The account or organization is suspended"), ("404", "The user is not a member of the organization")]),
        route(Method::POST, "/auth/refresh/token", Public, Service, session::refresh, "Refresh a session").errors(&[("401", "The refresh token is not valid or has expired"), ("403", "The account is suspended")]),
        route(Method::POST, "/auth/logout", Public, Address(Open), session::logout, "Sign out"),
        route(Method::POST, "/auth/forgot/password", Public, Address(MailRequest), password::forgot, "Request a password reset"),
        route(Method::POST, "/auth/reset/password", Public, Address(Open), password::reset, "Reset a password and end all sessions").errors(&[("401", "The code has expired")]),
        route(Method::POST, "/auth/accept/invitation", Public, Address(Open), invitation::accept, "Accept an invitation").errors(&[("403", "The account or organization is suspended"), ("409", "The email address is taken, or already belongs to a member of the team")]),
        route(Method::POST, "/auth/authenticateAdmin", Public, Address(Open), admin::authenticate, "Sign in as staff").errors(&[("401", "The admin token is not valid")]),
        route(Method::POST, "/external/validate/key", Public, Service, token::validate_key, "Validate an API key").security_scheme("bearer").errors(&[("401", "The Authorization header is missing")]),
    ]
}

/// The caller's profile and sessions.
#[rustfmt::skip]
fn profile() -> Vec<Route> {
    vec![
        route(Method::GET, "/user/profile", Console(Right::Read), Caller, profile::show, "Get the caller's profile"),
        route(Method::PATCH, "/user/profile", Console(Right::Read), Caller, profile::change, "Update the caller's profile").idempotent(),
        route(Method::PATCH, "/user/change/password", Console(Right::Read), Caller, profile::change_password, "Change the caller's password").idempotent(),
        route(Method::GET, "/user/sessions", Console(Right::Read), Caller, profile::sessions, "List the caller's sessions"),
        route(Method::DELETE, "/user/sessions/{sessionId}", Console(Right::Read), Caller, profile::end_session, "End one of the caller's sessions"),
        route(Method::GET, "/user/notifications", Console(Right::Read), Caller, notification::show, "Get the caller's notification settings"),
        route(Method::PATCH, "/user/notifications", Console(Right::Read), Caller, notification::change, "Update the caller's notification settings").idempotent(),
        route(Method::GET, "/user/notices", Console(Right::Read), Caller, notification::list, "List the caller's notifications"),
        route(Method::PATCH, "/user/notices", Console(Right::Read), Caller, notification::mark_read, "Mark notifications as read"),
    ]
}

/// The organization, its teams and API clients.
#[rustfmt::skip]
fn organization() -> Vec<Route> {
    vec![
        route(Method::GET, "/org/information", Console(Right::Read), Caller, organization::show, "Get the caller's organization"),
        route(Method::PATCH, "/org/information", Console(Right::ManageOrganization), Caller, organization::change, "Update the caller's organization").idempotent().errors(&[("409", "The name is taken, or a request with this idempotency key is still in progress")]),
        route(Method::POST, "/org/create/team", Console(Right::ManageTeams), Caller, team::create, "Create a team").idempotent().errors(&[("409", "The name is taken, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/org/teams", Console(Right::ManageTeams), Caller, team::list, "List teams"),
        route(Method::DELETE, "/org/team/{teamId}", Console(Right::ManageTeams), Caller, team::delete, "Delete a team").errors(&[("409", "The team has platforms")]),
        route(Method::GET, "/org/team/members/{teamId}", Console(Right::ReadTeams), Caller, team::members, "List members of a team"),
        route(Method::POST, "/org/invite/team/member/{teamId}", Console(Right::ManageTeams), Caller, team::invite, "Invite a team member").idempotent().errors(&[("409", "The email address belongs to a member of the team, the team has 500 members, or a request with this idempotency key is still in progress")]),
        route(Method::PATCH, "/org/team/{teamId}/member/{memberId}", Console(Right::ManageTeams), Caller, team::change_member, "Update a team member's role or status").idempotent().errors(&[("409", "The member is the last active Organization_Admin, or a request with this idempotency key is still in progress")]),
        route(Method::DELETE, "/org/team/{teamId}/member/{memberId}", Console(Right::ManageTeams), Caller, team::remove_member, "Remove a team member or revoke an invitation").errors(&[("409", "The member is the last active Organization_Admin")]),
        route(Method::POST, "/org/create/client", Console(Right::ManageClients), Caller, client::create, "Create an API client and return its secret once").idempotent().errors(&[("409", "The API client limit has been reached")]),
        route(Method::GET, "/org/clients", Console(Right::ManageClients), Caller, client::list, "List API clients"),
        route(Method::PATCH, "/org/client/{clientId}", Console(Right::ManageClients), Caller, client::change, "Update an API client").idempotent(),
        route(Method::DELETE, "/org/client/{clientId}", Console(Right::ManageClients), Caller, client::delete, "Delete an API client"),
        route(Method::GET, "/org/chat-addresses", Console(Right::ManageOrganization), Caller, chat_address::list, "List chat addresses"),
        route(Method::POST, "/org/chat-addresses", Console(Right::ManageOrganization), Caller, chat_address::create, "Create a chat address").idempotent().errors(&[("409", "The chat address limit has been reached, or a request with this idempotency key is still in progress")]),
        route(Method::PATCH, "/org/chat-addresses/{chatAddressId}", Console(Right::ManageOrganization), Caller, chat_address::change, "Update a chat address").idempotent(),
        route(Method::DELETE, "/org/chat-addresses/{chatAddressId}", Console(Right::ManageOrganization), Caller, chat_address::delete, "Delete a chat address"),
        route(Method::POST, "/org/chat-addresses/{chatAddressId}/test", Console(Right::ManageOrganization), Caller, chat_address::test, "Send a test message to a chat address").extra_time(VERIFICATION_TIME),
        route(Method::GET, "/org/letter-templates", Console(Right::Read), Caller, letter_template::list, "List letter templates"),
        route(Method::PATCH, "/org/letter-templates/takedown", Console(Right::ManageOrganization), Caller, letter_template::change_takedown, "Update the template of takedown requests or restore the built-in one").idempotent(),
        route(Method::PATCH, "/org/letter-templates/license_offer", Console(Right::ManageOrganization), Caller, letter_template::change_license_offer, "Update the template of license offers or restore the built-in one").idempotent(),
        route(Method::PATCH, "/org/refresh/client", Console(Right::ManageClients), Caller, client::rotate, "Rotate an API client's secret").idempotent().errors(&[("404", "The API client does not exist"), ("409", "The API client is revoked")]),
    ]
}

/// Talents.
#[rustfmt::skip]
fn talents() -> Vec<Route> {
    vec![
        route(Method::POST, "/org/talent", Console(Right::ManageTalents), Caller, talent::create, "Create a talent").idempotent().errors(&[("404", "The team does not exist"), ("409", "An individual can have only one talent, the plan's talent limit has been reached, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/org/talent/roster", Console(Right::ReadTalents), Caller, talent::roster, "List talents"),
        route(Method::GET, "/org/talent/name/search", Console(Right::ReadTalents), Caller, talent::search, "Search talents by name"),
        route(Method::POST, "/org/invite/talent", Console(Right::ManageTalents), Caller, invitation::invite_talent, "Invite a talent to claim their record").idempotent().errors(&[("404", "The talent does not exist"), ("409", "The record is already claimed, the plan's talent limit has been reached, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/talent", Console(Right::Read), Caller, talent::own, "List the caller's own talent records"),
        route(Method::GET, "/talent/{talentId}", Console(Right::Read), Caller, talent::show, "Get a talent"),
        route(Method::PATCH, "/talent/{talentId}", Console(Right::ManageTalents), Caller, talent::change, "Update a talent").idempotent(),
    ]
}

/// Licenses, their images and permissions.
#[rustfmt::skip]
fn licenses() -> Vec<Route> {
    vec![
        route(Method::GET, "/org/licenses", Console(Right::ReadLicenses), Caller, license::list, "List licenses"),
        route(Method::POST, "/org/talent/license/{talentId}", Console(Right::ManageLicenses), Caller, license::create, "Create a license").idempotent().body_limit(UPLOAD_LIMIT).extra_time(UPLOAD_TIME).errors(&[("409", "The external ID is taken, the plan's license or image storage limit has been reached, or a request with this idempotency key is still in progress")]),
        route(Method::PATCH, "/org/talent/license/{licenseId}/image", Console(Right::ManageLicenses), Caller, image::add, "Add reference images to a license").if_match().idempotent().body_limit(UPLOAD_LIMIT).extra_time(UPLOAD_TIME).errors(&[("409", "The plan's image storage limit has been reached, or a request with this idempotency key is still in progress")]),
        route(Method::DELETE, "/org/talent/license/{licenseId}/image/{imageId}", Console(Right::ManageLicenses), Caller, image::remove, "Remove a reference image from a license").if_match(),
        route(Method::PATCH, "/org/license/{licenseId}", Console(Right::ManageLicenses), Caller, license::change, "Update a license").idempotent().if_match().errors(&[("409", "The status transition is not allowed, the external ID is taken, or a request with this idempotency key is still in progress")]),
        route(Method::DELETE, "/org/license/{licenseId}", Console(Right::ManageLicenses), Caller, license::delete, "Delete a license").if_match(),
        route(Method::PUT, "/org/license/{licenseId}/catalog-picture", Console(Right::ManageLicenses), Caller, catalog_picture::set, "Set the catalog picture of a license").body_limit(ONE_UPLOAD_LIMIT).extra_time(UPLOAD_TIME).errors(&[("409", "The plan's image storage limit has been reached")]),
        route(Method::DELETE, "/org/license/{licenseId}/catalog-picture", Console(Right::ManageLicenses), Caller, catalog_picture::remove, "Remove the catalog picture of a license"),
        route(Method::GET, "/org/license/{licenseId}/permissions", Console(Right::ManageLicenses), Caller, permission::list, "List permissions of a license"),
        route(Method::POST, "/org/license/{licenseId}/permissions", Console(Right::ManageLicenses), Caller, permission::grant, "Grant a permission on a license").idempotent().errors(&[("409", "The grantee already has a permission or owns the license, or a request with this idempotency key is still in progress")]),
        route(Method::DELETE, "/org/license/{licenseId}/permissions/{permissionId}", Console(Right::ManageLicenses), Caller, permission::revoke, "Revoke a permission").errors(&[("409", "A grant gives the permission; revoke the grant instead")]),
    ]
}

/// Platforms and their PAX.
#[rustfmt::skip]
fn platforms() -> Vec<Route> {
    vec![
        route(Method::POST, "/org/create/platform", Console(Right::ManagePlatforms), Caller, platform::create, "Create a platform").idempotent().errors(&[("404", "The team does not exist"), ("409", "The organization already has a platform with this domain, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/org/platforms", Console(Right::ReadPlatforms), Caller, platform::list, "List platforms"),
        route(Method::GET, "/platforms/{platformId}", Console(Right::ReadPlatforms), Caller, platform::show, "Get a platform"),
        route(Method::PATCH, "/org/platform/{platformId}", Console(Right::ManagePlatforms), Caller, platform::change, "Update a platform").idempotent().errors(&[("409", "The organization already has a platform with this domain, or a request with this idempotency key is still in progress")]),
        route(Method::DELETE, "/org/platform/{platformId}", Console(Right::ManagePlatforms), Caller, platform::delete, "Delete a platform, stop its pod and revoke its PAX"),
        route(Method::GET, "/org/verify/platform/{platformId}", Console(Right::ManagePlatforms), Caller, verification::verify, "Verify a platform's domain").extra_time(VERIFICATION_TIME).errors(&[("409", "Another organization has verified this domain, or the domain was changed in the meantime")]),
        route(Method::POST, "/org/request/pod/{platformId}", Console(Right::ManagePlatforms), Caller, platform::ask_scanner, "Ask staff for a pod for a platform").idempotent().errors(&[("409", "The domain is not verified, the platform already has a pod, or a request with this idempotency key is still in progress")]),
        route(Method::POST, "/console/pax", Console(Right::ManagePlatforms), Caller, pax::create, "Create a PAX").idempotent().errors(&[("404", "The platform does not exist")]),
        route(Method::GET, "/console/pax", Console(Right::ReadPlatforms), Caller, pax::list, "List PAX, including revoked ones"),
        route(Method::GET, "/console/pax/{paxId}", Console(Right::ReadPlatforms), Caller, pax::show, "Get a PAX"),
        route(Method::POST, "/console/pax/{paxId}/content", UserOrClient(Right::ManagePlatforms, Scope::LicenseWrite), Caller, content::push, "Scan content for licensed talents").idempotent().extra_time(sighting::PICTURE_TIMEOUT).errors(&[("409", "The PAX is revoked, or a request with this idempotency key is still in progress")]),
        route(Method::DELETE, "/console/pax/{paxId}", Console(Right::ManagePlatforms), Caller, pax::revoke, "Revoke a PAX permanently"),
    ]
}

/// Plans, cards and invoices.
#[rustfmt::skip]
fn billing() -> Vec<Route> {
    vec![
        route(Method::GET, "/org/subscriptions", Console(Right::ManageBilling), Caller, billing::plans, "List plans, with the organization's subscription and usage"),
        route(Method::POST, "/org/subscribe", Console(Right::ManageBilling), Caller, billing::subscribe, "Subscribe to a plan").idempotent().errors(&[("404", "The plan or card does not exist"), ("409", "The card was declined, the plan cannot be purchased here or is already active, or a payment or a request with this idempotency key is still in progress")]),
        route(Method::DELETE, "/org/subscription", Console(Right::ManageBilling), Caller, billing::cancel, "Cancel the subscription at the end of the billing period").errors(&[("404", "There is no subscription"), ("409", "A payment is in progress")]),
        route(Method::GET, "/org/bill/history", Console(Right::ManageBilling), Caller, billing::bills, "List invoices"),
        route(Method::POST, "/org/card", Console(Right::ManageBilling), Caller, card::add, "Add a payment card").idempotent().errors(&[("409", "The card limit has been reached, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/org/cards", Console(Right::ManageBilling), Caller, card::list, "List payment cards"),
        route(Method::DELETE, "/org/card/{cardId}", Console(Right::ManageBilling), Caller, card::remove, "Remove a payment card").errors(&[("409", "The card is the only card of an active subscription, or a payment is in progress")]),
    ]
}

/// The organization's log.
#[rustfmt::skip]
fn logs() -> Vec<Route> {
    vec![
        route(Method::GET, "/console/logs", Console(Right::ReadLogs), Caller, log::list, "List log entries"),
        route(Method::GET, "/console/logs/{logId}", Console(Right::ReadLogs), Caller, log::show, "Get a log entry"),
        route(Method::POST, "/console/logs/export", Console(Right::ReadLogs), Caller, log_export::create, "Export log entries; the file is available for 24 hours").idempotent(),
        route(Method::GET, "/console/logs/export/{exportId}", Console(Right::ReadLogs), Caller, log_export::fetch, "Download a log export"),
    ]
}

/// Staff routes: staff members, organizations, pods, sources, email templates and logs.
#[rustfmt::skip]
fn staff() -> Vec<Route> {
    vec![
        route(Method::POST, "/admin/member/invite", Admin(AdminRight::ManageMembers), Caller, admin::invite, "Invite a staff member").idempotent().errors(&[("409", "A staff member already has this email address")]),
        route(Method::GET, "/logs/all", Admin(AdminRight::Read), Caller, log::list_all, "List log entries of all organizations"),
        route(Method::GET, "/logs/search", Admin(AdminRight::Read), Caller, log::search_all, "Search log entries of all organizations"),
        route(Method::GET, "/mail/templates", Admin(AdminRight::Read), Caller, template::list, "List email templates"),
        route(Method::POST, "/mail/create/template", Admin(AdminRight::ManageTemplates), Caller, template::create, "Create a custom email template").idempotent().errors(&[("409", "The email already has a custom template, or a request with this idempotency key is still in progress")]),
        route(Method::POST, "/mail/preview/template", Admin(AdminRight::Read), Caller, template::preview, "Preview an email template"),
        route(Method::PUT, "/mail/template/{templateId}", Admin(AdminRight::ManageTemplates), Caller, template::replace, "Replace a custom email template").idempotent(),
        route(Method::DELETE, "/mail/template/{templateId}", Admin(AdminRight::ManageTemplates), Caller, template::delete, "Delete a custom email template and restore the built-in one"),
        route(Method::GET, "/admin/members", Admin(AdminRight::Read), Caller, admin::members, "List staff members"),
        route(Method::PATCH, "/admin/member/{memberId}", Admin(AdminRight::ManageMembers), Caller, admin::change, "Update a staff member's role or status").idempotent().errors(&[("409", "The member is the last active Super_Admin, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/admin/organizations", Admin(AdminRight::Read), Caller, staff::organizations, "List all organizations"),
        route(Method::PATCH, "/admin/organization/{organizationId}", Admin(AdminRight::SetPlan), Caller, staff::change_organization, "Suspend or reactivate an organization, or set its plan").idempotent(),
        route(Method::GET, "/admin/platforms", Admin(AdminRight::Read), Caller, staff::platforms, "List all platforms"),
        route(Method::GET, "/admin/licenses", Admin(AdminRight::Read), Caller, staff::licenses, "List all licenses"),
        route(Method::POST, "/pax/pod", Admin(AdminRight::ManagePods), Caller, pod::create, "Create a pod in the stopped state").idempotent().errors(&[("404", "The platform does not exist"), ("409", "The platform already has a pod, there are 1,000 pods, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/pax/pods", Admin(AdminRight::Read), Caller, pod::list, "List all pods"),
        route(Method::GET, "/pax/pod/{podId}", Admin(AdminRight::Read), Caller, pod::show, "Get a pod with its metrics and recent runs"),
        route(Method::POST, "/pax/start/pod/{podId}", Admin(AdminRight::ManagePods), Caller, pod::apply::<Start>, "Start a pod").idempotent(),
        route(Method::POST, "/pax/pause/pod/{podId}", Admin(AdminRight::ManagePods), Caller, pod::apply::<Pause>, "Pause a running pod").idempotent().errors(&[("409", "The pod is not running, or a request with this idempotency key is still in progress")]),
        route(Method::POST, "/pax/stop/pod/{podId}", Admin(AdminRight::ManagePods), Caller, pod::apply::<Stop>, "Stop a pod").idempotent(),
        route(Method::POST, "/pax/scan/pod/{podId}", Admin(AdminRight::ManagePods), Caller, pod::scan, "Scan a pod's platform now, at most once a minute").idempotent().errors(&[("409", "The pod cannot scan, or a request with this idempotency key is still in progress"), ("429", "The pod was scanned less than a minute ago, or the rate limit is exceeded")]),
        route(Method::POST, "/pax/start/pods", Admin(AdminRight::ManagePods), Caller, pod::apply_all::<Start>, "Start all pods").idempotent(),
        route(Method::POST, "/pax/pause/pods", Admin(AdminRight::ManagePods), Caller, pod::apply_all::<Pause>, "Pause all running pods").idempotent(),
        route(Method::POST, "/pax/stop/pods", Admin(AdminRight::ManagePods), Caller, pod::apply_all::<Stop>, "Stop all pods").idempotent(),
        route(Method::GET, "/pax/sources", Admin(AdminRight::Read), Caller, source::list, "List the sources of all organizations"),
        route(Method::POST, "/pax/stop/source/{sourceId}", Admin(AdminRight::ManagePods), Caller, source::stop, "Stop a source; its organization cannot resume it").idempotent(),
        route(Method::POST, "/pax/resume/source/{sourceId}", Admin(AdminRight::ManagePods), Caller, source::resume, "Resume a source that staff stopped").idempotent(),
        route(Method::POST, "/pax/stop/sources", Admin(AdminRight::ManagePods), Caller, source::stop_all, "Stop all sources").idempotent(),
    ]
}

/// Parses an ID in a path.
fn path_id<T: std::str::FromStr>(text: &str, noun: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| {
        let message = format!("The {noun} ID is not a UUID");
        Problem::new(ProblemKind::InvalidFormat, message)
    })
}
