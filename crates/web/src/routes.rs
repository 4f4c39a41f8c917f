//! The table of pages.

use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;
use grantor_service::pod::{Pause, Start, Stop};

use crate::frame::Entry::{Counted, Open, Person, Staff};
use crate::frame::{Row, get, post};
use crate::{admin, mailbox, sign_in, talent};

/// The table.
pub(crate) fn routes() -> Vec<Row> {
    [ways_in(), talents(), staff(), pods(), mails()].into_iter().flatten().collect()
}

/// Ways in and out.
#[rustfmt::skip]
fn ways_in() -> Vec<Row> {
    vec![
        get("/app/sign-in", Open, sign_in::ask, "Asks for address and password"),
        post("/app/sign-in", Counted(LimitName::Login), sign_in::enter, "Signs a person in"),
        post("/app/sign-out", Open, sign_in::leave, "Signs a person out"),
        post("/app/theme", Open, sign_in::theme, "Chooses light or dark"),
    ]
}

/// Talents.
#[rustfmt::skip]
fn talents() -> Vec<Row> {
    vec![
        get("/app/talents", Person(Right::ReadTalents), talent::list, "Lists the roster"),
        get("/app/talents/new", Person(Right::ManageTalents), talent::blank, "Asks for a new talent"),
        post("/app/talents/new", Person(Right::ManageTalents), talent::create, "Adds a talent to the roster"),
        get("/app/talents/{talent}", Person(Right::Read), talent::show, "Shows a talent"),
        get("/app/talents/{talent}/edit", Person(Right::ManageTalents), talent::edit, "Asks for changes of a talent"),
        post("/app/talents/{talent}/edit", Person(Right::ManageTalents), talent::change, "Changes a talent"),
        get("/app/talents/invite", Person(Right::ManageTalents), talent::invitation, "Asks whom to invite"),
        post("/app/talents/invite", Person(Right::ManageTalents), talent::invite, "Invites a talent to take up their record"),
    ]
}

/// The operator's staff.
#[rustfmt::skip]
fn staff() -> Vec<Row> {
    vec![
        get("/app/admin/sign-in", Open, admin::sign_in::ask, "Asks staff for a one-time token"),
        post("/app/admin/sign-in", Counted(LimitName::Open), admin::sign_in::enter, "Signs a member of staff in"),
        post("/app/admin/sign-out", Open, admin::sign_in::leave, "Signs a member of staff out"),
        get("/app/admin", Staff(AdminRight::Read), admin::organization::list, "Lists all organizations"),
        get("/app/admin/organizations/{organization}", Staff(AdminRight::Read), admin::organization::show, "Shows an organization to staff"),
        post("/app/admin/organizations/{organization}/status", Staff(AdminRight::Suspend), admin::organization::set_status, "Suspends an organization or lets it act again"),
        post("/app/admin/organizations/{organization}/plan", Staff(AdminRight::SetPlan), admin::organization::set_plan, "Sets an organization's plan"),
        get("/app/admin/platforms", Staff(AdminRight::Read), admin::platform::list, "Lists all platforms"),
        get("/app/admin/licenses", Staff(AdminRight::Read), admin::license::list, "Lists all licenses"),
        get("/app/admin/logs", Staff(AdminRight::Read), admin::log::list, "Lists everybody's log of one surface"),
        get("/app/admin/members", Staff(AdminRight::Read), admin::member::list, "Lists the staff"),
        get("/app/admin/members/new", Staff(AdminRight::ManageMembers), admin::member::blank, "Asks whom to invite to the staff"),
        post("/app/admin/members/new", Staff(AdminRight::ManageMembers), admin::member::invite, "Invites a member of staff"),
        post("/app/admin/members/{member}/role", Staff(AdminRight::ManageMembers), admin::member::set_role, "Changes the role of a member of staff"),
        post("/app/admin/members/{member}/status", Staff(AdminRight::ManageMembers), admin::member::set_status, "Suspends a member of staff or lets them in again"),
        get("/app/admin/mail", Staff(AdminRight::Read), admin::template::list, "Lists the mails that are sent"),
        get("/app/admin/mail/{mail}", Staff(AdminRight::Read), admin::template::show, "Shows a mail's text"),
        post("/app/admin/mail/{mail}", Staff(AdminRight::ManageTemplates), admin::template::write, "Writes a mail's text"),
        get("/app/admin/mail/{mail}/preview", Staff(AdminRight::Read), admin::template::preview, "Shows what a mail looks like"),
        post("/app/admin/mail/{mail}/preview", Staff(AdminRight::Read), admin::template::try_out, "Shows what a mail would look like"),
        post("/app/admin/mail/{mail}/revert", Staff(AdminRight::ManageTemplates), admin::template::revert_to_built_in, "Goes back to the text that is built in"),
    ]
}

/// Pods.
#[rustfmt::skip]
fn pods() -> Vec<Row> {
    vec![
        get("/app/admin/pods", Staff(AdminRight::Read), admin::pod::list, "Lists all pods"),
        get("/app/admin/pods/new", Staff(AdminRight::ManagePods), admin::pod::blank, "Asks for a new pod"),
        post("/app/admin/pods/new", Staff(AdminRight::ManagePods), admin::pod::create, "Makes a pod, which is stopped"),
        post("/app/admin/pods/start", Staff(AdminRight::ManagePods), admin::pod::make_all::<Start>, "Starts all pods"),
        post("/app/admin/pods/pause", Staff(AdminRight::ManagePods), admin::pod::make_all::<Pause>, "Pauses all pods that run"),
        post("/app/admin/pods/stop", Staff(AdminRight::ManagePods), admin::pod::make_all::<Stop>, "Stops all pods"),
        get("/app/admin/pods/{pod}", Staff(AdminRight::Read), admin::pod::show, "Shows a pod and how it does"),
        post("/app/admin/pods/{pod}/start", Staff(AdminRight::ManagePods), admin::pod::make::<Start>, "Starts a pod"),
        post("/app/admin/pods/{pod}/pause", Staff(AdminRight::ManagePods), admin::pod::make::<Pause>, "Pauses a pod"),
        post("/app/admin/pods/{pod}/stop", Staff(AdminRight::ManagePods), admin::pod::make::<Stop>, "Stops a pod"),
    ]
}

/// The mailbox of a house without a mail server.
#[rustfmt::skip]
fn mails() -> Vec<Row> {
    vec![
        get("/app/dev/mail", Open, mailbox::list, "Lists the mails that were written to files"),
        get("/app/dev/mail/{mail}", Open, mailbox::show, "Shows a mail that was written to a file"),
        get("/app/dev/mail/{mail}/html", Open, mailbox::html, "Shows what such a mail looks like"),
    ]
}
