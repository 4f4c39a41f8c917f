//! The public catalog.

use grantor_domain::Result;
use grantor_domain::license::{CatalogEntry, CatalogQuery};
use grantor_domain::page::Listing;
use grantor_storage::license;

use crate::App;

/// The page of public licenses that was asked for. Open to everybody.
pub async fn list(app: &App, query: CatalogQuery) -> Result<Listing<CatalogEntry>> {
    let now = app.clock.now();
    app.store.read_lagging(move |tx| Ok(license::list_public(tx, &query, now)?)).await
}
