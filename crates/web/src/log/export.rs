//! Parts of the log to take away.

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use grantor_domain::Error;
use grantor_domain::id::ExportId;
use grantor_domain::log::ExportFormat;
use grantor_service::log::{self, File};
use http::header;
use maud::html;

use super::{CLASSES, LEVELS, NAMES, read};
use crate::frame::{Asked, Entered, Outcome, Person, Segment};
use crate::view::chart::grouped;
use crate::view::{Place, ago, card, facts, field, form, head, select};

const FORMATS: [(&str, &str); 2] =
    [("csv", "CSV, for spreadsheets"), ("json", "JSON, for programs")];

/// The form.
pub(crate) async fn ask(person: Person, asked: Asked) -> Response {
    let entered = Entered::default().with("format", ExportFormat::Csv.name());
    let entered = NAMES
        .iter()
        .fold(entered, |entered, name| entered.with(name, asked.get(name).unwrap_or_default()));
    draw(&person, &entered)
}

fn draw(person: &Person, entered: &Entered) -> Response {
    let inside = html! {
        (select("format", "Format", None, &FORMATS, entered))
        div.two {
            (select("type", "Type", None, &LEVELS, entered))
            (select("class", "Kind", None, &CLASSES, entered))
            (field("startDate", "First day").kind("date").of(entered))
            (field("endDate", "Last day").kind("date").of(entered))
        }
        (field("action", "Action").placeholder("team.create").of(entered))
        (field("search", "Words").longest(100).of(entered))
    };
    let body = html! {
        (head("Export the log", "What is left empty does not narrow it.", html! {}))
        (card("Export", form("/app/logs/export", entered, inside, "Make the file")))
    };
    person.page("Export the log", Place::Logs, body)
}

/// Puts an export together.
pub(crate) async fn make(person: Person, entered: Entered) -> Outcome {
    let made = async {
        let mut fields = entered.fields();
        let format = fields.take("format", entered.get("format").parse::<ExportFormat>());
        let filter = fields.take_all(read(|name| entered.optional(name)));
        fields.finish()?;
        let unread = || Error::validation("Some fields are not valid");
        let (format, filter) = format.zip(filter).ok_or_else(unread)?;
        log::export(person.app(), person.context(), person.caller(), format, filter).await
    };
    match made.await {
        Ok(made) => {
            Ok(person.went(format!("/app/logs/export/{}/ready", made.id), "The file is ready"))
        }
        Err(error) => Ok(person.again(error, entered, |entered| draw(&person, entered))),
    }
}

/// Where it can be fetched.
pub(crate) async fn ready(person: Person, Segment(id): Segment<ExportId>) -> Outcome {
    let export = log::find_export(person.app(), &person.caller, id).await?;
    let now = person.now();
    let body = html! {
        (head("Your export", "", html! { a.button.plain href="/app/logs" { "Back to the log" } }))
        (card("File", html! {
            (facts(&[
                ("Format", html! { (export.format.name().to_ascii_uppercase()) }),
                ("Entries", html! { (grouped(export.entries)) }),
                ("Made", ago(now, export.created_at)),
                ("Gone", ago(now, export.expires_at)),
            ]))
            p { a.button href={ "/app/logs/export/" (id) } download { "Download the file" } }
        }))
    };
    Ok(person.page("Your export", Place::Logs, body))
}

/// The file.
pub(crate) async fn fetch(person: Person, Segment(id): Segment<ExportId>) -> Outcome {
    let export = log::find_export(person.app(), &person.caller, id).await?;
    let file = File::new(person.app().clone(), export);
    let name = format!("attachment; filename=\"{}\"", file.name());
    let headers =
        [(header::CONTENT_TYPE, file.media_type().to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, Body::from_stream(file.pieces())).into_response())
}
