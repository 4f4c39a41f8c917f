//! Looks at the addresses of cases. A look has its case for the time of a lease; if the case changes
//! meanwhile, the look loses it.

use grantor_domain::Timestamp;
use grantor_domain::case::{Case, LookResult};
use grantor_domain::id::{MentionId, RunId};

use super::CaseRecord;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// A case that a look has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimedLook {
    /// The case.
    pub mention: MentionId,
    /// The look.
    pub id: RunId,
}

/// Whether a look is due.
pub fn is_due(tx: &mut Tx<'_>, now: Timestamp) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT 1 FROM cases WHERE next_look_at <= $1 LIMIT 1"),
        params![now],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Claims the case whose look has been due longest, with a lease until `until`.
pub fn claim_look(
    tx: &mut Tx<'_>,
    id: RunId,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<ClaimedLook>> {
    let node = tx.node();
    tx.find(
        sql!(
            "WITH due AS MATERIALIZED (
               SELECT mention_id FROM cases WHERE next_look_at <= $1
               ORDER BY next_look_at LIMIT 1 /*skip locked*/)
             UPDATE cases SET next_look_at = $2, look_id = $3, node_id = $4
             WHERE mention_id IN (SELECT mention_id FROM due)
             RETURNING mention_id"
        ),
        params![now, until, id, node],
        |row| Ok(ClaimedLook { mention: only_column(row)?, id }),
    )
}

/// Records a look that did not change the status. False if the look has lost the case.
pub fn finish_look(tx: &mut Tx<'_>, claimed: ClaimedLook, case: &Case) -> Result<bool> {
    let changed = tx.execute(
        sql!(
            "UPDATE cases SET next_look_at = $3, look_id = NULL, node_id = NULL, gone_since = $4,
               misses = $5, last_look_at = $6, last_look_result = $7
             WHERE mention_id = $1 AND look_id = $2"
        ),
        params![
            claimed.mention,
            claimed.id,
            case.looks.next_at,
            case.looks.gone_since,
            case.looks.misses,
            case.looks.last_at,
            case.looks.last_result.map(LookResult::name),
        ],
    )?;
    Ok(changed == 1)
}

/// Makes a look at a removed mention due, because a scan has seen it. Nothing happens if there is no
/// such case.
pub fn make_due(tx: &mut Tx<'_>, mention: MentionId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE cases SET next_look_at = $2, look_id = NULL, node_id = NULL
             WHERE mention_id = $1 AND status = 'removed'
               AND (next_look_at IS NULL OR next_look_at > $2)"
        ),
        params![mention, now],
    )?;
    Ok(())
}

/// Returns the case that a look has, and locks it until the unit of work ends. `None` if the look
/// has lost it.
pub fn claim_looked(tx: &mut Tx<'_>, claimed: ClaimedLook) -> Result<Option<CaseRecord>> {
    let found = tx.find(
        sql!("SELECT 1 FROM cases WHERE mention_id = $1 AND look_id = $2 /*for update*/"),
        params![claimed.mention, claimed.id],
        |_| Ok(()),
    )?;
    match found {
        Some(()) => super::find(tx, claimed.mention),
        None => Ok(None),
    }
}
