//! The routes of staff pages.

use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName;

use crate::admin;
use crate::frame::Access::{Open, RateLimited, Staff};
use crate::frame::{Route, get, post};

/// Returns all of them.
#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/app/admin/sign-in", Open, admin::sign_in::show_form, "View the staff sign-in form"),
        post("/app/admin/sign-in", RateLimited(LimitName::Open), admin::sign_in::submit, "Sign in as staff"),
        post("/app/admin/sign-out", RateLimited(LimitName::Open), admin::sign_in::sign_out, "Sign out as staff"),
        get("/app/admin/organizations", Staff(AdminRight::Read), admin::organization::list, "List all organizations"),
        get("/app/admin/organizations/{organization}", Staff(AdminRight::Read), admin::organization::show, "View an organization as staff"),
        post("/app/admin/organizations/{organization}/status", Staff(AdminRight::Suspend), admin::organization::set_status, "Suspend or reactivate an organization"),
        post("/app/admin/organizations/{organization}/plan", Staff(AdminRight::SetPlan), admin::organization::set_plan, "Set an organization's plan"),
        get("/app/admin/platforms", Staff(AdminRight::Read), admin::platform::list, "List all platforms"),
        get("/app/admin/licenses", Staff(AdminRight::Read), admin::license::list, "List all licenses"),
        get("/app/admin/logs", Staff(AdminRight::Read), admin::log::list, "List log entries of all organizations"),
        get("/app/admin/members", Staff(AdminRight::Read), admin::member::list, "List staff members"),
        get("/app/admin/members/new", Staff(AdminRight::ManageMembers), admin::member::new_form, "View the staff invitation form"),
        post("/app/admin/members/new", Staff(AdminRight::ManageMembers), admin::member::invite, "Invite a staff member"),
        post("/app/admin/members/{member}/role", Staff(AdminRight::ManageMembers), admin::member::set_role, "Update a staff member's role"),
        post("/app/admin/members/{member}/status", Staff(AdminRight::ManageMembers), admin::member::set_status, "Suspend or reactivate a staff member"),
        get("/app/admin/mail", Staff(AdminRight::Read), admin::template::list, "List email templates"),
        get("/app/admin/mail/{mail}", Staff(AdminRight::Read), admin::template::show, "View an email template"),
        post("/app/admin/mail/{mail}", Staff(AdminRight::ManageTemplates), admin::template::save, "Update an email template"),
        get("/app/admin/mail/{mail}/preview", Staff(AdminRight::Read), admin::template::preview, "Preview an email template"),
        post("/app/admin/mail/{mail}/preview", Staff(AdminRight::Read), admin::template::preview_unsaved, "Preview an unsaved email template"),
        post("/app/admin/mail/{mail}/revert", Staff(AdminRight::ManageTemplates), admin::template::revert_to_built_in, "Restore a built-in email template"),
    ]
}
