//! What a handler takes from a request: a body or a query that reads, or a problem that says why
//! it does not.

use std::fmt;
use std::marker::PhantomData;

use axum::RequestExt as _;
use axum::body::{Bytes, HttpBody as _};
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{FromRequest, FromRequestParts, Request};
use grantor_domain::error::Fields;
use http::request::Parts;
use http::{HeaderMap, header};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::problem::{Problem, ProblemKind};
use super::settings::ApiState;

/// A JSON body. One of another type is 415; one that is missing, or of no type at all, is 400.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<ApiState> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, Problem> {
        expect_json(&request)?;
        let body = body(request, state).await?;
        read(&body).map(Self)
    }
}

/// A JSON body that may be left out.
#[derive(Clone, Copy, Debug)]
pub struct OptionalJson<T>(pub Option<T>);

impl<T: DeserializeOwned> FromRequest<ApiState> for OptionalJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, Problem> {
        let expected = expect_json(&request);
        let body = body(request, state).await?;
        if body.is_empty() {
            return Ok(Self(None));
        }
        expected?;
        read(&body).map(|it| Self(Some(it)))
    }
}

/// Refuses a body of another type, and one that is missing or does not say its type.
pub(super) fn expect_json(request: &Request) -> Result<(), Problem> {
    if is_json(request.headers()) {
        return Ok(());
    }
    let typed = request.headers().contains_key(header::CONTENT_TYPE);
    if !typed || request.body().is_end_stream() {
        return Err(Problem::new(ProblemKind::Validation, NO_BODY));
    }
    let message = "The body must be JSON: send Content-Type: application/json";
    Err(Problem::new(ProblemKind::UnsupportedMediaType, message))
}

/// Whoever sends no body sends no type either.
const NO_BODY: &str = "A JSON body is required: send Content-Type: application/json";

/// An object or nothing. A list would fill the members in the order they happen to have here.
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

/// A whole number, also one that is written with a point: to JSON they are the same.
pub(crate) fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(from)? else { return Ok(None) };
    let text = Some(format!("{number:.0}")).filter(|_| number.fract() == 0.0);
    let whole = text.and_then(|it| it.parse().ok());
    whole.map(Some).ok_or_else(|| D::Error::custom("a fraction, expected i64"))
}

/// The value of a field that must be there; an empty one is as good as none.
pub(crate) fn required<'a>(fields: &mut Fields, name: &str, value: Option<&'a str>) -> &'a str {
    match value {
        Some(value) if !value.is_empty() => value,
        _ => {
            fields.add(name, "is required");
            ""
        }
    }
}

/// The whole body, within the route's size and the frame's time.
pub(super) async fn body(request: Request, state: &ApiState) -> Result<Bytes, Problem> {
    // A few compressed bytes could unfold to any size, so none are taken.
    let coding = request.headers().get(header::CONTENT_ENCODING);
    if coding.is_some_and(|it| !it.as_bytes().eq_ignore_ascii_case(b"identity")) {
        let message = "The body must not be compressed: send it without Content-Encoding";
        return Err(Problem::new(ProblemKind::UnsupportedMediaType, message));
    }
    let reading = request.with_limited_body().extract::<Bytes, _>();
    match tokio::time::timeout(state.settings.body_time, reading).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)))) => {
            Err(too_large())
        }
        Ok(Err(_)) => {
            Err(Problem::new(ProblemKind::Validation, "The body could not be read to its end"))
        }
        Err(_) => Err(Problem::new(ProblemKind::RequestTimeout, "The body did not arrive in time")),
    }
}

pub(super) fn too_large() -> Problem {
    Problem::new(ProblemKind::PayloadTooLarge, "The body is larger than this endpoint takes")
}

pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let essence = kind.and_then(|it| it.split(';').next()).unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
        || (essence.to_ascii_lowercase().starts_with("application/")
            && essence.to_ascii_lowercase().ends_with("+json"))
}

