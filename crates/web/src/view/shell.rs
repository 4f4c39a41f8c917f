//! The page shell: document head, navigation and account menu.

use grantor_domain::admin::{self, AdminRight};
use grantor_domain::role::{self, Right};
use grantor_service::identity::access::{AdminCaller, Caller};
use maud::{DOCTYPE, Markup, html};

use super::Theme;
use super::annotations::FILTER;
use super::bell::bell;
use super::field::errors;
use super::icon::{icon, seal};
use crate::asset;
use crate::frame::{Identity, PageContext};

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
    Teams,
    Logs,
    Billing,
    Organization,
    Profile,
    Notices,
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

/// A navigation link: entry, path, label, icon and required right.
type NavLink<R> = (NavItem, &'static str, &'static str, &'static str, R);

type NavGroup<R> = (&'static str, &'static [NavLink<R>]);

const CONSOLE: [NavGroup<Right>; 4] = [
    (
        "Licensing",
        &[
            (NavItem::Dashboard, "/app", "Dashboard", "dashboard", Right::Read),
            (NavItem::Licenses, "/app/licenses", "Licenses", "license", Right::Read),
            (NavItem::Talents, "/app/talents", "Talents", "talent", Right::ReadTalents),
            (NavItem::Requests, "/app/requests", "Requests", "request", Right::Read),
            (NavItem::Grants, "/app/grants", "Grants", "grant", Right::Read),
            (NavItem::Mentions, "/app/mentions", "Mentions", "mention", Right::Read),
            (NavItem::Cases, "/app/cases", "Cases", "case", Right::Read),
            (NavItem::Bookmarks, "/app/bookmarks", "Bookmarks", "bookmark", Right::Read),
            (NavItem::Catalog, "/app/catalog", "Catalog", "catalog", Right::Read),
        ],
    ),
    (
        "Monitoring",
        &[
            (NavItem::Check, "/app/check", "Check", "check", Right::Read),
            (NavItem::Sources, "/app/sources", "Sources", "source", Right::ReadSources),
            (NavItem::Profiles, "/app/profiles", "Social profiles", "profile", Right::Read),
            (NavItem::Platforms, "/app/platforms", "Platforms", "platform", Right::ReadPlatforms),
            (NavItem::Pax, "/app/pax", "Ingest keys", "pax", Right::ReadPlatforms),
        ],
    ),
    (
        "Developers",
        &[
            (NavItem::Webhooks, "/app/webhooks", "Webhooks", "webhook", Right::ManageWebhooks),
            (NavItem::Clients, "/app/clients", "API clients", "client", Right::ManageClients),
        ],
    ),
    (
        "Organization",
        &[
            (NavItem::Teams, "/app/teams", "Teams", "team", Right::ManageTeams),
            (NavItem::Logs, "/app/logs", "Logs", "log", Right::ReadLogs),
            (NavItem::Billing, "/app/billing", "Billing", "billing", Right::ManageBilling),
            (
                NavItem::Organization,
                "/app/organization",
                "Organization",
                "organization",
                Right::Read,
            ),
        ],
    ),
];

const STAFF: [NavGroup<AdminRight>; 2] = [
    (
        "Operations",
        &[
            (
                NavItem::AdminOrganizations,
                "/app/admin",
                "Organizations",
                "organization",
                AdminRight::Read,
            ),
            (NavItem::AdminPods, "/app/admin/pods", "Scanners", "pod", AdminRight::Read),
            (NavItem::AdminSources, "/app/admin/sources", "Sources", "source", AdminRight::Read),
            (
                NavItem::AdminPlatforms,
                "/app/admin/platforms",
                "Platforms",
                "platform",
                AdminRight::Read,
            ),
            (
                NavItem::AdminLicenses,
                "/app/admin/licenses",
                "Licenses",
                "license",
                AdminRight::Read,
            ),
        ],
    ),
    (
        "System",
        &[
            (NavItem::AdminMembers, "/app/admin/members", "Staff", "team", AdminRight::Read),
            (NavItem::AdminLogs, "/app/admin/logs", "Logs", "log", AdminRight::Read),
            (
                NavItem::AdminTemplates,
                "/app/admin/mail",
                "Email templates",
                "mail",
                AdminRight::Read,
            ),
        ],
    ),
];

/// Renders a full page. The body contains the heading.
pub(crate) fn page(ctx: &PageContext, title: &str, current: NavItem, body: Markup) -> Markup {
    let menu = match &ctx.identity {
        Identity::Anonymous => None,
        Identity::Person(caller) => Some(person_menu(ctx, caller, current)),
        Identity::Staff(caller) => Some(staff_menu(ctx, caller, current)),
    };
    document(
        ctx,
        title,
        html! {
            @match menu {
                Some(menu) => div.layout { (menu) (main(ctx, body)) },
                None => { (public_header(ctx)) (main(ctx, body)) }
            }
        },
    )
}

/// Renders a narrow page, such as a sign-in form.
pub(crate) fn narrow(ctx: &PageContext, title: &str, body: Markup) -> Markup {
    document(
        ctx,
        title,
        html! {
            (public_header(ctx))
            main.narrow id="main" { (flash(ctx)) (query_errors(ctx)) div.card.entry { (body) } }
        },
    )
}

fn main(ctx: &PageContext, body: Markup) -> Markup {
    html! { main id="main" { (flash(ctx)) (query_errors(ctx)) (body) } }
}

/// The summary of invalid query parameters. The body is already rendered, so its filters are known.
fn query_errors(ctx: &PageContext) -> Markup {
    let message = "Some filters are not valid and were ignored";
    html! { @if !ctx.query_errors.is_empty() { (errors(message, &ctx.query_errors.all(), FILTER)) } }
}

fn flash(ctx: &PageContext) -> Markup {
    html! {
        @if let Some(message) = &ctx.flash {
            p.notice.good role="status" { (message) }
        }
    }
}

fn document(ctx: &PageContext, title: &str, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" data-theme=(ctx.theme.name()) {
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
                a.skip href="#main" { "Skip to content" }
                (body)
            }
        }
    }
}

