//! Every example of the documents works: requests are sent with the examples of their parameters and
//! bodies, and the answers are successful. `TestApp` holds each answer against the document.

use grantor_api::frame::route::Access;
use grantor_api::{Api, openapi};
use grantor_testkit::app::{Answer, ORIGIN};
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;
use serde_json::{Value, json};

use crate::security::assignment::Half;
use crate::security::matrix::make::{send, text};
use crate::security::matrix::records::{Operation, Records, operations};
use crate::security::print_figure;

/// Members whose values only this app knows: secrets, and what must exist or must not.
const OF_THIS_APP: [&str; 16] = [
    "api_key",
    "api_secret",
    "domain",
    "email",
    "otp",
    "otpSession",
    "password",
    "receipt",
    "refreshToken",
    "refresh_token",
    "terms_hash",
    "token",
    "url",
    "userEmail",
    "username",
    "session",
];

/// Reads without an answer in this app.
const NOT_HERE: [(&str, &str); 1] =
    [("GET /status-lists/{number}", "there is a list only when its first grant was accepted")];

/// An app with one of everything, and the documents.
struct Room {
    half: Half,
    operations: Vec<Operation>,
    documents: [Value; 2],
}

impl Fixture for Room {
    async fn on(engine: Engine) -> Self {
        let half = Half::on(engine, Vec::new).await;
        let mut operations = operations(Vec::new(), Vec::new());
        // It ends what the others are asked with.
        operations.sort_by_key(|it| it.row.path == "/user/change/password");
        let documents = [Api::External, Api::Console]
            .map(|it| serde_json::to_value(openapi::document(it, ORIGIN, "grantor")).unwrap());
        Self { half, operations, documents }
    }
}

impl Room {
    fn document(&self, operation: &Operation) -> &Value {
        let document = &self.documents[usize::from(operation.surface == Api::Console)];
        let method = operation.row.method.as_str().to_lowercase();
        &document["paths"][&operation.row.path][method]
    }

    fn token(&self, operation: &Operation) -> &str {
        let admin = &self.half.own.admin;
        match operation.row.access {
            Access::Public => "",
            Access::Admin(_) => &self.half.staff,
            Access::External(_) | Access::ExternalWithRight(..) => &admin.external,
            Access::Console(_) | Access::Account | Access::UserOrClient(..) => &admin.console,
        }
    }

    /// The example of a body, with the values that only this app knows.
    async fn body(&self, operation: &Operation, records: &Records, example: &Value) -> Value {
        let mut body = example.clone();
        put(&mut body, &self.half.body(operation, records).await);
        if let Some(assignee) = body.get_mut("assignee_id") {
            let profile = self.half.maker().ask("GET /user/profile", None).await;
            *assignee = json!(text(&profile, "/data/id"));
        }
        body
    }

    /// Whether the answer is a success that the document has.
    fn fault(&self, operation: &Operation, answer: &Answer) -> Option<String> {
        let status = answer.status;
        let listed = &self.document(operation)["responses"][status.as_str()];
        let good = status.is_success() && listed.is_object();
        let body = String::from_utf8_lossy(&answer.body);
        (!good).then(|| format!("{}: {status} {body}", operation.name))
    }

    /// The query with the example of every parameter.
    fn query(&self, operation: &Operation, records: &Records) -> String {
        let parameters = self.document(operation)["parameters"].as_array().into_iter().flatten();
        let parameters = parameters.filter(|it| it["in"] == "query");
        let pairs = parameters.filter_map(|it| {
            let name = it["name"].as_str()?;
            let value = match (id_kind(name), &it["example"]) {
                (Some(kind), _) => records.find(kind)?.to_owned(),
                (None, Value::String(text)) => text.clone(),
                (None, other) => other.to_string(),
            };
            Some(format!("{name}={}", value.replace(' ', "%20").replace('+', "%2B")))
        });
        pairs.collect::<Vec<_>>().join("&")
    }
}

/// The kind of record that a parameter names.
fn id_kind(name: &str) -> Option<&str> {
    name.strip_suffix("_id").or_else(|| name.strip_suffix("Id"))
}

/// Puts the values that only the app knows into an example.
fn put(example: &mut Value, working: &Value) {
    match (example, working) {
        (Value::Object(members), Value::Object(working)) => {
            for (name, member) in members {
                match working.get(name) {
                    Some(value)
                        if id_kind(name).is_some() || OF_THIS_APP.contains(&name.as_str()) =>
                    {
                        *member = value.clone();
                    }
                    Some(value) => put(member, value),
                    None => {}
                }
            }
        }
        (Value::Array(items), Value::Array(working)) => {
            for (item, value) in items.iter_mut().zip(working) {
                put(item, value);
            }
        }
        _ => {}
    }
}

#[db_test]
async fn every_example_of_a_body_works(room: Room) {
    let (mut count, mut faults) = (0, Vec::new());
    for operation in &room.operations {
        let content = &room.document(operation)["requestBody"]["content"]["application/json"];
        let Some(example) = content.get("example") else { continue };
        let records = room.half.records(operation).await;
        let body = room.body(operation, &records, example).await;
        let what = format!("{} {}", operation.row.method, operation.path(&records));
        let answer = send(&room.half.app, room.token(operation), &what, Some(body)).await;
        faults.extend(room.fault(operation, &answer));
        count += 1;
    }
    print_figure(&format!("{count} bodies, {} faults", faults.len()));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 70, "{count} bodies");
}

#[db_test]
async fn every_example_of_a_query_works(room: Room) {
    let (mut count, mut faults) = (0, Vec::new());
    let public = room.half.strangers_license().await;
    for operation in &room.operations {
        let answers = room.document(operation)["responses"].as_object().unwrap();
        let succeeds = answers.keys().any(|it| it.starts_with('2'));
        let here = NOT_HERE.iter().all(|(name, _)| *name != operation.name);
        if operation.row.method != Method::GET || !succeeds || !here {
            continue;
        }
        let mut records = room.half.records(operation).await;
        if operation.row.path.starts_with("/metadata") {
            records.put("license", public.clone());
        }
        let address = operation.path(&records);
        let address = address.split('?').next().unwrap_or_default();
        let what = format!("GET {address}?{}", room.query(operation, &records));
        let answer = send(&room.half.app, room.token(operation), &what, None).await;
        faults.extend(room.fault(operation, &answer));
        count += 1;
    }
    print_figure(&format!("{count} reads, {} faults", faults.len()));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 60, "{count} reads");
}

/// The control: an example that the parser refuses would be noticed.
#[db_test]
async fn an_example_that_is_wrong_is_noticed(room: Room) {
    let operation = room.operations.iter().find(|it| it.name == "POST /org/create/team").unwrap();
    let records = room.half.records(operation).await;
    let body = room.body(operation, &records, &json!({ "name": "x".repeat(51) })).await;
    let what = format!("POST {}", operation.path(&records));
    let answer = send(&room.half.app, room.token(operation), &what, Some(body)).await;
    assert!(room.fault(operation, &answer).is_some(), "{}", answer.json());
}
