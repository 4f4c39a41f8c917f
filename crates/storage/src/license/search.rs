//! The words of licenses, as each engine's search reads them.

use grantor_domain::id::LicenseId;
use grantor_domain::license::License;
use grantor_domain::search::index_words;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Indexes the words of a license anew.
pub fn index(tx: &mut Tx<'_>, license: &License) -> Result<()> {
    let words = index_words(&[license.title.as_str(), license.description.as_str()]);
    tx.index_words(license.id, &words)
}

/// Takes a license out of the index.
pub fn remove(tx: &mut Tx<'_>, id: LicenseId) -> Result<()> {
    tx.forget_words(id)
}

/// Indexes every license anew: after a restore, whose words were another engine's.
pub(crate) fn rebuild(tx: &mut Tx<'_>) -> Result<()> {
    let mut after = LicenseId::from(uuid::Uuid::nil());
    loop {
        let ids: Vec<LicenseId> = tx.query(
            sql!(
                "SELECT license_id FROM licenses WHERE license_id > $1 AND deleted_at IS NULL
                 ORDER BY license_id LIMIT 500"
            ),
            params![after],
            |row| row.get(0),
        )?;
        let Some(last) = ids.last() else { return Ok(()) };
        after = *last;
        for shown in super::load(tx, &ids)? {
            index(tx, &shown.license)?;
        }
    }
}
