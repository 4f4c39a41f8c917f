//! The schema as the engine itself describes it: for comparing both engines and for backups.

use std::collections::BTreeMap;

use crate::driver::SchemaQueries;
use crate::value::params;
use crate::{Result, Tx};

/// What a column holds, in words both engines share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number, an instant, or yes and no.
    Integer,
    /// A number with places.
    Real,
    /// Text.
    Text,
    /// Bytes, or an id.
    Bytes,
}

/// A column. Two are equal when they hold the same, whatever the engines' words for it.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Whether it must hold something.
    pub required: bool,
    /// The engine's own word for its type.
    pub(crate) own_type: String,
}

impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.kind, self.required) == (&other.name, other.kind, other.required)
    }
}

impl Eq for Column {}

/// An index: its columns in order, and whether it is unique or partial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// Its columns.
    pub columns: Vec<String>,
    /// Refuses a second row of the same values.
    pub unique: bool,
    /// Covers only some rows.
    pub partial: bool,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Its columns in order.
    pub columns: Vec<Column>,
    /// The columns of its primary key in order.
    pub primary_key: Vec<String>,
    /// Its other indexes by name.
    pub indexes: BTreeMap<String, Index>,
    /// Columns that name rows of other tables, and which.
    pub references: Vec<(String, String)>,
}

/// Every table by name.
pub fn describe(tx: &mut Tx<'_>) -> Result<BTreeMap<String, Table>> {
    let queries = tx.schema_queries();
    let mut tables = BTreeMap::<String, Table>::new();
    columns(tx, queries, &mut tables)?;
    indexes(tx, queries, &mut tables)?;
    for (table, column, target) in three(tx, queries.references)? {
        tables.entry(table).or_default().references.push((column, target));
    }
    Ok(tables)
}

fn columns(
    tx: &mut Tx<'_>,
    queries: &SchemaQueries,
    tables: &mut BTreeMap<String, Table>,
) -> Result<()> {
    let rows = tx.query_text(queries.columns, params![], |row| {
        let text = |index| row.get::<String>(index);
        Ok((text(0)?, text(1)?, text(2)?.to_lowercase(), row.get::<i64>(3)?))
    })?;
    for (table, name, own_type, required) in rows {
        let kind = kind_of(&own_type);
        let column = Column { name, kind, required: required != 0, own_type };
        tables.entry(table).or_default().columns.push(column);
    }
    for (table, column, _) in three(tx, queries.primary_keys)? {
        tables.entry(table).or_default().primary_key.push(column);
    }
    Ok(())
}

fn indexes(
    tx: &mut Tx<'_>,
    queries: &SchemaQueries,
    tables: &mut BTreeMap<String, Table>,
) -> Result<()> {
    let rows = tx.query_text(queries.indexes, params![], |row| {
        let text = |index| row.get::<String>(index);
        Ok((text(0)?, text(1)?, row.get::<i64>(2)? != 0, row.get::<i64>(3)? != 0, text(4)?))
    })?;
    for (table, name, unique, partial, column) in rows {
        let indexes = &mut tables.entry(table).or_default().indexes;
        let index = indexes.entry(name).or_insert(Index { columns: vec![], unique, partial });
        index.columns.push(column);
    }
    Ok(())
}

fn three(tx: &mut Tx<'_>, text: &str) -> Result<Vec<(String, String, String)>> {
    tx.query_text(text, params![], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

fn kind_of(own_type: &str) -> Kind {
    match own_type {
        "integer" | "bigint" | "boolean" => Kind::Integer,
        "real" | "double precision" => Kind::Real,
        "text" => Kind::Text,
        _ => Kind::Bytes,
    }
}
