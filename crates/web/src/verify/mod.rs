//! `/verify`: public pages that verify a receipt, pasted or as a file, and `/verify/{code}`: receipts
//! that licensees share.

mod result;

use std::sync::Arc;

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::grant::GrantNumber;
use grantor_domain::secret::ShareCode;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::Context;
use grantor_service::licensing::receipt::share::{self, OpenedLink};
use grantor_service::licensing::receipt::{self, MAX_LENGTH};
use grantor_service::organizations::onboarding;
use http::{HeaderName, HeaderValue, StatusCode, header};
use maud::{Markup, html};
use url::Url;

use self::result::{claims_of, verdict};
use crate::frame::{FormData, Guest, Identity, Outcome, PageContext, Segment};
use crate::view::field::error_summary;
use crate::view::{NavItem, area, card, head, receipt_file};

const PATH: &str = "/verify";

/// Shows the form.
pub(crate) async fn show_form(Guest(ctx): Guest) -> Response {
    draw_form(&ctx, &FormData::default())
}

/// Verifies a receipt and shows the result. Who has verified too often gets the form again.
pub(crate) async fn submit(Guest(ctx): Guest, mut entered: FormData) -> Outcome {
    if let Some(limited) = ctx.limited.clone() {
        return Ok(ctx.redisplay(limited, entered, |it| draw_form(&ctx, it)));
    }
    let files = entered.take_files();
    let receipt = match read(&ctx.app().public_url, &entered, files) {
        Ok(Entered::Receipt(receipt)) => receipt,
        Ok(Entered::SharedLink(code)) => {
            return Ok(Redirect::to(&format!("{PATH}/{code}")).into_response());
        }
        Err(error) => return Ok(ctx.redisplay(error, entered, |it| draw_form(&ctx, it))),
    };
    let verification = receipt::verify(ctx.app(), &receipt).await?;
    note_first_step(&ctx).await?;
    let title = text!("verify-title");
    let body = html! {
        (head(title, "", html! { a.button.plain href=(PATH) { (text!("verify-another")) } }))
        (verdict(&verification, ctx.now()))
        (claims_of(&verification, false))
    };
    Ok(ctx.page(title, NavItem::None, body))
}

/// Verifying a receipt is one of the first steps of whoever is signed in.
async fn note_first_step(ctx: &PageContext) -> Result<()> {
    let Identity::Person(caller) = &ctx.identity else { return Ok(()) };
    let context = Context { actor: caller.actor(), ..ctx.context.clone() };
    onboarding::note_verification(ctx.app(), &context, Arc::clone(caller)).await
}

/// What somebody wants to verify.
#[derive(Debug, PartialEq, Eq)]
enum Entered {
    Receipt(String),
    /// The code of a link that a licensee shared.
    SharedLink(String),
}

/// Returns what to verify: the file if there is one, otherwise the pasted text.
fn read(public_url: &str, entered: &FormData, files: Result<Vec<Vec<u8>>>) -> Result<Entered> {
    entered.check_text()?;
    let files = files.map_err(|_| Error::field("file", "must be one file"))?;
    let (field, text) = match files.as_slice() {
        [] => ("receipt", entered.get("receipt").to_owned()),
        [file] if file.starts_with(b"%PDF") => {
            let message = "is a PDF; scan the QR code of the certificate, open the link below it, \
                or save its attachment receipt.sd-jwt and choose that file";
            return Err(Error::field("file", message));
        }
        [file] if file.is_empty() => return Err(Error::field("file", "is empty")),
        [file] => ("file", String::from_utf8_lossy(file).into_owned()),
        _ => return Err(Error::field("file", "must be one file")),
    };
    // Mail programs break long lines. A receipt itself has no white space.
    let receipt: String = text.split_whitespace().collect();
    match receipt.len() {
        0 => Err(Error::field(field, "is required if you don't choose a file")),
        1..=MAX_LENGTH => {
            let link = shared_link(public_url, &receipt);
            let link = link.map_err(|message| Error::field(field, message))?;
            match link {
                Some(code) => Ok(Entered::SharedLink(code)),
                None => recognize(receipt).map_err(|message| Error::field(field, message)),
            }
        }
        _ => Err(Error::field(field, "must be at most 64 KiB long")),
    }
}

/// Tells a receipt, which may be incomplete or altered, from the code of a shared link and from
/// anything else.
fn recognize(text: String) -> Result<Entered, &'static str> {
    if ShareCode::parse(&text).is_some() {
        return Ok(Entered::SharedLink(text));
    }
    if text.contains('~') || (text.starts_with("ey") && text.contains('.')) {
        return Ok(Entered::Receipt(text));
    }
    if text.to_ascii_uppercase().parse::<GrantNumber>().is_ok() {
        return Err("This is the number of a grant, not a receipt: open the shared link or scan \
            the QR code on the certificate");
    }
    Err("This is not a receipt. A receipt is a long text that starts with “ey”")
}

/// Returns the code of a shared link of this server, or `None` if the text is not a link.
fn shared_link(public_url: &str, text: &str) -> Result<Option<String>, &'static str> {
    // Receipts contain neither a slash nor a colon.
    if !text.contains('/') {
        return Ok(None);
    }
    let has_scheme = text.contains("://");
    let link = if has_scheme { text.to_owned() } else { format!("https://{text}") };
    let urls = Url::parse(public_url).ok().zip(Url::parse(&link).ok());
    let place = |it: &Url| (it.host_str().map(str::to_owned), it.port());
    let Some((own, link)) = urls.filter(|(own, link)| place(own) == place(link)) else {
        let elsewhere = "is a link to another website; open the link in your browser instead";
        return if has_scheme { Err(elsewhere) } else { Ok(None) };
    };
    let page = link.path().strip_prefix(own.path().trim_end_matches('/'));
    let code = page.and_then(|it| it.strip_prefix("/verify/")).and_then(|it| it.split('/').next());
    let code = code.filter(|it| ShareCode::parse(it).is_some());
    code.map(|it| Some(it.to_owned())).ok_or("is a link, but not to a shared receipt")
}

