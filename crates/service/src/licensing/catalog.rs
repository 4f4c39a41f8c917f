//! The public catalog of licenses, and its pages about talents and owners.

use std::collections::HashMap;

use grantor_domain::catalog_address::AddressKind;
use grantor_domain::id::{CatalogPictureId, LicenseId, TalentId, TenantId};
use grantor_domain::license::{LicenseQuery, LicenseStatus};
use grantor_domain::page::{Listing, Page};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::catalog_picture::{self, CatalogPicture};
pub use grantor_storage::license::public::MAX_LISTED;
use grantor_storage::license::public::{self, PublicOf};
use grantor_storage::{Tx, catalog_address, license as stored, tenant};
use uuid::Uuid;

use crate::App;
use crate::act::UnitOfWork;
use crate::licensing::catalog_picture::PictureSize;
use crate::licensing::license::{self, LicenseRecord, LicenseRef, Reader};

/// The path of the list of public licenses.
pub const LIST_PATH: &str = "/app/catalog";

/// A public license with everything that the catalog shows of it.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogEntry {
    /// The license.
    pub record: LicenseRecord,
    /// The picture that its owner picked.
    pub picture: Option<CatalogPicture>,
    /// The address of the talent's page.
    pub talent_slug: Option<String>,
    /// The address of the owner's page, if the owner is an organization.
    pub owner_slug: Option<String>,
}

/// The page about a talent or an owner.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogPage {
    /// The page's address. The requested one may be an older one.
    pub slug: String,
    /// The name of the talent or the owner.
    pub name: String,
    /// The public licenses, newest first, up to [`MAX_LISTED`].
    pub listing: Listing<CatalogEntry>,
}

/// Returns a page of public licenses.
pub async fn list(app: &App, query: LicenseQuery) -> Result<Listing<LicenseRecord>> {
    // An expired license isn't public, even if its stored status hasn't been updated yet.
    let query = LicenseQuery { status: Some(LicenseStatus::Public), ..query };
    Ok(license::list_full(app, Reader::Everybody, query).await?.map(|view| view.shown))
}

/// Returns a public license. Any other license is reported as not found.
pub async fn get(app: &App, id: LicenseId) -> Result<LicenseRecord> {
    let not_found = || Error::not_found("License");
    match license::get(app, Reader::Everybody, LicenseRef::Id(id)).await {
        Ok(view) if view.status == LicenseStatus::Public => Ok(view.shown),
        Ok(_) => Err(not_found()),
        Err(error) if *error.kind() == ErrorKind::AccessDenied => Err(not_found()),
        Err(error) => Err(error),
    }
}

/// Returns a public license with everything that the catalog shows of it.
pub async fn entry(app: &App, id: LicenseId) -> Result<CatalogEntry> {
    let record = get(app, id).await?;
    let found = entries(app, vec![record]).await?;
    found.into_iter().next().ok_or_else(|| Error::not_found("License"))
}

/// Adds to public licenses what else the catalog shows of them.
pub async fn entries(app: &App, records: Vec<LicenseRecord>) -> Result<Vec<CatalogEntry>> {
    if records.is_empty() {
        return Ok(vec![]);
    }
    app.store.read_replica(move |tx| complete(tx, records.clone())).await
}

/// Returns the page about a talent who has public licenses.
pub async fn talent_page(app: &App, slug: String, page: Page) -> Result<CatalogPage> {
    let now = app.clock.now();
    let found = app.store.read_replica(move |tx| {
        let Some(found) = catalog_address::find(tx, AddressKind::Talent, &slug)? else {
            return Err(Error::not_found("Talent"));
        };
        let of = PublicOf::Talent(TalentId::from(found.subject));
        let read = read_page(tx, of, page, now)?;
        let (newest, listing) = read.ok_or_else(|| Error::not_found("Talent"))?;
        Ok(CatalogPage { slug: found.slug, name: newest.talent_name, listing })
    });
    found.await
}

/// Returns the page about an organization that has public licenses.
pub async fn owner_page(app: &App, slug: String, page: Page) -> Result<CatalogPage> {
    let now = app.clock.now();
    let found = app.store.read_replica(move |tx| {
        let Some(found) = catalog_address::find(tx, AddressKind::Owner, &slug)? else {
            return Err(Error::not_found("Organization"));
        };
        let of = PublicOf::Owner(TenantId::from(found.subject));
        let read = read_page(tx, of, page, now)?;
        let read = read.filter(|(newest, _)| newest.owner_type.is_organization());
        let (newest, listing) = read.ok_or_else(|| Error::not_found("Organization"))?;
        Ok(CatalogPage { slug: found.slug, name: newest.owner_name, listing })
    });
    found.await
}

