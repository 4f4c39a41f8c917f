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
mod oauth;
mod party;
pub(crate) mod payload;
mod profile;
mod receipt;
mod request;
mod rights;
mod site_rights;
mod source;
mod terms;
mod token;
mod version;
mod webhook;

use std::time::Duration;

use grantor_domain::limit::LimitName::{
    ExternalToken, MagicLink, MailRequest, Metadata, Open, Parties, ReceiptVerify, Refresh,
    Register, TokenInfo, Verification,
};
use grantor_domain::rights::{SITE_RSL_PATH, VOCABULARY_PATH};
use grantor_domain::role::Right;
use grantor_domain::scope::Scope::{LicenseRead, LicenseWrite, MentionRead, WebhookManage};
use grantor_http::body::{ONE_UPLOAD_LIMIT, UPLOAD_TIME};
use http::Method;

use crate::frame::oauth::OAuthCode;
use crate::frame::problem::ProblemKind::{
    AccessDenied, Conflict, CredentialInactive, Exists, Forbidden, InsufficientPermissions,
    InvalidCredentials, InvalidOtp, NotFound, SecondFactorRequired, TokenExpired, Unauthorized,
    Validation,
};
use crate::frame::problem::{PLAN_LIMIT, Problem, ProblemKind, RATE_LIMITED, UNAVAILABLE};
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
        route(Method::GET, "/health", Public, Unlimited, health::show, "Check API health").about("Says that the API answers. `/readyz` says whether the server can handle requests."),
        route(Method::GET, "/metadata", Public, Address(Metadata), catalog::list, "List public licenses").if_none_match().about("Returns the public licenses of all owners, one page at a time. The response can be cached for a minute."),
        route(Method::GET, well_known, Public, Quiet(Open), discovery::show, "Get the discovery document").if_none_match().about("Says where everything is: the APIs, their versions and documents, scopes, license types, event types and the keys of tokens and receipts."),
        route(Method::GET, "/.well-known/jwks.json", Public, Quiet(Open), discovery::keys, "List the public keys that sign access tokens and receipts").if_none_match().about("Returns the public keys as a JSON Web Key Set (RFC 7517). The IDs of keys for receipts start with `receipt-`."),
        route(Method::GET, "/.well-known/jwt-vc-issuer", Public, Quiet(Open), issuer::show, "Get the metadata of the receipt issuer").if_none_match().about("Says which keys verify receipts (SD-JWT VC)."),
        route(Method::GET, "/credentials/grant/1", Public, Quiet(Open), issuer::credential_type, "Get the metadata of the credential type of receipts").if_none_match().about("Says what the claims in receipts mean (SD-JWT VC)."),
        route(Method::POST, "/auth/token", Public, Service(ExternalToken), token::exchange, "Exchange an API key and secret for tokens").about("Exchanges the key and secret of an API client for an access token, valid for 1 hour, and a refresh token, valid for 30 days.").errors(&[(InvalidCredentials, "The API key or secret is not correct"), (CredentialInactive, "The API client is inactive or has expired"), (Forbidden, "HTTPS is required, or the account is suspended")]),
        route(Method::POST, "/auth/token/refresh", Public, Service(Refresh), token::refresh, "Refresh an access token").about("Returns a new access token. The refresh token stays valid until it expires or is revoked. Only a token that is not valid counts against the limit below; a valid one counts against the rate limit of the API client's plan.").errors(&[(Unauthorized, "The refresh token is not valid"), (TokenExpired, "The refresh token has expired"), (Forbidden, "HTTPS is required, or the account is suspended")]),
        route(Method::POST, "/auth/token/revoke", Public, Address(Open), token::revoke, "Revoke a token").about("Revokes an access token or refresh token. The response is the same for a token that is not valid."),
        route(Method::GET, "/licenses", External(LicenseRead), Caller, license::list, "List licenses").about("Returns the licenses that the caller owns or has a permission on, one page at a time."),
        route(Method::GET, "/licenses/{id}", External(LicenseRead), Caller, license::show, "Get a license").if_none_match().about("Returns a license with the caller's permission on it, on request with its reference images, or an earlier version; or what it offers in a format for programs, as in `GET /metadata/{id}`.").errors(&[(AccessDenied, "The caller has no permission on the license"), (Conflict, "Several licenses that the caller can view have this external ID")]),
        route(Method::PATCH, "/licenses/{id}", ExternalWithRight(LicenseWrite, Right::EditLicenses), Caller, license::change, "Update a license").idempotent().if_match().headers(&["ETag", "X-Ignored-Fields"]).about("Changes the given fields of a license. Other fields keep their value; those that are unknown or read-only are listed in `X-Ignored-Fields`.").errors(&[(AccessDenied, "The caller's permission does not allow editing the license"), (Conflict, "The status transition is not allowed, or several licenses that the caller can view have this external ID"), (Exists, "The external ID is taken")]),
        route(Method::GET, "/licenses/{id}/versions", External(LicenseRead), Caller, version::list, "List versions of a license").about("Returns all versions of a license, newest first, with who made each.").errors(&[(AccessDenied, "The caller does not own the license or act for the talent"), (Conflict, "Several licenses that the caller can view have this external ID")]),
        route(Method::GET, "/requests", External(LicenseRead), Caller, request::list, "List requests").about("Returns the requests that the caller's tenant made or got, one page at a time."),
        route(Method::POST, "/requests", ExternalWithRight(LicenseWrite, Right::RequestLicenses), Caller, request::create, "Request a license").idempotent().about("Asks the owner of a license for a grant. The owner is notified and can answer with an offer.").errors(&[(NotFound, "The license does not exist or is not visible"), (Conflict, "The caller owns the license, the license is not private or public, or there is already an open request or offer")]),
        route(Method::GET, "/requests/{id}", External(LicenseRead), Caller, request::show, "Get a request with its offers and messages").about("Returns a request with all its offers and messages."),
        route(Method::POST, "/requests/{id}/messages", External(LicenseWrite), Caller, request::send, "Send a message").idempotent().about("Sends a message to the other party of a request.").errors(&[(Forbidden, "HTTPS is required, the account is suspended, or the caller's side may not do this"), (Conflict, "The request is closed")]),
        route(Method::POST, "/requests/{id}/read", External(LicenseRead), Caller, request::read, "Mark a request with its offers and messages as read").idempotent().about("Marks a request with its offers and messages as read by the caller's tenant."),
        route(Method::POST, "/requests/{id}/offer", ExternalWithRight(LicenseWrite, Right::ManageLicenses), Caller, request::offer, "Make an offer").idempotent().about("Offers exact terms to the asker, which replace an earlier offer.").errors(&[(Forbidden, "HTTPS is required, the account is suspended, or the caller does not own the license"), (Conflict, "The request is closed, or the terms are wider than the license or overlap with an exclusive grant")]),
        route(Method::POST, "/requests/{id}/accept", ExternalWithRight(LicenseWrite, Right::RequestLicenses), Caller, request::accept, "Accept an offer").idempotent().about("Accepts the open offer, which makes a grant. The hash proves that the caller has seen these terms.").errors(&[(NotFound, "The request does not exist or is not visible, or the license was deleted"), (Forbidden, "HTTPS is required, the account is suspended, or the caller is not the asker"), (Conflict, "The open offer has other terms, there is none, the license no longer allows it, or an exclusive grant is in the way")]),
        route(Method::POST, "/requests/{id}/decline", External(LicenseWrite), Caller, request::decline, "Decline a request or an offer").idempotent().about("Declines a request as the owner, or an offer as the asker, with a reason.").errors(&[(Forbidden, "HTTPS is required, the account is suspended, or the caller's side may not do this"), (Conflict, "The request is closed or has no open offer")]),
        route(Method::POST, "/requests/{id}/withdraw", External(LicenseWrite), Caller, request::withdraw, "Withdraw a request or an offer").idempotent().about("Withdraws a request as the asker, or an offer as the owner.").errors(&[(Forbidden, "HTTPS is required, the account is suspended, or the caller's side may not do this"), (Conflict, "The request is closed or has no open offer")]),
        route(Method::POST, "/licenses/{id}/offers", ExternalWithRight(LicenseWrite, Right::ManageLicenses), Caller, request::offer_on_license, "Make an offer on a license").idempotent().about("Offers exact terms to a party that did not ask: a tenant by ID, or anyone by email address.").errors(&[(NotFound, "The license or the licensee does not exist"), (Conflict, "The terms are wider than the license or overlap with an exclusive grant, or there is already an open request of the licensee")]),
        route(Method::GET, "/grants", External(LicenseRead), Caller, grant::list, "List grants").about("Returns the grants that the caller's tenant gave or holds, one page at a time."),
        route(Method::GET, "/grants/{id}", External(LicenseRead), Caller, grant::show, "Get a grant").about("Returns a grant with its terms, which never change."),
        route(Method::POST, "/grants/{id}/revoke", External(LicenseWrite), Caller, grant::revoke, "Revoke a grant").idempotent().about("Ends a grant before its time, with a reason. Its receipt is no longer valid.").errors(&[(Forbidden, "HTTPS is required, the account is suspended, or the caller is not the licensor"), (Conflict, "The grant is already over")]),
        route(Method::GET, "/grants/{id}/receipt", External(LicenseRead), Caller, receipt::show, "Get the receipt of a grant").about("Returns the signed receipt of a grant (SD-JWT VC), which anyone can verify."),
        route(Method::GET, "/grants/{id}/certificate.pdf", External(LicenseRead), Caller, receipt::certificate, "Get the certificate of a grant as a PDF").about("Returns the certificate of a grant, with the terms and a code to verify it.").errors(&[(Conflict, "The grant was revoked")]),
        route(Method::POST, "/receipts/verify", Public, Address(ReceiptVerify), receipt::verify, "Verify a receipt").about("Says whether a receipt is genuine and its grant in force, with the claims it discloses."),
        route(Method::GET, "/status-lists/{number}", Public, Quiet(Open), receipt::status_list, "Get a status list of receipts").about("Returns a signed list that says which receipts are no longer valid (Token Status List)."),
        route(Method::POST, "/decisions", External(LicenseRead), Caller, decision::decide, "Decide whether uses are allowed").about("Says for each question whether the caller's tenant may use a likeness in a given way, place and time, and why: `allowed`, `denied` or `ask`."),
        route(Method::GET, "/parties", External(LicenseRead), Caller, party::search, "Search parties by name").more_limits(&[Parties]).about("Returns up to 10 tenants by the beginning of their names: those that share a request, grant or permission with the caller's tenant, and those that chose to be found."),
        route(Method::GET, "/bookmarks", External(LicenseRead), Caller, bookmark::list, "List bookmarks").about("Returns the bookmarks of the person who created the API client, one page at a time."),
        route(Method::POST, "/bookmarks", External(LicenseRead), Caller, bookmark::create, "Create a bookmark").idempotent().about("Saves a reference to a license or mention. Bookmarking the same record again replaces its note and tags, and returns 200.").errors(&[(InsufficientPermissions, "The token lacks a scope: mentions need `mention:read`, too"), (AccessDenied, "The caller cannot view the license or mention"), (NotFound, "The license or mention does not exist"), (Conflict, "The bookmark was deleted at the same time")]),
        route(Method::DELETE, "/bookmarks/{id}", External(LicenseRead), Caller, bookmark::delete, "Delete a bookmark").about("Deletes a bookmark. The license or mention stays."),
        route(Method::GET, "/webhooks", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::list, "List webhooks").about("Returns the webhooks of the caller's tenant, one page at a time."),
        route(Method::POST, "/webhooks", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::create, "Create a webhook and return its secret once").idempotent().about("Creates a webhook, and returns the secret that signs its deliveries. The secret is not shown again.").errors(&[(PLAN_LIMIT, "The plan's webhook limit has been reached")]),
        route(Method::GET, "/webhooks/{id}", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::show, "Get a webhook").about("Returns a webhook without its secret."),
        route(Method::PATCH, "/webhooks/{id}", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::change, "Update a webhook").idempotent().about("Changes the given fields of a webhook. Enabling it again resets its failures."),
        route(Method::DELETE, "/webhooks/{id}", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::delete, "Delete a webhook").about("Deletes a webhook with its deliveries."),
        route(Method::POST, "/webhooks/{id}/test", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::test, "Send a test event and return the result; a 410 response disables the webhook").idempotent().about("Sends a `webhook.test` event at once, and returns the result. An answer of 410 disables the webhook."),
        route(Method::POST, "/webhooks/{id}/rotate-secret", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, webhook::rotate_secret, "Rotate a webhook's secret; the old secret also signs for 24 hours").idempotent().about("Returns a new secret. The old one also signs for 24 hours."),
        route(Method::POST, "/webhooks/{id}/replay", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, delivery::replay, "Replay events of a time range").idempotent().about("Queues the events of a time range again, or counts them with `dry_run`.").errors(&[(Conflict, "The webhook is disabled, or another replay of it is still being queued")]),
        route(Method::GET, "/webhooks/{id}/deliveries", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, delivery::list, "List deliveries of a webhook").about("Returns the deliveries of a webhook with all attempts, newest first, one page at a time."),
        route(Method::POST, "/webhooks/{id}/deliveries/{delivery_id}/retry", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, delivery::retry, "Retry a delivery").idempotent().about("Queues a delivery for another attempt.").errors(&[(Conflict, "The webhook is disabled")]),
        route(Method::GET, "/events", ExternalWithRight(WebhookManage, Right::ManageWebhooks), Caller, event::list, "List events").extra_time(event::MAX_WAIT).about("Returns the events of the caller's tenant after a cursor, oldest first. With `wait`, the response waits for new ones."),
        route(Method::POST, "/token/info", Public, Address(TokenInfo), token::info, "Introspect an access token").about("Says whether an access token is valid, and which scopes it has. The token is in the body, or else in the `Authorization` header."),
        route(Method::POST, "/register", Public, Address(Register), magic_link::register, "Register without a password").more_limits(&[MagicLink]).about("Registers an individual account, and emails a link and a code that sign in. The response is the same for an address that has an account."),
        route(Method::POST, "/magic-link", Public, Address(MailRequest), magic_link::request, "Send a magic link").more_limits(&[MagicLink]).about("Emails a link and a code that sign in. The response is the same for an address without an account."),
        route(Method::POST, "/magic-link/verify", Public, Address(Open), magic_link::verify, "Sign in with a magic link or one-time code").about("Signs in with the emailed code or link, and returns tokens for the console API.").errors(&[(InvalidCredentials, "The code or link is not valid"), (SecondFactorRequired, "The account has a second factor: send a `code`, too"), (InvalidOtp, "The code of the second factor is not correct"), (Forbidden, "HTTPS is required, the account or membership is suspended, or the user is no longer a member of any organization")]),
    ];
    routes.extend(watching());
    routes.extend(oauth_routes());
    routes.extend(rights_routes());
    routes
}

