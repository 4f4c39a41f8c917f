//! Grants: accepted offers, with their effect on who sees the license (contract-2 section 21).

pub(crate) mod exclusivity;
mod read;
mod revoke;
mod status;

use grantor_domain::audit::Resource;
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::TenantId;
use grantor_domain::license::License;
use grantor_domain::{Error, Result};
pub use grantor_storage::grant::{
    BlockingGrant, Calendar, CalendarFilter, GrantFilter, GrantRecord, TerritoryCount,
};
use grantor_storage::license::reader;
pub use grantor_storage::record_index::GrantSearch;
use grantor_storage::{grant, permission};
use serde_json::{Value, json};

pub use self::read::{GrantView, calendar, count_by_territory, get, list, list_talents, search};
pub use self::revoke::revoke;
pub use self::status::advance;
use crate::act::UnitOfWork;

/// How often a free place in the status list is sought before another list begins.
const TRIES: usize = 64;

/// Updates whether a licensee sees a claimed license, after one of its grants started or ended.
/// Other licensees of the license, which may be many, are not touched.
pub(crate) fn refresh_reader(
    unit: &mut UnitOfWork<'_, '_>,
    license: &License,
    licensee: TenantId,
) -> Result<()> {
    let role = permission::highest_role(unit.tx, license, licensee.as_uuid())?;
    Ok(reader::set_one(unit.tx, license, licensee.as_uuid(), role)?)
}

/// Draws a free place in the status lists at random, so that the place tells nothing about when a
/// grant was made.
pub(crate) fn status_entry(unit: &mut UnitOfWork<'_, '_>) -> Result<(u32, u32)> {
    let mut list = grant::claim_status_list(unit.tx)?;
    loop {
        for _ in 0..TRIES {
            let mut bytes = [0; 4];
            unit.app.entropy.fill(&mut bytes);
            let index = u32::from_le_bytes(bytes) % grantor_receipt::StatusList::ENTRIES;
            if !grant::is_status_entry_taken(unit.tx, list, index)? {
                return Ok((list, index));
            }
        }
        list = grant::begin_status_list(unit.tx, list)?;
    }
}

/// Creates an event about a grant for both parties.
pub(crate) fn grant_event(
    unit: &UnitOfWork<'_, '_>,
    kind: EventType,
    record: &GrantRecord,
) -> NewEvent {
    let grant = &record.grant;
    let view = GrantView::new(record.clone(), grantor_domain::grant::Party::Owner, unit.now);
    NewEvent {
        kind,
        owner: grant.licensor,
        license: Some(grant.license),
        resource_version: 1,
        data: json!({ "license_id": grant.license, "grant": view_json(&view) }),
        recipients: vec![grant.licensor, grant.licensee],
        receiver: None,
    }
}

/// A grant as events show it.
pub(crate) fn view_json(view: &GrantView) -> Value {
    let GrantRecord { grant, license_title, talent_name, licensor, licensee } = &view.record;
    json!({
        "id": grant.id,
        "number": grant.number.to_string(),
        "license_id": grant.license,
        "license_title": license_title,
        "talent": { "id": grant.talent, "name": talent_name },
        "licensor": { "id": licensor.id, "name": licensor.name, "type": licensor.kind.name() },
        "licensee": { "id": licensee.id, "name": licensee.name, "type": licensee.kind.name() },
        "status": view.status,
        "terms": grant.terms,
        "terms_hash": grant.terms_hash,
        "created_at": grant.created_at,
        "revoked_at": grant.revoked_at,
        "revoke_reason": grant.revoke_reason,
    })
}

pub(crate) fn resource(record: &GrantRecord) -> Resource {
    let name = Some(record.grant.number.to_string());
    Resource { kind: "grant", id: Some(record.grant.id.to_string()), name }
}

fn not_found() -> Error {
    Error::not_found("Grant")
}
