//! Schemas of bodies that are one of several objects, distinguished by their fields.

use utoipa::PartialSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};

/// Returns a value's schema with a description.
pub(crate) fn described<T: PartialSchema>(text: &str) -> RefOr<Schema> {
    match T::schema() {
        RefOr::T(Schema::Object(mut object)) => {
            object.description = Some(text.to_owned());
            RefOr::T(Schema::Object(object))
        }
        other => other,
    }
}

/// Returns an object with these required fields.
pub(crate) fn object<const N: usize>(members: [(&str, RefOr<Schema>); N]) -> ObjectBuilder {
    members.into_iter().fold(ObjectBuilder::new(), |object, (name, schema)| {
        object.property(name, schema).required(name)
    })
}

/// Returns the schema of a field that only another of the objects has.
pub(crate) fn absent(text: &str) -> RefOr<Schema> {
    let kinds = SchemaType::from_iter([Type::String, Type::Null]);
    ObjectBuilder::new().schema_type(kinds).description(Some(text)).max_length(Some(0)).into()
}
