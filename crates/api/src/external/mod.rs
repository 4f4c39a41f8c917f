//! The external API 3.1.0 (`external-api-3.1.0.md`, contract section 4).

mod catalog;
mod discovery;
mod health;
mod license;

use grantor_domain::limit::LimitName;
use http::Method;

use crate::frame::route::Limit::{Address, Unlimited};
use crate::frame::route::Permission::Public;
use crate::frame::route::{Route, route};

/// The version `GET /health` and the OpenAPI document name.
pub const VERSION: &str = "3.1.0";

/// The table; the service's name is part of one path.
#[must_use]
#[rustfmt::skip]
pub fn routes(service_name: &str) -> Vec<Route> {
    let well_known = format!("/.well-known/{service_name}");
    vec![
        route(Method::GET, "/health", Public, Unlimited, health::show, "Tells that the API is up"),
        route(Method::GET, "/metadata", Public, Address(LimitName::Metadata), catalog::list, "Lists the licenses open to everybody"),
        route(Method::GET, well_known, Public, Unlimited, discovery::show, "Tells where everything is"),
        route(Method::GET, "/.well-known/jwks.json", Public, Unlimited, discovery::keys, "Gives the keys that access tokens are signed with"),
    ]
}
