//! From the arguments of a tool to a request of the API. The API validates the values; its errors
//! have the names of the arguments.

use axum::body::Body;
use grantor_domain::error::Fields;
use grantor_domain::{Error, Result};
use http::{HeaderName, HeaderValue, Method, Request, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rmcp::model::JsonObject;
use serde_json::Value;

/// The argument for the key of a change that may be repeated.
const KEY: &str = "idempotency_key";
const KEY_HEADER: HeaderName = HeaderName::from_static("idempotency-key");

/// Why a request cannot be made.
const TOO_LONG: &str = "The arguments are too long";

/// Rejects arguments that a tool does not have.
pub(crate) fn check_names(arguments: &JsonObject, schema: &JsonObject) -> Result<()> {
    let known = schema.get("properties").and_then(Value::as_object);
    let unknown = arguments.keys().filter(|it| known.is_none_or(|known| !known.contains_key(*it)));
    let mut fields = Fields::default();
    unknown.for_each(|it| fields.add(it.clone(), "is not an argument of this tool"));
    fields.finish()
}

/// Makes a request: the arguments become parts of the path, the idempotency key, and the query or
/// the body.
pub(crate) fn request(
    method: Method,
    path: &str,
    mut arguments: JsonObject,
) -> Result<Request<Body>> {
    let path = fill(path, &mut arguments)?;
    let key = arguments.shift_remove(KEY).filter(|it| !it.is_null());
    let mut request = if method == Method::GET {
        without_body(method, &with_query(path, arguments)?)?
    } else {
        let body = Value::Object(arguments).to_string();
        with_body(method, &path, "application/json", body.into_bytes())?
    };
    if let Some(key) = key {
        let value = key.as_str().and_then(|it| HeaderValue::from_str(it).ok());
        let value = value.ok_or_else(|| Error::field(KEY, "must be visible ASCII characters"))?;
        request.headers_mut().insert(KEY_HEADER, value);
    }
    Ok(request)
}

/// Makes a request with a body of any type.
pub(crate) fn with_body(
    method: Method,
    path: &str,
    content_type: &str,
    body: Vec<u8>,
) -> Result<Request<Body>> {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::CONTENT_TYPE, content_type)
        .header(header::CONTENT_LENGTH, body.len());
    request.body(Body::from(body)).map_err(|_| Error::validation(TOO_LONG))
}

fn without_body(method: Method, uri: &str) -> Result<Request<Body>> {
    let request = Request::builder().method(method).uri(uri).body(Body::empty());
    request.map_err(|_| Error::validation(TOO_LONG))
}

/// Replaces the parameters of a path by arguments.
fn fill(path: &str, arguments: &mut JsonObject) -> Result<String> {
    let mut filled = String::new();
    for segment in path.split('/').skip(1) {
        let name = segment.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
        filled.push('/');
        match name {
            None => filled.push_str(segment),
            Some(name) => {
                let value = arguments.shift_remove(name).unwrap_or_default();
                let value = text(&value).map_err(|error| Error::field(name, error))?;
                let value = value.filter(|it| !it.is_empty());
                let value = value.ok_or_else(|| Error::field(name, "is required"))?;
                filled.extend(utf8_percent_encode(&value, NON_ALPHANUMERIC));
            }
        }
    }
    Ok(filled)
}

fn with_query(path: String, arguments: JsonObject) -> Result<String> {
    let mut fields = Fields::default();
    let mut pairs = Vec::new();
    for (name, value) in arguments {
        if let Some(Some(text)) = fields.take(&name, text(&value)) {
            pairs.push(format!("{name}={}", utf8_percent_encode(&text, NON_ALPHANUMERIC)));
        }
    }
    fields.finish()?;
    Ok(if pairs.is_empty() { path } else { format!("{path}?{}", pairs.join("&")) })
}

/// Returns a simple value as text. Null is the same as no argument.
pub(crate) fn text(value: &Value) -> Result<Option<String>, &'static str> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        Value::Bool(_) | Value::Number(_) => Ok(Some(value.to_string())),
        Value::Array(_) | Value::Object(_) => Err("must be a text, a number, true or false"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(value: Value) -> JsonObject {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn arguments_fill_the_path_and_the_query() {
        let given = arguments(json!({ "id": "a/b?c", "page": 2, "all": true, "none": null }));
        let request = request(Method::GET, "/licenses/{id}/x", given).unwrap();
        assert_eq!(request.uri(), "/licenses/a%2Fb%3Fc/x?page=2&all=true");
    }

    #[test]
    fn the_rest_is_the_body_and_the_key_a_header() {
        let given = arguments(json!({ "id": "1", "idempotency_key": "k", "list": [1] }));
        let request = request(Method::POST, "/a/{id}", given).unwrap();
        let headers = request.headers();
        assert_eq!((request.uri().path(), &headers[KEY_HEADER]), ("/a/1", &"k".parse().unwrap()));
        assert_eq!(headers[header::CONTENT_LENGTH], r#"{"list":[1]}"#.len().to_string());
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let refused = |path: &str, given: Value| {
            let refused = request(Method::GET, path, arguments(given)).unwrap_err();
            refused.fields().clone().into_iter().next().unwrap()
        };
        let missing = ("id".to_owned(), "is required".to_owned());
        assert_eq!(refused("/a/{id}", json!({})), missing);
        assert_eq!(refused("/a/{id}", json!({ "id": "" })), missing);
        let complex = "must be a text, a number, true or false".to_owned();
        assert_eq!(refused("/a", json!({ "page": [1] })), ("page".to_owned(), complex));
    }
}
