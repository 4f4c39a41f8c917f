//! The pages of the tour. To add a page, add a row here.

/// Who views a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Nobody is signed in.
    Nobody,
    /// The sample data's agency.
    Person,
    /// The sample data's platform.
    Host,
    /// The operator's staff.
    Admin,
}

/// A width, a height, and the suffix of its screenshots.
pub(crate) type Screen = (u32, u32, &'static str);

pub(crate) const WIDE: Screen = (1280, 900, "wide");
pub(crate) const PHONE: Screen = (390, 844, "phone");

/// The name of the screenshots, the path, who views it, and the screens that the documentation
/// shows.
///
/// Braces in a path contain a JSON pointer into the output of `grantor demo --json`, as in
/// `/app/licenses/{/licenses/0/licenseId}`.
pub(crate) type Row = (&'static str, &'static str, Who, &'static [Screen]);

use Who::{Admin, Host, Nobody, Person};

pub(crate) const PAGES: &[Row] = &[
    ("landing", "/", Nobody, &[]),
    ("documentation", "/docs/", Nobody, &[]),
    ("sign-in", "/app/sign-in", Nobody, &[WIDE]),
    ("sign-in-link", "/app/sign-in/link", Nobody, &[]),
    ("sign-in-sso", "/app/sign-in/sso", Nobody, &[]),
    ("magic-link", "/app/magic?token=sample", Nobody, &[]),
    ("sign-up", "/app/sign-up", Nobody, &[]),
    ("forgot", "/app/forgot", Nobody, &[]),
    ("invitation", "/app/invitation?token=sample", Nobody, &[]),
    ("catalog", "/app/catalog", Nobody, &[WIDE]),
    ("catalog-check", "/app/catalog/check", Nobody, &[]),
    ("verify", "/verify", Nobody, &[]),
    ("mailbox", "/app/dev/mail", Nobody, &[]),
    ("dashboard", "/app", Person, &[WIDE, PHONE]),
    ("search", "/app/search?search=s", Person, &[WIDE]),
    ("shortcuts", "/app/shortcuts", Person, &[]),
    ("licenses", "/app/licenses", Person, &[WIDE]),
    ("license-new", "/app/licenses/new", Person, &[]),
    ("license", "/app/licenses/{/licenses/0/licenseId}", Person, &[WIDE]),
    ("license-edit", "/app/licenses/{/licenses/0/licenseId}/edit", Person, &[]),
    ("license-history", "/app/licenses/{/licenses/0/licenseId}/history", Person, &[]),
    ("license-preview", "/app/licenses/{/licenses/0/licenseId}/preview", Person, &[]),
    ("license-offer", "/app/licenses/{/licenses/0/licenseId}/offer", Person, &[]),
    ("requests", "/app/requests", Person, &[]),
    ("grants", "/app/grants", Person, &[]),
    ("grants-calendar", "/app/grants/calendar", Person, &[]),
    ("grants-map", "/app/grants/map", Person, &[]),
    ("talents", "/app/talents", Person, &[]),
    ("talent-new", "/app/talents/new", Person, &[]),
    ("mentions", "/app/mentions", Person, &[WIDE, PHONE]),
    ("mention", "/app/mentions/{/mentions/0/mentionId}", Person, &[]),
    ("sources", "/app/sources", Person, &[]),
    ("source-new", "/app/sources/new", Person, &[]),
    ("source", "/app/sources/{/source/sourceId}", Person, &[]),
    ("talent", "/app/talents/{/talents/0/talentId}", Person, &[]),
    ("bookmarks", "/app/bookmarks", Person, &[]),
    ("check", "/app/check", Person, &[]),
    ("platforms", "/app/platforms", Person, &[]),
    ("platform-new", "/app/platforms/new", Person, &[]),
    ("pax", "/app/pax", Person, &[]),
    ("webhooks", "/app/webhooks", Person, &[WIDE]),
    ("webhook", "/app/webhooks/{/webhooks/0/webhookId}", Person, &[]),
    ("webhook-new", "/app/webhooks/new", Person, &[]),
    ("clients", "/app/clients", Person, &[]),
    ("client-new", "/app/clients/new", Person, &[]),
    ("teams", "/app/teams", Person, &[]),
    ("team", "/app/teams/{/team/teamId}", Person, &[]),
    ("log", "/app/logs", Person, &[]),
    ("billing", "/app/billing", Person, &[]),
    ("organization", "/app/organization", Person, &[]),
    ("organization-security", "/app/organization/security", Person, &[]),
    ("single-sign-on", "/app/organization/single-sign-on", Person, &[]),
    ("profile", "/app/profile", Person, &[]),
    ("profile-security", "/app/profile/security", Person, &[]),
    ("platform", "/app/platforms/{/platforms/0/platformId}", Host, &[WIDE]),
    ("pax-one", "/app/pax/{/platforms/0/paxId}", Host, &[]),
    ("admin-sign-in", "/app/admin/sign-in", Nobody, &[]),
    ("admin", "/app/admin", Admin, &[]),
    ("admin-organizations", "/app/admin/organizations", Admin, &[]),
    ("admin-help", "/app/admin/help", Admin, &[]),
    ("admin-pods", "/app/admin/pods", Admin, &[WIDE]),
    ("admin-organization", "/app/admin/organizations/{/accounts/0/tenantId}", Admin, &[]),
    ("admin-second-factor", "/app/admin/second-factor", Admin, &[]),
    ("admin-pod", "/app/admin/pods/{/platforms/0/podId}", Admin, &[]),
    ("admin-mail-edit", "/app/admin/mail/registration", Admin, &[]),
    ("admin-platforms", "/app/admin/platforms", Admin, &[]),
    ("admin-licenses", "/app/admin/licenses", Admin, &[]),
    ("admin-members", "/app/admin/members", Admin, &[]),
    ("admin-log", "/app/admin/logs", Admin, &[]),
    ("admin-mail", "/app/admin/mail", Admin, &[]),
    ("style-guide", "/app/admin/style-guide", Admin, &[WIDE, PHONE]),
];
