//! The route table.

mod begin;
mod bulk;
mod locale;
mod palette;
mod staff;
mod trust;
mod undo;
mod watching;

use std::time::Duration;

use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;

pub(crate) use self::begin::sample;
use crate::frame::Access::{Open, Person, RateLimited, Staff};
use crate::frame::{Route, get, post};
use crate::{
    billing, bookmark, catalog, chat_address, check, client, dashboard, grant, invitation, license,
    log, magic_link, mailbox, mention, name, notice, notification, organization, party, profile,
    request, reset, saved_view, sign_in, sign_up, switch, talent, team, unsubscribe, verify,
    webhook,
};

/// Extra time for forms that wait for requests to other servers, such as domain verification, which
/// may try three methods in turn.
const PROOF: Duration = Duration::from_secs(15);

/// Extra time for copying the images of a license.
const COPIES: Duration = Duration::from_mins(1);

/// Returns all routes.
pub(crate) fn routes() -> Vec<Route> {
    [
        begin::routes(),
        sign_in_routes(),
        trust::routes(),
        overview(),
        talents(),
        licenses(),
        catalog(),
        checks(),
        requests(),
        grants(),
        verification(),
        bookmarks(),
        saved_views(),
        bulk::routes(),
        palette::routes(),
        watching::routes(),
        webhooks(),
        undo::routes(),
        clients(),
        organizations(),
        notices(),
        locale::routes(),
        logs(),
        bills(),
        staff::routes(),
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
        get("/app/sign-in", Open, sign_in::show_form, "View the sign-in form"),
        post("/app/sign-in", RateLimited(LimitName::Login), sign_in::submit, "Sign in with a password"),
        get("/app/sign-in/link", Open, magic_link::show_form, "View the magic link form"),
        post("/app/sign-in/link", RateLimited(LimitName::MailRequest), magic_link::request, "Email a magic link"),
        get("/app/sign-in/code", Open, magic_link::show_code_form, "View the magic link code form"),
        post("/app/sign-in/code", RateLimited(LimitName::Open), magic_link::submit_code, "Sign in with a magic link code"),
        get("/app/magic", Open, magic_link::open, "Open a magic link"),
        post("/app/magic", RateLimited(LimitName::Open), magic_link::submit, "Sign in with a magic link"),
        get("/app/sign-up", Open, sign_up::show_form, "View the sign-up form"),
        post("/app/sign-up", RateLimited(LimitName::Register), sign_up::register, "Sign up"),
        get("/app/sign-up/link", Open, sign_up::show_link_form, "View the passwordless sign-up form"),
        post("/app/sign-up/link", RateLimited(LimitName::Register), sign_up::register_link, "Sign up without a password"),
        get("/app/sign-up/code", Open, sign_up::show_code_form, "View the sign-up code form"),
        post("/app/sign-up/code", RateLimited(LimitName::Open), sign_up::validate, "Verify an email address"),
        post("/app/sign-up/again", RateLimited(LimitName::MailRequest), sign_up::resend, "Resend a one-time code"),
        get("/app/forgot", Open, reset::show_form, "View the forgot password form"),
        post("/app/forgot", RateLimited(LimitName::MailRequest), reset::forgot, "Request a password reset"),
        get("/app/reset", Open, reset::show_code_form, "View the password reset form"),
        post("/app/reset", RateLimited(LimitName::Open), reset::reset, "Reset the password"),
        get("/app/invitation", Open, invitation::open, "View an invitation"),
        post("/app/invitation", RateLimited(LimitName::Open), invitation::accept, "Accept an invitation"),
        post("/app/sign-out", RateLimited(LimitName::Open), sign_in::sign_out, "Sign out"),
        post("/app/theme", Open, sign_in::theme, "Change the theme"),
    ]
}

/// The dashboard and mentions.
#[rustfmt::skip]
fn overview() -> Vec<Route> {
    vec![
        get("/app", Person(Right::Read), dashboard::show, "View the dashboard"),
        get("/app/mentions", Person(Right::Read), mention::list, "List mentions"),
        get("/app/mentions/{mention}", Person(Right::Read), mention::show, "View a mention"),
        get("/app/mentions/{mention}/evidence.zip", Person(Right::Read), mention::download_evidence, "Download the evidence of a mention"),
        post("/app/mentions/{mention}/decide", Person(Right::ReviewMentions), mention::decide, "Decide about a mention, or undo that"),
    ]
}