/// The routes of OAuth 2.0.
#[rustfmt::skip]
fn oauth_routes() -> Vec<Route> {
    vec![
        route(Method::POST, "/oauth/token", Public, Service(ExternalToken), oauth::issue, "Get an access token (OAuth 2.0)").oauth().about("The token endpoint of OAuth 2.0 (RFC 6749) for the grant type `client_credentials`. The client is an API client: its key is the client ID, its secret the client secret. There is no refresh token; request another access token instead.").errors(&[(ProblemKind::OAuth(OAuthCode::UnsupportedGrantType), "The grant type is not `client_credentials`"), (ProblemKind::OAuth(OAuthCode::InvalidScope), "A scope does not exist, or the API client has none of the scopes"), (ProblemKind::OAuth(OAuthCode::InvalidTarget), "A resource is not on this server"), (ProblemKind::OAuth(OAuthCode::InvalidGrant), "The API client is inactive, or the account is suspended"), (ProblemKind::InvalidCredentials, "The client could not be authenticated")]),
        route(Method::POST, "/oauth/introspect", Public, Address(TokenInfo), oauth::introspect, "Introspect a token (OAuth 2.0)").oauth().about("The introspection endpoint of OAuth 2.0 (RFC 7662). Tells an API client about the tokens of its own organization; all others are not active.").errors(&[(ProblemKind::InvalidCredentials, "The client could not be authenticated, or is inactive")]),
        route(Method::POST, "/oauth/revoke", Public, Address(Open), oauth::revoke, "Revoke a token (OAuth 2.0)").oauth().about("The revocation endpoint of OAuth 2.0 (RFC 7009). Revokes a token of the API client itself. Revoking a token that is not valid succeeds.").errors(&[(ProblemKind::OAuth(OAuthCode::InvalidGrant), "The token was issued to another client"), (ProblemKind::InvalidCredentials, "The client could not be authenticated, or is inactive")]),
        route(Method::GET, "/oauth/authorize", Public, Quiet(Open), oauth::authorize, "Refuse an authorization request (OAuth 2.0)").oauth().about("Always fails: the grant type `client_credentials` needs no authorization endpoint. Some libraries don't accept metadata without one.").errors(&[(ProblemKind::OAuth(OAuthCode::UnsupportedResponseType), "Only the grant type `client_credentials` is supported")]),
        route(Method::GET, "/.well-known/oauth-authorization-server", Public, Quiet(Open), oauth::metadata::server, "Get the metadata of the authorization server (OAuth 2.0)").about("Where libraries find the endpoints of OAuth 2.0 (RFC 8414).").if_none_match(),
        route(Method::GET, "/.well-known/oauth-protected-resource", Public, Quiet(Open), oauth::metadata::resource, "Get the metadata of the API as a protected resource (OAuth 2.0)").about("Where libraries find the authorization server of this API (RFC 9728).").if_none_match(),
        route(Method::GET, "/.well-known/oauth-protected-resource/mcp", Public, Quiet(Open), oauth::metadata::mcp_resource, "Get the metadata of the MCP endpoint as a protected resource (OAuth 2.0)").about("Where MCP clients find the authorization server of `/mcp` (RFC 9728).").if_none_match(),
    ]
}

