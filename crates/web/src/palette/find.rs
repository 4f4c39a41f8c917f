//! What the palette finds. Each kind of record is looked up in its index, and a few of each are
//! shown.

use grantor_domain::admin::AdminRight;
use grantor_domain::grant::Party;
use grantor_domain::license::{FieldNames, LicenseParams, LicenseQuery};
use grantor_domain::page::{Listing, Page};
use grantor_domain::role::Right;
use grantor_domain::search::FindQuery;
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::identity::access::TenantCaller;
use grantor_service::licensing::grant::{self, GrantSearch};
use grantor_service::licensing::license;
use grantor_service::licensing::request::{self, RequestSearch};
use grantor_service::licensing::talent::{self, TalentSearch};
use grantor_service::operations::staff::{self, PlatformFilter, TenantFilter};
use grantor_service::watching::case::{self, CaseSearch};
use grantor_service::watching::mention::{self, MentionSearch};
use grantor_service::watching::source::{self, SourceSearch};

use super::destination::{ACTIONS, Destination, PAGES, STAFF_ACTIONS, STAFF_PAGES};
use crate::frame::{Params, Person, Staff};
use crate::request::party_name;
use crate::view::component::with_query;
use crate::view::humanize;
use crate::view::label::tenant_type;
use crate::view::palette::{Entry, EntryGroup};

/// How many results of each kind are shown.
const SHOWN: &str = "5";
/// The same number, for pages and actions.
const SHOWN_PAGES: usize = 5;

/// What a user finds. Without a search these are all pages and actions. Staff who view an organization
/// find neither actions nor forms.
pub(super) async fn for_person(
    person: &Person,
    find: Option<&FindQuery>,
) -> Result<Vec<EntryGroup>> {
    let individual = !person.caller.tenant_type.is_organization();
    let may = |it: &Destination<Right>| {
        let offered = if it.is_form() { person.acts(it.right) } else { person.may(it.right) };
        offered && !(individual && it.needs_organization)
    };
    let actions: &[Destination<Right>] = if person.is_viewed() { &[] } else { ACTIONS };
    let mut groups = destinations((actions, PAGES), find, may);
    if let Some(find) = find {
        groups.extend(records(person, find).await?);
    }
    groups.retain(|it| !it.entries.is_empty());
    Ok(groups)
}

/// What a staff member finds: pages, actions, organizations and platforms.
pub(super) async fn for_staff(
    staff: &Staff,
    find: Option<&FindQuery>,
    text: Option<&str>,
) -> Result<Vec<EntryGroup>> {
    let may = |it: &Destination<AdminRight>| staff.may(it.right);
    let mut groups = destinations((STAFF_ACTIONS, STAFF_PAGES), find, may);
    if let Some(text) = text {
        let text = staff::search(text).map_err(|error| Error::field("search", error))?;
        groups.push(organizations(staff, &text).await?);
        groups.push(platforms(staff, &text).await?);
    }
    groups.retain(|it| !it.entries.is_empty());
    Ok(groups)
}

/// Actions and pages. A search shows few of them.
fn destinations<R: Copy>(
    (actions, pages): (&[Destination<R>], &[Destination<R>]),
    find: Option<&FindQuery>,
    may: impl Fn(&Destination<R>) -> bool,
) -> Vec<EntryGroup> {
    let most = if find.is_some() { SHOWN_PAGES } else { usize::MAX };
    let group = |title: &'static str, all: &[Destination<R>]| {
        let found = all.iter().filter(|it| may(it) && it.is_found(find)).take(most);
        EntryGroup { title, entries: found.map(Destination::entry).collect(), all: None }
    };
    let (acts, places) = (text!("palette-group-actions"), text!("palette-group-pages"));
    vec![group(acts, actions), group(places, pages)]
}

async fn records(person: &Person, find: &FindQuery) -> Result<[EntryGroup; 7]> {
    let (licenses, talents, grants, requests, mentions, sources, cases) = tokio::try_join!(
        licenses(person, find),
        talents(person, find),
        grants(person, find),
        requests(person, find),
        mentions(person, find),
        sources(person, find),
        cases(person, find),
    )?;
    Ok([licenses, talents, grants, requests, mentions, sources, cases])
}

fn few() -> Result<Page> {
    Page::parse(None, Some(SHOWN), Params::rules())
}

fn caller(person: &Person) -> TenantCaller {
    TenantCaller::from(&*person.caller)
}

/// Found records. `list` is the address of the list that shows all of them.
fn group<T>(
    title: &'static str,
    list: &str,
    text: &str,
    found: Listing<T>,
    entry: impl FnMut(T) -> Entry,
) -> EntryGroup {
    let more = found.total > found.items.len() as u64;
    let all = more.then(|| with_query(list, "search", text));
    EntryGroup { title, entries: found.items.into_iter().map(entry).collect(), all }
}

/// A group of records that the user may not list.
const fn none(title: &'static str) -> EntryGroup {
    EntryGroup { title, entries: vec![], all: None }
}

fn typed(find: &FindQuery) -> String {
    find.words().join(" ")
}

async fn licenses(person: &Person, find: &FindQuery) -> Result<EntryGroup> {
    let params = LicenseParams { size: Some(SHOWN), ..LicenseParams::default() };
    let mut query = LicenseQuery::parse(&params, FieldNames::CONSOLE, Params::rules())?;
    query.filter.find = Some(find.clone());
    let found = license::list_full(person.app(), person.caller.reader(), query).await?;
    let list = "/app/licenses?of=seen";
    Ok(group(text!("palette-group-licenses"), list, &typed(find), found, |it| {
        let detail = format!("{} · {}", it.shown.talent_name, humanize(it.status.name()));
        let license = &it.shown.license;
        Entry::new(license.title.as_str(), detail, format!("/app/licenses/{}", license.id))
    }))
}

