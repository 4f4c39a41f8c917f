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
use grantor_domain::limit::LimitName::{
    KeyCheck, LegacyToken, Login, MailRequest, Open, PasswordReset, Refresh, Register, Verification,
};
use grantor_domain::role::Right;
use grantor_domain::scope::Scope;
use grantor_http::body::{ONE_UPLOAD_LIMIT, UPLOAD_LIMIT, UPLOAD_TIME};
use grantor_service::watching::pod::{Pause, Start, Stop};
use grantor_service::watching::sighting;
use http::Method;

use crate::frame::extract::required;
use crate::frame::problem::ProblemKind::{
    Conflict, EmailExists, Exists, Forbidden, InsufficientPermissions, InvalidCredentials,
    InvalidFormat, InvalidOtp, InvalidSession, MemberExists, MissingRequired, NotFound, OtpExpired,
    SecondFactorRequired, TokenExpired, Unauthorized,
};
use crate::frame::problem::{PLAN_LIMIT, Problem, ProblemKind, RATE_LIMITED};
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
        route(Method::POST, "/auth/token", Public, Service(LegacyToken), token::exchange, "Exchange Basic credentials for an external API access token").security_scheme("basic").about("Exchanges the key and secret of an API client, sent as HTTP Basic credentials, for an access token of the external API.").errors(&[(Unauthorized, "The `Authorization` header is missing"), (InvalidCredentials, "The API key or secret is not correct, or the API client is inactive"), (Forbidden, "HTTPS is required, or the account is suspended")]),
        route(Method::POST, "/auth/register", Public, Address(Register), registration::register, "Register with an organization").about("Begins the registration of an organization with its first user, and emails a code that completes it.").errors(&[(EmailExists, "The email address has an account"), (Exists, "The organization's name is taken")]),
        route(Method::POST, "/auth/m/register", Public, Address(Register), registration::register_person, "Register as an individual").about("Begins the registration of an individual, and emails a code that completes it.").errors(&[(EmailExists, "The email address has an account")]),
        route(Method::POST, "/auth/validate/registration", Public, Address(Open), registration::validate, "Verify a registration").about("Completes a registration with the emailed code, and signs the user in.").errors(&[(InvalidOtp, "The code is not correct"), (InvalidSession, "The session of the code is not valid"), (OtpExpired, "The code has expired"), (EmailExists, "The email address got an account in the meantime"), (Exists, "The organization's name was taken in the meantime")]),
        route(Method::PUT, "/auth/resend/otp/{session}", Public, Address(MailRequest), registration::resend, "Resend a one-time code").about("Emails a new code for the same session. The earlier code is no longer valid.").errors(&[(InvalidSession, "The session of the code is not valid")]),
        route(Method::POST, "/auth/login", Public, Address(Login), session::login, "Sign in").about("Signs a user in with a password, and returns tokens.").errors(&[(InvalidCredentials, "The username or password is not correct, or the user is not a member of the organization"), (SecondFactorRequired, "The account has a second factor: send a `code`, too"), (InvalidOtp, "The code of the second factor is not correct"), (Forbidden, "HTTPS is required, the account or membership is suspended, or the user is no longer a member of any organization")]),
        route(Method::POST, "/auth/switch", Account, Caller, session::switch, "Switch to another organization").about("Continues the session in another organization of the user, and returns new tokens.").errors(&[(SecondFactorRequired, "The organization requires a second factor"), (Forbidden, "HTTPS is required, or the account or organization is suspended"), (NotFound, "The user is not a member of the organization")]),
        route(Method::POST, "/auth/refresh/token", Public, Service(Refresh), session::refresh, "Refresh a session").about("Returns new tokens for a session. Each refresh token works once; using one again ends the session.").errors(&[(Unauthorized, "The refresh token is not valid"), (TokenExpired, "The refresh token has expired"), (Forbidden, "HTTPS is required, or the account is suspended")]),
        route(Method::POST, "/auth/logout", Public, Address(Open), session::logout, "Sign out").about("Ends the session of a refresh token. The response is the same for a token that is not valid."),
        route(Method::POST, "/auth/forgot/password", Public, Address(MailRequest), password::forgot, "Request a password reset").more_limits(&[PasswordReset]).about("Emails a code and a link to set a new password. The response is the same for an address without an account."),
        route(Method::POST, "/auth/reset/password", Public, Address(Open), password::reset, "Reset a password and end all sessions").about("Sets a new password with the emailed code or link, and ends all sessions of the user.").errors(&[(InvalidOtp, "The code is not correct"), (InvalidSession, "The session of the code or the link is not valid"), (OtpExpired, "The code or link has expired")]),
        route(Method::POST, "/auth/accept/invitation", Public, Address(Open), invitation::accept, "Accept an invitation").about("Accepts the invitation of a team member, a talent, a grantee or a staff member. Somebody without an account gets one.").errors(&[(InvalidSession, "The invitation is not valid, has expired or was used"), (Forbidden, "HTTPS is required, or the account or organization is suspended"), (EmailExists, "The email address has an account"), (MemberExists, "The person is already a member of the team"), (Conflict, "The talent record is linked to another account, the team is full, or the person is a member of too many organizations")]),
        route(Method::POST, "/auth/authenticateAdmin", Public, Address(Open), admin::authenticate, "Sign in as staff").about("Signs a staff member in with a token that `grantor admin` made, and returns tokens.").errors(&[(InvalidCredentials, "The admin token is not valid")]),
        route(Method::POST, "/external/validate/key", Public, Service(KeyCheck), token::validate_key, "Validate an API key").security_scheme("bearer").about("Says whether an API key, sent as bearer token, is valid, and which scopes it has.").errors(&[(Unauthorized, "The `Authorization` header is missing")]),
    ]
}

