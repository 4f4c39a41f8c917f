//! Watching an address in two steps: first the page shows what was found at the address, then
//! the user decides how it is watched.

use axum::response::Response;
use grantor_domain::platform::DetectionFrequency;
use grantor_domain::source::{
    FeedKind, HostedService, Looked, NewSource, SourceName, SourceStatus,
};
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::watching::source;
use maud::{Markup, html};

use super::talents::{self, Choice, is_search};
use super::{first_scan, frequencies, kind_label};
use crate::frame::{FormData, Outcome, Params, Person};
use crate::view::{NavItem, card, facts, field, form, head, hidden, notice, select};

/// Shows the form for the address.
pub(crate) async fn new_form(person: Person, params: Params) -> Response {
    let entered = FormData::default().with("url", params.get("url").unwrap_or_default());
    draw_address(&person, &entered)
}

fn draw_address(person: &Person, entered: &FormData) -> Response {
    let inside = html! {
        (field("url", text!("source-address")).required().inputmode("url").max_length(2_048).autofocus()
            .placeholder("https://example.com/news").hint(text!("source-address-hint")).of(entered))
    };
    let body = html! {
        (head(text!("source-watch"), text!("source-watch-lead"), html! {}))
        (card(text!("source-address"), form("/app/sources/look", entered, inside, text!("source-look"))))
    };
    person.page(text!("source-watch"), NavItem::Sources, body)
}

/// Looks at an address and shows what was found. Nothing is stored yet.
pub(crate) async fn look(person: Person, entered: FormData) -> Outcome {
    let looked = async {
        let mut fields = entered.fields();
        let url = entered.required(&mut fields, "url").to_owned();
        fields.finish()?;
        let caller = (&*person.caller).into();
        source::look(person.app(), person.context(), caller, &url).await
    };
    match looked.await {
        Ok(found) => {
            let url = entered.get("url").trim();
            let entered = with_found(&found).with("url", url).with("name", name(&found));
            let choice = Choice::load(&person, &entered).await?;
            let entered = entered
                .with("frequency", DetectionFrequency::Daily.name())
                .with("watch", choice.default_word());
            Ok(draw_found(&person, &choice, &entered))
        }
        Err(error) => match known_source(&person, &error) {
            Some(page) => Ok(page),
            None => Ok(person.redisplay(error, entered, |entered| draw_address(&person, entered))),
        },
    }
}

/// Leads to the source that watches the address already.
fn known_source(person: &Person, error: &Error) -> Option<Response> {
    let known = error.fields().get("source_id")?;
    let message = grantor_messages::error(error.message());
    Some(person.redirect(format!("/app/sources/{known}"), &message))
}

fn name(found: &Looked) -> String {
    found.suggested_name().as_str().to_owned()
}

/// The second form returns what was found, so that it can be drawn again without another look.
fn with_found(found: &Looked) -> FormData {
    FormData::default()
        .with("found.title", &*found.title)
        .with("found.kind", found.kind.name())
        .with("found.service", found.service.map_or("", HostedService::title))
        .with("found.items", found.items.to_string())
        .with("found.url", &*found.feed_url)
        .with("found.note", found.note.as_deref().unwrap_or_default())
        .with("found.push", if found.push_only { "true" } else { "" })
        .with_all("found.sample", found.sample.iter().map(|it| &*it.title))
        .with_all("found.address", found.sample.iter().map(|it| &*it.url))
}

const FOUND: [&str; 9] = [
    "found.title",
    "found.kind",
    "found.service",
    "found.items",
    "found.url",
    "found.note",
    "found.push",
    "found.sample",
    "found.address",
];

/// Creates the source, or searches for talents to choose from.
pub(crate) async fn create(person: Person, entered: FormData) -> Outcome {
    if is_search(&entered) {
        let choice = Choice::load(&person, &entered).await?;
        return Ok(draw_found(&person, &choice, &entered));
    }
    let made = async {
        let new = read(&entered)?;
        let caller = (&*person.caller).into();
        source::create(person.app(), person.context(), caller, new).await
    };
    match made.await {
        Ok((made, _)) => {
            let mut message = text!("source-created").to_owned();
            if !made.feed.push_only {
                message = format!("{message} {}", first_scan(person.now(), &made));
            }
            Ok(person.redirect(format!("/app/sources/{}", made.source.id), &message))
        }
        Err(error) => {
            if let Some(page) = known_source(&person, &error) {
                return Ok(page);
            }
            let choice = Choice::load(&person, &entered).await?;
            Ok(person.redisplay(error, entered, |entered| draw_found(&person, &choice, entered)))
        }
    }
}

