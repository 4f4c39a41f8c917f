//! The decisions about mentions: all of them, numbered for each mention.

use grantor_domain::id::MentionId;
use grantor_domain::mention::{DecisionState, MentionDecision, MentionStatus};
use grantor_domain::page::{Listing, Page};

use super::fault;
use crate::statement::sql;
use crate::total::{self, Total};
use crate::value::params;
use crate::{Result, Row, Tx, only_column};

/// Inserts a decision. The mention must be locked, so that no two decisions get the same number.
pub fn insert(tx: &mut Tx<'_>, mention: MentionId, decision: &MentionDecision) -> Result<()> {
    let number = last_number(tx, mention)? + 1;
    let from = decision.from;
    tx.execute(
        sql!(
            "INSERT INTO mention_decisions (mention_id, number, from_status, from_allowed,
               to_status, to_allowed, decided_by, decided_by_name, decided_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
        ),
        params![
            mention,
            number,
            from.map(|it| it.status.name()),
            from.and_then(|it| it.allowed),
            decision.to.status.name(),
            decision.to.allowed,
            decision.by,
            decision.by_name,
            decision.at,
        ],
    )?;
    Ok(())
}

/// Lists the decisions about a mention, newest first.
pub fn list(tx: &mut Tx<'_>, mention: MentionId, page: Page) -> Result<Listing<MentionDecision>> {
    let found = tx.query(
        sql!(
            "SELECT from_status, from_allowed, to_status, to_allowed, decided_by, decided_by_name,
               decided_at
             FROM mention_decisions WHERE mention_id = $1
             ORDER BY number DESC LIMIT $2 OFFSET $3"
        ),
        params![mention, page.size() + 1, page.offset()],
        read,
    )?;
    total::listing(page, found, || {
        Ok(Total::Exact(u64::try_from(last_number(tx, mention)?).unwrap_or(0)))
    })
}

/// The number of the last decision, which is also how many there are.
fn last_number(tx: &mut Tx<'_>, mention: MentionId) -> Result<i64> {
    let found = tx.find(
        sql!(
            "SELECT number FROM mention_decisions WHERE mention_id = $1
             ORDER BY number DESC LIMIT 1"
        ),
        params![mention],
        only_column::<i64>,
    )?;
    Ok(found.unwrap_or(0))
}

fn read(row: &Row<'_>) -> Result<MentionDecision> {
    let before = row.get::<Option<String>>("from_status")?;
    let before = before.map(|it| it.parse::<MentionStatus>().map_err(fault)).transpose()?;
    let allowed_before = row.get("from_allowed")?;
    let status = row.get::<String>("to_status")?.parse().map_err(fault)?;
    Ok(MentionDecision {
        from: before.map(|status| DecisionState { status, allowed: allowed_before }),
        to: DecisionState { status, allowed: row.get("to_allowed")? },
        by: row.get("decided_by")?,
        by_name: row.get("decided_by_name")?,
        at: row.get("decided_at")?,
    })
}
