//! `/app/batches`: bulk actions and imports, with their progress and what could not be done. Where
//! scripts run, the progress refreshes by itself.

mod submit;
mod word;

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use grantor_domain::batch::{Batch, BatchCommand, BatchList, BatchProblem, BatchStatus};
use grantor_domain::id::BatchId;
use grantor_domain::import::{Duplicates, ImportKind, ImportPlan};
use grantor_domain::page::{Listing, Page};
use grantor_domain::tag::TaggedKind;
use grantor_domain::{Error, Result};
use grantor_messages::{Language, error, text};
use grantor_service::licensing::import;
use grantor_service::operations::batch;
use grantor_service::operations::csv_file::{ROWS_AT_ONCE, stream_file};
use http::header;
use maud::{Markup, html};

pub(crate) use self::submit::{lead_to, start, stop, undo};
pub(crate) use self::word::summary;
use self::word::{describe, done_label, lines, not_done, outcome, reason, skipped_label, status};
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::import::{column_names, title as import_title};
use crate::view::chart::grouped;
use crate::view::field::error_summary;
use crate::view::live::live;
use crate::view::{
    NavItem, Table, ago, card, confirm, empty, facts, head, notice, pager, plain_button,
};

const LIST: &str = "/app/batches";

/// The page that a list belongs to.
pub(crate) const fn nav_of(list: BatchList) -> NavItem {
    match list {
        BatchList::Licenses => NavItem::Licenses,
        BatchList::Talents => NavItem::Talents,
        BatchList::Mentions => NavItem::Mentions,
        BatchList::Requests => NavItem::Requests,
    }
}

/// The list whose rows a command changes.
fn list_of(command: &BatchCommand) -> BatchList {
    match command {
        BatchCommand::Publish
        | BatchCommand::MakePrivate
        | BatchCommand::Expire
        | BatchCommand::Share { .. } => BatchList::Licenses,
        BatchCommand::Tag { kind, .. } | BatchCommand::Untag { kind, .. } => match kind {
            TaggedKind::License => BatchList::Licenses,
            TaggedKind::Talent => BatchList::Talents,
        },
        BatchCommand::Decide { .. } => BatchList::Mentions,
        BatchCommand::Decline { .. } | BatchCommand::Withdraw => BatchList::Requests,
        BatchCommand::Import(ImportPlan { kind, .. }) | BatchCommand::UndoImport { kind } => {
            match kind {
                ImportKind::Talents => BatchList::Talents,
                ImportKind::Licenses => BatchList::Licenses,
            }
        }
        BatchCommand::Undo { of } => list_of(of),
    }
}

/// The page of a list.
pub(crate) const fn path_of(list: BatchList) -> &'static str {
    match list {
        BatchList::Licenses => "/app/licenses",
        BatchList::Talents => "/app/talents",
        BatchList::Mentions => "/app/mentions",
        BatchList::Requests => "/app/requests",
    }
}

/// Where the changed rows of a batch are: on the list with their new status, or on its own page.
pub(crate) fn changed_rows(batch: &Batch) -> String {
    match &batch.command {
        BatchCommand::Publish => "/app/licenses?status=public".to_owned(),
        BatchCommand::MakePrivate => "/app/licenses?status=private".to_owned(),
        BatchCommand::Expire => "/app/licenses?status=expired".to_owned(),
        BatchCommand::Decide { status, .. } => format!("/app/mentions?status={}", status.name()),
        _ => format!("{LIST}/{}", batch.id),
    }
}

/// Lists what the person started.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found =
        params.in_range(batch::list(person.app(), &person.caller, params.page()?).await?)?;
    let heads = [
        text!("bulk-action"),
        text!("word-status"),
        text!("bulk-done"),
        text!("bulk-not-done"),
        text!("bulk-started-at"),
    ];
    let table = Table::new(text!("bulk-list"), &heads).rows(&found.items, |it| {
        vec![
            html! { a href={ (LIST) "/" (it.id) } { (describe(it)) } },
            status(it),
            html! { (grouped(it.done.into())) },
            html! { (grouped(not_done(it).into())) },
            ago(person.now(), it.created_at),
        ]
    });
    let body = html! {
        (head(text!("bulk-list"), text!("bulk-list-lead"), html! {}))
        @if found.items.is_empty() {
            (empty(text!("bulk-list-none"), text!("bulk-list-none-why"), html! {
                a.button href="/app/licenses" { (text!("bulk-view-licenses")) }
            }))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page(text!("bulk-list"), NavItem::None, body))
}

/// Shows a batch.
pub(crate) async fn show(person: Person, Segment(id): Segment<BatchId>, params: Params) -> Outcome {
    let page = load(&person, id, params.page()?).await?;
    let page = BatchPage { problems: params.in_range(page.problems)?, ..page };
    Ok(draw(&person, &page, &FormData::default()))
}

