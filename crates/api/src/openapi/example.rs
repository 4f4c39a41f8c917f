//! Examples of requests and responses, composed from schemas: a schema's own example, or else the
//! first value in `samples.json` that fits.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

/// Values by member name, in snake case, most suitable first. A name can be qualified by the schema
/// or by the member that contains it, such as `Mention.title` and `owner.name`. Objects by the name
/// of their schema, which may have several forms, are examples of their own. An optional member
/// without any value is left out.
const SAMPLES: &str = include_str!("samples.json");

const ID: &str = "019b8c52-6b1e-7a90-9c1d-3f5e7a2b4c00";
const TIME: &str = "2026-01-15T09:30:00Z";

/// Composes examples.
pub(super) struct Examples {
    schemas: Map<String, Value>,
    samples: Map<String, Value>,
}

/// Where a value is.
#[derive(Clone, Copy, Default)]
struct Place<'a> {
    /// The schema that contains it.
    schema: &'a str,
    /// The member that contains it.
    parent: &'a str,
    /// The member whose value it is.
    name: &'a str,
    /// Whether optional members are left out.
    short: bool,
}

impl Examples {
    /// Composes examples of these schemas.
    pub(super) fn new(schemas: &BTreeMap<String, RefOr<Schema>>) -> Self {
        let json = |it: &RefOr<Schema>| serde_json::to_value(it).unwrap_or_default();
        Self {
            schemas: schemas.iter().map(|(name, schema)| (name.clone(), json(schema))).collect(),
            samples: serde_json::from_str(SAMPLES).unwrap_or_default(),
        }
    }

    /// Returns an example with all members.
    pub(super) fn response(&self, schema: &RefOr<Schema>) -> Value {
        self.of(schema, Place::default())
    }

    /// Returns the schema's own example, or else one with its required members.
    pub(super) fn request(&self, schema: &RefOr<Schema>) -> Value {
        self.of(schema, Place { short: true, ..Place::default() })
    }

    /// Returns an example of a parameter.
    pub(super) fn parameter(&self, name: &str, schema: &RefOr<Schema>) -> Value {
        self.of(schema, Place { name, ..Place::default() })
    }

    /// Returns the name of the first required member.
    pub(super) fn first_required(&self, schema: &RefOr<Schema>) -> Option<String> {
        let schema = serde_json::to_value(schema).ok()?;
        let (_, schema) = self.resolve("", &schema);
        Some(schema["required"].get(0)?.as_str()?.to_owned())
    }

    fn of(&self, schema: &RefOr<Schema>, place: Place<'_>) -> Value {
        self.value(&serde_json::to_value(schema).unwrap_or_default(), place)
    }

    /// Follows a reference, and returns the name of the schema with it.
    fn resolve<'a>(&'a self, name: &'a str, schema: &'a Value) -> (&'a str, &'a Value) {
        let reference = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next());
        match reference {
            Some(name) => (name, self.schemas.get(name).unwrap_or(&Value::Null)),
            None => (name, schema),
        }
    }

    fn value(&self, schema: &Value, place: Place<'_>) -> Value {
        let whole = schema.get("$ref").is_some();
        let (name, schema) = self.resolve(place.schema, schema);
        let place = Place { schema: name, ..place };
        let whole = self.samples.get(name).filter(|_| whole).and_then(Value::as_array);
        let whole = whole.and_then(|it| it.iter().find(|it| fits(schema, it)));
        let own = whole.or_else(|| schema.get("example")).or_else(|| schema["examples"].get(0));
        if let Some(value) = own.or_else(|| self.sample(schema, place)) {
            return value.clone();
        }
        if let Some(several) = forms(schema) {
            let first = several.iter().find(|it| !is(it, "null"));
            return first.map_or(Value::Null, |it| self.value(it, place));
        }
        if let Some(first) = schema["enum"].get(0) {
            return first.clone();
        }
        if let Some(members) = schema["properties"].as_object() {
            return self.object(schema, members, place);
        }
        if is(schema, "array") {
            return json!([self.value(&schema["items"], place)]);
        }
        plain(schema)
    }

    fn object(&self, schema: &Value, members: &Map<String, Value>, place: Place<'_>) -> Value {
        let required = schema["required"].as_array();
        let required = |name: &str| required.is_some_and(|it| it.iter().any(|it| it == name));
        let parent = if place.name.is_empty() { place.parent } else { place.name };
        let places = members.iter().map(|(name, schema)| (Place { parent, name, ..place }, schema));
        let shown = places.filter(|(it, _)| {
            required(it.name)
                || !place.short && self.samples(*it).first().is_none_or(|it| !it.is_empty())
        });
        shown.map(|(it, schema)| (it.name.to_owned(), self.value(schema, it))).collect()
    }

    /// Returns the first sample that fits.
    fn sample(&self, schema: &Value, place: Place<'_>) -> Option<&Value> {
        self.samples(place).into_iter().flatten().find(|it| fits(schema, it))
    }

    /// Returns the samples of a member, those of the most specific name first.
    fn samples(&self, place: Place<'_>) -> Vec<&Vec<Value>> {
        let (name, parent) = (snake_case(place.name), snake_case(place.parent));
        let names = [format!("{}.{name}", place.schema), format!("{parent}.{name}"), name];
        names.iter().filter_map(|it| self.samples.get(it)?.as_array()).collect()
    }
}

