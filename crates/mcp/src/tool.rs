//! A tool: its entry in the list, and what a call does.

use std::sync::Arc;

use axum::body::Body;
use grantor_domain::Error;
use grantor_domain::id::IdGenerator;
use http::{Method, Request, StatusCode};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::api_routes::{ApiRoutes, Call, Failure};
use crate::exchange::Exchange;
use crate::schema::{Document, reference};
use crate::tool_table::{Shape, ToolInfo};
use crate::{arguments, picture};

/// The route that shows an offer.
const THREAD: &str = "/requests/{id}";
/// The argument that accepts an offer.
const TERMS_HASH: &str = "terms_hash";

/// A tool that calls the API.
pub(crate) struct ApiTool {
    info: ToolInfo,
    /// The entry in the list of tools.
    pub(crate) entry: Tool,
}

impl ApiTool {
    pub(crate) fn new(info: ToolInfo, document: &Document) -> Self {
        let (input, output) = schemas(&info, document);
        let (input, output) = (Arc::new(input), Arc::new(output));
        let entry = Tool::new(info.name, info.about, input)
            .with_title(info.title)
            .with_raw_output_schema(output)
            .with_annotations(info.effect.annotations());
        Self { info, entry }
    }

    /// Whether calls use this route.
    pub(crate) fn uses(&self, method: &Method, path: &str) -> bool {
        self.info.method == *method && self.info.path == path
    }

    /// Calls the API and returns the result for the client.
    pub(crate) async fn call(
        &self,
        api: &ApiRoutes,
        exchange: &Exchange,
        ids: &IdGenerator,
        arguments: JsonObject,
    ) -> Result<CallToolResult, Failure> {
        arguments::check_names(&arguments, &self.entry.input_schema)?;
        let (done, body) = match self.info.shape {
            Shape::Plain => (self.info.done, self.send(api, exchange, arguments).await?),
            Shape::Picture => {
                let request = self.picture_request(arguments, ids)?;
                let call = Call { route: self.info.path, request };
                (self.info.done, api.call(exchange, call).await?)
            }
            Shape::Acceptance => self.accept(api, exchange, arguments).await?,
        };
        Ok(result(done, body))
    }

    async fn send(
        &self,
        api: &ApiRoutes,
        exchange: &Exchange,
        arguments: JsonObject,
    ) -> Result<Value, Failure> {
        let ToolInfo { method, path, .. } = &self.info;
        let request = arguments::request(method.clone(), path, arguments)?;
        api.call(exchange, Call { route: path, request }).await
    }

    /// A form if the picture itself is given, or else the address as JSON.
    fn picture_request(
        &self,
        mut arguments: JsonObject,
        ids: &IdGenerator,
    ) -> Result<Request<Body>, Error> {
        let (method, path) = (self.info.method.clone(), self.info.path);
        let Some(image) = picture::take(&mut arguments) else {
            return arguments::request(method, path, arguments);
        };
        let image = image.as_str().and_then(|it| picture::decode(it).ok());
        let image = image.ok_or_else(|| Error::field(picture::IMAGE, "must be base64"))?;
        let boundary = ids.next::<Uuid>().to_string();
        let form = picture::form(&image, &arguments, &boundary);
        let content_type = format!("multipart/form-data; boundary={boundary}");
        arguments::with_body(method, path, &content_type, form)
    }

    /// Returns the terms and their hash, or accepts the terms with the given hash.
    async fn accept(
        &self,
        api: &ApiRoutes,
        exchange: &Exchange,
        arguments: JsonObject,
    ) -> Result<(&'static str, Value), Failure> {
        if arguments.get(TERMS_HASH).is_none_or(Value::is_null) {
            let ToolInfo { method, path, .. } = &self.info;
            let terms = show_terms(api, exchange, arguments).await?;
            api.require_scope(exchange, method, path)?;
            let shown = "Nothing is accepted yet. These are the terms; to accept them, call again \
                         with their terms_hash.";
            return Ok((shown, terms));
        }
        match self.send(api, exchange, arguments).await {
            Ok(grant) => Ok((self.info.done, json!({ "accepted": true, "grant": grant }))),
            Err(Failure::Api(status, mut error)) => {
                // The API names the hash of the current terms. Nobody has read those yet.
                if let Some(error) = error.as_object_mut()
                    && error.get("details").is_some_and(|it| it.get(TERMS_HASH).is_some())
                    && status == StatusCode::CONFLICT
                {
                    error.shift_remove("details");
                }
                Err(Failure::Api(status, error))
            }
            Err(failure) => Err(failure),
        }
    }
}

