//! Bulk actions, imports, exports and tags.

use grantor_domain::admin::AdminRight;
use grantor_domain::role::Right;

use crate::frame::Access::{Person, Staff};
use crate::frame::{Route, get, post};
use crate::{batch, bulk, export, import, tag};

/// The routes. The acts check what may be done to each row, and the exports who may read each list.
#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    let (read, talents, licenses) = (Person(Right::Read), Person(Right::ManageTalents), Person(Right::ManageLicenses));
    vec![
        post("/app/bulk", read, bulk::submit, "Select rows of a list"),
        post("/app/bulk/start", read, bulk::start, "Start a bulk action"),
        get("/app/batches", read, batch::list, "List bulk actions and imports"),
        get("/app/batches/{batch}", read, batch::show, "View a bulk action or an import"),
        get("/app/batches/{batch}/problems", read, batch::download_problems, "Download what a bulk action could not do"),
        post("/app/batches/{batch}/start", read, batch::start, "Start the import of a checked file"),
        post("/app/batches/{batch}/stop", read, batch::stop, "Stop a bulk action or an import"),
        post("/app/batches/{batch}/undo", read, batch::undo, "Undo a bulk action or an import"),
        get("/app/talents/import", talents, import::talents_form, "View the form to import talents"),
        post("/app/talents/import", talents, import::check_talents, "Check a file of talents").with_image(),
        get("/app/talents/import/sample", talents, import::talents_sample, "Download a sample file of talents"),
        get("/app/licenses/import", licenses, import::licenses_form, "View the form to import licenses"),
        post("/app/licenses/import", licenses, import::check_licenses, "Check a file of licenses").with_image(),
        get("/app/licenses/import/sample", licenses, import::licenses_sample, "Download a sample file of licenses"),
        get("/app/tags", read, tag::suggest, "Search tags"),
        post("/app/licenses/{license}/tags", licenses, tag::change_license, "Change the tags of a license"),
        post("/app/talents/{talent}/tags", talents, tag::change_talent, "Change the tags of a talent"),
        get("/app/export/{list}", read, export::download, "Export a list"),
        get("/app/admin/export/{list}", Staff(AdminRight::Read), export::download_for_staff, "Export a list of staff"),
    ]
}
