//! Log exports.

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use grantor_domain::Error;
use grantor_domain::id::ExportId;
use grantor_domain::log::ExportFormat;
use grantor_messages::text;
use grantor_service::log::{self, File};
use http::header;
use maud::html;

use super::{NAMES, action, classes, levels, read};
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::view::chart::grouped;
use crate::view::{NavItem, ago, card, facts, field, form, head, select};

fn formats() -> [(&'static str, &'static str); 2] {
    [("csv", text!("log-export-csv")), ("json", text!("log-export-json"))]
}

/// Shows the export form.
pub(crate) async fn export_form(person: Person, params: Params) -> Response {
    let entered = FormData::default().with("format", ExportFormat::Csv.name());
    let entered = NAMES
        .iter()
        .fold(entered, |entered, name| entered.with(name, params.get(name).unwrap_or_default()));
    draw(&person, &entered)
}

fn draw(person: &Person, entered: &FormData) -> Response {
    let any = std::iter::once((String::new(), text!("log-any-action").to_owned()));
    let actions: Vec<_> = any.chain(action::choices(entered.optional("action"))).collect();
    let inside = html! {
        (select("format", text!("log-export-format"), None, &formats(), entered))
        div.two {
            (select("type", text!("log-level"), None, &levels(), entered))
            (select("class", text!("log-category"), None, &classes(), entered))
            (field("startDate", text!("log-start-date")).kind("date").of(entered))
            (field("endDate", text!("log-end-date")).kind("date").of(entered))
        }
        (select("action", text!("log-action"), None, &actions, entered))
        (field("search", text!("action-search")).max_length(100).of(entered))
    };
    let body = html! {
        (head(text!("log-export-title"), text!("log-export-lead"), html! {}))
        (card(text!("log-export-card"), form("/app/logs/export", entered, inside, text!("log-export-create"))))
    };
    person.page(text!("log-export-title"), NavItem::Logs, body)
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
            let to = format!("/app/logs/export/{}/ready", made.id);
            Ok(person.redirect(to, text!("log-export-ready")))
        }
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw(&person, entered))),
    }
}

/// Shows an export and its download link.
pub(crate) async fn show_export(person: Person, Segment(id): Segment<ExportId>) -> Outcome {
    let export = log::find_export(person.app(), &person.caller, id).await?;
    let now = person.now();
    let body = html! {
        (head(text!("log-export-one"), "", html! {
            a.button.plain href="/app/logs" { (text!("log-back")) }
        }))
        (card(text!("log-export-file"), html! {
            (facts(&[
                (text!("log-export-format"), html! { (export.format.name().to_ascii_uppercase()) }),
                (text!("log-export-entries"), html! { (grouped(export.entries)) }),
                (text!("word-created"), ago(now, export.created_at)),
                (text!("log-export-expires"), ago(now, export.expires_at)),
            ]))
            p { a.button href={ "/app/logs/export/" (id) } download { (text!("action-download")) } }
        }))
    };
    Ok(person.page(text!("log-export-one"), NavItem::Logs, body))
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
