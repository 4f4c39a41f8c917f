//! The stored sets of terms.

use std::collections::{BTreeMap, HashMap};

use super::{Numbers, Shelf};
use crate::statement::sql_choice;
use crate::value::{Value, padded, params};
use crate::{Error, Result, Tx};

/// How many terms one statement looks up.
const AT_ONCE: usize = 8;

/// The sets of these terms; one that nothing has is not there.
pub(super) fn load(
    tx: &mut Tx<'_>,
    shelf: Shelf,
    terms: &[String],
) -> Result<BTreeMap<String, Numbers>> {
    let mut found = BTreeMap::<String, Numbers>::new();
    for chunk in terms.chunks(AT_ONCE) {
        let rows = tx.query(
            sql_choice!(
                shelf as usize,
                "SELECT term, block, bits FROM ",
                ["license_postings", "log_postings"],
                " WHERE term IN ($1, $2, $3, $4, $5, $6, $7, $8)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get::<String>(0)?, row.get(1)?, row.get::<Vec<u8>>(2)?)),
        )?;
        for (term, block, bits) in rows {
            add(found.entry(term).or_default(), block, &bits)?;
        }
    }
    Ok(found)
}

/// What has any term that begins like this.
pub(super) fn with_prefix(tx: &mut Tx<'_>, shelf: Shelf, prefix: &str) -> Result<Numbers> {
    let rows = tx.query(
        sql_choice!(
            shelf as usize,
            "SELECT block, bits FROM ",
            ["license_postings", "log_postings"],
            " WHERE term >= $1 AND term < $2"
        ),
        params![prefix, end_of(prefix)],
        |row| Ok((row.get(0)?, row.get::<Vec<u8>>(1)?)),
    )?;
    let mut found = Numbers::default();
    for (block, bits) in rows {
        add(&mut found, block, &bits)?;
    }
    Ok(found)
}

/// After every term that begins with this one, and before every other.
fn end_of(prefix: &str) -> String {
    format!("{prefix}{}", char::MAX)
}

fn add(numbers: &mut Numbers, block: i64, bits: &[u8]) -> Result<()> {
    if numbers.add_block(block, bits) {
        return Ok(());
    }
    Err(Error::Fault(format!("no set of numbers is stored in block {block}")))
}

/// Sets and clears bits: each number joins its term or leaves it.
pub(crate) fn change(tx: &mut Tx<'_>, shelf: Shelf, changes: &Changes) -> Result<()> {
    for (block, terms) in &changes.0 {
        let terms: Vec<_> = terms.iter().collect();
        for chunk in terms.chunks(AT_ONCE) {
            let names: Vec<_> = chunk.iter().map(|(term, _)| term.as_str()).collect();
            let mut stored = load_block(tx, shelf, *block, &names)?;
            for (term, numbers) in chunk {
                let mut set = Numbers::default();
                if let Some(bits) = stored.remove(*term) {
                    add(&mut set, *block, &bits)?;
                }
                for (number, joins) in *numbers {
                    if *joins { set.insert(*number) } else { set.remove(*number) }
                }
                write(tx, shelf, term, *block, set.block(*block))?;
            }
        }
    }
    Ok(())
}

/// One block of these terms.
fn load_block(
    tx: &mut Tx<'_>,
    shelf: Shelf,
    block: i64,
    terms: &[&str],
) -> Result<HashMap<String, Vec<u8>>> {
    let rows = tx.query(
        sql_choice!(
            shelf as usize,
            "SELECT term, bits FROM ",
            ["license_postings", "log_postings"],
            " WHERE block = $1 AND term IN ($2, $3, $4, $5, $6, $7, $8, $9)"
        ),
        &[&[Value::Integer(block)] as &[_], &padded::<_, AT_ONCE>(terms)].concat(),
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    Ok(rows.into_iter().collect())
}

fn write(
    tx: &mut Tx<'_>,
    shelf: Shelf,
    term: &str,
    block: i64,
    bits: Option<Vec<u8>>,
) -> Result<()> {
    match bits {
        Some(bits) => tx.execute(
            sql_choice!(
                shelf as usize,
                "INSERT INTO ",
                ["license_postings", "log_postings"],
                " (term, block, bits) VALUES ($1, $2, $3)
                 ON CONFLICT (term, block) DO UPDATE SET bits = $3"
            ),
            params![term, block, bits],
        ),
        None => tx.execute(
            sql_choice!(
                shelf as usize,
                "DELETE FROM ",
                ["license_postings", "log_postings"],
                " WHERE term = $1 AND block = $2"
            ),
            params![term, block],
        ),
    }?;
    Ok(())
}

/// What is to be changed, each stored row once: by block and term, the numbers that join or leave.
#[derive(Default)]
pub(crate) struct Changes(BTreeMap<i64, BTreeMap<String, BTreeMap<i64, bool>>>);

impl Changes {
    /// A number joins a term, or leaves it.
    pub(crate) fn add(&mut self, term: &str, number: i64, joins: bool) {
        let block = self.0.entry(Numbers::block_of(number)).or_default();
        block.entry(term.to_owned()).or_default().insert(number, joins);
    }
}
