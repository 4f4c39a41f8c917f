//! Error responses of operations: each status with its error codes, and an example answer per code.

use std::collections::BTreeMap;
use std::mem::discriminant;

use serde_json::Value;
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use super::Parts;
use super::example::Examples;
use super::header;
use crate::frame::api::Api;
use crate::frame::oauth;
use crate::frame::problem::{
    IN_PROGRESS, Problem, ProblemKind, QUOTA_EXCEEDED, RATE_LIMITED, UNAVAILABLE,
};
use crate::frame::route::{Access, Described, Limit};

const REQUEST_ID: &str = "019b8c52-6b1e-7a90-9c1d-3f5e7a2b4c28";

/// An error that an operation can return.
struct Case {
    kind: ProblemKind,
    /// When it occurs.
    about: &'static str,
    /// Whether only this operation describes it so.
    specific: bool,
}

/// Responses that several operations share.
#[derive(Default)]
pub(super) struct SharedResponses(BTreeMap<String, Response>);

impl SharedResponses {
    /// Returns all responses by name.
    pub(super) fn into_components(self) -> impl Iterator<Item = (String, Response)> {
        self.0.into_iter()
    }

    /// Returns a reference to the response, which is named after its status.
    fn share(&mut self, status: http::StatusCode, response: Response) -> RefOr<Response> {
        let reason = status.canonical_reason().unwrap_or("Error").replace(' ', "");
        let names = (1..).map(|number| match number {
            1 => reason.clone(),
            _ => format!("{reason}{number}"),
        });
        for name in names {
            let known = self.0.entry(name.clone()).or_insert_with(|| response.clone());
            if *known == response {
                return RefOr::Ref(Ref::new(format!("#/components/responses/{name}")));
            }
        }
        RefOr::T(response)
    }
}

/// Returns the error responses of an operation by status.
pub(super) fn responses(
    parts: &mut Parts<'_>,
    route: &Described,
) -> Vec<(String, RefOr<Response>)> {
    let mut by_status = BTreeMap::<u16, Vec<Case>>::new();
    for case in cases(route) {
        let (status, _) = parts.api.status_and_code(&case.kind);
        by_status.entry(status.as_u16()).or_default().push(case);
    }
    let mut found = Vec::new();
    for (status, cases) in by_status {
        let mut response = response(parts, route, &cases);
        header::add(&mut response, status, &route.info, &route.doc);
        // The example of an invalid request names a member of this operation.
        let own = status == 400 || cases.iter().any(|it| it.specific);
        let response = match http::StatusCode::from_u16(status) {
            Ok(status) if !own => parts.shared.share(status, response),
            _ => RefOr::T(response),
        };
        found.push((status.to_string(), response));
    }
    found
}

fn response(parts: &Parts<'_>, route: &Described, cases: &[Case]) -> Response {
    let schema = if route.info.oauth { oauth::error_schema() } else { parts.error.clone() };
    let mut lines = Vec::new();
    let mut examples = BTreeMap::<String, Example>::new();
    for case in cases {
        let (code, value) = answer(parts.api, route, &parts.examples, case);
        lines.push(format!("`{code}`: {}", case.about));
        let example = || ExampleBuilder::new().summary(case.about).value(Some(value)).build();
        examples.entry(code.to_owned()).or_insert_with(example);
    }
    let description = match lines.as_slice() {
        [only] => only.clone(),
        several => several.iter().map(|it| format!("- {it}")).collect::<Vec<_>>().join("\n"),
    };
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name(&*schema)))
        .examples_from_iter(examples)
        .build();
    ResponseBuilder::new().description(description).content("application/json", content).build()
}

/// Returns the code of an error and its body, rendered like those of requests.
fn answer(api: Api, route: &Described, examples: &Examples, case: &Case) -> (&'static str, Value) {
    let mut problem = Problem::new(case.kind.clone(), format!("{}.", case.about));
    if case.kind == ProblemKind::Validation {
        problem.fields.extend(invalid_field(route, examples));
    }
    if route.info.oauth {
        return oauth::error_body(&problem);
    }
    let (_, code) = api.status_and_code(&case.kind);
    (code, api.envelope(&problem, code, REQUEST_ID))
}

/// Returns a member or parameter that can be invalid, with a message.
fn invalid_field(route: &Described, examples: &Examples) -> Option<(String, String)> {
    let body = route.doc.body.as_ref().and_then(|it| it.content.get("application/json"));
    if let Some(RefOr::T(content)) = body
        && let Some(name) = content.schema.as_ref().and_then(|it| examples.first_required(it))
    {
        return Some((name, "is required".to_owned()));
    }
    let parameter = route.doc.parameters.first()?;
    Some((parameter.name.clone(), "is not valid".to_owned()))
}

