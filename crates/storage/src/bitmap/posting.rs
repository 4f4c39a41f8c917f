//! The stored sets of an index, one per term.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use uuid::Uuid;

use super::{BitmapIndex, NumberSet};
use crate::statement::sql_choice;
use crate::value::{Value, padded, params};
use crate::{Error, Result, Tx};

/// How many terms one statement looks up.
const AT_ONCE: usize = 8;

/// Loads the sets of these terms; a term without rows is missing from the result.
pub(super) fn load(
    tx: &mut Tx<'_>,
    index: BitmapIndex,
    terms: &[String],
) -> Result<BTreeMap<String, NumberSet>> {
    let mut found = BTreeMap::<String, NumberSet>::new();
    for chunk in terms.chunks(AT_ONCE) {
        let rows = tx.query(
            sql_choice!(
                index as usize,
                "SELECT term, block, bits FROM ",
                ["license_postings", "log_postings", "record_postings"],
                " WHERE term IN ($1, $2, $3, $4, $5, $6, $7, $8)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get::<String>("term")?, row.get("block")?, row.get::<Vec<u8>>("bits")?)),
        )?;
        for (term, block, bits) in rows {
            add(found.entry(term).or_default(), block, &bits)?;
        }
    }
    Ok(found)
}

/// The numbers that have any term from one on and before another. `None` if more than `at_most`
/// rows would have to be read.
pub(super) fn within(
    tx: &mut Tx<'_>,
    index: BitmapIndex,
    (from, to): (&str, &str),
    at_most: Option<u32>,
) -> Result<Option<NumberSet>> {
    let limit = at_most.map_or(i64::MAX, |it| i64::from(it) + 1);
    let rows = tx.query(
        sql_choice!(
            index as usize,
            "SELECT block, bits FROM ",
            ["license_postings", "log_postings", "record_postings"],
            " WHERE term >= $1 AND term < $2 LIMIT $3"
        ),
        params![from, to, limit],
        |row| Ok((row.get("block")?, row.get::<Vec<u8>>("bits")?)),
    )?;
    if at_most.is_some_and(|it| rows.len() > it as usize) {
        return Ok(None);
    }
    let mut found = NumberSet::default();
    for (block, bits) in rows {
        add(&mut found, block, &bits)?;
    }
    Ok(Some(found))
}

/// The sets of all terms with this prefix, in the order of the terms.
pub(crate) fn children(
    tx: &mut Tx<'_>,
    index: BitmapIndex,
    prefix: &str,
) -> Result<BTreeMap<String, NumberSet>> {
    let rows = tx.query(
        sql_choice!(
            index as usize,
            "SELECT term, block, bits FROM ",
            ["license_postings", "log_postings", "record_postings"],
            " WHERE term >= $1 AND term < $2"
        ),
        params![prefix, end_of(prefix)],
        |row| Ok((row.get::<String>("term")?, row.get("block")?, row.get::<Vec<u8>>("bits")?)),
    )?;
    let mut found = BTreeMap::<String, NumberSet>::new();
    for (term, block, bits) in rows {
        add(found.entry(term).or_default(), block, &bits)?;
    }
    Ok(found)
}

/// The sets of all terms from one on and before another, in the order of the terms. Up to `at_most`
/// rows are read.
pub(crate) fn sets_within(
    tx: &mut Tx<'_>,
    index: BitmapIndex,
    (from, to): (&str, &str),
    at_most: u32,
) -> Result<BTreeMap<String, NumberSet>> {
    let rows = tx.query(
        sql_choice!(
            index as usize,
            "SELECT term, block, bits FROM ",
            ["license_postings", "log_postings", "record_postings"],
            " WHERE term >= $1 AND term < $2 ORDER BY term, block LIMIT $3"
        ),
        params![from, to, at_most],
        |row| Ok((row.get::<String>("term")?, row.get("block")?, row.get::<Vec<u8>>("bits")?)),
    )?;
    let mut found = BTreeMap::<String, NumberSet>::new();
    for (term, block, bits) in rows {
        add(found.entry(term).or_default(), block, &bits)?;
    }
    Ok(found)
}

/// An upper bound for all terms with this prefix.
pub(super) fn end_of(prefix: &str) -> String {
    format!("{prefix}{}", char::MAX)
}

fn add(numbers: &mut NumberSet, block: i64, bits: &[u8]) -> Result<()> {
    if numbers.add_block(block, bits) {
        return Ok(());
    }
    Err(Error::Fault(format!("invalid bitmap in block {block}")))
}

/// Applies changes to the stored sets.
pub(crate) fn apply(tx: &mut Tx<'_>, index: BitmapIndex, changes: &PostingChanges) -> Result<()> {
    for (block, terms) in &changes.0 {
        let terms: Vec<_> = terms.iter().collect();
        for chunk in terms.chunks(AT_ONCE) {
            let names: Vec<_> = chunk.iter().map(|(term, _)| term.as_str()).collect();
            let mut stored = load_block(tx, index, *block, &names)?;
            let mut renewed = Vec::with_capacity(AT_ONCE);
            for (term, numbers) in chunk {
                let mut set = NumberSet::default();
                if let Some(bits) = stored.remove(*term) {
                    add(&mut set, *block, &bits)?;
                }
                for (number, joins) in *numbers {
                    if *joins { set.insert(*number) } else { set.remove(*number) }
                }
                match set.block(*block) {
                    Some(bits) => renewed.push((term.as_str(), bits)),
                    None => remove(tx, index, term, *block)?,
                }
            }
            put(tx, index, *block, &renewed)?;
        }
    }
    Ok(())
}

/// Loads one block of these terms.
fn load_block(
    tx: &mut Tx<'_>,
    index: BitmapIndex,
    block: i64,
    terms: &[&str],
) -> Result<HashMap<String, Vec<u8>>> {
    let rows = tx.query(
        sql_choice!(
            index as usize,
            "SELECT term, bits FROM ",
            ["license_postings", "log_postings", "record_postings"],
            " WHERE block = $1 AND term IN ($2, $3, $4, $5, $6, $7, $8, $9)"
        ),
        &[&[Value::Integer(block)] as &[_], &padded::<_, AT_ONCE>(terms)].concat(),
        |row| Ok((row.get("term")?, row.get("bits")?)),
    )?;
    Ok(rows.into_iter().collect())
}

/// Stores one block of these terms.
fn put(tx: &mut Tx<'_>, index: BitmapIndex, block: i64, terms: &[(&str, Vec<u8>)]) -> Result<()> {
    // A new version may have to store hundreds of thousands of them.
    if let [a, b, c, d, e, f, g, h] = terms {
        tx.execute(
            sql_choice!(
                index as usize,
                "INSERT INTO ",
                ["license_postings", "log_postings", "record_postings"],
                " (term, block, bits)
                 VALUES ($2, $1, $3), ($4, $1, $5), ($6, $1, $7), ($8, $1, $9), ($10, $1, $11),
                   ($12, $1, $13), ($14, $1, $15), ($16, $1, $17)
                 ON CONFLICT (term, block) DO UPDATE SET bits = excluded.bits"
            ),
            params![
                block, a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1, e.0, e.1, f.0, f.1, g.0, g.1, h.0,
                h.1,
            ],
        )?;
        return Ok(());
    }
    for (term, bits) in terms {
        tx.execute(
            sql_choice!(
                index as usize,
                "INSERT INTO ",
                ["license_postings", "log_postings", "record_postings"],
                " (term, block, bits) VALUES ($1, $2, $3)
                 ON CONFLICT (term, block) DO UPDATE SET bits = $3"
            ),
            params![term, block, bits],
        )?;
    }
    Ok(())
}

fn remove(tx: &mut Tx<'_>, index: BitmapIndex, term: &str, block: i64) -> Result<()> {
    tx.execute(
        sql_choice!(
            index as usize,
            "DELETE FROM ",
            ["license_postings", "log_postings", "record_postings"],
            " WHERE term = $1 AND block = $2"
        ),
        params![term, block],
    )?;
    Ok(())
}

/// Pending changes by block and term, so that each stored row is written once.
#[derive(Default)]
pub(crate) struct PostingChanges(BTreeMap<i64, BTreeMap<String, BTreeMap<i64, bool>>>);

impl PostingChanges {
    /// Adds a number to a term's set, or removes it.
    pub(crate) fn add(&mut self, term: &str, number: i64, joins: bool) {
        let block = self.0.entry(NumberSet::block_of(number)).or_default();
        block.entry(term.to_owned()).or_default().insert(number, joins);
    }

    /// Replaces the terms of a number, which are stored as [`joined`].
    pub(crate) fn replace(&mut self, number: i64, before: &str, after: &BTreeSet<String>) {
        let before: BTreeSet<_> = before.split_whitespace().collect();
        for gone in before.iter().filter(|it| !after.contains(**it)) {
            self.add(gone, number, false);
        }
        for new in after.iter().filter(|it| !before.contains(it.as_str())) {
            self.add(new, number, true);
        }
    }
}

/// The terms of a number as one text.
pub(super) fn joined(terms: &BTreeSet<String>) -> String {
    terms.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Groups rows by their mark, which is the same for most: each group is settled by one statement.
pub(crate) fn by_mark(rows: &[(Uuid, i64)]) -> BTreeMap<i64, Vec<Uuid>> {
    let mut groups = BTreeMap::<_, Vec<_>>::new();
    for (key, mark) in rows {
        groups.entry(*mark).or_default().push(*key);
    }
    groups
}
