//! `/app/licenses/{id}`: one license, and the actions of its page.

use axum::response::Response;
use grantor_domain::bookmark::{Bookmark, Target};
use grantor_domain::id::LicenseId;
use grantor_domain::license::{self as rules, FieldNames, LicenseChange, LicenseStatus};
use grantor_domain::mention::MentionQuery;
use grantor_domain::page::{Listing, Order, Page};
use grantor_domain::permission::PermissionRole;
use grantor_domain::tag::TaggedKind;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::identity::access::TenantCaller;
use grantor_service::licensing::bookmark;
use grantor_service::licensing::license::{self, Expected, LicenseRef, LicenseView};
use grantor_service::licensing::permission::{self, HeldPermission};
use grantor_service::licensing::request::LiveRequest;
use grantor_service::organizations::party::FoundParty;
use grantor_service::watching::mention;
use maud::{Markup, html};
use serde_json::json;

use super::catalog_picture::{self, PictureView, picture_card};
use super::image::{ImageView, gallery, image_views};
use super::permission::permissions;
use super::record::record;
use super::reuse::reuse;
use super::{denied_as_not_found, editable, get_visible, own, type_label};
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::request::{find_open, may_request, request_button};
use crate::view::field::error_summary;
use crate::view::rich::rich;
use crate::view::tag::tags_card;
use crate::view::{
    NavItem, ago, badge, card, for_developers, head, hidden, notice, post_button, undoable,
};
use crate::{image_url, tag};

/// How many recent mentions the page shows.
const RECENT_MENTIONS: &str = "5";

/// Everything the page shows.
struct LicensePage {
    seen: LicenseView,
    images: Vec<ImageView>,
    /// The catalog picture, if the user may manage it.
    picture: Option<PictureView>,
    /// Permissions, if the user may manage them.
    shared: Option<Listing<HeldPermission>>,
    mentions: Listing<mention::MentionView>,
    bookmark: Option<Bookmark>,
    /// The user's open request for the license, or the offer for it to the user's address.
    request: Option<LiveRequest>,
    /// The tags of the user's organization, if it owns the license.
    tags: Option<Vec<String>>,
}

/// The data of each form on the page.
#[derive(Default)]
pub(super) struct Forms {
    pub(super) images: FormData,
    pub(super) picture: FormData,
    pub(super) share: FormData,
    /// The parties that the name in the sharing form may stand for.
    pub(super) choices: Vec<FoundParty>,
    /// The status buttons.
    pub(super) status: FormData,
    /// The form that saves a template.
    pub(super) template: FormData,
}

/// Shows a license.
pub(crate) async fn show(
    person: Person,
    Segment(id): Segment<LicenseId>,
    params: Params,
) -> Outcome {
    let page = load(&person, id, params.page()?).await?;
    Ok(draw(&person, &page, &Forms::default()))
}

/// Shows the page again with the error of one of its forms.
pub(super) async fn redisplay(
    person: &Person,
    id: LicenseId,
    error: Error,
    entered: FormData,
    forms: impl Fn(FormData) -> Forms,
) -> Outcome {
    let page = load(person, id, Params::default().page()?).await?;
    Ok(person.redisplay(error, entered, |entered| draw(person, &page, &forms(entered.clone()))))
}

async fn load(person: &Person, id: LicenseId, page: Page) -> Result<LicensePage> {
    let (app, reader) = (person.app(), person.caller.reader());
    let (seen, images) = license::get_with_images(app, reader, LicenseRef::Id(id))
        .await
        .map_err(denied_as_not_found)?;
    let shared =
        if own(person, &seen.shown.license) { shared(person, id, page).await? } else { None };
    let recent = Page::parse(None, Some(RECENT_MENTIONS), Params::rules())?;
    let (status, verdict, platform, from, to) = (None, None, None, None, None);
    let query =
        MentionQuery { page: recent, status, verdict, platform, from, to, order: Order::Desc };
    let mentions = mention::list(app, reader, id, query).await.map_err(denied_as_not_found)?;
    let caller = TenantCaller::from(&*person.caller);
    let bookmark = bookmark::find(app, caller, Target::License(id)).await?;
    let images = image_views(app, images).await?;
    let picture = match &shared {
        Some(_) => catalog_picture::load(app, id).await?,
        None => None,
    };
    let request = if may_request(person, &seen.shown.license) {
        find_open(app, &person.caller, id).await?
    } else {
        None
    };
    let tags = if own(person, &seen.shown.license) {
        Some(tag::tags_of(person, TaggedKind::License, id.as_uuid()).await?)
    } else {
        None
    };
    Ok(LicensePage { seen, images, picture, shared, mentions, bookmark, request, tags })
}

