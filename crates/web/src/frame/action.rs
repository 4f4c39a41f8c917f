//! Log action names (`resource.verb`) of pages and sign-in forms. Every other change is named by
//! its act in the service.

/// The action of a page that [`PAGES`] doesn't list.
const UNNAMED: &str = "page.read";

/// Pages for signed-in users, by path.
const PAGES: &[(&str, &str)] = &[
    ("/app", "dashboard.show"),
    ("/app/mentions", "mention.list"),
    ("/app/mentions/{mention}", "mention.show"),
    ("/app/mentions/{mention}/evidence.zip", "evidence.fetch"),
    ("/app/cases", "case.list"),
    ("/app/mentions/{mention}/case", "case.show"),
    ("/app/mentions/{mention}/case/letter", "letter.new"),
    ("/app/check", "check.new"),
    ("/app/talents", "talent.list"),
    ("/app/talents/new", "talent.new"),
    ("/app/talents/{talent}", "talent.show"),
    ("/app/talents/{talent}/edit", "talent.edit"),
    ("/app/talents/invite", "invitation.new"),
    ("/app/licenses", "license.list"),
    ("/app/licenses/new", "license.new"),
    ("/app/licenses/talents", "talent.search"),
    ("/app/licenses/templates", "license_template.list"),
    ("/app/licenses/{license}", "license.show"),
    ("/app/licenses/{license}/edit", "license.edit"),
    ("/app/licenses/{license}/offer", "offer.new"),
    ("/app/parties", "party.search"),
    ("/app/licenses/{license}/history", "license.show_history"),
    ("/app/licenses/{license}/preview", "license.preview"),
    ("/app/requests", "request.list"),
    ("/app/requests/new", "request.new"),
    ("/app/requests/{request}", "request.show"),
    ("/app/requests/{request}/offer", "offer.new"),
    ("/app/requests/{request}/accept", "offer.show"),
    ("/app/grants", "grant.list"),
    ("/app/grants/calendar", "grant.list"),
    ("/app/grants/map", "grant.list"),
    ("/app/grants/{grant}", "grant.show"),
    ("/app/grants/{grant}/receipt", "receipt.fetch"),
    ("/app/grants/{grant}/certificate.pdf", "certificate.fetch"),
    ("/app/bookmarks", "bookmark.list"),
    ("/app/bookmarks/{bookmark}/edit", "bookmark.edit"),
    ("/app/views", "saved_view.list"),
    ("/app/views/{view}/edit", "saved_view.edit"),
    ("/app/names", "name.search"),
    ("/app/batches", "batch.list"),
    ("/app/batches/{batch}", "batch.show"),
    ("/app/batches/{batch}/problems", "batch.fetch"),
    ("/app/talents/import", "import.new"),
    ("/app/talents/import/sample", "import.sample"),
    ("/app/licenses/import", "import.new"),
    ("/app/licenses/import/sample", "import.sample"),
    ("/app/tags", "tag.search"),
    ("/app/export/{list}", "list.export"),
    ("/app/admin/export/{list}", "list.export_all"),
    ("/app/search", "page.search"),
    ("/app/search/results", "page.search"),
    ("/app/admin/search", "page.search"),
    ("/app/admin/search/results", "page.search"),
    ("/app/admin/style-guide", "style_guide.show"),
    ("/app/clients", "client.list"),
    ("/app/clients/new", "client.new"),
    ("/app/clients/{client}", "client.show"),
    ("/app/webhooks", "webhook.list"),
    ("/app/webhooks/new", "webhook.new"),
    ("/app/webhooks/{webhook}", "webhook.show"),
    ("/app/webhooks/{webhook}/edit", "webhook.edit"),
    ("/app/webhooks/{webhook}/deliveries/{delivery}", "delivery.show"),
    ("/app/webhooks/{webhook}/deliveries/{delivery}/payload.json", "delivery.fetch"),
    ("/app/sources", "source.list"),
    ("/app/sources/new", "source.new"),
    ("/app/sources/{source}", "source.show"),
    ("/app/sources/{source}/edit", "source.edit"),
    ("/app/profiles", "profile.list"),
    ("/app/platforms", "platform.list"),
    ("/app/platforms/new", "platform.new"),
    ("/app/platforms/{platform}", "platform.show"),
    ("/app/platforms/{platform}/edit", "platform.edit"),
    ("/app/pax", "pax.list"),
    ("/app/pax/new", "pax.new"),
    ("/app/pax/{pax}", "pax.show"),
    ("/app/organization", "organization.show"),
    ("/app/organization/edit", "organization.edit"),
    ("/app/organization/security", "second_factor.list"),
    ("/app/organization/single-sign-on", "single_sign_on.show"),
    ("/app/profile", "profile.show"),
    ("/app/profile/security", "second_factor.show"),
    ("/app/profile/security/app", "authenticator_app.new"),
    ("/app/profile/notifications", "notification.show"),
    ("/app/profile/language", "notification.show"),
    ("/app/notices", "notice.list"),
    ("/app/notices/{notice}", "notice.show"),
    ("/app/organization/chat", "chat_address.list"),
    ("/app/organization/chat/new", "chat_address.new"),
    ("/app/organization/chat/{chat}", "chat_address.edit"),
    ("/app/organization/letters", "letter_template.list"),
    ("/app/organization/letters/{letter}", "letter_template.edit"),
    ("/app/teams", "team.list"),
    ("/app/teams/new", "team.new"),
    ("/app/teams/{team}", "team.show"),
    ("/app/teams/{team}/invite", "invitation.new"),
    ("/app/teams/{team}/members/{member}", "member.edit"),
    ("/app/logs", "log.list"),
    ("/app/logs/{entry}", "log.show"),
    ("/app/logs/records/{record}", "log.show_history"),
    ("/app/logs/export", "log_export.new"),
    ("/app/logs/export/{export}", "log_export.fetch"),
    ("/app/logs/export/{export}/ready", "log_export.show"),
    ("/app/billing", "billing.show"),
    ("/app/help", "help_request.list"),
    ("/app/admin", "overview.show"),
    ("/app/admin/help", "help_request.list_all"),
    ("/app/admin/help/{help}", "help_request.show"),
    ("/app/admin/organizations", "organization.list_all"),
    ("/app/admin/organizations/{organization}/people/{user}/view", "staff_view.new"),
    ("/app/admin/failures/emails", "mail.list_failed"),
    ("/app/admin/failures/webhooks", "webhook.list_failing"),
    ("/app/admin/failures/payments", "payment.list_declined"),
    ("/app/admin/organizations/{organization}", "organization.show_any"),
    ("/app/admin/second-factor", "second_factor.show_any"),
    ("/app/admin/platforms", "platform.list_all"),
    ("/app/admin/licenses", "license.list_all"),
    ("/app/admin/logs", "log.list_all"),
    ("/app/admin/members", "admin.list"),
    ("/app/admin/members/new", "invitation.new"),
    ("/app/admin/mail", "template.list"),
    ("/app/admin/mail/{mail}", "template.show"),
    ("/app/admin/mail/{mail}/preview", "template.preview"),
    ("/app/admin/notices", "notice.list"),
    ("/app/admin/notices/{notice}", "notice.show"),
    ("/app/admin/notifications", "notification.show"),
    ("/app/admin/language", "notification.show"),
    ("/app/admin/sources", "source.list_all"),
    ("/app/admin/pods", "pod.list"),
    ("/app/admin/pods/new", "pod.new"),
    ("/app/admin/pods/{pod}", "pod.show"),
];

