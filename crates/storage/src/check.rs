//! What a check may tell of the licenses that it found: a few statements for all of them, however
//! many licenses the caller can see.

use grantor_domain::Timestamp;
use grantor_domain::grant::GrantNumber;
use grantor_domain::id::{GrantId, LicenseId, TalentId, TenantId};

use crate::license::reader::Reader;
use crate::statement::sql;
use crate::value::{Value, padded, params};
use crate::{Result, Tx, only_column};

/// How many licenses one statement looks up.
const AT_ONCE: usize = 20;

/// A license that the reader can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleLicense {
    /// The license.
    pub id: LicenseId,
    /// Its title.
    pub title: String,
    /// The tenant that owns it.
    pub owner: TenantId,
    /// The talent.
    pub talent: TalentId,
    /// The talent's name.
    pub talent_name: String,
    /// Whether the reader has a permission, and so sees the reference images. Otherwise the license
    /// is visible only because it is public.
    pub held: bool,
}

/// Returns those of the licenses that are public now or that the reader has a permission on.
pub fn visible(
    tx: &mut Tx<'_>,
    reader: Reader,
    ids: &[LicenseId],
    now: Timestamp,
) -> Result<Vec<VisibleLicense>> {
    let [one, other] = reader.ids();
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        let readers: &[Value<'_>] = params![one, other, now];
        let keys: [Value<'_>; AT_ONCE] = padded(chunk);
        let rows = tx.query(
            sql!(
                "SELECT l.license_id, l.title, l.tenant_id, l.talent_id, t.fullname,
                   EXISTS (SELECT 1 FROM license_readers r
                     WHERE r.license_id = l.license_id AND r.reader_id IN ($1, $2)) AS held,
                   l.status = 'public' AND (l.expires_at IS NULL OR l.expires_at > $3) AS public
                 FROM licenses l JOIN talents t ON t.talent_id = l.talent_id
                 WHERE l.license_id IN ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
                   $17, $18, $19, $20, $21, $22, $23) AND l.deleted_at IS NULL"
            ),
            &[readers, &keys].concat(),
            |row| {
                let (id, title, owner) =
                    (row.get("license_id")?, row.get("title")?, row.get("tenant_id")?);
                let (talent, talent_name) = (row.get("talent_id")?, row.get("fullname")?);
                // Everybody has a row for public licenses, which is no permission.
                let held = reader != Reader::Everybody && row.get::<bool>("held")?;
                let license = VisibleLicense { id, title, owner, talent, talent_name, held };
                Ok((license, row.get::<bool>("public")?))
            },
        )?;
        found.extend(rows.into_iter().filter(|(it, public)| it.held || *public).map(|(it, _)| it));
    }
    Ok(found)
}

/// Returns the grant with this number of a licensor, if it was made to this licensee.
pub fn find_grant(
    tx: &mut Tx<'_>,
    licensor: TenantId,
    number: GrantNumber,
    licensee: TenantId,
) -> Result<Option<GrantId>> {
    tx.find(
        sql!(
            "SELECT grant_id FROM grants
             WHERE licensor_id = $1 AND year = $2 AND serial = $3 AND licensee_id = $4"
        ),
        params![licensor, u32::from(number.year), number.serial, licensee],
        only_column,
    )
}
