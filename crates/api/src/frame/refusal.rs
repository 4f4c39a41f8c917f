//! Refused ways in, for the log: what an act wrote down is not written again.

use axum::response::Response;
use grantor_domain::audit::{Origin, Scheme};
use grantor_service::context::EntryNote;
use grantor_service::refusal::{self, Refused};

use super::action::{self, STAFF, TOKEN};
use super::pass::Pass;
use super::problem::{Problem, ProblemKind};

/// Notes what was refused, if it was a way in.
pub(super) fn note(pass: &Pass, mut origin: Origin, entry: &EntryNote, response: &Response) {
    let Some(problem) = response.extensions().get::<Problem>() else { return };
    let row = pass.row();
    let way_in = action::of_way_in(&row.method, &row.path).filter(|_| keeps_out(&problem.kind));
    let action = if entry.is_refused() { Some(TOKEN) } else { way_in };
    let Some(action) = action.filter(|_| !entry.is_written()) else { return };
    let summary = if entry.is_refused() { "An access token" } else { row.summary };
    let (_, code) = pass.surface().status_and_code(&problem.kind);
    if action == STAFF {
        origin.scheme = Scheme::Admin;
    }
    let limited = matches!(problem.kind, ProblemKind::RateLimited(_));
    let refused = Refused { action, summary, route: &row.path, code, limited };
    refusal::note(&pass.state().app, origin, &refused);
}

/// Whether a problem keeps a caller out, rather than finding fault with what was sent.
fn keeps_out(kind: &ProblemKind) -> bool {
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
    )
}