/// Talents.
#[rustfmt::skip]
fn talents() -> Vec<Route> {
    vec![
        get("/app/talents", Person(Right::ReadTalents), talent::list, "List talents"),
        get("/app/talents/new", Person(Right::ManageTalents), talent::new_form, "View the new talent form"),
        post("/app/talents/new", Person(Right::ManageTalents), talent::create, "Create a talent"),
        get("/app/talents/{talent}", Person(Right::Read), talent::show, "View a talent"),
        get("/app/talents/{talent}/edit", Person(Right::ManageTalents), talent::edit, "View the talent edit form"),
        post("/app/talents/{talent}/edit", Person(Right::ManageTalents), talent::change, "Update a talent"),
        get("/app/talents/invite", Person(Right::ManageTalents), talent::invitation, "View the talent invitation form"),
        post("/app/talents/invite", Person(Right::ManageTalents), talent::invite, "Invite a talent"),
    ]
}

/// Licenses. Every tenant can read licenses shared with it; managing its own takes more rights.
#[rustfmt::skip]
fn licenses() -> Vec<Route> {
    vec![
        get("/app/licenses", Person(Right::Read), license::list, "List licenses"),
        get("/app/licenses/new", Person(Right::ManageLicenses), license::new_form, "View the new license form"),
        post("/app/licenses/new", Person(Right::ManageLicenses), license::create, "Create a license").with_images(),
        get("/app/licenses/talents", Person(Right::ManageLicenses), license::suggest_talents, "Search talents to license"),
        get("/app/licenses/templates", Person(Right::ManageLicenses), license::templates, "List license templates"),
        post("/app/licenses/templates/{template}/rename", Person(Right::ManageLicenses), license::rename_template, "Rename a license template"),
        post("/app/licenses/templates/{template}/delete", Person(Right::ManageLicenses), license::delete_template, "Delete a license template"),
        get("/app/licenses/{license}", Person(Right::Read), license::show, "View a license"),
        get("/app/licenses/{license}/edit", Person(Right::EditLicenses), license::edit, "View the license edit form"),
        post("/app/licenses/{license}/edit", Person(Right::EditLicenses), license::change, "Update a license"),
        post("/app/licenses/{license}/status", Person(Right::EditLicenses), license::change_status, "Update a license's status"),
        post("/app/licenses/{license}/delete", Person(Right::ManageLicenses), license::delete, "Delete a license"),
        post("/app/licenses/{license}/duplicate", Person(Right::ManageLicenses), license::duplicate, "Duplicate a license").extra_time(COPIES),
        post("/app/licenses/{license}/template", Person(Right::ManageLicenses), license::save_template, "Save a license as a template"),
        post("/app/licenses/{license}/images", Person(Right::ManageLicenses), license::add_images, "Add reference images to a license").with_images(),
        post("/app/licenses/{license}/images/{image}/remove", Person(Right::ManageLicenses), license::remove_image, "Remove a reference image from a license"),
        post("/app/licenses/{license}/catalog-picture", Person(Right::ManageLicenses), license::set_catalog_picture, "Set the catalog picture of a license").with_image(),
        post("/app/licenses/{license}/catalog-picture/remove", Person(Right::ManageLicenses), license::remove_catalog_picture, "Remove the catalog picture of a license"),
        post("/app/licenses/{license}/permissions", Person(Right::ManageLicenses), license::share, "Share a license"),
        post("/app/licenses/{license}/permissions/{permission}/revoke", Person(Right::ManageLicenses), license::revoke, "Revoke a permission on a license"),
        get("/app/licenses/{license}/offer", Person(Right::ManageLicenses), request::license_offer_form, "View the form for an offer on a license"),
        post("/app/licenses/{license}/offer", Person(Right::ManageLicenses), request::offer_on_license, "Make an offer on a license"),
        get("/app/parties", Person(Right::Read), party::suggest, "Search parties by name"),
        get("/app/licenses/{license}/history", Person(Right::Read), license::history, "View a license's history"),
        get("/app/licenses/{license}/preview", Person(Right::Read), license::preview, "Preview a license"),
    ]
}

/// The public catalog.
#[rustfmt::skip]
fn catalog() -> Vec<Route> {
    vec![
        get("/app/catalog", RateLimited(LimitName::Metadata), catalog::list, "List public licenses"),
        get("/app/catalog/{license}", RateLimited(LimitName::Metadata), catalog::show, "View a public license"),
        get("/app/catalog/talents/{talent}", RateLimited(LimitName::Metadata), catalog::show_talent, "View a talent's public licenses"),
        get("/app/catalog/owners/{owner}", RateLimited(LimitName::Metadata), catalog::show_owner, "View an organization's public licenses"),
    ]
}

