//! The public catalog: the list that everybody reads.

use grantor_domain::id::LicenseId;
use grantor_domain::license::{LicenseQuery, LicenseStatus};
use grantor_domain::page::Listing;
use grantor_domain::{Error, ErrorKind, Result};

use crate::App;
use crate::license::{self, Named, Reader, Shown};

/// The page of public licenses that was asked for.
pub async fn list(app: &App, query: LicenseQuery) -> Result<Listing<Shown>> {
    // What ended by itself is no longer public, whether or not that was noted.
    let query = LicenseQuery { status: Some(LicenseStatus::Public), ..query };
    Ok(license::show(app, Reader::Everybody, query).await?.map(|seen| seen.shown))
}

/// One of them. Whatever is not public is as unknown as what never was.
pub async fn get(app: &App, id: LicenseId) -> Result<Shown> {
    let unknown = || Error::not_found("License");
    match license::get(app, Reader::Everybody, Named::Id(id)).await {
        Ok(seen) if seen.status == LicenseStatus::Public => Ok(seen.shown),
        Ok(_) => Err(unknown()),
        Err(error) if *error.kind() == ErrorKind::AccessDenied => Err(unknown()),
        Err(error) => Err(error),
    }
}
