//! `/app/mentions`: mentions and decisions about them. Triage works without a mouse.

mod evidence;
mod history;
mod reason;
mod show;

use axum::response::{IntoResponse as _, Redirect};
use grantor_domain::Error;
use grantor_domain::batch::BatchList;
use grantor_domain::error::Fields;
use grantor_domain::id::LicenseId;
use grantor_domain::mention::{
    InboxQuery, MatchKind, Mention, MentionQuery, MentionStatus, Verdict,
};
use grantor_domain::page::Order;
use grantor_domain::permission::PermissionRole;
use grantor_domain::role::Right;
use grantor_domain::saved_view::ViewList;
use grantor_messages::text;
use grantor_service::operations::batch::Filter;
use grantor_service::operations::record_index::{RecordOrder, RecordSort};
use grantor_service::watching::mention::{self, MentionSearch, MentionView};
use maud::{Markup, html};

pub(crate) use self::evidence::{download as download_evidence, hashed, header_label};
pub(crate) use self::reason::reason_in_words;
pub(crate) use self::show::{decide, show};
use crate::frame::{Outcome, Params, Person};
use crate::thumbnail::{self, Thumbnails};
use crate::view::component::with_query;
use crate::view::filter_value as value;
use crate::view::list_filter::ListFilters;
use crate::view::live::live_list;
use crate::view::rich::rich;
use crate::view::selection::{self, Selection};
use crate::view::sort::{SortKey, Sorting};
use crate::view::{NavItem, ago, badge, empty, head, hidden, lesson, pager, tabs};
use crate::{bulk, export, name, saved_view};

const LIST: &str = "/app/mentions";
const SORTS: [SortKey; 1] =
    [SortKey::by_time("first_seen", "", ["mention-sort-newest", "mention-sort-oldest"])];

/// What the address asks for.
struct Wanted {
    inbox: InboxQuery,
    search: MentionSearch,
    sorting: Sorting,
}

impl Wanted {
    /// Whether the inbox alone cannot answer it.
    fn is_search(&self) -> bool {
        let plain = MentionSearch {
            status: self.search.status,
            verdict: self.search.verdict,
            order: NEWEST_FIRST,
            ..MentionSearch::default()
        };
        self.inbox.license.is_none() && self.search != plain
    }
}

const NEWEST_FIRST: RecordOrder = RecordOrder { sort: RecordSort::Changed, order: Order::Desc };

/// Lists mentions, newest first. Without a status filter, only those without a decision.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let views = saved_view::bar(&person, ViewList::Mentions).await?;
    if let Some(redirect) = views.redirect() {
        return Ok(redirect);
    }
    let wanted = read(&params)?;
    let (reader, page) = (person.caller.reader(), wanted.inbox.page);
    let found = if wanted.is_search() {
        mention::search(person.app(), reader, wanted.search.clone(), page).await?
    } else {
        mention::inbox(person.app(), reader, wanted.inbox).await?
    };
    if found.items.is_empty() && found.total > 0 {
        // The last mention of the last page was just decided.
        let last = with_query(&person.here, "page", &found.total_pages().to_string());
        return Ok(Redirect::to(&last).into_response());
    }
    let licenses = found.items.iter().map(|it| it.shown.license);
    let thumbnails = thumbnail::of_licenses(&person, licenses).await?;
    let (kind, key) = (BatchList::Mentions, |it: &MentionView| it.shown.mention.id);
    let decidable = found.items.iter().any(|it| may_decide(&person, it));
    let acts = bulk::actions(&person, kind, decidable || person.may(Right::ReadLicenses));
    let selection = Selection::new(kind, &person.here, &found, key, acts);
    let filters = filters(&person.here, &params, &wanted, found.items.first());
    let filters = filters.cleared_by(with_query(&views.all_url(), "status", status(&params)));
    let only_new = wanted.inbox.status == Some(MentionStatus::New) && !filters.is_set();
    let list = html! {
        @if found.items.is_empty() { (no_mentions(only_new)) } @else {
            @if decidable { (keys()) }
            div.stack { @for it in &found.items { (article(&person, it, &thumbnails)) } }
            (pager(&found, &person.here))
        }
    };
    let words = (text!("mention-new-one"), text!("mention-new-many"));
    let body = html! {
        (head(text!("mention-list-title"), text!("mention-list-lead"), html! {
            (export::links(&person, "mentions"))
        }))
        (status_tabs(&person, params.get("status").unwrap_or("new")))
        (views.show())
        (filters.show())
        @if !found.items.is_empty() { (selection.bar()) }
        (live_list(&person, "mentions", words, &found, list))
    };
    Ok(person.page(text!("mention-list-title"), NavItem::Mentions, body))
}