/// The routes that tell programs and crawlers what they may do.
#[rustfmt::skip]
fn rights_routes() -> Vec<Route> {
    vec![
        route(Method::GET, "/metadata/{id}", Public, Address(Metadata), rights::show, "Get a public license and what it offers").headers(&["Link"]).about("Returns a public license as in the catalog, or what it offers in a format for programs: ODRL 2.2, RSL 1.0, schema.org data or plain text. The format is `format`, or else what the `Accept` header prefers; JSON if it accepts none of them.").if_none_match(),
        route(Method::GET, "/robots.txt", Public, Quiet(Open), site_rights::robots, "Get the rules for crawlers").about("The rules for crawlers (RFC 9309), with preferences about AI uses and the URL of the RSL document.").if_none_match(),
        route(Method::GET, SITE_RSL_PATH, Public, Quiet(Open), site_rights::license, "Get the RSL document of the site").about("What crawlers may do with public pages, as RSL 1.0. Each license has its own document at `/metadata/{id}`.").if_none_match(),
        route(Method::GET, "/.well-known/tdmrep.json", Public, Quiet(Open), site_rights::mining, "Get the reservation of rights to text and data mining").about("Reserves the rights to text and data mining of public pages (TDM Reservation Protocol).").if_none_match(),
        route(Method::GET, VOCABULARY_PATH, Public, Quiet(Open), site_rights::uses, "Get the vocabulary of uses").about("Says what the uses in ODRL and RSL documents mean, as a SKOS concept scheme (JSON-LD).").if_none_match(),
    ]
}

