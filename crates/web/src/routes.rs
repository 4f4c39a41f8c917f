//! The table of pages.

use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;

use crate::frame::Entry::{Counted, Open, Person};
use crate::frame::{Row, get, post};
use crate::{
    bookmark, catalog, dashboard, invitation, license, magic_link, mention, reset, sign_in,
    sign_up, talent,
};

/// The table.
pub(crate) fn routes() -> Vec<Row> {
    [ways_in(), overview(), talents(), licenses(), catalog(), bookmarks()]
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
        post("/app/sign-in/link", Counted(LimitName::Open), magic_link::request, "Mails a link"),
        post("/app/sign-in/code", Counted(LimitName::Open), magic_link::enter_code, "Signs in with the code beside the link"),
        get("/app/magic", Open, magic_link::open, "Shows the button behind a mailed link"),
        post("/app/magic", Counted(LimitName::Open), magic_link::enter, "Signs in with a mailed link"),
        get("/app/sign-up", Open, sign_up::ask, "Asks who signs up"),
        post("/app/sign-up", Counted(LimitName::Register), sign_up::register, "Registers an account and mails a code"),
        post("/app/sign-up/code", Counted(LimitName::Open), sign_up::validate, "Proves the address with the mailed code"),
        post("/app/sign-up/again", Counted(LimitName::Open), sign_up::resend, "Mails another code"),
        get("/app/forgot", Open, reset::ask, "Asks who forgot the password"),
        post("/app/forgot", Counted(LimitName::Open), reset::forgot, "Mails a code to who forgot the password"),
        post("/app/reset", Counted(LimitName::Open), reset::reset, "Sets another password"),
        get("/app/invitation", Open, invitation::open, "Shows an invitation"),
        post("/app/invitation", Counted(LimitName::Open), invitation::accept, "Accepts an invitation"),
        post("/app/sign-out", Open, sign_in::leave, "Signs a person out"),
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
