//! The external API 3.1.0 (`external-api-3.1.0.md`, contract section 4).

mod agreement_payload;
mod bookmark;
mod case;
mod catalog;
mod check;
mod decision;
mod delivery;
mod discovery;
mod envelope;
pub(crate) mod event;
mod evidence;
mod grant;
mod health;
mod issuer;
mod license;
mod magic_link;
mod mention;
mod party;
pub(crate) mod payload;
mod profile;
mod receipt;
mod request;
mod source;
mod terms;
mod token;
mod version;
mod webhook;

use std::time::Duration;

use grantor_domain::limit::LimitName::{
    MailRequest, Metadata, Open, ReceiptVerify, Register, TokenInfo,
};
use grantor_domain::role::Right;
use grantor_domain::scope::Scope::{LicenseRead, LicenseWrite, MentionRead, WebhookManage};
use grantor_http::body::{ONE_UPLOAD_LIMIT, UPLOAD_TIME};
use http::Method;

pub(crate) use self::discovery::document;
use crate::frame::problem::Problem;
use crate::frame::route::Access::{External, ExternalWithRight, Public};
use crate::frame::route::Limit::{Address, Caller, Quiet, Service, Unlimited};
use crate::frame::route::{Route, route};

/// The extra time for a look at an address, which may make several requests to a slow site.
const LOOK_TIME: Duration = Duration::from_secs(30);

/// The API version in `GET /health` and the OpenAPI document.
pub const VERSION: &str = "3.1.0";

