//! What happens before a page is shown that somebody opened by a link: links of notifications name
//! their organization, and opening a page marks the notifications about it as read.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::Error;
use grantor_domain::notice::take_organization;
use grantor_messages::text;
use grantor_service::App;
use grantor_service::identity::access::Caller;
use grantor_service::notices::{self, Inbox};

use super::context::{Identity, PageContext};
use crate::view::{self, SwitchOffer};

/// The organization that a link names, if it is another one of the user.
pub(super) fn elsewhere(ctx: &PageContext, caller: &Caller) -> Option<SwitchOffer> {
    let (page, tenant) = take_organization(&ctx.here);
    let tenant = tenant.filter(|it| *it != caller.tenant)?;
    let other = ctx.memberships.iter().find(|it| it.tenant == tenant)?;
    Some(SwitchOffer { tenant, name: other.name.clone(), page })
}

/// Shows the offer to switch to another organization.
pub(super) fn offer_switch(ctx: &PageContext, offer: &SwitchOffer) -> Response {
    let current = match &ctx.identity {
        Identity::Person(caller) => Some(caller.tenant),
        Identity::Anonymous | Identity::Staff(_) => None,
    };
    let here = ctx.memberships.iter().find(|it| Some(it.tenant) == current);
    let here = here.map_or(text!("locale-another-organization"), |it| it.name.as_str());
    view::switch_offer(ctx, here, offer).into_response()
}

/// Marks the caller's notifications about this page as read, before the page shows how many are
/// unread.
pub(super) async fn mark_read(app: &App, ctx: &mut PageContext) -> Result<(), Error> {
    let inbox = match &ctx.identity {
        Identity::Person(caller) => Inbox::from(&**caller),
        Identity::Staff(caller) => Inbox::from(&**caller),
        Identity::Anonymous => return Ok(()),
    };
    if ctx.unread_notices == 0 {
        return Ok(());
    }
    let (page, _) = take_organization(&ctx.here);
    if notices::mark_page_read(app, inbox, &page).await? {
        ctx.unread_notices = notices::unread(app, inbox).await?;
    }
    Ok(())
}