/// The caller's profile and sessions.
#[rustfmt::skip]
fn profile() -> Vec<Route> {
    vec![
        route(Method::GET, "/user/profile", Console(Right::Read), Caller, profile::show, "Get the caller's profile").about("Returns the caller's profile and organizations."),
        route(Method::PATCH, "/user/profile", Console(Right::Read), Caller, profile::change, "Update the caller's profile").idempotent().about("Changes the given fields of the caller's profile.").errors(&[(Exists, "The individual's name is that of another organization")]),
        route(Method::PATCH, "/user/change/password", Console(Right::Read), Caller, profile::change_password, "Change the caller's password").idempotent().about("Sets a new password, and ends all other sessions. Wrong passwords count as failed sign-ins."),
        route(Method::GET, "/user/sessions", Console(Right::Read), Caller, profile::sessions, "List the caller's sessions").about("Returns the caller's active sessions, one page at a time."),
        route(Method::DELETE, "/user/sessions/{sessionId}", Console(Right::Read), Caller, profile::end_session, "End one of the caller's sessions").about("Ends one of the caller's sessions. Its tokens are no longer valid."),
        route(Method::GET, "/user/notifications", Console(Right::Read), Caller, notification::show, "Get the caller's notification settings").about("Returns which notifications the caller gets, and how."),
        route(Method::PATCH, "/user/notifications", Console(Right::Read), Caller, notification::change, "Update the caller's notification settings").idempotent().about("Changes the given notification settings of the caller."),
        route(Method::GET, "/user/notices", Console(Right::Read), Caller, notification::list, "List the caller's notifications").about("Returns the caller's notifications, newest first, one page at a time."),
        route(Method::PATCH, "/user/notices", Console(Right::Read), Caller, notification::mark_read, "Mark notifications as read").about("Marks notifications as read: those that are named, or all."),
    ]
}

