//! The two APIs and their differences: path prefix, error envelope and paging.

use grantor_domain::audit::Scheme;
use grantor_domain::page::PageRules;
use http::StatusCode;
use serde_json::{Value, json};

use super::problem::{Problem, ProblemKind};

/// One of the two documented APIs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// The external API.
    External,
    /// The console, admin and legacy API.
    Console,
}

impl Api {
    /// Returns the path prefix.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::External => "",
            Self::Console => "/v1.0.1",
        }
    }

    /// Returns the API that a path belongs to.
    #[must_use]
    pub fn of_path(path: &str) -> Self {
        let below = path.strip_prefix(Self::Console.prefix());
        if below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
            Self::Console
        } else {
            Self::External
        }
    }

    /// Returns the API's name in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::External => "external",
            Self::Console => "console",
        }
    }

    /// Returns the API's name in the log.
    #[must_use]
    pub const fn scheme(self) -> Scheme {
        match self {
            Self::External => Scheme::External,
            Self::Console => Scheme::Console,
        }
    }

    /// Returns the paging rules of lists.
    #[must_use]
    pub const fn page_rules(self) -> PageRules {
        match self {
            Self::External => PageRules { size_name: "per_page", default_size: 20, max_size: 100 },
            Self::Console => PageRules { size_name: "limit", default_size: 10, max_size: 100 },
        }
    }

    /// Returns the HTTP status and error code of a problem.
    #[must_use]
    pub fn status_and_code(self, kind: &ProblemKind) -> (StatusCode, &'static str) {
        match (kind, self) {
            (ProblemKind::RateLimited(_), Self::External) => {
                (StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED")
            }
            (ProblemKind::RateLimited(_), Self::Console) => {
                (StatusCode::TOO_MANY_REQUESTS, "RATE_LIMIT_EXCEEDED")
            }
            // The console API defines no code for inactive credentials.
            (ProblemKind::CredentialInactive, Self::Console) => {
                (StatusCode::UNAUTHORIZED, "INVALID_CREDENTIALS")
            }
            (kind, _) => kind.status_and_code(),
        }
    }

    /// Returns the error body in this API's envelope.
    #[must_use]
    pub fn envelope(self, problem: &Problem, code: &str, request_id: &str) -> Value {
        match self {
            Self::External => {
                let mut error =
                    json!({ "code": code, "message": problem.message, "request_id": request_id });
                if let ProblemKind::PlanLimitReached { limit, used } = problem.kind {
                    error["details"] = json!({ "limit": limit, "used": used });
                } else if !problem.fields.is_empty() {
                    error["details"] = json!(problem.fields);
                }
                json!({ "success": false, "error": error })
            }
            Self::Console => {
                // The console envelope has no field for the request id, so it goes into the
                // details.
                let details = match problem.kind {
                    ProblemKind::Internal => json!({ "requestId": request_id }),
                    ProblemKind::PlanLimitReached { limit, used } => {
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
