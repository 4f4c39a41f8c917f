//! Descriptions of operations: what they do, who may call them and how often.

use grantor_domain::admin::{self, AdminRight, AdminRole};
use grantor_domain::limit::{LimitName, Limits, Window};
use grantor_domain::organization::Plan;
use grantor_domain::role::{self, Right, Role, TenantType};
use grantor_domain::scope::Scope;

use crate::frame::api::Api;
use crate::frame::route::{Access, Limit, RouteInfo};

/// Returns the description of an operation.
pub(super) fn describe(info: &RouteInfo, limits: &Limits) -> String {
    let mut parts = vec![info.about.to_owned()];
    parts.extend(access(info.access).map(|it| format!("**Access:** {it}")));
    parts.push(format!("**Rate limit:** {}", rate_limit(info, limits)));
    parts.retain(|it| !it.is_empty());
    parts.join("\n\n")
}

/// Returns the introduction of an API.
pub(super) fn api(api: Api) -> &'static str {
    match api {
        Api::External => {
            "Lists return `{data, pagination}` with `Link` headers. Errors return `{success: false, \
             error: {code, message, details?, request_id}}`; each operation lists its codes. Every \
             response has an `X-Request-Id`; send this header to choose the ID under which a \
             request is logged.\n\nRate-limited operations return the headers \
             `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`. A 429 or 503 \
             also has `Retry-After`.\n\nMost operations that change something support \
             `Idempotency-Key`: a retry with the same key and body within 24 hours returns the \
             first response. New fields in responses are not breaking changes."
        }
        Api::Console => {
            "Successful requests return `{data, message, status: \"success\"}`. Errors return \
             `{error: {code, message, details}, status: \"error\"}`; each operation lists its \
             codes. Every response has an `X-Request-Id`.\n\nSend `x-source: console` with every \
             access token. POST returns 201 and DELETE 204. Changes support `Idempotency-Key`, \
             except below `/auth`. Rate limits are as in the external API: `X-RateLimit-*` on \
             every response, `Retry-After` with a 429 or 503."
        }
    }
}

/// Says who may call an operation. Public operations need no access token.
fn access(access: Access) -> Option<String> {
    let token = |scope: Scope| format!("an API client's access token with the scope `{scope}`");
    Some(match access {
        Access::Public => return None,
        Access::Account => "a console access token.".to_owned(),
        Access::Console(Right::Read) => "a console access token of any role.".to_owned(),
        Access::Console(right) => format!("a console access token. {}", roles(right)),
        Access::Admin(right) => format!("a staff access token. {}", staff_roles(right)),
        Access::External(scope) => format!("{}.", token(scope)),
        Access::ExternalWithRight(scope, right) => {
            format!("{}. The client counts as its creator. {}", token(scope), roles(right))
        }
        Access::UserOrClient(right, scope) => {
            format!("a console access token, or {}. {}", token(scope), roles(right))
        }
    })
}

/// Names the roles that have a right, and the tenants in which they have it.
fn roles(right: Right) -> String {
    let has = |role: Role, tenant: TenantType| {
        role.fits(tenant) && role::may(role, tenant, right).is_ok()
    };
    let roles = Role::ALL.into_iter().filter(|it| TenantType::ALL.iter().any(|of| has(*it, *of)));
    let tenants: Vec<_> =
        TenantType::ALL.into_iter().filter(|of| Role::ALL.iter().any(|it| has(*it, *of))).collect();
    let roles = format!("Roles: {}.", names(roles.map(Role::name)));
    if tenants.len() == TenantType::ALL.len() {
        return roles;
    }
    format!("{roles} Tenants: {}.", names(tenants.into_iter().map(TenantType::name)))
}

fn staff_roles(right: AdminRight) -> String {
    let roles = AdminRole::ALL.into_iter().filter(|it| admin::may(*it, right).is_ok());
    format!("Roles: {}.", names(roles.map(AdminRole::name)))
}

fn names(names: impl Iterator<Item = &'static str>) -> String {
    names.map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
}