/// Returns the start page of the signed-in user.
pub(super) fn home(ctx: &PageContext) -> &'static str {
    if matches!(ctx.identity, Identity::Staff(_)) { "/app/admin" } else { "/app" }
}

/// The header of pages without the navigation menu.
fn public_header(ctx: &PageContext) -> Markup {
    html! {
        header.front {
            a.brand href="/app" { (seal()) "Grantor" }
            nav aria-label="Site" {
                a href="/app/catalog" { "Catalog" }
                a href="/verify" { "Verify" }
                a href="/docs/" { "API" }
                @if matches!(ctx.identity, Identity::Anonymous) {
                    a href="/app/sign-in" { "Sign in" }
                    a.button.small href="/app/sign-up" { "Sign up" }
                } @else {
                    a.button.small href="/app" { "Dashboard" }
                }
            }
        }
    }
}

fn person_menu(ctx: &PageContext, caller: &Caller, current: NavItem) -> Markup {
    let may = |it| role::may(caller.role, caller.tenant_type, it).is_ok();
    let links = html! {
        @for (name, links) in CONSOLE { (group(name, links, current, may, |it| counted(ctx, it))) }
    };
    let profile = html! {
        (switcher(ctx, caller))
        a.who href="/app/profile" aria-current=[(current == NavItem::Profile).then_some("page")] {
            strong { (caller.name) } span { (sentence_case(caller.role.name())) }
        }
    };
    menu(ctx, links, profile, &bell(ctx, "/app/notices", current), "/app/sign-out")
}

/// The organization switcher, for users with more than one organization.
fn switcher(ctx: &PageContext, caller: &Caller) -> Markup {
    html! {
        @if ctx.memberships.len() > 1 {
            form.switch method="post" action="/app/switch" {
                label for="switch" { "Switch organization" }
                div.row {
                    select id="switch" name="organization" {
                        @for it in ctx.memberships.iter() {
                            option value=(it.tenant) selected[it.tenant == caller.tenant] { (it.name) }
                        }
                    }
                    button.plain.small { "Switch" }
                }
            }
        }
    }
}

