//! The requests that receivers get: one for each kind of event.

use grantor_domain::event::EventType;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{ContentBuilder, Paths, Ref, Required, ResponseBuilder};

use crate::external::payload::{occasion, schema_name};

/// Each is sent as Standard Webhooks says.
const HEADERS: [(&str, &str); 3] = [
    ("webhook-id", "The event's id, the same at every attempt: what came before is known by it"),
    ("webhook-timestamp", "When this attempt was made, in Unix seconds"),
    (
        "webhook-signature",
        "For each secret in use, `v1,` and the base64 of HMAC-SHA256 over \
         `{webhook-id}.{webhook-timestamp}.{body}`, parted by spaces. The key is what follows \
         `whsec_`, decoded from base64",
    ),
];

/// The requests, by the kind of event.
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
    let answer = |about: &str| ResponseBuilder::new().description(about).build();
    OperationBuilder::new()
        .tag("webhooks")
        .summary(Some(occasion(kind)))
        .operation_id(Some(format!("on_{}", kind.name().replace('.', "_"))))
        .parameters(Some(HEADERS.map(|(name, about)| header(name, about))))
        .request_body(Some(body))
        .response("2XX", answer("It arrived"))
        .response("410", answer("The receiver wants no more: the webhook is disabled"))
        .response("default", answer("It is tried again, after `Retry-After` where that is longer"))
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
