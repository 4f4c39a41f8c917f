//! Multipart forms with images in OpenAPI.

use grantor_domain::image::{ImageType, MAX_AT_ONCE};
use utoipa::ToSchema;
use utoipa::openapi::content::Content;
use utoipa::openapi::encoding::{Encoding, EncodingBuilder};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{
    ArrayBuilder, KnownFormat, Object, ObjectBuilder, Schema, SchemaFormat, Type,
};
use utoipa::openapi::{ContentBuilder, RefOr, Required};

use super::tidy::{never_null, tidy};
use super::{Describe, OperationDoc};
use crate::frame::extract::Json;
use crate::frame::form::{Form, JsonOrForm, JsonOrImage};

const MEDIA_TYPE: &str = "multipart/form-data";
const IMAGES: &str = "images[]";
const IMAGE: &str = "image";

impl Describe for Form {
    fn describe(doc: &mut OperationDoc) {
        let mut form = Object::new();
        form.required.push(IMAGES.to_owned());
        let body = RequestBodyBuilder::new().content(MEDIA_TYPE, content(form, Some(1)));
        doc.body = Some(body.required(Some(Required::True)).build());
    }
}

impl<T: ToSchema> Describe for JsonOrForm<T> {
    fn describe(doc: &mut OperationDoc) {
        Json::<T>::describe(doc);
        let form = match T::schema() {
            RefOr::T(Schema::Object(members)) => members,
            _ => Object::new(),
        };
        if let Some(body) = &mut doc.body {
            body.content.insert(MEDIA_TYPE.to_owned(), RefOr::T(content(form, None)));
        }
    }
}

impl<T: ToSchema> Describe for JsonOrImage<T> {
    fn describe(doc: &mut OperationDoc) {
        Json::<T>::describe(doc);
        let mut form = Object::new();
        form.required.push(IMAGE.to_owned());
        let file = file().description(Some("A JPEG, PNG or WebP image of up to 10 MiB."));
        form.properties.insert(IMAGE.to_owned(), RefOr::T(Schema::Object(file.build())));
        let schema = RefOr::T(Schema::Object(form));
        let content = ContentBuilder::new().schema(Some(schema)).encoding(IMAGE, image_types());
        if let Some(body) = &mut doc.body {
            body.content.insert(MEDIA_TYPE.to_owned(), RefOr::T(content.build()));
        }
    }
}

fn file() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
}

fn image_types() -> Encoding {
    let types = ImageType::ALL.map(ImageType::name).join(", ");
    EncodingBuilder::new().content_type(Some(types)).build()
}

/// Returns the content of a form with these fields and at least `min` images.
fn content(mut form: Object, min: Option<usize>) -> Content {
    let files = ArrayBuilder::new()
        .items(file())
        .min_items(min)
        .max_items(Some(MAX_AT_ONCE))
        .description(Some("JPEG, PNG or WebP images of up to 10 MiB each."));
    form.properties = std::mem::take(&mut form.properties)
        .into_iter()
        .map(|(name, member)| (name, never_null(tidy(member))))
        .collect();
    form.properties.insert(IMAGES.to_owned(), RefOr::T(Schema::from(files.build())));
    let schema = RefOr::T(Schema::Object(form));
    ContentBuilder::new().schema(Some(schema)).encoding(IMAGES, image_types()).build()
}