/// The routes for finding uses of a likeness.
#[rustfmt::skip]
fn watching() -> Vec<Route> {
    vec![
        route(Method::GET, "/licenses/{id}/mentions", External(MentionRead), Caller, mention::list, "List mentions of a license").about("Returns the mentions that a license covers, one page at a time.").errors(&[(AccessDenied, "The caller has no permission on the license")]),
        route(Method::GET, "/mentions/{id}", External(MentionRead), Caller, mention::show, "Get a mention").about("Returns a mention with its verdict and review.").errors(&[(AccessDenied, "The caller has no permission on the license")]),
        route(Method::PATCH, "/mentions/{id}", ExternalWithRight(LicenseWrite, Right::ReviewMentions), Caller, mention::decide, "Decide about a mention, or undo that").idempotent().headers(&["X-Ignored-Fields"]).about("Confirms or dismisses a mention, says whether the use is allowed, or undoes that.").errors(&[(AccessDenied, "The caller's permission does not allow reviewing mentions of the license"), (Conflict, "`allowed` is given and the mention is not confirmed")]),
        route(Method::GET, "/mentions/{id}/evidence", External(MentionRead), Caller, evidence::show, "Get the evidence of a mention").headers(&["Link"]).about("Returns what was seen of a mention, revision by revision, with hashes that prove it is unchanged.").errors(&[(AccessDenied, "The caller's permission does not allow reviewing mentions of the license")]),
        route(Method::GET, "/mentions/{id}/evidence.zip", External(MentionRead), Caller, evidence::download, "Get the evidence of a mention as a signed ZIP file").about("Returns the evidence of a mention with pictures as a signed file, which `grantor verify` checks.").errors(&[(AccessDenied, "The caller's permission does not allow reviewing mentions of the license"), (NotFound, "The mention does not exist, or has no evidence")]),
        route(Method::GET, "/cases", External(MentionRead), Caller, case::list, "List cases").about("Returns the cases of the caller's tenant, one page at a time."),
        route(Method::GET, "/mentions/{id}/case", External(MentionRead), Caller, case::show, "Get the case of a mention").if_none_match().about("Returns the case of a mention with its comments and letters, and drafts of letters.").errors(&[(AccessDenied, "The caller's permission does not allow reviewing mentions of the license")]),
        route(Method::POST, "/mentions/{id}/case", ExternalWithRight(LicenseWrite, Right::ReviewMentions), Caller, case::open, "Open the case of a confirmed mention that is not allowed").idempotent().about("Opens the case of a confirmed mention that is not allowed. From then on, the page is looked at every day.").errors(&[(AccessDenied, "The caller's permission does not allow reviewing mentions of the license"), (Conflict, "The mention is not confirmed, the use is allowed, or there is already a case")]),
        route(Method::PATCH, "/mentions/{id}/case", ExternalWithRight(LicenseWrite, Right::ReviewMentions), Caller, case::change, "Update the status or the assignee of a case").idempotent().if_match().headers(&["ETag", "X-Ignored-Fields"]).about("Changes the status or the assignee of a case.").errors(&[(AccessDenied, "The caller's permission does not allow reviewing mentions of the license"), (Conflict, "The status transition is not allowed")]),
        route(Method::POST, "/mentions/{id}/case/comments", ExternalWithRight(LicenseWrite, Right::ReviewMentions), Caller, case::comment, "Comment on a case").idempotent().about("Adds a comment to a case, which only the tenant's own people see.").errors(&[(AccessDenied, "The caller's permission does not allow reviewing mentions of the license"), (Conflict, "The case has 500 comments")]),
        route(Method::POST, "/mentions/{id}/case/letter", ExternalWithRight(LicenseWrite, Right::ReviewMentions), Caller, case::send_letter, "Send a letter about a mention").idempotent().about("Emails a letter about a mention, with a link to the evidence.").errors(&[(AccessDenied, "The caller's permission does not allow reviewing mentions of the license"), (Conflict, "The case is removed or closed, or has 100 letters"), (RATE_LIMITED, "The plan's letters per day are used up, the recipient got too many emails in the last hour, or the rate limit is exceeded")]),
        route(Method::POST, "/checks", External(MentionRead), Caller, check::create, "Check a picture, an address or a text").body_limit(ONE_UPLOAD_LIMIT).extra_time(UPLOAD_TIME).about("Recognizes talents in a picture, on a page or in a text, and says whether the use is allowed. Nothing is kept but a log entry.").errors(&[(UNAVAILABLE, "The check took too long, or the server is too busy")]),
        route(Method::GET, "/sources", ExternalWithRight(MentionRead, Right::ReadSources), Caller, source::list, "List sources").about("Returns the addresses that the caller's tenant watches, one page at a time."),
        route(Method::POST, "/sources", ExternalWithRight(LicenseWrite, Right::ManageSources), Caller, source::create, "Watch an address and return what was found there").idempotent().extra_time(LOOK_TIME).about("Watches an address: a page, a feed, a sitemap or a profile of a hosted service. Returns what was found there.").errors(&[(Validation, "A field is not valid, or the address cannot be watched: `details.url` says why"), (AccessDenied, "A talent does not belong to one of the caller's teams"), (Conflict, "The address is already watched: `details.source_id` says by which source"), (PLAN_LIMIT, "The plan's limit of sources has been reached")]),
        route(Method::GET, "/sources/{id}", ExternalWithRight(MentionRead, Right::ReadSources), Caller, source::show, "Get a source with its last scan").if_none_match().about("Returns a source with its last scan."),
        route(Method::PATCH, "/sources/{id}", ExternalWithRight(LicenseWrite, Right::ManageSources), Caller, source::change, "Update, pause or resume a source").idempotent().if_match().headers(&["ETag", "X-Ignored-Fields"]).about("Changes the name, frequency or talents of a source, pauses or resumes it. Other fields, such as `url`, are listed in `X-Ignored-Fields`.").errors(&[(Conflict, "The operator stopped the source")]),
        route(Method::DELETE, "/sources/{id}", ExternalWithRight(LicenseWrite, Right::ManageSources), Caller, source::delete, "Delete a source and keep its mentions").about("Stops watching an address. The mentions that were found stay."),
        route(Method::GET, "/sources/{id}/runs", ExternalWithRight(MentionRead, Right::ReadSources), Caller, source::runs, "List the last scans of a source").about("Returns the last scans of a source with their figures."),
        route(Method::POST, "/sources/{id}/scan", ExternalWithRight(LicenseWrite, Right::ManageSources), Caller, source::scan, "Scan a source now, at most once a minute").idempotent().about("Scans a source at once.").errors(&[(Conflict, "The source is paused or stopped"), (RATE_LIMITED, "The source was scanned on demand less than a minute ago, or the rate limit is exceeded")]),
        route(Method::GET, "/profiles", External(MentionRead), Caller, profile::list, "List claimed profiles").about("Returns the profiles on hosted services that the caller's tenant claims."),
        route(Method::POST, "/profiles", ExternalWithRight(LicenseWrite, Right::ManageProfiles), Caller, profile::create, "Claim a profile and return the code that proves it").idempotent().about("Claims a profile on a hosted service. Put the returned code into its description, then verify it.").errors(&[(Exists, "The profile is already claimed"), (Conflict, "The limit of profiles has been reached")]),
        route(Method::POST, "/profiles/{id}/verify", ExternalWithRight(LicenseWrite, Right::ManageProfiles), Caller, profile::verify, "Look for the code in a profile's description").idempotent().extra_time(LOOK_TIME).more_limits(&[Verification]).about("Looks for the code in the description of a profile. What a proven profile publishes counts as published by the tenant.").errors(&[(Conflict, "The code was not found, or another organization proved the profile")]),
        route(Method::DELETE, "/profiles/{id}", ExternalWithRight(LicenseWrite, Right::ManageProfiles), Caller, profile::delete, "Delete a claimed profile").about("Gives up the claim to a profile."),
    ]
}

/// Parses an ID in a path.
fn path_id<T: std::str::FromStr>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| Problem::field("id", "must be a UUID"))
}
