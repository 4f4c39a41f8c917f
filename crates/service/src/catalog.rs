//! The public catalog: the list that everybody reads.

use grantor_domain::Result;
use grantor_domain::license::{LicenseQuery, LicenseStatus};
use grantor_domain::page::Listing;

use crate::App;
use crate::license::{self, Reader, Shown};

/// The page of public licenses that was asked for.
pub async fn list(app: &App, query: LicenseQuery) -> Result<Listing<Shown>> {
    // What ended by itself is no longer public, whether or not that was noted.
    let query = LicenseQuery { status: Some(LicenseStatus::Public), ..query };
    Ok(license::show(app, Reader::Everybody, query).await?.map(|seen| seen.shown))
}
