//! Staff views of all tenants.

use std::cmp::Reverse;

use grantor_domain::email::Email;
use grantor_domain::id::{PlatformId, TenantId, UserId};
use grantor_domain::license::LicenseStatus;
use grantor_domain::page::{Listing, Page};
use grantor_domain::{Error, Result};
use grantor_storage::license::LicenseRecord;
pub use grantor_storage::staff::{
    LicenseFilter, ListedPlatform, ListedTenant, PlatformFilter, TenantFilter,
};
use grantor_storage::{Tx, membership, platform, pod, staff, tenant, user};

use crate::App;

const MAX_SEARCH: usize = 100;

/// Parses a search text.
pub fn search(text: &str) -> Result<String, String> {
    let fits = !text.trim().is_empty() && text.chars().count() <= MAX_SEARCH;
    if fits { Ok(text.to_owned()) } else { Err(format!("must be 1 to {MAX_SEARCH} characters")) }
}

/// Lists tenants, newest first.
pub async fn tenants(app: &App, filter: TenantFilter, page: Page) -> Result<Listing<ListedTenant>> {
    app.store.read(move |tx| Ok(staff::tenants(tx, &filter, page)?)).await
}

/// Lists tenants like [`tenants`]. A search for the email address of a person finds their tenants.
pub async fn find_tenants(
    app: &App,
    filter: TenantFilter,
    page: Page,
) -> Result<Listing<ListedTenant>> {
    let email = filter.search.as_deref().and_then(|it| Email::parse(it.trim()).ok());
    let Some(key) = email.map(|it| it.key()) else { return tenants(app, filter, page).await };
    app.store
        .read(move |tx| match user::find_by_email(tx, &key)? {
            Some(user) => tenants_of(tx, user.id, &filter, page),
            None => Ok(staff::tenants(tx, &filter, page)?),
        })
        .await
}

/// Lists a person's tenants, newest first. There are few; see `grantor_domain::membership::MAX`.
fn tenants_of(
    tx: &mut Tx<'_>,
    user: UserId,
    filter: &TenantFilter,
    page: Page,
) -> Result<Listing<ListedTenant>> {
    let mut found: Vec<ListedTenant> = vec![];
    for it in membership::list_memberships(tx, user)? {
        found.extend(staff::tenant(tx, it.tenant)?);
    }
    found.retain(|ListedTenant { tenant, .. }| {
        filter.kind.is_none_or(|it| it == tenant.kind)
            && filter.status.is_none_or(|it| it == tenant.status)
            && filter.plan.is_none_or(|it| it == tenant.plan)
    });
    found.sort_by_key(|it| Reverse(it.tenant.created_at));
    let total = found.len() as u64;
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let items = found.into_iter().skip(before).take(page.size() as usize).collect();
    Ok(Listing::new(page, items, total))
}

/// Returns one tenant.
pub async fn tenant(app: &App, id: TenantId) -> Result<ListedTenant> {
    let found = app.store.read(move |tx| Ok::<_, Error>(staff::tenant(tx, id)?)).await?;
    found.ok_or_else(|| Error::not_found("Organization"))
}

/// Lists platforms, newest first.
pub async fn platforms(
    app: &App,
    filter: PlatformFilter,
    page: Page,
) -> Result<Listing<ListedPlatform>> {
    app.store.read(move |tx| Ok(staff::platforms(tx, &filter, page)?)).await
}

/// Returns one platform; `None` if there is no such platform, or no longer.
pub async fn platform(app: &App, id: PlatformId) -> Result<Option<ListedPlatform>> {
    app.store
        .lookup(move |tx| {
            let Some(platform) = platform::find_anywhere(tx, id)? else { return Ok(None) };
            let owner = tenant::find(tx, platform.tenant)?;
            let pod = pod::find_of(tx, id)?.map(|it| it.pod.id);
            Ok(owner.map(|it| ListedPlatform { platform, owner_name: it.name, pod }))
        })
        .await
}

/// Lists licenses, newest first, each with its current status.
pub async fn licenses(
    app: &App,
    filter: LicenseFilter,
    page: Page,
) -> Result<Listing<(LicenseRecord, LicenseStatus)>> {
    let now = app.clock.now();
    let read = move |tx: &mut grantor_storage::Tx<'_>| {
        Ok::<_, Error>(staff::licenses(tx, &filter, page, now)?)
    };
    let found = app.store.read(read).await?;
    Ok(found.map(|shown| {
        let status = shown.license.effective_status(now);
        (shown, status)
    }))
}
