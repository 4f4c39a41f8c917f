//! Routes of the front page, of first steps and help, and of what staff see first.

use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;

use crate::frame::Access::{Open, Person, RateLimited, Staff};
use crate::frame::{Route, get, post};
use crate::{admin, dashboard, help, landing};

/// Returns all of them.
pub(super) fn routes() -> Vec<Route> {
    [front(), overview(), people(), failures()].into_iter().flatten().collect()
}

/// The front page, first steps, and help for people.
#[rustfmt::skip]
fn front() -> Vec<Route> {
    let read = Person(Right::Read);
    vec![
        get("/", Open, landing::show, "View the front page"),
        post("/app/onboarding/hide", read, dashboard::hide_steps, "Hide the first steps"),
        get("/app/help", read, help::show, "View help and requests for help"),
        post("/app/help", read, help::create, "Ask for help"),
    ]
}

/// The overview of staff, and the requests for help.
#[rustfmt::skip]
fn overview() -> Vec<Route> {
    vec![
        get("/app/admin", Staff(AdminRight::Read), admin::overview::show, "View the overview of the server"),
        get("/app/admin/help", Staff(AdminRight::Read), admin::help::list, "List requests for help"),
        get("/app/admin/help/{help}", Staff(AdminRight::Read), admin::help::show, "View a request for help"),
        post("/app/admin/help/{help}", Staff(AdminRight::HelpPeople), admin::help::answer, "Answer a request for help"),
    ]
}

/// The people of an organization, and views as one of them.
#[rustfmt::skip]
fn people() -> Vec<Route> {
    let (help, view) = (Staff(AdminRight::HelpPeople), Staff(AdminRight::ViewAs));
    vec![
        post("/app/admin/organizations/{organization}/invitations/{invitation}/resend", help, admin::people::resend, "Send an invitation again"),
        post("/app/admin/organizations/{organization}/people/{user}/reset", help, admin::people::send_reset, "Send a person a password reset"),
        get("/app/admin/organizations/{organization}/people/{user}/view", view, admin::staff_view::show_form, "View the form to view as a person"),
        post("/app/admin/organizations/{organization}/people/{user}/view", view, admin::staff_view::begin, "View an organization as one of its people"),
        // Whoever lost the right meanwhile must still be able to stop.
        post("/app/admin/view/stop", Staff(AdminRight::Read), admin::staff_view::stop, "Stop viewing an organization"),
    ]
}

/// What fails on the whole server.
#[rustfmt::skip]
fn failures() -> Vec<Route> {
    let read = Staff(AdminRight::Read);
    vec![
        get("/app/admin/failures/emails", read, admin::failure::emails, "List emails that could not be sent"),
        get("/app/admin/failures/webhooks", read, admin::failure::webhooks, "List webhooks that fail"),
        get("/app/admin/failures/payments", read, admin::failure::payments, "List payments that were declined"),
    ]
}

/// The form that enters the sample data. Only a server with sample data has it.
#[rustfmt::skip]
pub(crate) fn sample() -> Vec<Route> {
    vec![
        post("/app/sample/{entrance}", RateLimited(LimitName::Open), landing::enter, "Enter the sample data"),
    ]
}
