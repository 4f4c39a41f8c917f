//! Requests and errors of OAuth 2.0 (RFC 6749): parameters come in a form, and an error is one of a
//! few codes with a description.

use std::borrow::Cow;
use std::marker::PhantomData;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::response::Response;
use grantor_http::body::{self, BodyError};
use http::{HeaderMap, Uri, header};
use percent_encoding::percent_decode_str;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{ContentBuilder, RefOr, Required};
use utoipa::{PartialSchema as _, ToSchema};

use super::describe::{Describe, OperationDoc};
use super::problem::{Problem, ProblemKind};
use super::state::ApiState;

/// The media type of requests.
pub(crate) const FORM: &str = "application/x-www-form-urlencoded";
/// The maximum size of a request: an access token has less than 1 KiB.
pub(crate) const FORM_LIMIT: usize = 16 * 1024;

/// More parameters than any request has.
const MAX_PARAMETERS: usize = 50;
/// The parameters of all endpoints. They must not be in the URL, which ends up in logs.
const PARAMETERS: [&str; 7] =
    ["client_id", "client_secret", "grant_type", "resource", "scope", "token", "token_type_hint"];
/// The only one of them that may be repeated (RFC 8707 section 2). Other parameters are ignored (RFC
/// 6749 section 3.2).
const REPEATABLE: &str = "resource";

/// Error codes that other problems don't imply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OAuthCode {
    /// The client may not get tokens now, or the token belongs to another client.
    InvalidGrant,
    /// A scope is unknown, or the client has none of the scopes.
    InvalidScope,
    /// The token is for a resource elsewhere (RFC 8707).
    InvalidTarget,
    /// The grant type is not supported.
    UnsupportedGrantType,
    /// The response type is not supported.
    UnsupportedResponseType,
}

impl OAuthCode {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::InvalidGrant => "invalid_grant",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
        }
    }
}

/// An error of OAuth 2.0 (RFC 6749 section 5.2).
#[derive(Serialize, ToSchema)]
#[schema(as = OAuthError)]
struct ErrorBody {
    /// The error code.
    error: &'static str,
    /// A description for developers.
    error_description: String,
}

/// The name of the schema of errors.
pub(crate) fn error_schema() -> Cow<'static, str> {
    ErrorBody::name()
}

/// Returns the schema of errors with its name.
pub(crate) fn named_error_schema() -> (String, RefOr<Schema>) {
    (error_schema().into_owned(), ErrorBody::schema())
}

/// The problem of a request that is malformed.
pub(crate) fn invalid_request(message: &'static str) -> Problem {
    Problem::new(ProblemKind::Validation, message)
}

/// Replaces the body of an error response.
pub(super) fn render(mut response: Response, problem: &Problem) -> Response {
    *response.body_mut() = Body::from(error_body(problem).1.to_string());
    response
}

/// Returns the code of an error and its body.
pub(crate) fn error_body(problem: &Problem) -> (&'static str, Value) {
    let (error, error_description) = (code(&problem.kind), description(problem));
    (error, json!(ErrorBody { error, error_description }))
}

const fn code(kind: &ProblemKind) -> &'static str {
    match kind {
        ProblemKind::OAuth(code) => code.name(),
        ProblemKind::Unauthorized
        | ProblemKind::InvalidCredentials
        | ProblemKind::CredentialInactive => "invalid_client",
        ProblemKind::RateLimited(_) | ProblemKind::Unavailable { .. } => "temporarily_unavailable",
        ProblemKind::Internal => "server_error",
        _ => "invalid_request",
    }
}

/// A description may have all visible ASCII characters but quotes and backslashes.
fn description(problem: &Problem) -> String {
    let allowed = |it: char| matches!(it, ' '..='~') && !matches!(it, '"' | '\\');
    problem.message.chars().map(|it| if allowed(it) { it } else { '\'' }).collect()
}

/// The parameters of a request, documented as a `T`.
pub struct OAuthForm<T> {
    parameters: Vec<(String, String)>,
    schema: PhantomData<fn() -> T>,
}

impl<T> OAuthForm<T> {
    /// Returns a parameter. One without a value counts as absent (RFC 6749 section 3.2).
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// Returns all values of a parameter that may be repeated.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.parameters.iter().filter(move |(it, _)| it == name).map(|(_, value)| value.as_str())
    }
}

