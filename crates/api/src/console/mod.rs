//! The console, admin and legacy API 1.0.1 (`console-api-1.0.1.md`, contract section 5).

use crate::frame::route::Route;

/// The version in the path and in the OpenAPI document.
pub const VERSION: &str = "1.0.1";

/// The table. Its endpoints come with the accounts they are about.
#[must_use]
pub fn routes() -> Vec<Route> {
    vec![]
}
