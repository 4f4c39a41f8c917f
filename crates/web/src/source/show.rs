//! A source: its state, its scans and the mentions found through it.

use std::borrow::Cow;

use grantor_domain::id::{LicenseId, SourceId};
use grantor_domain::role::Right;
use grantor_domain::source::{FeedRun, SourcePatch, SourceStatus};
use grantor_domain::websub::PushState;
use grantor_domain::{Error, ErrorKind};
use grantor_messages::text;
use grantor_service::watching::mention::{self, MentionView};
use grantor_service::watching::source::{self, ListedSource};
use maud::{Markup, html};

use super::{frequencies, next_scan, state_badge, state_words, talents, what_is_read};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::log::history_link;
use crate::thumbnail::{self, Thumbnails};
use crate::view::live::live;
use crate::view::rich::rich;
use crate::view::run::{ShownRun, run_table};
use crate::view::{
    NavItem, Table, ago, badge, card, day, facts, head, notice, post_button, undoable,
};

/// Shows a source.
pub(crate) async fn show(person: Person, Segment(id): Segment<SourceId>) -> Outcome {
    let tenant = person.caller.tenant;
    let found = source::get(person.app(), tenant, id).await?;
    let runs = source::last_runs(person.app(), tenant, id).await?;
    let mentions = mention::found_by(person.app(), person.caller.reader(), id).await?;
    let licenses = mentions.iter().map(|it| it.shown.license);
    let thumbnails = thumbnail::of_licenses(&person, licenses).await?;
    let watched = talents::describe(&person, &found.source.talents).await?;
    let acts = if manages(&person, id).await? {
        actions(&found)
    } else {
        html! {}
    };
    let name = found.source.name.as_str();
    let state = html! {
        (problems(&person, &found))
        (card(text!("source-details"), details(&person, &found, &watched)))
        @if let Some(run) = &found.last_run { (skipped(run)) }
        (card(text!("source-mentions-found"), mention_table(&person, &mentions, &thumbnails)))
        (card(text!("source-recent-scans"), run_table(person.now(), runs.iter().map(ShownRun::from))))
    };
    let body = html! {
        (head(name, &found.source.url, acts))
        (live(&person, "source", state))
        (history_link(&person, &id.to_string()))
    };
    Ok(person.page(name, NavItem::Sources, body))
}

/// Whether the user may change a source: somebody who is limited to their own teams may not change
/// what is watched for other talents.
async fn manages(person: &Person, id: SourceId) -> Result<bool, Error> {
    if !person.acts(Right::ManageSources) {
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
        SourceStatus::Running => ("paused", text!("source-pause")),
        SourceStatus::Paused => ("running", text!("source-resume")),
    };
    html! {
        @if it.source.is_active() && !it.feed.push_only {
            (post_button(&format!("{here}/scan"), text!("source-scan"), &[]))
        }
        @if it.source.stopped.is_none() {
            (post_button(&format!("{here}/status"), label, &[("status", next)]))
        }
        a.button.small.plain href={ (here) "/edit" } { (text!("action-edit")) }
        (undoable(&format!("{here}/delete"), text!("action-delete"), &[]))
    }
}

/// What keeps the source from being read.
fn problems(person: &Person, it: &ListedSource) -> Markup {
    let now = person.now();
    html! {
        @if let Some(at) = it.source.stopped {
            (notice("warn", html! { p { (rich!("source-stopped-notice", time = ago(now, at))) } }))
        } @else if let Some(since) = it.feed.failing_since {
            (notice("bad", html! {
                p {
                    strong { (rich!("source-scans-failing", time = ago(now, since))) } " "
                    (text!("source-scans-retried"))
                }
                @if let Some(reason) = it.last_run.as_ref().and_then(|run| run.reason.as_deref()) {
                    p { (text!("source-last-error", reason = grantor_messages::error(reason))) }
                }
            }))
        } @else if it.feed.push_only {
            (notice("", html! { p { (text!("source-push-only")) } }))
        }
    }
}

fn details(person: &Person, it: &ListedSource, watched: &str) -> Markup {
    let (now, source) = (person.now(), &it.source);
    let often = frequencies().into_iter().find(|(name, _)| *name == source.frequency.name());
    let never = || html! { span.quiet { (text!("source-never")) } };
    let mut all = vec![
        (text!("source-state"), html! { (state_badge(it)) p.quiet { (state_words(now, it)) } }),
        (
            text!("source-address"),
            html! { a href=(source.url) rel="noopener noreferrer" { (source.url) } },
        ),
        (text!("source-what-is-read"), html! { (what_is_read(it)) p { code { (it.feed.url) } } }),
        (text!("source-looks-for"), html! { (watched) }),
    ];
    if !it.feed.push_only {
        all.push((text!("source-how-often"), html! { (often.map_or("", |(_, label)| label)) }));
    }
    all.extend([
        (text!("source-last-read"), it.feed.last_scan_at.map_or_else(never, |at| ago(now, at))),
        (text!("source-next-scan"), next_scan(now, it)),
        (text!("source-pushes"), pushes(&source::push_state(person.app(), it))),
        (text!("source-mentions-found"), html! { (it.mention_count) }),
        (text!("source-added"), ago(now, source.created_at)),
    ]);
    facts(&all)
}

