//! The table of pages.

use std::time::Duration;

use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;
use grantor_service::pod::{Pause, Start, Stop};

use crate::frame::Entry::{Counted, Open, Person, Staff};
use crate::frame::{Row, get, post};
use crate::{
    admin, billing, bookmark, catalog, client, dashboard, invitation, license, log, magic_link,
    mailbox, mention, organization, pax, platform, profile, reset, sign_in, sign_up, switch,
    talent, team, webhook,
};

/// How much longer the look for a proof may take: three ways, one after another.
const PROOF: Duration = Duration::from_secs(15);

/// The table.
pub(crate) fn routes() -> Vec<Row> {
    [
        ways_in(),
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

/// Ways in and out.
#[rustfmt::skip]
fn ways_in() -> Vec<Row> {
    vec![
        get("/app/sign-in", Open, sign_in::ask, "Asks for address and password"),
        post("/app/sign-in", Counted(LimitName::Login), sign_in::enter, "Signs a person in"),
        get("/app/sign-in/link", Open, magic_link::ask, "Asks where to mail a link to"),
        post("/app/sign-in/link", Counted(LimitName::MailRequest), magic_link::request, "Mails a link"),
        get("/app/sign-in/code", Open, magic_link::ask_code, "Asks for the code beside the link"),
        post("/app/sign-in/code", Counted(LimitName::Open), magic_link::enter_code, "Signs in with the code beside the link"),
        get("/app/magic", Open, magic_link::open, "Shows the button behind a mailed link"),
        post("/app/magic", Counted(LimitName::Open), magic_link::enter, "Signs in with a mailed link"),
        get("/app/sign-up", Open, sign_up::ask, "Asks who signs up"),
        post("/app/sign-up", Counted(LimitName::Register), sign_up::register, "Registers an account and mails a code"),
        get("/app/sign-up/link", Open, sign_up::ask_link, "Asks who signs up without a password"),
        post("/app/sign-up/link", Counted(LimitName::Register), sign_up::register_link, "Mails a link that signs up without a password"),
        get("/app/sign-up/code", Open, sign_up::ask_code, "Asks for the mailed code"),
        post("/app/sign-up/code", Counted(LimitName::Open), sign_up::validate, "Proves the address with the mailed code"),
        post("/app/sign-up/again", Counted(LimitName::MailRequest), sign_up::resend, "Mails another code"),
        get("/app/forgot", Open, reset::ask, "Asks who forgot the password"),
        post("/app/forgot", Counted(LimitName::MailRequest), reset::forgot, "Mails a code to who forgot the password"),
        get("/app/reset", Open, reset::ask_code, "Asks for the mailed code and another password"),
        post("/app/reset", Counted(LimitName::Open), reset::reset, "Sets another password"),
        get("/app/invitation", Open, invitation::open, "Shows an invitation"),
        post("/app/invitation", Counted(LimitName::Open), invitation::accept, "Accepts an invitation"),
        post("/app/sign-out", Counted(LimitName::Open), sign_in::leave, "Signs a person out"),
        post("/app/theme", Open, sign_in::theme, "Chooses light or dark"),
    ]
}

/// The dashboard, and what was seen.
#[rustfmt::skip]
fn overview() -> Vec<Row> {
    vec![
        get("/app", Person(Right::Read), dashboard::show, "Shows how the organization stands"),
        get("/app/mentions", Person(Right::Read), mention::list, "Lists what was seen"),
        get("/app/mentions/{mention}", Person(Right::Read), mention::show, "Shows a mention"),
        post("/app/mentions/{mention}/decide", Person(Right::DecideMentions), mention::decide, "Confirms or dismisses a mention"),
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

/// Licenses. What others granted is there for every tenant; what is one's own takes more.
#[rustfmt::skip]
fn licenses() -> Vec<Row> {
    vec![
        get("/app/licenses", Person(Right::Read), license::list, "Lists licenses"),
        get("/app/licenses/new", Person(Right::ManageLicenses), license::blank, "Asks for a new license"),
        post("/app/licenses/new", Person(Right::ManageLicenses), license::create, "Makes a license").with_pictures(),
        get("/app/licenses/{license}", Person(Right::Read), license::show, "Shows a license"),
        get("/app/licenses/{license}/edit", Person(Right::EditLicenses), license::edit, "Asks for changes of a license"),
        post("/app/licenses/{license}/edit", Person(Right::EditLicenses), license::change, "Changes a license"),
        post("/app/licenses/{license}/status", Person(Right::EditLicenses), license::change_status, "Publishes, withdraws or ends a license"),
        post("/app/licenses/{license}/delete", Person(Right::ManageLicenses), license::delete, "Deletes a license"),
        post("/app/licenses/{license}/images", Person(Right::ManageLicenses), license::add_images, "Adds pictures to a license").with_pictures(),
        post("/app/licenses/{license}/images/{image}/remove", Person(Right::ManageLicenses), license::remove_image, "Takes a picture from a license"),
        post("/app/licenses/{license}/permissions", Person(Right::ManageLicenses), license::grant, "Gives somebody a right on a license"),
        post("/app/licenses/{license}/permissions/{permission}/revoke", Person(Right::ManageLicenses), license::revoke, "Takes a right on a license away"),
        get("/app/licenses/{license}/history", Person(Right::Read), license::history, "Shows what became of a license"),
        get("/app/licenses/{license}/preview", Person(Right::Read), license::preview, "Shows a license as the catalog would"),
    ]
}

/// What everybody may see.
#[rustfmt::skip]
fn catalog() -> Vec<Row> {
    vec![
        get("/app/catalog", Counted(LimitName::Metadata), catalog::list, "Lists public licenses"),
        get("/app/catalog/{license}", Counted(LimitName::Metadata), catalog::show, "Shows a public license"),
    ]
}

/// What somebody keeps at hand.
#[rustfmt::skip]
fn bookmarks() -> Vec<Row> {
    vec![
        get("/app/bookmarks", Person(Right::Read), bookmark::list, "Lists bookmarks"),
        post("/app/bookmarks", Person(Right::Read), bookmark::create, "Keeps a license or a mention at hand"),
        get("/app/bookmarks/{bookmark}/edit", Person(Right::Read), bookmark::edit, "Asks for note and tags of a bookmark"),
        post("/app/bookmarks/{bookmark}/edit", Person(Right::Read), bookmark::change, "Changes note and tags of a bookmark"),
        post("/app/bookmarks/{bookmark}/remove", Person(Right::Read), bookmark::remove, "Lets go of a bookmark"),
    ]
}

/// Key pairs for programs.
#[rustfmt::skip]
fn clients() -> Vec<Row> {
    let manage = Person(Right::ManageClients);
    vec![
        get("/app/clients", manage, client::list, "Lists the API clients"),
        get("/app/clients/new", manage, client::blank, "Asks for a new API client"),
        post("/app/clients/new", manage, client::create, "Makes an API client and shows its secret once").once(),
        get("/app/clients/{client}", manage, client::show, "Shows an API client"),
        post("/app/clients/{client}", manage, client::change, "Changes an API client"),
        post("/app/clients/{client}/secret", manage, client::rotate, "Gives an API client another secret").once(),
        post("/app/clients/{client}/delete", manage, client::delete, "Deletes an API client"),
    ]
}

/// Receivers of events.
#[rustfmt::skip]
fn webhooks() -> Vec<Row> {
    let manage = Person(Right::ManageWebhooks);
    vec![
        get("/app/webhooks", manage, webhook::list, "Lists the webhooks"),
        get("/app/webhooks/new", manage, webhook::blank, "Asks for a new webhook"),
        post("/app/webhooks/new", manage, webhook::create, "Makes a webhook and shows its secret once").once(),
        get("/app/webhooks/{webhook}", manage, webhook::show, "Shows a webhook and its deliveries"),
        get("/app/webhooks/{webhook}/edit", manage, webhook::edit, "Asks for changes of a webhook"),
        post("/app/webhooks/{webhook}/edit", manage, webhook::change, "Changes a webhook"),
        post("/app/webhooks/{webhook}/status", manage, webhook::switch, "Switches a webhook on or off"),
        post("/app/webhooks/{webhook}/secret", manage, webhook::rotate, "Gives a webhook another secret").once(),
        post("/app/webhooks/{webhook}/test", manage, webhook::test, "Sends a test and shows the answer"),
        post("/app/webhooks/{webhook}/replay", manage, webhook::replay, "Sends events once more"),
        post("/app/webhooks/{webhook}/deliveries/{delivery}", manage, webhook::retry, "Tries a delivery once more"),
        post("/app/webhooks/{webhook}/delete", manage, webhook::delete, "Deletes a webhook"),
    ]
}

/// Platforms, and access to them.
#[rustfmt::skip]
fn platforms() -> Vec<Row> {
    let (read, manage) = (Person(Right::ReadPlatforms), Person(Right::ManagePlatforms));
    vec![
        get("/app/platforms", read, platform::list, "Lists the platforms"),
        get("/app/platforms/new", manage, platform::blank, "Asks for a new platform"),
        post("/app/platforms/new", manage, platform::create, "Adds a platform, whose domain is to be proved"),
        get("/app/platforms/{platform}", read, platform::show, "Shows a platform and how to prove its domain"),
        get("/app/platforms/{platform}/edit", manage, platform::edit, "Asks for changes of a platform"),
        post("/app/platforms/{platform}/edit", manage, platform::change, "Changes a platform"),
        post("/app/platforms/{platform}/verify", manage, platform::verify, "Looks for the proof of a domain").patience(PROOF),
        post("/app/platforms/{platform}/delete", manage, platform::delete, "Deletes a platform"),
        get("/app/pax", read, pax::list, "Lists the access extensions"),
        get("/app/pax/new", manage, pax::blank, "Asks for a new access extension"),
        post("/app/pax/new", manage, pax::create, "Grants access to a platform"),
        get("/app/pax/{pax}", read, pax::show, "Shows an access extension"),
        post("/app/pax/{pax}/revoke", manage, pax::revoke, "Revokes an access extension for good"),
    ]
}

/// The organization, its teams and people.
#[rustfmt::skip]
fn organizations() -> Vec<Row> {
    let (read, manage) = (Person(Right::Read), Person(Right::ManageTeams));
    vec![
        get("/app/organization", read, organization::show, "Shows the organization"),
        get("/app/organization/edit", Person(Right::ManageOrganization), organization::edit, "Asks for changes of the organization"),
        post("/app/organization/edit", Person(Right::ManageOrganization), organization::change, "Changes the organization"),
        get("/app/profile", read, profile::show, "Shows who one is, and where one is signed in"),
        post("/app/profile", read, profile::change, "Changes who one is"),
        post("/app/profile/password", read, profile::change_password, "Changes the password"),
        post("/app/profile/sessions/{session}/end", read, profile::end_session, "Ends a sign-in"),
        post("/app/switch", read, switch::switch, "Goes on in another organization"),
        get("/app/teams", manage, team::list, "Lists the teams"),
        get("/app/teams/new", manage, team::blank, "Asks for a new team"),
        post("/app/teams/new", manage, team::create, "Makes a team"),
        get("/app/teams/{team}", Person(Right::ReadTeams), team::show, "Shows who is in a team"),
        get("/app/teams/{team}/invite", manage, team::invitation, "Asks whom to invite into a team"),
        post("/app/teams/{team}/invite", manage, team::invite, "Invites somebody into a team"),
        get("/app/teams/{team}/members/{member}", manage, team::edit, "Asks for changes of a member"),
        post("/app/teams/{team}/members/{member}", manage, team::change, "Changes a member's role or status"),
        post("/app/teams/{team}/members/{member}/remove", manage, team::remove, "Removes a member, or withdraws an invitation"),
        post("/app/teams/{team}/delete", manage, team::delete, "Deletes a team"),
    ]
}

/// What happened.
#[rustfmt::skip]
fn logs() -> Vec<Row> {
    let read = Person(Right::ReadLogs);
    vec![
        get("/app/logs", read, log::list, "Lists the log, newest first"),
        get("/app/logs/{entry}", read, log::show, "Shows a log entry"),
        get("/app/logs/export", read, log::ask, "Asks what to export"),
        post("/app/logs/export", read, log::make, "Exports log entries"),
        get("/app/logs/export/{export}", read, log::fetch, "Gives the file of an export"),
        get("/app/logs/export/{export}/ready", read, log::ready, "Shows where an export can be fetched"),
    ]
}

/// The plan, and what it costs.
#[rustfmt::skip]
fn bills() -> Vec<Row> {
    let manage = Person(Right::ManageBilling);
    vec![
        get("/app/billing", manage, billing::show, "Shows plan, cards and bills"),
        post("/app/billing/subscribe", manage, billing::subscribe, "Subscribes to a plan"),
        post("/app/billing/cancel", manage, billing::cancel, "Ends the plan with the time that is paid"),
        post("/app/billing/cards", manage, billing::add_card, "Adds a card by a token of the payment processor"),
        post("/app/billing/cards/{card}/remove", manage, billing::remove_card, "Removes a card"),
    ]
}

/// The operator's staff.
#[rustfmt::skip]
fn staff() -> Vec<Row> {
    vec![
        get("/app/admin/sign-in", Open, admin::sign_in::ask, "Asks staff for a one-time token"),
        post("/app/admin/sign-in", Counted(LimitName::Open), admin::sign_in::enter, "Signs a member of staff in"),
        post("/app/admin/sign-out", Counted(LimitName::Open), admin::sign_in::leave, "Signs a member of staff out"),
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