/// Everything on the page.
struct BatchPage {
    batch: Batch,
    problems: Listing<BatchProblem>,
    /// The batch that takes this one back.
    undone_by: Option<BatchId>,
}

async fn load(person: &Person, id: BatchId, page: Page) -> Result<BatchPage> {
    let batch = batch::get(person.app(), &person.caller, id).await?;
    let problems = batch::problems(person.app(), id, page).await?;
    let undone_by = batch::undone_by(person.app(), id).await?;
    Ok(BatchPage { batch, problems, undone_by })
}

fn draw(person: &Person, page: &BatchPage, entered: &FormData) -> Response {
    let batch = &page.batch;
    let plan = import::plan_of(batch);
    let checked = batch.status == BatchStatus::Checked;
    let title = match plan {
        Some(plan) if checked => import_title(plan.kind).to_owned(),
        _ => describe(batch),
    };
    let body = html! {
        (error_summary(entered))
        @match plan {
            Some(plan) if checked => {
                (head(&title, &expected(plan), actions(person, page)))
                (consent(person, batch, plan))
                (problems(person, page))
            }
            // What can be done changes when it ends.
            _ => (live(person, "batch", html! {
                (head(&title, &outcome(batch), actions(person, page)))
                (progress(person, batch))
                (problems(person, page))
            })),
        }
    };
    person.page(&title, nav_of(list_of(&batch.command)), body)
}

fn actions(person: &Person, page: &BatchPage) -> Markup {
    let (batch, acts) = (&page.batch, !person.is_viewed());
    let path = format!("{LIST}/{}", batch.id);
    let ended = matches!(batch.status, BatchStatus::Finished | BatchStatus::Stopped);
    let can_delete = acts && ended && batch.created > 0 && import::plan_of(batch).is_some();
    let can_undo = acts && batch.undo_until.is_some_and(|it| person.now() < it);
    html! {
        @if batch.status == BatchStatus::Running {
            a.button.plain href=(path) { (text!("bulk-refresh")) }
            @if acts { (confirm(&format!("{path}/stop"), text!("bulk-stop"), text!("bulk-stop-question"), &[])) }
        }
        @if acts && batch.status == BatchStatus::Checked {
            (plain_button(&format!("{path}/stop"), text!("bulk-discard"), &[]))
        }
        @match page.undone_by {
            Some(id) => a.button.plain href={ (LIST) "/" (id) } { (text!("bulk-view-undo")) },
            None if can_delete => (confirm(&format!("{path}/undo"), text!("bulk-undo"), text!("bulk-undo-question"), &[])),
            None => @if can_undo {
                (plain_button(&format!("{path}/undo"), text!("action-undo"), &[]))
            },
        }
        @if let Some(undone) = batch.undoes {
            a.button.plain href={ (LIST) "/" (undone) } { (view_undone(&batch.command)) }
        }
        a.button.plain href=(LIST) { (text!("bulk-all")) }
    }
}

/// The link to what an undo takes back.
fn view_undone(command: &BatchCommand) -> &'static str {
    match command {
        BatchCommand::UndoImport { .. } => text!("bulk-view-import"),
        _ => text!("bulk-view-undone"),
    }
}

fn progress(person: &Person, batch: &Batch) -> Markup {
    let (worked_on, total) = (batch.worked_on(), batch.total);
    let is_running = batch.status == BatchStatus::Running;
    let number = |it: u32| html! { (grouped(it.into())) };
    let mut all = vec![(text!("word-status"), status(batch))];
    if import::plan_of(batch).is_some() {
        all.push((text!("bulk-count-created"), number(batch.created)));
        let updated = batch.done.saturating_sub(batch.created);
        all.push((text!("bulk-count-updated"), number(updated)));
    } else {
        all.push((done_label(&batch.command), number(batch.done)));
    }
    all.push((skipped_label(&batch.command), number(batch.skipped)));
    all.push((text!("bulk-count-failed"), number(batch.failed)));
    all.push((text!("bulk-started-at"), ago(person.now(), batch.created_at)));
    if let Some(at) = batch.finished_at {
        all.push((text!("bulk-ended-at"), ago(person.now(), at)));
    }
    card(
        if is_running { text!("bulk-progress") } else { text!("bulk-outcome") },
        html! {
            @if is_running {
                progress.batch-progress max=(total.max(1)) value=(worked_on) aria-label=(text!("bulk-progress")) {}
            }
            p { (text!("bulk-progress-of", done = worked_on, total = total)) }
            (facts(&all))
            @if let Some(reason) = &batch.reason { (notice("warn", html! { p { (error(reason)) "." } })) }
        },
    )
}

