//! The pages and actions that the palette leads to. A test compares them with the route table: a
//! page that is missing here fails it.

use grantor_domain::admin::AdminRight;
use grantor_domain::role::Right;
use grantor_domain::search::FindQuery;
use grantor_messages::named;

use crate::view::palette::Entry;

/// A page or an action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Destination<R> {
    /// The name in the keys of its texts: `palette-to-…` for its label, and `palette-words-…` for other
    /// words that people look for it by, if there are any.
    name: &'static str,
    pub(super) path: &'static str,
    pub(super) right: R,
    /// Whether individuals cannot use it, whatever their rights.
    pub(super) needs_organization: bool,
}

impl<R: Copy> Destination<R> {
    const fn new(path: &'static str, name: &'static str, right: R) -> Self {
        Self { name, path, right, needs_organization: false }
    }

    /// Like [`Self::new`], for organizations alone.
    const fn of_organizations(path: &'static str, name: &'static str, right: R) -> Self {
        Self { name, path, right, needs_organization: true }
    }

    /// The label in the current language.
    fn label(&self) -> &'static str {
        named("palette-to", self.name).unwrap_or(self.name)
    }

    /// Whether a search finds it. Without a search, everything is found.
    pub(super) fn is_found(&self, find: Option<&FindQuery>) -> bool {
        let words = || named("palette-words", self.name).unwrap_or_default();
        find.is_none_or(|it| it.finds([self.label(), words()]))
    }

    /// Whether it is nothing but a form, besides those of actions.
    pub(super) fn is_form(&self) -> bool {
        ["/edit", "/import"].iter().any(|it| self.path.ends_with(it))
    }

    pub(super) fn entry(&self) -> Entry {
        Entry::new(self.label(), "", self.path)
    }
}

/// What people do most.
pub(super) const ACTIONS: &[Destination<Right>] = &[
    Destination::new("/app/licenses/new", "new-license", Right::ManageLicenses),
    Destination::new("/app/check", "check", Right::Read),
    Destination::new("/app/sources/new", "new-source", Right::ManageSources),
    Destination::of_organizations("/app/talents/new", "new-talent", Right::ManageTalents),
    Destination::of_organizations("/app/talents/invite", "invite-talent", Right::ManageTalents),
    Destination::new("/app/teams", "invite-colleague", Right::ManageTeams),
    Destination::new("/app/catalog", "request-license", Right::RequestLicenses),
    Destination::new("/app/webhooks/new", "new-webhook", Right::ManageWebhooks),
    Destination::new("/app/clients/new", "new-client", Right::ManageClients),
    Destination::new("/app/platforms/new", "new-platform", Right::ManagePlatforms),
    Destination::new("/app/pax/new", "new-pax", Right::ManagePlatforms),
    Destination::new("/app/teams/new", "new-team", Right::ManageTeams),
    Destination::new("/app/organization/chat/new", "new-chat", Right::ManageOrganization),
    Destination::new("/app/logs/export", "export-log", Right::ReadLogs),
    Destination::new("/app/profile/security/app", "set-up-app", Right::Read),
];

