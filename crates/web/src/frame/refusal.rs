//! Refused ways in, for the log: what an act wrote down is not written again.

use axum::response::Response;
use grantor_domain::ErrorKind;
use grantor_service::refusal::{self, Refused};
use http::Method;

use super::action;
use super::failure::Failure;
use super::pass::Pass;
use super::visitor::{RefusedFor, Visit};

/// Notes what was refused, if it was a way in.
pub(super) fn note(pass: &Pass, visit: &Visit, response: &Response) {
    let told = pass.told();
    if told.method == Method::GET || visit.context.entry.is_written() {
        return;
    }
    let failed = response.extensions().get::<Failure>().map(|it| it.0.kind());
    let kind = failed.or_else(|| response.extensions().get::<RefusedFor>().map(|it| &it.0));
    let action = action::of_way_in(told.path).filter(|_| kind.is_some_and(ErrorKind::keeps_out));
    if let Some(action) = action {
        let code = response.status().as_u16().to_string();
        let limited = matches!(kind, Some(ErrorKind::RateLimited(_)));
        let (summary, route) = (told.summary, told.path);
        let refused = Refused { action, summary, route, code: &code, limited };
        refusal::note(&pass.web().app, visit.context.origin.clone(), &refused);
    }
}