/// How many rows of a checked file can be imported.
fn expected(plan: &ImportPlan) -> String {
    let (count, wrong) = (plan.creates.saturating_add(plan.known), plan.wrong);
    match (count, wrong) {
        (0, _) => String::new(),
        (_, 0) => text!("import-all-right", count = count),
        _ => {
            let total = count.saturating_add(wrong);
            text!("import-some-right", count = count, total = total, wrong = wrong)
        }
    }
}

/// What a checked file would do, and the form that starts the import.
fn consent(person: &Person, batch: &Batch, plan: &ImportPlan) -> Markup {
    let rows = plan.creates.saturating_add(plan.known);
    let list = list_of(&batch.command).name();
    let columns = column_names(plan.columns.labels());
    card(
        text!("import-not-yet"),
        html! {
            (facts(&[
                (text!("import-new"), html! { (text!("bulk-rows", list = list, count = plan.creates)) }),
                (text!("import-known"), html! { (text!("bulk-rows", list = list, count = plan.known)) }),
                (text!("import-wrong-rows"), html! { (grouped(plan.wrong.into())) }),
                (text!("import-columns-label"), html! { (columns) }),
            ]))
            @if !plan.columns.ignored().is_empty() {
                (notice("", html! { p { (text!("import-ignored", columns = plan.columns.ignored().join(", "))) } }))
            }
            @if plan.beyond_plan() > 0 {
                (notice("warn", html! { p { (text!("import-beyond-plan", room = plan.room.unwrap_or(0), count = plan.beyond_plan())) } }))
            }
            @if rows == 0 {
                (notice("bad", html! { p { (text!("import-no-row")) } }))
            } @else if !person.is_viewed() {
                form.form method="post" action={ (LIST) "/" (batch.id) "/start" } {
                    @if plan.wrong > 0 {
                        p { (text!("import-some-wrong")) }
                    }
                    @if plan.known > 0 { (duplicates()) }
                    div.actions { button { (text!("import-rows", count = rows)) } }
                }
            }
        },
    )
}

fn duplicates() -> Markup {
    let option = |it: Duplicates, label: &str, checked: bool| {
        html! {
            label {
                input type="radio" name="duplicates" value=(it.name()) checked[checked];
                " " (label)
            }
        }
    };
    html! {
        fieldset.field {
            legend { (text!("import-known-rows")) }
            div.ticks {
                (option(Duplicates::Skip, text!("import-skip"), true))
                (option(Duplicates::Update, text!("import-update"), false))
            }
        }
    }
}

fn problems(person: &Person, page: &BatchPage) -> Markup {
    let (batch, problems) = (&page.batch, &page.problems);
    if problems.total == 0 {
        return html! {};
    }
    let is_import = import::plan_of(batch).is_some();
    let heads = [text!("bulk-row"), text!("bulk-why")];
    let table = Table::new(text!("bulk-problems"), &heads).rows(&problems.items, |it| {
        let name = if it.name.is_empty() { text!("bulk-row-gone") } else { &it.name };
        vec![html! { (name) }, html! { (reason(&batch.command, &it.problem)) "." }]
    });
    let title = match batch.command {
        BatchCommand::UndoImport { .. } | BatchCommand::Undo { .. } => text!("bulk-left"),
        _ if batch.status == BatchStatus::Checked => text!("import-wrong-cells"),
        _ => text!("bulk-problems"),
    };
    card(
        title,
        html! {
            p { a href={ (LIST) "/" (batch.id) "/problems" } download { (text!("bulk-problems-download")) } }
            @if is_import {
                ul { @for it in &problems.items { @for line in lines(it) { li { (line) } } } }
            } @else { (table.show()) }
            (pager(problems, &person.here))
        },
    )
}

/// Downloads what could not be done.
pub(crate) async fn download_problems(person: Person, Segment(id): Segment<BatchId>) -> Outcome {
    let batch = batch::get(person.app(), &person.caller, id).await?;
    let app = person.app().clone();
    let header = [text!("bulk-row"), text!("bulk-why")].map(str::to_owned).to_vec();
    // The file is written after this function has returned, in the language of the page.
    let (language, is_import) = (Language::current(), import::plan_of(&batch).is_some());
    let file = stream_file(header, true, move |part| {
        let app = app.clone();
        async move {
            let found = batch::problems(&app, id, Page::new(part, ROWS_AT_ONCE)).await?;
            let words = |problem: String| {
                if is_import { problem } else { language.error(&problem).into_owned() }
            };
            let rows = found.items.into_iter().map(|it| vec![it.name, words(it.problem)]);
            let rows: Vec<_> = rows.collect();
            Ok::<_, Error>(Some(rows).filter(|it| !it.is_empty()))
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"problems.csv\""),
    ];
    Ok((headers, Body::from_stream(file)).into_response())
}
