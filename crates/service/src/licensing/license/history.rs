//! The history of a license, and the licenses of a talent.

use grantor_domain::id::{LicenseId, TalentId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::permission::PermissionRole;
use grantor_domain::{Error, Result};
use grantor_storage::license::{self, reader};
use grantor_storage::log::{LogRecord, history as rows};
use grantor_storage::talent;

use super::{LicenseView, not_found};
use crate::App;
use crate::identity::access::Caller;

/// Returns the log entries about a license in the caller's own log, newest first: its changes and
/// those of its images and permissions. The history of another tenant's license is in that
/// tenant's log.
pub async fn history(
    app: &App,
    caller: &Caller,
    id: LicenseId,
    page: Page,
) -> Result<Listing<LogRecord>> {
    let (tenant, reader) = (caller.tenant, caller.reader());
    app.store
        .read(move |tx| {
            reader::find(tx, reader, id)?.ok_or_else(not_found)?;
            Ok(rows::list(tx, tenant, id, page)?)
        })
        .await
}

/// Returns the licenses of one of the tenant's talents, newest first.
pub async fn of_talent(
    app: &App,
    caller: &Caller,
    id: TalentId,
    page: Page,
) -> Result<Listing<LicenseView>> {
    let (tenant, now) = (caller.tenant, app.clock.now());
    app.store
        .read(move |tx| {
            let found = talent::find(tx, tenant, id)?;
            let total = found.ok_or_else(|| Error::not_found("Talent"))?.license_count.into();
            let ids = license::page_of_talent(tx, id, page)?;
            let mut found = license::load(tx, &ids)?;
            found.sort_by_key(|it| std::cmp::Reverse(it.license.id));
            // The owner of a talent owns all of the talent's licenses.
            let views =
                found.into_iter().map(|it| LicenseView::new(it, PermissionRole::Licensor, now));
            Ok(Listing::new(page, views.collect(), total))
        })
        .await
}
