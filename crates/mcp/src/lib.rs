//! The Model Context Protocol at `/mcp`: tools with which assistants search the catalog, ask for
//! licenses, accept offers and prove grants, as the API client whose access token they send.
//!
//! A tool call is a request to the external API, which runs through the routes of that API inside
//! the server. Access, rate limits, the log, idempotency and errors are therefore the same
//! ([decision 0051](../../../docs/decisions/0051-mcp.md)).

mod api_routes;
mod arguments;
mod endpoint;
mod exchange;
mod picture;
mod refusal;
mod schema;
mod server;
mod settings;
mod tool;
mod tool_table;

use std::sync::Arc;

use axum::Router;
use axum::routing::any;
use grantor_api::ApiState;

use self::endpoint::Endpoint;

/// The path of the endpoint.
const PATH: &str = "/mcp";

/// The endpoint. Clones are the same endpoint.
#[derive(Clone)]
pub struct Mcp(Arc<Endpoint>);

impl Mcp {
    /// Creates the endpoint of one server.
    #[must_use]
    pub fn new(state: &ApiState) -> Self {
        Self(Arc::new(Endpoint::new(state)))
    }

    /// Returns the router. It needs the request information that the layer of the pages adds.
    pub fn router(&self) -> Router {
        Router::new().route(PATH, any(endpoint::handle)).with_state(Arc::clone(&self.0))
    }
}