/// Whether a sample fits a schema.
fn fits(schema: &Value, sample: &Value) -> bool {
    if let Some(values) = schema["enum"].as_array() {
        return values.contains(sample);
    }
    match sample {
        Value::Null => is(schema, "null") || any_is(schema, "null"),
        Value::Bool(_) => is(schema, "boolean"),
        Value::Number(number) => {
            let whole = is(schema, "integer") && !number.is_f64();
            let within = |bound: &Value, fits: fn(f64, f64) -> bool| {
                bound.as_f64().zip(number.as_f64()).is_none_or(|(bound, it)| fits(it, bound))
            };
            (whole || is(schema, "number"))
                && within(&schema["minimum"], |it, least| it >= least)
                && within(&schema["maximum"], |it, most| it <= most)
        }
        Value::String(text) => is(schema, "string") && has_format(schema, text),
        Value::Object(members) => match schema["properties"].as_object() {
            Some(known) => {
                let required = schema["required"].as_array().into_iter().flatten();
                let mut required = required.filter_map(Value::as_str);
                members.keys().all(|it| known.contains_key(it))
                    && required.all(|it| members.contains_key(it))
            }
            None => is(schema, "object") || schema.get("type").is_none(),
        },
        Value::Array(_) => is(schema, "array"),
    }
}

fn has_format(schema: &Value, text: &str) -> bool {
    let digits = |it: &str| it.bytes().take_while(u8::is_ascii_digit).count();
    match schema["format"].as_str() {
        Some("uuid") => text.len() == ID.len() && text.split('-').count() == 5,
        Some("date-time") => text.len() == TIME.len() && digits(text) == 4 && text.ends_with('Z'),
        Some("uri") => text.starts_with("https://"),
        Some("email") => text.contains('@'),
        Some("date" | "binary") => false,
        _ => true,
    }
}

/// Whether the schema allows this type.
fn is(schema: &Value, kind: &str) -> bool {
    match &schema["type"] {
        Value::String(one) => one == kind,
        Value::Array(several) => several.iter().any(|it| it == kind),
        _ => false,
    }
}

/// The schemas of a value that has several forms.
fn forms(schema: &Value) -> Option<&Vec<Value>> {
    schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array())
}

fn any_is(schema: &Value, kind: &str) -> bool {
    forms(schema).is_some_and(|it| it.iter().any(|it| is(it, kind)))
}

/// Returns a value of a type that no sample is for. A text without a format is empty, which
/// `tests/http/described.rs` notices.
fn plain(schema: &Value) -> Value {
    if is(schema, "boolean") {
        return json!(false);
    }
    if is(schema, "integer") || is(schema, "number") {
        return schema
            .get("minimum")
            .filter(|it| it.as_f64() > Some(1.0))
            .cloned()
            .unwrap_or(json!(1));
    }
    if is(schema, "object") || !is(schema, "string") {
        return json!({});
    }
    json!(match schema["format"].as_str() {
        Some("uuid") => ID,
        Some("date-time") => TIME,
        Some("date") => "2026-01-15",
        Some("uri") => "https://grantor.example",
        Some("email") => "wren@holloway.example",
        Some("binary") => "(binary)",
        _ => "",
    })
}

/// Returns a member name in snake case.
pub(super) fn snake_case(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples(schemas: Value) -> Examples {
        let Value::Object(schemas) = schemas else { panic!("schemas by name") };
        Examples { schemas, samples: serde_json::from_str(SAMPLES).unwrap() }
    }

    #[test]
    fn an_example_has_the_values_that_fit() {
        let schemas = json!({
            "Owner": { "type": "object", "properties": { "name": { "type": "string" } } },
            "Record": {
                "type": "object",
                "required": ["id"],
                "properties": {
                    "id": { "type": "string", "format": "uuid" },
                    "status": { "type": "string", "enum": ["draft", "public"] },
                    "owner": { "$ref": "#/components/schemas/Owner" },
                    "revokedAt": { "type": ["string", "null"], "format": "date-time" },
                    "perPage": { "type": "integer", "maximum": 100 },
                },
            },
        });
        let (examples, record) = (examples(schemas), json!({ "$ref": "#/x/Record" }));
        let whole = json!({
            "id": ID, "status": "public", "owner": { "name": "Quillfeather Talent" },
            "revokedAt": null, "perPage": 20,
        });
        assert_eq!(examples.value(&record, Place::default()), whole);
        let short = Place { short: true, ..Place::default() };
        assert_eq!(examples.value(&record, short), json!({ "id": ID }));
    }

    #[test]
    fn a_schema_with_an_example_has_that() {
        let schema = json!({ "type": "string", "example": "mine" });
        assert_eq!(examples(json!({})).value(&schema, Place::default()), "mine");
    }
}