/// The status in the address; the default has none.
fn status(params: &Params) -> &str {
    params.get("status").unwrap_or_default()
}

fn read(params: &Params) -> Result<Wanted, Error> {
    let mut fields = Fields::default();
    let page = fields.take_all(params.page());
    let sorting = fields.take_all(Sorting::read(&SORTS, params));
    let status = match params.get("status").unwrap_or("new") {
        "all" => None,
        other => fields.take("status", other.parse::<MentionStatus>()),
    };
    let verdict = value::value::<Verdict>(params, "verdict", &mut fields);
    let license = value::value(params, "license", &mut fields);
    let search = MentionSearch {
        find: value::find(params, "search", &mut fields),
        status,
        verdict,
        talent: value::talent(params, &mut fields),
        seen: value::days(params, ("seen_from", "seen_to"), &mut fields),
        order: RecordOrder { order: sorting.map_or(Order::Desc, |it| it.order), ..NEWEST_FIRST },
    };
    let (page, sorting) = value::finish(fields, page, sorting)?;
    Ok(Wanted { inbox: InboxQuery { status, verdict, license, page }, search, sorting })
}

/// The mentions that match the filters of the list.
pub(crate) fn matching(params: &Params) -> Result<Filter, Error> {
    let Wanted { inbox, search, .. } = read(params)?;
    let InboxQuery { status, verdict, license, page } = inbox;
    let (platform, from, to, order) = (None, None, None, Order::Desc);
    Ok(match license {
        Some(license) => {
            let query = MentionQuery { page, status, verdict, platform, from, to, order };
            Filter::MentionsOf(license, query)
        }
        None => Filter::Mentions(search),
    })
}

fn filters<'a>(
    here: &'a str,
    params: &'a Params,
    wanted: &Wanted,
    first: Option<&MentionView>,
) -> ListFilters<'a> {
    let shown = first.map(|it| &it.shown);
    let filters = ListFilters::new(LIST, here, params).keep("status");
    if wanted.inbox.license.is_some() {
        let title = shown.map_or(text!("mention-selected-license"), |it| it.license_title.as_str());
        return pick_verdict(filters).linked("license", text!("mention-license"), title);
    }
    let talent = value::chosen_talent(params, shown.map(|it| it.talent_name.as_str()));
    let source = name::source(ViewList::Mentions, "talent");
    pick_verdict(filters.search(text!("mention-search")))
        .name("talent", text!("mention-talent"), &source, talent)
        .day("seen_from", text!("mention-first-seen-from"))
        .day("seen_to", text!("mention-first-seen-to"))
        .sorted(&wanted.sorting)
}