/// Checks, for users and for everybody.
#[rustfmt::skip]
fn checks() -> Vec<Route> {
    vec![
        get("/app/check", Person(Right::Read), check::show_form, "View the check form"),
        post("/app/check", Person(Right::Read), check::submit, "Check a picture, an address or a text").with_image(),
        get("/app/catalog/check", Open, check::show_public_form, "View the public check form"),
        post("/app/catalog/check", RateLimited(LimitName::PublicCheck), check::submit_public, "Check a picture, an address or a text against public licenses").with_image().keeps_form_when_limited(),
    ]
}

/// Requests for licenses. The service checks what each party may do.
#[rustfmt::skip]
fn requests() -> Vec<Route> {
    let (ask, read) = (Person(Right::RequestLicenses), Person(Right::Read));
    let manage = Person(Right::ManageLicenses);
    vec![
        get("/app/requests", read, request::list, "List requests"),
        get("/app/requests/new", ask, request::new_form, "View the new request form"),
        post("/app/requests/new", ask, request::create, "Request a license"),
        get("/app/requests/{request}", read, request::show, "View a request"),
        post("/app/requests/{request}/messages", read, request::send, "Send a message about a request"),
        post("/app/requests/{request}/decline", read, request::decline, "Decline a request or an offer"),
        post("/app/requests/{request}/withdraw", read, request::withdraw, "Withdraw a request or an offer"),
        get("/app/requests/{request}/offer", manage, request::offer_form, "View the offer form"),
        post("/app/requests/{request}/offer", manage, request::make_offer, "Make an offer"),
        get("/app/requests/{request}/accept", ask, request::accept_form, "View the terms of an offer"),
        post("/app/requests/{request}/accept", ask, request::accept, "Accept an offer"),
    ]
}

/// Grants. The service checks who may revoke one: others must not learn that it exists.
#[rustfmt::skip]
fn grants() -> Vec<Route> {
    vec![
        get("/app/grants", Person(Right::Read), grant::list, "List grants"),
        get("/app/grants/calendar", Person(Right::Read), grant::calendar, "View the calendar of grants"),
        get("/app/grants/map", Person(Right::Read), grant::map, "View the map of grants"),
        get("/app/grants/{grant}", Person(Right::Read), grant::show, "View a grant"),
        get("/app/grants/{grant}/receipt", Person(Right::Read), grant::download_receipt, "Download the receipt of a grant"),
        get("/app/grants/{grant}/certificate.pdf", Person(Right::Read), grant::download_certificate, "Download the certificate of a grant"),
        post("/app/grants/{grant}/revoke", Person(Right::Read), grant::revoke, "Revoke a grant"),
        post("/app/grants/{grant}/links", Person(Right::RequestLicenses), grant::share, "Share a link to the receipt of a grant"),
        post("/app/grants/{grant}/links/{link}/withdraw", Person(Right::RequestLicenses), grant::withdraw_link, "Withdraw a shared link"),
    ]
}

/// Public pages that verify receipts, with the same limit as the API.
#[rustfmt::skip]
fn verification() -> Vec<Route> {
    let limited = RateLimited(LimitName::ReceiptVerify);
    vec![
        get("/verify", Open, verify::show_form, "View the form that verifies a receipt"),
        post("/verify", limited, verify::submit, "Verify a receipt").keeps_form_when_limited(),
        get("/verify/{code}", limited, verify::open_link, "Open a shared link"),
        get("/verify/{code}/receipt", limited, verify::download, "Download the receipt of a shared link"),
    ]
}

/// Bookmarks.
#[rustfmt::skip]
fn bookmarks() -> Vec<Route> {
    vec![
        get("/app/bookmarks", Person(Right::Read), bookmark::list, "List bookmarks"),
        post("/app/bookmarks", Person(Right::Read), bookmark::create, "Create a bookmark"),
        get("/app/bookmarks/{bookmark}/edit", Person(Right::Read), bookmark::edit, "View the bookmark edit form"),
        post("/app/bookmarks/{bookmark}/edit", Person(Right::Read), bookmark::change, "Update a bookmark"),
        post("/app/bookmarks/{bookmark}/remove", Person(Right::Read), bookmark::remove, "Delete a bookmark"),
    ]
}

