//! The page shell: document head, navigation and account menu.

use grantor_domain::admin::{self, AdminRight};
use grantor_domain::role;
use grantor_messages::{Language, named, text};
use grantor_service::identity::access::{AdminCaller, Caller};
use maud::{DOCTYPE, Markup, html};

use super::Theme;
use super::annotations::FILTER;
use super::bell::bell;
use super::field::errors;
use super::flash;
use super::icon::{icon, seal};
use super::link_preview::LinkPreview;
use super::nav::{CONSOLE, NavItem, NavLink, STAFF};
use super::palette;
use super::viewing;
use crate::asset;
use crate::frame::{Identity, PageContext};
use crate::locale;
use crate::palette::{SEARCH, STAFF_SEARCH};
use crate::sign_in::with_next_of;

/// Renders a full page. The body contains the heading.
pub(crate) fn page(ctx: &PageContext, title: &str, current: NavItem, body: Markup) -> Markup {
    page_with(ctx, title, current, description(title), body)
}

/// The description of a page that has no link preview, for search engines and browsers.
fn description(title: &str) -> Markup {
    html! { meta name="description" content=(text!("view-description", title = title)); }
}

/// Renders a full page that anyone can open, with the preview of links to it.
pub(crate) fn shared_page(
    ctx: &PageContext,
    preview: &LinkPreview,
    current: NavItem,
    body: Markup,
) -> Markup {
    page_with(ctx, &preview.title, current, preview.tags(), body)
}

fn page_with(
    ctx: &PageContext,
    title: &str,
    current: NavItem,
    tags: Markup,
    body: Markup,
) -> Markup {
    let menu = match &ctx.identity {
        Identity::Anonymous => None,
        Identity::Person(caller) => Some(person_menu(ctx, caller, current)),
        Identity::Staff(caller) => Some(staff_menu(ctx, caller, current)),
    };
    document(
        ctx,
        title,
        tags,
        html! {
            @match menu {
                Some(menu) => {
                    div.layout { (menu) (main(ctx, body)) }
                    (palette::dialogs(search_page(ctx)))
                }
                None => { (public_header(ctx)) (main(ctx, body)) }
            }
        },
    )
}

/// Renders the front page, which has no navigation menu even if somebody is signed in.
pub(crate) fn front(ctx: &PageContext, preview: &LinkPreview, body: Markup) -> Markup {
    let body =
        html! { (public_header(ctx)) main.front-page id="main" { (flash::show(ctx)) (body) } };
    document(ctx, &preview.title, preview.tags(), body)
}

/// Renders a narrow page, such as a sign-in form.
pub(crate) fn narrow(ctx: &PageContext, title: &str, body: Markup) -> Markup {
    document(
        ctx,
        title,
        description(title),
        html! {
            (public_header(ctx))
            main.narrow id="main" { (flash::show(ctx)) (query_errors(ctx)) div.card.entry { (body) } }
        },
    )
}

fn main(ctx: &PageContext, body: Markup) -> Markup {
    html! { main id="main" { (flash::show(ctx)) (query_errors(ctx)) (body) } }
}

/// The summary of invalid query parameters. The body is already rendered, so its filters are known.
fn query_errors(ctx: &PageContext) -> Markup {
    let message = text!("view-query-invalid");
    html! { @if !ctx.query_errors.is_empty() { (errors(message, &ctx.query_errors.all(), FILTER)) } }
}

fn document(ctx: &PageContext, title: &str, tags: Markup, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(Language::current().code()) data-theme=(ctx.theme.name()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Grantor" }
                (tags)
                link rel="stylesheet" href=(asset::url("app.css"));
                link rel="stylesheet" href=(asset::url("print.css")) media="print";
                link rel="icon" type="image/svg+xml" href=(asset::url("seal.svg"));
                script src=(asset::url("app.js")) defer {}
                @if ctx.live.is_used() { script src=(asset::url("live.js")) defer {} }
            }
            body {
                a.skip href="#main" { (text!("view-skip")) }
                (viewing::banner(ctx))
                (body)
                (locale::footer(ctx))
            }
        }
    }
}

/// Returns the start page of the signed-in user.
pub(super) fn home(ctx: &PageContext) -> &'static str {
    if matches!(ctx.identity, Identity::Staff(_)) { "/app/admin" } else { "/app" }
}

/// Returns the search page of the signed-in user.
fn search_page(ctx: &PageContext) -> &'static str {
    if matches!(ctx.identity, Identity::Staff(_)) { STAFF_SEARCH } else { SEARCH }
}

