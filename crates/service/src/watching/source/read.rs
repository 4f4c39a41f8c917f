//! Reading sources.

use std::time::Duration;

use grantor_domain::Result;
use grantor_domain::id::{SourceId, TenantId};
use grantor_domain::page::Listing;
use grantor_domain::scan::SHOWN_RUNS;
use grantor_domain::source::{FeedRun, SourceQuery};
use grantor_storage::source::ListedSource;
use grantor_storage::{feed, source};

use super::not_found;
use crate::App;

/// Lists a tenant's matching sources, newest first.
pub async fn list(
    app: &App,
    tenant: TenantId,
    query: SourceQuery,
) -> Result<Listing<ListedSource>> {
    app.store.read(move |tx| Ok(source::list(tx, tenant, &query)?)).await
}

/// Returns one of the tenant's sources.
pub async fn get(app: &App, tenant: TenantId, id: SourceId) -> Result<ListedSource> {
    app.store.read(move |tx| source::find(tx, tenant, id)?.ok_or_else(not_found)).await
}

/// Lists the last runs of the feed that a source watches, newest first.
pub async fn last_runs(app: &App, tenant: TenantId, id: SourceId) -> Result<Vec<FeedRun>> {
    app.store
        .read(move |tx| {
            let listed = source::find(tx, tenant, id)?.ok_or_else(not_found)?;
            Ok(feed::runs(tx, listed.feed.id, SHOWN_RUNS)?)
        })
        .await
}

/// How long the most overdue feed has been due.
pub async fn due_age(app: &App) -> Result<Duration> {
    let due = app.store.read(feed::next_due).await?;
    Ok(due.map_or(Duration::ZERO, |it| app.clock.now().since(it)))
}
