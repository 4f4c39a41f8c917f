//! The stored sets of terms.

use std::collections::BTreeMap;

use super::numbers::Numbers;
use super::term;
use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Error, Result, Tx};

/// How many terms one statement looks up.
const AT_ONCE: usize = 8;

/// The sets of these terms; one that no license has is not there.
pub(super) fn load(tx: &mut Tx<'_>, terms: &[String]) -> Result<BTreeMap<String, Numbers>> {
    let mut found = BTreeMap::<String, Numbers>::new();
    for chunk in terms.chunks(AT_ONCE) {
        let rows = tx.query(
            sql!(
                "SELECT term, block, bits FROM license_postings
                 WHERE term IN ($1, $2, $3, $4, $5, $6, $7, $8)"
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
pub(super) fn with_prefix(tx: &mut Tx<'_>, prefix: &str) -> Result<Numbers> {
    let rows = tx.query(
        sql!("SELECT block, bits FROM license_postings WHERE term >= $1 AND term < $2"),
        params![prefix, term::end_of(prefix)],
        |row| Ok((row.get(0)?, row.get::<Vec<u8>>(1)?)),
    )?;
    let mut found = Numbers::default();
    for (block, bits) in rows {
        add(&mut found, block, &bits)?;
    }
    Ok(found)
}

fn add(numbers: &mut Numbers, block: i64, bits: &[u8]) -> Result<()> {
    if numbers.add_block(block, bits) {
        return Ok(());
    }
    Err(Error::Fault(format!("no set of licenses is stored in block {block}")))
}

/// Sets and clears bits: each number joins its term or leaves it.
pub(super) fn change(tx: &mut Tx<'_>, changes: &Changes) -> Result<()> {
    for ((term, block), numbers) in &changes.0 {
        let stored: Option<Vec<u8>> = tx.find(
            sql!("SELECT bits FROM license_postings WHERE term = $1 AND block = $2"),
            params![term, *block],
            |row| row.get(0),
        )?;
        let mut set = Numbers::default();
        if let Some(bits) = &stored {
            add(&mut set, *block, bits)?;
        }
        for (number, joins) in numbers {
            if *joins { set.insert(*number) } else { set.remove(*number) }
        }
        write(tx, term, *block, set.block(*block))?;
    }
    Ok(())
}

fn write(tx: &mut Tx<'_>, term: &str, block: i64, bits: Option<Vec<u8>>) -> Result<()> {
    match bits {
        Some(bits) => tx.execute(
            sql!(
                "INSERT INTO license_postings (term, block, bits) VALUES ($1, $2, $3)
                 ON CONFLICT (term, block) DO UPDATE SET bits = $3"
            ),
            params![term, block, bits],
        ),
        None => tx.execute(
            sql!("DELETE FROM license_postings WHERE term = $1 AND block = $2"),
            params![term, block],
        ),
    }?;
    Ok(())
}

/// What is to be changed, each stored row once.
#[derive(Default)]
pub(super) struct Changes(BTreeMap<(String, i64), BTreeMap<u32, bool>>);

impl Changes {
    /// A number joins a term, or leaves it.
    pub(super) fn add(&mut self, term: &str, number: u32, joins: bool) {
        let key = (term.to_owned(), Numbers::block_of(number));
        self.0.entry(key).or_default().insert(number, joins);
    }
}
