//! The OpenAPI documents are whole: every operation has a description, its limits, scopes, headers
//! and error codes, and an example of each request and response, which fits its schema.

use grantor_api::{Api, openapi};
use grantor_testkit::document::Document;
use serde_json::{Value, json};

/// A document, and what compiles its schemas.
struct Reader {
    json: Value,
    schemas: Document,
}

impl Reader {
    fn of(api: Api) -> Self {
        let json = openapi::document(api, "https://grantor.test", "grantor");
        Self::new(serde_json::to_value(json).unwrap())
    }

    fn new(json: Value) -> Self {
        Self { schemas: Document::new(json.clone()), json }
    }

    /// Every operation with its method and path.
    fn operations(&self) -> impl Iterator<Item = (String, &Value)> {
        let paths = self.json["paths"].as_object().unwrap();
        paths.iter().flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap();
            methods
                .iter()
                .map(move |(method, it)| (format!("{} {path}", method.to_uppercase()), it))
        })
    }

    fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(place) => self.json.pointer(&place[1..]).unwrap_or_else(|| panic!("{place}")),
            None => value,
        }
    }

    /// What an operation lacks.
    fn lacks(&self, operation: &Value) -> Vec<String> {
        let mut lacks = text_faults(operation);
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            for part in ["description", "example"] {
                if parameter.get(part).is_none_or(|it| *it == "") {
                    lacks.push(format!("the {part} of {}", parameter["name"]));
                }
            }
        }
        for (kind, content) in operation["requestBody"]["content"].as_object().into_iter().flatten()
        {
            if kind != "multipart/form-data" {
                lacks.extend(self.example_faults("request", content));
                lacks.extend((content["example"] == json!({})).then(|| "a body".to_owned()));
            }
        }
        for (status, response) in operation["responses"].as_object().into_iter().flatten() {
            let response = self.resolved(response);
            if response["headers"]["X-Request-Id"].is_null() {
                lacks.push(format!("X-Request-Id of {status}"));
            }
            lacks.extend(self.response_faults(status, response));
        }
        lacks
    }

    fn response_faults(&self, status: &str, response: &Value) -> Vec<String> {
        let Some(content) = response["content"].get("application/json") else { return vec![] };
        if status.starts_with('2') {
            return self.example_faults(status, content);
        }
        let Some(examples) = content["examples"].as_object() else {
            return vec![format!("error codes of {status}")];
        };
        let faults = examples.iter().flat_map(|(code, example)| {
            let value = &example["value"];
            let named = value["error"]["code"].as_str().or_else(|| value["error"].as_str());
            let mut faults = self.schemas.faults(&content["schema"], value);
            if named != Some(code.as_str()) || example["summary"].as_str().is_none_or(str::is_empty)
            {
                faults.push(format!("{code} is {named:?}"));
            }
            faults.into_iter().map(move |it| format!("{status} {code}: {it}"))
        });
        faults.collect()
    }

    /// What is wrong about an example, which must not have members without a value.
    fn example_faults(&self, name: &str, content: &Value) -> Vec<String> {
        let Some(example) = content.get("example") else { return vec![format!("{name} example")] };
        let mut faults = self.schemas.faults(&content["schema"], example);
        faults.extend(empty(example, "").into_iter().map(|it| format!("no sample for {it}")));
        faults.into_iter().map(|it| format!("{name} example: {it}")).collect()
    }
}

/// What is missing in the texts of an operation, or must not be in them.
fn text_faults(operation: &Value) -> Vec<String> {
    let about = operation["description"].as_str().unwrap_or_default();
    let mut faults = Vec::new();
    if operation["summary"].as_str().is_none_or(str::is_empty) {
        faults.push("summary".to_owned());
    }
    if about.is_empty() || about.starts_with("**") {
        faults.push("description".to_owned());
    }
    if !about.contains("**Rate limit:** ") {
        faults.push("rate limit".to_owned());
    }
    let ways = operation["security"].as_array().into_iter().flatten();
    for scope in ways.filter_map(|it| it["bearer"].as_array()).flatten() {
        if !about.contains(&format!("`{}`", scope.as_str().unwrap())) {
            faults.push(format!("the scope {scope} in the description"));
        }
    }
    faults
}