/// The organization, its teams and API clients.
#[rustfmt::skip]
fn organization() -> Vec<Route> {
    vec![
        route(Method::GET, "/org/information", Console(Right::Read), Caller, organization::show, "Get the caller's organization").about("Returns the caller's organization."),
        route(Method::PATCH, "/org/information", Console(Right::ManageOrganization), Caller, organization::change, "Update the caller's organization").idempotent().about("Changes the given fields of the caller's organization. Unknown fields are listed in `X-Ignored-Fields`.").errors(&[(Exists, "The name is taken")]),
        route(Method::POST, "/org/create/team", Console(Right::ManageTeams), Caller, team::create, "Create a team").idempotent().about("Creates a team.").errors(&[(Exists, "The organization has a team with this name")]),
        route(Method::GET, "/org/teams", Console(Right::ManageTeams), Caller, team::list, "List teams").about("Returns the teams of the organization, one page at a time."),
        route(Method::DELETE, "/org/team/{teamId}", Console(Right::ManageTeams), Caller, team::delete, "Delete a team").about("Deletes a team. Its members stay in the organization.").errors(&[(Conflict, "The team has platforms")]),
        route(Method::GET, "/org/team/members/{teamId}", Console(Right::ReadTeams), Caller, team::members, "List members of a team").about("Returns the members of a team, and pending invitations."),
        route(Method::POST, "/org/invite/team/member/{teamId}", Console(Right::ManageTeams), Caller, team::invite, "Invite a team member").idempotent().about("Invites somebody by email. A member of the organization joins the team at once. The plan limits invitations per day.").errors(&[(MemberExists, "The person is already a member of the team"), (Conflict, "The team has 500 members"), (RATE_LIMITED, "The plan's invitations per day are used up, the address got too many emails in the last hour, or the rate limit is exceeded")]),
        route(Method::PATCH, "/org/team/{teamId}/member/{memberId}", Console(Right::ManageTeams), Caller, team::change_member, "Update a team member's role or status").idempotent().about("Changes the role of a member, or suspends or reactivates the membership.").errors(&[(Conflict, "The member is the last active `Organization_Admin`")]),
        route(Method::DELETE, "/org/team/{teamId}/member/{memberId}", Console(Right::ManageTeams), Caller, team::remove_member, "Remove a team member or revoke an invitation").about("Removes a member from a team, or revokes an invitation. A member who is left without a team leaves the organization.").errors(&[(Conflict, "The member is the last active `Organization_Admin`")]),
        route(Method::POST, "/org/create/client", Console(Right::ManageClients), Caller, client::create, "Create an API client and return its secret once").idempotent().about("Creates an API client, and returns its secret. The secret is not shown again.").errors(&[(Conflict, "The API client limit has been reached")]),
        route(Method::GET, "/org/clients", Console(Right::ManageClients), Caller, client::list, "List API clients").about("Returns the API clients of the organization without their secrets, one page at a time."),
        route(Method::PATCH, "/org/client/{clientId}", Console(Right::ManageClients), Caller, client::change, "Update an API client").idempotent().about("Changes the given fields of an API client, or revokes it.").errors(&[(Conflict, "The status transition is not allowed")]),
        route(Method::DELETE, "/org/client/{clientId}", Console(Right::ManageClients), Caller, client::delete, "Delete an API client").about("Deletes an API client. Its tokens are no longer valid."),
        route(Method::GET, "/org/chat-addresses", Console(Right::ManageOrganization), Caller, chat_address::list, "List chat addresses").about("Returns the chats that get notifications of the organization."),
        route(Method::POST, "/org/chat-addresses", Console(Right::ManageOrganization), Caller, chat_address::create, "Create a chat address").idempotent().about("Adds a chat by its incoming webhook URL, which is not shown again.").errors(&[(Conflict, "The chat address limit has been reached, or another chat address has this URL")]),
        route(Method::PATCH, "/org/chat-addresses/{chatAddressId}", Console(Right::ManageOrganization), Caller, chat_address::change, "Update a chat address").idempotent().about("Changes the given fields of a chat address. Enabling it again resets its failures.").errors(&[(Conflict, "Another chat address has this URL")]),
        route(Method::DELETE, "/org/chat-addresses/{chatAddressId}", Console(Right::ManageOrganization), Caller, chat_address::delete, "Delete a chat address").about("Removes a chat address."),
        route(Method::POST, "/org/chat-addresses/{chatAddressId}/test", Console(Right::ManageOrganization), Caller, chat_address::test, "Send a test message to a chat address").extra_time(VERIFICATION_TIME).about("Sends a test message at once, and returns the result."),
        route(Method::GET, "/org/letter-templates", Console(Right::Read), Caller, letter_template::list, "List letter templates").about("Returns the templates of letters about mentions."),
        route(Method::PATCH, "/org/letter-templates/takedown", Console(Right::ManageOrganization), Caller, letter_template::change_takedown, "Update the template of takedown requests or restore the built-in one").idempotent().about("Changes the template of takedown requests, or restores the built-in one."),
        route(Method::PATCH, "/org/letter-templates/license_offer", Console(Right::ManageOrganization), Caller, letter_template::change_license_offer, "Update the template of license offers or restore the built-in one").idempotent().about("Changes the template of license offers, or restores the built-in one."),
        route(Method::PATCH, "/org/refresh/client", Console(Right::ManageClients), Caller, client::rotate, "Rotate an API client's secret").idempotent().about("Returns a new secret of an API client. The old one stays valid for the grace period.").errors(&[(MissingRequired, "`clientId` is missing"), (InvalidFormat, "`clientId` is not a UUID"), (NotFound, "The API client does not exist"), (Conflict, "The API client is revoked")]),
    ]
}

