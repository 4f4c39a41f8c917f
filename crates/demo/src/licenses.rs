//! Sample licenses, of every status and type, and permissions on them.

use std::sync::Arc;
use std::time::Duration;

use grantor_domain::id::{ImageId, LicenseId, TalentId};
use grantor_domain::license::{FieldNames, LicenseChange, LicenseStatus, NewLicense};
use grantor_domain::page::{Page, PageRules};
use grantor_domain::permission::{GranteeName, PermissionRole};
use grantor_domain::{Error, Result, Timestamp};
use serde_json::{Map, Value, json};
use tokio::task::JoinHandle;

use super::invalid;
use super::license_rows::{End, LICENSES, Row, Subject};
use super::people::{AGENCY, Account, BRAND, PERSON, PLATFORM, SELF_MANAGED, TALENTS};
use super::portrait::{Framing, draw};
use grantor_service::App;
use grantor_service::licensing::catalog_picture::{self, PictureSource};
use grantor_service::licensing::license::{self, Expected, LicenseRef};
use grantor_service::licensing::permission;
use grantor_service::licensing::talent;

/// A sample license.
pub struct SampleLicense {
    /// Its id.
    pub id: LicenseId,
    /// The talent.
    pub talent: TalentId,
    /// Its external id.
    pub external_id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its status.
    pub status: LicenseStatus,
    /// Its images.
    pub images: Vec<ImageId>,
}

/// Returns the license with this external id.
pub(super) fn named<'a>(licenses: &'a [SampleLicense], name: &str) -> Result<&'a SampleLicense> {
    licenses.iter().find(|it| it.external_id == name).ok_or_else(|| Error::not_found("License"))
}

enum Recipient {
    /// An organization, by its account's index.
    Organization(usize),
    /// A user, by their account's index.
    User(usize),
}

/// Permissions of others than the owner.
const RIGHTS: [(&str, Recipient, PermissionRole); 10] = [
    ("QF-001", Recipient::Organization(BRAND), PermissionRole::Viewer),
    ("QF-001", Recipient::Organization(PLATFORM), PermissionRole::Viewer),
    ("QF-002", Recipient::Organization(PLATFORM), PermissionRole::Viewer),
    ("QF-004", Recipient::Organization(PLATFORM), PermissionRole::Viewer),
    ("QF-005", Recipient::Organization(BRAND), PermissionRole::Trustee),
    ("QF-006", Recipient::Organization(BRAND), PermissionRole::Licensor),
    ("QF-009", Recipient::Organization(BRAND), PermissionRole::Trustee),
    ("QF-013", Recipient::Organization(PLATFORM), PermissionRole::Trustee),
    ("QF-014", Recipient::Organization(PLATFORM), PermissionRole::Licensor),
    ("QF-009", Recipient::User(PERSON), PermissionRole::Viewer),
];

/// Public licenses with a picture in the catalog: a copy of one of their images, by index. The
/// others show how the catalog looks without one.
const PICTURES: [(&str, usize); 5] =
    [("QF-001", 2), ("QF-003", 0), ("QF-004", 1), ("QF-013", 0), ("NE-001", 0)];