fn read(entered: &FormData) -> Result<NewSource> {
    let mut fields = entered.fields();
    let url = entered.required(&mut fields, "url").to_owned();
    let name = entered.optional("name").map(SourceName::parse);
    let name = name.and_then(|it| fields.take("name", it));
    let frequency = fields.take("frequency", entered.get("frequency").parse());
    let talents = talents::read(entered, &mut fields, None);
    fields.finish()?;
    let unread = || Error::validation("Some fields are not valid");
    let (frequency, talents) = frequency.zip(talents).ok_or_else(unread)?;
    Ok(NewSource { url, name, frequency, status: SourceStatus::Running, talents })
}

fn draw_found(person: &Person, choice: &Choice, entered: &FormData) -> Response {
    let inside = html! {
        (hidden("url", entered.get("url")))
        @for (name, value) in entered.pairs().filter(|(name, _)| FOUND.contains(name)) {
            (hidden(name, value))
        }
        (field("name", text!("source-name")).max_length(120).hint(text!("source-name-hint")).of(entered))
        // What a hub pushes is read when it comes.
        @if entered.has("found.push", "true") { (hidden("frequency", entered.get("frequency"))) }
        @else { (select("frequency", text!("source-how-often"), None, &frequencies(), entered)) }
        (choice.fields(entered))
    };
    let body = html! {
        (head(text!("source-watch"), entered.get("url"), html! {
            a.button.plain href="/app/sources/new" { (text!("source-another-address")) }
        }))
        (card(text!("source-what-was-found"), found(entered)))
        (card(text!("source-how-to-watch"), form("/app/sources/new", entered, inside, text!("source-start-watching"))))
    };
    person.page(text!("source-watch"), NavItem::Sources, body)
}

/// What was found, as the form keeps it.
fn found(entered: &FormData) -> Markup {
    let kind = entered.get("found.kind").parse::<FeedKind>().map_or("", kind_label);
    let kind = match entered.optional("found.service") {
        Some(service) => text!("source-kind-on-service", kind = kind, service = service),
        None => kind.to_owned(),
    };
    let items = entered.get("found.items").parse::<u64>().unwrap_or(0);
    let title = entered.optional("found.title").unwrap_or(text!("source-no-title"));
    let sample = entered.all("found.sample").zip(entered.all("found.address"));
    let sample: Vec<_> = sample.collect();
    let mut all = vec![
        (text!("source-found-title"), html! { (title) }),
        (text!("source-what-is-read"), html! { (kind) p { code { (entered.get("found.url")) } } }),
        (text!("source-items"), html! { (text!("source-item-count", count = items)) }),
    ];
    if !sample.is_empty() {
        let newest = html! {
            @for (title, address) in &sample {
                p { @if !title.trim().is_empty() { (title) br; } span.quiet { (address) } }
            }
        };
        all.push((text!("source-newest"), newest));
    }
    html! {
        (facts(&all))
        @if entered.has("found.push", "true") {
            (notice("warn", html! { p { (text!("source-push-only")) } }))
        }
        @if let Some(note) = entered.optional("found.note") { (notice("", html! { p { (note_in_words(note)) } })) }
    }
}

/// Why something else than the address itself is read, in the language of the page.
fn note_in_words(note: &str) -> &str {
    match note {
        "No feed was found, so the page itself and the pages it links to are watched." => {
            text!("source-note-page")
        }
        "No feed was found, so the pages listed in the site's sitemap are watched." => {
            text!("source-note-sitemap")
        }
        "The service does not allow reading its feeds, so its official API is read with a key of \
         this server." => text!("source-note-key"),
        other => other,
    }
}