/// The pages for everybody who is signed in.
pub(super) const PAGES: &[Destination<Right>] = &[
    Destination::new("/app", "dashboard", Right::Read),
    Destination::new("/app/licenses", "licenses", Right::Read),
    Destination::new("/app/licenses/templates", "license-templates", Right::ManageLicenses),
    Destination::new("/app/licenses/import", "import-licenses", Right::ManageLicenses),
    Destination::new("/app/talents/import", "import-talents", Right::ManageTalents),
    Destination::new("/app/batches", "batches", Right::Read),
    Destination::new("/app/talents", "talents", Right::ReadTalents),
    Destination::new("/app/requests", "requests", Right::Read),
    Destination::new("/app/grants", "grants", Right::Read),
    Destination::new("/app/grants/calendar", "grant-calendar", Right::Read),
    Destination::new("/app/grants/map", "grant-map", Right::Read),
    Destination::new("/app/mentions", "mentions", Right::Read),
    Destination::new("/app/cases", "cases", Right::Read),
    Destination::new("/app/bookmarks", "bookmarks", Right::Read),
    Destination::new("/app/views", "views", Right::Read),
    Destination::new("/app/catalog", "catalog", Right::Read),
    Destination::new("/app/sources", "sources", Right::ReadSources),
    Destination::new("/app/profiles", "profiles", Right::Read),
    Destination::new("/app/platforms", "platforms", Right::ReadPlatforms),
    Destination::new("/app/pax", "pax", Right::ReadPlatforms),
    Destination::new("/app/webhooks", "webhooks", Right::ManageWebhooks),
    Destination::new("/app/clients", "clients", Right::ManageClients),
    Destination::new("/app/teams", "teams", Right::ManageTeams),
    Destination::new("/app/logs", "logs", Right::ReadLogs),
    Destination::new("/app/billing", "billing", Right::ManageBilling),
    Destination::new("/app/organization", "organization", Right::Read),
    Destination::new("/app/organization/edit", "edit-organization", Right::ManageOrganization),
    Destination::of_organizations(
        "/app/organization/security",
        "organization-security",
        Right::ManageOrganization,
    ),
    Destination::of_organizations(
        "/app/organization/single-sign-on",
        "single-sign-on",
        Right::ManageOrganization,
    ),
    Destination::new("/app/organization/chat", "chats", Right::ManageOrganization),
    Destination::new("/app/organization/letters", "letters", Right::ManageOrganization),
    Destination::new("/app/profile", "profile", Right::Read),
    Destination::new("/app/profile/security", "security", Right::Read),
    Destination::new("/app/profile/notifications", "notification-settings", Right::Read),
    Destination::new("/app/profile/language", "language", Right::Read),
    Destination::new("/app/notices", "notices", Right::Read),
    Destination::new("/app/help", "help", Right::Read),
    Destination::new("/docs/", "docs", Right::Read),
    Destination::new("/app/shortcuts", "shortcuts", Right::Read),
];

/// What staff do most.
pub(super) const STAFF_ACTIONS: &[Destination<AdminRight>] = &[
    Destination::new("/app/admin/pods/new", "new-scanner", AdminRight::ManagePods),
    Destination::new("/app/admin/members/new", "invite-staff", AdminRight::ManageMembers),
];

/// The pages of staff.
pub(super) const STAFF_PAGES: &[Destination<AdminRight>] = &[
    Destination::new("/app/admin", "staff-overview", AdminRight::Read),
    Destination::new("/app/admin/organizations", "organizations", AdminRight::Read),
    Destination::new("/app/admin/pods", "scanners", AdminRight::Read),
    Destination::new("/app/admin/sources", "staff-sources", AdminRight::Read),
    Destination::new("/app/admin/platforms", "staff-platforms", AdminRight::Read),
    Destination::new("/app/admin/licenses", "staff-licenses", AdminRight::Read),
    Destination::new("/app/admin/help", "help-requests", AdminRight::Read),
    Destination::new("/app/admin/failures/emails", "failed-emails", AdminRight::Read),
    Destination::new("/app/admin/failures/webhooks", "failing-webhooks", AdminRight::Read),
    Destination::new("/app/admin/failures/payments", "declined-payments", AdminRight::Read),
    Destination::new("/app/admin/members", "staff", AdminRight::Read),
    Destination::new("/app/admin/logs", "staff-logs", AdminRight::Read),
    Destination::new("/app/admin/mail", "mail-templates", AdminRight::Read),
    Destination::new("/app/admin/second-factor", "reset-factor", AdminRight::ResetFactors),
    Destination::new("/app/admin/notices", "notices", AdminRight::ManagePods),
    Destination::new("/app/admin/notifications", "notification-settings", AdminRight::ManagePods),
    Destination::new("/app/admin/language", "language", AdminRight::Read),
    Destination::new("/app/admin/style-guide", "style-guide", AdminRight::Read),
    Destination::new("/docs/", "docs", AdminRight::Read),
    Destination::new("/app/shortcuts", "shortcuts", AdminRight::Read),
];

