//! What stands around every page: who is signed in, where one is, where one can go.

use grantor_domain::admin::{self, AdminRight};
use grantor_domain::role::{self, Right};
use grantor_service::access::{AdminCaller, Caller};
use maud::{DOCTYPE, Markup, html};

use super::Theme;
use super::field::{FILTER, reasons};
use super::icon::{icon, seal};
use crate::asset;
use crate::frame::{Visit, Who};

/// Where a page stands among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Dashboard,
    Licenses,
    Talents,
    Mentions,
    Bookmarks,
    Catalog,
    Platforms,
    Pax,
    Webhooks,
    Clients,
    Teams,
    Logs,
    Billing,
    Organization,
    Profile,
    AdminOrganizations,
    AdminPlatforms,
    AdminLicenses,
    AdminPods,
    AdminMembers,
    AdminLogs,
    AdminTemplates,
    Elsewhere,
}

/// One way: where it leads, its word, its picture, and the right it takes.
type Way<R> = (Place, &'static str, &'static str, &'static str, R);

type Group<R> = (&'static str, &'static [Way<R>]);

const PEOPLE: [Group<Right>; 4] = [
    (
        "Rights",
        &[
            (Place::Dashboard, "/app", "Dashboard", "dashboard", Right::Read),
            (Place::Licenses, "/app/licenses", "Licenses", "license", Right::Read),
            (Place::Talents, "/app/talents", "Talents", "talent", Right::ReadTalents),
            (Place::Mentions, "/app/mentions", "Mentions", "mention", Right::Read),
            (Place::Bookmarks, "/app/bookmarks", "Bookmarks", "bookmark", Right::Read),
            (Place::Catalog, "/app/catalog", "Catalog", "catalog", Right::Read),
        ],
    ),
    (
        "Watching",
        &[
            (Place::Platforms, "/app/platforms", "Platforms", "platform", Right::ReadPlatforms),
            (Place::Pax, "/app/pax", "Platform access", "pax", Right::ReadPlatforms),
        ],
    ),
    (
        "Connecting",
        &[
            (Place::Webhooks, "/app/webhooks", "Webhooks", "webhook", Right::ManageWebhooks),
            (Place::Clients, "/app/clients", "API clients", "client", Right::ManageClients),
        ],
    ),
    (
        "Organization",
        &[
            (Place::Teams, "/app/teams", "Teams", "team", Right::ManageTeams),
            (Place::Logs, "/app/logs", "Log", "log", Right::ReadLogs),
            (Place::Billing, "/app/billing", "Plan and bills", "billing", Right::ManageBilling),
            (Place::Organization, "/app/organization", "Organization", "organization", Right::Read),
        ],
    ),
];

const STAFF: [Group<AdminRight>; 2] = [
    (
        "Operating",
        &[
            (
                Place::AdminOrganizations,
                "/app/admin",
                "Organizations",
                "organization",
                AdminRight::Read,
            ),
            (Place::AdminPods, "/app/admin/pods", "Pods", "pod", AdminRight::Read),
            (
                Place::AdminPlatforms,
                "/app/admin/platforms",
                "Platforms",
                "platform",
                AdminRight::Read,
            ),
            (Place::AdminLicenses, "/app/admin/licenses", "Licenses", "license", AdminRight::Read),
        ],
    ),
    (
        "House",
        &[
            (Place::AdminMembers, "/app/admin/members", "Staff", "team", AdminRight::Read),
            (Place::AdminLogs, "/app/admin/logs", "Log", "log", AdminRight::Read),
            (Place::AdminTemplates, "/app/admin/mail", "Mail templates", "mail", AdminRight::Read),
        ],
    ),
];

/// A whole page. Its body brings its own heading.
pub(crate) fn page(visit: &Visit, title: &str, place: Place, body: Markup) -> Markup {
    let menu = match &visit.who {
        Who::Nobody => None,
        Who::Person(caller) => Some(person_menu(visit, caller, place)),
        Who::Staff(caller) => Some(staff_menu(visit, caller, place)),
    };
    document(
        visit,
        title,
        html! {
            @match menu {
                Some(menu) => div.house { (menu) (main(visit, body)) },
                None => { (front(visit)) (main(visit, body)) }
            }
        },
    )
}

/// A page of one narrow column, for whoever is on the way in.
pub(crate) fn narrow(visit: &Visit, title: &str, body: Markup) -> Markup {
    document(
        visit,
        title,
        html! {
            (front(visit))
            main.narrow id="main" { (said(visit)) (misread(visit)) div.card.entry { (body) } }
        },
    )
}

fn main(visit: &Visit, body: Markup) -> Markup {
    html! { main id="main" { (said(visit)) (misread(visit)) (body) } }
}

/// What the page could not read of its address. Its filters are drawn by now, and say it too.
fn misread(visit: &Visit) -> Markup {
    let message = "Some of what you asked for does not fit, and was left out";
    html! { @if !visit.misread.is_empty() { (reasons(message, &visit.misread.all(), FILTER)) } }
}

fn said(visit: &Visit) -> Markup {
    html! {
        @if let Some(said) = &visit.said {
            p.notice.good role="status" { (said) }
        }
    }
}

fn document(visit: &Visit, title: &str, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" data-theme=(visit.theme.name()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Grantor" }
                link rel="stylesheet" href=(asset::url("app.css"));
                link rel="icon" type="image/svg+xml" href=(asset::url("seal.svg"));
                script src=(asset::url("app.js")) defer {}
            }
            body {
                a.skip href="#main" { "To the content" }
                (body)
            }
        }
    }
}

