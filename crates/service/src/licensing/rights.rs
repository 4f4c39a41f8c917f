//! What licenses offer, with the URLs at which that is found.

use grantor_domain::decision::LicenseFacts;
use grantor_domain::license::LicenseStatus;
use grantor_domain::rights::{Named, Statement};

use crate::App;
use crate::licensing::catalog::{self, CatalogEntry};
use crate::licensing::catalog_picture::PictureSize;
use crate::licensing::license::{LicenseRecord, LicenseView};

/// What a public license offers to everyone.
#[must_use]
pub fn of_entry(app: &App, entry: &CatalogEntry) -> Statement {
    let at = |path: String| format!("{}{path}", app.public_url);
    let record = &entry.record;
    let status = record.license.effective_status(app.clock.now());
    let mut statement = statement(app, record, status, "metadata");
    statement.talent.url = entry.talent_slug.as_deref().map(|it| at(catalog::talent_path(it)));
    statement.owner.url = entry.owner_slug.as_deref().map(|it| at(catalog::owner_path(it)));
    let picture = entry.picture.as_ref().map(|it| catalog::picture_path(it.id, PictureSize::Full));
    statement.picture = picture.map(at);
    statement
}

/// What a license offers to a caller who may see it.
#[must_use]
pub fn of_view(app: &App, view: &LicenseView) -> Statement {
    statement(app, &view.shown, view.status, "licenses")
}

/// What a version of a license offered. It is told apart by its URL, and nobody can request it.
#[must_use]
pub fn of_version(app: &App, view: &LicenseView, number: u32) -> Statement {
    let current = of_view(app, view);
    Statement { url: format!("{}?version={number}", current.url), page: None, ..current }
}

fn statement(
    app: &App,
    record: &LicenseRecord,
    status: LicenseStatus,
    collection: &str,
) -> Statement {
    let LicenseRecord { license, talent_name, owner_name, owner_type, .. } = record;
    let (origin, id) = (&app.public_url, license.id);
    let named = |name: &str| Named { name: name.to_owned(), url: None };
    let is_public = status == LicenseStatus::Public;
    Statement {
        title: license.title.as_str().to_owned(),
        description: license.description.as_str().to_owned(),
        license_type: license.license_type,
        covers: LicenseFacts {
            status,
            uses: license.uses.clone(),
            territories: license.territories.clone(),
            valid_from: license.valid_from,
            expires_at: license.expires_at,
        },
        fee: license.fee,
        updated_at: license.updated_at,
        talent: named(talent_name),
        owner: named(owner_name),
        owner_is_organization: owner_type.is_organization(),
        picture: None,
        origin: origin.clone(),
        url: format!("{origin}/{collection}/{id}"),
        page: is_public.then(|| format!("{origin}{}", catalog::license_path(id))),
    }
}
