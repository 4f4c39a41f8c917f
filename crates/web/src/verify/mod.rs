//! `/verify`: public pages that verify a receipt, pasted or as a file, and `/verify/{code}`: receipts
//! that licensees share.

mod result;

use axum::response::{IntoResponse as _, Response};
use grantor_domain::{Error, Result};
use grantor_service::licensing::receipt::share::{self, OpenedLink};
use grantor_service::licensing::receipt::{self, MAX_LENGTH};
use http::{HeaderName, HeaderValue, header};
use maud::{Markup, html};

use self::result::{facts_of, verdict};
use crate::frame::{FormData, Guest, Outcome, PageContext, Segment};
use crate::view::field::error_summary;
use crate::view::{NavItem, area, card, head, receipt_file};

const PATH: &str = "/verify";
const TITLE: &str = "Verify a receipt";
const LEAD: &str = "See whether a grant is valid today. You don't need an account.";

/// Shows the form.
pub(crate) async fn show_form(Guest(ctx): Guest) -> Response {
    draw_form(&ctx, &FormData::default())
}

/// Verifies a receipt and shows the result.
pub(crate) async fn submit(Guest(ctx): Guest, mut entered: FormData) -> Outcome {
    let files = entered.take_files();
    let receipt = match read(&entered, files) {
        Ok(receipt) => receipt,
        Err(error) => return Ok(ctx.redisplay(error, entered, |it| draw_form(&ctx, it))),
    };
    let verification = receipt::verify(ctx.app(), &receipt).await?;
    let body = html! {
        (head(TITLE, "", html! { a.button.plain href=(PATH) { "Verify another receipt" } }))
        (verdict(&verification, ctx.now()))
        @if let Some(claims) = &verification.claims { (card("Grant", facts_of(claims))) }
    };
    Ok(ctx.page(TITLE, NavItem::None, body))
}

/// Returns the receipt: the file if there is one, otherwise the pasted text.
fn read(entered: &FormData, files: Result<Vec<Vec<u8>>>) -> Result<String> {
    entered.check_text()?;
    let files = files.map_err(|_| Error::field("file", "must be one file"))?;
    let (field, text) = match files.as_slice() {
        [] => ("receipt", entered.get("receipt").to_owned()),
        [file] if file.starts_with(b"%PDF") => {
            let message = "is a certificate; open it and save its attachment receipt.sd-jwt first";
            return Err(Error::field("file", message));
        }
        [file] => ("file", String::from_utf8_lossy(file).into_owned()),
        _ => return Err(Error::field("file", "must be one file")),
    };
    // Mail programs break long lines. A receipt itself has no white space.
    let receipt: String = text.split_whitespace().collect();
    match receipt.len() {
        0 => Err(Error::field(field, "is required")),
        1..=MAX_LENGTH => Ok(receipt),
        _ => Err(Error::field(field, "must be at most 64 KiB long")),
    }
}

fn draw_form(ctx: &PageContext, entered: &FormData) -> Response {
    let body = html! {
        (head(TITLE, LEAD, html! {}))
        section.card {
            form.form method="post" action=(PATH) enctype="multipart/form-data" novalidate {
                (error_summary(entered))
                (receipt_file("file", "Receipt file", "The file ends with .sd-jwt. It is attached to PDF certificates, too.", entered))
                (area("receipt", "Or paste the receipt", Some("The whole text, which starts with “ey”."), 6, entered))
                div.actions { button { "Verify" } }
            }
        }
        (about())
    };
    ctx.page(TITLE, NavItem::None, body)
}

fn about() -> Markup {
    card(
        "About receipts",
        html! {
            p {
                "A receipt is the signed proof that a licensor allowed somebody to use a person's name, "
                "image or likeness. Its holder decides which parts to disclose. We check the "
                "signature, the dates, and whether the grant was revoked."
            }
            p.quiet { "We don't keep the receipts that you verify." }
        },
    )
}

/// Shows the receipt of a shared link.
pub(crate) async fn open_link(Guest(ctx): Guest, Segment(code): Segment<String>) -> Outcome {
    let OpenedLink { number, verification, .. } = share::open(ctx.app(), &code).await?;
    let title = format!("Receipt {number}");
    let body = html! {
        (head(&title, "Shared by the licensee.", html! {
            a.button href={ (PATH) "/" (code) "/receipt" } download { "Download receipt" }
            a.button.plain href=(PATH) { "Verify another receipt" }
        }))
        (verdict(&verification, ctx.now()))
        @if let Some(claims) = &verification.claims { (card("Grant", facts_of(claims))) }
    };
    Ok(unlisted(ctx.page(&title, NavItem::None, body)))
}

/// Downloads the receipt of a shared link, with only what the link discloses.
pub(crate) async fn download(Guest(ctx): Guest, Segment(code): Segment<String>) -> Outcome {
    let OpenedLink { number, receipt, .. } = share::open(ctx.app(), &code).await?;
    Ok(unlisted(receipt_response(&number, receipt)))
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
