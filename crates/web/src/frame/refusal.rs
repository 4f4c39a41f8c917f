//! Logs refused sign-ins that no act has logged yet.

use axum::response::Response;
use grantor_domain::ErrorKind;
use grantor_service::log::refusal::{self, Refused};
use http::Method;

use super::action;
use super::context::{PageContext, RefusalKind};
use super::failure::Failure;
use super::middleware::RouteState;

/// Logs a refused form if it is a sign-in form.
pub(super) fn note(state: &RouteState, ctx: &PageContext, response: &Response) {
    let info = state.info();
    if info.method == Method::GET || ctx.context.flags.is_logged() {
        return;
    }
    let failed = response.extensions().get::<Failure>().map(|it| it.error.kind());
    let kind = failed.or_else(|| response.extensions().get::<RefusalKind>().map(|it| &it.0));
    let action =
        action::of_sign_in_form(info.path).filter(|_| kind.is_some_and(ErrorKind::denies_access));
    if let Some(action) = action {
        let code = response.status().as_u16().to_string();
        let limited = matches!(kind, Some(ErrorKind::RateLimited(_)));
        let (summary, route) = (info.summary, info.path);
        let refused = Refused { action, summary, route, code: &code, limited };
        refusal::note(&state.web().app, ctx.context.origin.clone(), &refused);
    }
}