/// Talents.
#[rustfmt::skip]
fn talents() -> Vec<Route> {
    vec![
        route(Method::POST, "/org/talent", Console(Right::ManageTalents), Caller, talent::create, "Create a talent").idempotent().about("Creates a talent. Unknown fields are listed in `X-Ignored-Fields`.").errors(&[(NotFound, "The team does not exist"), (Exists, "An individual account has only one talent record, or the external ID is taken"), (PLAN_LIMIT, "The plan's talent limit has been reached")]),
        route(Method::GET, "/org/talent/roster", Console(Right::ReadTalents), Caller, talent::roster, "List talents").about("Returns the talents of the organization, one page at a time."),
        route(Method::GET, "/org/talent/name/search", Console(Right::ReadTalents), Caller, talent::search, "Search talents by name").about("Finds talents of the organization by a part of their name.").errors(&[(MissingRequired, "`search` is missing")]),
        route(Method::POST, "/org/invite/talent", Console(Right::ManageTalents), Caller, invitation::invite_talent, "Invite a talent to claim their record").idempotent().about("Invites a talent by email to claim their record: one on the roster, or a new one.").errors(&[(NotFound, "The talent or team does not exist"), (Conflict, "The record is already linked to an account"), (Exists, "The individual account has its talent record"), (PLAN_LIMIT, "The plan's talent limit has been reached"), (RATE_LIMITED, "The plan's invitations per day are used up, the address got too many emails in the last hour, or the rate limit is exceeded")]),
        route(Method::GET, "/talent", Console(Right::Read), Caller, talent::own, "List the caller's own talent records").about("Returns the talent records that are linked to the caller's account."),
        route(Method::GET, "/talent/{talentId}", Console(Right::Read), Caller, talent::show, "Get a talent").about("Returns a talent of the organization, or the caller's own record."),
        route(Method::PATCH, "/talent/{talentId}", Console(Right::ManageTalents), Caller, talent::change, "Update a talent").idempotent().about("Changes the given fields of a talent. Unknown fields are listed in `X-Ignored-Fields`.").errors(&[(Exists, "The external ID is taken")]),
    ]
}

