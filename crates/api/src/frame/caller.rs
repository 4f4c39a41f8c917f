//! Authentication and authorization of callers: the access token, the `x-source` header and the
//! rights a route requires.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use grantor_domain::access::Actor;
use grantor_domain::audit::Scheme;
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;
use grantor_domain::scope::Scope;
use grantor_domain::{ErrorKind, admin, role};
use grantor_http::RequestInfo;
use grantor_service::billing::quota;
use grantor_service::identity::access::{self, AdminCaller, Caller, ClientCaller};
use grantor_service::operations::limit::Subject;
use grantor_service::{App, Context};
use http::request::Parts;
use http::{HeaderMap, header};

use super::describe::{Describe, OperationDoc};
use super::problem::{Problem, ProblemKind};
use super::request::Anonymous;
use super::route::Access;
use super::state::ApiState;

/// An authenticated caller of any kind.
#[derive(Clone, Debug)]
pub(super) enum Identity {
    Person(Arc<Caller>),
    Staff(Arc<AdminCaller>),
    Client(Arc<ClientCaller>),
}

impl Identity {
    /// Returns the caller as an actor, for acts and the log.
    pub(super) fn actor(&self) -> Actor {
        match self {
            Self::Person(caller) => caller.actor(),
            Self::Staff(caller) => caller.actor(),
            Self::Client(caller) => caller.actor(),
        }
    }

    /// Returns the log scheme of the caller's requests, if it differs from the API's scheme.
    pub(super) fn scheme(&self) -> Option<Scheme> {
        match self {
            Self::Person(_) => Caller::SCHEME,
            Self::Staff(_) => AdminCaller::SCHEME,
            Self::Client(_) => ClientCaller::SCHEME,
        }
    }

    /// Returns a key that is unique to the caller.
    pub(super) fn key(&self) -> String {
        match self {
            // The same user has separate keys in each tenant.
            Self::Person(caller) => format!("user:{}:{}", caller.user, caller.tenant),
            Self::Staff(caller) => format!("admin:{}", caller.admin),
            Self::Client(caller) => format!("client:{}", caller.client),
        }
    }

    /// Returns the rate limit of the caller's API and its subject.
    fn limit(&self) -> (LimitName, Subject) {
        match self {
            Self::Person(caller) => (LimitName::Console, Subject::id(caller.user.as_uuid())),
            Self::Staff(caller) => (LimitName::Admin, Subject::id(caller.admin.as_uuid())),
            Self::Client(caller) => (caller.plan.limit(), Subject::id(caller.client.as_uuid())),
        }
    }
}

/// The context of an authenticated request. Available on routes that require this kind of caller.
#[derive(Clone, Debug)]
pub struct Authenticated<C> {
    /// The context of the call.
    pub context: Context,
    /// The caller.
    pub caller: Arc<C>,
}

/// A user who is signed in to the console.
pub type SignedIn = Authenticated<Caller>;
/// A member of the operator's staff.
pub type Staff = Authenticated<AdminCaller>;
/// An API client.
pub type ApiClient = Authenticated<ClientCaller>;

/// A kind of caller.
pub trait CallerKind: Sized {
    /// Returns the caller if it is of this kind.
    #[expect(private_interfaces, reason = "only the frame creates identities")]
    fn from_identity(identity: &Identity) -> Option<&Arc<Self>>;
    /// Returns the caller as an actor, for acts and the log.
    fn actor(&self) -> Actor;
    /// The log scheme of the caller's requests, if it differs from the API's scheme.
    const SCHEME: Option<Scheme> = None;
}

impl CallerKind for Caller {
    #[expect(private_interfaces, reason = "only the frame creates identities")]
    fn from_identity(identity: &Identity) -> Option<&Arc<Self>> {
        if let Identity::Person(caller) = identity { Some(caller) } else { None }
    }

    fn actor(&self) -> Actor {
        self.actor()
    }
}

impl CallerKind for AdminCaller {
    const SCHEME: Option<Scheme> = Some(Scheme::Admin);

    #[expect(private_interfaces, reason = "only the frame creates identities")]
    fn from_identity(identity: &Identity) -> Option<&Arc<Self>> {
        if let Identity::Staff(caller) = identity { Some(caller) } else { None }
    }

    fn actor(&self) -> Actor {
        self.actor()
    }
}

impl CallerKind for ClientCaller {
    #[expect(private_interfaces, reason = "only the frame creates identities")]
    fn from_identity(identity: &Identity) -> Option<&Arc<Self>> {
        if let Identity::Client(caller) = identity { Some(caller) } else { None }
    }

    fn actor(&self) -> Actor {
        self.actor()
    }
}

impl<C> Describe for Authenticated<C> {
    fn describe(doc: &mut OperationDoc) {
        doc.signed_in = true;
    }
}