fn staff_menu(ctx: &PageContext, caller: &AdminCaller, current: NavItem) -> Markup {
    let may = |it| admin::may(caller.role, it).is_ok();
    let links = html! {
        @for (name, links) in STAFF { (group(name, links, current, may, |_| html! {})) }
    };
    let account = html! {
        p.who { strong { (caller.name) } span { (sentence_case(caller.role.name())) } }
    };
    let told = admin::may(caller.role, AdminRight::ManagePods).is_ok();
    let bell = html! { @if told { (bell(ctx, "/app/admin/notices", current)) } };
    menu(ctx, links, account, &bell, "/app/admin/sign-out")
}

/// Turns `needs_review` into `needs review`.
pub(crate) fn humanize(name: &str) -> String {
    name.replace('_', " ")
}

/// Turns `Team_Lead` into `Team lead`.
pub(crate) fn sentence_case(name: &str) -> String {
    let words = humanize(name).to_ascii_lowercase();
    let mut letters = words.chars();
    let first = letters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn group<R: Copy>(
    name: &str,
    links: &[NavLink<R>],
    current: NavItem,
    may: impl Fn(R) -> bool,
    counted: impl Fn(NavItem) -> Markup,
) -> Markup {
    let links: Vec<_> = links.iter().filter(|(.., right)| may(*right)).collect();
    html! {
        @if !links.is_empty() {
            p.group { (name) }
            ul {
                @for (it, path, label, image, _) in links {
                    li {
                        a href=(path) aria-current=[(*it == current).then_some("page")] {
                            (icon(image)) (label) (counted(*it))
                        }
                    }
                }
            }
        }
    }
}

/// What waits, next to the link to it: unread requests, offers and messages, or open cases.
fn counted(ctx: &PageContext, item: NavItem) -> Markup {
    let (count, what) = match item {
        NavItem::Requests => (ctx.unread, "unread"),
        NavItem::Cases => (ctx.open_cases, "open"),
        _ => (0, ""),
    };
    html! { @if count > 0 { " " span.badge.warn.count { (capped(count)) span.hidden { " " (what) } } } }
}

/// A count of at most two digits.
pub(super) fn capped(count: u64) -> String {
    if count > 99 { "99+".to_owned() } else { count.to_string() }
}

/// The navigation menu: a sidebar on wide screens, an overlay that needs no script on narrow ones.
fn menu(
    ctx: &PageContext,
    links: Markup,
    account: Markup,
    bell: &Markup,
    sign_out: &str,
) -> Markup {
    let home = home(ctx);
    html! {
        header.top {
            a.brand href=(home) { (seal()) "Grantor" }
            div.row {
                (bell)
                a.menu-open href="#menu" aria-label="Open menu" { (icon("menu")) }
            }
        }
        header.side id="menu" {
            div.row.apart {
                a.brand href=(home) { (seal()) "Grantor" }
                (bell)
                a.menu-close href="#main" { "Close" }
            }
            nav aria-label="Console" { (links) }
            div.foot {
                (account)
                div.row {
                    form method="post" action=(sign_out) { button.plain.small { "Sign out" } }
                    (theme(ctx))
                }
            }
        }
    }
}

/// The button that switches to the next theme.
fn theme(ctx: &PageContext) -> Markup {
    let next = match ctx.theme {
        Theme::Auto => Theme::Dark,
        Theme::Dark => Theme::Light,
        Theme::Light => Theme::Auto,
    };
    html! {
        form method="post" action="/app/theme" {
            input type="hidden" name="theme" value=(next.name());
            input type="hidden" name="back" value=(ctx.here);
            button.plain.small title="Switch theme" { "Theme: " (ctx.theme.name()) }
        }
    }
}
