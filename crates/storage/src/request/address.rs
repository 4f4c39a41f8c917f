//! Offers to an email address that nobody has acted on yet, as the owner of the address sees them.

use grantor_domain::request::RequestStatus;

use super::page::{Key, RequestFilter, Viewer, key};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// How many offers are searched for what is unread, so that nobody can make this expensive for the
/// owner of an address.
const COUNTED: u32 = 1_000;

/// Lists the live offers to the viewer's address, the last changed first. Those of the viewer's own
/// tenant are in its list of received requests already.
pub(super) fn list(
    tx: &mut Tx<'_>,
    viewer: &Viewer,
    filter: RequestFilter,
    at_most: i64,
) -> Result<Vec<Key>> {
    let Some(address) = &viewer.email_key else { return Ok(vec![]) };
    if filter.status.is_some_and(|it| !it.is_live()) {
        return Ok(vec![]);
    }
    let status = filter.status.map_or("", RequestStatus::name);
    match filter.license {
        None => tx.query(
            sql!(
                "SELECT updated_at, request_id FROM requests
                 WHERE email_key = $1 AND email_key IS NOT NULL AND asker_id IS NULL
                   AND status IN ('open', 'offered') AND owner_id <> $2
                   AND ($4 = '' OR status = $4)
                 ORDER BY updated_at DESC, request_id DESC LIMIT $3"
            ),
            params![address, viewer.tenant, at_most, status],
            key,
        ),
        Some(license) => tx.query(
            sql!(
                "SELECT updated_at, request_id FROM requests
                 WHERE license_id = $5 AND email_key = $1 AND email_key IS NOT NULL
                   AND asker_id IS NULL AND status IN ('open', 'offered') AND owner_id <> $2
                   AND ($4 = '' OR status = $4)
                 ORDER BY updated_at DESC, request_id DESC LIMIT $3"
            ),
            params![address, viewer.tenant, at_most, status, license],
            key,
        ),
    }
}

/// Counts the live offers to the viewer's address and the messages about them that nobody has read.
pub fn unread(tx: &mut Tx<'_>, viewer: &Viewer) -> Result<u64> {
    let Some(address) = &viewer.email_key else { return Ok(0) };
    let counts: Vec<u32> = tx.query(
        sql!(
            "SELECT unread_by_asker FROM requests
             WHERE email_key = $1 AND email_key IS NOT NULL AND asker_id IS NULL
               AND status IN ('open', 'offered') AND owner_id <> $2
             ORDER BY updated_at DESC LIMIT $3"
        ),
        params![address, viewer.tenant, COUNTED],
        only_column,
    )?;
    Ok(counts.into_iter().map(u64::from).sum())
}