impl<C: CallerKind + Send + Sync> FromRequestParts<ApiState> for Authenticated<C> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Problem> {
        let Ok(Anonymous(mut context)) = Anonymous::from_request_parts(parts, state).await;
        let identity = parts.extensions.get::<Identity>();
        let caller = identity.and_then(C::from_identity).cloned().ok_or_else(|| Problem {
            internal: Some("the route's access does not match its handler".to_owned()),
            ..Problem::new(ProblemKind::Internal, "An unexpected error occurred")
        })?;
        context.actor = caller.actor();
        context.origin.scheme = C::SCHEME.unwrap_or(context.origin.scheme);
        Ok(Self { context, caller })
    }
}

/// A console user or an API client.
pub struct UserOrClient(pub Context);

impl Describe for UserOrClient {
    fn describe(doc: &mut OperationDoc) {
        doc.signed_in = true;
    }
}

impl FromRequestParts<ApiState> for UserOrClient {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Problem> {
        if let Ok(Authenticated { context, .. }) = SignedIn::from_request_parts(parts, state).await
        {
            return Ok(Self(context));
        }
        let Authenticated { mut context, .. } = ApiClient::from_request_parts(parts, state).await?;
        context.origin.scheme = Scheme::External;
        Ok(Self(context))
    }
}

/// Authenticates and authorizes the caller. Requests that fail authentication count against the
/// client's address.
pub(super) async fn admit(
    app: &App,
    access: Access,
    headers: &HeaderMap,
    info: &RequestInfo,
) -> Result<Option<Identity>, Problem> {
    let identity = match identify(app, access, headers).await {
        Ok(None) => return Ok(None),
        Ok(Some(identity)) => identity,
        Err(problem) => {
            info.context.flags.set_unauthenticated();
            info.count_address(app, LimitName::Anonymous).await?;
            return Err(problem);
        }
    };
    let (limit, subject) = identity.limit();
    info.count(app, limit, &subject).await?;
    if let Identity::Client(caller) = &identity
        && let Err(refused) = quota::take(app, caller.tenant, caller.plan).await
    {
        // A request over the quota doesn't count against the rate limit.
        app.limiter.refund(limit, &subject).await;
        return Err(refused.into());
    }
    match (access, &identity) {
        (Access::Console(right) | Access::UserOrClient(right, _), Identity::Person(caller)) => {
            role::may(caller.role, caller.tenant_type, right)?;
        }
        (Access::Account, Identity::Person(_)) => {}
        (Access::Admin(right), Identity::Staff(caller)) => admin::may(caller.role, right)?,
        (Access::External(scope), Identity::Client(caller)) => require_scope(caller, scope)?,
        (
            Access::ExternalWithRight(scope, right) | Access::UserOrClient(right, scope),
            Identity::Client(caller),
        ) => {
            require_scope(caller, scope)?;
            role::may(caller.role, caller.tenant_type, right)?;
        }
        _ => return Err(unauthorized("This access token is not valid for this endpoint")),
    }
    Ok(Some(identity))
}

async fn identify(
    app: &App,
    access: Access,
    headers: &HeaderMap,
) -> Result<Option<Identity>, Problem> {
    if access == Access::Public {
        return Ok(None);
    }
    let token = bearer(headers).ok_or_else(|| unauthorized("An access token is required"))?;
    Ok(Some(match access {
        Access::Public => return Ok(None),
        Access::Admin(_) => Identity::Staff(access::admin(app, token).await?),
        Access::External(_) | Access::ExternalWithRight(..) => {
            Identity::Client(access::external(app, token).await?)
        }
        Access::Console(_) => person(access::console(app, token).await?, headers)?,
        Access::Account => Identity::Person(access::console(app, token).await?),
        Access::UserOrClient(..) => match access::console(app, token).await {
            Ok(caller) => person(caller, headers)?,
            Err(error) if *error.kind() == ErrorKind::Unauthorized => {
                Identity::Client(access::external(app, token).await?)
            }
            Err(error) => return Err(error.into()),
        },
    }))
}

/// Requires the `x-source` header of calls with a console token (contract section 3).
fn person(caller: Arc<Caller>, headers: &HeaderMap) -> Result<Identity, Problem> {
    if headers.get("x-source").is_none_or(|source| source != "console") {
        return Err(unauthorized("The header x-source: console is required"));
    }
    Ok(Identity::Person(caller))
}

/// Authorizes an API client again after a long wait, during which its access may have been revoked.
pub(crate) async fn reauthorize(
    app: &App,
    headers: &HeaderMap,
    scope: Scope,
    right: Right,
) -> Result<(), Problem> {
    let token = bearer(headers).ok_or_else(|| unauthorized("An access token is required"))?;
    let caller = access::external(app, token).await?;
    require_scope(&caller, scope)?;
    Ok(role::may(caller.role, caller.tenant_type, right)?)
}

/// Returns the bearer token of the `Authorization` header.
#[must_use]
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (name, value) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    name.eq_ignore_ascii_case("bearer").then(|| value.trim())
}

fn require_scope(caller: &ClientCaller, scope: Scope) -> Result<(), Problem> {
    if caller.scopes.contains(scope) {
        return Ok(());
    }
    let message = format!("The token lacks the scope {scope}");
    Err(Problem::new(ProblemKind::InsufficientPermissions, message))
}

fn unauthorized(message: &'static str) -> Problem {
    Problem::new(ProblemKind::Unauthorized, message)
}
