//! Monthly quotas: how much of each tenant's quota has been allotted to nodes.

use grantor_domain::id::TenantId;
use grantor_domain::quota::block;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// Allots a block of a tenant's monthly quota and returns its size; zero if the quota is used up.
pub fn take(tx: &mut Tx<'_>, tenant: TenantId, month: i64, limit: Option<u64>) -> Result<u64> {
    // Locks the row, so that the second of two concurrent nodes sees what the first took.
    let taken: Option<i64> = tx.find(
        sql!(
            "INSERT INTO quotas (tenant_id, month, taken) VALUES ($1, $2, 0)
             ON CONFLICT (tenant_id, month) DO UPDATE SET taken = quotas.taken
             RETURNING taken"
        ),
        params![tenant, month],
        only_column,
    )?;
    let more = block(limit, unsigned(taken));
    add(tx, tenant, month, signed(more))?;
    Ok(more)
}

/// Returns the unused part of a node's block.
pub fn give_back(tx: &mut Tx<'_>, tenant: TenantId, month: i64, unused: u64) -> Result<()> {
    add(tx, tenant, month, -signed(unused))
}

/// How much of a tenant's monthly quota has been allotted.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, month: i64) -> Result<u64> {
    let taken: Option<i64> = tx.find(
        sql!("SELECT taken FROM quotas WHERE tenant_id = $1 AND month = $2"),
        params![tenant, month],
        only_column,
    )?;
    Ok(unsigned(taken))
}

fn add(tx: &mut Tx<'_>, tenant: TenantId, month: i64, more: i64) -> Result<()> {
    tx.execute(
        sql!("UPDATE quotas SET taken = taken + $3 WHERE tenant_id = $1 AND month = $2"),
        params![tenant, month, more],
    )?;
    Ok(())
}

fn unsigned(taken: Option<i64>) -> u64 {
    taken.and_then(|it| u64::try_from(it).ok()).unwrap_or(0)
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