/// Sign-in forms, each named after the act it starts.
const SIGN_IN_FORMS: &[(&str, &str)] = &[
    ("/app/sign-in", "session.create"),
    ("/app/sign-in/link", "magic_link.create"),
    ("/app/sign-in/code", "magic_link.verify"),
    ("/app/magic", "magic_link.verify"),
    ("/app/sign-in/second-factor", "second_factor.verify"),
    ("/app/sign-in/second-factor/passkey", "passkey.verify"),
    ("/app/sign-in/passkey", "passkey.sign_in"),
    ("/app/sign-in/set-up/app", "authenticator_app.create"),
    ("/app/sign-in/set-up/passkey", "passkey.create"),
    ("/app/sign-in/sso", "single_sign_on.sign_in"),
    ("/app/sign-up", "registration.create"),
    ("/app/sign-up/link", "magic_link.create"),
    ("/app/sign-up/code", "registration.verify"),
    ("/app/sign-up/again", "code.resend"),
    ("/app/forgot", "password.forgot"),
    ("/app/reset", "password.reset"),
    ("/app/invitation", "invitation.accept"),
    ("/app/admin/sign-in", "admin.authenticate"),
];

/// Returns the action of a page.
pub(super) fn of_page(path: &str) -> &'static str {
    find(PAGES, path).unwrap_or(UNNAMED)
}

/// Returns the action of a sign-in form, or `None` for any other form.
pub(super) fn of_sign_in_form(path: &str) -> Option<&'static str> {
    find(SIGN_IN_FORMS, path)
}

fn find(table: &[(&str, &'static str)], path: &str) -> Option<&'static str> {
    table.iter().find(|(it, _)| *it == path).map(|(_, action)| *action)
}

#[cfg(test)]
mod tests {
    use super::super::route::{Access, RouteInfo};
    use super::*;
    use crate::routes::routes;

    #[test]
    fn every_page_that_is_logged_has_a_name() {
        let all = routes();
        let logged = |info: &RouteInfo| {
            info.method == http::Method::GET
                && matches!(info.access, Access::Person(_) | Access::Staff(_))
        };
        let infos = || all.iter().map(|it| &it.info);
        let unnamed: Vec<_> =
            infos().filter(|it| logged(it) && it.action == UNNAMED).map(|it| it.path).collect();
        assert_eq!(unnamed, [""; 0], "name them in PAGES");
        let named = |path: &str| infos().any(|it| it.path == path);
        let gone: Vec<_> = PAGES.iter().chain(SIGN_IN_FORMS).filter(|(it, _)| !named(it)).collect();
        assert!(gone.is_empty(), "no such page: {gone:?}");
    }
}
