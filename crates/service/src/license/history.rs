//! What became of a license, and what there is over one talent: for the pages of both.

use grantor_domain::id::{LicenseId, TalentId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::permission::PermissionRole;
use grantor_domain::{Error, Result};
use grantor_storage::license::{self, reader};
use grantor_storage::log::{LogRecord, history as rows};
use grantor_storage::talent;

use super::{Seen, not_found, see};
use crate::App;
use crate::access::Caller;

/// What the caller's own log tells of a license they see: its changes, those of its images and of
/// rights on it, newest first. A license of others has its history with its owner.
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

/// The licenses over one of the tenant's own talents, newest first.
pub async fn of_talent(
    app: &App,
    caller: &Caller,
    id: TalentId,
    page: Page,
) -> Result<Listing<Seen>> {
    let (tenant, now) = (caller.tenant, app.clock.now());
    app.store
        .read(move |tx| {
            let found = talent::find(tx, tenant, id)?;
            let total = found.ok_or_else(|| Error::not_found("Talent"))?.license_count.into();
            let ids = license::page_of_talent(tx, id, page)?;
            let mut found = license::load(tx, &ids)?;
            found.sort_by_key(|it| std::cmp::Reverse(it.license.id));
            // Who owns the talent owns every license over them.
            let seen = found.into_iter().map(|it| see(it, PermissionRole::Licensor, now));
            Ok(Listing::new(page, seen.collect(), total))
        })
        .await
}
