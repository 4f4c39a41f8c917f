//! Action names for the log, as `resource.verb`. Changes get their names from their acts; this
//! module names reads, and authentication attempts that fail before an act begins. A test compares
//! both tables with the routes.

use http::Method;

/// Action name of a read that is missing in `READS`.
pub const UNNAMED: &str = "request.read";

/// Action name of a staff sign-in.
pub(super) const STAFF: &str = "admin.authenticate";

/// Action name of a rejected access token.
pub const TOKEN: &str = "token.verify";

/// Action names of reads, by path.
const READS: &[(&str, &str)] = &[
    ("/licenses", "license.list"),
    ("/licenses/{id}", "license.show"),
    ("/licenses/{id}/mentions", "mention.list"),
    ("/mentions/{id}", "mention.show"),
    ("/mentions/{id}/evidence", "evidence.show"),
    ("/mentions/{id}/evidence.zip", "evidence.fetch"),
    ("/mentions/{id}/case", "case.show"),
    ("/cases", "case.list"),
    ("/licenses/{id}/versions", "version.list"),
    ("/requests", "request.list"),
    ("/requests/{id}", "request.show"),
    ("/grants", "grant.list"),
    ("/grants/{id}", "grant.show"),
    ("/grants/{id}/receipt", "receipt.fetch"),
    ("/grants/{id}/certificate.pdf", "certificate.fetch"),
    ("/parties", "party.search"),
    ("/bookmarks", "bookmark.list"),
    ("/sources", "source.list"),
    ("/sources/{id}", "source.show"),
    ("/sources/{id}/runs", "source.list_runs"),
    ("/profiles", "profile.list"),
    ("/webhooks", "webhook.list"),
    ("/webhooks/{id}", "webhook.show"),
    ("/webhooks/{id}/deliveries", "delivery.list"),
    ("/events", "event.list"),
    ("/user/profile", "profile.show"),
    ("/user/sessions", "session.list"),
    ("/user/notifications", "notification.show"),
    ("/user/notices", "notice.list"),
    ("/org/chat-addresses", "chat_address.list"),
    ("/org/letter-templates", "letter_template.list"),
    ("/org/information", "organization.show"),
    ("/org/teams", "team.list"),
    ("/org/team/members/{teamId}", "member.list"),
    ("/org/clients", "client.list"),
    ("/org/talent/roster", "talent.list"),
    ("/org/talent/name/search", "talent.search"),
    ("/talent", "talent.show_own"),
    ("/talent/{talentId}", "talent.show"),
    ("/org/licenses", "license.list"),
    ("/org/license/{licenseId}/permissions", "permission.list"),
    ("/org/platforms", "platform.list"),
    ("/platforms/{platformId}", "platform.show"),
    ("/org/verify/platform/{platformId}", "platform.check"),
    ("/console/pax", "pax.list"),
    ("/console/pax/{paxId}", "pax.show"),
    ("/org/subscriptions", "plan.list"),
    ("/org/bill/history", "bill.list"),
    ("/org/cards", "card.list"),
    ("/console/logs", "log.list"),
    ("/console/logs/{logId}", "log.show"),
    ("/console/logs/export/{exportId}", "log_export.fetch"),
    ("/logs/all", "log.list_all"),
    ("/logs/search", "log.search_all"),
    ("/mail/templates", "template.list"),
    ("/admin/members", "admin.list"),
    ("/admin/organizations", "organization.list_all"),
    ("/admin/platforms", "platform.list_all"),
    ("/admin/licenses", "license.list_all"),
    ("/pax/sources", "source.list_all"),
    ("/pax/pods", "pod.list"),
    ("/pax/pod/{podId}", "pod.show"),
];

/// Action names of authentication attempts, by path. Each equals the name of the act it would
/// start.
const AUTH_ATTEMPTS: &[(&str, &str)] = &[
    ("/auth/token", "token.create"),
    ("/auth/token/refresh", "token.refresh"),
    ("/oauth/token", "token.create"),
    ("/oauth/introspect", "token.introspect"),
    ("/oauth/revoke", "token.revoke"),
    ("/register", "magic_link.create"),
    ("/magic-link", "magic_link.create"),
    ("/magic-link/verify", "magic_link.verify"),
    ("/auth/register", "registration.create"),
    ("/auth/m/register", "registration.create"),
    ("/auth/validate/registration", "registration.verify"),
    ("/auth/resend/otp/{session}", "code.resend"),
    ("/auth/login", "session.create"),
    ("/auth/refresh/token", "session.renew"),
    ("/auth/logout", "session.delete"),
    ("/auth/forgot/password", "password.forgot"),
    ("/auth/reset/password", "password.reset"),
    ("/auth/accept/invitation", "invitation.accept"),
    ("/auth/authenticateAdmin", STAFF),
    ("/external/validate/key", "key.validate"),
];

/// Returns the action name of a read.
#[must_use]
pub fn of_read(path: &str) -> &'static str {
    find(READS, path).unwrap_or(UNNAMED)
}

/// Returns the action name of an authentication attempt, or `None` for other routes.
#[must_use]
pub fn of_auth_attempt(method: &Method, path: &str) -> Option<&'static str> {
    if *method == Method::GET { None } else { find(AUTH_ATTEMPTS, path) }
}

fn find(table: &[(&str, &'static str)], path: &str) -> Option<&'static str> {
    table.iter().find(|(it, _)| *it == path).map(|(_, action)| *action)
}
