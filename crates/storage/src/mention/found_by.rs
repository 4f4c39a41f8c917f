//! The mentions that a source found.

use grantor_domain::id::{MentionId, SourceId};

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// Lists the newest mentions that a source found.
pub fn list(tx: &mut Tx<'_>, source: SourceId, at_most: u32) -> Result<Vec<MentionId>> {
    tx.query(
        sql!(
            "SELECT mention_id FROM mentions WHERE source_id = $1
             ORDER BY first_seen_at DESC, mention_id DESC LIMIT $2"
        ),
        params![source, at_most],
        only_column,
    )
}
