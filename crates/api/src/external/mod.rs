//! The external API 3.1.0 (`external-api-3.1.0.md`, contract section 4).

mod bookmark;
mod catalog;
mod delivery;
mod discovery;
mod envelope;
pub(crate) mod event;
mod health;
mod license;
mod magic_link;
mod mention;
pub(crate) mod payload;
mod token;
mod webhook;

use grantor_domain::limit::LimitName::{MailRequest, Metadata, Open, Register, TokenInfo};
use grantor_domain::role::Right;
use grantor_domain::scope::Scope::{LicenseRead, LicenseWrite, MentionRead, WebhookManage};
use http::Method;

pub(crate) use self::discovery::discovery;
pub(crate) use self::license::Rendered;
use crate::frame::problem::Problem;
use crate::frame::route::Limit::{Address, Caller, Quiet, Service, Unlimited};
use crate::frame::route::Permission::{External, ExternalAct, Public};
use crate::frame::route::{Route, route};

/// The version `GET /health` and the OpenAPI document name.
pub const VERSION: &str = "3.1.0";

/// The table; the service's name is part of one path.
#[must_use]
#[rustfmt::skip]
pub fn routes(service_name: &str) -> Vec<Route> {
    let well_known = format!("/.well-known/{service_name}");
    vec![
        route(Method::GET, "/health", Public, Unlimited, health::show, "Tells that the API is up"),
        route(Method::GET, "/metadata", Public, Address(Metadata), catalog::list, "Lists the licenses open to everybody").conditional(),
        route(Method::GET, well_known, Public, Quiet(Open), discovery::show, "Tells where everything is").conditional(),
        route(Method::GET, "/.well-known/jwks.json", Public, Quiet(Open), discovery::keys, "Gives the keys that access tokens are signed with").conditional(),
        route(Method::POST, "/auth/token", Public, Service, token::exchange, "Exchanges an API key and secret for tokens").refuses(&[("401", "The credentials are not valid or not active"), ("403", "The account is suspended")]),
        route(Method::POST, "/auth/token/refresh", Public, Service, token::refresh, "Gets another access token").refuses(&[("401", "The refresh token is not valid or has expired")]),
        route(Method::POST, "/auth/token/revoke", Public, Address(Open), token::revoke, "Ends a token"),
        route(Method::GET, "/licenses", External(LicenseRead), Caller, license::list, "Lists the licenses the caller may view"),
        route(Method::GET, "/licenses/{id}", External(LicenseRead), Caller, license::show, "Shows a license").conditional().refuses(&[("403", "The scope is missing, or the caller has no permission on the license"), ("409", "Several licenses the caller may see have this external id")]),
        route(Method::PATCH, "/licenses/{id}", ExternalAct(LicenseWrite, Right::EditLicenses), Caller, license::change, "Changes a license the caller owns").idempotent().guarded().refuses(&[("403", "The scope or the role is missing, or the caller may not edit the license"), ("409", "The status does not lead there, the external id is taken, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/licenses/{id}/mentions", External(MentionRead), Caller, mention::list, "Lists the mentions of a license").refuses(&[("403", "The scope is missing, or the caller has no permission on the license")]),
        route(Method::GET, "/mentions/{id}", External(MentionRead), Caller, mention::show, "Shows a mention").refuses(&[("403", "The scope is missing, or the caller has no permission on the license")]),
        route(Method::PATCH, "/mentions/{id}", ExternalAct(LicenseWrite, Right::DecideMentions), Caller, mention::decide, "Confirms or dismisses a mention").idempotent().refuses(&[("403", "The scope or the role is missing, or the caller may not decide on mentions of the license")]),
        route(Method::GET, "/bookmarks", External(LicenseRead), Caller, bookmark::list, "Lists what the caller keeps at hand"),
        route(Method::POST, "/bookmarks", External(LicenseRead), Caller, bookmark::create, "Keeps a license or a mention at hand").idempotent().refuses(&[("403", "A scope is missing, or the caller may not see the target"), ("404", "There is no such license or mention"), ("409", "The bookmark was just deleted, or a request with this idempotency key is still under way")]),
        route(Method::DELETE, "/bookmarks/{id}", External(LicenseRead), Caller, bookmark::delete, "Lets go of a bookmark"),
        route(Method::GET, "/webhooks", ExternalAct(WebhookManage, Right::ManageWebhooks), Caller, webhook::list, "Lists the webhooks"),
        route(Method::POST, "/webhooks", ExternalAct(WebhookManage, Right::ManageWebhooks), Caller, webhook::create, "Makes a webhook; its secret is shown this once").idempotent().refuses(&[("409", "The plan allows no more webhooks, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/webhooks/{id}", ExternalAct(WebhookManage, Right::ManageWebhooks), Caller, webhook::show, "Shows a webhook"),
        route(Method::PATCH, "/webhooks/{id}", ExternalAct(WebhookManage, Right::ManageWebhooks), Caller, webhook::change, "Changes a webhook").idempotent(),
        route(Method::DELETE, "/webhooks/{id}", ExternalAct(WebhookManage, Right::ManageWebhooks), Caller, webhook::delete, "Deletes a webhook"),
        route(Method::POST, "/webhooks/{id}/test", ExternalAct(WebhookManage, Right::ManageWebhooks), Caller, webhook::test, "Sends webhook.test now and tells what came of it; 410 switches the webhook off").idempotent(),
        route(Method::POST, "/webhooks/{id}/rotate-secret", ExternalAct(WebhookManage, Right::ManageWebhooks), Caller, webhook::rotate_secret, "Gives a webhook another secret; the one before goes on signing for a day").idempotent(),
        route(Method::POST, "/webhooks/{id}/replay", ExternalAct(WebhookManage, Right::ManageWebhooks), Caller, delivery::replay, "Sends events of a span of time again").idempotent().refuses(&[("409", "The webhook is disabled, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/webhooks/{id}/deliveries", ExternalAct(WebhookManage, Right::ManageWebhooks), Caller, delivery::list, "Lists what was sent to a webhook, with each attempt"),
        route(Method::POST, "/webhooks/{id}/deliveries/{delivery_id}/retry", ExternalAct(WebhookManage, Right::ManageWebhooks), Caller, delivery::retry, "Sends one delivery again now").idempotent().refuses(&[("409", "The webhook is disabled, or a request with this idempotency key is still under way")]),
        route(Method::GET, "/events", ExternalAct(WebhookManage, Right::ManageWebhooks), Caller, event::list, "Reads the events as a feed").patience(event::LONGEST_WAIT),
        route(Method::POST, "/token/info", Public, Address(TokenInfo), token::info, "Tells what a token is worth"),
        route(Method::POST, "/register", Public, Address(Register), magic_link::register, "Registers a person without a password"),
        route(Method::POST, "/magic-link", Public, Address(MailRequest), magic_link::request, "Mails a link and a code to sign in with"),
        route(Method::POST, "/magic-link/verify", Public, Address(Open), magic_link::verify, "Signs in with the link's token or the code").refuses(&[("401", "The code or the link is not valid"), ("403", "The account or the membership is suspended, or one is a member of no organization any more")]),
    ]
}

/// The id in a path that takes ids alone.
fn path_id<T: std::str::FromStr>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| Problem::field("id", "must be a UUID"))
}