/// Returns the permissions, or `None` if the user may not manage them.
async fn shared(
    person: &Person,
    id: LicenseId,
    page: Page,
) -> Result<Option<Listing<HeldPermission>>> {
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

fn draw(person: &Person, page: &LicensePage, forms: &Forms) -> Response {
    let (seen, id) = (&page.seen, page.seen.shown.license.id);
    let title = seen.shown.license.title.as_str();
    let lead =
        format!("{} · {}", seen.shown.talent_name, type_label(seen.shown.license.license_type));
    // Team members may manage only licenses of their own teams, which the service has checked.
    let manages = page.shared.is_some() && !person.is_viewed();
    let is_own = own(person, &seen.shown.license);
    let edits = if is_own { manages } else { editable(person, seen) && !person.is_viewed() };
    let body = html! {
        (head(title, &lead, actions(person, page, edits)))
        (error_summary(&forms.status))
        div.split {
            div {
                (card(text!("license-details"), html! {
                    (record(person, seen))
                    (for_developers(text!("license-id"), &id.to_string()))
                }))
                (gallery(id, &page.images, manages, &forms.images))
                @if manages { (picture_card(seen, page.picture.as_ref(), &page.images, &forms.picture)) }
            }
            div {
                (card(text!("word-status"), states(person, seen, edits)))
                @if let Some(shared) = &page.shared { (permissions(person, id, shared, forms)) }
                @if let Some(tags) = &page.tags {
                    (tags_card(&format!("/app/licenses/{id}/tags"), "/app/licenses", tags, manages, &FormData::default()))
                }
                (card(text!("license-mentions"), recent_mentions(person, page)))
                @if manages { (reuse(&seen.shown.license, &forms.template)) }
                @if manages { (card(text!("license-delete"), html! {
                    p.quiet { (text!("license-delete-hint")) }
                    (undoable(&format!("/app/licenses/{id}/delete"), text!("action-delete"), &[]))
                })) }
            }
        }
    };
    let response = person.page(title, NavItem::Licenses, body);
    let urls = page.images.iter().map(|it| &it.thumbnail);
    image_url::allow(response, urls.chain(page.picture.iter().map(|it| &it.url)))
}

fn actions(person: &Person, page: &LicensePage, edits: bool) -> Markup {
    let license = &page.seen.shown.license;
    let id = license.id;
    html! {
        @if may_request(person, license) { (request_button(person, id, page.request)) }
        @if page.shared.is_some() && !person.is_viewed() && license.effective_status(person.now()).is_live() {
            a.button.small href={ "/app/licenses/" (id) "/offer" } { (text!("license-make-offer")) }
        }
        @if page.shared.is_some() {
            a.button.plain.small href={ "/app/grants?role=owner&license=" (id) } { (text!("license-grants")) }
        }
        @if edits { a.button.small href={ "/app/licenses/" (id) "/edit" } { (text!("action-edit")) } }
        @if !person.is_viewed() { (bookmark_button(id, page.bookmark.as_ref())) }
        a.button.plain.small href={ "/app/licenses/" (id) "/preview" } { (text!("license-preview")) }
        @if page.seen.role != PermissionRole::Viewer {
            a.button.plain.small href={ "/app/licenses/" (id) "/history" } { (text!("license-history")) }
        }
    }
}

/// Adds or removes the bookmark.
fn bookmark_button(id: LicenseId, bookmark: Option<&Bookmark>) -> Markup {
    let action = bookmark
        .map_or("/app/bookmarks".to_owned(), |it| format!("/app/bookmarks/{}/remove", it.id));
    html! {
        form.inline method="post" action=(action) {
            (hidden("target_type", "license")) (hidden("target_id", &id.to_string()))
            (hidden("back", &format!("/app/licenses/{id}")))
            button.plain.small {
                @if bookmark.is_some() { (text!("license-bookmark-remove")) }
                @else { (text!("license-bookmark")) }
            }
        }
    }
}

/// The current status and the buttons to change it.
fn states(person: &Person, seen: &LicenseView, edits: bool) -> Markup {
    let license = &seen.shown.license;
    let (id, version) = (license.id, version(seen));
    let next = |it: &LicenseStatus| {
        *it != seen.status
            && rules::change(seen.status, *it, license.expires_at, person.now()).is_ok()
    };
    let next: Vec<_> = LicenseStatus::ALL.into_iter().filter(next).collect();
    let action = format!("/app/licenses/{id}/status");
    html! {
        p { (badge(seen.status.name())) " " span.quiet { (status_hint(seen.status)) } }
        @if edits {
            div.row {
                @for it in &next {
                    @let values = [("status", it.name()), ("version", version.as_str())];
                    @match it {
                        LicenseStatus::Public => (post_button(&action, text!("license-publish"), &values)),
                        LicenseStatus::Expired => (undoable(&action, text!("license-expire"), &values)),
                        _ => (post_button(&action, text!("license-make-private"), &values)),
                    }
                }
            }
            @if next.is_empty() {
                (notice("warn", html! {
                    p {
                        (rich!("license-ended", change = html! {
                            a href={ "/app/licenses/" (id) "/edit" } { (text!("license-ended-link")) }
                        }))
                    }
                }))
            }
        }
    }
}

fn status_hint(status: LicenseStatus) -> &'static str {
    match status {
        LicenseStatus::Draft | LicenseStatus::Private => text!("license-private-hint"),
        LicenseStatus::Public => text!("license-public-hint"),
        LicenseStatus::Expired => text!("license-expired-hint"),
    }
}

