//! Reading sources.

use grantor_domain::Result;
use grantor_domain::id::{SourceId, TenantId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::scan::SHOWN_RUNS;
use grantor_domain::source::{FeedRun, SourceQuery};
use grantor_domain::websub::PushState;
use grantor_storage::record_index::{SourceSearch, search_sources};
use grantor_storage::source;
use grantor_storage::source::ListedSource;

use super::{manageable, not_found};
use crate::identity::access::TenantCaller;
use crate::watching::websub;
use crate::{App, Context};

/// Lists a tenant's matching sources, newest first.
pub async fn list(
    app: &App,
    tenant: TenantId,
    query: SourceQuery,
) -> Result<Listing<ListedSource>> {
    app.store.read(move |tx| Ok(source::list(tx, tenant, &query)?)).await
}

/// Lists the tenant's sources that match a search of the console.
pub async fn search(
    app: &App,
    tenant: TenantId,
    search: SourceSearch,
    page: Page,
) -> Result<Listing<ListedSource>> {
    app.store.read(move |tx| Ok(search_sources(tx, tenant, &search, page)?)).await
}

/// Returns one of the tenant's sources.
pub async fn get(app: &App, tenant: TenantId, id: SourceId) -> Result<ListedSource> {
    app.store.read(move |tx| source::find(tx, tenant, id)?.ok_or_else(not_found)).await
}

/// Returns one of the tenant's sources to somebody who may change it, and refuses others as every
/// change does.
pub async fn get_to_change(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: SourceId,
) -> Result<ListedSource> {
    let actor = context.actor.clone();
    app.store
        .read(move |tx| {
            let found = source::find(tx, caller.tenant, id)?;
            manageable(tx, &actor, caller, found)
        })
        .await
}

/// Lists the last scans of a source, newest first. Those before it was created were for others.
pub async fn last_runs(app: &App, tenant: TenantId, id: SourceId) -> Result<Vec<FeedRun>> {
    app.store
        .read(move |tx| {
            let listed = source::find(tx, tenant, id)?.ok_or_else(not_found)?;
            Ok(source::runs(tx, &listed.source, SHOWN_RUNS)?)
        })
        .await
}

/// Whether a hub pushes what a source watches, or why it does not.
#[must_use]
pub fn push_state(app: &App, listed: &ListedSource) -> PushState {
    let (running, reachable) = (listed.source.is_active(), websub::is_possible(app));
    PushState::of(listed.hub.as_ref(), running, reachable, app.clock.now())
}
