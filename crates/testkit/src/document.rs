//! Checks that the OpenAPI document lists the status of every response that a test gets.

use std::collections::BTreeSet;

use grantor_api::frame::route::Route;
use grantor_api::{Api, openapi};
use http::{Method, StatusCode};

/// The documented statuses of each route.
#[derive(Default)]
pub(crate) struct Statuses(Vec<RouteStatuses>);

struct RouteStatuses {
    method: Method,
    path: String,
    statuses: BTreeSet<u16>,
}

impl Statuses {
    /// Adds the documented statuses of these routes.
    pub(crate) fn add(&mut self, surface: Api, routes: &[Route]) {
        self.0.extend(routes.iter().map(|route| RouteStatuses {
            method: route.info.method.clone(),
            path: format!("{}{}", surface.prefix(), route.info.path),
            statuses: openapi::statuses(route),
        }));
    }

    /// Fails if the document does not list this status.
    pub(crate) fn check(&self, method: &Method, path: &str, status: StatusCode) {
        let of_method = || self.0.iter().filter(|it| it.method == *method);
        // A literal path takes precedence over one with a parameter.
        let exact = of_method().find(|it| it.path == path);
        let Some(route) = exact.or_else(|| of_method().find(|it| fits(&it.path, path))) else {
            return;
        };
        let known = route.statuses.contains(&status.as_u16());
        assert!(known, "{method} {}: the document does not list {status}", route.path);
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