/// Saved views of lists, and suggestions for their filters.
#[rustfmt::skip]
fn saved_views() -> Vec<Route> {
    let read = Person(Right::Read);
    vec![
        get("/app/views", read, saved_view::list, "List saved views"),
        post("/app/views", read, saved_view::create, "Save a view of a list"),
        get("/app/views/{view}/edit", read, saved_view::edit, "View the saved view edit form"),
        post("/app/views/{view}/edit", read, saved_view::change, "Update a saved view"),
        post("/app/views/{view}/delete", read, saved_view::delete, "Delete a saved view"),
        get("/app/names", read, name::suggest, "Search names in a list"),
        get("/app/catalog/names", RateLimited(LimitName::Metadata), name::suggest_public, "Search names in the catalog"),
    ]
}

/// API clients.
#[rustfmt::skip]
fn clients() -> Vec<Route> {
    let manage = Person(Right::ManageClients);
    vec![
        get("/app/clients", manage, client::list, "List API clients"),
        get("/app/clients/new", manage, client::new_form, "View the new API client form"),
        post("/app/clients/new", manage, client::create, "Create an API client").runs_once(),
        get("/app/clients/{client}", manage, client::show, "View an API client"),
        post("/app/clients/{client}", manage, client::change, "Update an API client"),
        post("/app/clients/{client}/secret", manage, client::rotate, "Rotate an API client's secret").runs_once(),
        post("/app/clients/{client}/revoke", manage, client::revoke, "Revoke an API client"),
        post("/app/clients/{client}/delete", manage, client::delete, "Delete an API client"),
    ]
}

/// Webhooks.
#[rustfmt::skip]
fn webhooks() -> Vec<Route> {
    let manage = Person(Right::ManageWebhooks);
    vec![
        get("/app/webhooks", manage, webhook::list, "List webhooks"),
        get("/app/webhooks/new", manage, webhook::new_form, "View the new webhook form"),
        post("/app/webhooks/new", manage, webhook::create, "Create a webhook").runs_once(),
        get("/app/webhooks/{webhook}", manage, webhook::show, "View a webhook and its deliveries"),
        get("/app/webhooks/{webhook}/edit", manage, webhook::edit, "View the webhook edit form").hidden_in_views(),
        post("/app/webhooks/{webhook}/edit", manage, webhook::change, "Update a webhook"),
        post("/app/webhooks/{webhook}/status", manage, webhook::switch, "Enable or disable a webhook"),
        post("/app/webhooks/{webhook}/secret", manage, webhook::rotate, "Rotate a webhook's secret").runs_once(),
        post("/app/webhooks/{webhook}/test", manage, webhook::test, "Send a test event"),
        post("/app/webhooks/{webhook}/replay", manage, webhook::replay, "Replay events"),
        post("/app/webhooks/{webhook}/deliveries/{delivery}", manage, webhook::retry, "Retry a delivery"),
        post("/app/webhooks/{webhook}/delete", manage, webhook::delete, "Delete a webhook"),
    ]
}

/// The organization, profiles and teams.
#[rustfmt::skip]
fn organizations() -> Vec<Route> {
    let (read, manage) = (Person(Right::Read), Person(Right::ManageTeams));
    vec![
        get("/app/organization", read, organization::show, "View the organization"),
        get("/app/organization/edit", Person(Right::ManageOrganization), organization::edit, "View the organization edit form"),
        post("/app/organization/edit", Person(Right::ManageOrganization), organization::change, "Update the organization"),
        post("/app/organization/findable", Person(Right::ManageOrganization), organization::set_findable, "Let the organization be found by name, or not"),
        get("/app/profile", read, profile::show, "View the profile and sessions").hidden_in_views(),
        post("/app/profile", read, profile::change, "Update the profile"),
        post("/app/profile/password", read, profile::change_password, "Change the password"),
        post("/app/profile/sessions/{session}/end", read, profile::end_session, "End a session"),
        get("/app/profile/notifications", read, notification::show, "View the notification settings").hidden_in_views(),
        post("/app/profile/notifications", read, notification::change, "Update the notification settings"),
        post("/app/profile/notifications/resume", read, notification::resume, "Email a refused address again"),
        post("/app/switch", read, switch::switch, "Switch to another organization"),
        get("/app/teams", manage, team::list, "List teams"),
        get("/app/teams/new", manage, team::new_form, "View the new team form"),
        post("/app/teams/new", manage, team::create, "Create a team"),
        get("/app/teams/{team}", Person(Right::ReadTeams), team::show, "View a team"),
        get("/app/teams/{team}/invite", manage, team::invitation, "View the team member invitation form"),
        post("/app/teams/{team}/invite", manage, team::invite, "Invite a team member"),
        get("/app/teams/{team}/members/{member}", manage, team::edit, "View the team member edit form"),
        post("/app/teams/{team}/members/{member}", manage, team::change, "Update a team member's role or status"),
        post("/app/teams/{team}/members/{member}/remove", manage, team::remove, "Remove a team member or revoke an invitation"),
        post("/app/teams/{team}/delete", manage, team::delete, "Delete a team"),
    ]
}

