//! The checks before the handler of a page: where a form came from, who the caller is, the limits
//! and the right.

use grantor_domain::audit::Scheme;
use grantor_domain::limit::LimitName;
use grantor_domain::{Error, ErrorKind, admin, role};
use grantor_http::RequestInfo;
use grantor_service::identity::access::TenantCaller;
use grantor_service::licensing::request;
use grantor_service::notices::{self, Inbox};
use grantor_service::operations::limit::Subject;
use grantor_service::organizations::membership;
use grantor_service::watching::case;
use http::{HeaderMap, Method};

use super::arrival::{elsewhere, mark_read};
use super::context::{Identity, PageContext};
use super::cookie::{Cookie, CookieName};
use super::failure::Failure;
use super::middleware::RouteState;
use super::route::{Access, Special};
use super::{origin, session, staff_view};
use crate::view::{self, SwitchOffer};

/// Why a request does not reach its handler.
pub(super) enum Rejected {
    Failed(Failure),
    Redirected(String),
    /// The page belongs to another organization of the user.
    Elsewhere(SwitchOffer),
}

impl From<Error> for Rejected {
    fn from(error: Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Runs every check that can reject a request before its handler.
pub(super) async fn admit(
    state: &RouteState,
    info: &RequestInfo,
    ctx: &mut PageContext,
    headers: &HeaderMap,
    cookies: &mut Vec<Cookie>,
) -> Result<(), Rejected> {
    let (app, method) = (&state.web().app, &state.info().method);
    if !state.info().is(Special::FromAnywhere) && !origin::is_own(method, headers, &app.public_url)
    {
        let message = "This form was not sent from this site. Reload the page and try again";
        return Err(Error::new(ErrorKind::Forbidden, message).into());
    }
    identify(state, ctx, headers, cookies).await?;
    if ctx.is_viewed() {
        staff_view::check(state.info())?;
    }
    match (state.info().access, &ctx.identity) {
        (Access::Open, _) => {}
        (Access::RateLimited(limit), _) => match info.count_address(app, limit).await {
            Err(error) if state.info().is(Special::KeepsForm) && is_limited(&error) => {
                ctx.limited = Some(error);
            }
            other => other?,
        },
        (Access::Person(right), Identity::Person(caller)) => {
            let (limit, subject) = match &ctx.view {
                Some(view) => (LimitName::Admin, Subject::id(view.admin.as_uuid())),
                None => (LimitName::Console, Subject::id(caller.user.as_uuid())),
            };
            info.count(app, limit, &subject).await?;
            if let Some(offer) = elsewhere(ctx, caller).filter(|_| *method == Method::GET) {
                return Err(Rejected::Elsewhere(offer));
            }
            role::may(caller.role, caller.tenant_type, right)?;
            if *method == Method::POST && ctx.view.is_none() {
                ctx.context.undo.bind(caller.session);
            }
        }
        (Access::Staff(right), Identity::Staff(caller)) => {
            let subject = Subject::id(caller.admin.as_uuid());
            info.count(app, LimitName::Admin, &subject).await?;
            admin::may(caller.role, right)?;
            if *method == Method::POST {
                ctx.context.undo.bind(caller.session);
            }
        }
        (Access::Person(_), _) => return Err(to_sign_in("/app/sign-in", ctx, method)),
        (Access::Staff(_), _) => {
            return Err(to_sign_in("/app/admin/sign-in", ctx, method));
        }
    }
    // Staff who view a page as somebody else leave no trace there.
    let signed_in = matches!(state.info().access, Access::Person(_) | Access::Staff(_));
    if *method == Method::GET && signed_in && !ctx.is_viewed() {
        mark_read(app, ctx).await?;
    }
    Ok(())
}

fn is_limited(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::RateLimited(_))
}

/// Identifies the caller. An open page also shows who is signed in.
async fn identify(
    state: &RouteState,
    ctx: &mut PageContext,
    headers: &HeaderMap,
    cookies: &mut Vec<Cookie>,
) -> Result<(), Rejected> {
    let (app, secure) = (&state.web().app, state.web().secure);
    let staff_only = matches!(state.info().access, Access::Staff(_));
    if staff_only || ctx.here.starts_with("/app/admin/") {
        if let Some((caller, renewed)) = session::staff(app, &ctx.context, headers, secure).await? {
            cookies.extend(renewed);
            if staff_only {
                ctx.context.actor = caller.actor();
            }
            ctx.context.origin.scheme = Scheme::Admin;
            ctx.unread_notices = notices::unread(app, Inbox::from(&*caller)).await?;
            ctx.identity = Identity::Staff(caller);
        }
        return Ok(());
    }
    if let Some(token) = CookieName::View.read(headers, secure) {
        return identify_view(state, ctx, token, cookies).await;
    }
    let found = session::person(app, &ctx.context, headers, secure).await;
    let open = !matches!(state.info().access, Access::Person(_));
    match found {
        Ok(Some((caller, renewed))) => {
            cookies.extend(renewed);
            if !open {
                ctx.context.actor = caller.actor();
            }
            if caller.has_other_tenants {
                ctx.memberships = membership::list(app, caller.user).await?.into();
            }
            (ctx.unread, ctx.unread_notices, ctx.open_cases) = tokio::try_join!(
                request::unread(app, TenantCaller::from(&*caller)),
                notices::unread(app, Inbox::from(&*caller)),
                case::count_open(app, TenantCaller::from(&*caller)),
            )?;
            ctx.identity = Identity::Person(caller);
        }
        Ok(None) => {}
        // A suspended account may still read public pages. Server errors are not refusals and must
        // be reported.
        Err(error) if open && error.is_refusal() => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

/// Identifies staff who view pages as somebody else. A view that is over never becomes the browser's
/// own session on the way: the next page is one of staff.
async fn identify_view(
    state: &RouteState,
    ctx: &mut PageContext,
    token: &str,
    cookies: &mut Vec<Cookie>,
) -> Result<(), Rejected> {
    let person_only = matches!(state.info().access, Access::Person(_));
    match staff_view::identify(&state.web().app, ctx, token, person_only).await {
        Ok(()) => Ok(()),
        Err(error) if error.is_refusal() => {
            cookies.push(Cookie::clear(CookieName::View));
            if person_only {
                let message = ctx.locale.language.text("locale-viewing-ended");
                cookies.push(view::flash::cookie(message));
                return Err(Rejected::Redirected("/app/admin".to_owned()));
            }
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

/// Redirects to the sign-in page, which leads back to the requested page afterwards.
fn to_sign_in(page: &str, ctx: &PageContext, method: &Method) -> Rejected {
    if *method != Method::GET || ctx.here == "/app" {
        return Rejected::Redirected(page.to_owned());
    }
    let next: String = url::form_urlencoded::byte_serialize(ctx.here.as_bytes()).collect();
    Rejected::Redirected(format!("{page}?next={next}"))
}
