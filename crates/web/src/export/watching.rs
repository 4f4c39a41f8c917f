//! Rows of mentions, cases, sources, social profiles, platforms and ingest keys.

use grantor_domain::id::MentionId;
use grantor_domain::mention::{MatchKind, MentionQuery};
use grantor_domain::page::{Order, Page};
use grantor_domain::{Error, Result};
use grantor_service::identity::access::TenantCaller;
use grantor_service::operations::batch::Filter;
use grantor_service::operations::csv_file::Rows;
use grantor_service::watching::mention::{self as mentions_service, MentionView};
use grantor_service::watching::{case, pax, platform, profile, source};

use super::{flag, moment, only_page, time};
use crate::frame::{Params, Person};
use crate::mention::matching;
use crate::source::what_is_read;
use crate::view::sentence_case;

pub(super) const MENTIONS: &[&str] = &[
    "Title",
    "Address",
    "Talent",
    "License",
    "Found at",
    "Author",
    "Verdict",
    "Status",
    "Allowed",
    "Match",
    "Confidence",
    "Published",
    "First seen",
    "Last seen",
];

pub(super) const CASES: &[&str] =
    &["Title", "Address", "Talent", "Status", "Assignee", "Last look", "Opened", "Changed"];

pub(super) const SOURCES: &[&str] =
    &["Name", "Address", "What is read", "Status", "Scanned", "Mentions", "Added"];

pub(super) const PROFILES: &[&str] = &["Service", "Address", "Verified", "Added"];

pub(super) const PLATFORMS: &[&str] =
    &["Name", "Domain", "Type", "Status", "Items scanned", "Last scan", "Added"];

pub(super) const INGEST_KEYS: &[&str] =
    &["Name", "Platform", "Scopes", "Status", "Requests", "Last used", "Created"];

pub(super) async fn mentions(person: &Person, params: &Params, page: Page) -> Result<Rows> {
    let (app, reader) = (person.app(), person.caller.reader());
    let found = match matching(params)? {
        Filter::Mentions(mut search) => {
            search.order.order = Order::Asc;
            mentions_service::search(app, reader, search, page).await?
        }
        Filter::MentionsOf(license, query) => {
            let query = MentionQuery { page, order: Order::Asc, ..query };
            mentions_service::list(app, reader, license, query).await?
        }
        _ => return Err(Error::internal("the filter of another list")),
    };
    Ok(found.items.iter().map(mention_row).collect())
}

/// The row of one mention that the person sees.
pub(super) async fn mention(person: &Person, id: MentionId) -> Result<Vec<String>> {
    let seen = mentions_service::get(person.app(), person.caller.reader(), id).await?;
    Ok(mention_row(&seen))
}

fn mention_row(seen: &MentionView) -> Vec<String> {
    let (shown, it) = (&seen.shown, &seen.shown.mention);
    let kind = match it.found.kind {
        MatchKind::Name => "Name",
        MatchKind::Image => "Image",
    };
    vec![
        it.title.clone(),
        it.url.clone(),
        shown.talent_name.clone(),
        shown.license_title.clone(),
        seen.place.clone(),
        it.author.clone().unwrap_or_default(),
        sentence_case(it.verdict.name()),
        sentence_case(it.status.name()),
        it.allowed.map(flag).unwrap_or_default(),
        kind.to_owned(),
        format!("{:.0}%", it.found.confidence * 100.0),
        time(it.published_at),
        moment(it.first_seen_at),
        moment(it.last_seen_at),
    ]
}

pub(super) async fn cases(person: &Person, params: &Params, page: Page) -> Result<Rows> {
    let (mut search, ..) = crate::case::read(params)?;
    search.order.order = Order::Asc;
    let caller = TenantCaller::from(&*person.caller);
    let found = case::search(person.app(), caller, search, page).await?;
    let row = |it: &case::ListedCase| {
        vec![
            it.title.clone(),
            it.url.clone(),
            it.talent_name.clone(),
            sentence_case(it.status.name()),
            it.assignee.as_ref().map(|(_, name)| name.clone()).unwrap_or_default(),
            time(it.last_look_at),
            moment(it.opened_at),
            moment(it.updated_at),
        ]
    };
    Ok(found.items.iter().map(row).collect())
}

pub(super) async fn sources(person: &Person, params: &Params, page: Page) -> Result<Rows> {
    let (mut search, ..) = crate::source::read(params)?;
    search.order.order = Order::Asc;
    let found = source::search(person.app(), person.caller.tenant, search, page).await?;
    Ok(found.items.iter().map(source_row).collect())
}

/// The row of a source, without its organization.
pub(super) fn source_row(it: &source::ListedSource) -> Vec<String> {
    let status = if it.source.stopped.is_some() { "stopped" } else { it.source.status.name() };
    vec![
        it.source.name.as_str().to_owned(),
        it.source.url.clone(),
        what_is_read(it),
        sentence_case(status),
        sentence_case(it.source.frequency.name()),
        it.mention_count.to_string(),
        moment(it.source.created_at),
    ]
}

pub(super) async fn profiles(person: &Person, page: Page) -> Result<Rows> {
    let found = profile::list(person.app(), person.caller.tenant).await?;
    let row = |it: grantor_domain::source::Profile| {
        vec![it.service.title().to_owned(), it.url, time(it.proved_at), moment(it.created_at)]
    };
    Ok(only_page(page, found).into_iter().map(row).collect())
}

pub(super) async fn platforms(person: &Person, params: &Params, page: Page) -> Result<Rows> {
    let query = platform::PlatformQuery { page, ..crate::platform::read_query(params)? };
    let found = platform::list(person.app(), &person.caller, query).await?;
    Ok(found.items.iter().map(platform_row).collect())
}

/// The row of a platform, without its organization.
pub(super) fn platform_row(it: &grantor_domain::platform::Platform) -> Vec<String> {
    vec![
        it.name.as_str().to_owned(),
        it.domain.as_str().to_owned(),
        it.kind.name().to_owned(),
        sentence_case(it.status().name()),
        it.statistics.content_scanned.to_string(),
        time(it.statistics.last_scan_at),
        moment(it.created_at),
    ]
}

pub(super) async fn ingest_keys(person: &Person, params: &Params, page: Page) -> Result<Rows> {
    let query = pax::PaxQuery { page, ..crate::pax::read_query(params)? };
    let found = pax::list(person.app(), &person.caller, query).await?;
    let row = |it: &pax::ListedPax| {
        vec![
            it.pax.name.as_str().to_owned(),
            it.platform_name.clone(),
            it.pax.scopes.names().join(", "),
            sentence_case(it.pax.status.name()),
            it.pax.request_count.to_string(),
            time(it.pax.last_accessed_at),
            moment(it.pax.created_at),
        ]
    };
    Ok(found.items.iter().map(row).collect())
}
