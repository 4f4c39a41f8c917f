//! Webhook requests in the OpenAPI document, one per event type.

use grantor_domain::event::EventType;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{ContentBuilder, Paths, Ref, RefOr, Required, ResponseBuilder};

use super::example::Examples;
use super::group;
use crate::external::payload::{event_summary, schema_name};

/// The headers of Standard Webhooks.
const HEADERS: [(&str, &str, &str); 3] = [
    (
        "webhook-id",
        "019b8c52-6b1e-7a90-9c1d-3f5e7a2b4c16",
        "The event ID. It is the same for every attempt, to detect duplicates",
    ),
    ("webhook-timestamp", "1767225600", "When this attempt was made, in Unix seconds"),
    (
        "webhook-signature",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
        "A space-separated list of signatures, one for each active secret: `v1,` followed by the \
         base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. The key is the \
         base64-decoded part of the secret after `whsec_`",
    ),
];

/// Returns the requests by event type.
pub(super) fn describe(examples: &Examples) -> Paths {
    let mut requests = Paths::new();
    for kind in EventType::ALL {
        requests.add_path_operation(kind.name(), vec![HttpMethod::Post], operation(kind, examples));
    }
    requests
}

fn description(kind: EventType) -> String {
    format!(
        "{}. Sent to the webhooks of the caller's tenant that want events of the type `{}`. Verify \
         the signature, and answer with a 2xx status within 15 seconds; other answers are retried.",
        event_summary(kind),
        kind.name()
    )
}

fn operation(kind: EventType, examples: &Examples) -> Operation {
    let schema = RefOr::Ref(Ref::from_schema_name(schema_name(kind)));
    let example = examples.response(&schema);
    let content = ContentBuilder::new().schema(Some(schema)).example(Some(example)).build();
    let body = RequestBodyBuilder::new()
        .content("application/json", content)
        .required(Some(Required::True))
        .build();
    let response = |about: &str| ResponseBuilder::new().description(about).build();
    let failed = "The delivery failed and will be retried, no sooner than `Retry-After`";
    OperationBuilder::new()
        .tag(group::EVENTS)
        .summary(Some(event_summary(kind)))
        .description(Some(description(kind)))
        .operation_id(Some(format!("on_{}", kind.name().replace('.', "_"))))
        .parameters(Some(HEADERS.map(|(name, example, about)| header(name, example, about))))
        .request_body(Some(body))
        .response("2XX", response("The event was received"))
        .response("410", response("The receiver no longer wants events. The webhook is disabled"))
        .response("default", response(failed))
        .build()
}

fn header(name: &str, example: &str, about: &str) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::True)
        .description(Some(about))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .example(Some(example.into()))
        .build()
}
