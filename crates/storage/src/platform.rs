//! Platforms: the sites on which likenesses are seen, as far as mentions need them.

use grantor_domain::Timestamp;
use grantor_domain::id::{PlatformId, TenantId};

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// A platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Platform {
    /// Its id.
    pub id: PlatformId,
    /// Whose it is.
    pub tenant: TenantId,
    /// What it is called.
    pub name: String,
    /// Its host name.
    pub domain: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Adds a platform.
pub fn insert(tx: &mut Tx<'_>, platform: &Platform) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO platforms (platform_id, tenant_id, name, domain, created_at)
             VALUES ($1, $2, $3, $4, $5)"
        ),
        params![platform.id, platform.tenant, platform.name, platform.domain, platform.created_at],
    )?;
    Ok(())
}