fn recent_mentions(person: &Person, page: &LicensePage) -> Markup {
    let id = page.seen.shown.license.id;
    html! {
        @if page.mentions.items.is_empty() { p.quiet { (text!("license-mentions-none")) } }
        ul.rows {
            @for mention::MentionView { shown, place, .. } in &page.mentions.items {
                li { div {
                    a href={ "/app/mentions/" (shown.mention.id) } { (shown.mention.title) }
                    " " (badge(shown.mention.verdict.name()))
                    p.quiet { (place) " · " (ago(person.now(), shown.mention.first_seen_at)) }
                } }
            }
        }
        @if page.mentions.total > 0 {
            p {
                a href={ "/app/mentions?license=" (id) } {
                    (text!("license-mentions-view", count = page.mentions.total))
                }
            }
        }
    }
}

/// Returns the version a form was rendered from, for the form to send back.
pub(super) fn version(seen: &LicenseView) -> String {
    format!("{}-{}", seen.shown.license.version, seen.status)
}

/// Parses the version from a form. An invalid one matches no version.
pub(super) fn expected(entered: &FormData) -> Expected {
    let read = entered.get("version").split_once('-');
    let read = read.and_then(|(number, status)| Some((number.parse().ok()?, status.parse().ok()?)));
    Expected(Some(read.into_iter().collect()))
}

/// Changes the status.
pub(crate) async fn change_status(
    person: Person,
    Segment(id): Segment<LicenseId>,
    entered: FormData,
) -> Outcome {
    let seen = get_visible(&person, id).await?;
    let changed = async {
        let members = json!({ "status": entered.get("status") });
        let members = members.as_object().cloned().unwrap_or_default();
        let change = LicenseChange::parse(&members, FieldNames::CONSOLE)?;
        apply(&person, &seen, expected(&entered), change).await
    };
    match changed.await {
        Ok(seen) => {
            let message = text!("license-status-changed", status = seen.status.name());
            Ok(person.redirect(format!("/app/licenses/{id}"), &message))
        }
        Err(error) => {
            redisplay(&person, id, error, entered, |entered| Forms {
                status: entered,
                ..Forms::default()
            })
            .await
        }
    }
}

/// Applies a change, as the owner or as a licensor by permission.
pub(super) async fn apply(
    person: &Person,
    seen: &LicenseView,
    expected: Expected,
    change: LicenseChange,
) -> Result<LicenseView> {
    let license = &seen.shown.license;
    let within = own(person, license).then_some(person.caller.tenant);
    let (app, reader, named) = (person.app(), person.caller.reader(), LicenseRef::Id(license.id));
    let changed =
        license::change(app, person.context(), reader, named, within, expected, change).await?;
    Ok(changed.view)
}

/// Deletes the license.
pub(crate) async fn delete(person: Person, Segment(id): Segment<LicenseId>) -> Outcome {
    let (reader, tenant) = (person.caller.reader(), person.caller.tenant);
    license::delete(person.app(), person.context(), reader, tenant, id, Expected::default())
        .await?;
    Ok(person.redirect("/app/licenses", text!("license-deleted")))
}
