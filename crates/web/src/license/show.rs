//! `/app/licenses/{id}`: one license with everything around it, and what its buttons do.

use axum::response::Response;
use grantor_domain::bookmark::{Bookmark, Target};
use grantor_domain::id::LicenseId;
use grantor_domain::license::{self as rules, LicenseChange, LicenseStatus, Names};
use grantor_domain::mention::MentionQuery;
use grantor_domain::page::{Listing, Order, Page};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_service::access::Insider;
use grantor_service::license::{self, Expected, Named, Seen};
use grantor_service::permission::{self, Held};
use grantor_service::{bookmark, mention};
use maud::{Markup, html};
use serde_json::json;

use super::image::{Picture, gallery, pictures};
use super::permission::rights;
use super::{editable, fee_words, own, places, see, times, type_words, unseen, uses};
use crate::frame::{Asked, Entered, Outcome, Person, Segment};
use crate::picture;
use crate::view::field::wrongs;
use crate::view::{Place, ago, badge, card, confirm, counted, facts, head, hidden, notice, send};

/// How many mentions stand beside their license.
const FEW: &str = "5";

/// All that the page shows.
struct Whole {
    seen: Seen,
    pictures: Vec<Picture>,
    /// For who may manage it.
    held: Option<Listing<Held>>,
    mentions: Listing<mention::Seen>,
    kept: Option<Bookmark>,
}

/// What was entered in each of its forms.
#[derive(Default)]
pub(super) struct Forms {
    pub(super) images: Entered,
    pub(super) grant: Entered,
    /// Its buttons.
    pub(super) pressed: Entered,
}

/// The page.
pub(crate) async fn show(person: Person, Segment(id): Segment<LicenseId>, asked: Asked) -> Outcome {
    let whole = load(&person, id, asked.page()?).await?;
    Ok(draw(&person, &whole, &Forms::default()))
}

/// The page again, with why one of its forms was refused. What is not to be seen stays unknown.
pub(super) async fn again(
    person: &Person,
    id: LicenseId,
    error: Error,
    entered: Entered,
    forms: impl Fn(Entered) -> Forms,
) -> Outcome {
    let whole = load(person, id, Asked::default().page()?).await?;
    Ok(person.again(error, entered, |entered| draw(person, &whole, &forms(entered.clone()))))
}

async fn load(person: &Person, id: LicenseId, page: Page) -> Result<Whole> {
    let (app, reader) = (person.app(), person.caller.reader());
    let (seen, images) =
        license::get_with_images(app, reader, Named::Id(id)).await.map_err(unseen)?;
    let held = if own(person, &seen.shown.license) { held(person, id, page).await? } else { None };
    let few = Page::parse(None, Some(FEW), Asked::rules())?;
    let (status, verdict, platform, from, to) = (None, None, None, None, None);
    let query = MentionQuery { page: few, status, verdict, platform, from, to, order: Order::Desc };
    let mentions = mention::list(app, reader, id, query).await.map_err(unseen)?;
    let caller = Insider::from(&*person.caller);
    let kept = bookmark::find(app, caller, Target::License(id)).await?;
    Ok(Whole { seen, pictures: pictures(app, images).await?, held, mentions, kept })
}