/// Where an example has an empty text or object.
fn empty(value: &Value, at: &str) -> Vec<String> {
    match value {
        Value::String(text) if text.is_empty() => vec![at.to_owned()],
        Value::Object(members) if members.is_empty() && !at.is_empty() => vec![at.to_owned()],
        Value::Object(members) => {
            members.iter().flat_map(|(name, it)| empty(it, &format!("{at}.{name}"))).collect()
        }
        Value::Array(items) => items.iter().flat_map(|it| empty(it, at)).collect(),
        _ => vec![],
    }
}

/// Every text and schema of a document, with its place.
fn walk<'a>(value: &'a Value, at: &str, found: &mut Vec<(String, &'a Value)>) {
    found.push((at.to_owned(), value));
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter().filter(|(name, _)| !name.starts_with("example")) {
                walk(member, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => items.iter().for_each(|it| walk(it, at, found)),
        _ => {}
    }
}

#[test]
fn every_operation_is_whole() {
    for api in [Api::External, Api::Console] {
        let document = Reader::of(api);
        let operations: Vec<_> = document.operations().collect();
        assert!(operations.len() > 70, "{}", operations.len());
        let lacks = operations.iter().flat_map(|(name, operation)| {
            document.lacks(operation).into_iter().map(move |it| format!("{name} lacks: {it}"))
        });
        let lacks: Vec<_> = lacks.collect();
        assert!(lacks.is_empty(), "{}", lacks.join("\n"));
    }
}

#[test]
fn every_event_has_an_example() {
    let document = Reader::of(Api::External);
    let webhooks = document.json["webhooks"].as_object().unwrap();
    let faults = webhooks.iter().flat_map(|(name, webhook)| {
        let body = &webhook["post"]["requestBody"]["content"]["application/json"];
        let mut faults = document.example_faults(name, body);
        if body["example"]["type"] != json!(name) {
            faults.push(format!("{name}: {}", body["example"]["type"]));
        }
        faults
    });
    assert_eq!(faults.collect::<Vec<_>>(), [""; 0]);
}

/// Client generators drop compositions and choke on members that are always null.
#[test]
fn schemas_are_what_client_generators_understand() {
    for api in [Api::External, Api::Console] {
        let document = Reader::of(api);
        let mut found = Vec::new();
        walk(&document.json, "", &mut found);
        for (at, value) in found {
            assert!(value.get("allOf").is_none(), "{at}: allOf");
            assert!(value.get("nullable").is_none(), "{at}: nullable");
            let member = at.contains("/properties/") && !at.contains("/oneOf");
            assert!(!member || value.get("type") != Some(&json!("null")), "{at}: always null");
            let text = value.as_str().unwrap_or_default();
            for words in ["contract section", "for the document"] {
                assert!(!text.contains(words), "{at}: {text}");
            }
        }
        let schemes = document.json["components"]["securitySchemes"].as_object().unwrap();
        assert!(schemes.values().all(|it| it["description"].is_string()), "{schemes:?}");
    }
}

/// What is left out or does not fit would be noticed.
#[test]
fn an_operation_that_lacks_something_is_noticed() {
    let schema = json!({ "type": "object", "required": ["id"] });
    let content = json!({ "schema": schema, "example": { "name": "" } });
    let operation = json!({
        "summary": "Get a thing",
        "parameters": [{ "name": "id", "description": "The ID." }],
        "responses": {
            "200": { "headers": { "X-Request-Id": {} }, "content": { "application/json": content } },
            "404": { "content": { "application/json": {} } },
        },
    });
    let lacks = Reader::new(json!({ "paths": {}, "components": {} })).lacks(&operation);
    let expected = [
        "description",
        "rate limit",
        "the example of \"id\"",
        "200 example: : \"id\" is a required property",
        "200 example: no sample for .name",
        "X-Request-Id of 404",
        "error codes of 404",
    ];
    assert_eq!(lacks, expected);
}