/// Licenses, their images and permissions.
#[rustfmt::skip]
fn licenses() -> Vec<Route> {
    vec![
        route(Method::GET, "/org/licenses", Console(Right::ReadLicenses), Caller, license::list, "List licenses").about("Returns the licenses of the organization and those it has a permission on, one page at a time."),
        route(Method::POST, "/org/talent/license/{talentId}", Console(Right::ManageLicenses), Caller, license::create, "Create a license").idempotent().body_limit(UPLOAD_LIMIT).extra_time(UPLOAD_TIME).headers(&["ETag"]).about("Creates a license of a talent, as JSON or as a form with reference images.").errors(&[(Exists, "The external ID is taken"), (PLAN_LIMIT, "The plan's license or image storage limit has been reached")]),
        route(Method::PATCH, "/org/talent/license/{licenseId}/image", Console(Right::ManageLicenses), Caller, image::add, "Add reference images to a license").if_match().idempotent().body_limit(UPLOAD_LIMIT).extra_time(UPLOAD_TIME).about("Adds reference images to a license, by which copies are found. Hidden data in them is removed.").errors(&[(PLAN_LIMIT, "The plan's image storage limit has been reached")]),
        route(Method::DELETE, "/org/talent/license/{licenseId}/image/{imageId}", Console(Right::ManageLicenses), Caller, image::remove, "Remove a reference image from a license").if_match().about("Removes a reference image from a license."),
        route(Method::PATCH, "/org/license/{licenseId}", Console(Right::ManageLicenses), Caller, license::change, "Update a license").idempotent().if_match().headers(&["ETag"]).about("Changes the given fields of a license. Other fields keep their value; those that are unknown or read-only are listed in `X-Ignored-Fields`.").errors(&[(Conflict, "The status transition is not allowed"), (Exists, "The external ID is taken")]),
        route(Method::DELETE, "/org/license/{licenseId}", Console(Right::ManageLicenses), Caller, license::delete, "Delete a license").if_match().about("Deletes a license with its images and permissions. Its grants stay."),
        route(Method::PUT, "/org/license/{licenseId}/catalog-picture", Console(Right::ManageLicenses), Caller, catalog_picture::set, "Set the catalog picture of a license").body_limit(ONE_UPLOAD_LIMIT).extra_time(UPLOAD_TIME).about("Sets the picture that the catalog shows: a copy of a reference image, or an uploaded one.").errors(&[(PLAN_LIMIT, "The plan's image storage limit has been reached")]),
        route(Method::DELETE, "/org/license/{licenseId}/catalog-picture", Console(Right::ManageLicenses), Caller, catalog_picture::remove, "Remove the catalog picture of a license").about("Removes the picture that the catalog shows."),
        route(Method::GET, "/org/license/{licenseId}/permissions", Console(Right::ManageLicenses), Caller, permission::list, "List permissions of a license").about("Returns who has a permission on a license, one page at a time."),
        route(Method::POST, "/org/license/{licenseId}/permissions", Console(Right::ManageLicenses), Caller, permission::grant, "Grant a permission on a license").idempotent().about("Gives a user or an organization a role on a license. A user is invited by email.").errors(&[(NotFound, "The license or organization does not exist"), (Exists, "The grantee already has a permission"), (Conflict, "The grantee owns the license"), (RATE_LIMITED, "The address got too many emails in the last hour, or the rate limit is exceeded")]),
        route(Method::DELETE, "/org/license/{licenseId}/permissions/{permissionId}", Console(Right::ManageLicenses), Caller, permission::revoke, "Revoke a permission").about("Takes a permission away.").errors(&[(Conflict, "A grant gives the permission; revoke the grant instead")]),
    ]
}

