//! The agencies' own IDs for their talents.

use grantor_domain::id::{TalentId, TenantId};
use grantor_domain::license::ExternalId;

use crate::statement::sql;
use crate::talent::{self, ListedTalent};
use crate::value::{padded, params};
use crate::{Result, Tx, only_column};

/// The constraint violated if another talent of the tenant has the ID.
pub const IS_TAKEN: &str = "talent_external_ids_external_id";

/// How many talents one statement looks up.
const AT_ONCE: usize = 20;

/// Sets the ID of a talent.
pub fn set(tx: &mut Tx<'_>, tenant: TenantId, talent: TalentId, id: &ExternalId) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO talent_external_ids (talent_id, tenant_id, external_id)
             VALUES ($1, $2, $3)
             ON CONFLICT (talent_id) DO UPDATE SET external_id = $3"
        ),
        params![talent, tenant, id.as_str()],
    )?;
    Ok(())
}

/// Removes the ID of a talent.
pub fn delete(tx: &mut Tx<'_>, talent: TalentId) -> Result<()> {
    tx.execute(sql!("DELETE FROM talent_external_ids WHERE talent_id = $1"), params![talent])?;
    Ok(())
}

/// Returns the IDs of those of these talents that have one.
pub fn list_of(tx: &mut Tx<'_>, talents: &[TalentId]) -> Result<Vec<(TalentId, String)>> {
    let mut found = Vec::new();
    for chunk in talents.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT talent_id, external_id FROM talent_external_ids
                 WHERE talent_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get("talent_id")?, row.get("external_id")?)),
        )?);
    }
    Ok(found)
}

/// Returns the tenant's talents with these IDs.
pub fn find_all(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    ids: &[String],
) -> Result<Vec<(String, TalentId)>> {
    let mut found = Vec::new();
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT external_id, talent_id FROM talent_external_ids
                 WHERE tenant_id = $1 AND external_id IN ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
                   $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)"
            ),
            &[params![tenant] as &[_], &padded::<_, AT_ONCE>(chunk)].concat(),
            |row| Ok((row.get("external_id")?, row.get("talent_id")?)),
        )?);
    }
    Ok(found)
}

/// Lists the tenant's talents whose ID begins with this text, in the order of their IDs.
pub fn list_beginning(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    beginning: &str,
    at_most: u32,
) -> Result<Vec<ListedTalent>> {
    let until = format!("{beginning}{}", char::MAX);
    let ids: Vec<TalentId> = tx.query(
        sql!(
            "SELECT talent_id FROM talent_external_ids
             WHERE tenant_id = $1 AND external_id >= $2 AND external_id < $3
             ORDER BY external_id LIMIT $4"
        ),
        params![tenant, beginning, until, at_most],
        only_column,
    )?;
    let mut found = talent::load(tx, &ids)?;
    found.sort_by_key(|it| ids.iter().position(|id| *id == it.talent.id));
    Ok(found)
}
