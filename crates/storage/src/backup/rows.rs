//! Copies tables to files and back, a limited number of rows at a time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Lines};
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::cell::Cell;
use super::file::{NewFile, TABLES, refused};
use super::manifest::TableFile;
use crate::schema::{Column, Table};
use crate::value::{Value, params};
use crate::{Error, Result, Tx};

const PAGE: usize = 1_000;

/// Maximum number of values in one INSERT; both engines allow far more.
const VALUES: usize = 2_000;

/// Sorts the tables so that each comes after the tables it references.
pub(super) fn in_reference_order(tables: &BTreeMap<String, Table>) -> Result<Vec<&str>> {
    let mut ordered: Vec<&str> = Vec::with_capacity(tables.len());
    while ordered.len() < tables.len() {
        let before = ordered.len();
        for (name, table) in tables {
            let known = |(_, target): &(String, String)| ordered.contains(&target.as_str());
            if !ordered.contains(&name.as_str()) && table.references.iter().all(known) {
                ordered.push(name);
            }
        }
        if ordered.len() == before {
            return Err(Error::Fault("tables reference each other in a cycle".to_owned()));
        }
    }
    Ok(ordered)
}

/// Whether a table has any row.
pub(super) fn has_rows(tx: &mut Tx<'_>, table: &str) -> Result<bool> {
    let text = format!("SELECT 1 FROM {} LIMIT 1", quoted(table));
    Ok(!tx.query_text(&text, params![], |_| Ok(()))?.is_empty())
}

/// Writes a table's rows in primary key order.
pub(super) fn write_table(
    tx: &mut Tx<'_>,
    folder: &Path,
    name: &str,
    table: &Table,
) -> Result<TableFile> {
    let key = key_columns(name, table)?;
    let mut file = NewFile::create(folder.join(TABLES).join(format!("{name}.jsonl")))?;
    let (first, next) = (page_text(name, table, false), page_text(name, table, true));
    let (mut rows, mut after) = (0, Vec::<Cell>::new());
    loop {
        let text = if after.is_empty() { &first } else { &next };
        let values: Vec<Value<'_>> = after.iter().map(Cell::value).collect();
        let page = tx.query_text(text, &values, |row| {
            table.columns.iter().map(|it| Cell::read(row, it)).collect::<Result<Vec<_>>>()
        })?;
        for row in &page {
            let line = Json::Array(row.iter().map(Cell::to_json).collect());
            file.write(format!("{line}\n").as_bytes())?;
        }
        rows += page.len() as u64;
        match page.last() {
            Some(last) if page.len() == PAGE => {
                after = key.iter().map(|column| last[*column].clone()).collect();
            }
            _ => break,
        }
    }
    let (bytes, sha256) = file.finish()?;
    let columns = table.columns.iter().map(|column| column.name.clone()).collect();
    Ok(TableFile { name: name.to_owned(), columns, rows, bytes, sha256 })
}

/// Iterates over the rows of a table's file.
pub(super) struct Rows {
    path: PathBuf,
    lines: Lines<BufReader<File>>,
    width: usize,
    number: u64,
}

impl Rows {
    pub(super) fn open(folder: &Path, table: &TableFile) -> Result<Self> {
        let path = folder.join(table.path());
        let file = File::open(&path).map_err(|error| refused(&path, &error))?;
        let (lines, width) = (BufReader::new(file).lines(), table.columns.len());
        Ok(Self { path, lines, width, number: 0 })
    }

    /// The error for the last row, which does not fit.
    pub(super) fn unfit(&self) -> Error {
        let path = self.path.display();
        Error::Backup(format!("{path}, line {}: does not fit the table", self.number))
    }
}

impl Iterator for Rows {
    type Item = Result<Vec<Json>>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.lines.next()?;
        self.number += 1;
        Some(match line {
            Err(error) => Err(refused(&self.path, &error)),
            Ok(line) => match serde_json::from_str(&line) {
                Ok(Json::Array(row)) if row.len() == self.width => Ok(row),
                _ => Err(self.unfit()),
            },
        })
    }
}

