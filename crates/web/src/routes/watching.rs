//! The routes of sources, social profiles, platforms, scanners and cases.

use std::time::Duration;

use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;
use grantor_service::watching::pod::{Pause, Start, Stop};

use super::PROOF;
use crate::frame::Access::{Person, RateLimited, Staff};
use crate::frame::{Route, get, post};
use crate::{admin, case, pax, platform, social_profile, source};

/// Extra time for a look at an address, which may make several requests to a slow site.
const LOOK: Duration = Duration::from_secs(30);

/// Returns all of them.
pub(super) fn routes() -> Vec<Route> {
    [sources(), profiles(), platforms(), pods(), staff_sources(), cases()]
        .into_iter()
        .flatten()
        .collect()
}

/// Sources.
#[rustfmt::skip]
fn sources() -> Vec<Route> {
    let (read, manage) = (Person(Right::ReadSources), Person(Right::ManageSources));
    vec![
        get("/app/sources", read, source::list, "List sources"),
        get("/app/sources/new", manage, source::new_form, "View the form to watch an address"),
        post("/app/sources/look", manage, source::look, "Look at an address").extra_time(LOOK),
        post("/app/sources/new", manage, source::create, "Watch an address").extra_time(LOOK),
        get("/app/sources/{source}", read, source::show, "View a source"),
        get("/app/sources/{source}/edit", manage, source::edit, "View the source edit form"),
        post("/app/sources/{source}/edit", manage, source::change, "Update a source"),
        post("/app/sources/{source}/status", manage, source::switch, "Pause or resume a source"),
        post("/app/sources/{source}/scan", manage, source::scan_now, "Scan a source now"),
        post("/app/sources/{source}/delete", manage, source::delete, "Delete a source"),
    ]
}

/// Profiles on hosted services.
#[rustfmt::skip]
fn profiles() -> Vec<Route> {
    let manage = Person(Right::ManageProfiles);
    vec![
        get("/app/profiles", Person(Right::Read), social_profile::list, "List social profiles"),
        post("/app/profiles", manage, social_profile::claim, "Add a social profile"),
        post("/app/profiles/{profile}/verify", manage, social_profile::verify, "Verify a social profile").extra_time(LOOK),
        post("/app/profiles/{profile}/delete", manage, social_profile::delete, "Remove a social profile"),
    ]
}

/// Platforms and ingest keys.
#[rustfmt::skip]
fn platforms() -> Vec<Route> {
    let (read, manage) = (Person(Right::ReadPlatforms), Person(Right::ManagePlatforms));
    vec![
        get("/app/platforms", read, platform::list, "List platforms"),
        get("/app/platforms/new", manage, platform::new_form, "View the new platform form"),
        post("/app/platforms/new", manage, platform::create, "Create a platform"),
        get("/app/platforms/{platform}", read, platform::show, "View a platform"),
        get("/app/platforms/{platform}/edit", manage, platform::edit, "View the platform edit form"),
        post("/app/platforms/{platform}/edit", manage, platform::change, "Update a platform"),
        post("/app/platforms/{platform}/verify", manage, platform::verify, "Verify a platform's domain").extra_time(PROOF),
        post("/app/platforms/{platform}/scanner", manage, platform::ask_scanner, "Ask for a scanner"),
        post("/app/platforms/{platform}/delete", manage, platform::delete, "Delete a platform"),
        get("/app/pax", read, pax::list, "List ingest keys"),
        get("/app/pax/new", manage, pax::new_form, "View the new ingest key form"),
        post("/app/pax/new", manage, pax::create, "Create an ingest key"),
        get("/app/pax/{pax}", read, pax::show, "View an ingest key"),
        post("/app/pax/{pax}/revoke", manage, pax::revoke, "Revoke an ingest key"),
    ]
}

/// Scanners.
#[rustfmt::skip]
fn pods() -> Vec<Route> {
    vec![
        get("/app/admin/pods", Staff(AdminRight::Read), admin::pod::list, "List all scanners"),
        get("/app/admin/pods/new", Staff(AdminRight::ManagePods), admin::pod::new_form, "View the new scanner form"),
        post("/app/admin/pods/new", Staff(AdminRight::ManagePods), admin::pod::create, "Create a scanner in the stopped state"),
        post("/app/admin/pods/start", Staff(AdminRight::ManagePods), admin::pod::change_all::<Start>, "Start all scanners"),
        post("/app/admin/pods/pause", Staff(AdminRight::ManagePods), admin::pod::change_all::<Pause>, "Pause all running scanners"),
        post("/app/admin/pods/stop", Staff(AdminRight::ManagePods), admin::pod::change_all::<Stop>, "Stop all scanners"),
        get("/app/admin/pods/{pod}", Staff(AdminRight::Read), admin::pod::show, "View a scanner"),
        post("/app/admin/pods/{pod}/scan", Staff(AdminRight::ManagePods), admin::pod::scan_now, "Make a scanner scan now"),
        post("/app/admin/pods/{pod}/start", Staff(AdminRight::ManagePods), admin::pod::change_state::<Start>, "Start a scanner"),
        post("/app/admin/pods/{pod}/pause", Staff(AdminRight::ManagePods), admin::pod::change_state::<Pause>, "Pause a scanner"),
        post("/app/admin/pods/{pod}/stop", Staff(AdminRight::ManagePods), admin::pod::change_state::<Stop>, "Stop a scanner"),
    ]
}

/// Sources of all organizations, for staff.
#[rustfmt::skip]
fn staff_sources() -> Vec<Route> {
    let manage = Staff(AdminRight::ManagePods);
    vec![
        get("/app/admin/sources", Staff(AdminRight::Read), admin::source::list, "List all sources"),
        post("/app/admin/sources/stop", manage, admin::source::stop_all, "Stop all sources"),
        post("/app/admin/sources/{source}/stop", manage, admin::source::stop, "Stop a source"),
        post("/app/admin/sources/{source}/resume", manage, admin::source::resume, "Resume a source"),
    ]
}

/// Cases, the templates of letters, and the evidence that letters link to.
#[rustfmt::skip]
fn cases() -> Vec<Route> {
    let (read, review) = (Person(Right::Read), Person(Right::ReviewMentions));
    let manage = Person(Right::ManageOrganization);
    vec![
        get("/app/cases", read, case::list, "List cases"),
        get("/app/mentions/{mention}/case", read, case::show, "View the case of a mention"),
        post("/app/mentions/{mention}/case", review, case::open, "Open the case of a mention"),
        post("/app/mentions/{mention}/case/status", review, case::change, "Update the status or the assignee of a case"),
        post("/app/mentions/{mention}/case/comments", review, case::comment, "Comment on a case"),
        get("/app/mentions/{mention}/case/letter", review, case::letter_form, "View the form for a letter about a mention"),
        post("/app/mentions/{mention}/case/letter", review, case::send_letter, "Send a letter about a mention").runs_once(),
        get("/app/organization/letters", manage, case::template::list, "List letter templates"),
        get("/app/organization/letters/{letter}", manage, case::template::edit, "View the letter template edit form"),
        post("/app/organization/letters/{letter}", manage, case::template::change, "Update a letter template"),
        post("/app/organization/letters/{letter}/restore", manage, case::template::restore, "Restore a built-in letter template"),
        get("/evidence/{code}", RateLimited(LimitName::Open), case::evidence::show, "View the evidence of a case"),
        get("/evidence/{code}/{picture}", RateLimited(LimitName::Open), case::evidence::picture, "View a picture of the evidence of a case"),
    ]
}
