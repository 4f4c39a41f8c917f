//! A single value, converted between a database and a backup file.

use grantor_domain::hex;
use serde_json::Value as Json;
use uuid::Uuid;

use crate::schema::{Column, Kind};
use crate::value::Value;
use crate::{Result, Row};

/// A value of a row, a parameter, or a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Null,
    Bool(bool),
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
    Uuid(Uuid),
}

impl Cell {
    /// Reads a column in the engine's type.
    pub(super) fn read(row: &Row<'_>, column: &Column) -> Result<Self> {
        let name = column.name.as_str();
        let cell = match (column.kind, column.own_type.as_str()) {
            (Kind::Integer, "boolean") => row.get::<Option<bool>>(name)?.map(Self::Bool),
            (Kind::Integer, _) => row.get::<Option<i64>>(name)?.map(Self::Integer),
            (Kind::Real, _) => row.get::<Option<f64>>(name)?.map(Self::Real),
            (Kind::Text, _) => row.get::<Option<String>>(name)?.map(Self::Text),
            (Kind::Bytes, "uuid") => row.get::<Option<Uuid>>(name)?.map(Self::Uuid),
            (Kind::Bytes, _) => row.get::<Option<Vec<u8>>>(name)?.map(Self::Bytes),
        };
        Ok(cell.unwrap_or(Self::Null))
    }

    /// The value as a statement parameter.
    pub(super) fn value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Bool(it) => Value::Bool(*it),
            Self::Integer(it) => Value::Integer(*it),
            Self::Real(it) => Value::Real(*it),
            Self::Text(it) => Value::Text(it),
            Self::Bytes(it) => Value::Bytes(it),
            Self::Uuid(it) => Value::Uuid(*it),
        }
    }

    /// The engine-independent form for a file.
    pub(super) fn to_json(&self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Bool(it) => i64::from(*it).into(),
            Self::Integer(it) => (*it).into(),
            // As text, because JSON numbers may be rounded and cannot represent infinity.
            Self::Real(it) => format!("{it:?}").into(),
            Self::Text(it) => it.as_str().into(),
            Self::Bytes(it) => hex::encode(it).into(),
            Self::Uuid(it) => hex::encode(it.as_bytes()).into(),
        }
    }

    /// Converts a value from a file to this column's type on this engine. `None` if it does not
    /// fit.
    pub(super) fn from_json(json: &Json, column: &Column) -> Option<Self> {
        if json.is_null() {
            return (!column.required).then_some(Self::Null);
        }
        Some(match (column.kind, column.own_type.as_str()) {
            (Kind::Integer, "boolean") => Self::Bool(match json.as_i64()? {
                0 => false,
                1 => true,
                _ => return None,
            }),
            (Kind::Integer, _) => Self::Integer(json.as_i64()?),
            (Kind::Real, _) => Self::Real(json.as_str()?.parse().ok()?),
            (Kind::Text, _) => Self::Text(json.as_str()?.to_owned()),
            (Kind::Bytes, "uuid") => {
                Self::Uuid(Uuid::from_slice(&hex::decode(json.as_str()?)?).ok()?)
            }
            (Kind::Bytes, _) => Self::Bytes(hex::decode(json.as_str()?)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(kind: Kind, own_type: &str) -> Column {
        Column { name: "c".into(), kind, required: false, own_type: own_type.into() }
    }

    #[test]
    fn a_value_comes_back_as_it_went() {
        let id = Uuid::from_u128(0x0190_a5e4_7b3c_7def_8123_4567_89ab_cdef);
        for (cell, kind, own_type, json) in [
            (Cell::Null, Kind::Text, "text", "null"),
            (Cell::Bool(true), Kind::Integer, "boolean", "1"),
            (Cell::Integer(i64::MIN), Kind::Integer, "bigint", "-9223372036854775808"),
            (Cell::Real(0.1 + 0.2), Kind::Real, "real", r#""0.30000000000000004""#),
            (Cell::Real(f64::INFINITY), Kind::Real, "real", r#""inf""#),
            (Cell::Text("a\n\"é\u{1f600}".into()), Kind::Text, "text", "\"a\\n\\\"é\u{1f600}\""),
            (Cell::Bytes(vec![0, 255, 16]), Kind::Bytes, "bytea", r#""00ff10""#),
            (Cell::Uuid(id), Kind::Bytes, "uuid", r#""0190a5e47b3c7def8123456789abcdef""#),
        ] {
            assert_eq!(cell.to_json().to_string(), json);
            let back = serde_json::from_str(json).unwrap();
            assert_eq!(Cell::from_json(&back, &column(kind, own_type)), Some(cell));
        }
    }

    #[test]
    fn one_engines_file_reads_in_the_others_words() {
        let yes = Cell::Bool(true).to_json();
        let id = Cell::Uuid(Uuid::max()).to_json();
        let read = |json, kind, own_type| Cell::from_json(json, &column(kind, own_type));
        assert_eq!(read(&yes, Kind::Integer, "integer"), Some(Cell::Integer(1)));
        assert_eq!(read(&id, Kind::Bytes, "blob"), Some(Cell::Bytes(vec![255; 16])));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut required = column(Kind::Text, "text");
        required.required = true;
        assert_eq!(Cell::from_json(&Json::Null, &required), None);
        for (text, kind, own_type) in [
            ("2", Kind::Integer, "boolean"),
            ("1.5", Kind::Integer, "bigint"),
            ("1", Kind::Text, "text"),
            (r#""0g""#, Kind::Bytes, "bytea"),
            (r#""0""#, Kind::Bytes, "bytea"),
            (r#""FF""#, Kind::Bytes, "bytea"),
            (r#""00""#, Kind::Bytes, "uuid"),
        ] {
            let json = serde_json::from_str(text).unwrap();
            assert_eq!(Cell::from_json(&json, &column(kind, own_type)), None, "{text}");
        }
    }
}