/// Returns the route table. The service name is part of one path.
#[must_use]
#[rustfmt::skip]
pub fn routes(service_name: &str) -> Vec<Route> {
    let well_known = format!("/.well-known/{service_name}");
    let mut routes = vec![
        route(Method::GET, "/health", Public, Unlimited, health::show, "Check API health"),
        route(Method::GET, "/metadata", Public, Address(Metadata), catalog::list, "List public licenses").if_none_match(),
        route(Method::GET, well_known, Public, Quiet(Open), discovery::show, "Get the discovery document").if_none_match(),
        route(Method::GET, "/.well-known/jwks.json", Public, Quiet(Open), discovery::keys, "List the public keys that sign access tokens and receipts").if_none_match(),
        route(Method::GET, "/.well-known/jwt-vc-issuer", Public, Quiet(Open), issuer::show, "Get the metadata of the receipt issuer").if_none_match(),
        route(Method::GET, "/credentials/grant/1", Public, Quiet(Open), issuer::credential_type, "Get the metadata of the credential type of receipts").if_none_match(),
        route(Method::POST, "/auth/token", Public, Service, token::exchange, "Exchange an API key and secret for tokens").errors(&[("401", "The credentials are not valid or not active"), ("403", "The account is suspended")]),
        route(Method::POST, "/auth/token/refresh", Public, Service, token::refresh, "Refresh an access token").errors(&[("401", "The refresh token is not valid or has expired")]),
        route(Method::POST, "/auth/token/revoke", Public, Address(Open), token::revoke, "Revoke a token"),
        route(Method::GET, "/licenses", External(LicenseRead), Caller, license::list, "List licenses"),
        route(Method::GET, "/licenses/{id}", External(LicenseRead), Caller, license::show, "Get a license").if_none_match().errors(&[("403", "The token lacks the scope, or the caller has no permission on the license"), ("409", "Several licenses that the caller can view have this external ID")]),
        route(Method::PATCH, "/licenses/{id}", ExternalWithRight(LicenseWrite, Right::EditLicenses), Caller, license::change, "Update a license").idempotent().if_match().errors(&[("403", "The token lacks the scope, or the caller's role or permission does not allow editing the license"), ("409", "The status transition is not allowed, the external ID is taken, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/licenses/{id}/versions", External(LicenseRead), Caller, version::list, "List versions of a license").errors(&[("403", "The token lacks the scope, or the caller does not own the license or act for the talent")]),
        route(Method::GET, "/requests", External(LicenseRead), Caller, request::list, "List requests"),
        route(Method::POST, "/requests", ExternalWithRight(LicenseWrite, Right::RequestLicenses), Caller, request::create, "Request a license").idempotent().errors(&[("404", "The license does not exist or is not visible"), ("409", "The caller owns the license, the license is not private or public, there is already an open request or offer, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/requests/{id}", External(LicenseRead), Caller, request::show, "Get a request with its offers and messages"),
        route(Method::POST, "/requests/{id}/messages", External(LicenseWrite), Caller, request::send, "Send a message").idempotent().errors(&[("403", "The token lacks the scope, or the caller's role does not allow it"), ("409", "The request is closed, or a request with this idempotency key is still in progress")]),
        route(Method::POST, "/requests/{id}/read", External(LicenseRead), Caller, request::read, "Mark a request with its offers and messages as read").idempotent(),
        route(Method::POST, "/requests/{id}/offer", ExternalWithRight(LicenseWrite, Right::ManageLicenses), Caller, request::offer, "Make an offer").idempotent().errors(&[("403", "The token lacks the scope, the caller's role does not allow it, or the caller does not own the license"), ("409", "The request is closed, the terms are wider than the license or overlap with an exclusive grant, or a request with this idempotency key is still in progress")]),
        route(Method::POST, "/requests/{id}/accept", ExternalWithRight(LicenseWrite, Right::RequestLicenses), Caller, request::accept, "Accept an offer").idempotent().errors(&[("403", "The token lacks the scope, the caller's role does not allow it, or the caller is not the asker"), ("409", "The open offer has other terms, there is none, the license no longer allows it, an exclusive grant is in the way, or a request with this idempotency key is still in progress")]),
        route(Method::POST, "/requests/{id}/decline", External(LicenseWrite), Caller, request::decline, "Decline a request or an offer").idempotent().errors(&[("403", "The token lacks the scope, or the caller's role does not allow it"), ("409", "The request is closed or has no open offer, or a request with this idempotency key is still in progress")]),
        route(Method::POST, "/requests/{id}/withdraw", External(LicenseWrite), Caller, request::withdraw, "Withdraw a request or an offer").idempotent().errors(&[("403", "The token lacks the scope, or the caller's role does not allow it"), ("409", "The request is closed or has no open offer, or a request with this idempotency key is still in progress")]),
        route(Method::POST, "/licenses/{id}/offers", ExternalWithRight(LicenseWrite, Right::ManageLicenses), Caller, request::offer_on_license, "Make an offer on a license").idempotent().errors(&[("404", "The license or the licensee does not exist"), ("409", "The terms are wider than the license or overlap with an exclusive grant, there is already an open request of the licensee, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/grants", External(LicenseRead), Caller, grant::list, "List grants"),
        route(Method::GET, "/grants/{id}", External(LicenseRead), Caller, grant::show, "Get a grant"),
        route(Method::POST, "/grants/{id}/revoke", External(LicenseWrite), Caller, grant::revoke, "Revoke a grant").idempotent().errors(&[("403", "The token lacks the scope, the caller's role does not allow it, or the caller is not the licensor"), ("409", "The grant is already over, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/grants/{id}/receipt", External(LicenseRead), Caller, receipt::show, "Get the receipt of a grant"),
        route(Method::GET, "/grants/{id}/certificate.pdf", External(LicenseRead), Caller, receipt::certificate, "Get the certificate of a grant as a PDF"),
        route(Method::POST, "/receipts/verify", Public, Address(ReceiptVerify), receipt::verify, "Verify a receipt"),
        route(Method::GET, "/status-lists/{number}", Public, Quiet(Open), receipt::status_list, "Get a status list of receipts"),
        route(Method::POST, "/decisions", External(LicenseRead), Caller, decision::decide, "Decide whether uses are allowed"),
        route(Method::GET, "/parties", External(LicenseRead), Caller, party::search, "Search parties by name"),
        route(Method::GET, "/bookmarks", External(LicenseRead), Caller, bookmark::list, "List bookmarks"),
        route(Method::POST, "/bookmarks", External(LicenseRead), Caller, bookmark::create, "Create a bookmark").idempotent().errors(&[("403", "The token lacks a scope, or the caller cannot view the target"), ("404", "The license or mention does not exist"), ("409", "The bookmark was deleted at the same time, or a request with this idempotency key is still in progress")]),
        route(Method::DELETE, "/bookmarks/{id}", External(LicenseRead), Caller, bookmark::delete, "Delete a bookmark"),
        route(Method::GET, "/webhooks", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::list, "List webhooks"),
        route(Method::POST, "/webhooks", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::create, "Create a webhook and return its secret once").idempotent().errors(&[("409", "The plan's webhook limit has been reached, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/webhooks/{id}", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::show, "Get a webhook"),
        route(Method::PATCH, "/webhooks/{id}", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::change, "Update a webhook").idempotent(),
        route(Method::DELETE, "/webhooks/{id}", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::delete, "Delete a webhook"),
        route(Method::POST, "/webhooks/{id}/test", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::test, "Send a test event and return the result; a 410 response disables the webhook").idempotent(),
        route(Method::POST, "/webhooks/{id}/rotate-secret", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::rotate_secret, "Rotate a webhook's secret; the old secret also signs for 24 hours").idempotent(),
        route(Method::POST, "/webhooks/{id}/replay", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, delivery::replay, "Replay events of a time range").idempotent().errors(&[("409", "The webhook is disabled, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/webhooks/{id}/deliveries", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, delivery::list, "List deliveries of a webhook"),
        route(Method::POST, "/webhooks/{id}/deliveries/{delivery_id}/retry", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, delivery::retry, "Retry a delivery").idempotent().errors(&[("409", "The webhook is disabled, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/events", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, event::list, "List events").extra_time(event::MAX_WAIT),
        route(Method::POST, "/token/info", Public, Address(TokenInfo), token::info, "Introspect an access token"),
        route(Method::POST, "/register", Public, Address(Register), magic_link::register, "Register without a password"),
        route(Method::POST, "/magic-link", Public, Address(MailRequest), magic_link::request, "Send a magic link"),
        route(Method::POST, "/magic-link/verify", Public, Address(Open), magic_link::verify, "Sign in with a magic link or one-time code").errors(&[("401", "The code or link is not valid, or a second factor is needed (SECOND_FACTOR_REQUIRED)"), ("403", "The account or membership is suspended, or the user is no longer a member of any organization")]),
    ];
    routes.extend(watching());
    routes
}

/// The routes for finding uses of a likeness.
#[rustfmt::skip]
fn watching() -> Vec<Route> {
    vec![
        route(Method::GET, "/licenses/{id}/mentions", External(MentionRead), Caller, mention::list, "List mentions of a license").errors(&[("403", "The token lacks the scope, or the caller has no permission on the license")]),
        route(Method::GET, "/mentions/{id}", External(MentionRead), Caller, mention::show, "Get a mention").errors(&[("403", "The token lacks the scope, or the caller has no permission on the license")]),
        route(Method::PATCH, "/mentions/{id}", ExternalWithRight(LicenseWrite, Right::ReviewMentions), Caller, mention::decide, "Decide about a mention, or undo that").idempotent().errors(&[("403", "The token lacks the scope, or the caller's role or permission does not allow reviewing mentions of the license"), ("409", "`allowed` is given and the mention is not confirmed, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/mentions/{id}/evidence", External(MentionRead), Caller, evidence::show, "Get the evidence of a mention").errors(&[("403", "The token lacks the scope, or the caller's permission on the license does not allow reviewing mentions")]),
        route(Method::GET, "/mentions/{id}/evidence.zip", External(MentionRead), Caller, evidence::download, "Get the evidence of a mention as a signed ZIP file").errors(&[("403", "The token lacks the scope, or the caller's permission on the license does not allow reviewing mentions"), ("404", "The mention does not exist or is not visible, or has no evidence")]),
        route(Method::GET, "/cases", External(MentionRead), Caller, case::list, "List cases"),
        route(Method::GET, "/mentions/{id}/case", External(MentionRead), Caller, case::show, "Get the case of a mention").if_none_match().errors(&[("403", "The token lacks the scope, or the caller's permission on the license does not allow reviewing mentions")]),
        route(Method::POST, "/mentions/{id}/case", ExternalWithRight(LicenseWrite, Right::ReviewMentions), Caller, case::open, "Open the case of a confirmed mention that is not allowed").idempotent().errors(&[("403", "The token lacks the scope, or the caller's role or permission does not allow reviewing mentions of the license"), ("409", "The mention is not confirmed, the use is allowed, there is already a case, or a request with this idempotency key is still in progress")]),
        route(Method::PATCH, "/mentions/{id}/case", ExternalWithRight(LicenseWrite, Right::ReviewMentions), Caller, case::change, "Update the status or the assignee of a case").idempotent().if_match().errors(&[("403", "The token lacks the scope, or the caller's role or permission does not allow reviewing mentions of the license"), ("409", "The status transition is not allowed, or a request with this idempotency key is still in progress")]),
        route(Method::POST, "/mentions/{id}/case/comments", ExternalWithRight(LicenseWrite, Right::ReviewMentions), Caller, case::comment, "Comment on a case").idempotent().errors(&[("403", "The token lacks the scope, or the caller's role or permission does not allow reviewing mentions of the license"), ("409", "The case has 500 comments, or a request with this idempotency key is still in progress")]),
        route(Method::POST, "/mentions/{id}/case/letter", ExternalWithRight(LicenseWrite, Right::ReviewMentions), Caller, case::send_letter, "Send a letter about a mention").idempotent().errors(&[("403", "The token lacks the scope, or the caller's role or permission does not allow reviewing mentions of the license"), ("409", "The case is removed or closed, the case has 100 letters, or a request with this idempotency key is still in progress"), ("429", "The plan's letters per day are used up, the recipient got too many emails in the last hour, or the rate limit is exceeded")]),
        route(Method::POST, "/checks", External(MentionRead), Caller, check::create, "Check a picture, an address or a text").body_limit(ONE_UPLOAD_LIMIT).extra_time(UPLOAD_TIME).errors(&[("503", "The check took too long, or the server is too busy")]),
        route(Method::GET, "/sources", ExternalWithRight(MentionRead, Right::ReadSources), Caller, source::list, "List sources"),
        route(Method::POST, "/sources", ExternalWithRight(LicenseWrite, Right::ManageSources), Caller, source::create, "Watch an address and return what was found there").idempotent().extra_time(LOOK_TIME).errors(&[("400", "A field is not valid, or the address cannot be watched: `details.url` says why"), ("403", "The token lacks the scope, the caller's role or tenant type does not allow it, or a talent does not belong to one of the caller's teams"), ("409", "The address is already watched (`details.source_id`), the plan's limit of sources has been reached, or a request with this idempotency key is still in progress")]),
        route(Method::GET, "/sources/{id}", ExternalWithRight(MentionRead, Right::ReadSources), Caller, source::show, "Get a source with its last scan").if_none_match(),
        route(Method::PATCH, "/sources/{id}", ExternalWithRight(LicenseWrite, Right::ManageSources), Caller, source::change, "Update, pause or resume a source").idempotent().if_match().errors(&[("409", "The operator stopped the source, or a request with this idempotency key is still in progress")]),
        route(Method::DELETE, "/sources/{id}", ExternalWithRight(LicenseWrite, Right::ManageSources), Caller, source::delete, "Delete a source and keep its mentions"),
        route(Method::GET, "/sources/{id}/runs", ExternalWithRight(MentionRead, Right::ReadSources), Caller, source::runs, "List the last scans of a source"),
        route(Method::POST, "/sources/{id}/scan", ExternalWithRight(LicenseWrite, Right::ManageSources), Caller, source::scan, "Scan a source now, at most once a minute").idempotent().errors(&[("409", "The source is paused or stopped, or a request with this idempotency key is still in progress"), ("429", "The source was scanned on demand less than a minute ago, or the rate limit is exceeded")]),
        route(Method::GET, "/profiles", External(MentionRead), Caller, profile::list, "List claimed profiles"),
        route(Method::POST, "/profiles", ExternalWithRight(LicenseWrite, Right::ManageProfiles), Caller, profile::create, "Claim a profile and return the code that proves it").idempotent().errors(&[("409", "The profile is already claimed, the limit of profiles has been reached, or a request with this idempotency key is still in progress")]),
        route(Method::POST, "/profiles/{id}/verify", ExternalWithRight(LicenseWrite, Right::ManageProfiles), Caller, profile::verify, "Look for the code in a profile's description").idempotent().extra_time(LOOK_TIME).errors(&[("409", "The code was not found, another organization proved the profile, or a request with this idempotency key is still in progress")]),
        route(Method::DELETE, "/profiles/{id}", ExternalWithRight(LicenseWrite, Right::ManageProfiles), Caller, profile::delete, "Delete a claimed profile"),
    ]
}

/// Parses an ID in a path.
fn path_id<T: std::str::FromStr>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| Problem::field("id", "must be a UUID"))
}