impl<T> FromRequest<ApiState> for OAuthForm<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, Problem> {
        if names_parameter(request.uri()) {
            return Err(invalid_request("Parameters must be in the request body, not in the URL"));
        }
        if !is_form(request.headers()) {
            let message = "The request body must be a form. Send Content-Type: \
                           application/x-www-form-urlencoded.";
            return Err(invalid_request(message));
        }
        let body = body::read(request, state).await.map_err(unreadable)?;
        Ok(Self { parameters: parse(&body)?, schema: PhantomData })
    }
}

impl<T: ToSchema> Describe for OAuthForm<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.schema::<ErrorBody>();
        let schema = doc.schema::<T>();
        let content = ContentBuilder::new().schema(Some(schema)).build();
        let body = RequestBodyBuilder::new().content(FORM, content);
        doc.body = Some(body.required(Some(Required::True)).build());
    }
}

fn names_parameter(uri: &Uri) -> bool {
    let pairs = uri.query().unwrap_or_default().split('&');
    let names = pairs.map(|pair| pair.split_once('=').map_or(pair, |(name, _)| name));
    names.filter_map(decode).any(|name| PARAMETERS.contains(&name.as_str()))
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let essence = kind.and_then(|it| it.split(';').next()).unwrap_or_default().trim();
    essence.eq_ignore_ascii_case(FORM)
}

/// A request that is compressed is malformed, like any other that isn't a form.
fn unreadable(error: BodyError) -> Problem {
    match error {
        BodyError::Compressed => invalid_request("The request body must not be compressed"),
        other => other.into(),
    }
}

fn parse(body: &[u8]) -> Result<Vec<(String, String)>, Problem> {
    let text = std::str::from_utf8(body).map_err(|_| not_text())?;
    let mut parameters: Vec<(String, String)> = Vec::new();
    for pair in text.split('&').filter(|it| !it.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (Some(name), Some(value)) = (decode(name), decode(value)) else {
            return Err(not_text());
        };
        if parameters.len() == MAX_PARAMETERS {
            return Err(invalid_request("The request has too many parameters"));
        }
        let may_repeat = name == REPEATABLE || !PARAMETERS.contains(&name.as_str());
        if !may_repeat && parameters.iter().any(|(it, _)| *it == name) {
            return Err(invalid_request("A parameter is given more than once"));
        }
        parameters.push((name, value));
    }
    parameters.retain(|(_, value)| !value.is_empty());
    Ok(parameters)
}

fn not_text() -> Problem {
    invalid_request("The request body must be valid UTF-8")
}

/// Decodes a name or value of a form. Returns `None` if it is not UTF-8.
pub(crate) fn decode(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8().ok().map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(body: &str) -> Result<Vec<(String, String)>, Cow<'static, str>> {
        parse(body.as_bytes()).map_err(|it| it.message)
    }

    #[test]
    fn parameters_are_decoded_and_empty_ones_are_absent() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let form = "scope=license%3Aread+mention:read&token=&&resource=a&resource=b&flag";
        let expected = [
            pair("scope", "license:read mention:read"),
            pair("resource", "a"),
            pair("resource", "b"),
        ];
        assert_eq!(parsed(form).unwrap(), expected);
    }

    #[test]
    fn what_is_repeated_or_not_text_is_refused() {
        let repeated = Err("A parameter is given more than once".into());
        assert_eq!(parsed("scope=a&scope=a"), repeated);
        assert_eq!(parsed("scope=&sc%6Fpe=a"), repeated);
        assert_eq!(parsed("other=a&other=b").unwrap().len(), 2);
        assert_eq!(parsed("scope=%ff"), Err("The request body must be valid UTF-8".into()));
        assert!(parse(b"scope=\xff").is_err());
        let many: Vec<_> = (0..=MAX_PARAMETERS).map(|it| format!("p{it}=1")).collect();
        assert_eq!(parsed(&many.join("&")), Err("The request has too many parameters".into()));
        assert_eq!(parsed(&many[1..].join("&")).unwrap().len(), MAX_PARAMETERS);
    }

    #[test]
    fn secrets_do_not_belong_in_the_url() {
        for (uri, named) in [
            ("/oauth/token?client_secret=x", true),
            ("/oauth/token?a=1&client%5Fsecret=x", true),
            ("/oauth/token?a=1", false),
            ("/oauth/token", false),
        ] {
            assert_eq!(names_parameter(&uri.parse().unwrap()), named, "{uri}");
        }
    }

    #[test]
    fn a_description_has_only_the_characters_that_the_standard_allows() {
        let problem = Problem::new(ProblemKind::Validation, "Say \"ä\\\n\" now");
        assert_eq!(description(&problem), "Say ''''' now");
    }
}