async fn talents(person: &Person, find: &FindQuery) -> Result<EntryGroup> {
    if !person.may(Right::ReadTalents) {
        return Ok(none(text!("palette-group-talents")));
    }
    let search = TalentSearch { find: Some(find.clone()), ..TalentSearch::default() };
    let found = talent::search(person.app(), &person.caller, search, few()?).await?;
    Ok(group(text!("palette-group-talents"), "/app/talents", &typed(find), found, |it| {
        let talent = it.talent;
        let detail = talent.aliases.as_slice().join(", ");
        Entry::new(talent.fullname.as_str(), detail, format!("/app/talents/{}", talent.id))
    }))
}

async fn grants(person: &Person, find: &FindQuery) -> Result<EntryGroup> {
    let search = GrantSearch { find: Some(find.clone()), ..GrantSearch::default() };
    let found = grant::search(person.app(), caller(person), search, few()?).await?;
    Ok(group(text!("palette-group-grants"), "/app/grants", &typed(find), found, |it| {
        let other = match it.party {
            Party::Owner => &it.record.licensee.name,
            Party::Asker => &it.record.licensor.name,
        };
        let detail = format!("{} · {other}", it.record.talent_name);
        let grant = &it.record.grant;
        Entry::new(grant.number.to_string(), detail, format!("/app/grants/{}", grant.id))
    }))
}

async fn requests(person: &Person, find: &FindQuery) -> Result<EntryGroup> {
    let search = RequestSearch { find: Some(find.clone()), ..RequestSearch::default() };
    let found = request::search(person.app(), caller(person), search, few()?).await?;
    Ok(group(text!("palette-group-requests"), "/app/requests", &typed(find), found, |it| {
        let other = match it.party {
            Party::Owner => party_name(&it, Party::Asker),
            Party::Asker => party_name(&it, Party::Owner),
        };
        let status = humanize(it.status.name());
        let detail = format!("{} · {other} · {status}", it.record.talent_name);
        let path = crate::request::path(it.record.request.id);
        Entry::new(it.record.license_title.as_str(), detail, path)
    }))
}

async fn mentions(person: &Person, find: &FindQuery) -> Result<EntryGroup> {
    let search = MentionSearch { find: Some(find.clone()), ..MentionSearch::default() };
    let found = mention::search(person.app(), person.caller.reader(), search, few()?).await?;
    let title = text!("palette-group-mentions");
    Ok(group(title, "/app/mentions?status=all", &typed(find), found, |it| {
        let (talent, place) = (&it.shown.talent_name, &it.place);
        let detail = text!("palette-mention-detail", talent = talent, place = place);
        let mention = &it.shown.mention;
        let path = format!("/app/mentions/{}", mention.id);
        Entry::new(title_or_url(&mention.title, &mention.url), detail, path)
    }))
}

async fn sources(person: &Person, find: &FindQuery) -> Result<EntryGroup> {
    if !person.may(Right::ReadSources) {
        return Ok(none(text!("palette-group-sources")));
    }
    let search = SourceSearch { find: Some(find.clone()), ..SourceSearch::default() };
    let found = source::search(person.app(), person.caller.tenant, search, few()?).await?;
    Ok(group(text!("palette-group-sources"), "/app/sources", &typed(find), found, |it| {
        let path = format!("/app/sources/{}", it.source.id);
        Entry::new(it.source.name.as_str(), it.source.url, path)
    }))
}

async fn cases(person: &Person, find: &FindQuery) -> Result<EntryGroup> {
    let search = CaseSearch { find: Some(find.clone()), ..CaseSearch::default() };
    let found = case::search(person.app(), caller(person), search, few()?).await?;
    Ok(group(text!("palette-group-cases"), "/app/cases?status=all", &typed(find), found, |it| {
        let detail = format!("{} · {}", it.talent_name, humanize(it.status.name()));
        let path = format!("/app/mentions/{}/case", it.mention);
        Entry::new(title_or_url(&it.title, &it.url), detail, path)
    }))
}

fn title_or_url<'a>(title: &'a str, url: &'a str) -> &'a str {
    if title.trim().is_empty() { url } else { title }
}

async fn organizations(staff: &Staff, text: &str) -> Result<EntryGroup> {
    let filter = TenantFilter { search: Some(text.to_owned()), ..TenantFilter::default() };
    let found = staff::find_tenants(staff.app(), filter, few()?).await?;
    Ok(group(text!("palette-group-organizations"), "/app/admin/organizations", text, found, |it| {
        let path = format!("/app/admin/organizations/{}", it.tenant.id);
        Entry::new(it.tenant.name.as_str(), tenant_type(it.tenant.kind), path)
    }))
}

async fn platforms(staff: &Staff, text: &str) -> Result<EntryGroup> {
    let filter = PlatformFilter { search: Some(text.to_owned()), ..PlatformFilter::default() };
    let found = staff::platforms(staff.app(), filter, few()?).await?;
    Ok(group(text!("palette-group-platforms"), "/app/admin/platforms", text, found, |it| {
        let domain = it.platform.domain.as_str();
        let path = with_query("/app/admin/platforms", "search", domain);
        Entry::new(it.platform.name.as_str(), domain, path)
    }))
}
