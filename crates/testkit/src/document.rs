//! Checks that every response that a test gets is as the OpenAPI document describes it: status,
//! headers, body and error code.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use grantor_api::frame::route::{Described, Route};
use grantor_api::{Api, openapi};
use http::{HeaderMap, Method};
use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

use crate::request::Answer;

/// Headers that a response has only if the document says so.
const HEADERS: [&str; 9] = [
    "content-disposition",
    "etag",
    "link",
    "retry-after",
    "www-authenticate",
    "x-ignored-fields",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
];

/// The operations that were used in this process. Each is described and compiled once.
static USED: LazyLock<Mutex<HashMap<String, Arc<Operation>>>> = LazyLock::new(Mutex::default);

/// The routes of both APIs.
#[derive(Default)]
pub(crate) struct Documented(Vec<(Api, String, Described)>);

impl Documented {
    /// Adds these routes.
    pub(crate) fn add(&mut self, api: Api, routes: &[Route]) {
        let path = |route: &Route| format!("{}{}", api.prefix(), route.info.path);
        self.0.extend(routes.iter().map(|it| (api, path(it), it.described())));
    }

    /// Fails if the response is not as its document describes it.
    pub(crate) fn check(&self, method: &Method, path: &str, answer: &Answer) {
        let of_method = || self.0.iter().filter(|(_, _, route)| route.info.method == *method);
        // A literal path takes precedence over one with a parameter.
        let exact = of_method().find(|(_, it, _)| it == path);
        let Some((api, path, route)) = exact.or_else(|| of_method().find(|it| fits(&it.1, path)))
        else {
            return;
        };
        let name = format!("{method} {path}");
        let faults = operation(&name, *api, route).faults(answer);
        let body = String::from_utf8_lossy(&answer.body);
        let status = answer.status;
        assert!(
            faults.is_empty(),
            "{name}: the response is not as documented: {}\n{status} {body}",
            faults.join("; ")
        );
    }
}

fn fits(pattern: &str, path: &str) -> bool {
    let (mut parts, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (parts.next(), given.next()) {
            (None, None) => return true,
            (Some(part), Some(given)) if part == given => {}
            (Some(part), Some(given)) if part.starts_with('{') && !given.is_empty() => {}
            _ => return false,
        }
    }
}

fn operation(name: &str, api: Api, route: &Described) -> Arc<Operation> {
    let known = lock(&USED).get(name).cloned();
    known.unwrap_or_else(|| {
        let described = Arc::new(Operation::new(api, route));
        lock(&USED).insert(name.to_owned(), Arc::clone(&described));
        described
    })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A document whose schemas are compiled once.
pub struct Document {
    json: Value,
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Document {
    /// Takes a document. Its objects have only the members they list: clients must expect more, but
    /// we know them all.
    #[must_use]
    pub fn new(document: Value) -> Self {
        Self { json: closed(document), validators: Mutex::default() }
    }

    /// What of a value does not fit a schema of the document.
    #[must_use]
    pub fn faults(&self, schema: &Value, value: &Value) -> Vec<String> {
        let validator = self.validator(schema);
        let errors = validator.iter_errors(value);
        errors.map(|it| format!("{}: {it}", it.instance_path())).collect()
    }

    fn validator(&self, schema: &Value) -> Arc<Validator> {
        let mut validators = lock(&self.validators);
        let compiled = validators.entry(schema.to_string()).or_insert_with(|| {
            let mut root = closed(schema.clone());
            root["components"] = self.json["components"].clone();
            let options = jsonschema::options().with_draft(Draft::Draft202012);
            let options = options.should_validate_formats(true);
            Arc::new(options.build(&root).expect("a schema"))
        });
        Arc::clone(compiled)
    }
}

/// What the document says about one operation.
struct Operation {
    document: Document,
    path: String,
    method: String,
}

impl Operation {
    fn new(api: Api, route: &Described) -> Self {
        let document = serde_json::to_value(openapi::document_of(api, route));
        Self {
            document: Document::new(document.expect("a document")),
            path: route.info.path.clone(),
            method: route.info.method.as_str().to_lowercase(),
        }
    }

    fn faults(&self, answer: &Answer) -> Vec<String> {
        let status = answer.status.as_u16();
        let json = &self.document.json;
        let operation = &json["paths"][&self.path][&self.method];
        let Some(response) = operation["responses"].get(status.to_string()) else {
            return vec![format!("the status {status} is not listed")];
        };
        let response = resolved(json, response);
        let mut faults = self.header_faults(response, &answer.headers);
        faults.extend(self.body_faults(response, answer));
        faults
    }

    fn header_faults(&self, response: &Value, headers: &HeaderMap) -> Vec<String> {
        let told = response["headers"].as_object();
        let told = |name: &str| told?.iter().find(|(it, _)| it.eq_ignore_ascii_case(name));
        let mut faults = Vec::new();
        if !headers.contains_key("x-request-id") {
            faults.push("x-request-id is missing".to_owned());
        }
        for name in HEADERS.into_iter().filter(|it| headers.contains_key(*it)) {
            match told(name) {
                None => faults.push(format!("the header {name} is not described")),
                Some((_, header)) => {
                    let header = resolved(&self.document.json, header);
                    let text = headers[name].to_str().unwrap_or_default();
                    if header["schema"]["type"] == "integer" && text.parse::<u64>().is_err() {
                        faults.push(format!("the header {name} is no number: {text}"));
                    }
                }
            }
        }
        faults
    }

    fn body_faults(&self, response: &Value, answer: &Answer) -> Vec<String> {
        let Some(contents) = response["content"].as_object() else {
            let empty = answer.body.is_empty();
            return if empty { vec![] } else { vec!["the body is not described".to_owned()] };
        };
        let kind = answer.header("content-type").unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        let Some(content) = contents.get(kind) else {
            return vec![format!("the content type {kind} is not listed")];
        };
        if kind != "application/json" || answer.headers.contains_key("content-encoding") {
            return vec![];
        }
        let body: Value = match serde_json::from_slice(&answer.body) {
            Ok(body) => body,
            Err(error) => return vec![format!("the body is not JSON: {error}")],
        };
        let mut faults = self.document.faults(&content["schema"], &body);
        if answer.status.as_u16() >= 400 {
            faults.extend(code_fault(content, &body));
        }
        faults
    }
}

/// Says if the code of an error is not one of its examples.
fn code_fault(content: &Value, body: &Value) -> Option<String> {
    let code = body["error"]["code"].as_str().or_else(|| body["error"].as_str())?;
    let known = content["examples"].get(code).is_some();
    (!known).then(|| format!("the error code {code} is not listed"))
}

fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(place) => document.pointer(&place[1..]).expect("what is referred to"),
        None => value,
    }
}

