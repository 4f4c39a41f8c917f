//! Merges `allOf` into one object: client generators drop some compositions, and an object is
//! easier to read.

use std::collections::BTreeMap;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AllOf, Object, Schema};

/// Replaces every composition of objects with an object.
pub(super) fn flatten(schemas: &mut BTreeMap<String, RefOr<Schema>>) {
    let known = schemas.clone();
    for schema in schemas.values_mut() {
        if let RefOr::T(Schema::AllOf(all)) = schema
            && let Some(object) = merged(all, &known)
        {
            *schema = RefOr::T(Schema::Object(object));
        }
    }
}

/// Returns an object with the members of all parts, or `None` if one is no object.
fn merged(all: &AllOf, known: &BTreeMap<String, RefOr<Schema>>) -> Option<Object> {
    let mut whole = Object::new();
    for part in &all.items {
        let part = object(part, known)?;
        whole.properties.extend(part.properties);
        whole.required.extend(part.required);
    }
    whole.description.clone_from(&all.description);
    Some(whole)
}

fn object(part: &RefOr<Schema>, known: &BTreeMap<String, RefOr<Schema>>) -> Option<Object> {
    match part {
        RefOr::Ref(to) => object(known.get(to.ref_location.rsplit('/').next()?)?, known),
        RefOr::T(Schema::Object(object)) => Some(object.clone()),
        RefOr::T(Schema::AllOf(all)) => merged(all, known),
        RefOr::T(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use utoipa::openapi::Ref;
    use utoipa::openapi::schema::{AllOfBuilder, ObjectBuilder, Type};

    use super::*;

    #[test]
    fn parts_become_one_object() {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let base = ObjectBuilder::new().property("id", text()).required("id");
        let more = ObjectBuilder::new().property("note", text());
        let whole = AllOfBuilder::new()
            .item(Ref::from_schema_name("Base"))
            .item(more)
            .description(Some("Both."));
        let mut schemas: BTreeMap<String, RefOr<Schema>> =
            BTreeMap::from([("Base".to_owned(), base.into()), ("Whole".to_owned(), whole.into())]);
        flatten(&mut schemas);
        let expected = serde_json::json!({
            "type": "object",
            "description": "Both.",
            "required": ["id"],
            "properties": { "id": { "type": "string" }, "note": { "type": "string" } },
        });
        assert_eq!(serde_json::to_value(&schemas["Whole"]).unwrap(), expected);
    }
}