/// Platforms and their PAX.
#[rustfmt::skip]
fn platforms() -> Vec<Route> {
    vec![
        route(Method::POST, "/org/create/platform", Console(Right::ManagePlatforms), Caller, platform::create, "Create a platform").idempotent().about("Creates a platform: a site or app of the organization. Returns what proves its domain.").errors(&[(NotFound, "The team does not exist"), (Exists, "The organization already has a platform with this domain")]),
        route(Method::GET, "/org/platforms", Console(Right::ReadPlatforms), Caller, platform::list, "List platforms").about("Returns the platforms of the organization, one page at a time."),
        route(Method::GET, "/platforms/{platformId}", Console(Right::ReadPlatforms), Caller, platform::show, "Get a platform").about("Returns a platform with its settings and figures."),
        route(Method::PATCH, "/org/platform/{platformId}", Console(Right::ManagePlatforms), Caller, platform::change, "Update a platform").idempotent().about("Changes the given fields of a platform. Another domain must be verified again.").errors(&[(NotFound, "The platform or team does not exist"), (Exists, "The organization already has a platform with this domain"), (Conflict, "Another organization has verified this domain")]),
        route(Method::DELETE, "/org/platform/{platformId}", Console(Right::ManagePlatforms), Caller, platform::delete, "Delete a platform, stop its pod and revoke its PAX").about("Deletes a platform, stops its pod and revokes its PAX."),
        route(Method::GET, "/org/verify/platform/{platformId}", Console(Right::ManagePlatforms), Caller, verification::verify, "Verify a platform's domain").extra_time(VERIFICATION_TIME).more_limits(&[Verification]).about("Looks for the proof in the domain's DNS and at its site, and returns what was found.").errors(&[(Conflict, "Another organization has verified this domain, or the domain was changed in the meantime")]),
        route(Method::POST, "/org/request/pod/{platformId}", Console(Right::ManagePlatforms), Caller, platform::ask_scanner, "Ask staff for a pod for a platform").idempotent().about("Asks staff for a pod, which scans the feeds of a platform.").errors(&[(Conflict, "The domain is not verified, or the platform already has a pod")]),
        route(Method::POST, "/console/pax", Console(Right::ManagePlatforms), Caller, pax::create, "Create a PAX").idempotent().about("Creates a PAX: scoped access to one platform.").errors(&[(NotFound, "The platform does not exist")]),
        route(Method::GET, "/console/pax", Console(Right::ReadPlatforms), Caller, pax::list, "List PAX, including revoked ones").about("Returns the PAX of the organization, including revoked ones, one page at a time."),
        route(Method::GET, "/console/pax/{paxId}", Console(Right::ReadPlatforms), Caller, pax::show, "Get a PAX").about("Returns a PAX with its use."),
        route(Method::POST, "/console/pax/{paxId}/content", UserOrClient(Right::ManagePlatforms, Scope::LicenseWrite), Caller, content::push, "Scan content for licensed talents").idempotent().extra_time(sighting::PICTURE_TIMEOUT).about("Scans what a platform publishes for licensed talents, and returns the mentions.").errors(&[(InsufficientPermissions, "The PAX lacks the scope `write`, the token lacks the scope, or the caller's role does not allow this"), (Conflict, "The PAX is revoked")]),
        route(Method::DELETE, "/console/pax/{paxId}", Console(Right::ManagePlatforms), Caller, pax::revoke, "Revoke a PAX permanently").about("Revokes a PAX for good."),
    ]
}

/// Plans, cards and invoices.
#[rustfmt::skip]
fn billing() -> Vec<Route> {
    vec![
        route(Method::GET, "/org/subscriptions", Console(Right::ManageBilling), Caller, billing::plans, "List plans, with the organization's subscription and usage").about("Returns the plans, and the organization's subscription and usage."),
        route(Method::POST, "/org/subscribe", Console(Right::ManageBilling), Caller, billing::subscribe, "Subscribe to a plan").idempotent().about("Subscribes to a plan. The first period is charged at once; a smaller plan begins with the next period.").errors(&[(NotFound, "The plan or card does not exist"), (Conflict, "The card was declined, the plan cannot be purchased here or is already active, or a payment is in progress")]),
        route(Method::DELETE, "/org/subscription", Console(Right::ManageBilling), Caller, billing::cancel, "Cancel the subscription at the end of the billing period").about("Cancels the subscription at the end of the billing period.").errors(&[(NotFound, "There is no subscription"), (Conflict, "A payment is in progress")]),
        route(Method::GET, "/org/bill/history", Console(Right::ManageBilling), Caller, billing::bills, "List invoices").about("Returns the invoices of the organization, newest first, one page at a time."),
        route(Method::POST, "/org/card", Console(Right::ManageBilling), Caller, card::add, "Add a payment card").idempotent().about("Adds a payment card by a token of the payment processor. Card numbers are refused.").errors(&[(Conflict, "The card limit has been reached")]),
        route(Method::GET, "/org/cards", Console(Right::ManageBilling), Caller, card::list, "List payment cards").about("Returns the payment cards of the organization."),
        route(Method::DELETE, "/org/card/{cardId}", Console(Right::ManageBilling), Caller, card::remove, "Remove a payment card").about("Removes a payment card.").errors(&[(Conflict, "The card is the only card of an active subscription, or a payment is in progress")]),
    ]
}