/// Reads a body; a nesting deeper than the parser's 128 levels is malformed to us.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    if body.is_empty() {
        return Err(Problem::new(ProblemKind::Validation, NO_BODY));
    }
    if holds_nul(body) {
        return Err(Problem::new(
            ProblemKind::Validation,
            "The body must not hold a NUL character",
        ));
    }
    // A list would fill the members in the order they happen to have here.
    if body.trim_ascii_start().first() == Some(&b'[') {
        return Err(Problem::new(ProblemKind::Validation, "The body must be a JSON object"));
    }
    let mut parser = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut parser).map_err(|error| {
        // Contract section 3: names are dotted, also those of items.
        let path = error.path().to_string().replace('[', ".").replace(']', "");
        misread(&path, error.inner())
    })?;
    parser.end().map_err(|error| misread(".", &error))?;
    Ok(value)
}

/// Whether a text in the body holds an escaped NUL: no text of ours does, and not every store
/// could keep it.
fn holds_nul(body: &[u8]) -> bool {
    let mut rest = body;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        // Each escape is taken whole, so that an escaped backslash hides nothing.
        let escape = &rest[at..];
        if escape.starts_with(b"\\u0000") {
            return true;
        }
        rest = escape.get(2..).unwrap_or_default();
    }
    false
}

fn misread(path: &str, error: &serde_json::Error) -> Problem {
    if !error.is_data() {
        let (line, column) = (error.line(), error.column());
        let message = format!("The body is not valid JSON (line {line}, column {column})");
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
        return Problem::field(join(parent, name), "is not known");
    }
    let reason = in_words(reason);
    if parent.is_empty() {
        return Problem::new(ProblemKind::Validation, format!("The body {reason}"));
    }
    Problem::field(parent, reason)
}

/// What the parser expected, without the names of its types.
fn in_words(reason: &str) -> &str {
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
        "must be a whole number in its range"
    } else if begins(&["f32", "f64"]) {
        "must be a number"
    } else {
        reason
    }
}

fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") }
}

/// The one part of the path that varies.
#[derive(Clone, Debug)]
pub struct Segment(pub String);

impl FromRequestParts<ApiState> for Segment {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Problem> {
        let read = axum::extract::Path::<String>::from_request_parts(parts, state).await;
        read.map(|path| Self(path.0))
            .map_err(|_| Problem::new(ProblemKind::Validation, "The address does not read"))
    }
}

/// Several parts of the path that vary, in their order.
#[derive(Clone, Debug)]
pub struct Segments<const N: usize>(pub [String; N]);

impl<const N: usize> FromRequestParts<ApiState> for Segments<N> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Problem> {
        let read = axum::extract::Path::<Vec<String>>::from_request_parts(parts, state).await;
        let read = read.ok().and_then(|path| <[String; N]>::try_from(path.0).ok());
        let unread = || Problem::new(ProblemKind::Validation, "The address does not read");
        read.map(Self).ok_or_else(unread)
    }
}

/// The query. Values arrive as text and are parsed into the domain's types, so that each that
/// does not fit is named.
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
                None => Problem::new(ProblemKind::Validation, "The query does not read"),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only what does not read is looked at")]
    struct Outer {
        name: String,
        inner: Inner,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only what does not read is looked at")]
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
                "must be a whole number in its range",
            ),
        ];
        for (body, field, message) in cases {
            let problem = read::<Outer>(body.as_bytes()).unwrap_err();
            assert_eq!(problem.fields.get(field).map(String::as_str), Some(message), "{body}");
        }
    }

    #[test]
    fn a_nul_is_refused_however_it_is_written() {
        assert!(holds_nul(br#"{"name":"a\u0000b"}"#));
        assert!(holds_nul(br#"{"name":"a\\\u0000b"}"#));
        assert!(!holds_nul(br#"{"name":"a\\u0000b"}"#), "a backslash and five letters");
        assert!(!holds_nul(br#"{"name":"a\u0001b\"}"#));
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
            (r#"{"seconds":0.5}"#, "seconds", "must be a whole number in its range"),
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
