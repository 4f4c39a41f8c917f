//! How many requests and grants each tenant has, by stored status, so that lists need not count.

use grantor_domain::id::TenantId;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// A counted list of a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartyList {
    /// Requests that the tenant made.
    RequestsMade,
    /// Requests for the tenant's licenses.
    RequestsReceived,
    /// Grants that the tenant holds.
    GrantsHeld,
    /// Grants under the tenant's licenses.
    GrantsGiven,
    /// Unread requests, offers and messages; without a status.
    Unread,
}

impl PartyList {
    const fn name(self) -> &'static str {
        match self {
            Self::RequestsMade => "requests_made",
            Self::RequestsReceived => "requests_received",
            Self::GrantsHeld => "grants_held",
            Self::GrantsGiven => "grants_given",
            Self::Unread => "unread",
        }
    }
}

/// Adds to a count.
pub fn add(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    list: PartyList,
    status: &str,
    change: i64,
) -> Result<()> {
    if change == 0 {
        return Ok(());
    }
    tx.execute(
        sql!(
            "INSERT INTO party_counts (tenant_id, list, status, total) VALUES ($1, $2, $3, $4)
             ON CONFLICT (tenant_id, list, status) DO UPDATE
             SET total = party_counts.total + $4"
        ),
        params![tenant, list.name(), status, change],
    )?;
    Ok(())
}

/// Moves one from a status to another.
pub fn shift(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    list: PartyList,
    (from, to): (&str, &str),
) -> Result<()> {
    if from == to {
        return Ok(());
    }
    add(tx, tenant, list, from, -1)?;
    add(tx, tenant, list, to, 1)
}

/// Returns a count, of one status or of all.
pub fn get(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    list: PartyList,
    status: Option<&str>,
) -> Result<u64> {
    let rows: Vec<(String, i64)> = tx.query(
        sql!("SELECT status, total FROM party_counts WHERE tenant_id = $1 AND list = $2"),
        params![tenant, list.name()],
        |row| Ok((row.get("status")?, row.get("total")?)),
    )?;
    let counted = rows.iter().filter(|(name, _)| status.is_none_or(|it| it == name));
    Ok(u64::try_from(counted.map(|(_, total)| *total).sum::<i64>()).unwrap_or(0))
}