/// Returns the document with objects that have only the members they list.
fn closed(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            for member in members.values_mut() {
                *member = closed(member.take());
            }
            if members.get("properties").is_some_and(Value::is_object)
                && members.get("type").is_some_and(|it| it == "object" || it.is_array())
            {
                members.entry("additionalProperties").or_insert(json!(false));
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = closed(item.take());
            }
        }
        _ => {}
    }
    value
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;

    fn answer(path: &str, status: StatusCode, body: &Value) -> Vec<String> {
        let routes = grantor_api::external::routes("grantor");
        let route = routes.iter().find(|it| it.info.path == path).expect("a route");
        let mut headers = HeaderMap::new();
        headers.insert("content-type", "application/json".parse().expect("a value"));
        headers.insert("x-request-id", "1".parse().expect("a value"));
        let answer = Answer { status, headers, body: body.to_string().into_bytes() };
        Operation::new(Api::External, &route.described()).faults(&answer)
    }

    #[test]
    fn only_what_is_documented_passes() {
        let good = json!({
            "status": "healthy", "api_type": "external", "version": "3.1.0",
            "timestamp": "2026-01-01T00:00:00Z",
        });
        assert_eq!(answer("/health", StatusCode::OK, &good), [""; 0]);
        for (member, value) in [
            ("status", json!("ill")),
            ("timestamp", json!("now")),
            ("version", json!(3)),
            ("more", json!(1)),
        ] {
            let mut bad = good.clone();
            bad[member] = value;
            assert_eq!(answer("/health", StatusCode::OK, &bad).len(), 1, "{bad}");
        }
        assert_eq!(answer("/health", StatusCode::OK, &json!({})).len(), 4);
        assert_eq!(answer("/health", StatusCode::CREATED, &good).len(), 1);
    }

    #[test]
    fn an_error_must_have_a_listed_code() {
        let error = |code: &str| {
            let error = json!({ "code": code, "message": "No", "request_id": "1" });
            json!({ "success": false, "error": error })
        };
        let status = StatusCode::NOT_FOUND;
        assert_eq!(answer("/requests/{id}", status, &error("NOT_FOUND")), [""; 0]);
        assert_eq!(answer("/requests/{id}", status, &error("GONE")).len(), 1);
        assert_eq!(answer("/requests", status, &error("NOT_FOUND")).len(), 1);
    }
}
