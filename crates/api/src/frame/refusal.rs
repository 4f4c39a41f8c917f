//! Logs rejected authentication attempts, unless an act already logged them.

use axum::response::Response;
use grantor_domain::audit::Scheme;
use grantor_http::RequestInfo;
use grantor_service::log::refusal::{self, Refused};

use super::action::{self, STAFF, TOKEN};
use super::middleware::RouteState;
use super::oauth::OAuthCode;
use super::problem::{Problem, ProblemKind};

/// Logs the response if it rejects an authentication attempt.
pub(super) fn note(route: &RouteState, request: &RequestInfo, response: &Response) {
    let Some(problem) = response.extensions().get::<Problem>() else { return };
    let (info, flags) = (route.info(), &request.context.flags);
    let attempt = action::of_auth_attempt(&info.method, &info.path);
    let attempt = attempt.filter(|_| denies_access(&problem.kind));
    let action = if flags.is_unauthenticated() { Some(TOKEN) } else { attempt };
    let Some(action) = action.filter(|_| !flags.is_logged()) else { return };
    let summary = if flags.is_unauthenticated() { "An access token" } else { info.summary };
    let (_, code) = route.api().status_and_code(&problem.kind);
    let mut origin = request.context.origin.clone();
    if action == STAFF {
        origin.scheme = Scheme::Admin;
    }
    let limited = matches!(problem.kind, ProblemKind::RateLimited(_));
    let refused = Refused { action, summary, route: &info.path, code, limited };
    refusal::note(&route.state().app, origin, &refused);
}

/// Whether the problem denies access, as opposed to reporting an invalid request.
fn denies_access(kind: &ProblemKind) -> bool {
    matches!(
        kind,
        ProblemKind::Unauthorized
            | ProblemKind::TokenExpired
            | ProblemKind::InvalidCredentials
            | ProblemKind::CredentialInactive
            | ProblemKind::MissingRequired
            | ProblemKind::InvalidOtp
            | ProblemKind::OtpExpired
            | ProblemKind::InvalidSession
            | ProblemKind::Forbidden
            | ProblemKind::RateLimited(_)
            | ProblemKind::OAuth(OAuthCode::InvalidGrant)
    )
}
