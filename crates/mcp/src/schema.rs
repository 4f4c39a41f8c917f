//! The schemas of tools, from the OpenAPI document of the API. Patterns and long lists of choices
//! are left out: they fill the context of models, and the API checks them anyway.

use http::Method;
use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

/// Where the document has its schemas.
const COMPONENTS: &str = "#/components/schemas/";
/// The longest list of choices that a schema keeps.
const MAX_CHOICES: usize = 40;
/// Keywords that models don't need.
const LEFT_OUT: [&str; 3] = ["pattern", "example", "examples"];

/// The OpenAPI document of the external API.
pub(crate) struct Document(Value);

impl Document {
    pub(crate) fn parse(json: &[u8]) -> Self {
        Self(serde_json::from_slice(json).unwrap_or_default())
    }

    /// Returns the schema of a tool's arguments: the parameters in the path and the query, the
    /// idempotency key, and the members of the body.
    pub(crate) fn input(&self, method: &Method, path: &str, without: &[&str]) -> Value {
        let operation = self.operation(method, path);
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let Some(name) = argument_name(parameter) else { continue };
            let mut schema = parameter["schema"].clone();
            if let Some(about) = parameter.get("description") {
                schema["description"] = about.clone();
            }
            properties.insert(name.to_owned(), schema);
            required.extend(parameter["required"].as_bool().filter(|it| *it).map(|_| name));
        }
        let body = self.resolve(&operation["requestBody"]["content"]["application/json"]["schema"]);
        properties.extend(body["properties"].as_object().cloned().unwrap_or_default());
        let of_body = body["required"].as_array().into_iter().flatten();
        required.extend(of_body.filter_map(Value::as_str));
        properties.retain(|name, _| !without.contains(&name.as_str()));
        required.retain(|name| properties.contains_key(*name));
        json!({ "properties": properties, "required": required, "additionalProperties": false })
    }

    /// Returns the schema of the successful response.
    pub(crate) fn output(&self, method: &Method, path: &str) -> Value {
        let responses = &self.operation(method, path)["responses"];
        let success = ["200", "201"].into_iter().find(|it| responses.get(it).is_some());
        let response = &responses[success.unwrap_or_default()];
        self.resolve(&response["content"]["application/json"]["schema"]).clone()
    }

    /// Completes the schema of an object with the definitions that it refers to.
    pub(crate) fn complete(&self, mut schema: Value) -> JsonObject {
        let (mut pending, mut definitions) = (Vec::new(), Map::new());
        tidy(&mut schema, &mut pending);
        while let Some(name) = pending.pop() {
            if definitions.contains_key(&name) {
                continue;
            }
            let mut definition = self.0["components"]["schemas"][&name].clone();
            tidy(&mut definition, &mut pending);
            definitions.insert(name, definition);
        }
        // Clients require this, even where a reference implies it.
        let mut complete = JsonObject::from_iter([("type".to_owned(), json!("object"))]);
        if let Value::Object(members) = schema {
            complete.extend(members);
        }
        if !definitions.is_empty() {
            complete.insert("$defs".to_owned(), Value::Object(definitions));
        }
        complete
    }

    fn operation(&self, method: &Method, path: &str) -> &Value {
        &self.0["paths"][path][method.as_str().to_ascii_lowercase()]
    }

    /// Follows a reference to a schema.
    fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"].as_str().and_then(|it| it.strip_prefix(COMPONENTS));
        name.map_or(schema, |it| &self.0["components"]["schemas"][it])
    }
}

/// Returns a reference to a schema of the document.
pub(crate) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("{COMPONENTS}{name}") })
}

/// Returns the argument for a parameter of the API. Conditional requests have none.
fn argument_name(parameter: &Value) -> Option<&str> {
    match (parameter["in"].as_str()?, parameter["name"].as_str()?) {
        ("path" | "query", name) => Some(name),
        ("header", "Idempotency-Key") => Some("idempotency_key"),
        _ => None,
    }
}

/// Shortens a schema and collects the names of the schemas that it refers to.
fn tidy(schema: &mut Value, names: &mut Vec<String>) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|it| tidy(it, names)),
        Value::Object(members) => {
            for keyword in LEFT_OUT {
                members.shift_remove(keyword);
            }
            shorten_choices(members);
            if let Some(Value::String(target)) = members.get_mut("$ref")
                && let Some(name) = target.strip_prefix(COMPONENTS).map(str::to_owned)
            {
                *target = format!("#/$defs/{name}");
                names.push(name);
            }
            for (name, value) in members {
                match value {
                    // The names of these are not keywords.
                    Value::Object(properties) if name == "properties" => {
                        properties.values_mut().for_each(|it| tidy(it, names));
                    }
                    _ => tidy(value, names),
                }
            }
        }
        _ => {}
    }
}

/// Replaces a long list of choices by a few of them.
fn shorten_choices(schema: &mut JsonObject) {
    let choices = schema.get("enum").and_then(Value::as_array);
    let Some([first, second, third, ..]) =
        choices.filter(|it| it.len() > MAX_CHOICES).map(Vec::as_slice)
    else {
        return;
    };
    let sample = [first, second, third].map(|it| it.as_str().unwrap_or_default()).join(", ");
    let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let about = format!("{about} A code such as {sample}.");
    schema.insert("description".to_owned(), json!(about.trim_start()));
    schema.shift_remove("enum");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(schemas: &Value) -> Document {
        Document(json!({ "components": { "schemas": schemas } }))
    }

    #[test]
    fn a_schema_brings_what_it_refers_to() {
        let document = document(&json!({
            "A": { "properties": { "b": { "$ref": "#/components/schemas/B" } } },
            "B": { "items": { "$ref": "#/components/schemas/A" } },
            "C": {},
        }));
        let complete = document.complete(json!({ "properties": { "a": reference("A") } }));
        let expected = json!({
            "type": "object",
            "properties": { "a": { "$ref": "#/$defs/A" } },
            "$defs": {
                "A": { "properties": { "b": { "$ref": "#/$defs/B" } } },
                "B": { "items": { "$ref": "#/$defs/A" } },
            },
        });
        assert_eq!(Value::Object(complete), expected);
    }

    #[test]
    fn patterns_and_long_lists_are_left_out_but_properties_stay() {
        let codes: Vec<String> = (0..60).map(|it| format!("C{it}")).collect();
        let complete = document(&json!({})).complete(json!({ "properties": {
            "pattern": { "type": "string", "pattern": "^a$", "example": "a" },
            "code": { "enum": codes, "description": "The code." },
            "few": { "enum": ["x", "y"] },
        } }));
        let expected = json!({
            "pattern": { "type": "string" },
            "code": { "description": "The code. A code such as C0, C1, C2." },
            "few": { "enum": ["x", "y"] },
        });
        assert_eq!(complete["properties"], expected);
    }
}
