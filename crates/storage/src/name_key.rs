//! The names of talents by their words, for finding them in texts.
//!
//! A change of a talent only marks it as stale; a worker writes the keys of its names shortly
//! after. Readers look at stale talents themselves, in the same snapshot, so a name is found as
//! soon as it is stored. Keys only lead to talents: their current names decide what is found.

use std::collections::HashMap;

use grantor_domain::Timestamp;
use grantor_domain::id::TalentId;
use grantor_domain::name_index::{KEY_VERSION, NameKey};
use grantor_domain::talent::Aliases;
use uuid::Uuid;

use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Error, Result, Row, Tx, meta, only_column};

/// The name under which the last batch is stored.
const BATCH: &str = "name_batch";
/// The name under which the version of the keys is stored.
const VERSION: &str = "name_key_version";
/// How many keys one statement looks up.
const KEYS_AT_ONCE: usize = 50;
/// How many talents one statement looks up.
const TALENTS_AT_ONCE: usize = 20;

/// A talent and its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TalentNames {
    /// The talent.
    pub id: TalentId,
    /// The full name and the aliases.
    pub names: Vec<String>,
}

/// Where a stored key stands among all of them, in the order in which they were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyPosition {
    /// The batch in which it was written.
    pub batch: i64,
    /// The key of the whole name.
    pub whole: i64,
    /// The talent.
    pub talent: TalentId,
}

impl KeyPosition {
    /// Before all keys.
    #[must_use]
    pub fn start() -> Self {
        Self { batch: 0, whole: i64::MIN, talent: Uuid::nil().into() }
    }
}

/// Marks a talent whose names were added, changed or removed.
pub(crate) fn mark(tx: &mut Tx<'_>, id: TalentId) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO name_stale (talent_id, mark) VALUES ($1, 1)
             ON CONFLICT (talent_id) DO UPDATE SET mark = name_stale.mark + 1"
        ),
        params![id],
    )?;
    Ok(())
}

/// Marks all talents, after a restore.
pub(crate) fn mark_all(tx: &mut Tx<'_>) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO name_stale (talent_id, mark)
             SELECT talent_id, 1 FROM talents WHERE talent_id > $1
             ON CONFLICT (talent_id) DO NOTHING"
        ),
        params![Uuid::nil()],
    )?;
    Ok(())
}

/// Marks all talents if the keys are of another version of the server. Otherwise marks those that a
/// node of an earlier version, which knew no keys, may have changed: all since `recently`, and
/// those without a key since `long_ago`.
pub fn mark_outdated(tx: &mut Tx<'_>, recently: Timestamp, long_ago: Timestamp) -> Result<()> {
    let version = KEY_VERSION.to_string();
    if meta::find(tx, VERSION)?.as_ref() == Some(&version) {
        tx.execute(
            sql!(
                "INSERT INTO name_stale (talent_id, mark)
                 SELECT t.talent_id, 1 FROM talents t
                 WHERE t.updated_at > $2 AND (t.updated_at > $1 OR NOT EXISTS (
                   SELECT 1 FROM name_keys k WHERE k.talent_id = t.talent_id))
                 ON CONFLICT (talent_id) DO NOTHING"
            ),
            params![recently, long_ago],
        )?;
        return Ok(());
    }
    // Of many nodes one does it, without the time limit of a unit.
    tx.lock_schema()?;
    mark_all(tx)?;
    meta::put(tx, VERSION, &version)
}

/// Whether the names of any talent changed since their keys were written.
pub fn has_stale(tx: &mut Tx<'_>) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT 1 FROM name_stale WHERE talent_id > $1 LIMIT 1"),
        params![Uuid::nil()],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Lists the names of stale talents after this one.
pub fn list_stale(tx: &mut Tx<'_>, after: TalentId, at_most: u32) -> Result<Vec<TalentNames>> {
    tx.query(
        sql!(
            "SELECT t.talent_id, t.fullname, t.aliases
             FROM name_stale s JOIN talents t ON t.talent_id = s.talent_id
             WHERE s.talent_id > $1 ORDER BY s.talent_id LIMIT $2"
        ),
        params![after, at_most],
        read,
    )
}

/// Writes the keys of up to `at_most` stale talents. Returns whether there were any.
///
/// The number of the batch is at least the time: if a failover lost the last batches, no number is
/// used again, for which nodes would not look.
pub fn settle(tx: &mut Tx<'_>, at_most: u32, now: Timestamp) -> Result<bool> {
    // One node at a time, so that batches are committed in the order of their numbers.
    meta::claim(tx, BATCH)?;
    let stale: Vec<(TalentId, i64)> = tx.query(
        sql!(
            "SELECT talent_id, mark FROM name_stale WHERE talent_id > $1
             ORDER BY talent_id LIMIT $2"
        ),
        params![Uuid::nil(), at_most],
        |row| Ok((row.get("talent_id")?, row.get("mark")?)),
    )?;
    if stale.is_empty() {
        return Ok(false);
    }
    let batch = now.as_micros().max(last_batch(tx)? + 1);
    meta::put(tx, BATCH, &batch.to_string())?;
    let ids: Vec<TalentId> = stale.iter().map(|(id, _)| *id).collect();
    let names: HashMap<_, _> =
        names_of(tx, &ids)?.into_iter().map(|it| (it.id, it.names)).collect();
    for (id, mark) in stale {
        tx.execute(sql!("DELETE FROM name_keys WHERE talent_id = $1"), params![id])?;
        let names = names.get(&id).map(Vec::as_slice).unwrap_or_default();
        for key in names.iter().filter_map(|it| NameKey::of(it)) {
            insert(tx, key, id, batch)?;
        }
        // A talent that changed again since it was read stays marked.
        tx.execute(
            sql!("DELETE FROM name_stale WHERE talent_id = $1 AND mark = $2"),
            params![id, mark],
        )?;
    }
    Ok(true)
}

fn insert(tx: &mut Tx<'_>, key: NameKey, id: TalentId, batch: i64) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO name_keys (name_key, talent_id, first_word, batch)
             VALUES ($1, $2, $3, $4) ON CONFLICT (name_key, talent_id) DO NOTHING"
        ),
        params![key.whole, id, key.first, batch],
    )?;
    tx.execute(
        sql!(
            "INSERT INTO name_starts (first_word, words) VALUES ($1, $2)
             ON CONFLICT (first_word, words) DO NOTHING"
        ),
        params![key.first, key.words],
    )?;
    Ok(())
}