/// Notifications, the chats that get them, and links that unsubscribe from emails.
#[rustfmt::skip]
fn notices() -> Vec<Route> {
    let (read, manage) = (Person(Right::Read), Person(Right::ManageOrganization));
    let (limited, staff) = (RateLimited(LimitName::Open), Staff(AdminRight::ManagePods));
    vec![
        get("/app/notices", read, notice::list, "List notifications"),
        post("/app/notices/read", read, notice::mark_all_read, "Mark all notifications as read"),
        get("/app/notices/{notice}", read, notice::open, "Open a notification"),
        get("/app/organization/chat", manage, chat_address::list, "List chat addresses"),
        get("/app/organization/chat/new", manage, chat_address::new_form, "View the new chat address form"),
        post("/app/organization/chat/new", manage, chat_address::create, "Add a chat address"),
        get("/app/organization/chat/{chat}", manage, chat_address::edit, "View the chat address edit form"),
        post("/app/organization/chat/{chat}", manage, chat_address::change, "Update a chat address"),
        post("/app/organization/chat/{chat}/status", manage, chat_address::switch, "Enable or disable a chat address"),
        post("/app/organization/chat/{chat}/test", manage, chat_address::test, "Send a test message to a chat").extra_time(PROOF),
        post("/app/organization/chat/{chat}/delete", manage, chat_address::delete, "Delete a chat address"),
        get("/app/admin/notices", staff, notice::list_for_staff, "List notifications of staff"),
        post("/app/admin/notices/read", staff, notice::mark_all_read_for_staff, "Mark all notifications of staff as read"),
        get("/app/admin/notices/{notice}", staff, notice::open_for_staff, "Open a notification of staff"),
        get("/app/admin/notifications", staff, notification::show_for_staff, "View the notification settings of staff"),
        post("/app/admin/notifications", staff, notification::change_for_staff, "Update the notification settings of staff"),
        post("/app/admin/notifications/resume", staff, notification::resume_for_staff, "Email a refused address of staff again"),
        get("/unsubscribe/{token}", limited, unsubscribe::show, "View what an unsubscribe link stops"),
        post("/unsubscribe/{token}", limited, unsubscribe::submit, "Unsubscribe from emails").accepts_foreign_forms(),
    ]
}

/// The log.
#[rustfmt::skip]
fn logs() -> Vec<Route> {
    let read = Person(Right::ReadLogs);
    vec![
        get("/app/logs", read, log::list, "List log entries"),
        get("/app/logs/{entry}", read, log::show, "View a log entry"),
        get("/app/logs/export", read, log::export_form, "View the log export form"),
        post("/app/logs/export", read, log::create_export, "Export log entries"),
        get("/app/logs/export/{export}", read, log::download_export, "Download a log export"),
        get("/app/logs/export/{export}/ready", read, log::show_export, "View a log export"),
    ]
}

/// Billing.
#[rustfmt::skip]
fn bills() -> Vec<Route> {
    let manage = Person(Right::ManageBilling);
    vec![
        get("/app/billing", manage, billing::show, "View the plan, cards and invoices"),
        post("/app/billing/subscribe", manage, billing::subscribe, "Subscribe to a plan"),
        post("/app/billing/cancel", manage, billing::cancel, "Cancel the plan at the end of the billing period"),
        post("/app/billing/cards", manage, billing::add_card, "Add a payment card"),
        post("/app/billing/cards/{card}/remove", manage, billing::remove_card, "Remove a payment card"),
    ]
}

/// The local mailbox used without a mail server.
#[rustfmt::skip]
fn mails() -> Vec<Route> {
    vec![
        get("/app/dev/mail", Open, mailbox::list, "List emails in the local mailbox").hidden_in_views(),
        get("/app/dev/mail/{mail}", Open, mailbox::show, "View an email in the local mailbox").hidden_in_views(),
        get("/app/dev/mail/{mail}/html", Open, mailbox::html, "View the HTML of an email in the local mailbox").hidden_in_views(),
    ]
}