/// Returns the open offer of a request, with its parties.
async fn show_terms(
    api: &ApiRoutes,
    exchange: &Exchange,
    mut arguments: JsonObject,
) -> Result<Value, Failure> {
    arguments.retain(|name, _| name == "id");
    let request = arguments::request(Method::GET, THREAD, arguments)?;
    let mut thread = api.call(exchange, Call { route: THREAD, request }).await?;
    let is_offered = thread["status"] == "offered";
    let offers = thread["offers"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let open = offers.into_iter().find(|it| is_offered && it["status"] == "open");
    let offer = open.ok_or_else(|| Error::conflict("The request has no open offer"))?;
    let [license, talent, owner] = ["license", "talent", "owner"].map(|it| thread[it].take());
    Ok(json!({
        "accepted": false, "license": license, "talent": talent, "owner": owner, "offer": offer,
    }))
}

/// Returns the result: a short text, the whole result as text for clients that read only text, and
/// the same as data.
fn result(done: &str, body: Value) -> CallToolResult {
    let shown = body["data"].as_array().map(Vec::len);
    let total = body["pagination"]["total"].as_u64();
    let summary = match (shown, total) {
        (Some(shown), Some(total)) => format!("{shown} of {total} results."),
        _ => done.to_owned(),
    };
    let mut result = CallToolResult::structured(body);
    result.content.insert(0, ContentBlock::text(summary));
    result
}

/// Returns the schemas of the arguments and the result.
fn schemas(info: &ToolInfo, document: &Document) -> (JsonObject, JsonObject) {
    let mut input = document.input(&info.method, info.path, info.without);
    let mut output = document.output(&info.method, info.path);
    match info.shape {
        Shape::Plain => {}
        Shape::Picture => {
            input["properties"][picture::IMAGE] = json!({
                "type": "string", "contentEncoding": "base64",
                "description": "The picture: JPEG, PNG or WebP of up to 10 MiB, as base64.",
            });
        }
        Shape::Acceptance => {
            input["required"] = json!(["id"]);
            let about = "The terms_hash of the offer, to accept exactly its terms. Leave it out to \
                         read them.";
            input["properties"][TERMS_HASH]["description"] = json!(about);
            let accepted = "Whether the offer is accepted.";
            output = json!({
                "required": ["accepted"],
                "properties": {
                    "accepted": { "type": "boolean", "description": accepted },
                    "license": reference("Named"),
                    "talent": reference("Named"),
                    "owner": reference("Party"),
                    "offer": reference("Offer"),
                    "grant": reference("Grant"),
                },
            });
        }
    }
    (document.complete(input), document.complete(output))
}

#[cfg(test)]
mod tests {
    use grantor_api::{Api, openapi};

    use super::*;
    use crate::tool_table;

    fn tools() -> Vec<ApiTool> {
        let document = openapi::document(Api::External, "https://grantor.example", "grantor");
        let document = Document::parse(&serde_json::to_vec(&document).unwrap());
        tool_table::all().into_iter().map(|it| ApiTool::new(it, &document)).collect()
    }

    /// Whether a schema refers only to its own definitions.
    fn is_complete(schema: &JsonObject) -> bool {
        let text = Value::Object(schema.clone()).to_string();
        let definitions = schema.get("$defs").and_then(Value::as_object);
        let mut names = text.split("#/$defs/").skip(1).filter_map(|it| it.split('"').next());
        let is_known =
            |name: &str| definitions.and_then(|it| it.get(name)).is_some_and(Value::is_object);
        !text.contains("#/components") && names.all(is_known)
    }

    #[test]
    fn every_tool_has_schemas_that_stand_alone() {
        for tool in tools() {
            let (input, output) = (&tool.entry.input_schema, tool.entry.output_schema.as_ref());
            for schema in [input, output.unwrap()] {
                assert!(is_complete(schema), "{}", tool.info.name);
                assert_eq!(schema["type"], "object", "{}", tool.info.name);
                assert!(!schema["properties"].as_object().unwrap().is_empty());
            }
        }
    }

    #[test]
    fn the_arguments_are_those_of_the_api() {
        let tools = tools();
        let arguments = |name: &str| -> Vec<&str> {
            let tool = tools.iter().find(|it| it.info.name == name).unwrap();
            let properties = tool.entry.input_schema["properties"].as_object().unwrap();
            properties.keys().map(String::as_str).collect()
        };
        let license = ["id", "include_images", "include_image_urls", "version"];
        assert_eq!(arguments("get_license"), license);
        assert_eq!(arguments("accept_offer"), ["id", "idempotency_key", "terms_hash"]);
        assert_eq!(arguments("check_picture"), ["image_url", "image"]);
        assert_eq!(arguments("may_i"), ["questions"]);
        assert!(arguments("request_license").contains(&"idempotency_key"));
    }
}
