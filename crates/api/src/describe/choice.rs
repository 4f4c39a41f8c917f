//! Bodies that are one of several objects, told apart by the members they have.

use utoipa::PartialSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};

/// A value's schema with a description.
pub(crate) fn described<T: PartialSchema>(text: &str) -> RefOr<Schema> {
    match T::schema() {
        RefOr::T(Schema::Object(mut object)) => {
            object.description = Some(text.to_owned());
            RefOr::T(Schema::Object(object))
        }
        other => other,
    }
}

/// An object that has all of these members.
pub(crate) fn object<const N: usize>(members: [(&str, RefOr<Schema>); N]) -> ObjectBuilder {
    members.into_iter().fold(ObjectBuilder::new(), |object, (name, schema)| {
        object.property(name, schema).required(name)
    })
}

/// The same, which has none of those.
pub(crate) fn without(object: ObjectBuilder, names: &[&str]) -> ObjectBuilder {
    names.iter().fold(object, |object, name| {
        object.property(*name, ObjectBuilder::new().schema_type(SchemaType::Type(Type::Null)))
    })
}