/// Checks that a file has as many rows as the manifest says, each with the table's number of
/// columns.
pub(super) fn count(folder: &Path, table: &TableFile) -> Result<()> {
    let mut rows = 0;
    for row in Rows::open(folder, table)? {
        row?;
        rows += 1;
    }
    same_count(folder, table, rows)
}

fn same_count(folder: &Path, table: &TableFile, rows: u64) -> Result<()> {
    if rows == table.rows {
        return Ok(());
    }
    let path = folder.join(table.path());
    Err(Error::Backup(format!(
        "{} has {rows} rows, but the manifest says {}",
        path.display(),
        table.rows
    )))
}

/// Inserts the rows of a file into its table.
pub(super) fn read_table(
    tx: &mut Tx<'_>,
    folder: &Path,
    file: &TableFile,
    table: &Table,
) -> Result<()> {
    let at_once = (VALUES / table.columns.len().max(1)).max(1);
    let (mut rows, mut waiting) = (0, Vec::<Cell>::new());
    let mut input = Rows::open(folder, file)?;
    while let Some(row) = input.next().transpose()? {
        rows += 1;
        read_row(&row, &table.columns, &mut waiting).ok_or_else(|| input.unfit())?;
        if waiting.len() == at_once * table.columns.len() {
            insert(tx, &file.name, table, &waiting)?;
            waiting.clear();
        }
    }
    if !waiting.is_empty() {
        insert(tx, &file.name, table, &waiting)?;
    }
    same_count(folder, file, rows)
}

fn read_row(row: &[Json], columns: &[Column], into: &mut Vec<Cell>) -> Option<()> {
    if row.len() != columns.len() {
        return None;
    }
    for (json, column) in row.iter().zip(columns) {
        into.push(Cell::from_json(json, column)?);
    }
    Some(())
}

fn insert(tx: &mut Tx<'_>, name: &str, table: &Table, cells: &[Cell]) -> Result<()> {
    let text = insert_text(name, table, cells.len() / table.columns.len());
    let values: Vec<Value<'_>> = cells.iter().map(Cell::value).collect();
    match tx.execute_text(&text, &values) {
        Ok(_) => Ok(()),
        Err(error) if error.is_outage() => Err(error),
        Err(error) => Err(Error::Backup(format!("cannot insert a row of {name}: {error}"))),
    }
}

fn key_columns(name: &str, table: &Table) -> Result<Vec<usize>> {
    let place = |key: &String| table.columns.iter().position(|column| column.name == *key);
    match table.primary_key.iter().map(place).collect::<Option<Vec<_>>>() {
        Some(places) if !places.is_empty() => Ok(places),
        _ => Err(Error::Fault(format!("table {name} has no primary key"))),
    }
}

fn page_text(name: &str, table: &Table, after: bool) -> String {
    let columns = list(table.columns.iter().map(|column| &column.name));
    let key = list(table.primary_key.iter());
    let filter = if after {
        format!(" WHERE ({key}) > ({})", numbers(1, table.primary_key.len()))
    } else {
        String::new()
    };
    format!("SELECT {columns} FROM {}{filter} ORDER BY {key} LIMIT {PAGE}", quoted(name))
}

fn insert_text(name: &str, table: &Table, rows: usize) -> String {
    let width = table.columns.len();
    let columns = list(table.columns.iter().map(|column| &column.name));
    let rows: Vec<String> =
        (0..rows).map(|row| format!("({})", numbers(row * width + 1, width))).collect();
    format!("INSERT INTO {} ({columns}) VALUES {}", quoted(name), rows.join(", "))
}

fn numbers(from: usize, count: usize) -> String {
    (from..from + count).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ")
}

fn list<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(|name| quoted(name)).collect::<Vec<_>>().join(", ")
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