/// Who holds rights on it, where the person may manage them.
async fn held(person: &Person, id: LicenseId, page: Page) -> Result<Option<Listing<Held>>> {
    match permission::list(person.app(), &person.caller, id, page).await {
        Ok(found) => Ok(Some(found)),
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::AccessDenied | ErrorKind::InsufficientPermissions
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn draw(person: &Person, whole: &Whole, forms: &Forms) -> Response {
    let (seen, id) = (&whole.seen, whole.seen.shown.license.id);
    let title = seen.shown.license.title.as_str();
    let lead =
        format!("{} · {}", seen.shown.talent_name, type_words(seen.shown.license.license_type));
    // The owner's people reach as far as their teams; the service said how far that is.
    let manages = whole.held.is_some();
    let edits = if own(person, &seen.shown.license) { manages } else { editable(person, seen) };
    let body = html! {
        (head(title, &lead, actions(whole, edits)))
        (wrongs(&forms.pressed))
        div.split {
            div {
                (card("Record", record(person, seen)))
                (gallery(id, &whole.pictures, manages, &forms.images))
            }
            div {
                (card("Status", states(person, seen, edits)))
                @if let Some(held) = &whole.held { (rights(person, id, held, &forms.grant)) }
                (card("Mentions", found(person, whole)))
                @if manages { (card("Delete", html! {
                    p.quiet { "Gone from every list and from the catalog, with its pictures." }
                    (confirm(&format!("/app/licenses/{id}/delete"), "Delete", "The license and its pictures are deleted for good.", &[]))
                })) }
            }
        }
    };
    let page = person.page(title, Place::Licenses, body);
    picture::showing(page, whole.pictures.iter().map(|it| &it.small))
}

fn actions(whole: &Whole, edits: bool) -> Markup {
    let id = whole.seen.shown.license.id;
    html! {
        @if edits { a.button.small href={ "/app/licenses/" (id) "/edit" } { "Edit" } }
        (keep(id, whole.kept.as_ref()))
        a.button.plain.small href={ "/app/licenses/" (id) "/preview" } { "Preview" }
        a.button.plain.small href={ "/app/licenses/" (id) "/history" } { "History" }
    }
}

/// Keeps it at hand, or lets go of it.
fn keep(id: LicenseId, kept: Option<&Bookmark>) -> Markup {
    let action =
        kept.map_or("/app/bookmarks".to_owned(), |it| format!("/app/bookmarks/{}/remove", it.id));
    html! {
        form.inline method="post" action=(action) {
            (hidden("target_type", "license")) (hidden("target_id", &id.to_string()))
            (hidden("back", &format!("/app/licenses/{id}")))
            button.plain.small { @if kept.is_some() { "Remove bookmark" } @else { "Bookmark" } }
        }
    }
}

fn record(person: &Person, seen: &Seen) -> Markup {
    let license = &seen.shown.license;
    let terms = serde_json::to_string_pretty(license.terms.as_map()).unwrap_or_default();
    let ours = own(person, license);
    facts(&[
        (
            "Talent",
            html! {
                @if ours { a href={ "/app/talents/" (license.talent) } { (seen.shown.talent_name) } }
                @else { (seen.shown.talent_name) }
                @if !seen.shown.talent_aliases.is_empty() { p.quiet { "also " (seen.shown.talent_aliases.join(", ")) } }
            },
        ),
        (
            "Owner",
            html! { (seen.shown.owner_name) " " span.quiet { (seen.shown.owner_type.name()) } },
        ),
        ("You are", html! { (seen.role.name()) }),
        (
            "Description",
            html! { @if license.description.as_str().is_empty() { span.quiet { "–" } } @else { span.lines { (license.description.as_str()) } } },
        ),
        ("Allows", html! { (uses(license)) }),
        ("Where", html! { (places(license)) }),
        ("When", html! { (times(license)) }),
        ("Fee", html! { (fee_words(license.fee)) }),
        (
            "Watched for",
            html! { @if license.can_crawl { "Yes: platforms are searched for uses" } @else { "No" } },
        ),
        (
            "External id",
            html! { @match &license.external_id { Some(it) => code { (it.as_str()) }, None => span.quiet { "–" } } },
        ),
        (
            "Terms",
            html! { @if license.terms.as_map().is_empty() { span.quiet { "–" } } @else { div.code { pre tabindex="0" role="region" aria-label="Terms" { code { (terms) } } } } },
        ),
        ("Id", html! { code { (license.id) } }),
        (
            "Changed",
            html! { (ago(person.now(), license.updated_at)) span.quiet { " · version " (license.version) } },
        ),
        ("Made", ago(person.now(), license.created_at)),
    ])
}

/// What it is, and what it may become.
fn states(person: &Person, seen: &Seen, edits: bool) -> Markup {
    let license = &seen.shown.license;
    let (id, version) = (license.id, version(seen));
    let next = |it: &LicenseStatus| {
        *it != seen.status
            && rules::change(seen.status, *it, license.expires_at, person.now()).is_ok()
    };
    let next: Vec<_> = LicenseStatus::ALL.into_iter().filter(next).collect();
    let action = format!("/app/licenses/{id}/status");
    html! {
        p { (badge(seen.status.name())) " " span.quiet { (meaning(seen.status)) } }
        @if edits {
            div.row {
                @for it in &next {
                    @let values = [("status", it.name()), ("version", version.as_str())];
                    @match it {
                        LicenseStatus::Public => (send(&action, "Publish", &values)),
                        LicenseStatus::Expired => (confirm(&action, "Expire", "The license is in force no longer, from now on.", &values)),
                        _ => (send(&action, "Make private", &values)),
                    }
                }
            }
            @if next.is_empty() {
                (notice("warn", html! { p { "Its time is over. " a href={ "/app/licenses/" (id) "/edit" } { "Give it another end" } " to bring it back." } }))
            }
        }
    }
}

const fn meaning(status: LicenseStatus) -> &'static str {
    match status {
        LicenseStatus::Draft => "Being written; only those it is shared with see it.",
        LicenseStatus::Private => "For those it is shared with.",
        LicenseStatus::Public => "In the catalog, for everybody.",
        LicenseStatus::Expired => "No longer in force.",
    }
}

fn found(person: &Person, whole: &Whole) -> Markup {
    let id = whole.seen.shown.license.id;
    html! {
        @if whole.mentions.items.is_empty() { p.quiet { "None seen yet." } }
        ul.rows {
            @for mention::Seen { shown, .. } in &whole.mentions.items {
                li { div {
                    a href={ "/app/mentions/" (shown.mention.id) } { (shown.mention.title) }
                    " " (badge(shown.mention.verdict.name()))
                    p.quiet { (shown.platform_name) " · " (ago(person.now(), shown.mention.first_seen_at)) }
                } }
            }
        }
        @if whole.mentions.total > 0 {
            p { a href={ "/app/mentions?license=" (id) } { (counted(whole.mentions.total, "mention")) " of this license" } }
        }
    }
}

/// What somebody saw of a license, for a form to send back.
pub(super) fn version(seen: &Seen) -> String {
    format!("{}-{}", seen.shown.license.version, seen.status)
}

/// The same, read. What does not read is no version that ever was.
pub(super) fn expected(entered: &Entered) -> Expected {
    let read = entered.get("version").split_once('-');
    let read = read.and_then(|(number, status)| Some((number.parse().ok()?, status.parse().ok()?)));
    Expected(Some(read.into_iter().collect()))
}

/// Publishes, withdraws or ends it.
pub(crate) async fn change_status(
    person: Person,
    Segment(id): Segment<LicenseId>,
    entered: Entered,
) -> Outcome {
    let seen = see(&person, id).await?;
    let changed = async {
        let members = json!({ "status": entered.get("status") });
        let members = members.as_object().cloned().unwrap_or_default();
        let asked = LicenseChange::parse(&members, Names::CONSOLE)?;
        apply(&person, &seen, expected(&entered), asked).await
    };
    match changed.await {
        Ok(seen) => Ok(person
            .went(format!("/app/licenses/{id}"), &format!("The license is {} now", seen.status))),
        Err(error) => {
            again(&person, id, error, entered, |entered| Forms {
                pressed: entered,
                ..Forms::default()
            })
            .await
        }
    }
}

/// Carries a change out: of one's own by the rules of the console, of others' as a licensor there.
pub(super) async fn apply(
    person: &Person,
    seen: &Seen,
    expected: Expected,
    asked: LicenseChange,
) -> Result<Seen> {
    let license = &seen.shown.license;
    let within = own(person, license).then_some(person.caller.tenant);
    let (app, reader, named) = (person.app(), person.caller.reader(), Named::Id(license.id));
    let changed =
        license::change(app, person.context(), reader, named, within, expected, asked).await?;
    Ok(changed.seen)
}

/// Deletes it.
pub(crate) async fn delete(person: Person, Segment(id): Segment<LicenseId>) -> Outcome {
    let (reader, tenant) = (person.caller.reader(), person.caller.tenant);
    license::delete(person.app(), person.context(), reader, tenant, id, Expected::default())
        .await?;
    Ok(person.went("/app/licenses", "The license was deleted"))
}
