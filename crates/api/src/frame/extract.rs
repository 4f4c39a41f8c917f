//! Extractors for request bodies, path segments and queries. Errors name each invalid field.

use std::fmt;
use std::marker::PhantomData;

use axum::body::HttpBody as _;
use axum::extract::{FromRequest, FromRequestParts, Request};
use grantor_domain::error::Fields;
use grantor_http::body;
use http::request::Parts;
use http::{HeaderMap, header};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::problem::{Problem, ProblemKind};
use super::state::ApiState;

/// A JSON body. Another content type gives 415; a missing body or content type gives 400.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<ApiState> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, Problem> {
        expect_json(&request)?;
        let body = body::read(request, state).await?;
        read(&body).map(Self)
    }
}

/// An optional JSON body.
#[derive(Clone, Copy, Debug)]
pub struct OptionalJson<T>(pub Option<T>);

impl<T: DeserializeOwned> FromRequest<ApiState> for OptionalJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, Problem> {
        let expected = expect_json(&request);
        let body = body::read(request, state).await?;
        if body.is_empty() {
            return Ok(Self(None));
        }
        expected?;
        read(&body).map(|it| Self(Some(it)))
    }
}

/// Rejects a body that is missing or not declared as JSON.
pub(super) fn expect_json(request: &Request) -> Result<(), Problem> {
    if is_json(request.headers()) {
        return Ok(());
    }
    let typed = request.headers().contains_key(header::CONTENT_TYPE);
    if !typed || request.body().is_end_stream() {
        return Err(Problem::new(ProblemKind::Validation, NO_BODY));
    }
    let message = "The request body must be JSON. Send Content-Type: application/json.";
    Err(Problem::new(ProblemKind::UnsupportedMediaType, message))
}

const NO_BODY: &str = "A JSON body is required. Send Content-Type: application/json.";

/// Deserializes an object or null. Serde would also accept a list for a struct, in field order.
pub(crate) fn object<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Object<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
        type Value = Option<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_none<E: de::Error>(self) -> Result<Option<T>, E> {
            Ok(None)
        }

        fn visit_unit<E: de::Error>(self) -> Result<Option<T>, E> {
            Ok(None)
        }

        fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Option<T>, D::Error> {
            from.deserialize_map(self)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Option<T>, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map)).map(Some)
        }
    }

    from.deserialize_option(Object(PhantomData))
}

/// Deserializes a whole number. JSON doesn't distinguish `1` from `1.0`.
pub(crate) fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(from)? else { return Ok(None) };
    let text = Some(format!("{number:.0}")).filter(|_| number.fract() == 0.0);
    let whole = text.and_then(|it| it.parse().ok());
    whole.map(Some).ok_or_else(|| D::Error::custom("a fraction, expected i64"))
}

/// Returns a required value. An empty value counts as missing.
pub(crate) fn required<'a>(fields: &mut Fields, name: &str, value: Option<&'a str>) -> &'a str {
    match value {
        Some(value) if !value.is_empty() => value,
        _ => {
            fields.add(name, "is required");
            ""
        }
    }
}

pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let essence = kind.and_then(|it| it.split(';').next()).unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
        || (essence.to_ascii_lowercase().starts_with("application/")
            && essence.to_ascii_lowercase().ends_with("+json"))
}

/// Parses a body. More than 128 levels of nesting are rejected.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    if body.is_empty() {
        return Err(Problem::new(ProblemKind::Validation, NO_BODY));
    }
    if contains_nul(body) {
        return Err(Problem::new(
            ProblemKind::Validation,
            "The request body must not contain NUL characters",
        ));
    }
    // Serde would accept a list for a struct, in field order.
    if body.trim_ascii_start().first() == Some(&b'[') {
        return Err(Problem::new(
            ProblemKind::Validation,
            "The request body must be a JSON object",
        ));
    }
    let mut parser = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut parser).map_err(|error| {
        // Field names are dotted, including list items (contract section 3).
        let path = error.path().to_string().replace('[', ".").replace(']', "");
        parse_problem(&path, error.inner())
    })?;
    parser.end().map_err(|error| parse_problem(".", &error))?;
    Ok(value)
}

/// Whether the body contains an escaped NUL, which not every database can store.
fn contains_nul(body: &[u8]) -> bool {
    let mut rest = body;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        // Skip each escape as a whole, so that an escaped backslash is not taken for the start of
        // one.
        let escape = &rest[at..];
        if escape.starts_with(b"\\u0000") {
            return true;
        }
        rest = escape.get(2..).unwrap_or_default();
    }
    false
}

fn parse_problem(path: &str, error: &serde_json::Error) -> Problem {
    if !error.is_data() {
        let (line, column) = (error.line(), error.column());
        let message = format!("The request body is not valid JSON (line {line}, column {column})");
        return Problem::new(ProblemKind::Validation, message);
    }
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
    let parent = if path == "." { "" } else { path };
    let named = |prefix: &str| reason.strip_prefix(prefix).and_then(|it| it.split('`').next());
    if let Some(name) = named("missing field `") {
        return Problem::field(join(parent, name), "is required");
    }
    if let Some(name) = named("unknown field `") {
        return Problem::field(join(parent, name), "is not a known field");
    }
    let reason = expected_type(reason);
    if parent.is_empty() {
        return Problem::new(ProblemKind::Validation, format!("The request body {reason}"));
    }
    Problem::field(parent, reason)
}

