//! The routes of the search for everything, of the keyboard shortcuts and of the style guide.

use grantor_domain::admin::AdminRight;
use grantor_domain::role::Right;

use crate::frame::Access::{Open, Person, Staff};
use crate::frame::{Route, get};
use crate::{palette, style_guide};

/// Returns all of them.
#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    let (read, staff) = (Person(Right::Read), Staff(AdminRight::Read));
    vec![
        get("/app/search", read, palette::show, "Search pages and records"),
        get("/app/search/results", read, palette::list, "Search pages and records in the palette"),
        get("/app/admin/search", staff, palette::show_to_staff, "Search pages, organizations and platforms"),
        get("/app/admin/search/results", staff, palette::list_to_staff, "Search pages, organizations and platforms in the palette"),
        get("/app/shortcuts", Open, palette::shortcuts, "View the keyboard shortcuts"),
        get("/app/admin/style-guide", staff, style_guide::show, "View the style guide"),
    ]
}
