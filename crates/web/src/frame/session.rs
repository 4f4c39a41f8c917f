//! Browser sessions. A cookie holds the same access and refresh tokens the API issues, so sessions
//! end in a browser the same way as in the API. An expired access token is refreshed on the fly.

use std::sync::Arc;

use grantor_domain::session::REFRESH_LIFE;
use grantor_domain::{Error, ErrorKind};
use grantor_service::identity::access::{self, AdminCaller, Caller};
use grantor_service::identity::session::{self, Tokens};
use grantor_service::{App, Context};
use http::HeaderMap;

use super::cookie::{Cookie, CookieName};

/// Separates the two tokens; neither contains it.
const SEPARATOR: char = '~';

/// Returns the cookie that signs this browser in.
pub(crate) fn start_session(name: CookieName, tokens: &Tokens) -> Cookie {
    let value = format!("{}{SEPARATOR}{}", tokens.access_token, tokens.refresh_token);
    Cookie::set(name, value, REFRESH_LIFE)
}

/// Ends this browser's session, if any, and returns the cookie that clears it.
pub(crate) async fn end_session(
    app: &App,
    context: &Context,
    name: CookieName,
    headers: &HeaderMap,
    secure: bool,
) -> Result<Cookie, Error> {
    if let Some((_, refresh)) = name.read(headers, secure).and_then(|it| it.split_once(SEPARATOR)) {
        session::sign_out(app, context, refresh).await?;
    }
    Ok(Cookie::clear(name))
}

/// The session's caller, and the replacement cookie if the tokens were refreshed.
pub(super) type Found<T> = Result<Option<(Arc<T>, Option<Cookie>)>, Error>;

/// Returns the user this browser is signed in as.
pub(super) async fn person(
    app: &App,
    context: &Context,
    headers: &HeaderMap,
    secure: bool,
) -> Found<Caller> {
    let Some((access, refresh)) = tokens(CookieName::Person, headers, secure) else {
        return Ok(None);
    };
    match access::console(app, access).await {
        Err(error) if *error.kind() == ErrorKind::TokenExpired => {}
        other => return known(other),
    }
    let Some(renewed) = renew(app, context, refresh).await? else { return Ok(None) };
    let cookie = start_session(CookieName::Person, &renewed);
    let caller = access::console(app, &renewed.access_token).await?;
    Ok(Some((caller, Some(cookie))))
}

/// Returns the staff member this browser is signed in as.
pub(super) async fn staff(
    app: &App,
    context: &Context,
    headers: &HeaderMap,
    secure: bool,
) -> Found<AdminCaller> {
    let Some((access, refresh)) = tokens(CookieName::Staff, headers, secure) else {
        return Ok(None);
    };
    match access::admin(app, access).await {
        Err(error) if *error.kind() == ErrorKind::TokenExpired => {}
        other => return known(other),
    }
    let Some(renewed) = renew(app, context, refresh).await? else { return Ok(None) };
    let cookie = start_session(CookieName::Staff, &renewed);
    let caller = access::admin(app, &renewed.access_token).await?;
    Ok(Some((caller, Some(cookie))))
}

fn tokens(name: CookieName, headers: &HeaderMap, secure: bool) -> Option<(&str, &str)> {
    name.read(headers, secure)?.split_once(SEPARATOR)
}

/// An invalid token counts as not signed in; any other error is reported.
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
