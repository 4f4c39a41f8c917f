//! The routes by which people choose their language and their time zone.

use grantor_domain::admin::AdminRight;
use grantor_domain::role::Right;

use crate::frame::Access::{Open, Person, Staff};
use crate::frame::{Route, get, post};
use crate::locale;

/// Returns all of them.
#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    let (person, staff) = (Person(Right::Read), Staff(AdminRight::Read));
    vec![
        get("/app/profile/language", person, locale::show, "View the language and the time zone").hidden_in_views(),
        post("/app/profile/language", person, locale::change, "Update the language and the time zone"),
        get("/app/admin/language", staff, locale::show_for_staff, "View the language and the time zone of staff"),
        post("/app/admin/language", staff, locale::change_for_staff, "Update the language and the time zone of staff"),
        post("/app/language", Open, locale::choose, "Choose the language of the browser"),
    ]
}
