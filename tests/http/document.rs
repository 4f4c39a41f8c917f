//! The OpenAPI documents tell what is taken: every member of a request has its bounds, and what may
//! be null says so. `make fuzz-api` holds them against the running program.

use grantor_api::{Api, openapi};
use grantor_domain::license::FieldNames;
use grantor_domain::license::LicenseChange;
use grantor_domain::person::FullName;
use grantor_domain::team::TeamName;
use serde_json::{Map, Value, json};

fn document(surface: Api) -> Value {
    serde_json::to_value(openapi::document(surface, "https://grantor.test", "grantor")).unwrap()
}

/// Members whose bounds are others than those of a schema, with the reason.
const UNBOUNDED: [(&str, &str); 13] = [
    ("client_id", "what is too long is not known"),
    ("client_secret", "what is too long is not known"),
    ("token_type_hint", "what is not known is ignored"),
    ("api_key", "what is too long is not known"),
    ("api_secret", "what is too long is not known"),
    ("refresh_token", "what is too long is not known"),
    ("refreshToken", "what is too long is not known"),
    ("token", "what is too long is not known"),
    ("otpSession", "what is too long is not known"),
    ("session", "what is too long is not known"),
    ("username", "what is too long is nobody's name"),
    ("password", "what is too long is nobody's password"),
    ("text", "as long as the body may be"),
];

/// Every value of a request of both documents, by its operation and its dotted name.
fn values(document: &Value) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let name = format!("{} {path}", method.to_uppercase());
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let at = parameter["name"].as_str().unwrap();
                walk(document, &parameter["schema"], at, &name, &mut found);
            }
            let forms = operation["requestBody"]["content"].as_object();
            for form in forms.into_iter().flat_map(Map::values) {
                walk(document, &form["schema"], "", &name, &mut found);
            }
        }
    }
    found
}

fn walk(
    document: &Value,
    schema: &Value,
    at: &str,
    name: &str,
    found: &mut Vec<(String, String, Value)>,
) {
    if let Some(place) = schema["$ref"].as_str() {
        let schema = document.pointer(place.trim_start_matches('#')).unwrap();
        return walk(document, schema, at, name, found);
    }
    for several in ["oneOf", "allOf", "anyOf"] {
        for one in schema[several].as_array().into_iter().flatten() {
            walk(document, one, at, name, found);
        }
    }
    for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
        walk(document, schema, &format!("{at}.{member}"), name, found);
    }
    for inner in ["items", "additionalProperties", "propertyNames"] {
        if schema[inner].is_object() {
            walk(document, &schema[inner], at, name, found);
        }
    }
    if !schema["type"].is_null() {
        found.push((name.to_owned(), at.to_owned(), schema.clone()));
    }
}

fn is(schema: &Value, kind: &str) -> bool {
    schema["type"] == kind || schema["type"].as_array().is_some_and(|it| it.contains(&json!(kind)))
}

fn is_bounded(schema: &Value) -> bool {
    let has = |names: &[&str]| names.iter().any(|it| !schema[*it].is_null());
    if is(schema, "string") {
        has(&["enum", "format", "maxLength", "pattern"])
    } else if is(schema, "integer") || is(schema, "number") {
        has(&["enum"]) || has(&["minimum"]) && has(&["maximum"])
    } else {
        true
    }
}

#[test]
fn every_member_of_a_request_has_its_bounds() {
    // Conditions of HTTP are matched, not read.
    let matched = |at: &str| at.starts_with("If-");
    for surface in [Api::External, Api::Console] {
        let values = values(&document(surface));
        assert!(values.len() > 100, "{}", values.len());
        let excused = |at: &str| UNBOUNDED.iter().any(|it| at.rsplit('.').next() == Some(it.0));
        let open: Vec<_> = values
            .iter()
            .filter(|(_, at, schema)| !is_bounded(schema) && !excused(at) && !matched(at))
            .map(|(name, at, _)| format!("{name}: {at}"))
            .collect();
        assert_eq!(open, Vec::<String>::new());
    }
}

#[test]
fn a_member_without_bounds_would_be_noticed() {
    for open in [json!({ "type": "string" }), json!({ "type": ["integer", "null"], "minimum": 1 })]
    {
        assert!(!is_bounded(&open), "{open}");
    }
}

#[test]
fn what_may_be_null_says_so() {
    let (console, external) = (document(Api::Console), document(Api::External));
    for (document, schema, member) in [
        (&console, "TeamMember", "userId"),
        (&console, "TeamMember", "joinedAt"),
        (&console, "PodBody", "lastStarted"),
        (&console, "LogEntry", "userId"),
        (&console, "LogEntry", "resourceId"),
        (&console, "KeyValidation", "clientId"),
        (&external, "License", "external_id"),
    ] {
        let told = &document["components"]["schemas"][schema]["properties"][member];
        assert!(is(told, "null"), "{schema}.{member}: {told}");
    }
}

#[test]
fn parameters_of_a_query_are_never_null() {
    for surface in [Api::External, Api::Console] {
        for (name, at, schema) in values(&document(surface)) {
            assert!(at.starts_with('.') || !is(&schema, "null"), "{name}: {at}");
        }
    }
}

/// What stands in the document is what the parsers do, at the edge of each bound.
#[test]
fn the_longest_text_that_is_told_is_the_longest_that_is_taken() {
    let document = document(Api::Console);
    let longest = |schema: &str, member: &str| {
        let told = &document["components"]["schemas"][schema]["properties"][member];
        usize::try_from(told["maxLength"].as_u64().unwrap()).unwrap()
    };
    let team = longest("NewTeam", "name");
    assert!(TeamName::parse(&"x".repeat(team)).is_ok());
    assert!(TeamName::parse(&"x".repeat(team + 1)).is_err());
    let person = longest("TalentInput", "fullname");
    assert!(FullName::parse(&"x".repeat(person)).is_ok());
    assert!(FullName::parse(&"x".repeat(person + 1)).is_err());
    let title = longest("LicenseChanges", "name");
    let change = |length: usize| {
        let members = Map::from_iter([("name".to_owned(), json!("x".repeat(length)))]);
        LicenseChange::parse(&members, FieldNames::CONSOLE)
    };
    assert!(change(title).is_ok() && change(title + 1).is_err());
}
