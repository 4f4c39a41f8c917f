//! The index of records, after rows were written by hand.

use grantor_storage::record_index::{RecordKind, update};
use grantor_storage::{Options, Store};
use uuid::Uuid;

use super::run;

/// Marks every record that is not indexed yet.
const MARK: &str = "INSERT INTO record_stale (kind, record_id, mark)
     SELECT 'talent', talent_id, 1 FROM talents WHERE true
     UNION ALL SELECT 'mention', mention_id, 1 FROM mentions WHERE true
     UNION ALL SELECT 'grant', grant_id, 1 FROM grants WHERE true
     UNION ALL SELECT 'request', request_id, 1 FROM requests WHERE true
     UNION ALL SELECT 'source', source_id, 1 FROM sources WHERE true
     UNION ALL SELECT 'case', mention_id, 1 FROM cases WHERE true
     ON CONFLICT (kind, record_id) DO NOTHING;";

/// Indexes every record, as a worker does after records were changed.
pub async fn index_records(options: &Options) {
    run(options, MARK.to_owned()).await;
    let store = Store::open(options).await.expect("the store opens");
    for kind in RecordKind::ALL {
        let mut after = Uuid::nil();
        loop {
            let folded = store.write(move |tx| update(tx, kind, after, 5_000)).await;
            match folded.expect("the index is written") {
                Some(last) => after = last,
                None => break,
            }
        }
    }
}
