//! The ways into the sample data: one account of each kind, which can be entered without a password
//! on the machine that the server runs on.

use grantor_domain::email::Email;
use grantor_domain::{Error, Result};
use grantor_service::App;
use grantor_service::identity::sample::{Entrance, SampleAccount};
use grantor_storage::{Tx, admin, meta, tenant, user};

use super::invalid;
use super::people::{AGENCY, BRAND, MEMBERS, PLATFORM, STAFF};

/// The names of the entrances for people, and their accounts.
const PEOPLE: [(&str, usize); 3] = [("agency", AGENCY), ("brand", BRAND), ("platform", PLATFORM)];
const STAFF_NAME: &str = "staff";

/// Returns the ways into the sample data; none if the database does not contain all of it.
pub async fn entrances(app: &App) -> Result<Vec<Entrance>> {
    app.store.read(find).await
}

fn find(tx: &mut Tx<'_>) -> Result<Vec<Entrance>> {
    if meta::find(tx, meta::SAMPLE)?.as_deref() != Some(meta::SAMPLE_FINISHED) {
        return Ok(vec![]);
    }
    let mut found = Vec::with_capacity(PEOPLE.len() + 1);
    for (name, index) in PEOPLE {
        let key = Email::parse(MEMBERS[index].email).map_err(invalid)?.key();
        let Some(person) = user::find_by_email(tx, &key)? else { continue };
        let organization = tenant::find(tx, person.last_tenant)?;
        let organization = organization.ok_or_else(|| Error::not_found("Organization"))?.name;
        let account = SampleAccount::Person(person.id);
        found.push(Entrance { name, organization, account });
    }
    let key = Email::parse(STAFF.0).map_err(invalid)?.key();
    if let Some(staff) = admin::find_by_email(tx, &key)?.filter(|it| it.active) {
        let account = SampleAccount::Staff(staff.id);
        let organization = "This server".to_owned();
        found.push(Entrance { name: STAFF_NAME, organization, account });
    }
    Ok(found)
}
