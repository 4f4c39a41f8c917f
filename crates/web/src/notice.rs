//! `/app/notices`: what happened, for the user. The bell of every page leads here.

use axum::response::{IntoResponse as _, Redirect};
use grantor_domain::id::NoticeId;
use grantor_domain::notice::Notice;
use grantor_service::notices::{self, NoticeList};
use maud::{Markup, html};

use crate::frame::{Outcome, Params, Person, Segment};
use crate::view::{NavItem, Table, ago, badge, empty, head, pager, post_button};

const LIST: &str = "/app/notices";

/// Lists the user's notifications, newest first.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found = notices::list(person.app(), &person.caller, false, params.page()?).await?;
    let NoticeList { page, unread } = found;
    let page = params.in_range(page)?;
    let actions = html! {
        @if unread > 0 { (post_button("/app/notices/read", "Mark all as read", &[])) }
        a.button.small.plain href="/app/profile/notifications" { "Settings" }
    };
    let table = Table::new("Notifications", &["Notification", "About", "When"])
        .rows(&page.items, |it| row(&person, it));
    let body = html! {
        (head("Notifications", "What happened in this organization that concerns you.", actions))
        @if page.items.is_empty() {
            (empty("No notifications yet", "When somebody requests a license, makes an offer or a mention is found, you'll see it here.", html! {}))
        } @else { (table.show()) (pager(&page, &person.here)) }
    };
    Ok(person.page("Notifications", NavItem::Notices, body))
}

fn row(person: &Person, it: &Notice) -> Vec<Markup> {
    vec![
        html! {
            a href={ (LIST) "/" (it.id) } { (it.summary) }
            @if it.read_at.is_none() { " " (badge("new")) }
        },
        html! { span.quiet { (it.kind.label()) } },
        ago(person.now(), it.created_at),
    ]
}

/// Marks a notification as read and leads to what it is about.
pub(crate) async fn open(person: Person, Segment(id): Segment<NoticeId>) -> Outcome {
    let notice = notices::open(person.app(), &person.caller, id).await?;
    Ok(Redirect::to(&notice.link).into_response())
}

/// Marks all notifications as read.
pub(crate) async fn mark_all_read(person: Person) -> Outcome {
    notices::mark_all_read(person.app(), &person.caller).await?;
    Ok(person.redirect(LIST, "All notifications marked as read"))
}
