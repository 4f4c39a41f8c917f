//! `/app/check`: checks a picture, an address or a text, and `/app/catalog/check`: the same without
//! signing in, for public licenses.

mod result;
mod subject;

use axum::response::Response;
use grantor_domain::check::{CheckInput, CheckParams, MAX_TEXT};
use grantor_domain::error::Fields;
use grantor_domain::image::MAX_BYTES;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::identity::access::TenantCaller;
use grantor_service::watching::check::{self, Checked};
use maud::{Markup, html};

use self::result::{Viewer, results};
use self::subject::Subject;
use crate::frame::{Failure, FormData, Guest, Outcome, PageContext, Person};
use crate::image_url;
use crate::view::field::error_summary;
use crate::view::{NavItem, area, card, check_file, field, head, hidden};

/// Where a check is made.
#[derive(Clone, Copy)]
struct Place {
    path: &'static str,
    nav: NavItem,
    /// The keys of texts.
    lead: &'static str,
    about: &'static str,
}

const CONSOLE: Place = Place {
    path: "/app/check",
    nav: NavItem::Check,
    lead: "check-lead",
    about: "check-about-licenses",
};

const PUBLIC: Place = Place {
    path: "/app/catalog/check",
    nav: NavItem::Catalog,
    lead: "check-public-lead",
    about: "check-about-public-licenses",
};

/// Why a picture is refused that is too large.
const TOO_LARGE: &str = "must be one picture of at most 10 MiB";

/// Shows the form of the console.
pub(crate) async fn show_form(person: Person) -> Response {
    draw_form(&person, CONSOLE, &FormData::default())
}

/// Shows the public form.
pub(crate) async fn show_public_form(Guest(ctx): Guest) -> Response {
    draw_form(&ctx, PUBLIC, &FormData::default())
}

/// Checks something for a user and shows the result.
pub(crate) async fn submit(person: Person, entered: Result<FormData, Failure>) -> Outcome {
    let viewer = Viewer::Person(&person);
    let caller = Some(TenantCaller::from(&*person.caller));
    run(&person, CONSOLE, viewer, caller, entered).await
}

/// Checks something for anybody, against public licenses. Who has checked too often gets the form
/// again.
pub(crate) async fn submit_public(
    Guest(ctx): Guest,
    entered: Result<FormData, Failure>,
) -> Outcome {
    if let Some(limited) = &ctx.limited {
        let entered = entered.unwrap_or_default();
        let error = Error::new(limited.kind().clone(), wait_for(limited));
        return Ok(ctx.redisplay(error, entered, |it| draw_form(&ctx, PUBLIC, it)));
    }
    run(&ctx, PUBLIC, Viewer::Guest, None, entered).await
}

/// Tells a visitor when the next check is possible.
fn wait_for(limited: &Error) -> String {
    match limited.kind() {
        ErrorKind::RateLimited(state) => {
            let (limit, seconds) = (state.limit.to_string(), state.resets_in.as_secs() + 1);
            text!("check-limited", limit = limit, seconds = seconds)
        }
        _ => limited.message().to_owned(),
    }
}

async fn run(
    ctx: &PageContext,
    place: Place,
    viewer: Viewer<'_>,
    caller: Option<TenantCaller>,
    entered: Result<FormData, Failure>,
) -> Outcome {
    let mut entered = match entered {
        Err(failure) if failure.is_too_large() => {
            let error = Error::field("image", TOO_LARGE);
            let form = FormData::default();
            return Ok(ctx.redisplay(error, form, |it| draw_form(ctx, place, it)));
        }
        entered => entered?,
    };
    let files = entered.take_files();
    let checked = match read(&entered, files) {
        Ok(input) => check::check(ctx.app(), &ctx.context, caller, input).await,
        Err(error) => Err(error),
    };
    match checked {
        Ok(checked) => {
            let subject = Subject::of(&entered);
            show(ctx, place, viewer, &subject, &checked).await.map_err(Failure::from)
        }
        Err(error) => Ok(ctx.redisplay(error, entered, |it| draw_form(ctx, place, it))),
    }
}

/// Returns what to check: the picture, the address or the text, but only one of them.
fn read(entered: &FormData, files: Result<Vec<Vec<u8>>>) -> Result<CheckInput> {
    entered.check_text()?;
    let images = files.map_err(|_| Error::field("image", TOO_LARGE))?;
    let own = |name: &str| entered.optional(name).map(str::to_owned);
    let (url, text) = (own("url"), own("text"));
    let given = [("image", !images.is_empty()), ("url", url.is_some()), ("text", text.is_some())];
    let given: Vec<_> = given.into_iter().filter(|(_, it)| *it).map(|(name, _)| name).collect();
    if given.is_empty() {
        return Err(Error::field("image", "is required, unless you enter an address or a text"));
    }
    if given.len() > 1 {
        let mut fields = Fields::default();
        for it in given {
            fields.add(it, "must be empty, or the others must be");
        }
        fields.finish()?;
    }
    if images.iter().any(Vec::is_empty) {
        return Err(Error::field("image", "is empty"));
    }
    CheckInput::parse(CheckParams { images, image_url: None, url, text })
}

fn draw_form(ctx: &PageContext, place: Place, entered: &FormData) -> Response {
    let body = html! {
        (head(text!("check-title"), text(place.lead), html! {}))
        // Staff who view the page can't send the form.
        @if !ctx.is_viewed() { section.card { (form(place, entered)) } }
        (about(place))
    };
    ctx.page(text!("check-title"), place.nav, body)
}

/// The form. The script takes pictures that are dropped or pasted anywhere on the page.
fn form(place: Place, entered: &FormData) -> Markup {
    let address = field("url", text!("check-address"))
        .placeholder("example.com/page")
        .hint(text!("check-address-hint"))
        .inputmode("url")
        .autocomplete("off");
    html! {
        form.form method="post" action=(place.path) enctype="multipart/form-data" novalidate
            data-check="" data-most-bytes=(MAX_BYTES) data-most-text=(MAX_TEXT) {
            (error_summary(entered))
            p { (text!("check-enter-one")) }
            (hidden(subject::PICTURES, "1"))
            (check_file("image", text!("check-picture"), text!("check-picture-hint"), entered))
            (address.of(entered))
            (area("text", text!("check-text"), Some(text!("check-text-hint")), 6, entered))
            div.actions { button { (text!("check-button")) } }
        }
    }
}

fn about(place: Place) -> Markup {
    card(
        text!("check-about"),
        html! {
            p { (text(place.about)) " " (text!("check-about-pictures")) }
            p.quiet { (text!("check-not-kept")) }
        },
    )
}

async fn show(
    ctx: &PageContext,
    place: Place,
    viewer: Viewer<'_>,
    subject: &Subject<'_>,
    checked: &Checked,
) -> Result<Response> {
    let mut thumbnails = Vec::with_capacity(checked.matches.len());
    for found in &checked.matches {
        // The reference images of public licenses are not public.
        thumbnails.push(match found.image.filter(|_| found.license.held) {
            Some(image) => Some(image_url::thumbnail(ctx.app(), image).await?),
            None => None,
        });
    }
    let body = html! {
        (head(text!("check-title"), &subject.words(), html! {}))
        (subject.ignored())
        (results(ctx, viewer, checked, &thumbnails))
        (card(text!("check-something-else"), form(place, &FormData::default())))
    };
    let page = ctx.page(text!("check-title"), place.nav, body);
    Ok(image_url::allow(page, thumbnails.iter().flatten()))
}
