//! Headers of responses. Each is described once; responses refer to them.

use serde_json::{Value, json};
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Response};

use crate::frame::describe::OperationDoc;
use crate::frame::route::{Limit, RouteInfo};

/// The headers with their descriptions and examples. The example also tells the type.
fn all() -> [(&'static str, &'static str, Value); 11] {
    [
        (
            "Content-Disposition",
            "The suggested name of the file.",
            json!("attachment; filename=\"GR-2026-000042.pdf\""),
        ),
        (
            "ETag",
            "The version of the record, for `If-Match` and `If-None-Match`.",
            json!("\"3-9f86d081884c7d659a2feaa0c55ad015\""),
        ),
        (
            "Idempotent-Replayed",
            "Present and `true` if the response is that of an earlier request with the same \
             `Idempotency-Key`. Errors that are returned again have it, too.",
            json!("true"),
        ),
        (
            "Link",
            "Links to the `first`, `prev`, `next` and `last` page of the list, or to other formats of \
             the record (RFC 8288).",
            json!("</licenses?page=2>; rel=\"next\", </licenses?page=3>; rel=\"last\""),
        ),
        ("Retry-After", "How many seconds to wait before the request is repeated.", json!(30)),
        ("WWW-Authenticate", "How to authenticate: `Bearer` or `Basic`.", json!("Bearer")),
        (
            "X-Ignored-Fields",
            "The names of the members of the request body that were ignored, if there are any, \
             separated by commas.",
            json!("id, created_at"),
        ),
        ("X-RateLimit-Limit", "The number of requests in a window of the rate limit.", json!(100)),
        ("X-RateLimit-Remaining", "The number of requests left in the window.", json!(99)),
        ("X-RateLimit-Reset", "When the window ends, in Unix seconds.", json!(1_767_225_660)),
        (
            "X-Request-Id",
            "The ID of the request in the server's log: that of the request header \
             `X-Request-Id`, or else a new one.",
            json!("019b8c52-6b1e-7a90-9c1d-3f5e7a2b4c28"),
        ),
    ]
}

/// Returns all headers by name.
pub(super) fn components() -> Vec<(&'static str, Header)> {
    all().into_iter().map(|(name, about, example)| (name, header(about, example))).collect()
}

fn header(about: &str, example: Value) -> Header {
    let kind = if example.is_number() { Type::Integer } else { Type::String };
    HeaderBuilder::new()
        .schema(Some(ObjectBuilder::new().schema_type(kind).build()))
        .description(Some(about))
        .example(Some(example))
        .build()
}

/// Adds the headers that a response with this status has.
pub(super) fn add(response: &mut Response, status: u16, info: &RouteInfo, doc: &OperationDoc) {
    let mut names = vec!["X-Request-Id"];
    // Requests without HTTPS count by address on every route.
    if status == 403 || !matches!(info.limit, Limit::Unlimited | Limit::Quiet(_)) {
        names.extend(["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]);
    }
    match status {
        200..300 | 304 => {
            if info.if_none_match {
                names.push("ETag");
            }
            if info.idempotent {
                names.push("Idempotent-Replayed");
            }
            names.extend(doc.headers.iter().chain(info.headers));
        }
        401 => names.push("WWW-Authenticate"),
        409 if info.idempotent => names.push("Retry-After"),
        429 | 503 => names.push("Retry-After"),
        _ => {}
    }
    for name in names {
        let reference = Ref::new(format!("#/components/headers/{name}"));
        response.headers.insert(name.to_owned(), RefOr::Ref(reference));
    }
}
