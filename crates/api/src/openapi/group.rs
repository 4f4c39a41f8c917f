//! The groups of operations in which readers of the documents show them: tags, in reading order.

use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::tag::{Tag, TagBuilder};

use crate::frame::api::Api;

/// The tag of the events that webhooks receive.
pub(super) const EVENTS: &str = "webhook-events";

/// A group of operations.
pub(super) struct Group {
    /// The name of the tag.
    pub(super) name: &'static str,
    title: &'static str,
    about: &'static str,
    /// What its paths begin with. The longest beginning of all groups decides.
    paths: &'static [&'static str],
}

const fn group(
    name: &'static str,
    title: &'static str,
    about: &'static str,
    paths: &'static [&'static str],
) -> Group {
    Group { name, title, about, paths }
}

#[rustfmt::skip]
const EXTERNAL: &[Group] = &[
    group("auth", "Access tokens", "Exchange the key and secret of an API client for an access token. Refresh, revoke and inspect tokens, and sign up by email.", &["/auth", "/token", "/magic-link", "/register"]),
    group("oauth", "OAuth 2.0", "The same tokens for OAuth 2.0 libraries.", &["/oauth"]),
    group("licenses", "Licenses", "The licenses that you own or that are shared with you, and their versions.", &["/licenses"]),
    group("catalog", "Catalog", "Public licenses, in several formats. No access token is needed.", &["/metadata", "/license.xml"]),
    group("decisions", "Decisions", "May this party use this likeness in this way, place and moment?", &["/decisions"]),
    group("requests", "Requests and offers", "Ask for a license, offer one, and accept an offer.", &["/requests", "/parties"]),
    group("grants", "Grants", "What was agreed: who may use what, how, where and until when.", &["/grants"]),
    group("receipts", "Receipts", "Signed proofs of grants. Anybody can verify them.", &["/receipts", "/status-lists", "/credentials"]),
    group("checks", "Checks", "Whom does this picture, page or text show or name?", &["/checks"]),
    group("sources", "Sources", "Public addresses that are watched, and the profiles that you have proved to be yours.", &["/sources", "/profiles"]),
    group("mentions", "Mentions and cases", "What was found, its evidence, and what is done about it.", &["/mentions", "/cases"]),
    group("bookmarks", "Bookmarks", "Licenses and mentions that you have saved.", &["/bookmarks"]),
    group("webhooks", "Webhooks", "Receive events over HTTP, and look at deliveries.", &["/webhooks"]),
    group("events", "Events", "Read the same events in order, without a webhook.", &["/events"]),
    group("discovery", "Discovery", "What the server is and which keys it signs with. Crawlers learn which rights are reserved.", &["/.well-known", "/health", "/ns", "/robots.txt"]),
];

#[rustfmt::skip]
const CONSOLE: &[Group] = &[
    group("auth", "Signing in", "Register, sign in, accept an invitation, reset a password, and switch to another organization.", &["/auth"]),
    group("user", "Your account", "Your profile, password, sessions and notifications.", &["/user"]),
    group("organization", "Organization and teams", "The organization, its people, chat addresses and templates of letters.", &["/org"]),
    group("talents", "Talents", "The people whose names, images and likenesses are licensed.", &["/org/talent", "/org/invite/talent", "/talent"]),
    group("licenses", "Licenses", "Licenses with their reference images, catalog pictures and permissions.", &["/org/license", "/org/licenses", "/org/talent/license"]),
    group("platforms", "Platforms", "Sites of an organization, and the proof that their domains are its own.", &["/org/platform", "/org/platforms", "/org/create/platform", "/org/verify/platform", "/org/request/pod", "/platforms"]),
    group("pax", "Content ingestion", "Keys with which a platform has its content scanned.", &["/console/pax"]),
    group("clients", "API clients", "Keys and secrets for the external API.", &["/org/client", "/org/clients", "/org/create/client", "/org/refresh/client", "/external"]),
    group("logs", "Log", "Who changed and read what.", &["/console/logs"]),
    group("billing", "Plan and billing", "The subscription, invoices and payment cards.", &["/org/bill", "/org/card", "/org/cards", "/org/subscribe", "/org/subscription", "/org/subscriptions"]),
    group("staff", "Staff", "For the operator's staff: organizations, licenses, platforms, the log and mail templates.", &["/admin", "/logs", "/mail"]),
    group("scanners", "Scanners", "For the operator's staff: pods and the sources of all organizations.", &["/pax"]),
];

/// The groups of an API.
pub(super) const fn groups(api: Api) -> &'static [Group] {
    match api {
        Api::External => EXTERNAL,
        Api::Console => CONSOLE,
    }
}

/// Returns the name of the tag of an operation. A test checks that each has one.
pub(super) fn tag(api: Api, path: &str) -> &'static str {
    let of_group = |it: &'static Group| it.paths.iter().map(move |begin| (*begin, it.name));
    let fitting = groups(api).iter().flat_map(of_group).filter(|(begin, _)| is_below(path, begin));
    fitting.max_by_key(|(begin, _)| begin.len()).map_or("other", |(_, name)| name)
}

fn is_below(path: &str, begin: &str) -> bool {
    path.strip_prefix(begin).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Describes the groups of an API.
pub(super) fn tags(api: Api) -> Vec<Tag> {
    let described = |name, title, about| {
        // Scalar shows this name.
        let title = Extensions::builder().add("x-displayName", title).build();
        TagBuilder::new().name(name).description(Some(about)).extensions(Some(title)).build()
    };
    let mut tags: Vec<_> =
        groups(api).iter().map(|it| described(it.name, it.title, it.about)).collect();
    if api == Api::External {
        tags.push(described(EVENTS, "Webhook events", "What webhooks receive."));
    }
    tags
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{console, external};

    #[test]
    fn every_operation_has_a_group_and_every_beginning_an_operation() {
        for (api, routes) in
            [(Api::External, external::routes("grantor")), (Api::Console, console::routes())]
        {
            let paths: Vec<_> = routes.iter().map(|it| it.described().info.path.clone()).collect();
            let found: BTreeSet<_> = paths.iter().map(|it| tag(api, it)).collect();
            let known: BTreeSet<_> = groups(api).iter().map(|it| it.name).collect();
            assert_eq!(found, known);
            for begin in groups(api).iter().flat_map(|it| it.paths) {
                assert!(paths.iter().any(|it| is_below(it, begin)), "{begin}");
            }
        }
    }

    #[test]
    fn the_longest_beginning_decides() {
        assert_eq!(tag(Api::Console, "/org/teams"), "organization");
        assert_eq!(tag(Api::Console, "/org/talent/roster"), "talents");
        assert_eq!(tag(Api::Console, "/org/talent/license/{talentId}"), "licenses");
        assert_eq!(tag(Api::External, "/licenses-of-others"), "other");
    }
}
