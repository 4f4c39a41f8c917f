//! A source: its state, its scans and the mentions found through it.

use grantor_domain::id::SourceId;
use grantor_domain::role::Right;
use grantor_domain::source::{FeedRun, SourcePatch, SourceStatus};
use grantor_domain::websub::PushState;
use grantor_domain::{Error, ErrorKind};
use grantor_service::watching::mention::{self, MentionView};
use grantor_service::watching::source::{self, ListedSource};
use maud::{Markup, html};

use super::{FREQUENCIES, next_scan, state_badge, state_words, talents, what_is_read};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::run::{ShownRun, run_table};
use crate::view::{
    NavItem, Table, ago, badge, card, confirm, day, facts, head, notice, post_button,
};

/// Shows a source.
pub(crate) async fn show(person: Person, Segment(id): Segment<SourceId>) -> Outcome {
    let tenant = person.caller.tenant;
    let found = source::get(person.app(), tenant, id).await?;
    let runs = source::last_runs(person.app(), tenant, id).await?;
    let mentions = mention::found_by(person.app(), person.caller.reader(), id).await?;
    let watched = talents::describe(&person, &found.source.talents).await?;
    let acts = if manages(&person, id).await? {
        actions(&found)
    } else {
        html! {}
    };
    let name = found.source.name.as_str();
    let body = html! {
        (head(name, &found.source.url, acts))
        div data-live="source" {
            (problems(&person, &found))
            (card("Details", details(&person, &found, &watched)))
            @if let Some(run) = &found.last_run { (skipped(run)) }
            (card("Mentions found", mention_table(&person, &mentions)))
            (card("Recent scans", run_table(person.now(), runs.iter().map(ShownRun::from))))
        }
    };
    Ok(person.page(name, NavItem::Sources, body))
}

/// Whether the user may change a source: somebody who is limited to their own teams may not change
/// what is watched for other talents.
async fn manages(person: &Person, id: SourceId) -> Result<bool, Error> {
    if !person.may(Right::ManageSources) {
        return Ok(false);
    }
    let caller = (&*person.caller).into();
    match source::get_to_change(person.app(), person.context(), caller, id).await {
        Ok(_) => Ok(true),
        Err(error) if error.is_refusal() => Ok(false),
        Err(error) => Err(error),
    }
}

fn actions(it: &ListedSource) -> Markup {
    let here = format!("/app/sources/{}", it.source.id);
    let (next, label) = match it.source.status {
        SourceStatus::Running => ("paused", "Pause"),
        SourceStatus::Paused => ("running", "Resume"),
    };
    let question = "The address will no longer be watched. Mentions that were found stay.";
    html! {
        @if it.source.is_active() && !it.feed.push_only {
            (post_button(&format!("{here}/scan"), "Scan now", &[]))
        }
        @if it.source.stopped.is_none() {
            (post_button(&format!("{here}/status"), label, &[("status", next)]))
        }
        a.button.small.plain href={ (here) "/edit" } { "Edit" }
        (confirm(&format!("{here}/delete"), "Delete", question, &[]))
    }
}

/// What keeps the source from being read.
fn problems(person: &Person, it: &ListedSource) -> Markup {
    let now = person.now();
    html! {
        @if let Some(at) = it.source.stopped {
            (notice("warn", html! { p { "The operator stopped this source " (ago(now, at)) ". Contact the operator to have it resumed." } }))
        } @else if let Some(since) = it.feed.failing_since {
            (notice("bad", html! {
                p { strong { "Scans have been failing since " (ago(now, since)) "." } " The address is tried again automatically, less often the longer it fails." }
                @if let Some(reason) = it.last_run.as_ref().and_then(|run| run.reason.as_deref()) {
                    p { "Last error: " (reason) }
                }
            }))
        } @else if it.feed.push_only {
            (notice("", html! { p { "The site's robots.txt forbids fetching this feed, so it is only read when the service pushes something new." } }))
        }
    }
}