/// Whether a hub pushes new content, or why it does not.
fn pushes(push: &PushState) -> Markup {
    html! {
        (badge(push.status.name()))
        p.quiet {
            @match (push.active_until, &push.reason) {
                (Some(until), None) => (rich!("source-subscribed-until", day = day(until))),
                (Some(until), Some(reason)) => {
                    (rich!(
                        "source-subscription-not-renewed",
                        day = day(until),
                        reason = &*reason_in_words(reason),
                    ))
                }
                (None, Some(reason)) => {
                    (text!("source-not-subscribed", reason = reason_in_words(reason)))
                }
                (None, None) => {}
            }
            @if let Some(hub) = &push.hub { " " (text!("source-hub", hub = hub)) }
        }
    }
}

/// Why a hub does not push, in the language of the page. What a hub said stays as it is.
fn reason_in_words(reason: &str) -> Cow<'_, str> {
    let words = match reason {
        "hubs cannot reach this server" => text!("source-push-unreachable"),
        "the address names no hub that can be subscribed to" => text!("source-push-no-hub"),
        "the source is not running" => text!("source-push-not-running"),
        "the hub has not confirmed the subscription yet" => text!("source-push-unconfirmed"),
        "the hub has not renewed the subscription yet" => text!("source-push-lapsed"),
        other => return grantor_messages::error(other),
    };
    Cow::Borrowed(words)
}

/// What the last scan skipped, and why.
fn skipped(run: &FeedRun) -> Markup {
    html! {
        @if !run.skipped.is_empty() {
            (card(text!("source-skipped"), html! {
                dl.facts {
                    @for it in &run.skipped { div { dt { (it.what) } dd { (grantor_messages::error(&it.why)) } } }
                }
            }))
        }
    }
}

fn mention_table(
    person: &Person,
    mentions: &[MentionView],
    thumbnails: &Thumbnails<LicenseId>,
) -> Markup {
    if mentions.is_empty() {
        return html! { p.quiet { (text!("source-no-mentions")) } };
    }
    let row = |seen: &MentionView| {
        let it = &seen.shown.mention;
        let title = if it.title.trim().is_empty() { &it.url } else { &it.title };
        vec![
            thumbnails.beside(
                seen.shown.license,
                &seen.shown.talent_name,
                html! { a href={ "/app/mentions/" (it.id) } { (title) } },
            ),
            html! { (seen.shown.talent_name) },
            badge(it.verdict.name()),
            badge(it.status.name()),
            ago(person.now(), it.first_seen_at),
        ]
    };
    let heads = [
        text!("source-mention"),
        text!("source-talent"),
        text!("source-verdict"),
        text!("source-status"),
        text!("source-first-seen"),
    ];
    html! {
        (Table::new(text!("source-mentions-found"), &heads).rows(mentions, row).show())
        p { a href="/app/mentions?status=all" { (text!("source-view-all-mentions")) } }
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
        (Ok(_), SourceStatus::Running) => text!("source-resumed").to_owned(),
        (Ok(_), SourceStatus::Paused) => text!("source-paused").to_owned(),
        // Staff stopped it in the meantime: the page says so.
        (Err(error), _) if *error.kind() == ErrorKind::Conflict => {
            grantor_messages::error(error.message()).into_owned()
        }
        (Err(error), _) => return Err(error.into()),
    };
    Ok(person.redirect(format!("/app/sources/{id}"), &message))
}

/// Scans a source now.
pub(crate) async fn scan_now(person: Person, Segment(id): Segment<SourceId>) -> Outcome {
    let caller = (&*person.caller).into();
    let asked = source::scan_now(person.app(), person.context(), caller, id).await;
    let message = match asked {
        Ok(_) => text!("source-scan-requested").to_owned(),
        Err(error) if matches!(error.kind(), ErrorKind::Conflict | ErrorKind::RateLimited(_)) => {
            grantor_messages::error(error.message()).into_owned()
        }
        Err(error) => return Err(error.into()),
    };
    Ok(person.redirect(format!("/app/sources/{id}"), &message))
}

/// Deletes a source.
pub(crate) async fn delete(person: Person, Segment(id): Segment<SourceId>) -> Outcome {
    let caller = (&*person.caller).into();
    source::delete(person.app(), person.context(), caller, id).await?;
    Ok(person.redirect("/app/sources", text!("source-deleted")))
}