/// Says how often an operation may be called.
fn rate_limit(info: &RouteInfo, limits: &Limits) -> String {
    let mut text = match info.limit {
        Limit::Unlimited => "none.".to_owned(),
        Limit::Address(name) | Limit::Service(name) => limit(name, limits),
        Limit::Quiet(name) => limit(name, limits) + " Responses don't have the headers.",
        Limit::Caller => of_caller(info.access, limits),
    };
    for name in info.more_limits {
        text += " In addition, ";
        text += &limit(*name, limits);
    }
    text
}

/// The limit of the caller's API.
fn of_caller(access: Access, limits: &Limits) -> String {
    match access {
        Access::Admin(_) => limit(LimitName::Admin, limits),
        Access::External(_) | Access::ExternalWithRight(..) => of_plans(limits),
        Access::UserOrClient(..) => {
            let users = limit(LimitName::Console, limits);
            format!("{users} For API clients: {}", of_plans(limits))
        }
        Access::Public | Access::Account | Access::Console(_) => limit(LimitName::Console, limits),
    }
}

fn of_plans(limits: &Limits) -> String {
    let of_plan = |plan: Plan| {
        let windows = limits.windows(plan.limit()).map_or_else(|| "no limit".to_owned(), figures);
        format!("{windows} ({})", plan.name())
    };
    let plans = Plan::ALL.map(of_plan).join(", ");
    format!("{plans}, per API client; and the plan's monthly quota.")
}

fn limit(name: LimitName, limits: &Limits) -> String {
    match limits.windows(name) {
        Some(windows) => format!("{}, per {}.", figures(windows), subject(name)),
        None => "none.".to_owned(),
    }
}

fn figures(windows: &[Window]) -> String {
    let figure = |it: &Window| {
        let time = match it.length.as_secs() {
            60 => "minute".to_owned(),
            3_600 => "hour".to_owned(),
            86_400 => "day".to_owned(),
            other if other.is_multiple_of(60) => format!("{} minutes", other / 60),
            other => format!("{other} seconds"),
        };
        let unit = if it.limit == 1 { "request" } else { "requests" };
        format!("{} {unit} per {time}", it.limit)
    };
    windows.iter().map(figure).collect::<Vec<_>>().join(" and ")
}

/// What a limit counts by.
fn subject(name: LimitName) -> &'static str {
    match name {
        LimitName::ExternalToken | LimitName::LegacyToken | LimitName::KeyCheck => "API key",
        LimitName::Refresh => "user, or per IP address for a token that is not valid",
        LimitName::MagicLink
        | LimitName::PasswordReset
        | LimitName::MailSender
        | LimitName::MailRecipient => "email address",
        LimitName::Invitations | LimitName::Letters => "organization",
        LimitName::Console | LimitName::Verification | LimitName::Parties => "user",
        LimitName::Admin => "staff member",
        LimitName::LoginFailures
        | LimitName::LoginWarning
        | LimitName::AccountCodes
        | LimitName::SecondFactor => "account",
        LimitName::ExternalFree
        | LimitName::ExternalStarter
        | LimitName::ExternalPro
        | LimitName::ExternalEnterprise => "API client",
        LimitName::Metadata
        | LimitName::CatalogPictures
        | LimitName::TokenInfo
        | LimitName::ReceiptVerify
        | LimitName::PublicCheck
        | LimitName::Login
        | LimitName::Register
        | LimitName::TokenRefused
        | LimitName::Codes
        | LimitName::MailRequest
        | LimitName::Hub
        | LimitName::Open
        | LimitName::Anonymous => "IP address",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_roles_are_those_of_the_domain() {
        let limits = Limits::default();
        let text = limit(LimitName::LegacyToken, &limits);
        assert_eq!(text, "10 requests per minute and 20 requests per 5 minutes, per API key.");
        assert_eq!(limit(LimitName::Open, &Limits::off()), "none.");
        let text = of_caller(Access::External(Scope::LicenseRead), &limits);
        assert!(text.starts_with("100 requests per minute (Free), 300 requests"), "{text}");
        assert_eq!(staff_roles(AdminRight::ManageMembers), "Roles: `Super_Admin`.");
    }
}