/// The header of pages without the navigation menu.
fn public_header(ctx: &PageContext) -> Markup {
    let kept = |path| with_next_of(&ctx.here, path);
    html! {
        header.front {
            a.brand href="/" { (seal()) "Grantor" }
            nav aria-label=(text!("view-nav-site")) {
                a href="/app/catalog" { (text!("view-nav-catalog")) }
                a href="/verify" { (text!("view-nav-verify")) }
                a href="/docs/" { (text!("view-nav-docs")) }
                @if matches!(ctx.identity, Identity::Anonymous) {
                    a href=(kept("/app/sign-in")) { (text!("view-nav-sign-in")) }
                    a.button.small href=(kept("/app/sign-up")) { (text!("view-nav-sign-up")) }
                } @else {
                    a.button.small href="/app" { (text!("view-nav-dashboard")) }
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
                label for="switch" { (text!("view-switch-organization")) }
                div.row {
                    select id="switch" name="organization" {
                        @for it in ctx.memberships.iter() {
                            option value=(it.tenant) selected[it.tenant == caller.tenant] { (it.name) }
                        }
                    }
                    button.plain.small { (text!("view-switch")) }
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
        a.who href="/app/admin/language" title=(text!("locale-title")) {
            strong { (caller.name) } span { (sentence_case(caller.role.name())) }
        }
    };
    let told = admin::may(caller.role, AdminRight::ManagePods).is_ok();
    let bell = html! { @if told { (bell(ctx, "/app/admin/notices", current)) } };
    menu(ctx, links, account, &bell, "/app/admin/sign-out")
}

/// Turns the name of a state or role into words of the current language: `needs_review` into `needs
/// review`.
pub(crate) fn humanize(name: &str) -> String {
    let known = named("view-state", name).or_else(|| named("view-role", name));
    known.map_or_else(|| name.replace('_', " "), str::to_owned)
}

/// Like [`humanize`], as a label: `Team_Lead` is `Team lead`.
pub(crate) fn sentence_case(name: &str) -> String {
    let words = humanize(&name.to_ascii_lowercase());
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

fn group<R: Copy>(
    name: &'static str,
    links: &[NavLink<R>],
    current: NavItem,
    may: impl Fn(R) -> bool,
    counted: impl Fn(NavItem) -> Markup,
) -> Markup {
    let links: Vec<_> = links.iter().filter(|(.., right)| may(*right)).collect();
    html! {
        @if !links.is_empty() {
            p.group { (text(name)) }
            ul {
                @for &(it, path, label, image, _) in links {
                    li {
                        a href=(path) aria-current=[(it == current).then_some("page")] {
                            (icon(image)) (text(label)) (counted(it))
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
        NavItem::Requests => (ctx.unread, text!("view-nav-unread")),
        NavItem::Cases => (ctx.open_cases, text!("view-nav-open-cases")),
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
                (palette::search_link(search_page(ctx)))
                (bell)
                a.menu-open href="#menu" aria-label=(text!("view-nav-open")) { (icon("menu")) }
            }
        }
        header.side id="menu" {
            div.row.apart {
                a.brand href=(home) { (seal()) "Grantor" }
                (bell)
                a.menu-close href="#main" { (text!("view-nav-close")) }
            }
            (palette::search_link(search_page(ctx)))
            nav aria-label=(text!("view-nav-console")) { (links) }
            div.foot {
                (account)
                // Nothing can be changed in a view; its banner ends it.
                @if !ctx.is_viewed() {
                    div.row {
                        form method="post" action=(sign_out) {
                            button.plain.small { (text!("view-nav-sign-out")) }
                        }
                        (theme(ctx))
                    }
                }
            }
        }
    }
}

/// The button that switches to the next theme.
pub(super) fn theme(ctx: &PageContext) -> Markup {
    let next = match ctx.theme {
        Theme::Auto => Theme::Dark,
        Theme::Dark => Theme::Light,
        Theme::Light => Theme::Auto,
    };
    let name = named("view-theme", ctx.theme.name()).unwrap_or(ctx.theme.name());
    html! {
        form method="post" action="/app/theme" {
            input type="hidden" name="theme" value=(next.name());
            input type="hidden" name="back" value=(ctx.here);
            button.plain.small title=(text!("view-theme-switch")) {
                (text!("view-theme", theme = name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use grantor_domain::admin::AdminRole;
    use grantor_domain::batch::BatchStatus;
    use grantor_domain::bill::BillStatus;
    use grantor_domain::case::CaseStatus;
    use grantor_domain::client::ClientStatus;
    use grantor_domain::delivery::DeliveryStatus;
    use grantor_domain::grant::GrantStatus;
    use grantor_domain::license::LicenseStatus;
    use grantor_domain::mention::{MentionStatus, Verdict};
    use grantor_domain::organization::OrganizationStatus;
    use grantor_domain::platform::PlatformStatus;
    use grantor_domain::pod::PodStatus;
    use grantor_domain::request::{OfferStatus, RequestStatus};
    use grantor_domain::role::Role;
    use grantor_domain::scan::RunOutcome;
    use grantor_domain::subscription::SubscriptionStatus;
    use grantor_domain::websub::PushStatus;

    use super::*;

    macro_rules! check {
        ($family:literal, $($type:ty),+ $(,)?) => {
            $(for name in <$type>::ALL.map(<$type>::name) {
                let known = named($family, &name.to_ascii_lowercase());
                assert_eq!(known, Some(&*name.to_ascii_lowercase().replace('_', " ")));
            })+
        };
    }

    #[test]
    fn every_state_and_role_has_a_text() {
        check!("view-state", BatchStatus, BillStatus, CaseStatus, ClientStatus, DeliveryStatus);
        check!("view-state", GrantStatus, LicenseStatus, MentionStatus, OfferStatus, Verdict);
        check!("view-state", OrganizationStatus, PlatformStatus, PodStatus, PushStatus);
        check!("view-state", RequestStatus, RunOutcome, SubscriptionStatus);
        check!("view-role", AdminRole, Role);
    }

    #[tokio::test]
    async fn states_are_in_the_language_of_the_page() {
        let words = || [humanize("needs_review"), sentence_case("Team_Lead"), humanize("odd_one")];
        assert_eq!(words(), ["needs review", "Team lead", "odd one"]);
        let german = Language::find("de").unwrap();
        let shown = german.scope(async { (words(), sentence_case("public")) }).await;
        let expected = ["zu prüfen", "Teamleitung", "odd one"].map(str::to_owned);
        assert_eq!(shown, (expected, "Öffentlich".to_owned()));
    }
}
