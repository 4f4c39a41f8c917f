//! The route table.

use std::time::Duration;

use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;
use grantor_service::watching::pod::{Pause, Start, Stop};

use crate::frame::Access::{Open, Person, RateLimited, Staff};
use crate::frame::{Route, get, post};
use crate::{
    admin, billing, bookmark, catalog, client, dashboard, invitation, license, log, magic_link,
    mailbox, mention, organization, pax, platform, profile, reset, sign_in, sign_up, switch,
    talent, team, webhook,
};

/// Extra time for domain verification, which may try three methods in turn.
const PROOF: Duration = Duration::from_secs(15);

/// Returns all routes.
pub(crate) fn routes() -> Vec<Route> {
    [
        sign_in_routes(),
        overview(),
        talents(),
        licenses(),
        catalog(),
        bookmarks(),
        platforms(),
        webhooks(),
        clients(),
        organizations(),
        logs(),
        bills(),
        staff(),
        pods(),
        mails(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Signing in, signing up and signing out.
#[rustfmt::skip]
fn sign_in_routes() -> Vec<Route> {
    vec![
        get("/app/sign-in", Open, sign_in::show_form, "Shows the sign-in form"),
        post("/app/sign-in", RateLimited(LimitName::Login), sign_in::submit, "Signs in with a password"),
        get("/app/sign-in/link", Open, magic_link::show_form, "Shows the magic link form"),
        post("/app/sign-in/link", RateLimited(LimitName::MailRequest), magic_link::request, "Mails a magic link"),
        get("/app/sign-in/code", Open, magic_link::show_code_form, "Shows the magic link code form"),
        post("/app/sign-in/code", RateLimited(LimitName::Open), magic_link::submit_code, "Signs in with a magic link code"),
        get("/app/magic", Open, magic_link::open, "Opens a magic link"),
        post("/app/magic", RateLimited(LimitName::Open), magic_link::submit, "Signs in with a magic link"),
        get("/app/sign-up", Open, sign_up::show_form, "Shows the sign-up form"),
        post("/app/sign-up", RateLimited(LimitName::Register), sign_up::register, "Signs up and mails a code"),
        get("/app/sign-up/link", Open, sign_up::show_link_form, "Shows the passwordless sign-up form"),
        post("/app/sign-up/link", RateLimited(LimitName::Register), sign_up::register_link, "Signs up without a password"),
        get("/app/sign-up/code", Open, sign_up::show_code_form, "Shows the sign-up code form"),
        post("/app/sign-up/code", RateLimited(LimitName::Open), sign_up::validate, "Verifies the email address with a code"),
        post("/app/sign-up/again", RateLimited(LimitName::MailRequest), sign_up::resend, "Mails a new code"),
        get("/app/forgot", Open, reset::show_form, "Shows the forgotten password form"),
        post("/app/forgot", RateLimited(LimitName::MailRequest), reset::forgot, "Mails a password reset code"),
        get("/app/reset", Open, reset::show_code_form, "Shows the password reset form"),
        post("/app/reset", RateLimited(LimitName::Open), reset::reset, "Resets the password"),
        get("/app/invitation", Open, invitation::open, "Shows an invitation"),
        post("/app/invitation", RateLimited(LimitName::Open), invitation::accept, "Accepts an invitation"),
        post("/app/sign-out", RateLimited(LimitName::Open), sign_in::sign_out, "Signs out"),
        post("/app/theme", Open, sign_in::theme, "Changes the theme"),
    ]
}

/// The dashboard and mentions.
#[rustfmt::skip]
fn overview() -> Vec<Route> {
    vec![
        get("/app", Person(Right::Read), dashboard::show, "Shows the dashboard"),
        get("/app/mentions", Person(Right::Read), mention::list, "Lists mentions"),
        get("/app/mentions/{mention}", Person(Right::Read), mention::show, "Shows a mention"),
        post("/app/mentions/{mention}/decide", Person(Right::ReviewMentions), mention::decide, "Confirms or dismisses a mention"),
    ]
}

/// Talents.
#[rustfmt::skip]
fn talents() -> Vec<Route> {
    vec![
        get("/app/talents", Person(Right::ReadTalents), talent::list, "Lists talents"),
        get("/app/talents/new", Person(Right::ManageTalents), talent::new_form, "Shows the new talent form"),
        post("/app/talents/new", Person(Right::ManageTalents), talent::create, "Adds a talent"),
        get("/app/talents/{talent}", Person(Right::Read), talent::show, "Shows a talent"),
        get("/app/talents/{talent}/edit", Person(Right::ManageTalents), talent::edit, "Shows the talent form"),
        post("/app/talents/{talent}/edit", Person(Right::ManageTalents), talent::change, "Changes a talent"),
        get("/app/talents/invite", Person(Right::ManageTalents), talent::invitation, "Shows the talent invitation form"),
        post("/app/talents/invite", Person(Right::ManageTalents), talent::invite, "Invites a talent"),
    ]
}

/// Licenses. Every tenant can read licenses shared with it; managing its own takes more rights.
#[rustfmt::skip]
fn licenses() -> Vec<Route> {
    vec![
        get("/app/licenses", Person(Right::Read), license::list, "Lists licenses"),
        get("/app/licenses/new", Person(Right::ManageLicenses), license::new_form, "Shows the new license form"),
        post("/app/licenses/new", Person(Right::ManageLicenses), license::create, "Creates a license").with_images(),
        get("/app/licenses/{license}", Person(Right::Read), license::show, "Shows a license"),
        get("/app/licenses/{license}/edit", Person(Right::EditLicenses), license::edit, "Shows the license form"),
        post("/app/licenses/{license}/edit", Person(Right::EditLicenses), license::change, "Changes a license"),
        post("/app/licenses/{license}/status", Person(Right::EditLicenses), license::change_status, "Changes the status of a license"),
        post("/app/licenses/{license}/delete", Person(Right::ManageLicenses), license::delete, "Deletes a license"),
        post("/app/licenses/{license}/images", Person(Right::ManageLicenses), license::add_images, "Adds images to a license").with_images(),
        post("/app/licenses/{license}/images/{image}/remove", Person(Right::ManageLicenses), license::remove_image, "Removes an image from a license"),
        post("/app/licenses/{license}/permissions", Person(Right::ManageLicenses), license::share, "Shares a license"),
        post("/app/licenses/{license}/permissions/{permission}/revoke", Person(Right::ManageLicenses), license::revoke, "Revokes a permission on a license"),
        get("/app/licenses/{license}/history", Person(Right::Read), license::history, "Shows the history of a license"),
        get("/app/licenses/{license}/preview", Person(Right::Read), license::preview, "Previews a license"),
    ]
}

/// The public catalog.
#[rustfmt::skip]
fn catalog() -> Vec<Route> {
    vec![
        get("/app/catalog", RateLimited(LimitName::Metadata), catalog::list, "Lists public licenses"),
        get("/app/catalog/{license}", RateLimited(LimitName::Metadata), catalog::show, "Shows a public license"),
    ]
}

/// Bookmarks.
#[rustfmt::skip]
fn bookmarks() -> Vec<Route> {
    vec![
        get("/app/bookmarks", Person(Right::Read), bookmark::list, "Lists bookmarks"),
        post("/app/bookmarks", Person(Right::Read), bookmark::create, "Adds a bookmark"),
        get("/app/bookmarks/{bookmark}/edit", Person(Right::Read), bookmark::edit, "Shows the bookmark form"),
        post("/app/bookmarks/{bookmark}/edit", Person(Right::Read), bookmark::change, "Changes a bookmark"),
        post("/app/bookmarks/{bookmark}/remove", Person(Right::Read), bookmark::remove, "Removes a bookmark"),
    ]
}

/// API clients.
#[rustfmt::skip]
fn clients() -> Vec<Route> {
    let manage = Person(Right::ManageClients);
    vec![
        get("/app/clients", manage, client::list, "Lists API clients"),
        get("/app/clients/new", manage, client::new_form, "Shows the new API client form"),
        post("/app/clients/new", manage, client::create, "Creates an API client and shows its secret once").shows_secret_once(),
        get("/app/clients/{client}", manage, client::show, "Shows an API client"),
        post("/app/clients/{client}", manage, client::change, "Changes an API client"),
        post("/app/clients/{client}/secret", manage, client::rotate, "Rotates the secret of an API client").shows_secret_once(),
        post("/app/clients/{client}/delete", manage, client::delete, "Deletes an API client"),
    ]
}

/// Webhooks.
#[rustfmt::skip]
fn webhooks() -> Vec<Route> {
    let manage = Person(Right::ManageWebhooks);
    vec![
        get("/app/webhooks", manage, webhook::list, "Lists webhooks"),
        get("/app/webhooks/new", manage, webhook::new_form, "Shows the new webhook form"),
        post("/app/webhooks/new", manage, webhook::create, "Creates a webhook and shows its secret once").shows_secret_once(),
        get("/app/webhooks/{webhook}", manage, webhook::show, "Shows a webhook and its deliveries"),
        get("/app/webhooks/{webhook}/edit", manage, webhook::edit, "Shows the webhook form"),
        post("/app/webhooks/{webhook}/edit", manage, webhook::change, "Changes a webhook"),
        post("/app/webhooks/{webhook}/status", manage, webhook::switch, "Enables or disables a webhook"),
        post("/app/webhooks/{webhook}/secret", manage, webhook::rotate, "Rotates the secret of a webhook").shows_secret_once(),
        post("/app/webhooks/{webhook}/test", manage, webhook::test, "Sends a test event"),
        post("/app/webhooks/{webhook}/replay", manage, webhook::replay, "Replays events"),
        post("/app/webhooks/{webhook}/deliveries/{delivery}", manage, webhook::retry, "Retries a delivery"),
        post("/app/webhooks/{webhook}/delete", manage, webhook::delete, "Deletes a webhook"),
    ]
}

/// Platforms and ingest keys.
#[rustfmt::skip]
fn platforms() -> Vec<Route> {
    let (read, manage) = (Person(Right::ReadPlatforms), Person(Right::ManagePlatforms));
    vec![
        get("/app/platforms", read, platform::list, "Lists platforms"),
        get("/app/platforms/new", manage, platform::new_form, "Shows the new platform form"),
        post("/app/platforms/new", manage, platform::create, "Adds a platform"),
        get("/app/platforms/{platform}", read, platform::show, "Shows a platform"),
        get("/app/platforms/{platform}/edit", manage, platform::edit, "Shows the platform form"),
        post("/app/platforms/{platform}/edit", manage, platform::change, "Changes a platform"),
        post("/app/platforms/{platform}/verify", manage, platform::verify, "Verifies the domain of a platform").extra_time(PROOF),
        post("/app/platforms/{platform}/delete", manage, platform::delete, "Deletes a platform"),
        get("/app/pax", read, pax::list, "Lists ingest keys"),
        get("/app/pax/new", manage, pax::new_form, "Shows the new ingest key form"),
        post("/app/pax/new", manage, pax::create, "Creates an ingest key"),
        get("/app/pax/{pax}", read, pax::show, "Shows an ingest key"),
        post("/app/pax/{pax}/revoke", manage, pax::revoke, "Revokes an ingest key"),
    ]
}

/// The organization, profiles and teams.
#[rustfmt::skip]
fn organizations() -> Vec<Route> {
    let (read, manage) = (Person(Right::Read), Person(Right::ManageTeams));
    vec![
        get("/app/organization", read, organization::show, "Shows the organization"),
        get("/app/organization/edit", Person(Right::ManageOrganization), organization::edit, "Shows the organization form"),
        post("/app/organization/edit", Person(Right::ManageOrganization), organization::change, "Changes the organization"),
        get("/app/profile", read, profile::show, "Shows the profile and sessions"),
        post("/app/profile", read, profile::change, "Changes the profile"),
        post("/app/profile/password", read, profile::change_password, "Changes the password"),
        post("/app/profile/sessions/{session}/end", read, profile::end_session, "Ends a session"),
        post("/app/switch", read, switch::switch, "Switches to another organization"),
        get("/app/teams", manage, team::list, "Lists teams"),
        get("/app/teams/new", manage, team::new_form, "Shows the new team form"),
        post("/app/teams/new", manage, team::create, "Creates a team"),
        get("/app/teams/{team}", Person(Right::ReadTeams), team::show, "Shows a team"),
        get("/app/teams/{team}/invite", manage, team::invitation, "Shows the team invitation form"),
        post("/app/teams/{team}/invite", manage, team::invite, "Invites someone to a team"),
        get("/app/teams/{team}/members/{member}", manage, team::edit, "Shows the member form"),
        post("/app/teams/{team}/members/{member}", manage, team::change, "Changes a member's role or status"),
        post("/app/teams/{team}/members/{member}/remove", manage, team::remove, "Removes a member or withdraws an invitation"),
        post("/app/teams/{team}/delete", manage, team::delete, "Deletes a team"),
    ]
}

/// The log.
#[rustfmt::skip]
fn logs() -> Vec<Route> {
    let read = Person(Right::ReadLogs);
    vec![
        get("/app/logs", read, log::list, "Lists log entries"),
        get("/app/logs/{entry}", read, log::show, "Shows a log entry"),
        get("/app/logs/export", read, log::export_form, "Shows the log export form"),
        post("/app/logs/export", read, log::create_export, "Exports log entries"),
        get("/app/logs/export/{export}", read, log::download_export, "Downloads a log export"),
        get("/app/logs/export/{export}/ready", read, log::show_export, "Shows a log export"),
    ]
}

/// Billing.
#[rustfmt::skip]
fn bills() -> Vec<Route> {
    let manage = Person(Right::ManageBilling);
    vec![
        get("/app/billing", manage, billing::show, "Shows the plan, cards and invoices"),
        post("/app/billing/subscribe", manage, billing::subscribe, "Subscribes to a plan"),
        post("/app/billing/cancel", manage, billing::cancel, "Cancels the plan at the end of the paid period"),
        post("/app/billing/cards", manage, billing::add_card, "Adds a card"),
        post("/app/billing/cards/{card}/remove", manage, billing::remove_card, "Removes a card"),
    ]
}

/// Staff pages.
#[rustfmt::skip]
fn staff() -> Vec<Route> {
    vec![
        get("/app/admin/sign-in", Open, admin::sign_in::show_form, "Shows the staff sign-in form"),
        post("/app/admin/sign-in", RateLimited(LimitName::Open), admin::sign_in::submit, "Signs in a staff member"),
        post("/app/admin/sign-out", RateLimited(LimitName::Open), admin::sign_in::sign_out, "Signs out a staff member"),
        get("/app/admin", Staff(AdminRight::Read), admin::organization::list, "Lists all organizations"),
        get("/app/admin/organizations/{organization}", Staff(AdminRight::Read), admin::organization::show, "Shows an organization to staff"),
        post("/app/admin/organizations/{organization}/status", Staff(AdminRight::Suspend), admin::organization::set_status, "Suspends or reactivates an organization"),
        post("/app/admin/organizations/{organization}/plan", Staff(AdminRight::SetPlan), admin::organization::set_plan, "Sets an organization's plan"),
        get("/app/admin/platforms", Staff(AdminRight::Read), admin::platform::list, "Lists all platforms"),
        get("/app/admin/licenses", Staff(AdminRight::Read), admin::license::list, "Lists all licenses"),
        get("/app/admin/logs", Staff(AdminRight::Read), admin::log::list, "Lists all log entries of one area"),
        get("/app/admin/members", Staff(AdminRight::Read), admin::member::list, "Lists staff"),
        get("/app/admin/members/new", Staff(AdminRight::ManageMembers), admin::member::new_form, "Shows the staff invitation form"),
        post("/app/admin/members/new", Staff(AdminRight::ManageMembers), admin::member::invite, "Invites a staff member"),
        post("/app/admin/members/{member}/role", Staff(AdminRight::ManageMembers), admin::member::set_role, "Changes the role of a staff member"),
        post("/app/admin/members/{member}/status", Staff(AdminRight::ManageMembers), admin::member::set_status, "Suspends or reactivates a staff member"),
        get("/app/admin/mail", Staff(AdminRight::Read), admin::template::list, "Lists mail templates"),
        get("/app/admin/mail/{mail}", Staff(AdminRight::Read), admin::template::show, "Shows a mail template"),
        post("/app/admin/mail/{mail}", Staff(AdminRight::ManageTemplates), admin::template::save, "Changes a mail template"),
        get("/app/admin/mail/{mail}/preview", Staff(AdminRight::Read), admin::template::preview, "Previews a mail template"),
        post("/app/admin/mail/{mail}/preview", Staff(AdminRight::Read), admin::template::preview_unsaved, "Previews an unsaved mail template"),
        post("/app/admin/mail/{mail}/revert", Staff(AdminRight::ManageTemplates), admin::template::revert_to_built_in, "Restores a built-in mail template"),
    ]
}

/// Scanners.
#[rustfmt::skip]
fn pods() -> Vec<Route> {
    vec![
        get("/app/admin/pods", Staff(AdminRight::Read), admin::pod::list, "Lists all scanners"),
        get("/app/admin/pods/new", Staff(AdminRight::ManagePods), admin::pod::new_form, "Shows the new scanner form"),
        post("/app/admin/pods/new", Staff(AdminRight::ManagePods), admin::pod::create, "Creates a stopped scanner"),
        post("/app/admin/pods/start", Staff(AdminRight::ManagePods), admin::pod::change_all::<Start>, "Starts all scanners"),
        post("/app/admin/pods/pause", Staff(AdminRight::ManagePods), admin::pod::change_all::<Pause>, "Pauses all running scanners"),
        post("/app/admin/pods/stop", Staff(AdminRight::ManagePods), admin::pod::change_all::<Stop>, "Stops all scanners"),
        get("/app/admin/pods/{pod}", Staff(AdminRight::Read), admin::pod::show, "Shows a scanner"),
        post("/app/admin/pods/{pod}/start", Staff(AdminRight::ManagePods), admin::pod::change_state::<Start>, "Starts a scanner"),
        post("/app/admin/pods/{pod}/pause", Staff(AdminRight::ManagePods), admin::pod::change_state::<Pause>, "Pauses a scanner"),
        post("/app/admin/pods/{pod}/stop", Staff(AdminRight::ManagePods), admin::pod::change_state::<Stop>, "Stops a scanner"),
    ]
}

/// The local mailbox used without a mail server.
#[rustfmt::skip]
fn mails() -> Vec<Route> {
    vec![
        get("/app/dev/mail", Open, mailbox::list, "Lists the local mailbox"),
        get("/app/dev/mail/{mail}", Open, mailbox::show, "Shows a mail in the local mailbox"),
        get("/app/dev/mail/{mail}/html", Open, mailbox::html, "Shows the HTML of a mail in the local mailbox"),
    ]
}
