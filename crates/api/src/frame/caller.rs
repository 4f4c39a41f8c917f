//! Who is signed in: the token, the header that goes with it, the right the row asks for.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use grantor_domain::access::Actor;
use grantor_domain::audit::Scheme;
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;
use grantor_domain::scope::Scope;
use grantor_domain::{ErrorKind, admin, role};
use grantor_service::access::{self, AdminCaller, Caller, ClientCaller};
use grantor_service::limit::Subject;
use grantor_service::{App, Context, quota};
use http::request::Parts;
use http::{HeaderMap, header};

use super::problem::{Problem, ProblemKind};
use super::request::{Anonymous, RequestInfo};
use super::route::Permission;
use super::settings::ApiState;
use crate::describe::{Describe, OperationDoc};

/// Whoever was let in.
#[derive(Clone, Debug)]
pub(super) enum Visitor {
    Person(Arc<Caller>),
    Staff(Arc<AdminCaller>),
    Client(Arc<ClientCaller>),
}

impl Visitor {
    /// As acts and the log know them.
    pub(super) fn actor(&self) -> Actor {
        match self {
            Self::Person(caller) => caller.actor(),
            Self::Staff(caller) => caller.actor(),
            Self::Client(caller) => caller.actor(),
        }
    }

    /// Which log their requests belong to, when not the surface's own.
    pub(super) fn scheme(&self) -> Option<Scheme> {
        match self {
            Self::Person(_) => Caller::SCHEME,
            Self::Staff(_) => AdminCaller::SCHEME,
            Self::Client(_) => ClientCaller::SCHEME,
        }
    }

    /// Tells one caller from every other.
    pub(super) fn key(&self) -> String {
        match self {
            // What somebody was answered in one tenant is nothing to them in another.
            Self::Person(caller) => format!("user:{}:{}", caller.user, caller.tenant),
            Self::Staff(caller) => format!("admin:{}", caller.admin),
            Self::Client(caller) => format!("client:{}", caller.client),
        }
    }

    /// The general limit of the caller's API, and whom it counts.
    fn limit(&self) -> (LimitName, Subject) {
        match self {
            Self::Person(caller) => (LimitName::Console, Subject::id(caller.user.as_uuid())),
            Self::Staff(caller) => (LimitName::Admin, Subject::id(caller.admin.as_uuid())),
            Self::Client(caller) => (caller.plan.limit(), Subject::id(caller.client.as_uuid())),
        }
    }
}

/// The context of a request of somebody who was let in. Only a route whose row asks for such a
/// caller has it.
#[derive(Clone, Debug)]
pub struct Signed<C> {
    /// Who, from where.
    pub context: Context,
    /// What is known of them.
    pub caller: Arc<C>,
}

/// A person in the console.
pub type SignedIn = Signed<Caller>;
/// A member of the operator's staff.
pub type Staff = Signed<AdminCaller>;
/// An API client.
pub type Integration = Signed<ClientCaller>;

/// A kind of caller.
pub trait Known: Sized {
    /// The caller, if it is of this kind.
    #[expect(private_interfaces, reason = "only the frame makes visitors")]
    fn among(visitor: &Visitor) -> Option<&Arc<Self>>;
    /// As acts and the log know it.
    fn actor(&self) -> Actor;
    /// Which log its requests belong to, when not the surface's own.
    const SCHEME: Option<Scheme> = None;
}

impl Known for Caller {
    #[expect(private_interfaces, reason = "only the frame makes visitors")]
    fn among(visitor: &Visitor) -> Option<&Arc<Self>> {
        if let Visitor::Person(caller) = visitor { Some(caller) } else { None }
    }

    fn actor(&self) -> Actor {
        self.actor()
    }
}

impl Known for AdminCaller {
    const SCHEME: Option<Scheme> = Some(Scheme::Admin);

    #[expect(private_interfaces, reason = "only the frame makes visitors")]
    fn among(visitor: &Visitor) -> Option<&Arc<Self>> {
        if let Visitor::Staff(caller) = visitor { Some(caller) } else { None }
    }

    fn actor(&self) -> Actor {
        self.actor()
    }
}

impl Known for ClientCaller {
    #[expect(private_interfaces, reason = "only the frame makes visitors")]
    fn among(visitor: &Visitor) -> Option<&Arc<Self>> {
        if let Visitor::Client(caller) = visitor { Some(caller) } else { None }
    }

    fn actor(&self) -> Actor {
        self.actor()
    }
}

impl<C> Describe for Signed<C> {
    fn describe(doc: &mut OperationDoc) {
        doc.signed_in = true;
    }
}

impl<C: Known + Send + Sync> FromRequestParts<ApiState> for Signed<C> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Problem> {
        let Ok(Anonymous(mut context)) = Anonymous::from_request_parts(parts, state).await;
        let visitor = parts.extensions.get::<Visitor>();
        let caller = visitor.and_then(C::among).cloned().ok_or_else(|| Problem {
            internal: Some("a row that lets in others than its handler wants".to_owned()),
            ..Problem::new(ProblemKind::Internal, "An unexpected error occurred")
        })?;
        context.actor = caller.actor();
        context.origin.scheme = C::SCHEME.unwrap_or(context.origin.scheme);
        Ok(Self { context, caller })
    }
}

