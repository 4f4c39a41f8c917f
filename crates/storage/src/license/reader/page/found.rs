//! Pages of what words are found in.

use super::{Ask, Entry, order, read};
use crate::Result;
use crate::statement::{sql, sql_choice};
use crate::value::params;

impl Ask<'_, '_> {
    /// What holds these words: few licenses do, so those are looked up.
    pub(super) fn found(&mut self, words: &str) -> Result<Vec<Entry>> {
        let (page, kind, status) = (self.query.page, self.kind(), self.status());
        self.tx.query(
            sql_choice!(
                order(self.query),
                "SELECT r.license_id, max(r.version), max(r.role), max(r.status), max(r.expires_at)
                 FROM SEARCHED($8) f
                 JOIN license_readers r ON r.license_id = f.license_id
                   AND r.reader_id IN ($1, $7)
                 WHERE (CAST($2 AS text) IS NULL OR r.license_type = $2)
                   AND (CAST($3 AS text) IS NULL OR $3 = CASE
                     WHEN r.status IN ('private', 'public') AND r.expires_at <= $4 THEN 'expired'
                     ELSE r.status END)
                 GROUP BY r.license_id ORDER BY ",
                [
                    "r.license_id",
                    "r.license_id DESC",
                    "max(r.updated_at), r.license_id",
                    "max(r.updated_at) DESC, r.license_id DESC",
                    "max(r.title), r.license_id",
                    "max(r.title) DESC, r.license_id DESC",
                ],
                " LIMIT $5 OFFSET $6"
            ),
            params![
                self.one,
                kind,
                status,
                self.now,
                page.size(),
                page.offset(),
                self.other,
                words,
            ],
            read,
        )
    }

    pub(super) fn count_found(&mut self, words: &str) -> Result<u64> {
        let (kind, status) = (self.kind(), self.status());
        let found = self.tx.find(
            sql!(
                "SELECT count(DISTINCT r.license_id) FROM SEARCHED($6) f
                 JOIN license_readers r ON r.license_id = f.license_id
                   AND r.reader_id IN ($1, $5)
                 WHERE (CAST($2 AS text) IS NULL OR r.license_type = $2)
                   AND (CAST($3 AS text) IS NULL OR $3 = CASE
                     WHEN r.status IN ('private', 'public') AND r.expires_at <= $4 THEN 'expired'
                     ELSE r.status END)"
            ),
            params![self.one, kind, status, self.now, self.other, words],
            |row| row.get::<i64>(0),
        )?;
        Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
    }
}
