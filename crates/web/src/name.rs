//! `/app/names` and `/app/catalog/names`: suggestions for filters by name. They come from the list
//! that is filtered, so nobody learns a name that they could not read there.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::grant::Party;
use grantor_domain::license::{FieldNames, LicenseParams, LicenseQuery};
use grantor_domain::page::Page;
use grantor_domain::saved_view::ViewList;
use grantor_domain::search::{FindQuery, NameFilter};
use grantor_domain::{Error, Result};
use grantor_service::identity::access::TenantCaller;
use grantor_service::licensing::catalog;
use grantor_service::licensing::grant::{self, GrantSearch};
use grantor_service::licensing::license;
use grantor_service::licensing::request::{self, RequestSearch};
use grantor_service::watching::case::{self, CaseSearch};
use grantor_service::watching::mention::{self, MentionSearch};
use maud::html;

use crate::frame::{Guest, Outcome, Params, Person};

/// How many rows of a list are looked through.
const ROWS: &str = "50";
/// How many names are suggested.
const NAMES: usize = 10;

/// Whose name is filtered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Talent,
    Party,
}

impl By {
    fn read(params: &Params) -> Option<Self> {
        match params.get("by") {
            Some("talent") => Some(Self::Talent),
            Some("party") => Some(Self::Party),
            _ => None,
        }
    }
}

/// The address of the suggestions for a filter, up to the text.
pub(crate) fn source(list: ViewList, by: &str) -> String {
    match list {
        ViewList::Catalog => format!("/app/catalog/names?by={by}&search="),
        other => format!("/app/names?list={}&by={by}&search=", other.name()),
    }
}

/// Suggests names in a list of the console.
pub(crate) async fn suggest(person: Person, params: Params) -> Outcome {
    let list = params.get("list").and_then(|it| it.parse::<ViewList>().ok());
    let (Some(list), Some((by, find))) = (list, read(&params)?) else {
        return Ok(options(vec![]));
    };
    let names = match list {
        ViewList::Licenses => {
            let found = license::list_full(person.app(), person.caller.reader(), query(by, find)?);
            let names = |it: license::LicenseView| match by {
                By::Talent => it.shown.talent_name,
                By::Party => it.shown.owner_name,
            };
            found.await?.items.into_iter().map(names).collect()
        }
        ViewList::Mentions => mentions(&person, find).await?,
        ViewList::Cases => cases(&person, find).await?,
        ViewList::Requests => requests(&person, by, find).await?,
        ViewList::Grants => grants(&person, by, find).await?,
        ViewList::Catalog | ViewList::Talents | ViewList::Sources | ViewList::Logs => vec![],
    };
    Ok(options(names))
}

/// Suggests names in the catalog.
pub(crate) async fn suggest_public(Guest(ctx): Guest, params: Params) -> Outcome {
    let Some((by, find)) = read(&params)? else { return Ok(options(vec![])) };
    let found = catalog::list(ctx.app(), query(by, find)?).await?;
    let names = found.items.into_iter().map(|it| match by {
        By::Talent => it.talent_name,
        By::Party => it.owner_name,
    });
    Ok(options(names.collect()))
}

/// Whose name is asked for, and its beginning. Without either there is nothing to suggest.
fn read(params: &Params) -> Result<Option<(By, FindQuery)>> {
    let text = params.get("search").unwrap_or_default();
    let find = FindQuery::parse(text).map_err(|error| Error::field("search", error))?;
    Ok(By::read(params).zip(find))
}

fn rows() -> Result<Page> {
    Page::parse(None, Some(ROWS), Params::rules())
}

fn query(by: By, find: FindQuery) -> Result<LicenseQuery> {
    let params = LicenseParams { size: Some(ROWS), ..LicenseParams::default() };
    let mut query = LicenseQuery::parse(&params, FieldNames::CONSOLE, Params::rules())?;
    match by {
        By::Talent => query.filter.talent = Some(NameFilter::Name(find)),
        By::Party => query.filter.owner = Some(find),
    }
    Ok(query)
}

async fn mentions(person: &Person, find: FindQuery) -> Result<Vec<String>> {
    let search = MentionSearch { talent: Some(NameFilter::Name(find)), ..MentionSearch::default() };
    let found = mention::search(person.app(), person.caller.reader(), search, rows()?).await?;
    Ok(found.items.into_iter().map(|it| it.shown.talent_name).collect())
}

async fn cases(person: &Person, find: FindQuery) -> Result<Vec<String>> {
    let search = CaseSearch { talent: Some(NameFilter::Name(find)), ..CaseSearch::default() };
    let caller = TenantCaller::from(&*person.caller);
    let found = case::search(person.app(), caller, search, rows()?).await?;
    Ok(found.items.into_iter().map(|it| it.talent_name).collect())
}

async fn requests(person: &Person, by: By, find: FindQuery) -> Result<Vec<String>> {
    let mut search = RequestSearch::default();
    match by {
        By::Talent => search.talent = Some(NameFilter::Name(find)),
        By::Party => search.party = Some(find),
    }
    let caller = TenantCaller::from(&*person.caller);
    let found = request::search(person.app(), caller, search, rows()?).await?;
    let name = |it: request::RequestView| match (by, it.party) {
        (By::Talent, _) => Some(it.record.talent_name),
        (By::Party, Party::Asker) => Some(it.record.owner.name),
        (By::Party, Party::Owner) => it.record.asker.map(|it| it.name),
    };
    Ok(found.items.into_iter().filter_map(name).collect())
}

async fn grants(person: &Person, by: By, find: FindQuery) -> Result<Vec<String>> {
    let mut search = GrantSearch::default();
    match by {
        By::Talent => search.talent = Some(NameFilter::Name(find)),
        By::Party => search.party = Some(find),
    }
    let caller = TenantCaller::from(&*person.caller);
    let found = grant::search(person.app(), caller, search, rows()?).await?;
    let name = |it: grant::GrantView| match (by, it.party) {
        (By::Talent, _) => it.record.talent_name,
        (By::Party, Party::Asker) => it.record.licensor.name,
        (By::Party, Party::Owner) => it.record.licensee.name,
    };
    Ok(found.items.into_iter().map(name).collect())
}

/// The names as options of the field, each once.
fn options(names: Vec<String>) -> Response {
    let mut shown: Vec<String> = Vec::new();
    for name in names {
        if shown.len() < NAMES && !shown.contains(&name) {
            shown.push(name);
        }
    }
    html! { @for name in shown { option value=(name) {} } }.into_response()
}