#[cfg(test)]
mod tests {
    use grantor_messages::Language;

    use super::*;
    use crate::frame::{Access, Route};
    use crate::routes::routes;

    /// Pages without a path parameter to which the palette does not lead, and why.
    const LEFT_OUT: [(&str, &str); 11] = [
        ("/app/licenses/import/sample", "a file"),
        ("/app/talents/import/sample", "a file"),
        ("/app/licenses/talents", "suggestions for a field"),
        ("/app/tags", "suggestions for a field"),
        ("/app/names", "suggestions for a field"),
        ("/app/parties", "suggestions for a field"),
        ("/app/requests/new", "needs a license"),
        ("/app/search", "the palette itself"),
        ("/app/search/results", "the palette itself"),
        ("/app/admin/search", "the palette itself"),
        ("/app/admin/search/results", "the palette itself"),
    ];

    fn check<R: Copy + PartialEq + std::fmt::Debug>(
        known: &[&[Destination<R>]],
        access: impl Fn(Access) -> Option<R>,
    ) {
        let all: Vec<_> = known.iter().copied().flatten().collect();
        for route in routes() {
            let (Some(path), Some(right)) = (route.page_path(), access(route.access())) else {
                continue;
            };
            let found: Vec<_> = all.iter().filter(|it| it.path == path).collect();
            let excused = path.contains('{') || LEFT_OUT.iter().any(|(it, _)| *it == path);
            assert!(excused || !found.is_empty(), "the palette does not lead to {path}");
            // One action leads to a page by another name; it needs the right to act.
            let ways = found.iter().filter(|it| it.right == right).count();
            assert!(excused || ways > 0, "another right than that of {path}");
        }
    }

    #[test]
    fn the_palette_leads_to_every_page() {
        check(&[ACTIONS, PAGES], |it| match it {
            Access::Person(right) => Some(right),
            _ => None,
        });
        check(&[STAFF_ACTIONS, STAFF_PAGES], |it| match it {
            Access::Staff(right) => Some(right),
            _ => None,
        });
    }

    #[test]
    fn every_destination_exists() {
        let docs = crate::docs::routes();
        let mut pages = crate::pages();
        pages.extend(docs.iter().filter_map(Route::page_path));
        let people = [ACTIONS, PAGES].concat().into_iter().map(|it| it.path);
        let staff = [STAFF_ACTIONS, STAFF_PAGES].concat().into_iter().map(|it| it.path);
        let missing: Vec<_> = people.chain(staff).filter(|it| !pages.contains(it)).collect();
        assert_eq!(missing, [""; 0]);
    }

    #[test]
    fn every_destination_has_a_label() {
        let people = [ACTIONS, PAGES].concat().into_iter().map(|it| it.name);
        let staff = [STAFF_ACTIONS, STAFF_PAGES].concat().into_iter().map(|it| it.name);
        let missing: Vec<_> =
            people.chain(staff).filter(|it| named("palette-to", it).is_none()).collect();
        assert_eq!(missing, [""; 0]);
    }

    fn finds(search: &str) -> Vec<&'static str> {
        let find = FindQuery::parse(search).unwrap();
        let found = ACTIONS.iter().chain(PAGES).filter(|it| it.is_found(find.as_ref()));
        found.map(Destination::label).collect()
    }

    #[tokio::test]
    async fn a_destination_is_found_in_the_language_of_the_page() {
        let german = Language::find("de").unwrap();
        let found = german.scope(async { (finds("neue liz"), finds("RECHNUNGEN")) }).await;
        assert_eq!(found, (vec!["Neue Lizenz"], vec!["Abrechnung"]));
    }

    #[test]
    fn a_destination_is_found_by_its_name_and_other_words() {
        assert_eq!(finds("new lic"), ["New license"]);
        assert_eq!(finds("ÉXPIRY"), ["Calendar of grants"]);
        assert_eq!(finds("slack"), ["Add a chat address", "Chat addresses"]);
        assert_eq!(finds("nothing of that kind"), [""; 0]);
        assert_eq!(finds("").len(), ACTIONS.len() + PAGES.len());
    }
}
