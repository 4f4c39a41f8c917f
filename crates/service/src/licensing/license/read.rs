//! Reading licenses that the caller may see.

use std::collections::HashMap;

use grantor_domain::id::{LicenseId, TenantId};
use grantor_domain::license::{ExternalId, LicenseQuery, LicenseStatus};
use grantor_domain::page::Listing;
use grantor_domain::permission::PermissionRole;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::image::{self, Image};
use grantor_storage::license::reader::{self, Entry, Reader};
use grantor_storage::license::{self, LicenseRecord};

use super::not_found;
use crate::App;

/// A license as the caller sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct LicenseView {
    /// The license.
    pub shown: LicenseRecord,
    /// The caller's role on it.
    pub role: PermissionRole,
    /// The current status.
    pub status: LicenseStatus,
}

/// A reference to a license.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LicenseRef {
    /// By its id.
    Id(LicenseId),
    /// By its owner's external ID.
    ExternalId(ExternalId),
}

impl LicenseRef {
    /// Parses a path segment.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.parse() {
            Ok(id) => Some(Self::Id(id)),
            Err(_) => ExternalId::parse(text).ok().map(Self::ExternalId),
        }
    }
}

/// Returns a page of the licenses the reader sees, with the fields needed to find cached responses.
pub async fn list(app: &App, reader: Reader, query: LicenseQuery) -> Result<Listing<Entry>> {
    let now = app.clock.now();
    if reader::may_be_short(&query) {
        let wanted = query.clone();
        let page = app.store.lookup(move |tx| reader::short_page(tx, reader, &wanted)).await;
        if let Some(page) = page? {
            return Ok(page);
        }
    }
    app.store.read(move |tx| Ok(reader::page(tx, reader, &query, now)?)).await
}

/// Returns a page of the licenses the reader sees, with all fields.
pub async fn list_full(
    app: &App,
    reader: Reader,
    query: LicenseQuery,
) -> Result<Listing<LicenseView>> {
    let now = app.clock.now();
    let work = move |tx: &mut Tx<'_>| {
        let page = reader::page(tx, reader, &query, now)?;
        let ids: Vec<_> = page.items.iter().map(|it| it.id).collect();
        let mut found: HashMap<_, _> =
            license::load(tx, &ids)?.into_iter().map(|it| (it.license.id, it)).collect();
        let view =
            |entry: &Entry| Some(LicenseView::new(found.remove(&entry.id)?, entry.role, now));
        Ok(page.with_items(|items| items.iter().filter_map(view).collect()))
    };
    match reader {
        // Public licenses may be read from a replica.
        Reader::Everybody => app.store.read_replica(work).await,
        Reader::Owner(_) | Reader::Caller { .. } => app.store.read(work).await,
    }
}

/// Returns the licenses with these ids.
pub async fn load(app: &App, ids: Vec<LicenseId>) -> Result<Vec<LicenseRecord>> {
    app.store.read(move |tx| Ok(license::load(tx, &ids)?)).await
}

/// Returns the list entry of a license, with the fields needed to find a cached response.
pub async fn find(app: &App, reader: Reader, named: LicenseRef) -> Result<Entry> {
    app.store.lookup(move |tx| entry(tx, reader, &named)).await
}

/// Returns a license that the reader sees (contract section 4, "Lookup").
pub async fn get(app: &App, reader: Reader, named: LicenseRef) -> Result<LicenseView> {
    let now = app.clock.now();
    app.store
        .read(move |tx| {
            let (id, role) = resolve(tx, reader, &named)?;
            let shown = license::find(tx, id)?.ok_or_else(not_found)?;
            Ok(LicenseView::new(shown, role, now))
        })
        .await
}

/// Returns a license with its reference images, from one snapshot.
pub async fn get_with_images(
    app: &App,
    reader: Reader,
    named: LicenseRef,
) -> Result<(LicenseView, Vec<Image>)> {
    let now = app.clock.now();
    app.store
        .read(move |tx| {
            let (id, role) = resolve(tx, reader, &named)?;
            let shown = license::find(tx, id)?.ok_or_else(not_found)?;
            Ok((LicenseView::new(shown, role, now), image::list(tx, id)?))
        })
        .await
}

impl LicenseView {
    /// Creates the view of a license at this time.
    pub(crate) fn new(shown: LicenseRecord, role: PermissionRole, now: Timestamp) -> Self {
        let status = shown.license.effective_status(now);
        Self { shown, role, status }
    }
}

/// Returns the id of the referenced license and the reader's role on it.
pub(crate) fn resolve(
    tx: &mut Tx<'_>,
    reader: Reader,
    named: &LicenseRef,
) -> Result<(LicenseId, PermissionRole)> {
    entry(tx, reader, named).map(|it| (it.id, it.role))
}

fn entry(tx: &mut Tx<'_>, reader: Reader, named: &LicenseRef) -> Result<Entry> {
    let id = match named {
        LicenseRef::Id(id) => *id,
        LicenseRef::ExternalId(external_id) => by_external_id(tx, reader, external_id)?,
    };
    match reader::find(tx, reader, id)? {
        Some(entry) => Ok(entry),
        None if license::exists(tx, id)? => {
            Err(Error::new(ErrorKind::AccessDenied, "You don't have access to this license"))
        }
        None => Err(not_found()),
    }
}

/// Finds a license by external ID among those the reader sees. The reader's own takes precedence.
fn by_external_id(tx: &mut Tx<'_>, reader: Reader, external_id: &ExternalId) -> Result<LicenseId> {
    let own = match reader {
        Reader::Caller { tenant, .. } | Reader::Owner(tenant) => tenant,
        Reader::Everybody => TenantId::from(reader::EVERYBODY),
    };
    let found = license::find_by_external_id(tx, external_id.as_str(), own, reader.ids())?;
    match found.as_slice() {
        [] => Err(not_found()),
        [(id, _)] => Ok(*id),
        [(id, tenant), ..] if *tenant == own => Ok(*id),
        _ => {
            let message = "Several licenses have this external ID; use the license ID instead";
            Err(Error::conflict(message))
        }
    }
}
