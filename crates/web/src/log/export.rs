//! Log exports.

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use grantor_domain::Error;
use grantor_domain::id::ExportId;
use grantor_domain::log::ExportFormat;
use grantor_service::log::{self, File};
use http::header;
use maud::html;

use super::{CLASSES, LEVELS, NAMES, action, read};
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::view::chart::grouped;
use crate::view::{NavItem, ago, card, facts, field, form, head, select};

const FORMATS: [(&str, &str); 2] =
    [("csv", "CSV, for spreadsheets"), ("json", "JSON, for applications")];

/// Shows the export form.
pub(crate) async fn export_form(person: Person, params: Params) -> Response {
    let entered = FormData::default().with("format", ExportFormat::Csv.name());
    let entered = NAMES
        .iter()
        .fold(entered, |entered, name| entered.with(name, params.get(name).unwrap_or_default()));
    draw(&person, &entered)
}

fn draw(person: &Person, entered: &FormData) -> Response {
    let any = std::iter::once((String::new(), "Any action".to_owned()));
    let actions: Vec<_> = any.chain(action::choices(entered.optional("action"))).collect();
    let inside = html! {
        (select("format", "Format", None, &FORMATS, entered))
        div.two {
            (select("type", "Level", None, &LEVELS, entered))
            (select("class", "Category", None, &CLASSES, entered))
            (field("startDate", "Start date").kind("date").of(entered))
            (field("endDate", "End date").kind("date").of(entered))
        }
        (select("action", "Action", None, &actions, entered))
        (field("search", "Search").max_length(100).of(entered))
    };
    let body = html! {
        (head("Export logs", "Leave a field blank to include everything.", html! {}))
        (card("Export", form("/app/logs/export", entered, inside, "Create export")))
    };
    person.page("Export logs", NavItem::Logs, body)
}

/// Creates an export.
pub(crate) async fn create_export(person: Person, entered: FormData) -> Outcome {
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
            Ok(person.redirect(format!("/app/logs/export/{}/ready", made.id), "Export ready"))
        }
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw(&person, entered))),
    }
}

/// Shows an export and its download link.
pub(crate) async fn show_export(person: Person, Segment(id): Segment<ExportId>) -> Outcome {
    let export = log::find_export(person.app(), &person.caller, id).await?;
    let now = person.now();
    let body = html! {
        (head("Log export", "", html! { a.button.plain href="/app/logs" { "Back to logs" } }))
        (card("File", html! {
            (facts(&[
                ("Format", html! { (export.format.name().to_ascii_uppercase()) }),
                ("Entries", html! { (grouped(export.entries)) }),
                ("Created", ago(now, export.created_at)),
                ("Expires", ago(now, export.expires_at)),
            ]))
            p { a.button href={ "/app/logs/export/" (id) } download { "Download" } }
        }))
    };
    Ok(person.page("Log export", NavItem::Logs, body))
}

/// Downloads the file.
pub(crate) async fn download_export(person: Person, Segment(id): Segment<ExportId>) -> Outcome {
    let export = log::find_export(person.app(), &person.caller, id).await?;
    let file = File::new(person.app().clone(), export);
    let name = format!("attachment; filename=\"{}\"", file.name());
    let headers =
        [(header::CONTENT_TYPE, file.media_type().to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, Body::from_stream(file.chunks())).into_response())
}
