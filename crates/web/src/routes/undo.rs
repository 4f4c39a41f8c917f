//! The routes that take things back, and those of what happened: deliveries and histories.

use grantor_domain::admin::AdminRight;
use grantor_domain::role::Right;

use crate::frame::Access::{Person, Staff};
use crate::frame::{Route, get, post};
use crate::{log, undo, webhook};

/// Returns all of them.
#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    let hooks = Person(Right::ManageWebhooks);
    vec![
        post("/app/undo", Person(Right::Read), undo::submit, "Undo a change"),
        post("/app/admin/undo", Staff(AdminRight::Read), undo::submit_as_staff, "Undo a change as staff"),
        get("/app/webhooks/{webhook}/deliveries/{delivery}", hooks, webhook::show_delivery, "View a delivery"),
        get("/app/webhooks/{webhook}/deliveries/{delivery}/payload.json", hooks, webhook::download_payload, "Download the payload of a delivery"),
        get("/app/logs/records/{record}", Person(Right::ReadLogs), log::history, "View the history of a record"),
    ]
}
