//! Every answer that a test gets has a status that the OpenAPI document tells of its route.

use std::collections::BTreeSet;

use grantor_api::frame::route::Route;
use grantor_api::{Surface, openapi};
use http::{Method, StatusCode};

/// The statuses of each route.
#[derive(Default)]
pub(crate) struct Statuses(Vec<Told>);

struct Told {
    method: Method,
    path: String,
    statuses: BTreeSet<u16>,
}

impl Statuses {
    /// Notes what the document tells of these routes.
    pub(crate) fn note(&mut self, surface: Surface, routes: &[Route]) {
        self.0.extend(routes.iter().map(|route| Told {
            method: route.row.method.clone(),
            path: format!("{}{}", surface.prefix(), route.row.path),
            statuses: openapi::statuses(route),
        }));
    }

    /// Fails where the document does not tell of such an answer.
    pub(crate) fn check(&self, method: &Method, path: &str, status: StatusCode) {
        let of_method = || self.0.iter().filter(|it| it.method == *method);
        // One that is spelled out goes before one with a part that varies.
        let exact = of_method().find(|it| it.path == path);
        let Some(told) = exact.or_else(|| of_method().find(|it| fits(&it.path, path))) else {
            return;
        };
        let known = told.statuses.contains(&status.as_u16());
        assert!(known, "{method} {}: the document does not tell of {status}", told.path);
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
