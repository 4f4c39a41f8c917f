//! Webhook requests in the OpenAPI document, one per event type.

use grantor_domain::event::EventType;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{ContentBuilder, Paths, Ref, Required, ResponseBuilder};

use crate::external::payload::{event_summary, schema_name};

/// The headers of Standard Webhooks.
const HEADERS: [(&str, &str); 3] = [
    ("webhook-id", "The event ID. It is the same for every attempt, to detect duplicates"),
    ("webhook-timestamp", "When this attempt was made, in Unix seconds"),
    (
        "webhook-signature",
        "A space-separated list of signatures, one for each active secret: `v1,` followed by the \
         base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. The key is the \
         base64-decoded part of the secret after `whsec_`",
    ),
];

/// Returns the requests by event type.
pub(super) fn describe() -> Paths {
    let mut requests = Paths::new();
    for kind in EventType::ALL {
        requests.add_path_operation(kind.name(), vec![HttpMethod::Post], operation(kind));
    }
    requests
}

fn operation(kind: EventType) -> Operation {
    let schema = Ref::from_schema_name(schema_name(kind));
    let body = RequestBodyBuilder::new()
        .content("application/json", ContentBuilder::new().schema(Some(schema)).build())
        .required(Some(Required::True))
        .build();
    let response = |about: &str| ResponseBuilder::new().description(about).build();
    let failed = "The delivery failed and will be retried, no sooner than `Retry-After`";
    OperationBuilder::new()
        .tag("webhooks")
        .summary(Some(event_summary(kind)))
        .operation_id(Some(format!("on_{}", kind.name().replace('.', "_"))))
        .parameters(Some(HEADERS.map(|(name, about)| header(name, about))))
        .request_body(Some(body))
        .response("2XX", response("The event was received"))
        .response("410", response("The receiver no longer wants events. The webhook is disabled"))
        .response("default", response(failed))
        .build()
}

fn header(name: &str, about: &str) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::True)
        .description(Some(about))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .build()
}