/// Adds the filter by verdict.
fn pick_verdict(filters: ListFilters<'_>) -> ListFilters<'_> {
    let verdicts = [
        ("unlicensed", text!("mention-verdict-unlicensed")),
        ("needs_review", text!("mention-verdict-needs-review")),
        ("licensed", text!("mention-verdict-licensed")),
    ];
    filters.pick("verdict", text!("mention-verdict"), text!("mention-any-verdict"), verdicts)
}

fn status_tabs(person: &Person, current: &str) -> Markup {
    let tab = |status: &str, label| {
        (with_query(&person.here, "status", status), label, status == current)
    };
    tabs(
        text!("mention-tabs"),
        &[
            tab("new", text!("mention-status-new")),
            tab("confirmed", text!("mention-status-confirmed")),
            tab("dismissed", text!("mention-status-dismissed")),
            tab("all", text!("mention-status-all")),
        ],
    )
}

fn no_mentions(only_new: bool) -> Markup {
    let view_all = html! {
        a.button.plain href="/app/mentions?status=all" { (text!("mention-view-all")) }
    };
    if only_new {
        return lesson(
            text!("mention-no-new"),
            text!("mention-no-new-why"),
            &[
                text!("mention-lesson-watched"),
                text!("mention-lesson-more"),
                text!("mention-lesson-decide"),
            ],
            view_all,
        );
    }
    empty(text!("mention-none-found"), text!("mention-none-match"), view_all)
}

fn keys() -> Markup {
    let key = |letter: &str| html! { kbd { (letter) } };
    html! {
        p.quiet.keys {
            (rich!(
                "mention-keys",
                next = key("J"),
                previous = key("K"),
                them = key("C"),
                other = key("D"),
                open = key("O"),
            ))
        }
    }
}

fn article(person: &Person, seen: &MentionView, thumbnails: &Thumbnails<LicenseId>) -> Markup {
    let it = &seen.shown.mention;
    html! {
        article.card.mention data-row=(it.id) data-triage="" tabindex="-1" {
            div.row.apart {
                div.row {
                    (selection::checkbox(it.id, title(it)))
                    (badge(it.verdict.name())) (badge(it.status.name())) (matched(it))
                }
                span.quiet { (ago(person.now(), it.first_seen_at)) }
            }
            (thumbnails.beside(seen.shown.license, &seen.shown.talent_name, html! {
                h2 { a href={ "/app/mentions/" (it.id) } data-key="o" { (title(it)) } }
                p {
                    (rich!(
                        "mention-where",
                        talent = &seen.shown.talent_name,
                        place = html! { strong { (seen.place) } },
                        license = html! { a href={ "/app/licenses/" (seen.shown.license) } { (seen.shown.license_title) } },
                    ))
                }
            }))
            @if !it.excerpt.is_empty() { blockquote { (it.excerpt) } }
            (decisions(person, seen))
        }
    }
}

fn title(mention: &Mention) -> &str {
    if mention.title.trim().is_empty() { &mention.url } else { &mention.title }
}

/// What matched, and with which confidence.
fn matched(mention: &Mention) -> Markup {
    let percent = format!("{:.0}", mention.found.confidence * 100.0);
    let words = match mention.found.kind {
        MatchKind::Name => text!("mention-match-name", percent = percent),
        MatchKind::Image if mention.found.placement.is_some() => {
            text!("mention-match-part", percent = percent)
        }
        MatchKind::Image => text!("mention-match-image", percent = percent),
    };
    html! { span.quiet { (words) } }
}

/// Whether the user reviews the mention, and so reads the note.
fn reviews(person: &Person, seen: &MentionView) -> bool {
    seen.role >= PermissionRole::Trustee && person.may(Right::ReviewMentions)
}

/// Whether to offer decisions.
fn may_decide(person: &Person, seen: &MentionView) -> bool {
    seen.role >= PermissionRole::Trustee && person.acts(Right::ReviewMentions)
}

/// The buttons that decide whether it is the talent, or clear that.
fn decisions(person: &Person, seen: &MentionView) -> Markup {
    let status = seen.shown.mention.status;
    html! {
        @if may_decide(person, seen) {
            div.row {
                @if status != MentionStatus::Confirmed {
                    (button(seen, &person.here, ("confirmed", ""), (text!("mention-is-them"), "c")))
                }
                @if status != MentionStatus::Dismissed {
                    (button(seen, &person.here, ("dismissed", ""), (text!("mention-is-not-them"), "d")))
                }
                @if status != MentionStatus::New {
                    (button(seen, &person.here, ("new", ""), (text!("mention-clear-decision"), "u")))
                }
            }
        }
    }
}

/// A button that decides: the status and whether the use is allowed, with its label and key.
fn button(
    seen: &MentionView,
    back: &str,
    (status, allowed): (&str, &str),
    (label, key): (&str, &str),
) -> Markup {
    html! {
        form.inline method="post" action={ "/app/mentions/" (seen.shown.mention.id) "/decide" } {
            (hidden("status", status)) (hidden("back", back))
            @if !allowed.is_empty() { (hidden("allowed", allowed)) }
            button.small.plain[status != "confirmed"] data-key=[Some(key).filter(|it| !it.is_empty())] { (label) }
        }
    }
}
