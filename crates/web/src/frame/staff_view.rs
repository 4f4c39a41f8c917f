//! Staff who view pages as one of an organization's people sees them. They look and change nothing:
//! every form is refused before its handler runs, and the context lets no act run. Secrets that a
//! page would show are hidden.

use std::ops::Range;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::response::{IntoResponse as _, Response};
use grantor_domain::audit::Scheme;
use grantor_domain::secret::{ShareCode, find_leaked};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_service::App;
use grantor_service::identity::access::{self, TenantCaller};
use grantor_service::licensing::request;
use grantor_service::notices::{self, Inbox};
use grantor_service::operations::staff_view::read_only;
use grantor_service::watching::case;
use http::header;

use super::context::{Identity, PageContext};
use super::failure::Failure;
use super::route::{RouteInfo, Special};

/// What is shown instead of a secret.
const HIDDEN: &str = "[hidden]";

/// Links that work without an account, up to their code.
const LINKS: [&str; 2] = ["/verify/", "/evidence/"];

/// Identifies the view of a token. Its pages are logged only where people are signed in.
pub(super) async fn identify(
    app: &App,
    ctx: &mut PageContext,
    token: &str,
    person_only: bool,
) -> Result<()> {
    let view = access::view(app, token).await?;
    let person = Arc::clone(&view.person);
    ctx.context.read_only = true;
    if person_only {
        ctx.context.actor = view.actor();
        ctx.context.origin.scheme = Scheme::Admin;
    }
    ctx.unread = request::unread(app, TenantCaller::from(&*person)).await?;
    ctx.unread_notices = notices::unread(app, Inbox::from(&*person)).await?;
    ctx.open_cases = case::count_open(app, TenantCaller::from(&*person)).await?;
    ctx.identity = Identity::Person(person);
    ctx.view = Some(view);
    Ok(())
}

/// Refuses forms, and pages that are about the person alone.
pub(super) fn check(info: &RouteInfo) -> Result<()> {
    if !info.method.is_safe() {
        return Err(read_only());
    }
    if info.is(Special::HiddenInViews) {
        let message = "This page is about the person or holds secrets, so it is not shown while you \
                       view as somebody else";
        return Err(Error::new(ErrorKind::Forbidden, message));
    }
    Ok(())
}

/// Hides the secrets on a page. Downloads contain none.
pub(super) async fn without_secrets(response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE);
    if !kind.is_some_and(|it| it.as_bytes().starts_with(b"text/html")) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(page) = to_bytes(body, usize::MAX).await else {
        return Failure::from(Error::internal("a viewed page could not be read")).into_response();
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(hide(&page)))
}

fn hide(page: &[u8]) -> Vec<u8> {
    let (mut shown, mut at) = (Vec::with_capacity(page.len()), 0);
    let mut secrets = find_leaked(page);
    secrets.extend(LINKS.into_iter().flat_map(|link| share_codes(page, link.as_bytes())));
    secrets.sort_unstable_by_key(|it| it.start);
    for secret in secrets {
        shown.extend_from_slice(&page[at..secret.start]);
        shown.extend_from_slice(HIDDEN.as_bytes());
        at = secret.end;
    }
    shown.extend_from_slice(&page[at..]);
    shown
}

/// Finds the codes of links that work without an account.
fn share_codes(page: &[u8], link: &[u8]) -> Vec<Range<usize>> {
    let starts = page.windows(link.len()).enumerate().filter(|(_, it)| *it == link);
    let codes = starts.filter_map(|(at, _)| {
        let start = at + link.len();
        let rest = &page[start..];
        let is_code = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_');
        let length = rest.iter().take_while(|it| is_code(**it)).count();
        let code = std::str::from_utf8(&rest[..length]).ok()?;
        ShareCode::parse(code).map(|_| start..start + length)
    });
    codes.collect()
}

#[cfg(test)]
mod tests {
    use grantor_domain::Entropy;
    use grantor_domain::secret::{Secret, SecretKind, ShareCode};

    use super::hide;

    struct Zeros;

    impl Entropy for Zeros {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(0);
        }
    }

    #[test]
    fn secrets_are_hidden_and_nothing_else() {
        for kind in SecretKind::ALL {
            let secret = Secret::generate(kind, &Zeros);
            let page = format!("<p>great <code>{}</code>, {}!</p>", secret.expose(), "gs_live_x");
            let shown = String::from_utf8(hide(page.as_bytes())).unwrap();
            assert_eq!(shown, "<p>great <code>[hidden]</code>, gs_live_x!</p>");
        }
        assert_eq!(hide(b"nothing to hide"), b"nothing to hide");
    }

    #[test]
    fn links_that_work_without_an_account_are_hidden() {
        let code = ShareCode::generate(&Zeros);
        let page =
            format!("<a href=\"/verify/{0}\">https://x.example/evidence/{0}.</a>", code.expose());
        let shown = String::from_utf8(hide(page.as_bytes())).unwrap();
        let expected = "<a href=\"/verify/[hidden]\">https://x.example/evidence/[hidden].</a>";
        assert_eq!(shown, expected);
        assert_eq!(hide(b"<a href=\"/verify/help\">"), b"<a href=\"/verify/help\">");
    }
}
