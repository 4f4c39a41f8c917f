//! Grants: accepted offers.

mod calendar;
mod exclusivity;
mod in_force;
mod page;
mod territory;

use grantor_domain::Timestamp;
use grantor_domain::grant::{Grant, GrantNumber, GrantStatus};
use grantor_domain::id::{GrantId, RequestId, TalentId, TenantId};
use grantor_domain::reminder;
use uuid::Uuid;

pub use self::calendar::{Calendar, CalendarFilter, calendar, list_talents};
pub use self::exclusivity::{BlockingGrant, find_conflict};
pub use self::in_force::count_of_talent;
pub use self::page::{GrantFilter, page};
pub use self::territory::{TerritoryCount, count_by_territory};
use crate::party_count::{self, PartyList};
use crate::record_index::{self, RecordKind};
use crate::request::{PartyName, fault, from_json, json, kind};
use crate::statement::{sql, sql_choice};
use crate::value::params;
use crate::{Result, Row, Tx, only_column};

/// A grant with the names of what it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRecord {
    /// The grant.
    pub grant: Grant,
    /// The license's title, even if the license was deleted.
    pub license_title: String,
    /// The talent's name.
    pub talent_name: String,
    /// The licensor.
    pub licensor: PartyName,
    /// The licensee.
    pub licensee: PartyName,
}

/// Inserts a grant and counts it.
pub fn insert(tx: &mut Tx<'_>, grant: &Grant) -> Result<()> {
    let (list, index) = grant.status_entry;
    tx.execute(
        sql!(
            "INSERT INTO grants (grant_id, request_id, license_id, license_version, talent_id,
               licensor_id, licensee_id, year, serial, status, terms, terms_hash, exclusive,
               starts_at, ends_at, accepted_by, accepted_by_name, status_list, status_index,
               created_at, remind_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
               $18, $19, $20, $21)"
        ),
        params![
            grant.id,
            grant.request,
            grant.license,
            grant.license_version,
            grant.talent,
            grant.licensor,
            grant.licensee,
            u32::from(grant.number.year),
            grant.number.serial,
            grant.status.name(),
            json(&grant.terms)?,
            grant.terms_hash,
            grant.terms.exclusive,
            grant.terms.coverage.starts_at,
            grant.terms.coverage.ends_at,
            grant.accepted_by,
            grant.accepted_by_name,
            list,
            index,
            grant.created_at,
            reminder::next(grant.terms.coverage.ends_at, grant.created_at),
        ],
    )?;
    territory::insert(tx, grant)?;
    for (tenant, list) in lists(grant) {
        party_count::add(tx, tenant, list, grant.status.name(), 1)?;
    }
    record_index::mark(tx, RecordKind::Grant, grant.id.as_uuid())
}

/// Stores the status of a claimed grant.
pub fn set_status(tx: &mut Tx<'_>, grant: &Grant, status: GrantStatus) -> Result<()> {
    tx.execute(
        sql!("UPDATE grants SET status = $2 WHERE grant_id = $1"),
        params![grant.id, status.name()],
    )?;
    territory::set_status(tx, grant.id, status)?;
    count_change(tx, grant, status)
}

/// Stores the revocation of a claimed grant, with its reason and the name of who revoked it.
pub fn revoke(
    tx: &mut Tx<'_>,
    grant: &Grant,
    (reason, by): (&str, &str),
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE grants SET status = 'revoked', revoked_at = $2, revoke_reason = $3,
               revoked_by_name = $4
             WHERE grant_id = $1"
        ),
        params![grant.id, now, reason, by],
    )?;
    territory::end(tx, grant.id, now)?;
    count_change(tx, grant, GrantStatus::Revoked)
}

fn count_change(tx: &mut Tx<'_>, grant: &Grant, status: GrantStatus) -> Result<()> {
    for (tenant, list) in lists(grant) {
        party_count::shift(tx, tenant, list, (grant.status.name(), status.name()))?;
    }
    record_index::mark(tx, RecordKind::Grant, grant.id.as_uuid())
}

fn lists(grant: &Grant) -> [(TenantId, PartyList); 2] {
    [(grant.licensee, PartyList::GrantsHeld), (grant.licensor, PartyList::GrantsGiven)]
}

/// Returns the next number of a licensor in a year. Gapless: it is taken back with its unit of work.
pub fn next_number(tx: &mut Tx<'_>, licensor: TenantId, year: u16) -> Result<GrantNumber> {
    let serial: Option<u32> = tx.find(
        sql!(
            "INSERT INTO grant_numbers (licensor_id, year, last_serial) VALUES ($1, $2, 1)
             ON CONFLICT (licensor_id, year) DO UPDATE
             SET last_serial = grant_numbers.last_serial + 1
             RETURNING last_serial"
        ),
        params![licensor, u32::from(year)],
        only_column,
    )?;
    let serial = serial.ok_or_else(|| fault("the licensor got no number"))?;
    Ok(GrantNumber { year, serial })
}

