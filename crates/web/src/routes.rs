//! The table of pages.

use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;

use crate::frame::Entry::{Counted, Open, Person};
use crate::frame::{Row, get, post};
use crate::{dashboard, invitation, magic_link, mention, reset, sign_in, sign_up, talent};

/// The table.
pub(crate) fn routes() -> Vec<Row> {
    [ways_in(), overview(), talents()].into_iter().flatten().collect()
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
