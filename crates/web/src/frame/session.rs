//! Sign-ins of browsers. A cookie holds the same two tokens that the API gives out, so a session
//! ends in a browser as it does everywhere else; one whose hour is over is renewed on the way.

use std::sync::Arc;

use grantor_domain::session::REFRESH_LIFE;
use grantor_domain::{Error, ErrorKind};
use grantor_service::access::{self, AdminCaller, Caller};
use grantor_service::session::{self, Tokens};
use grantor_service::{App, Context};
use http::HeaderMap;

use super::cookie::{Cookie, Crumb};

/// Stands between the two tokens: neither holds it.
const BETWEEN: char = '~';

/// Begins a sign-in in this browser.
pub(crate) fn begin(crumb: Crumb, tokens: &Tokens) -> Cookie {
    let value = format!("{}{BETWEEN}{}", tokens.access_token, tokens.refresh_token);
    Cookie::set(crumb, value, REFRESH_LIFE)
}

/// Ends the sign-in of this browser everywhere. There may be none.
pub(crate) async fn end(
    app: &App,
    context: &Context,
    crumb: Crumb,
    headers: &HeaderMap,
    secure: bool,
) -> Result<Cookie, Error> {
    if let Some((_, refresh)) = crumb.read(headers, secure).and_then(|it| it.split_once(BETWEEN)) {
        session::sign_out(app, context, refresh).await?;
    }
    Ok(Cookie::clear(crumb))
}

/// Who a cookie stands for, and the cookie that replaces it where it was renewed.
pub(super) type Found<T> = Result<Option<(Arc<T>, Option<Cookie>)>, Error>;

/// The person this browser is signed in as.
pub(super) async fn person(
    app: &App,
    context: &Context,
    headers: &HeaderMap,
    secure: bool,
) -> Found<Caller> {
    let Some((access, refresh)) = tokens(Crumb::Person, headers, secure) else { return Ok(None) };
    match access::console(app, access).await {
        Err(error) if *error.kind() == ErrorKind::TokenExpired => {}
        other => return known(other),
    }
    let Some(renewed) = renew(app, context, refresh).await? else { return Ok(None) };
    let cookie = begin(Crumb::Person, &renewed);
    let caller = access::console(app, &renewed.access_token).await?;
    Ok(Some((caller, Some(cookie))))
}

/// The member of staff this browser is signed in as.
pub(super) async fn staff(
    app: &App,
    context: &Context,
    headers: &HeaderMap,
    secure: bool,
) -> Found<AdminCaller> {
    let Some((access, refresh)) = tokens(Crumb::Staff, headers, secure) else { return Ok(None) };
    match access::admin(app, access).await {
        Err(error) if *error.kind() == ErrorKind::TokenExpired => {}
        other => return known(other),
    }
    let Some(renewed) = renew(app, context, refresh).await? else { return Ok(None) };
    let cookie = begin(Crumb::Staff, &renewed);
    let caller = access::admin(app, &renewed.access_token).await?;
    Ok(Some((caller, Some(cookie))))
}

fn tokens(crumb: Crumb, headers: &HeaderMap, secure: bool) -> Option<(&str, &str)> {
    crumb.read(headers, secure)?.split_once(BETWEEN)
}

/// A token that is good for nothing is as good as none; a fault of the house is one.
fn known<T>(outcome: Result<Arc<T>, Error>) -> Found<T> {
    match outcome {
        Ok(caller) => Ok(Some((caller, None))),
        Err(error) if *error.kind() == ErrorKind::Unauthorized => Ok(None),
        Err(error) => Err(error),
    }
}

async fn renew(app: &App, context: &Context, refresh: &str) -> Result<Option<Tokens>, Error> {
    match session::renew(app, context, refresh).await {
        Ok(tokens) => Ok(Some(tokens)),
        Err(error) if matches!(error.kind(), ErrorKind::Unauthorized | ErrorKind::TokenExpired) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
