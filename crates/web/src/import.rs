//! `/app/talents/import` and `/app/licenses/import`: uploads a file, which is then checked. The page of
//! the batch shows what is wrong and starts the import.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::import::ImportKind;
use grantor_domain::{Error, Result};
use grantor_messages::{named, text};
use grantor_service::licensing::import;
use grantor_service::operations::csv_file::{BYTE_ORDER_MARK, write_rows};
use http::header;
use maud::html;

use crate::frame::{FormData, Outcome, Person};
use crate::view::field::upload_form;
use crate::view::{NavItem, card, head, spreadsheet_file};

/// Shows the form to import talents.
pub(crate) async fn talents_form(person: Person) -> Response {
    draw(&person, ImportKind::Talents, &FormData::default())
}

/// Shows the form to import licenses.
pub(crate) async fn licenses_form(person: Person) -> Response {
    draw(&person, ImportKind::Licenses, &FormData::default())
}

/// Checks a file of talents.
pub(crate) async fn check_talents(person: Person, entered: FormData) -> Outcome {
    check(person, ImportKind::Talents, entered).await
}

/// Checks a file of licenses.
pub(crate) async fn check_licenses(person: Person, entered: FormData) -> Outcome {
    check(person, ImportKind::Licenses, entered).await
}

/// Downloads a sample file of talents.
pub(crate) async fn talents_sample() -> Outcome {
    Ok(sample(ImportKind::Talents)?)
}

/// Downloads a sample file of licenses.
pub(crate) async fn licenses_sample() -> Outcome {
    Ok(sample(ImportKind::Licenses)?)
}

const fn path(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Talents => "/app/talents/import",
        ImportKind::Licenses => "/app/licenses/import",
    }
}

async fn check(person: Person, kind: ImportKind, mut entered: FormData) -> Outcome {
    let files = entered.take_files();
    let checked = async {
        let too_large = |_| Error::field("file", "must be at most 5 MB");
        let file = files.map_err(too_large)?.into_iter().next();
        let file = file.ok_or_else(|| Error::field("file", "is required"))?;
        import::check(person.app(), person.context(), person.caller(), kind, file).await
    };
    match checked.await {
        Ok(id) => Ok(person.redirect(format!("/app/batches/{id}"), text!("import-checked"))),
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw(&person, kind, entered))),
    }
}

fn draw(person: &Person, kind: ImportKind, entered: &FormData) -> Response {
    let title = title(kind);
    let (nav, lead) = match kind {
        ImportKind::Talents => (NavItem::Talents, text!("import-talents-lead")),
        ImportKind::Licenses => (NavItem::Licenses, text!("import-licenses-lead")),
    };
    let (file, hint) = (text!("import-file"), text!("import-file-hint"));
    let body = html! {
        (head(title, lead, html! {
            a.button.plain href={ (path(kind)) "/sample" } download { (text!("import-sample")) }
        }))
        (card(file, upload_form(path(kind), entered, spreadsheet_file("file", file, hint, entered), text!("import-check"))))
        (card(text!("import-how"), html! {
            ol {
                li { (text!("import-how-check")) }
                li { (text!("import-how-start")) }
                li { (text!("import-how-undo")) }
            }
            p.quiet { (text!("import-columns", columns = column_names(kind.columns()))) }
        }))
    };
    person.page(title, nav, body)
}

/// The title of the pages of an import that has not started.
pub(crate) fn title(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Talents => text!("import-talents"),
        ImportKind::Licenses => text!("import-licenses"),
    }
}

/// The name of a column in the reader's language. Files may have it, too.
pub(crate) fn column_name(label: &str) -> &str {
    named("import-column", &label.to_ascii_lowercase()).unwrap_or(label)
}

/// The names of columns, separated by commas.
pub(crate) fn column_names<'a>(labels: impl IntoIterator<Item = &'a str>) -> String {
    labels.into_iter().map(column_name).collect::<Vec<_>>().join(", ")
}

fn sample(kind: ImportKind) -> Result<Response> {
    let own = |row: Vec<&'static str>| row.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let header = kind.columns().into_iter().map(column_name).collect();
    let rows = std::iter::once(header).chain(kind.sample()).map(own);
    let mut file = BYTE_ORDER_MARK.to_vec();
    file.extend(write_rows(rows)?);
    let name = format!("attachment; filename=\"{}.csv\"", kind.name());
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, file).into_response())
}

#[cfg(test)]
mod tests {
    use grantor_domain::import::Columns;
    use grantor_messages::Language;

    use super::*;

    #[tokio::test]
    async fn a_file_may_have_the_columns_that_its_page_names() {
        for code in ["en", "de"] {
            let read = async {
                for kind in ImportKind::ALL {
                    let header: Vec<_> =
                        kind.columns().into_iter().map(|it| column_name(it).to_owned()).collect();
                    let columns = Columns::read(kind, &header).unwrap();
                    assert_eq!(columns.labels().collect::<Vec<_>>(), kind.columns(), "{code}");
                }
                column_name("Fee per")
            };
            let fee_per = Language::find(code).unwrap().scope(read).await;
            assert_eq!(fee_per, if code == "de" { "Gebühr pro" } else { "Fee per" });
        }
    }
}