fn details(person: &Person, it: &ListedSource, watched: &str) -> Markup {
    let (now, source) = (person.now(), &it.source);
    let often = FREQUENCIES.iter().find(|(name, _)| *name == source.frequency.name());
    let never = || html! { span.quiet { "never" } };
    let mut all = vec![
        ("State", html! { (state_badge(it)) p.quiet { (state_words(now, it)) } }),
        ("Address", html! { a href=(source.url) rel="noopener noreferrer" { (source.url) } }),
        ("What is read", html! { (what_is_read(it)) p { code { (it.feed.url) } } }),
        ("Looks for", html! { (watched) }),
    ];
    if !it.feed.push_only {
        all.push(("How often", html! { (often.map_or("–", |(_, label)| *label)) }));
    }
    all.extend([
        ("Last read", it.feed.last_scan_at.map_or_else(never, |at| ago(now, at))),
        ("Next scan", next_scan(now, it)),
        ("Pushes", pushes(&source::push_state(person.app(), it))),
        ("Mentions found", html! { (it.mention_count) }),
        ("Added", ago(now, source.created_at)),
    ]);
    facts(&all)
}

/// Whether a hub pushes new content, or why it does not.
fn pushes(push: &PushState) -> Markup {
    html! {
        (badge(push.status.name()))
        p.quiet {
            @match (push.active_until, &push.reason) {
                (Some(until), None) => { "Subscribed until " (day(until)) "." }
                (Some(until), Some(reason)) => { "Subscribed until " (day(until)) ", not renewed yet: " (reason) "." }
                (None, Some(reason)) => { "Not subscribed: " (reason) "." }
                (None, None) => {}
            }
            @if let Some(hub) = &push.hub { " Hub: " (hub) "." }
        }
    }
}

/// What the last scan skipped, and why.
fn skipped(run: &FeedRun) -> Markup {
    html! {
        @if !run.skipped.is_empty() {
            (card("Skipped in the last scan", html! {
                dl.facts {
                    @for it in &run.skipped { div { dt { (it.what) } dd { (it.why) } } }
                }
            }))
        }
    }
}

fn mention_table(person: &Person, mentions: &[MentionView]) -> Markup {
    if mentions.is_empty() {
        return html! { p.quiet { "Nothing yet. New mentions appear here and under Mentions." } };
    }
    let row = |seen: &MentionView| {
        let it = &seen.shown.mention;
        let title = if it.title.trim().is_empty() { &it.url } else { &it.title };
        vec![
            html! { a href={ "/app/mentions/" (it.id) } { (title) } },
            html! { (seen.shown.talent_name) },
            badge(it.verdict.name()),
            badge(it.status.name()),
            ago(person.now(), it.first_seen_at),
        ]
    };
    let heads = ["Mention", "Talent", "Verdict", "Status", "First seen"];
    html! {
        (Table::new("Mentions found", &heads).rows(mentions, row).show())
        p { a href="/app/mentions?status=all" { "View all mentions" } }
    }
}

/// Pauses or resumes a source.
pub(crate) async fn switch(
    person: Person,
    Segment(id): Segment<SourceId>,
    entered: FormData,
) -> Outcome {
    let status = entered.get("status").parse::<SourceStatus>();
    let status = status.map_err(|reason| Error::field("status", reason))?;
    let patch = SourcePatch { status: Some(status), ..SourcePatch::default() };
    let caller = (&*person.caller).into();
    let changed = source::change(person.app(), person.context(), caller, id, patch).await;
    let message = match (changed, status) {
        (Ok(_), SourceStatus::Running) => "Source resumed".to_owned(),
        (Ok(_), SourceStatus::Paused) => "Source paused".to_owned(),
        // Staff stopped it in the meantime: the page says so.
        (Err(error), _) if *error.kind() == ErrorKind::Conflict => error.message().to_owned(),
        (Err(error), _) => return Err(error.into()),
    };
    Ok(person.redirect(format!("/app/sources/{id}"), &message))
}

/// Scans a source now.
pub(crate) async fn scan_now(person: Person, Segment(id): Segment<SourceId>) -> Outcome {
    let caller = (&*person.caller).into();
    let asked = source::scan_now(person.app(), person.context(), caller, id).await;
    let message = match asked {
        Ok(_) => "Scan requested. It starts within seconds.".to_owned(),
        Err(error) if matches!(error.kind(), ErrorKind::Conflict | ErrorKind::RateLimited(_)) => {
            error.message().to_owned()
        }
        Err(error) => return Err(error.into()),
    };
    Ok(person.redirect(format!("/app/sources/{id}"), &message))
}

/// Deletes a source.
pub(crate) async fn delete(person: Person, Segment(id): Segment<SourceId>) -> Outcome {
    let caller = (&*person.caller).into();
    source::delete(person.app(), person.context(), caller, id).await?;
    Ok(person.redirect("/app/sources", "Source deleted"))
}
