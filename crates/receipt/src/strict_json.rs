//! JSON without duplicate members, so that no two readers can see different values.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Parses exactly one JSON value. Objects with duplicate members are refused.
pub(crate) fn parse(bytes: &[u8]) -> Option<Value> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Strict.deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    Some(value)
}

/// Parses exactly one JSON object.
pub(crate) fn parse_object(bytes: &[u8]) -> Option<Map<String, Value>> {
    match parse(bytes)? {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

#[derive(Clone, Copy)]
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value without duplicate members")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(self)? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(self)?;
            if object.insert(name, value).is_some() {
                return Err(de::Error::custom("duplicate member"));
            }
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicate_members_are_refused_at_any_depth() {
        let fine = br#"{"a":[1,-1,0.5,null,true,"x",{"a":{}}],"b":1}"#;
        assert_eq!(parse(fine).unwrap(), serde_json::from_slice::<Value>(fine).unwrap());
        for bad in [
            r#"{"a":1,"a":1}"#,
            r#"{"a":1,"\u0061":2}"#,
            r#"[{"b":{"a":1,"a":2}}]"#,
            r#"{"a":1}{"a":1}"#,
            r#"{"a":1} x"#,
            "",
        ] {
            assert_eq!(parse(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        assert_eq!(parse(deep.as_bytes()), None);
    }
}
