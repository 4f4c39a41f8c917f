//! The public catalog of licenses.

use grantor_domain::id::LicenseId;
use grantor_domain::license::{LicenseQuery, LicenseStatus};
use grantor_domain::page::Listing;
use grantor_domain::{Error, ErrorKind, Result};

use crate::App;
use crate::licensing::license::{self, LicenseRecord, LicenseRef, Reader};

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
