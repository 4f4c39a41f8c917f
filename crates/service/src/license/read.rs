//! Showing licenses to who may see them.

use std::collections::HashMap;

use grantor_domain::id::{LicenseId, TenantId};
use grantor_domain::license::{ExternalId, LicenseQuery, LicenseStatus};
use grantor_domain::page::Listing;
use grantor_domain::permission::PermissionRole;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::image::{self, Image};
use grantor_storage::license::reader::{self, Entry, Reader};
use grantor_storage::license::{self, Shown};

use super::not_found;
use crate::App;

/// A license as one caller sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The license.
    pub shown: Shown,
    /// What the caller is to it.
    pub role: PermissionRole,
    /// The status that holds now.
    pub status: LicenseStatus,
}

/// How a caller names a license.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// By its id.
    Id(LicenseId),
    /// By its owner's own name for it.
    ExternalId(ExternalId),
}

impl Named {
    /// Reads a part of a path; what is neither names nothing.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.parse() {
            Ok(id) => Some(Self::Id(id)),
            Err(_) => ExternalId::parse(text).ok().map(Self::ExternalId),
        }
    }
}

/// The page of licenses the reader sees, each with enough to be shown from memory.
pub async fn list(app: &App, reader: Reader, query: LicenseQuery) -> Result<Listing<Entry>> {
    let now = app.clock.now();
    if reader::may_be_short(&query) {
        let asked = query.clone();
        let page = app.store.glance(move |tx| reader::short_page(tx, reader, &asked)).await;
        if let Some(page) = page? {
            return Ok(page);
        }
    }
    app.store.read(move |tx| Ok(reader::page(tx, reader, &query, now)?)).await
}

/// The same, each shown whole.
pub async fn show(app: &App, reader: Reader, query: LicenseQuery) -> Result<Listing<Seen>> {
    let now = app.clock.now();
    let work = move |tx: &mut Tx<'_>| {
        let page = reader::page(tx, reader, &query, now)?;
        let ids: Vec<_> = page.items.iter().map(|it| it.id).collect();
        let mut found: HashMap<_, _> =
            license::load(tx, &ids)?.into_iter().map(|it| (it.license.id, it)).collect();
        let seen = |entry: &Entry| Some(see(found.remove(&entry.id)?, entry.role, now));
        Ok(page.with_items(|items| items.iter().filter_map(seen).collect()))
    };
    match reader {
        // What everybody sees may come from a copy.
        Reader::Everybody => app.store.read_lagging(work).await,
        Reader::Owner(_) | Reader::Caller { .. } => app.store.read(work).await,
    }
}

/// The licenses of these ids.
pub async fn load(app: &App, ids: Vec<LicenseId>) -> Result<Vec<Shown>> {
    app.store.read(move |tx| Ok(license::load(tx, &ids)?)).await
}

/// The license somebody names as it stands in their list: enough to tell whether they have it.
pub async fn find(app: &App, reader: Reader, named: Named) -> Result<Entry> {
    app.store.glance(move |tx| entry(tx, reader, &named)).await
}

/// The license somebody names, if they see it (contract section 4, "Lookup").
pub async fn get(app: &App, reader: Reader, named: Named) -> Result<Seen> {
    let now = app.clock.now();
    app.store
        .read(move |tx| {
            let (id, role) = resolve(tx, reader, &named)?;
            let shown = license::find(tx, id)?.ok_or_else(not_found)?;
            Ok(see(shown, role, now))
        })
        .await
}

/// The same with its reference images, all of one moment.
pub async fn get_with_images(
    app: &App,
    reader: Reader,
    named: Named,
) -> Result<(Seen, Vec<Image>)> {
    let now = app.clock.now();
    app.store
        .read(move |tx| {
            let (id, role) = resolve(tx, reader, &named)?;
            let shown = license::find(tx, id)?.ok_or_else(not_found)?;
            Ok((see(shown, role, now), image::list(tx, id)?))
        })
        .await
}

pub(crate) fn see(shown: Shown, role: PermissionRole, now: Timestamp) -> Seen {
    let status = shown.license.effective_status(now);
    Seen { shown, role, status }
}

/// Which license is meant, and what the caller is to it.
pub(crate) fn resolve(
    tx: &mut Tx<'_>,
    reader: Reader,
    named: &Named,
) -> Result<(LicenseId, PermissionRole)> {
    entry(tx, reader, named).map(|it| (it.id, it.role))
}

fn entry(tx: &mut Tx<'_>, reader: Reader, named: &Named) -> Result<Entry> {
    let id = match named {
        Named::Id(id) => *id,
        Named::ExternalId(external_id) => by_external_id(tx, reader, external_id)?,
    };
    match reader::find(tx, reader, id)? {
        Some(entry) => Ok(entry),
        None if license::exists(tx, id)? => {
            Err(Error::new(ErrorKind::AccessDenied, "You have no permission on this license"))
        }
        None => Err(not_found()),
    }
}

/// Only what the caller sees has a name for them; their own comes first.
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
        _ => Err(Error::conflict("Several licenses you may see have this external id: use the id")),
    }
}