/// Somebody of an organization, by the console or by an API client.
pub struct Insider(pub Context);

impl Describe for Insider {
    fn describe(doc: &mut OperationDoc) {
        doc.signed_in = true;
    }
}

impl FromRequestParts<ApiState> for Insider {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Problem> {
        if let Ok(Signed { context, .. }) = SignedIn::from_request_parts(parts, state).await {
            return Ok(Self(context));
        }
        let Signed { mut context, .. } = Integration::from_request_parts(parts, state).await?;
        context.origin.scheme = Scheme::External;
        Ok(Self(context))
    }
}

/// Lets the caller in, or says why not. Who cannot be told from a stranger is counted as one.
pub(super) async fn admit(
    app: &App,
    permission: Permission,
    headers: &HeaderMap,
    info: &RequestInfo,
) -> Result<Option<Visitor>, Problem> {
    let standing = &info.standing;
    let visitor = match identify(app, permission, headers).await {
        Ok(None) => return Ok(None),
        Ok(Some(visitor)) => visitor,
        Err(problem) => {
            info.entry.refuse();
            let stranger = Subject::address(info.client.address);
            standing.put(app.limiter.hit(LimitName::Anonymous, &stranger).await?);
            return Err(problem);
        }
    };
    let (limit, subject) = visitor.limit();
    standing.put(app.limiter.hit(limit, &subject).await?);
    if let Visitor::Client(caller) = &visitor
        && let Err(refused) = quota::take(app, caller.tenant, caller.plan).await
    {
        // A refused request does not count.
        app.limiter.give_back(limit, &subject).await;
        return Err(refused.into());
    }
    match (permission, &visitor) {
        (Permission::Console(right) | Permission::Insider(right, _), Visitor::Person(caller)) => {
            role::may(caller.role, caller.tenant_type, right)?;
        }
        (Permission::Account, Visitor::Person(_)) => {}
        (Permission::Admin(right), Visitor::Staff(caller)) => admin::may(caller.role, right)?,
        (Permission::External(scope), Visitor::Client(caller)) => in_scope(caller, scope)?,
        (
            Permission::ExternalAct(scope, right) | Permission::Insider(right, scope),
            Visitor::Client(caller),
        ) => {
            in_scope(caller, scope)?;
            role::may(caller.role, caller.tenant_type, right)?;
        }
        _ => return Err(unauthorized("This token does not open this address")),
    }
    Ok(Some(visitor))
}

async fn identify(
    app: &App,
    permission: Permission,
    headers: &HeaderMap,
) -> Result<Option<Visitor>, Problem> {
    if permission == Permission::Public {
        return Ok(None);
    }
    let token = bearer(headers).ok_or_else(|| unauthorized("An access token is required"))?;
    Ok(Some(match permission {
        Permission::Public => return Ok(None),
        Permission::Admin(_) => Visitor::Staff(access::admin(app, token).await?),
        Permission::External(_) | Permission::ExternalAct(..) => {
            Visitor::Client(access::external(app, token).await?)
        }
        Permission::Console(_) => person(access::console(app, token).await?, headers)?,
        Permission::Account => Visitor::Person(access::console(app, token).await?),
        Permission::Insider(..) => match access::console(app, token).await {
            Ok(caller) => person(caller, headers)?,
            Err(error) if *error.kind() == ErrorKind::Unauthorized => {
                Visitor::Client(access::external(app, token).await?)
            }
            Err(error) => return Err(error.into()),
        },
    }))
}

/// Contract section 3: every call with a console token says where it comes from.
fn person(caller: Arc<Caller>, headers: &HeaderMap) -> Result<Visitor, Problem> {
    if headers.get("x-source").is_none_or(|source| source != "console") {
        return Err(unauthorized("The header x-source: console is required"));
    }
    Ok(Visitor::Person(caller))
}

/// Lets an API client in once more: whoever waited may have lost what they came in with.
pub(crate) async fn readmit(
    app: &App,
    headers: &HeaderMap,
    scope: Scope,
    right: Right,
) -> Result<(), Problem> {
    let token = bearer(headers).ok_or_else(|| unauthorized("An access token is required"))?;
    let caller = access::external(app, token).await?;
    in_scope(&caller, scope)?;
    Ok(role::may(caller.role, caller.tenant_type, right)?)
}

/// What the Authorization header bears.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (name, value) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    name.eq_ignore_ascii_case("bearer").then(|| value.trim())
}

fn in_scope(caller: &ClientCaller, scope: Scope) -> Result<(), Problem> {
    if caller.scopes.contains(scope) {
        return Ok(());
    }
    let message = format!("The token lacks the scope {scope}");
    Err(Problem::new(ProblemKind::InsufficientPermissions, message))
}

fn unauthorized(message: &'static str) -> Problem {
    Problem::new(ProblemKind::Unauthorized, message)
}
