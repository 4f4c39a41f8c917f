//! Viewing an organization as one of its people sees it: the form that asks for the reason, and the
//! way back.

use std::time::Duration;

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::staff_view::LIFE;
use grantor_messages::text;
use grantor_service::operations::people::{self, StaffPerson};
use grantor_service::operations::staff::{self, ListedTenant};
use grantor_service::operations::staff_view;
use maud::html;

use super::people::page_of;
use crate::frame::{Cookie, CookieName, FormData, Outcome, Segments, Staff};
use crate::view::{NavItem, card, field, form, head, label};

/// How long the browser keeps the token. Longer than a view lasts, so that the next page says that
/// the view is over.
const COOKIE_LIFE: Duration = Duration::from_hours(12);

/// Shows the form.
pub(crate) async fn show_form(
    staff: Staff,
    Segments(tenant, user): Segments<TenantId, UserId>,
) -> Outcome {
    let (found, person) = load(&staff, tenant, user).await?;
    Ok(draw(&staff, &found, &person, &FormData::default()))
}

/// Starts to view.
pub(crate) async fn begin(
    staff: Staff,
    Segments(tenant, user): Segments<TenantId, UserId>,
    entered: FormData,
) -> Outcome {
    let begun = async {
        entered.check_text()?;
        let (app, context, reason) = (staff.app(), staff.context(), entered.get("reason"));
        staff_view::begin(app, context, staff.caller(), (tenant, user), reason).await
    };
    match begun.await {
        Ok(token) => {
            let cookie = Cookie::set(CookieName::View, token, COOKIE_LIFE);
            Ok(staff.with_cookie(Redirect::to("/app").into_response(), &cookie))
        }
        Err(error) => {
            let (found, person) = load(&staff, tenant, user).await?;
            Ok(staff.redisplay(error, entered, |it| draw(&staff, &found, &person, it)))
        }
    }
}

/// Stops viewing and leads back to the organization.
pub(crate) async fn stop(staff: Staff) -> Outcome {
    let viewed = staff_view::end(staff.app(), staff.context(), staff.caller()).await?;
    let to = viewed.map_or_else(|| "/app/admin".to_owned(), page_of);
    let response = staff.redirect(to, text!("admin-view-stopped"));
    Ok(staff.with_cookie(response, &Cookie::clear(CookieName::View)))
}

async fn load(
    staff: &Staff,
    tenant: TenantId,
    user: UserId,
) -> Result<(ListedTenant, StaffPerson), grantor_domain::Error> {
    let found = staff::tenant(staff.app(), tenant).await?;
    Ok((found, people::get(staff.app(), tenant, user).await?))
}

fn draw(staff: &Staff, found: &ListedTenant, person: &StaffPerson, entered: &FormData) -> Response {
    let title = text!("admin-view-title", name = &person.fullname);
    let action = format!("{}/people/{}/view", page_of(found.tenant.id), person.user);
    let (minutes, role) = (LIFE.as_secs() / 60, label::role(person.role.name()));
    let reason = field("reason", text!("admin-reason")).required().max_length(500).autofocus();
    let reason = reason.hint(text!("admin-view-reason-hint"));
    let body = html! {
        (head(&title, &found.tenant.name, html! {
            a.button.plain href=(page_of(found.tenant.id)) { (text!("action-back")) }
        }))
        (card(text!("admin-view-before"), html! {
            ul {
                li { (text!("admin-view-read-only", name = &person.fullname)) }
                li { (text!("admin-view-pages", name = &person.fullname, role = role)) }
                li { (text!("admin-view-ends", minutes = minutes)) }
                li { (text!("admin-view-told", name = &person.fullname)) }
            }
            (form(&action, entered, reason.of(entered), text!("admin-view-start")))
        }))
    };
    staff.page(&title, NavItem::AdminOrganizations, body)
}
