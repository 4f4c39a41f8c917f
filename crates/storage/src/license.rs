//! Licenses. So far only the public catalog reads them.

use grantor_domain::Timestamp;
use grantor_domain::license::{CatalogEntry, CatalogQuery, LicenseSort, LicenseType};
use grantor_domain::page::{Listing, Order};
use serde_json::from_str;

use crate::statement::{sql, sql_choice};
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// The page of public licenses asked for. One that has run out is not public, whatever its row
/// says.
pub fn list_public(
    tx: &mut Tx<'_>,
    query: &CatalogQuery,
    now: Timestamp,
) -> Result<Listing<CatalogEntry>> {
    let pattern = query.search.as_deref().map(contains_pattern);
    let kind = query.license_type.map(LicenseType::key);
    let total = count_public(tx, now, kind, pattern.as_deref())?;
    let items = tx.query(
        sql_choice!(
            sort_index(query.sort, query.order),
            "SELECT l.license_id, l.title, l.description, l.license_type, t.fullname, o.name,
               o.type, l.territories, l.uses, l.fee, l.valid_from, l.expires_at, l.updated_at
             FROM licenses l
             JOIN talents t ON t.talent_id = l.talent_id
             JOIN tenants o ON o.tenant_id = l.tenant_id
             WHERE l.status = 'public' AND l.deleted_at IS NULL
               AND (l.expires_at IS NULL OR l.expires_at > $1)
               AND (CAST($2 AS text) IS NULL OR l.license_type = $2)
               AND (CAST($3 AS text) IS NULL OR lower(l.title) LIKE $3 ESCAPE '!'
                 OR lower(l.description) LIKE $3 ESCAPE '!')
             ORDER BY ",
            [
                "l.created_at, l.license_id",
                "l.created_at DESC, l.license_id DESC",
                "l.updated_at, l.license_id",
                "l.updated_at DESC, l.license_id DESC",
                "l.title, l.license_id",
                "l.title DESC, l.license_id DESC",
            ],
            " LIMIT $4 OFFSET $5"
        ),
        params![now, kind, pattern, query.page.size(), query.page.offset()],
        catalog_entry,
    )?;
    Ok(Listing { page: query.page, items, total })
}

/// Without words to look for, an index alone tells the number.
fn count_public(
    tx: &mut Tx<'_>,
    now: Timestamp,
    kind: Option<&str>,
    pattern: Option<&str>,
) -> Result<u64> {
    let count: Option<i64> = match pattern {
        None => tx.find(
            sql!(
                "SELECT count(*) FROM licenses
                 WHERE status = 'public' AND deleted_at IS NULL
                   AND (expires_at IS NULL OR expires_at > $1)
                   AND (CAST($2 AS text) IS NULL OR license_type = $2)"
            ),
            params![now, kind],
            |row| row.get(0),
        )?,
        Some(pattern) => tx.find(
            sql!(
                "SELECT count(*) FROM licenses
                 WHERE status = 'public' AND deleted_at IS NULL
                   AND (expires_at IS NULL OR expires_at > $1)
                   AND (CAST($2 AS text) IS NULL OR license_type = $2)
                   AND (lower(title) LIKE $3 ESCAPE '!' OR lower(description) LIKE $3 ESCAPE '!')"
            ),
            params![now, kind, pattern],
            |row| row.get(0),
        )?,
    };
    Ok(count.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

fn sort_index(sort: LicenseSort, order: Order) -> usize {
    let sort = match sort {
        LicenseSort::CreatedAt => 0,
        LicenseSort::UpdatedAt => 2,
        LicenseSort::Title => 4,
    };
    sort + usize::from(order == Order::Desc)
}

fn contains_pattern(words: &str) -> String {
    let mut pattern = String::from("%");
    for character in words.to_lowercase().chars() {
        if matches!(character, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(character);
    }
    pattern + "%"
}

fn catalog_entry(row: &Row<'_>) -> Result<CatalogEntry> {
    let text = |index| row.get::<String>(index);
    let unreadable = |error: serde_json::Error| Error::Fault(format!("a license: {error}"));
    Ok(CatalogEntry {
        id: row.get(0)?,
        title: text(1)?,
        description: text(2)?,
        license_type: text(3)?.parse().map_err(Error::Fault)?,
        talent_name: text(4)?,
        owner_name: text(5)?,
        owner_type: text(6)?,
        territories: from_str(&text(7)?).map_err(unreadable)?,
        uses: from_str(&text(8)?).map_err(unreadable)?,
        fee: row
            .get::<Option<String>>(9)?
            .as_deref()
            .map(from_str)
            .transpose()
            .map_err(unreadable)?,
        valid_from: row.get(10)?,
        expires_at: row.get(11)?,
        updated_at: row.get(12)?,
    })
}
