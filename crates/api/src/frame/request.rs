//! The context of unauthenticated requests.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use grantor_domain::access::Actor;
use grantor_http::RequestInfo;
use grantor_service::Context;
use http::request::Parts;

use super::describe::{Describe, OperationDoc};
use super::state::ApiState;

/// The context of an unauthenticated request.
#[derive(Clone, Debug)]
pub struct Anonymous(pub Context);

impl Describe for Anonymous {
    fn describe(_: &mut OperationDoc) {}
}

impl FromRequestParts<ApiState> for Anonymous {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &ApiState,
    ) -> Result<Self, Self::Rejection> {
        if let Some(info) = parts.extensions.get::<RequestInfo>() {
            return Ok(Self(info.context.clone()));
        }
        let mut context = Context::system(state.app.clock.monotonic());
        context.actor = Actor::Anonymous;
        Ok(Self(context))
    }
}
