//! Pages of those who watch: sources, cases and platforms.

use std::time::Duration;

use grantor_domain::access::Actor;
use grantor_domain::case::NewLetter;
use grantor_domain::patch::Patch;
use grantor_domain::role::Role;
use grantor_domain::scope::Scopes;
use grantor_service::Context;
use grantor_service::identity::access::TenantCaller;
use grantor_service::watching::case;
use grantor_testkit::seed;
use grantor_testkit::site::Site;

use super::below;

/// Of an agency: what it watches. One source fails, and the agency claims a profile.
pub(super) async fn of_sources(site: &Site) -> Vec<String> {
    let options = &site.app.database.options;
    let source = "0190a5e4-7b3c-7def-8123-0000000000c1";
    let feed = seed::id(options, "0190a5e4-7b3c-7def-8123-0000000000c2");
    let it = seed::id(options, source);
    let tenant = seed::id(options, &site.sample.accounts[0].tenant.to_string());
    let script = format!(
        "INSERT INTO watched_feeds (feed_id, url, kind, title, push_only, due_at, fetch_wanted,
           failing_since, failures, changed_at, created_at)
         VALUES ({feed}, 'https://news.example/feed', 'feed', 'News', 0, 9000000000000000, 0, 1, 1, 0, 0);
         INSERT INTO sources (source_id, tenant_id, feed_id, url, name, frequency, status, all_talents,
           mention_count, created_by, created_at, updated_at, version)
         VALUES ({it}, {tenant}, {feed}, 'https://news.example/', 'Evening News', 'daily', 'running', 1,
           0, {it}, 0, 0, 1);
         INSERT INTO feed_runs VALUES ({it}, {feed}, 1, 2, 'failed', 'the server returned status 500', 3,
           1, 12, 2, 0, '[{{\"what\":\"https://news.example/a\",\"why\":\"robots.txt forbids it\"}}]', 0);
         INSERT INTO profiles VALUES ({it}, {tenant}, 'mastodon', 'https://social.example/@news',
           '0123456789abcdef0123456789abcdef', NULL, 0)"
    );
    seed::run(options, script).await;
    let mut all = below("/app/sources", &["", "/new", "?status=paused", "?status=x"]);
    all.extend(below(&format!("/app/sources/{source}"), &["", "/edit"]));
    all.push("/app/profiles".to_owned());
    all
}

/// Of an agency: a case, and the link to its evidence.
pub(super) async fn of_cases(site: &Site) -> Vec<String> {
    let (app, agency) = (&site.app.app, &site.sample.accounts[0]);
    let mention = site.sample.mentions[0].id;
    let options = &site.app.database.options;
    let id = seed::id(options, &mention.to_string());
    let script = format!(
        "UPDATE mentions SET status = 'confirmed', allowed = (1 = 0) WHERE mention_id = {id}"
    );
    seed::run(options, script).await;
    let (user, tenant, tenant_type) = (agency.user, agency.tenant, agency.kind);
    let (role, scopes) = (Role::OrganizationAdmin, Scopes::all());
    let caller = TenantCaller { user, tenant, tenant_type, role, scopes };
    let actor = Actor::User { id: user, tenant, name: agency.name.clone() };
    let context = Context { actor, ..Context::operator(Duration::ZERO) };
    let opened = case::open(app, &context, caller, mention, Patch::Keep).await.expect("a case");
    let text = "Called the publisher.\n\nNobody answered.";
    case::comment(app, &context, caller, mention, text).await.expect("a comment");
    let letter = NewLetter::parse(Some("legal@wire.example"), Some("Please remove it"), Some(text));
    let letter = letter.expect("a letter");
    case::send_letter(app, &context, caller, mention, letter).await.expect("sent");
    let link = opened.evidence_url.expect("a link");
    let mut all = below("/app/cases", &["", "?status=closed", "?status=x"]);
    all.extend(below(&format!("/app/mentions/{mention}"), &["", "/case", "/case/letter"]));
    all.extend(below("/app/organization/letters", &["", "/takedown"]));
    all.push(link.strip_prefix(&app.public_url).expect("our own address").to_owned());
    all
}

/// Of a platform.
pub(super) fn of_a_platform(site: &Site) -> Vec<String> {
    let place = &site.sample.sites[0];
    let mut all = below("/app", &["/platforms", "/platforms/new", "/pax", "/pax/new"]);
    all.extend(below(&format!("/app/platforms/{}", place.id), &["", "/edit"]));
    all.push(format!("/app/pax/{}", place.pax));
    all
}
