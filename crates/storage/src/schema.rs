//! The schema as described by the engine, for comparing both engines and for backups.

use std::collections::BTreeMap;

use crate::driver::SchemaQueries;
use crate::value::params;
use crate::{Result, Tx};

/// A column type that both engines share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer, a timestamp, or a boolean.
    Integer,
    /// A floating-point number.
    Real,
    /// Text.
    Text,
    /// Bytes, or an id.
    Bytes,
}

/// A column. Two columns are equal if they have the same kind, whatever the engine calls the type.
#[derive(Clone, Debug)]
pub struct Column {
    /// The column's name.
    pub name: String,
    /// The column's kind.
    pub kind: Kind,
    /// Whether the column is NOT NULL.
    pub required: bool,
    /// The engine's name for the type.
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
    /// The columns.
    pub columns: Vec<String>,
    /// Whether the index is unique.
    pub unique: bool,
    /// Whether the index covers only some rows.
    pub partial: bool,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The columns in order.
    pub columns: Vec<Column>,
    /// The columns of the primary key in order.
    pub primary_key: Vec<String>,
    /// The other indexes by name.
    pub indexes: BTreeMap<String, Index>,
    /// Foreign keys: a column and the table it references.
    pub references: Vec<(String, String)>,
}

/// Returns every table by name.
pub fn describe(tx: &mut Tx<'_>) -> Result<BTreeMap<String, Table>> {
    let queries = tx.schema_queries();
    let mut tables = BTreeMap::<String, Table>::new();
    columns(tx, queries, &mut tables)?;
    indexes(tx, queries, &mut tables)?;
    let references = tx.query_text(queries.references, params![], |row| {
        Ok((row.get::<String>("table_name")?, row.get("column_name")?, row.get("target_name")?))
    })?;
    for (table, column, target) in references {
        tables.entry(table).or_default().references.push((column, target));
    }
    Ok(tables)
}

/// Whether there is a table with this name.
pub(crate) fn has_table(tx: &mut Tx<'_>, name: &str) -> Result<bool> {
    let queries = tx.schema_queries();
    Ok(!tx.query_text(queries.table, params![name], |_| Ok(()))?.is_empty())
}

fn columns(
    tx: &mut Tx<'_>,
    queries: &SchemaQueries,
    tables: &mut BTreeMap<String, Table>,
) -> Result<()> {
    let rows = tx.query_text(queries.columns, params![], |row| {
        let text = |name| row.get::<String>(name);
        let own_type = text("data_type")?.to_lowercase();
        Ok((text("table_name")?, text("column_name")?, own_type, row.get::<i64>("required")?))
    })?;
    for (table, name, own_type, required) in rows {
        let kind = kind_of(&own_type);
        let column = Column { name, kind, required: required != 0, own_type };
        tables.entry(table).or_default().columns.push(column);
    }
    let keys: Vec<(String, String)> = tx.query_text(queries.primary_keys, params![], |row| {
        Ok((row.get("table_name")?, row.get("column_name")?))
    })?;
    for (table, column) in keys {
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
        let text = |name| row.get::<String>(name);
        let is = |name| row.get::<i64>(name).map(|it| it != 0);
        let (table, name) = (text("table_name")?, text("index_name")?);
        Ok((table, name, is("is_unique")?, is("is_partial")?, text("column_name")?))
    })?;
    for (table, name, unique, partial, column) in rows {
        let indexes = &mut tables.entry(table).or_default().indexes;
        let index = indexes.entry(name).or_insert(Index { columns: vec![], unique, partial });
        index.columns.push(column);
    }
    Ok(())
}

fn kind_of(own_type: &str) -> Kind {
    match own_type {
        "integer" | "bigint" | "boolean" => Kind::Integer,
        "real" | "double precision" => Kind::Real,
        "text" => Kind::Text,
        _ => Kind::Bytes,
    }
}