/// The organization's log.
#[rustfmt::skip]
fn logs() -> Vec<Route> {
    vec![
        route(Method::GET, "/console/logs", Console(Right::ReadLogs), Caller, log::list, "List log entries").about("Returns what happened in the organization, newest first, one page at a time."),
        route(Method::GET, "/console/logs/{logId}", Console(Right::ReadLogs), Caller, log::show, "Get a log entry").about("Returns a log entry with its details."),
        route(Method::POST, "/console/logs/export", Console(Right::ReadLogs), Caller, log_export::create, "Export log entries; the file is available for 24 hours").idempotent().about("Makes a file of log entries, which can be downloaded for 24 hours."),
        route(Method::GET, "/console/logs/export/{exportId}", Console(Right::ReadLogs), Caller, log_export::fetch, "Download a log export").about("Returns the file of an export as JSON or CSV."),
    ]
}

/// Staff routes: staff members, organizations, pods, sources, email templates and logs.
#[rustfmt::skip]
fn staff() -> Vec<Route> {
    vec![
        route(Method::POST, "/admin/member/invite", Admin(AdminRight::ManageMembers), Caller, admin::invite, "Invite a staff member").idempotent().about("Invites a staff member by email.").errors(&[(MemberExists, "A staff member already has this email address"), (RATE_LIMITED, "The address got too many emails in the last hour, or the rate limit is exceeded")]),
        route(Method::GET, "/logs/all", Admin(AdminRight::Read), Caller, log::list_all, "List log entries of all organizations").about("Returns log entries of one scheme of all organizations, newest first, one page at a time.").errors(&[(MissingRequired, "`scheme` is missing")]),
        route(Method::GET, "/logs/search", Admin(AdminRight::Read), Caller, log::search_all, "Search log entries of all organizations").about("Finds log entries of one scheme of all organizations by words.").errors(&[(MissingRequired, "`scheme` or `search` is missing")]),
        route(Method::GET, "/mail/templates", Admin(AdminRight::Read), Caller, template::list, "List email templates").about("Returns the texts of all emails, with the variables that each can have."),
        route(Method::POST, "/mail/create/template", Admin(AdminRight::ManageTemplates), Caller, template::create, "Create a custom email template").idempotent().about("Replaces the built-in text of an email.").errors(&[(Exists, "The email already has a custom template")]),
        route(Method::POST, "/mail/preview/template", Admin(AdminRight::Read), Caller, template::preview, "Preview an email template").about("Shows an email with sample values, without saving or sending it."),
        route(Method::PUT, "/mail/template/{templateId}", Admin(AdminRight::ManageTemplates), Caller, template::replace, "Replace a custom email template").idempotent().about("Replaces the subject and text of a custom email template."),
        route(Method::DELETE, "/mail/template/{templateId}", Admin(AdminRight::ManageTemplates), Caller, template::delete, "Delete a custom email template and restore the built-in one").about("Deletes a custom email template, and restores the built-in text."),
        route(Method::GET, "/admin/members", Admin(AdminRight::Read), Caller, admin::members, "List staff members").about("Returns the staff members, one page at a time."),
        route(Method::PATCH, "/admin/member/{memberId}", Admin(AdminRight::ManageMembers), Caller, admin::change, "Update a staff member's role or status").idempotent().about("Changes the role of a staff member, or suspends or reactivates the account.").errors(&[(Conflict, "The member is the last active `Super_Admin`")]),
        route(Method::GET, "/admin/organizations", Admin(AdminRight::Read), Caller, staff::organizations, "List all organizations").about("Returns all organizations, one page at a time."),
        route(Method::PATCH, "/admin/organization/{organizationId}", Admin(AdminRight::SetPlan), Caller, staff::change_organization, "Suspend or reactivate an organization, or set its plan").idempotent().about("Suspends or reactivates an organization, or sets its plan."),
        route(Method::GET, "/admin/platforms", Admin(AdminRight::Read), Caller, staff::platforms, "List all platforms").about("Returns the platforms of all organizations, one page at a time."),
        route(Method::GET, "/admin/licenses", Admin(AdminRight::Read), Caller, staff::licenses, "List all licenses").about("Returns the licenses of all organizations, one page at a time."),
        route(Method::POST, "/pax/pod", Admin(AdminRight::ManagePods), Caller, pod::create, "Create a pod in the stopped state").idempotent().about("Creates a pod for a platform. It is stopped until it is started.").errors(&[(NotFound, "The platform does not exist"), (Exists, "The platform already has a pod"), (Conflict, "There are 1,000 pods")]),
        route(Method::GET, "/pax/pods", Admin(AdminRight::Read), Caller, pod::list, "List all pods").about("Returns all pods."),
        route(Method::GET, "/pax/pod/{podId}", Admin(AdminRight::Read), Caller, pod::show, "Get a pod with its metrics and recent runs").about("Returns a pod with its figures, recent runs and what keeps it from scanning."),
        route(Method::POST, "/pax/start/pod/{podId}", Admin(AdminRight::ManagePods), Caller, pod::apply::<Start>, "Start a pod").idempotent().about("Starts a pod: it scans the feeds of its platform at their frequency."),
        route(Method::POST, "/pax/pause/pod/{podId}", Admin(AdminRight::ManagePods), Caller, pod::apply::<Pause>, "Pause a running pod").idempotent().about("Pauses a running pod.").errors(&[(Conflict, "The pod is not running")]),
        route(Method::POST, "/pax/stop/pod/{podId}", Admin(AdminRight::ManagePods), Caller, pod::apply::<Stop>, "Stop a pod").idempotent().about("Stops a pod."),
        route(Method::POST, "/pax/scan/pod/{podId}", Admin(AdminRight::ManagePods), Caller, pod::scan, "Scan a pod's platform now, at most once a minute").idempotent().about("Scans the feeds of a pod's platform at once.").errors(&[(Conflict, "The pod cannot scan"), (RATE_LIMITED, "The pod was scanned less than a minute ago, or the rate limit is exceeded")]),
        route(Method::POST, "/pax/start/pods", Admin(AdminRight::ManagePods), Caller, pod::apply_all::<Start>, "Start all pods").idempotent().about("Starts all pods, and returns how many were not running."),
        route(Method::POST, "/pax/pause/pods", Admin(AdminRight::ManagePods), Caller, pod::apply_all::<Pause>, "Pause all running pods").idempotent().about("Pauses all running pods, and returns how many there were."),
        route(Method::POST, "/pax/stop/pods", Admin(AdminRight::ManagePods), Caller, pod::apply_all::<Stop>, "Stop all pods").idempotent().about("Stops all pods, and returns how many were not stopped."),
        route(Method::GET, "/pax/sources", Admin(AdminRight::Read), Caller, source::list, "List the sources of all organizations").about("Returns the sources of all organizations, one page at a time."),
        route(Method::POST, "/pax/stop/source/{sourceId}", Admin(AdminRight::ManagePods), Caller, source::stop, "Stop a source; its organization cannot resume it").idempotent().about("Stops a source. Its organization cannot resume it."),
        route(Method::POST, "/pax/resume/source/{sourceId}", Admin(AdminRight::ManagePods), Caller, source::resume, "Resume a source that staff stopped").idempotent().about("Resumes a source that staff stopped."),
        route(Method::POST, "/pax/stop/sources", Admin(AdminRight::ManagePods), Caller, source::stop_all, "Stop all sources").idempotent().about("Stops the sources of all organizations, and returns how many were running."),
    ]
}

/// Parses an ID in a path.
fn path_id<T: std::str::FromStr>(text: &str, noun: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| {
        let message = format!("The {noun} ID is not a UUID");
        Problem::new(ProblemKind::InvalidFormat, message)
    })
}