/// Creates the licenses.
pub(super) async fn make(
    app: &App,
    accounts: &[Account],
    talents: &[(TalentId, &'static str)],
) -> Result<Vec<SampleLicense>> {
    // Drawn on blocking threads, ahead of time.
    let pictures: Vec<_> = LICENSES.iter().map(start_drawing).collect();
    let own = own_record(app, &accounts[PERSON]).await?;
    let mut made = Vec::with_capacity(LICENSES.len());
    for (row, pictures) in LICENSES.iter().zip(pictures) {
        let (owner, talent) = match row.subject {
            Subject::Talent(index) => (&accounts[AGENCY], talents[index].0),
            Subject::Person => (&accounts[PERSON], own),
        };
        let files = pictures.await.map_err(|error| Error::internal(error.to_string()))??;
        let license = make_one(app, owner, talent, files, row).await?;
        set_picture(app, owner, &license).await?;
        made.push(license);
    }
    Ok(made)
}

/// Sets the catalog picture, if the license has one.
async fn set_picture(app: &App, owner: &Account, license: &SampleLicense) -> Result<()> {
    let found = PICTURES.iter().find(|(name, _)| *name == license.external_id);
    let image = found.and_then(|(_, index)| license.images.get(*index));
    if let Some(image) = image {
        let (context, caller) = (owner.context(app), Arc::clone(&owner.caller));
        let source = PictureSource::Reference(*image);
        catalog_picture::set(app, &context, caller, license.id, source).await?;
    }
    Ok(())
}

/// Grants the permissions.
pub(super) async fn grant(
    app: &App,
    accounts: &[Account],
    licenses: &[SampleLicense],
) -> Result<()> {
    let agency = &accounts[AGENCY];
    for (name, to, role) in &RIGHTS {
        let grantee = match to {
            Recipient::Organization(index) => GranteeName::Organization(accounts[*index].tenant),
            Recipient::User(index) => GranteeName::User(accounts[*index].address()?),
        };
        let (caller, id) = (Arc::clone(&agency.caller), named(licenses, name)?.id);
        permission::grant_accepted(app, &agency.context(app), caller, id, grantee, *role).await?;
    }
    Ok(())
}

/// The talent record that a self-managed individual has from the start.
async fn own_record(app: &App, person: &Account) -> Result<TalentId> {
    let rules = PageRules { size_name: "limit", default_size: 1, max_size: 1 };
    let own = talent::own(app, &person.caller, Page::parse(None, None, rules)?).await?;
    let first = own.items.into_iter().next();
    first.map(|it| it.talent.id).ok_or_else(|| Error::not_found("Talent"))
}

async fn make_one(
    app: &App,
    owner: &Account,
    talent: TalentId,
    files: Vec<Vec<u8>>,
    row: &Row,
) -> Result<SampleLicense> {
    let (context, caller) = (owner.context(app), Arc::clone(&owner.caller));
    let new =
        NewLicense::parse(&row.body(app.clock.now())?, FieldNames::EXTERNAL, app.clock.now())?;
    let license::Created { shown, images } =
        license::create(app, &context, caller, talent, new, files).await?;
    let (id, mut status) = (shown.license.id, shown.license.status);
    if let Some(end) = row.end {
        let (reader, named) = (owner.caller.reader(), LicenseRef::Id(id));
        let change = end.change(app.clock.now())?;
        let expected = Expected::default();
        let changed = license::change(app, &context, reader, named, None, expected, change).await?;
        status = changed.view.status;
    }
    let images = images.into_iter().map(|it| it.id).collect();
    Ok(SampleLicense { id, talent, external_id: row.name, title: row.title, status, images })
}

fn start_drawing(row: &Row) -> JoinHandle<Result<Vec<Vec<u8>>>> {
    let look = match row.subject {
        Subject::Talent(index) => TALENTS[index].look,
        Subject::Person => SELF_MANAGED.look,
    };
    let framings = Framing::ALL.into_iter().take(row.pictures);
    tokio::task::spawn_blocking(move || framings.map(|it| draw(&look, it)).collect())
}

impl Row {
    /// The body that a client of the external API would send.
    fn body(&self, now: Timestamp) -> Result<Map<String, Value>> {
        let terms: Value = serde_json::from_str(self.terms).map_err(invalid)?;
        let fee = self.fee.map(
            |[amount, currency, per]| json!({ "amount": amount, "currency": currency, "per": per }),
        );
        let (from, until) = self.valid;
        let body = json!({
            "external_id": self.name,
            "title": self.title,
            "description": self.description,
            "license_type": self.kind,
            "status": self.status,
            "uses": self.uses,
            "territories": self.territories,
            "fee": fee,
            "can_crawl": self.crawl,
            "terms": terms,
            "valid_from": from.map(|it| in_days(now, it)),
            "expires_at": until.map(|it| in_days(now, it)),
        });
        members(body)
    }
}

impl End {
    /// The change that ends the license.
    fn change(self, now: Timestamp) -> Result<LicenseChange> {
        let body = match self {
            Self::ByHand => json!({ "status": "expired" }),
            Self::DaysAgo(days) => json!({ "expires_at": now.minus(days_long(days)) }),
        };
        LicenseChange::parse(&members(body)?, FieldNames::EXTERNAL)
    }
}

fn members(body: Value) -> Result<Map<String, Value>> {
    match body {
        Value::Object(members) => Ok(members),
        _ => Err(invalid("a body that is not an object")),
    }
}

pub(super) fn days_long(days: u64) -> Duration {
    Duration::from_hours(days.saturating_mul(24))
}

pub(super) fn in_days(now: Timestamp, days: i64) -> Timestamp {
    let away = days_long(days.unsigned_abs());
    if days < 0 { now.minus(away) } else { now.plus(away) }
}

#[cfg(test)]
mod tests {
    use grantor_domain::license::LicenseType;

    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    #[test]
    fn every_row_is_one_that_a_caller_could_send() {
        for row in &LICENSES {
            let new = NewLicense::parse(&row.body(NOW).unwrap(), FieldNames::EXTERNAL, NOW);
            let new = new.unwrap_or_else(|error| panic!("{}: {error}", row.name));
            assert_eq!((new.title.as_str(), new.ignored.len()), (row.title, 0));
        }
    }

    #[test]
    fn every_type_and_every_first_status_is_there() {
        for kind in LicenseType::ALL {
            assert!(LICENSES.iter().any(|it| it.kind == kind.key()), "{}", kind.key());
        }
        for status in LicenseStatus::FIRST {
            let lasting = |it: &&Row| it.end.is_none() && it.status == status.name();
            assert!(LICENSES.iter().filter(lasting).count() > 1, "{status}");
        }
        assert!(LICENSES.iter().any(|it| it.end.is_some()));
    }

    #[test]
    fn every_catalog_picture_is_of_a_public_license_with_images() {
        for (name, index) in PICTURES {
            let row = LICENSES.iter().find(|it| it.name == name).unwrap();
            assert!(row.status == "public" && row.end.is_none() && index < row.pictures, "{name}");
        }
        let shown = |row: &&Row| row.status == "public" && row.end.is_none();
        assert!(LICENSES.iter().filter(shown).count() > PICTURES.len());
    }

    #[test]
    fn every_right_is_given_on_the_agencys_licenses() {
        for (name, ..) in &RIGHTS {
            let row = LICENSES.iter().find(|it| it.name == *name).unwrap();
            assert!(matches!(row.subject, Subject::Talent(_)), "{name}");
        }
        for role in PermissionRole::ALL {
            assert!(RIGHTS.iter().any(|it| it.2 == role), "{role:?}");
        }
    }
}