/// Returns the errors of an operation: general ones that follow from its signature and properties,
/// and those specific to it, which replace general ones of the same kind.
fn cases(route: &Described) -> Vec<Case> {
    let specific = route.info.errors;
    let replaced = |kind: &ProblemKind| {
        specific.iter().any(|(other, _)| discriminant(other) == discriminant(kind))
    };
    let mut general = always(route);
    general.extend(of_caller(route));
    general.extend(of_features(route));
    let general = general.into_iter().filter(|(kind, _)| !replaced(kind));
    let general = general.map(|(kind, about)| Case { kind, about, specific: false });
    let specific =
        specific.iter().map(|it| Case { kind: it.0.clone(), about: it.1, specific: true });
    // Specific ones come first, so that they make the examples.
    specific.chain(general).collect()
}

type General = Vec<(ProblemKind, &'static str)>;

/// Errors of every request, and of requests with parameters and bodies.
fn always(route: &Described) -> General {
    let (info, doc) = (&route.info, &route.doc);
    let mut errors = vec![
        (ProblemKind::Validation, "A value is missing or not valid"),
        (ProblemKind::PayloadTooLarge, "The request body is too large"),
        (ProblemKind::Internal, "An unexpected error occurred"),
        (UNAVAILABLE, "The server is temporarily unavailable"),
    ];
    if let Some(body) = &doc.body {
        errors.push((ProblemKind::RequestTimeout, "The request body was not received in time"));
        let form = body.content.contains_key("multipart/form-data");
        let about = if form {
            "The content type of the request body is not supported"
        } else {
            "The request body is not JSON"
        };
        if !info.oauth {
            errors.push((ProblemKind::UnsupportedMediaType, about));
        }
    }
    if info.path.contains('{') {
        errors.push((ProblemKind::NotFound, "The record does not exist, or is not visible"));
    }
    if info.path.contains("Id}") {
        errors.push((ProblemKind::InvalidFormat, "An ID in the path is not a UUID"));
    }
    errors
}

/// Errors of the caller's credentials, rights and rate limit.
fn of_caller(route: &Described) -> General {
    let info = &route.info;
    let mut errors = vec![];
    if route.doc.signed_in {
        errors.push((ProblemKind::Unauthorized, "The access token is missing or not valid"));
        errors.push((ProblemKind::TokenExpired, "The access token has expired"));
    }
    let lacking = match info.access {
        Access::Public | Access::Account => None,
        Access::External(_) => Some("The token lacks the scope"),
        Access::ExternalWithRight(..) => {
            Some("The token lacks the scope, or its creator's role does not allow this")
        }
        Access::UserOrClient(..) => {
            Some("The token lacks the scope, or the caller's role does not allow this")
        }
        Access::Console(_) | Access::Admin(_) => Some("The caller's role does not allow this"),
    };
    errors.extend(lacking.map(|it| (ProblemKind::InsufficientPermissions, it)));
    let forbidden = match info.access {
        Access::Public | Access::Admin(_) => "HTTPS is required",
        _ => "HTTPS is required, the account is suspended, or the tenant type does not allow this",
    };
    errors.push((ProblemKind::Forbidden, forbidden));
    if names_records(route) && !matches!(info.access, Access::Public | Access::Admin(_)) {
        let about = "The caller has no access to the record, for example because it belongs to \
                     another team";
        errors.push((ProblemKind::AccessDenied, about));
    }
    if info.limit != Limit::Unlimited {
        errors.push((RATE_LIMITED, "The rate limit is exceeded"));
    }
    if matches!(
        info.access,
        Access::External(_) | Access::ExternalWithRight(..) | Access::UserOrClient(..)
    ) {
        let about = "The plan's monthly quota of requests is used up";
        errors.push((QUOTA_EXCEEDED, about));
    }
    errors
}

/// Whether a request can name a record that belongs to others.
fn names_records(route: &Described) -> bool {
    let by_query =
        route.doc.parameters.iter().any(|it| it.name.ends_with("Id") || it.name.ends_with("_id"));
    by_query || route.info.path.contains('{') || route.doc.body.is_some()
}

/// Errors of conditional requests and idempotency keys.
fn of_features(route: &Described) -> General {
    let info = &route.info;
    let mut errors = vec![];
    if info.if_match {
        errors.push((ProblemKind::PreconditionFailed, "The record has changed since it was read"));
    }
    if info.idempotent {
        errors.push((IN_PROGRESS, "A request with this idempotency key is still in progress"));
        errors.push((
            ProblemKind::IdempotencyMismatch,
            "The idempotency key was already used with another body or query",
        ));
    }
    errors
}
