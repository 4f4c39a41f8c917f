//! `/app/export/{list}` and `/app/admin/export/{list}`: lists as CSV files, with the filters of the list.
//! A file is read and sent in parts, so that memory use stays small however long the list is. Files are in
//! English whatever the language of the page, because imports and programs read them.

mod licensing;
mod organization;
mod staff;
mod watching;

use std::str::FromStr;

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use grantor_domain::batch::BatchList;
use grantor_domain::page::Page;
use grantor_domain::role::{Right, may};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_service::operations::csv_file::{ROWS_AT_ONCE, Rows, stream_file};
use http::header;
use maud::{Markup, html};
use uuid::Uuid;

use self::staff::StaffList;
use crate::frame::{Outcome, Params, Person, Segment, Staff};
use crate::view::export::export_links;

/// How many selected records a part has.
const IDS_AT_ONCE: usize = 100;

/// A list of the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportList {
    Licenses,
    Talents,
    Requests,
    Grants,
    Bookmarks,
    Mentions,
    Cases,
    Sources,
    Profiles,
    Platforms,
    IngestKeys,
    Webhooks,
    Clients,
    Teams,
    Notices,
}

impl ExportList {
    /// All lists with their names and the right to read them.
    const ALL: [(Self, &'static str, Right); 15] = [
        (Self::Licenses, "licenses", Right::Read),
        (Self::Talents, "talents", Right::ReadTalents),
        (Self::Requests, "requests", Right::Read),
        (Self::Grants, "grants", Right::Read),
        (Self::Bookmarks, "bookmarks", Right::Read),
        (Self::Mentions, "mentions", Right::Read),
        (Self::Cases, "cases", Right::Read),
        (Self::Sources, "sources", Right::ReadSources),
        (Self::Profiles, "profiles", Right::Read),
        (Self::Platforms, "platforms", Right::ReadPlatforms),
        (Self::IngestKeys, "ingest-keys", Right::ReadPlatforms),
        (Self::Webhooks, "webhooks", Right::ManageWebhooks),
        (Self::Clients, "clients", Right::ManageClients),
        (Self::Teams, "teams", Right::ManageTeams),
        (Self::Notices, "notices", Right::Read),
    ];

    fn entry(self) -> (&'static str, Right) {
        let found = Self::ALL.iter().find(|(it, ..)| *it == self);
        found.map_or(("list", Right::Read), |(_, name, right)| (*name, *right))
    }

    /// The header of its file.
    fn header(self) -> &'static [&'static str] {
        match self {
            Self::Licenses => licensing::LICENSES,
            Self::Talents => licensing::TALENTS,
            Self::Requests => licensing::REQUESTS,
            Self::Grants => licensing::GRANTS,
            Self::Bookmarks => licensing::BOOKMARKS,
            Self::Mentions => watching::MENTIONS,
            Self::Cases => watching::CASES,
            Self::Sources => watching::SOURCES,
            Self::Profiles => watching::PROFILES,
            Self::Platforms => watching::PLATFORMS,
            Self::IngestKeys => watching::INGEST_KEYS,
            Self::Webhooks => organization::WEBHOOKS,
            Self::Clients => organization::CLIENTS,
            Self::Teams => organization::TEAMS,
            Self::Notices => organization::NOTICES,
        }
    }

    /// The rows of a page of the list.
    async fn rows(self, person: &Person, params: &Params, page: Page) -> Result<Rows> {
        match self {
            Self::Licenses => licensing::licenses(person, params, page).await,
            Self::Talents => licensing::talents(person, params, page).await,
            Self::Requests => licensing::requests(person, params, page).await,
            Self::Grants => licensing::grants(person, params, page).await,
            Self::Bookmarks => licensing::bookmarks(person, page).await,
            Self::Mentions => watching::mentions(person, params, page).await,
            Self::Cases => watching::cases(person, params, page).await,
            Self::Sources => watching::sources(person, params, page).await,
            Self::Profiles => watching::profiles(person, page).await,
            Self::Platforms => watching::platforms(person, params, page).await,
            Self::IngestKeys => watching::ingest_keys(person, params, page).await,
            Self::Webhooks => organization::webhooks(person, page).await,
            Self::Clients => organization::clients(person, page).await,
            Self::Teams => organization::teams(person, page).await,
            Self::Notices => organization::notices(person, page).await,
        }
    }
}

impl FromStr for ExportList {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let found = Self::ALL.iter().find(|(_, name, _)| *name == text);
        found.map(|(it, ..)| *it).ok_or(())
    }
}

/// The links that export the list of the current page. Staff who view an organization only look.
pub(crate) fn links(person: &Person, list: &str) -> Markup {
    html! {
        @if !person.is_viewed() {
            (export_links(&format!("/app/export/{list}"), &person.here))
        }
    }
}