/// The number of the last batch; 0 if there is none.
pub fn last_batch(tx: &mut Tx<'_>) -> Result<i64> {
    Ok(meta::find(tx, BATCH)?.and_then(|it| it.parse().ok()).unwrap_or(0))
}

/// Lists the keys after this position in the order in which they were written, each with the first
/// word of its name.
pub fn list_since(
    tx: &mut Tx<'_>,
    after: KeyPosition,
    at_most: u32,
) -> Result<Vec<(KeyPosition, i64)>> {
    tx.query(
        sql!(
            "SELECT batch, name_key, talent_id, first_word FROM name_keys
             WHERE (batch, name_key, talent_id) > ($1, $2, $3)
             ORDER BY batch, name_key, talent_id LIMIT $4"
        ),
        params![after.batch, after.whole, after.talent, at_most],
        |row| {
            let position = KeyPosition {
                batch: row.get("batch")?,
                whole: row.get("name_key")?,
                talent: row.get("talent_id")?,
            };
            Ok((position, row.get("first_word")?))
        },
    )
}

/// How many words the names have that start with these words: bit n for n + 1 of them.
pub fn lengths(tx: &mut Tx<'_>, words: &[i64]) -> Result<HashMap<i64, u64>> {
    let mut lengths: HashMap<i64, u64> = HashMap::new();
    for chunk in words.chunks(KEYS_AT_ONCE) {
        let found: Vec<(i64, u32)> = tx.query(
            sql!(
                "SELECT first_word, words FROM name_starts
                 WHERE first_word IN (
                   $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                   $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32,
                   $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47,
                   $48, $49, $50)"
            ),
            &padded::<_, KEYS_AT_ONCE>(chunk),
            |row| Ok((row.get("first_word")?, row.get("words")?)),
        )?;
        for (word, count) in found {
            *lengths.entry(word).or_default() |= 1 << (count.clamp(1, u64::BITS) - 1);
        }
    }
    Ok(lengths)
}

/// Returns talents with a name that has one of these keys, in any order, up to `at_most`.
pub fn talents_with(tx: &mut Tx<'_>, wholes: &[i64], at_most: u32) -> Result<Vec<TalentId>> {
    let mut found: Vec<TalentId> = Vec::new();
    for chunk in wholes.chunks(KEYS_AT_ONCE) {
        let left = at_most.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
        if left == 0 {
            break;
        }
        let keys = padded::<_, KEYS_AT_ONCE>(chunk);
        let some: Vec<TalentId> = tx.query(
            sql!(
                "SELECT talent_id FROM name_keys
                 WHERE name_key IN (
                   $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                   $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32,
                   $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47,
                   $48, $49, $50)
                 LIMIT $51"
            ),
            &[&keys[..], params![left]].concat(),
            only_column,
        )?;
        found.extend(some);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Returns the names of those of these talents that exist.
pub fn names_of(tx: &mut Tx<'_>, ids: &[TalentId]) -> Result<Vec<TalentNames>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(TALENTS_AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT talent_id, fullname, aliases FROM talents
                 WHERE talent_id IN (
                   $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                   $18, $19, $20)"
            ),
            &padded::<_, TALENTS_AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<TalentNames> {
    let aliases = serde_json::from_str::<Aliases>(&row.get::<String>("aliases")?);
    let aliases = aliases.map_err(|error| Error::Fault(format!("aliases: {error}")))?;
    let mut names = vec![row.get::<String>("fullname")?];
    names.extend_from_slice(aliases.as_slice());
    Ok(TalentNames { id: row.get("talent_id")?, names })
}