/// Locks and returns the status list that takes new grants, so that two grants cannot take one place.
/// The first grant begins the first list.
pub fn claim_status_list(tx: &mut Tx<'_>) -> Result<u32> {
    tx.execute(
        sql!("INSERT INTO status_lists (list_id) VALUES (1) ON CONFLICT (list_id) DO NOTHING"),
        params![],
    )?;
    // The first list stands for all, so that nobody fills a list that another grant has just ended.
    tx.lock(sql!("SELECT 1 FROM status_lists WHERE list_id = 1 /*for update*/"), params![])?;
    let last: Option<Option<u32>> =
        tx.find(sql!("SELECT max(list_id) FROM status_lists"), params![], only_column)?;
    last.flatten().ok_or_else(|| fault("there is no status list"))
}

/// Whether a status list exists.
pub fn has_status_list(tx: &mut Tx<'_>, list: u32) -> Result<bool> {
    let found =
        tx.find(sql!("SELECT 1 FROM status_lists WHERE list_id = $1"), params![list], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Whether a grant has this place in the status lists.
pub fn is_status_entry_taken(tx: &mut Tx<'_>, list: u32, index: u32) -> Result<bool> {
    let taken = tx.find(
        sql!("SELECT 1 FROM grants WHERE status_list = $1 AND status_index = $2"),
        params![list, index],
        |_| Ok(()),
    )?;
    Ok(taken.is_some())
}

/// Begins the status list after a full one.
pub fn begin_status_list(tx: &mut Tx<'_>, full: u32) -> Result<u32> {
    tx.execute(sql!("INSERT INTO status_lists (list_id) VALUES ($1)"), params![full + 1])?;
    Ok(full + 1)
}

/// Lists the places of the revoked grants in a status list.
pub fn list_revoked_entries(tx: &mut Tx<'_>, list: u32) -> Result<Vec<u32>> {
    tx.query(
        sql!(
            "SELECT status_index FROM grants WHERE status_list = $1 AND status = 'revoked'
             ORDER BY status_index"
        ),
        params![list],
        only_column,
    )
}

/// Returns the grant with this id.
pub fn find(tx: &mut Tx<'_>, id: GrantId) -> Result<Option<GrantRecord>> {
    Ok(load(tx, &[id])?.pop())
}

/// Like [`find`], and locks the grant until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, id: GrantId) -> Result<Option<GrantRecord>> {
    tx.lock(sql!("SELECT 1 FROM grants WHERE grant_id = $1 /*for update*/"), params![id])?;
    find(tx, id)
}

/// Returns the grant of an accepted request.
pub fn find_of_request(tx: &mut Tx<'_>, request: RequestId) -> Result<Option<GrantId>> {
    tx.find(sql!("SELECT grant_id FROM grants WHERE request_id = $1"), params![request], |row| {
        only_column(row)
    })
}

/// Returns the grants with these ids, in any order.
pub fn load(tx: &mut Tx<'_>, ids: &[GrantId]) -> Result<Vec<GrantRecord>> {
    let ids: Vec<Uuid> = ids.iter().map(|it| it.as_uuid()).collect();
    tx.query(
        sql!(
            "SELECT g.grant_id, g.request_id, g.license_id, g.license_version, g.talent_id,
               g.licensor_id, g.licensee_id, g.year, g.serial, g.status, g.terms,
               g.terms_hash, g.accepted_by, g.accepted_by_name, g.status_list,
               g.status_index, g.created_at, g.revoked_at, g.revoke_reason,
               g.revoked_by_name, l.title, t.fullname, o.name AS licensor_name,
               o.type AS licensor_type, e.name AS licensee_name, e.type AS licensee_type
             FROM grants g
             JOIN licenses l ON l.license_id = g.license_id
             JOIN talents t ON t.talent_id = g.talent_id
             JOIN tenants o ON o.tenant_id = g.licensor_id
             JOIN tenants e ON e.tenant_id = g.licensee_id
             WHERE g.grant_id = ANY($1)"
        ),
        params![ids.as_slice()],
        read_record,
    )
}

/// Lists a licensee's grants for a talent, whatever their status, those that end last first.
pub fn list_of_talent(
    tx: &mut Tx<'_>,
    talent: TalentId,
    licensee: TenantId,
    at_most: u32,
) -> Result<Vec<Grant>> {
    let mut found = Vec::new();
    // Those without an end come first. The engines differ in where an index has them.
    for ends in [false, true] {
        let left = at_most.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
        if left == 0 {
            break;
        }
        found.extend(tx.query(
            sql_choice!(
                usize::from(ends),
                "SELECT grant_id, request_id, license_id, license_version, talent_id, licensor_id,
                   licensee_id, year, serial, status, terms, terms_hash, accepted_by,
                   accepted_by_name, status_list, status_index, created_at, revoked_at,
                   revoke_reason, revoked_by_name
                 FROM grants WHERE talent_id = $1 AND licensee_id = $2 AND ends_at ",
                ["IS NULL", "IS NOT NULL"],
                " ORDER BY ends_at DESC, grant_id DESC LIMIT $3"
            ),
            params![talent, licensee, left],
            read,
        )?);
    }
    Ok(found)
}

/// Lists grants whose stored status is out of date, because they have started or ended.
pub fn list_due(tx: &mut Tx<'_>, now: Timestamp, at_most: u32) -> Result<Vec<GrantId>> {
    let mut due: Vec<GrantId> = tx.query(
        sql!(
            "SELECT grant_id FROM grants WHERE status = 'scheduled' AND starts_at <= $1
             ORDER BY starts_at LIMIT $2"
        ),
        params![now, at_most],
        only_column,
    )?;
    due.extend(tx.query(
        sql!(
            "SELECT grant_id FROM grants
             WHERE status IN ('scheduled', 'active') AND ends_at <= $1
             ORDER BY ends_at LIMIT $2"
        ),
        params![now, at_most],
        only_column::<GrantId>,
    )?);
    due.sort_unstable();
    due.dedup();
    Ok(due)
}

/// Lists grants whose parties are to be told that they end, with when that was due.
pub fn list_reminders(
    tx: &mut Tx<'_>,
    now: Timestamp,
    at_most: u32,
) -> Result<Vec<(GrantId, Timestamp)>> {
    tx.query(
        sql!(
            "SELECT grant_id, remind_at FROM grants
             WHERE status IN ('scheduled', 'active') AND remind_at <= $1
             ORDER BY remind_at LIMIT $2"
        ),
        params![now, at_most],
        |row| Ok((row.get("grant_id")?, row.get("remind_at")?)),
    )
}

/// Takes a reminder, so that it is given once, and stores when the next is due. False if another
/// node took it.
pub fn take_reminder(
    tx: &mut Tx<'_>,
    id: GrantId,
    due: Timestamp,
    next: Option<Timestamp>,
) -> Result<bool> {
    let taken = tx.execute(
        sql!("UPDATE grants SET remind_at = $3 WHERE grant_id = $1 AND remind_at = $2"),
        params![id, due, next],
    )?;
    Ok(taken == 1)
}

fn read_record(row: &Row<'_>) -> Result<GrantRecord> {
    let text = |name| row.get::<String>(name);
    let grant = read(row)?;
    let licensor = PartyName {
        id: grant.licensor,
        name: text("licensor_name")?,
        kind: kind(&text("licensor_type")?)?,
    };
    let licensee = PartyName {
        id: grant.licensee,
        name: text("licensee_name")?,
        kind: kind(&text("licensee_type")?)?,
    };
    Ok(GrantRecord {
        grant,
        license_title: text("title")?,
        talent_name: text("fullname")?,
        licensor,
        licensee,
    })
}

fn read(row: &Row<'_>) -> Result<Grant> {
    let text = |name| row.get::<String>(name);
    let year = u16::try_from(row.get::<u32>("year")?).map_err(fault)?;
    Ok(Grant {
        id: row.get("grant_id")?,
        request: row.get("request_id")?,
        license: row.get("license_id")?,
        license_version: row.get("license_version")?,
        talent: row.get("talent_id")?,
        licensor: row.get("licensor_id")?,
        licensee: row.get("licensee_id")?,
        number: GrantNumber { year, serial: row.get("serial")? },
        status: text("status")?.parse().map_err(fault)?,
        terms: from_json(&text("terms")?)?,
        terms_hash: text("terms_hash")?,
        accepted_by: row.get("accepted_by")?,
        accepted_by_name: text("accepted_by_name")?,
        status_entry: (row.get("status_list")?, row.get("status_index")?),
        created_at: row.get("created_at")?,
        revoked_at: row.get("revoked_at")?,
        revoke_reason: row.get("revoke_reason")?,
        revoked_by_name: row.get("revoked_by_name")?,
    })
}
