//! The table of pages.

use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;

use crate::frame::Entry::{Counted, Open, Person};
use crate::frame::{Row, get, post};
use crate::{sign_in, talent};

/// The table.
pub(crate) fn routes() -> Vec<Row> {
    [ways_in(), talents()].into_iter().flatten().collect()
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