/// Describes the type that the parser expected, without Rust type names.
fn expected_type(reason: &str) -> &str {
    let expected = reason.rsplit_once("expected ").map_or("", |(_, it)| it);
    let begins = |words: &[&str]| words.iter().any(|it| expected.starts_with(it));
    if begins(&["a string", "a borrowed string"]) {
        "must be a string"
    } else if begins(&["a boolean"]) {
        "must be true or false"
    } else if begins(&["a sequence", "an array"]) {
        "must be a list"
    } else if begins(&["struct", "a map", "an object"]) {
        "must be an object"
    } else if begins(&["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize", "isize"]) {
        "must be a whole number within the allowed range"
    } else if begins(&["f32", "f64"]) {
        "must be a number"
    } else {
        reason
    }
}

fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") }
}

/// The path parameter of a route that has one.
#[derive(Clone, Debug)]
pub struct Segment(pub String);

impl FromRequestParts<ApiState> for Segment {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Problem> {
        let read = axum::extract::Path::<String>::from_request_parts(parts, state).await;
        read.map(|path| Self(path.0))
            .map_err(|_| Problem::new(ProblemKind::Validation, "The URL path is not valid"))
    }
}

/// The path parameters of a route, in order.
#[derive(Clone, Debug)]
pub struct Segments<const N: usize>(pub [String; N]);

impl<const N: usize> FromRequestParts<ApiState> for Segments<N> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Problem> {
        let read = axum::extract::Path::<Vec<String>>::from_request_parts(parts, state).await;
        let read = read.ok().and_then(|path| <[String; N]>::try_from(path.0).ok());
        let invalid = || Problem::new(ProblemKind::Validation, "The URL path is not valid");
        read.map(Self).ok_or_else(invalid)
    }
}

/// The query parameters. Values stay text until the handler parses them, so that all invalid ones
/// are reported.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<ApiState> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &ApiState) -> Result<Self, Problem> {
        axum::extract::Query::try_from_uri(&parts.uri).map(|query| Self(query.0)).map_err(|error| {
            let text = error.body_text();
            let reason = text.rsplit(": ").next().unwrap_or_default();
            match reason.strip_prefix("duplicate field `").and_then(|it| it.split('`').next()) {
                Some(name) => Problem::field(name, "is given more than once"),
                None => Problem::new(ProblemKind::Validation, "The query is not valid"),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only parse errors are checked")]
    struct Outer {
        name: String,
        inner: Inner,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only parse errors are checked")]
    struct Inner {
        count: u32,
    }

    #[test]
    fn each_fault_names_its_field() {
        let cases = [
            (r#"{"inner":{"count":1}}"#, "name", "is required"),
            (r#"{"name":"a","inner":{}}"#, "inner.count", "is required"),
            (r#"{"name":1,"inner":{"count":1}}"#, "name", "must be a string"),
            (
                r#"{"name":"a","inner":{"count":-1}}"#,
                "inner.count",
                "must be a whole number within the allowed range",
            ),
        ];
        for (body, field, message) in cases {
            let problem = read::<Outer>(body.as_bytes()).unwrap_err();
            assert_eq!(problem.fields.get(field).map(String::as_str), Some(message), "{body}");
        }
    }

    #[test]
    fn a_nul_is_refused_however_it_is_written() {
        assert!(contains_nul(br#"{"name":"a\u0000b"}"#));
        assert!(contains_nul(br#"{"name":"a\\\u0000b"}"#));
        assert!(!contains_nul(br#"{"name":"a\\u0000b"}"#), "a backslash and five letters");
        assert!(!contains_nul(br#"{"name":"a\u0001b\"}"#));
    }

    #[derive(Debug, Default, Deserialize)]
    struct Loose {
        #[serde(default, deserialize_with = "object")]
        settings: Option<Flag>,
        #[serde(default, deserialize_with = "whole")]
        seconds: Option<i64>,
    }

    #[derive(Debug, Deserialize)]
    struct Flag {
        on: Option<bool>,
    }

    #[test]
    fn an_object_is_no_list_and_a_whole_number_may_have_a_point() {
        let good = read::<Loose>(br#"{"settings":{"on":true},"seconds":60.0}"#).unwrap();
        assert_eq!((good.settings.unwrap().on, good.seconds), (Some(true), Some(60)));
        assert!(read::<Loose>(br#"{"settings":null,"seconds":null}"#).unwrap().settings.is_none());
        for (body, field, message) in [
            (r#"{"settings":[true]}"#, "settings", "must be an object"),
            (r#"{"settings":{"on":1}}"#, "settings.on", "must be true or false"),
            (r#"{"seconds":0.5}"#, "seconds", "must be a whole number within the allowed range"),
        ] {
            let problem = read::<Loose>(body.as_bytes()).unwrap_err();
            assert_eq!(problem.fields.get(field).map(String::as_str), Some(message), "{body}");
        }
    }

    #[test]
    fn malformed_bodies_are_refused_without_a_field() {
        let deep = "[".repeat(10_000);
        for body in ["{", "", "nonsense", "{\"name\":\"a\"} x", "[1]", "\u{0}", &deep] {
            let problem = read::<Outer>(body.as_bytes()).unwrap_err();
            assert_eq!(problem.kind, ProblemKind::Validation, "{body:.20}");
        }
    }
}