fn form(entered: &FormData) -> Markup {
    html! {
        form.form method="post" action=(PATH) enctype="multipart/form-data" novalidate {
            (error_summary(entered))
            (receipt_file("file", text!("verify-file"), text!("verify-file-hint"), entered))
            (area("receipt", text!("verify-receipt"), Some(text!("verify-receipt-hint")), 6, entered))
            div.actions { button { (text!("verify-submit")) } }
        }
    }
}

fn draw_form(ctx: &PageContext, entered: &FormData) -> Response {
    let title = text!("verify-title");
    let body = html! {
        (head(title, text!("verify-lead"), html! {}))
        // Staff who view the page can't send the form.
        @if !ctx.is_viewed() { section.card { (form(entered)) } }
        (about())
    };
    ctx.page(title, NavItem::None, body)
}

fn about() -> Markup {
    card(
        text!("verify-about"),
        html! {
            p { (text!("verify-about-receipts")) }
            p.quiet { (text!("verify-about-privacy")) }
        },
    )
}

/// Shows the receipt of a shared link.
pub(crate) async fn open_link(Guest(ctx): Guest, Segment(code): Segment<String>) -> Outcome {
    let OpenedLink { number, verification, .. } = match share::open(ctx.app(), &code).await {
        Ok(opened) => opened,
        Err(error) if *error.kind() == ErrorKind::NotFound => return Ok(not_open(&ctx)),
        Err(error) => return Err(error.into()),
    };
    let title = text!("verify-receipt-title", number = number);
    let body = html! {
        (head(&title, text!("verify-shared"), html! {
            a.button href={ (PATH) "/" (code) "/receipt" } download { (text!("verify-download")) }
            a.button.plain href=(PATH) { (text!("verify-another")) }
        }))
        (verdict(&verification, ctx.now()))
        (claims_of(&verification, true))
    };
    Ok(unlisted(ctx.page(&title, NavItem::None, body)))
}

/// Downloads the receipt of a shared link, with only what the link discloses.
pub(crate) async fn download(Guest(ctx): Guest, Segment(code): Segment<String>) -> Outcome {
    let OpenedLink { number, receipt, .. } = match share::open(ctx.app(), &code).await {
        Ok(opened) => opened,
        Err(error) if *error.kind() == ErrorKind::NotFound => return Ok(not_open(&ctx)),
        Err(error) => return Err(error.into()),
    };
    Ok(unlisted(receipt_response(&number, receipt)))
}

/// The page of a link that was withdrawn or never existed, which leads on to the form.
fn not_open(ctx: &PageContext) -> Response {
    let body = html! {
        section.problem {
            p.problem-status { "404" }
            h1 { (text!("verify-not-found")) }
            p { (text!("verify-not-found-why")) }
            p { a.button href=(PATH) { (text!("verify-title")) } }
        }
    };
    let mut response = unlisted(ctx.page(text!("verify-not-found"), NavItem::None, body));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

/// A receipt as a file.
pub(crate) fn receipt_response(number: &str, receipt: String) -> Response {
    let name = format!("attachment; filename=\"{number}.sd-jwt\"");
    let kind = "application/dc+sd-jwt".to_owned();
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)];
    (headers, receipt).into_response()
}

/// Tells search engines not to list the page: only those who were given the link should find it.
fn unlisted(mut response: Response) -> Response {
    let name = HeaderName::from_static("x-robots-tag");
    response.headers_mut().insert(name, HeaderValue::from_static("noindex, nofollow"));
    response
}

#[cfg(test)]
mod tests {
    use super::shared_link;

    const HERE: &str = "https://grantor.test";

    #[test]
    fn a_pasted_link_is_recognized() {
        let code = "3q2-7wEiM0RVZneImaq7zA";
        for link in [
            "https://grantor.test",
            "http://grantor.test",
            "grantor.test",
            "HTTPS://Grantor.TEST",
            "GRANTOR.TEST",
            "https://grantor.test:443",
        ] {
            let found = shared_link(HERE, &format!("{link}/verify/{code}"));
            assert_eq!(found, Ok(Some(code.to_owned())), "{link}");
        }
        let receipt = format!("{HERE}/verify/{code}/receipt?x=1");
        assert_eq!(shared_link(HERE, &receipt), Ok(Some(code.to_owned())));
        assert_eq!(shared_link(HERE, "eyJ0.eyJ1.c2ln~"), Ok(None));
        for other in [
            "https://evil.test/verify/x",
            "https://grantor.test.evil.test/verify/x",
            "https://grantor.test:8443/verify/x",
            "https://grantor.test@evil.test/verify/x",
        ] {
            assert!(shared_link(HERE, other).unwrap_err().contains("another website"), "{other}");
        }
        let local = format!("localhost:8080/verify/{code}");
        assert_eq!(shared_link("http://localhost:8080", &local), Ok(Some(code.to_owned())));
        for page in ["/app/grants/1", "/verify/short", "/verify"] {
            let refused = shared_link(HERE, &format!("{HERE}{page}")).unwrap_err();
            assert_eq!(refused, "is a link, but not to a shared receipt", "{page}");
        }
    }
}
