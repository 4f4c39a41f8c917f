//! Simplifies derived schemas: removes wrappers, so that everything about a field is in one place
//! for readers and client generators.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AdditionalProperties, AllOf, ArrayItems, Object, OneOf, Schema, SchemaType, Type,
};

/// Returns an equivalent schema that merges descriptions into the schemas they describe, and
/// expresses nullable values as two types instead of `oneOf`.
pub(crate) fn tidy(schema: RefOr<Schema>) -> RefOr<Schema> {
    match schema {
        RefOr::T(schema) => RefOr::T(tidy_schema(schema)),
        reference @ RefOr::Ref(_) => reference,
    }
}

fn tidy_schema(schema: Schema) -> Schema {
    match schema {
        Schema::Object(object) => Schema::Object(tidy_members(object)),
        Schema::Array(mut array) => {
            if let ArrayItems::RefOrSchema(items) = array.items {
                array.items = ArrayItems::RefOrSchema(Box::new(tidy(*items)));
            }
            Schema::Array(array)
        }
        Schema::OneOf(mut one) => {
            one.items = one.items.into_iter().map(tidy).collect();
            nullable(one)
        }
        Schema::AllOf(mut all) => {
            all.items = all.items.into_iter().map(tidy).collect();
            annotated(all)
        }
        other => other,
    }
}

fn tidy_members(mut object: Object) -> Object {
    // openapi-generator reads only `example`, and can't make one up from most patterns.
    if object.pattern.is_some() && object.example.is_none() {
        object.example = object.examples.pop();
    }
    let members = std::mem::take(&mut object.properties);
    object.properties = members.into_iter().map(|(name, member)| (name, tidy(member))).collect();
    // Client generators don't assume that an object without members can have any.
    if object.properties.is_empty() && object.additional_properties.is_none() && is_object(&object)
    {
        object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(true)));
    }
    if let Some(more) = object.additional_properties.take() {
        object.additional_properties = Some(Box::new(match *more {
            AdditionalProperties::RefOr(schema) => AdditionalProperties::RefOr(tidy(schema)),
            other @ AdditionalProperties::FreeForm(_) => other,
        }));
    }
    object
}

/// Merges null into the schema's type.
fn nullable(mut one: OneOf) -> Schema {
    if one.items.len() != 2 || !is_null(&one.items[1]) || one.default.is_some() {
        return Schema::OneOf(one);
    }
    match one.items.swap_remove(0) {
        RefOr::T(Schema::Object(mut object)) if is_one(&object.schema_type) => {
            or_null(&mut object.schema_type);
            if let Some(values) = &mut object.enum_values {
                values.push(serde_json::Value::Null);
            }
            object.description = one.description.or(object.description);
            Schema::Object(object)
        }
        RefOr::T(Schema::Array(mut array)) if is_one(&array.schema_type) => {
            or_null(&mut array.schema_type);
            array.description = one.description.or(array.description);
            Schema::Array(array)
        }
        other => {
            one.items.insert(0, other);
            Schema::OneOf(one)
        }
    }
}

/// Returns the schema without null, which form fields can't be.
pub(crate) fn never_null(schema: RefOr<Schema>) -> RefOr<Schema> {
    match schema {
        RefOr::T(Schema::Object(mut object)) => {
            not_null(&mut object.schema_type);
            if let Some(values) = &mut object.enum_values {
                values.retain(|it| !it.is_null());
            }
            RefOr::T(Schema::Object(object))
        }
        RefOr::T(Schema::Array(mut array)) => {
            not_null(&mut array.schema_type);
            RefOr::T(Schema::Array(array))
        }
        RefOr::T(Schema::OneOf(mut one)) => {
            one.items.retain(|it| !is_null(it));
            match one.items.pop() {
                Some(only) if one.items.is_empty() => only,
                last => {
                    one.items.extend(last);
                    RefOr::T(Schema::OneOf(one))
                }
            }
        }
        other => other,
    }
}

fn not_null(kind: &mut SchemaType) {
    if let SchemaType::Array(types) = kind {
        types.retain(|it| *it != Type::Null);
        if let [one] = types.as_slice() {
            *kind = SchemaType::Type(one.clone());
        }
    }
}

fn is_object(object: &Object) -> bool {
    match &object.schema_type {
        SchemaType::Type(kind) => *kind == Type::Object,
        SchemaType::Array(kinds) => kinds.contains(&Type::Object),
        SchemaType::AnyValue => false,
    }
}

fn is_null(schema: &RefOr<Schema>) -> bool {
    match schema {
        RefOr::T(Schema::Object(object)) => object.schema_type == SchemaType::Type(Type::Null),
        _ => false,
    }
}

const fn is_one(kind: &SchemaType) -> bool {
    matches!(kind, SchemaType::Type(_))
}

/// Adds null to a type.
fn or_null(kind: &mut SchemaType) {
    if let SchemaType::Type(one) = kind {
        *kind = SchemaType::from_iter([one.clone(), Type::Null]);
    }
}

/// Merges the field's description and default into the schema.
fn annotated(mut all: AllOf) -> Schema {
    let [_, RefOr::T(Schema::Object(about))] = all.items.as_slice() else {
        return Schema::AllOf(all);
    };
    if !about.properties.is_empty() || all.description.is_some() {
        return Schema::AllOf(all);
    }
    let (description, default) = (about.description.clone(), about.default.clone());
    match all.items.swap_remove(0) {
        RefOr::T(Schema::Object(mut object)) => {
            object.description = description.or(object.description);
            object.default = default.or(object.default);
            Schema::Object(object)
        }
        RefOr::T(Schema::Array(mut array)) => {
            array.description = description.or(array.description);
            Schema::Array(array)
        }
        RefOr::T(Schema::OneOf(mut one)) => {
            one.description = description.or(one.description);
            one.default = default.or(one.default);
            Schema::OneOf(one)
        }
        other => {
            all.items.insert(0, other);
            Schema::AllOf(all)
        }
    }
}
