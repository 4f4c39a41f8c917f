//! Who is signed in: the token, the header that goes with it, the right the row asks for.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use grantor_domain::limit::{LimitName, Standing};
use grantor_domain::role::may;
use grantor_service::Context;
use grantor_service::access::{self, Caller};
use grantor_service::limit::Subject;
use http::request::Parts;
use http::{HeaderMap, header};

use super::client::Client;
use super::problem::{Problem, ProblemKind};
use super::request::Anonymous;
use super::route::Permission;
use super::settings::ApiState;
use crate::describe::{Describe, OperationDoc};

/// The context of a signed-in person's request. Only a route whose row asks for one has it.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// Who, from where.
    pub context: Context,
    /// Their role and tenant.
    pub caller: Arc<Caller>,
}

impl Describe for SignedIn {
    fn describe(doc: &mut OperationDoc) {
        doc.signed_in = true;
    }
}

impl FromRequestParts<ApiState> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Problem> {
        let Ok(Anonymous(mut context)) = Anonymous::from_request_parts(parts, state).await;
        let caller = parts.extensions.get::<Arc<Caller>>().cloned().ok_or_else(|| Problem {
            internal: Some("a public row whose handler wants a caller".to_owned()),
            ..Problem::new(ProblemKind::Internal, "An unexpected error occurred")
        })?;
        context.actor = caller.actor();
        Ok(Self { context, caller })
    }
}

/// Lets the caller in, or says why not. Who cannot be told from a stranger is counted as one.
pub(super) async fn admit(
    state: &ApiState,
    permission: Permission,
    client: Client,
    headers: &HeaderMap,
    standing: &mut Option<Standing>,
) -> Result<Option<Arc<Caller>>, Problem> {
    let Permission::Console(right) = permission else { return Ok(None) };
    let caller = match identify(state, headers).await {
        Ok(caller) => caller,
        Err(problem) => {
            let stranger = Subject::address(client.address);
            *standing = state.app.limiter.hit(LimitName::Anonymous, &stranger).await?;
            return Err(problem);
        }
    };
    let subject = Subject::id(caller.user.as_uuid());
    *standing = state.app.limiter.hit(LimitName::Console, &subject).await?;
    may(caller.role, caller.tenant_type, right)?;
    Ok(Some(caller))
}

async fn identify(state: &ApiState, headers: &HeaderMap) -> Result<Arc<Caller>, Problem> {
    let unauthorized = |message| Problem::new(ProblemKind::Unauthorized, message);
    let given = headers.get(header::AUTHORIZATION).and_then(|it| it.to_str().ok());
    let token = given.and_then(|it| it.split_once(' '));
    let token = token.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let (_, token) = token.ok_or_else(|| unauthorized("An access token is required"))?;
    let caller = access::console(&state.app, token.trim()).await?;
    // Contract section 3: every call with a console token says where it comes from.
    if headers.get("x-source").is_none_or(|source| source != "console") {
        return Err(unauthorized("The header x-source: console is required"));
    }
    Ok(caller)
}
