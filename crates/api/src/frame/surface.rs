//! The two surfaces and what differs between them: prefix, envelope of errors, paging.

use grantor_domain::audit::Scheme;
use grantor_domain::page::PageRules;
use http::StatusCode;
use serde_json::{Value, json};

use super::problem::{Problem, ProblemKind};

/// One of the two documented APIs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// The external API.
    External,
    /// The console, admin and legacy API.
    Console,
}

impl Surface {
    /// What stands before every path.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::External => "",
            Self::Console => "/v1.0.1",
        }
    }

    /// The surface a path belongs to.
    #[must_use]
    pub fn of_path(path: &str) -> Self {
        let below = path.strip_prefix(Self::Console.prefix());
        if below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
            Self::Console
        } else {
            Self::External
        }
    }

    /// Its name in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::External => "external",
            Self::Console => "console",
        }
    }

    /// Its name in the log.
    #[must_use]
    pub const fn scheme(self) -> Scheme {
        match self {
            Self::External => Scheme::External,
            Self::Console => Scheme::Console,
        }
    }

    /// How lists are paged.
    #[must_use]
    pub const fn page_rules(self) -> PageRules {
        match self {
            Self::External => PageRules { size_name: "per_page", default_size: 20, max_size: 100 },
            Self::Console => PageRules { size_name: "limit", default_size: 10, max_size: 100 },
        }
    }

    /// The status and code of a problem: every one is mapped here and nowhere else.
    #[must_use]
    pub fn status_and_code(self, kind: &ProblemKind) -> (StatusCode, &'static str) {
        match (kind, self) {
            (ProblemKind::RateLimited(_), Self::External) => {
                (StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED")
            }
            (ProblemKind::RateLimited(_), Self::Console) => {
                (StatusCode::TOO_MANY_REQUESTS, "RATE_LIMIT_EXCEEDED")
            }
            // The console document knows no word for it.
            (ProblemKind::CredentialInactive, Self::Console) => {
                (StatusCode::UNAUTHORIZED, "INVALID_CREDENTIALS")
            }
            (kind, _) => kind.status_and_code(),
        }
    }

    /// The body of a problem in this surface's envelope.
    #[must_use]
    pub fn envelope(self, problem: &Problem, code: &str, request_id: &str) -> Value {
        match self {
            Self::External => {
                let mut error =
                    json!({ "code": code, "message": problem.message, "request_id": request_id });
                if let ProblemKind::BoundReached { limit, used } = problem.kind {
                    error["details"] = json!({ "limit": limit, "used": used });
                } else if !problem.fields.is_empty() {
                    error["details"] = json!(problem.fields);
                }
                json!({ "success": false, "error": error })
            }
            Self::Console => {
                // The console's envelope has no place for the id but the details of a fault.
                let details = match problem.kind {
                    ProblemKind::Internal => json!({ "requestId": request_id }),
                    ProblemKind::BoundReached { limit, used } => {
                        json!({ "limit": limit, "used": used })
                    }
                    _ => json!(problem.fields),
                };
                json!({
                    "error": { "code": code, "message": problem.message, "details": details },
                    "status": "error",
                })
            }
        }
    }
}