/// Where one begins.
pub(super) fn start(visit: &Visit) -> &'static str {
    if matches!(visit.who, Who::Staff(_)) { "/app/admin" } else { "/app" }
}

/// The line above a page for whoever is not signed in.
fn front(visit: &Visit) -> Markup {
    html! {
        header.front {
            a.brand href="/app" { (seal()) "Grantor" }
            nav aria-label="Site" {
                a href="/app/catalog" { "Catalog" }
                a href="/docs/" { "API" }
                @if matches!(visit.who, Who::Nobody) {
                    a href="/app/sign-in" { "Sign in" }
                    a.button.small href="/app/sign-up" { "Sign up" }
                } @else {
                    a.button.small href="/app" { "Dashboard" }
                }
            }
        }
    }
}

fn person_menu(visit: &Visit, caller: &Caller, place: Place) -> Markup {
    let ways = html! {
        @for (name, ways) in PEOPLE {
            (group(name, ways, place, |it| role::may(caller.role, caller.tenant_type, it).is_ok()))
        }
    };
    let profile = html! {
        (switcher(visit, caller))
        a.who href="/app/profile" aria-current=[(place == Place::Profile).then_some("page")] {
            strong { (caller.name) } span { (words(caller.role.name())) }
        }
    };
    menu(visit, ways, profile, "/app/sign-out")
}

/// Where the person acts, and where else they could; nothing where there is no choice.
fn switcher(visit: &Visit, caller: &Caller) -> Markup {
    html! {
        @if visit.places.len() > 1 {
            form.switch method="post" action="/app/switch" {
                label for="switch" { "Acting for" }
                div.row {
                    select id="switch" name="organization" {
                        @for place in visit.places.iter() {
                            option value=(place.tenant) selected[place.tenant == caller.tenant] { (place.name) }
                        }
                    }
                    button.plain.small { "Switch" }
                }
            }
        }
    }
}

fn staff_menu(visit: &Visit, caller: &AdminCaller, place: Place) -> Markup {
    let ways = html! {
        @for (name, ways) in STAFF {
            (group(name, ways, place, |it| admin::may(caller.role, it).is_ok()))
        }
    };
    let who = html! {
        p.who { strong { (caller.name) } span { (words(caller.role.name())) } }
    };
    menu(visit, ways, who, "/app/admin/sign-out")
}

/// A name of the wire as people write it.
pub(crate) fn words(name: &str) -> String {
    name.replace('_', " ")
}

fn group<R: Copy>(name: &str, ways: &[Way<R>], place: Place, may: impl Fn(R) -> bool) -> Markup {
    let ways: Vec<_> = ways.iter().filter(|(.., right)| may(*right)).collect();
    html! {
        @if !ways.is_empty() {
            p.group { (name) }
            ul {
                @for (it, address, word, picture, _) in ways {
                    li {
                        a href=(address) aria-current=[(*it == place).then_some("page")] {
                            (icon(picture)) (word)
                        }
                    }
                }
            }
        }
    }
}

/// Beside the page where there is room; where there is not, behind a link that needs no script.
fn menu(visit: &Visit, ways: Markup, who: Markup, out: &str) -> Markup {
    let start = start(visit);
    html! {
        header.top {
            a.brand href=(start) { (seal()) "Grantor" }
            a.menu-open href="#menu" aria-label="Open the menu" { (icon("menu")) }
        }
        header.side id="menu" {
            div.row.apart {
                a.brand href=(start) { (seal()) "Grantor" }
                a.menu-close href="#main" { "Close" }
            }
            nav aria-label="Console" { (ways) }
            div.foot {
                (who)
                div.row {
                    form method="post" action=(out) { button.plain.small { "Sign out" } }
                    (theme(visit))
                }
            }
        }
    }
}

/// The next of auto, light and dark.
fn theme(visit: &Visit) -> Markup {
    let next = match visit.theme {
        Theme::Auto => Theme::Dark,
        Theme::Dark => Theme::Light,
        Theme::Light => Theme::Auto,
    };
    html! {
        form method="post" action="/app/theme" {
            input type="hidden" name="theme" value=(next.name());
            input type="hidden" name="back" value=(visit.here);
            button.plain.small title={ "Now " (visit.theme.name()) } { "Theme: " (visit.theme.name()) }
        }
    }
}