/// Downloads a list.
pub(crate) async fn download(
    person: Person,
    Segment(list): Segment<ExportList>,
    params: Params,
) -> Outcome {
    let (name, right) = list.entry();
    may(person.caller.role, person.caller.tenant_type, right)?;
    refuse_viewers(&person)?;
    if !person.query_errors.is_empty() {
        return Err(Error::validation("Some filters are not valid").into());
    }
    // Wrong filters are noticed before the file begins.
    list.rows(&person, &params, Page::new(1, 1)).await?;
    let for_excel = params.get("for") == Some("excel");
    Ok(file(name, list.header(), for_excel, move |part| {
        let (person, params) = (person.clone(), params.clone());
        async move {
            let page = Page::new(part, ROWS_AT_ONCE);
            Ok::<_, Error>(rows(list.rows(&person, &params, page).await?))
        }
    }))
}

/// Downloads selected rows of a list, or all that match its filters.
pub(crate) async fn selected(
    person: Person,
    list: BatchList,
    ids: Option<Vec<Uuid>>,
    params: Params,
) -> Outcome {
    let list = match list {
        BatchList::Licenses => ExportList::Licenses,
        BatchList::Talents => ExportList::Talents,
        BatchList::Mentions => ExportList::Mentions,
        BatchList::Requests => ExportList::Requests,
    };
    let Some(ids) = ids else { return download(person, Segment(list), params).await };
    let (name, right) = list.entry();
    may(person.caller.role, person.caller.tenant_type, right)?;
    refuse_viewers(&person)?;
    Ok(file(name, list.header(), false, move |part| {
        let person = person.clone();
        let from = (part as usize).saturating_sub(1).saturating_mul(IDS_AT_ONCE);
        let ids: Vec<_> = ids.iter().skip(from).take(IDS_AT_ONCE).copied().collect();
        async move {
            if ids.is_empty() {
                return Ok(None);
            }
            rows_of(&person, list, &ids).await.map(Some)
        }
    }))
}

/// The rows of single records. Those that are gone are left out.
async fn rows_of(person: &Person, list: ExportList, ids: &[Uuid]) -> Result<Rows> {
    let mut rows = Rows::new();
    for id in ids {
        let row = match list {
            ExportList::Licenses => licensing::license(person, (*id).into()).await,
            ExportList::Talents => licensing::talent(person, (*id).into()).await,
            ExportList::Mentions => watching::mention(person, (*id).into()).await,
            _ => licensing::request(person, (*id).into()).await,
        };
        match row {
            Ok(row) => rows.push(row),
            Err(error) if is_gone(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(rows)
}

fn is_gone(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AccessDenied)
}

fn refuse_viewers(person: &Person) -> Result<()> {
    if person.is_viewed() {
        let message = "Staff can view an organization, but not export its lists";
        return Err(Error::new(ErrorKind::Forbidden, message));
    }
    Ok(())
}

/// Downloads a list of staff.
pub(crate) async fn download_for_staff(
    staff: Staff,
    Segment(list): Segment<StaffList>,
    params: Params,
) -> Outcome {
    if !staff.query_errors.is_empty() {
        return Err(Error::validation("Some filters are not valid").into());
    }
    list.rows(&staff, &params, Page::new(1, 1)).await?;
    let for_excel = params.get("for") == Some("excel");
    Ok(file(list.name(), list.header(), for_excel, move |part| {
        let (staff, params) = (staff.clone(), params.clone());
        async move {
            let page = Page::new(part, ROWS_AT_ONCE);
            Ok::<_, Error>(rows(list.rows(&staff, &params, page).await?))
        }
    }))
}

/// The rows of a part; the first part without any is the end.
fn rows(rows: Rows) -> Option<Rows> {
    Some(rows).filter(|it| !it.is_empty())
}

fn file<F, Fut>(name: &str, header: &[&str], for_excel: bool, next: F) -> Response
where
    F: Fn(u32) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Option<Rows>>> + Send + 'static,
{
    let header: Vec<_> = header.iter().map(|it| (*it).to_owned()).collect();
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\"")),
    ];
    (headers, Body::from_stream(stream_file(header, for_excel, next))).into_response()
}

/// A list that is never long has all of its rows on the first page.
fn only_page<T>(page: Page, items: Vec<T>) -> Vec<T> {
    if page.number() == 1 { items } else { vec![] }
}

/// A time, or nothing.
fn time(at: Option<Timestamp>) -> String {
    at.map(moment).unwrap_or_default()
}

/// A time to the second, as spreadsheets read it: `2026-01-31T09:30:00Z`.
fn moment(at: Timestamp) -> String {
    let text: String = at.to_string().chars().take("2026-01-31T09:30:00".len()).collect();
    text + "Z"
}

/// Yes or no.
fn flag(is: bool) -> String {
    if is { "Yes" } else { "No" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_has_its_name() {
        for (list, name, _) in ExportList::ALL {
            assert_eq!(name.parse(), Ok(list));
            assert_eq!(list.entry().0, name);
            assert!(!list.header().is_empty());
        }
        assert_eq!("secrets".parse::<ExportList>(), Err(()));
        for list in StaffList::ALL {
            assert_eq!(list.name().parse(), Ok(list));
        }
    }
}
