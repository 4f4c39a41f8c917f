//! `/app/notices`: what happened, for the user, and `/app/admin/notices`: the same for staff. The
//! bell of every page leads here.

use axum::response::{IntoResponse as _, Redirect};
use grantor_domain::id::NoticeId;
use grantor_domain::notice::Notice;
use grantor_messages::{Language, text};
use grantor_service::notices::{self, Inbox, NoticeList};
use maud::{Markup, html};

use crate::export;
use crate::frame::{Outcome, PageContext, Params, Person, Segment, Staff};
use crate::view::live::live_list;
use crate::view::{NavItem, Table, ago, badge, head, label, lesson, notice, pager, post_button};

/// Whose notifications a page lists.
#[derive(Clone, Copy)]
struct Place {
    list: &'static str,
    settings: &'static str,
    /// The key of the text that says what will be listed.
    nothing_yet: &'static str,
}

const CONSOLE: Place = Place {
    list: "/app/notices",
    settings: "/app/profile/notifications",
    nothing_yet: "notice-none-why",
};

const STAFF: Place = Place {
    list: "/app/admin/notices",
    settings: "/app/admin/notifications",
    nothing_yet: "notice-none-why-staff",
};

/// Lists the user's notifications, newest first.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let others = elsewhere(&person).await?;
    let here = person.memberships.iter().find(|it| it.tenant == person.caller.tenant);
    let lead = match here {
        Some(here) => text!("notice-lead", organization = &here.name),
        None => text!("notice-lead-here").to_owned(),
    };
    let inbox = Inbox::from(&*person.caller);
    let export = export::links(&person, "notices");
    draw_list(&person, CONSOLE, inbox, &params, &lead, export, others).await
}

/// Lists the notifications of a member of staff, newest first.
pub(crate) async fn list_for_staff(staff: Staff, params: Params) -> Outcome {
    let (inbox, lead) = (Inbox::from(&*staff.caller), text!("notice-lead-staff"));
    draw_list(&staff, STAFF, inbox, &params, lead, html! {}, html! {}).await
}

async fn draw_list(
    ctx: &PageContext,
    place: Place,
    inbox: Inbox,
    params: &Params,
    lead: &str,
    export: Markup,
    others: Markup,
) -> Outcome {
    let found = notices::list(ctx.app(), inbox, false, params.page()?).await?;
    let NoticeList { page, unread } = found;
    let page = params.in_range(page)?;
    let read = format!("{}/read", place.list);
    let actions = html! {
        @if unread > 0 && !ctx.is_viewed() { (post_button(&read, text!("notice-mark-all"), &[])) }
        a.button.small.plain href=(place.settings) { (text!("notice-settings-link")) }
        (export)
    };
    let heads = [text!("notice-notification"), text!("notice-about"), text!("notice-when")];
    let table = Table::new(text!("notice-title"), &heads).class("unlabeled").keyed_rows(
        &page.items,
        |it| it.id,
        |it| row(ctx, place, it),
    );
    let list = html! {
        @if page.items.is_empty() {
            (lesson(text!("notice-none"), text(place.nothing_yet), &[
                text!("notice-step-bell"),
                text!("notice-step-email"),
            ], html! { a.button.plain href=(place.settings) { (text!("notice-choose-emails")) } }))
        } @else { (table.show()) (pager(&page, &ctx.here)) }
    };
    let words = (text!("notice-new-one"), text!("notice-new-many"));
    let body = html! {
        (head(text!("notice-title"), lead, actions))
        (others)
        (live_list(ctx, "notices", words, &page, list))
    };
    Ok(ctx.page(text!("notice-title"), NavItem::Notices, body))
}

fn row(ctx: &PageContext, place: Place, it: &Notice) -> Vec<Markup> {
    vec![
        html! {
            a href={ (place.list) "/" (it.id) } { (notices::in_language(it, Language::current())) }
            @if it.read_at.is_none() { " " (badge("new")) }
        },
        html! { span.quiet { (label::notice_kind(it.kind)) } },
        ago(ctx.now(), it.created_at),
    ]
}

/// What is new in the user's other organizations, with a button that switches there.
async fn elsewhere(person: &Person) -> Result<Markup, grantor_domain::Error> {
    let others: Vec<_> =
        person.memberships.iter().filter(|it| it.tenant != person.caller.tenant).collect();
    if others.is_empty() {
        return Ok(html! {});
    }
    let tenants = others.iter().map(|it| it.tenant).collect();
    let inbox = Inbox::from(&*person.caller);
    let counts = notices::unread_elsewhere(person.app(), inbox, tenants).await?;
    let new: Vec<_> = others.into_iter().zip(counts).filter(|(_, count)| *count > 0).collect();
    Ok(html! {
        @for (other, count) in new {
            (notice("", html! {
                div.row.apart {
                    p { (text!("notice-elsewhere", count = count, organization = &other.name)) }
                    (post_button("/app/switch", &text!("notice-switch", organization = &other.name), &[
                        ("organization", &*other.tenant.to_string()), ("next", CONSOLE.list),
                    ]))
                }
            }))
        }
    })
}

/// Marks a notification as read and leads to what it is about.
pub(crate) async fn open(person: Person, Segment(id): Segment<NoticeId>) -> Outcome {
    let inbox = Inbox::from(&*person.caller);
    let found = if person.is_viewed() {
        notices::get(person.app(), inbox, id).await?
    } else {
        notices::open(person.app(), inbox, id).await?
    };
    Ok(Redirect::to(&found.link).into_response())
}

/// Marks a notification of a member of staff as read and leads to what it is about.
pub(crate) async fn open_for_staff(staff: Staff, Segment(id): Segment<NoticeId>) -> Outcome {
    let found = notices::open(staff.app(), Inbox::from(&*staff.caller), id).await?;
    Ok(Redirect::to(&found.link).into_response())
}

/// Marks all of the user's notifications as read.
pub(crate) async fn mark_all_read(person: Person) -> Outcome {
    mark_all(&person, CONSOLE, Inbox::from(&*person.caller)).await
}

/// Marks all notifications of a member of staff as read.
pub(crate) async fn mark_all_read_for_staff(staff: Staff) -> Outcome {
    mark_all(&staff, STAFF, Inbox::from(&*staff.caller)).await
}

async fn mark_all(ctx: &PageContext, place: Place, inbox: Inbox) -> Outcome {
    notices::mark_all_read(ctx.app(), inbox).await?;
    Ok(ctx.redirect(place.list, text!("notice-all-read")))
}
