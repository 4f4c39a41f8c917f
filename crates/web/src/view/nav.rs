//! The links of the navigation menu. Their labels are keys of texts, which are looked up when the
//! menu is drawn.

use grantor_domain::admin::AdminRight;
use grantor_domain::role::Right;

/// The navigation entry a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NavItem {
    Dashboard,
    Licenses,
    Talents,
    Requests,
    Grants,
    Mentions,
    Cases,
    Bookmarks,
    Catalog,
    Check,
    Sources,
    Profiles,
    Platforms,
    Pax,
    Webhooks,
    Clients,
    Docs,
    Teams,
    Logs,
    Billing,
    Organization,
    Profile,
    Notices,
    Help,
    AdminOverview,
    AdminHelp,
    AdminOrganizations,
    AdminPlatforms,
    AdminLicenses,
    AdminPods,
    AdminSources,
    AdminMembers,
    AdminLogs,
    AdminTemplates,
    None,
}

/// A navigation link: entry, path, key of its label, icon and required right.
pub(super) type NavLink<R> = (NavItem, &'static str, &'static str, &'static str, R);

/// A group of links, with the key of its name.
pub(super) type NavGroup<R> = (&'static str, &'static [NavLink<R>]);

/// The links of users.
pub(super) const CONSOLE: [NavGroup<Right>; 4] = [
    (
        "view-nav-licensing",
        &[
            (NavItem::Dashboard, "/app", "view-nav-dashboard", "dashboard", Right::Read),
            (NavItem::Licenses, "/app/licenses", "view-nav-licenses", "license", Right::Read),
            (NavItem::Talents, "/app/talents", "view-nav-talents", "talent", Right::ReadTalents),
            (NavItem::Requests, "/app/requests", "view-nav-requests", "request", Right::Read),
            (NavItem::Grants, "/app/grants", "view-nav-grants", "grant", Right::Read),
            (NavItem::Mentions, "/app/mentions", "view-nav-mentions", "mention", Right::Read),
            (NavItem::Cases, "/app/cases", "view-nav-cases", "case", Right::Read),
            (NavItem::Bookmarks, "/app/bookmarks", "view-nav-bookmarks", "bookmark", Right::Read),
            (NavItem::Catalog, "/app/catalog", "view-nav-catalog", "catalog", Right::Read),
        ],
    ),
    (
        "view-nav-monitoring",
        &[
            (NavItem::Check, "/app/check", "view-nav-check", "check", Right::Read),
            (NavItem::Sources, "/app/sources", "view-nav-sources", "source", Right::ReadSources),
            (NavItem::Profiles, "/app/profiles", "view-nav-profiles", "profile", Right::Read),
            (
                NavItem::Platforms,
                "/app/platforms",
                "view-nav-platforms",
                "platform",
                Right::ReadPlatforms,
            ),
            (NavItem::Pax, "/app/pax", "view-nav-pax", "pax", Right::ReadPlatforms),
        ],
    ),
    (
        "view-nav-developers",
        &[
            (
                NavItem::Webhooks,
                "/app/webhooks",
                "view-nav-webhooks",
                "webhook",
                Right::ManageWebhooks,
            ),
            (NavItem::Clients, "/app/clients", "view-nav-clients", "client", Right::ManageClients),
            (NavItem::Docs, "/docs/", "view-nav-docs", "docs", Right::Read),
        ],
    ),
    (
        "view-nav-organization",
        &[
            (NavItem::Teams, "/app/teams", "view-nav-teams", "team", Right::ManageTeams),
            (NavItem::Logs, "/app/logs", "view-nav-logs", "log", Right::ReadLogs),
            (NavItem::Billing, "/app/billing", "view-nav-billing", "billing", Right::ManageBilling),
            (
                NavItem::Organization,
                "/app/organization",
                "view-nav-organization",
                "organization",
                Right::Read,
            ),
            (NavItem::Help, "/app/help", "view-nav-help", "help", Right::Read),
        ],
    ),
];

/// The links of staff.
pub(super) const STAFF: [NavGroup<AdminRight>; 2] = [
    (
        "view-nav-operations",
        &[
            (
                NavItem::AdminOverview,
                "/app/admin",
                "view-nav-overview",
                "dashboard",
                AdminRight::Read,
            ),
            (
                NavItem::AdminOrganizations,
                "/app/admin/organizations",
                "view-nav-organizations",
                "organization",
                AdminRight::Read,
            ),
            (
                NavItem::AdminHelp,
                "/app/admin/help",
                "view-nav-help-requests",
                "help",
                AdminRight::Read,
            ),
            (NavItem::AdminPods, "/app/admin/pods", "view-nav-scanners", "pod", AdminRight::Read),
            (
                NavItem::AdminSources,
                "/app/admin/sources",
                "view-nav-sources",
                "source",
                AdminRight::Read,
            ),
            (
                NavItem::AdminPlatforms,
                "/app/admin/platforms",
                "view-nav-platforms",
                "platform",
                AdminRight::Read,
            ),
            (
                NavItem::AdminLicenses,
                "/app/admin/licenses",
                "view-nav-licenses",
                "license",
                AdminRight::Read,
            ),
        ],
    ),
    (
        "view-nav-system",
        &[
            (
                NavItem::AdminMembers,
                "/app/admin/members",
                "view-nav-staff",
                "team",
                AdminRight::Read,
            ),
            (NavItem::AdminLogs, "/app/admin/logs", "view-nav-logs", "log", AdminRight::Read),
            (
                NavItem::AdminTemplates,
                "/app/admin/mail",
                "view-nav-templates",
                "mail",
                AdminRight::Read,
            ),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use grantor_messages::text;

    use super::*;

    fn keys<R>(groups: &[NavGroup<R>]) -> Vec<&'static str> {
        let links = groups.iter().flat_map(|(_, links)| links.iter().map(|it| it.2));
        groups.iter().map(|(name, _)| *name).chain(links).collect()
    }

    #[test]
    fn everything_has_a_text() {
        for key in keys(&CONSOLE).into_iter().chain(keys(&STAFF)) {
            assert_ne!(text(key), key);
        }
    }
}
