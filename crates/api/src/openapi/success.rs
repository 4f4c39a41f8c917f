//! Successful responses of operations.

use utoipa::openapi::content::Content;
use utoipa::openapi::{ContentBuilder, Response, ResponseBuilder};

use super::example::Examples;
use super::header;
use crate::frame::describe::tidy::tidy;
use crate::frame::describe::{OperationDoc, ResponseDoc};
use crate::frame::route::Described;

/// Returns the successful responses of an operation by status.
pub(super) fn responses(examples: &Examples, route: &Described) -> Vec<(String, Response)> {
    let doc = &route.doc;
    let with_body = doc.responses.iter().map(|it| (it.status, with_body(examples, doc, it)));
    let empty = |status| (status, ResponseBuilder::new().description(about(status)).build());
    let mut responses: Vec<_> = with_body.collect();
    responses.extend(doc.no_content.then(|| empty(204)));
    responses.extend(route.info.if_none_match.then(|| empty(304)));
    let named = responses.into_iter().map(|(status, mut response)| {
        header::add(&mut response, status, &route.info, doc);
        (status.to_string(), response)
    });
    named.collect()
}

fn with_body(examples: &Examples, doc: &OperationDoc, success: &ResponseDoc) -> Response {
    let schema = tidy(success.schema.clone());
    // Files have none.
    let example = doc.media_type.is_none().then(|| examples.response(&schema));
    let content = ContentBuilder::new().schema(Some(schema)).example(example).build();
    let media_type = doc.media_type.unwrap_or("application/json");
    let response =
        ResponseBuilder::new().description(about(success.status)).content(media_type, content);
    let others = doc.other_media_types.iter();
    others.fold(response, |response, name| response.content(*name, Content::default())).build()
}

const fn about(status: u16) -> &'static str {
    match status {
        201 => "Created",
        202 => "Accepted",
        204 => "No content",
        304 => "Not modified",
        _ => "OK",
    }
}