/// The path of a license's page.
#[must_use]
pub fn license_path(id: LicenseId) -> String {
    format!("{LIST_PATH}/{id}")
}

/// The path of a talent's page.
#[must_use]
pub fn talent_path(slug: &str) -> String {
    format!("{LIST_PATH}/talents/{}", encoded(slug))
}

/// The path of an owner's page.
#[must_use]
pub fn owner_path(slug: &str) -> String {
    format!("{LIST_PATH}/owners/{}", encoded(slug))
}

/// The path of a picture.
#[must_use]
pub fn picture_path(id: CatalogPictureId, size: PictureSize) -> String {
    format!("{LIST_PATH}/pictures/{id}/{}.jpg", size.name())
}

/// Addresses have letters, digits and hyphens.
fn encoded(slug: &str) -> String {
    url::form_urlencoded::byte_serialize(slug.as_bytes()).collect()
}

/// Gives the pages about the talent and the owner of a license that has just become public their
/// addresses.
pub(super) fn give_addresses(unit: &mut UnitOfWork<'_, '_>, shown: &LicenseRecord) -> Result<()> {
    let license = &shown.license;
    let talent = license.talent.as_uuid();
    catalog_address::assign(unit.tx, AddressKind::Talent, talent, &shown.talent_name, unit.now)?;
    if shown.owner_type.is_organization() {
        let owner = license.tenant.as_uuid();
        catalog_address::assign(unit.tx, AddressKind::Owner, owner, &shown.owner_name, unit.now)?;
    }
    Ok(())
}

/// Gives the page about a renamed talent a new address. The old one leads to it.
pub(super) fn rename_talent(unit: &mut UnitOfWork<'_, '_>, shown: &LicenseRecord) -> Result<()> {
    let (kind, talent) = (AddressKind::Talent, shown.license.talent.as_uuid());
    Ok(catalog_address::rename(unit.tx, kind, talent, &shown.talent_name, unit.now)?)
}

/// Gives the page about a renamed organization a new address. The old one leads to it.
pub(super) fn rename_owner(unit: &mut UnitOfWork<'_, '_>, owner: TenantId) -> Result<()> {
    let Some(found) = tenant::find(unit.tx, owner)? else { return Ok(()) };
    let (kind, owner) = (AddressKind::Owner, owner.as_uuid());
    Ok(catalog_address::rename(unit.tx, kind, owner, &found.name, unit.now)?)
}

/// A page of public licenses, with the newest of them. `None` if there is none.
fn read_page(
    tx: &mut Tx<'_>,
    of: PublicOf,
    page: Page,
    now: Timestamp,
) -> Result<Option<(LicenseRecord, Listing<CatalogEntry>)>> {
    let newest = public::list(tx, of, now, (1, 0))?;
    let newest = newest.first().map(|id| stored::find(tx, *id)).transpose()?.flatten();
    let Some(newest) = newest else { return Ok(None) };
    let total = public::count(tx, of, now)?;
    let ids = public::list(tx, of, now, (page.size(), page.offset()))?;
    let mut records = stored::load(tx, &ids)?;
    records.sort_by_key(|it| std::cmp::Reverse(it.license.id));
    Ok(Some((newest, Listing::new(page, complete(tx, records)?, total))))
}

fn complete(tx: &mut Tx<'_>, records: Vec<LicenseRecord>) -> Result<Vec<CatalogEntry>> {
    let ids: Vec<_> = records.iter().map(|it| it.license.id).collect();
    let pictures = catalog_picture::list_of(tx, &ids)?;
    let mut pictures: HashMap<_, _> = pictures.into_iter().map(|it| (it.license, it)).collect();
    let mut subjects: Vec<Uuid> = Vec::with_capacity(2 * records.len());
    for record in &records {
        subjects.push(record.license.talent.as_uuid());
        if record.owner_type.is_organization() {
            subjects.push(record.license.tenant.as_uuid());
        }
    }
    subjects.sort_unstable();
    subjects.dedup();
    let slugs = catalog_address::list_of(tx, &subjects)?;
    let entry = |record: LicenseRecord| CatalogEntry {
        picture: pictures.remove(&record.license.id),
        talent_slug: slugs.get(&record.license.talent.as_uuid()).cloned(),
        owner_slug: slugs.get(&record.license.tenant.as_uuid()).cloned(),
        record,
    };
    Ok(records.into_iter().map(entry).collect())
}
