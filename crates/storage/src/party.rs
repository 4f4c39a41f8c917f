//! Which parties can be found by name: those that a tenant shares something with, and organizations
//! that can be found by everyone.

use std::collections::BTreeSet;

use grantor_domain::id::{LicenseId, TenantId};
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::party::{MAX_FOUND, MAX_PARTS, PartySearch, name_parts};
use grantor_domain::permission::Grantee;
use grantor_domain::role::TenantType;
use uuid::Uuid;

use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Error, Result, Row, Tx, only_column, tenant};

/// How many names that are not split yet one statement reads.
const AT_ONCE: u32 = 500;

/// How many tenants' names are split at once.
const TENANTS: u32 = 20;

/// How many names a search reads: each party may match with several parts of its name, and one may
/// be the searching one.
const AT_MOST: u32 = 88;
const _: () = assert!(AT_MOST as usize == (MAX_FOUND + 1) * MAX_PARTS);

/// A party that was found by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundParty {
    /// The tenant.
    pub id: TenantId,
    /// The name.
    pub name: String,
    /// The tenant type.
    pub kind: TenantType,
    /// The verified domain that it had first, if it has one.
    pub domain: Option<String>,
}

/// Searches the parties that a tenant or person knows, and then the organizations that everyone can
/// find. Never returns the tenant itself.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    person: Uuid,
    search: &PartySearch,
) -> Result<Vec<FoundParty>> {
    let mut found = Vec::new();
    for holder in [tenant.as_uuid(), person] {
        for party in find_known(tx, holder, search)? {
            let domain = domain(tx, party.id)?;
            keep(&mut found, tenant, FoundParty { domain, ..party });
        }
    }
    for party in find_public(tx, search)? {
        if found.len() == MAX_FOUND {
            break;
        }
        if let Some(domain) = domain(tx, party.id)? {
            keep(&mut found, tenant, FoundParty { domain: Some(domain), ..party });
        }
    }
    Ok(found)
}

fn keep(found: &mut Vec<FoundParty>, searching: TenantId, party: FoundParty) {
    let is_new = found.iter().all(|it| it.id != party.id);
    if is_new && party.id != searching && found.len() < MAX_FOUND {
        found.push(party);
    }
}

/// Searches the names of the parties that a holder knows. A name that two changes at the same moment
/// left behind is not found, because its party is not known any more.
fn find_known(tx: &mut Tx<'_>, holder: Uuid, search: &PartySearch) -> Result<Vec<FoundParty>> {
    let (from, until) = search.range();
    let found = tx.query(
        sql!(
            "SELECT t.tenant_id, t.name, t.type FROM known_names n
             JOIN tenants t ON t.tenant_id = n.tenant_id
             WHERE n.holder_id = $1 AND n.name >= $2 AND n.name < $3 AND t.status = 'active'
               AND EXISTS (SELECT 1 FROM known_parties k
                 WHERE k.holder_id = n.holder_id AND k.tenant_id = n.tenant_id)
             ORDER BY n.name, n.tenant_id LIMIT $4"
        ),
        params![holder, from, until, AT_MOST],
        read,
    )?;
    let mut found = matching(found, search);
    found.extend(find_unsplit(tx, holder, search)?);
    // The tenant itself is dropped later.
    found.truncate(MAX_FOUND + 1);
    Ok(found)
}

/// Searches the known parties whose names were not split into words yet. There are few: those that a
/// migration added, until the next start, and those that became known while they were being changed,
/// until the next sweep. Without this, nobody would find them until then.
fn find_unsplit(tx: &mut Tx<'_>, holder: Uuid, search: &PartySearch) -> Result<Vec<FoundParty>> {
    let (mut found, mut after) = (Vec::new(), TenantId::from(Uuid::nil()));
    while found.len() <= MAX_FOUND {
        let part = tx.query(
            sql!(
                "SELECT t.tenant_id, t.name, t.type FROM known_names n
                 JOIN tenants t ON t.tenant_id = n.tenant_id
                 WHERE n.holder_id = $1 AND n.name = '' AND n.tenant_id > $2
                   AND t.status = 'active' AND EXISTS (SELECT 1 FROM known_parties k
                     WHERE k.holder_id = n.holder_id AND k.tenant_id = n.tenant_id)
                 ORDER BY n.tenant_id LIMIT $3"
            ),
            params![holder, after, AT_ONCE],
            read,
        )?;
        let Some(last) = part.last() else { break };
        after = last.id;
        found.extend(matching(part, search));
    }
    Ok(found)
}

/// Searches the names of the organizations that everyone can find. A row that another change makes
/// out of date at this moment is left out, so nobody is found against their will.
fn find_public(tx: &mut Tx<'_>, search: &PartySearch) -> Result<Vec<FoundParty>> {
    let (from, until) = search.range();
    let mut found = tx.query(
        sql!(
            "SELECT t.tenant_id, t.name, t.type FROM party_names n
             JOIN tenants t ON t.tenant_id = n.tenant_id
             WHERE n.name >= $1 AND n.name < $2 AND t.findable AND t.status = 'active'
             ORDER BY n.name, n.tenant_id LIMIT $3"
        ),
        params![from, until, AT_MOST],
        read,
    )?;
    found.retain(|it| it.kind.is_organization());
    Ok(matching(found, search))
}

/// Each party once, as long as its name matches.
fn matching(mut found: Vec<FoundParty>, search: &PartySearch) -> Vec<FoundParty> {
    let mut seen = BTreeSet::new();
    found.retain(|it| search.finds(&it.name) && seen.insert(it.id));
    found
}

fn read(row: &Row<'_>) -> Result<FoundParty> {
    let kind = row.get::<String>("type")?.parse::<TenantType>().map_err(Error::Fault)?;
    Ok(FoundParty { id: row.get("tenant_id")?, name: row.get("name")?, kind, domain: None })
}

/// Returns the verified domain of a tenant that it had first.
fn domain(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Option<String>> {
    tx.find(
        sql!(
            "SELECT domain FROM platforms
             WHERE tenant_id = $1 AND status = 'verified' AND deleted_at IS NULL
             ORDER BY created_at, platform_id LIMIT 1"
        ),
        params![tenant],
        only_column,
    )
}

/// Whether an organization wants to be found by name, and the verified domain that this takes.
pub fn findable(tx: &mut Tx<'_>, tenant: TenantId) -> Result<(bool, Option<String>)> {
    let wanted: Option<bool> = tx.find(
        sql!("SELECT findable FROM tenants WHERE tenant_id = $1"),
        params![tenant],
        only_column,
    )?;
    Ok((wanted.unwrap_or(false), domain(tx, tenant)?))
}

/// Sets whether an organization wants to be found by name.
pub fn set_findable(tx: &mut Tx<'_>, tenant: TenantId, findable: bool) -> Result<()> {
    tx.execute(
        sql!("UPDATE tenants SET findable = $2 WHERE tenant_id = $1"),
        params![tenant, findable],
    )?;
    // A domain that is being verified at this moment is waited for.
    tx.lock(
        sql!("SELECT 1 FROM platforms WHERE tenant_id = $1 AND deleted_at IS NULL /*for update*/"),
        params![tenant],
    )?;
    refresh(tx, tenant)
}

/// Rebuilds the index of a tenant's name after its name, its status, its setting or one of its
/// domains has changed.
pub(crate) fn refresh(tx: &mut Tx<'_>, id: TenantId) -> Result<()> {
    // Deleted before the rest is read: if this deletes what another change has just indexed, then
    // it also sees that change.
    tx.execute(sql!("DELETE FROM party_names WHERE tenant_id = $1"), params![id])?;
    let (wanted, domain) = findable(tx, id)?;
    if !wanted || domain.is_none() {
        return Ok(());
    }
    let Some(tenant) = tenant::find(tx, id)? else { return Ok(()) };
    if tenant.kind.is_organization() && tenant.status == OrganizationStatus::Active {
        for part in name_parts(&tenant.name) {
            tx.execute(
                sql!(
                    "INSERT INTO party_names (name, tenant_id) VALUES ($1, $2)
                     ON CONFLICT (name, tenant_id) DO NOTHING"
                ),
                params![part, id],
            )?;
        }
    }
    Ok(())
}

/// Adds to the number of things that two tenants share. Both then know each other.
pub(crate) fn share(tx: &mut Tx<'_>, one: TenantId, other: TenantId, change: i64) -> Result<()> {
    // Always in the same order, so that two units of work cannot deadlock.
    let (first, second) = if one < other { (one, other) } else { (other, one) };
    add(tx, first.as_uuid(), second, change)?;
    add(tx, second.as_uuid(), first, change)
}

/// Adds to the number of permissions that the owner of a license gave a grantee. An organization and
/// the owner then know each other; a person knows the owner, who knows the person's address only.
pub(crate) fn share_license(
    tx: &mut Tx<'_>,
    license: LicenseId,
    grantee: Grantee,
    change: i64,
) -> Result<()> {
    let owner: Option<TenantId> = tx.find(
        sql!("SELECT tenant_id FROM licenses WHERE license_id = $1"),
        params![license],
        only_column,
    )?;
    match (owner, grantee) {
        (Some(owner), Grantee::Organization(id)) => share(tx, owner, id, change),
        (Some(owner), Grantee::User(id)) => {
            count(tx, id.as_uuid(), owner, change)?;
            // The same statements for a person who knows the owner and for an address without an
            // account, so that the time does not tell one from the other.
            if change > 0 { know(tx, id.as_uuid(), owner) } else { Ok(()) }
        }
        (None, _) => Ok(()),
    }
}

fn add(tx: &mut Tx<'_>, holder: Uuid, tenant: TenantId, change: i64) -> Result<()> {
    let is_new = count(tx, holder, tenant, change)?;
    if is_new { know(tx, holder, tenant) } else { Ok(()) }
}

/// Adds to a number, and forgets the party if nothing is shared any more. Returns whether the party
/// was not known before.
fn count(tx: &mut Tx<'_>, holder: Uuid, tenant: TenantId, change: i64) -> Result<bool> {
    let shared: Option<i64> = tx.find(
        sql!(
            "INSERT INTO known_parties (holder_id, tenant_id, shared) VALUES ($1, $2, $3)
             ON CONFLICT (holder_id, tenant_id) DO UPDATE
             SET shared = known_parties.shared + $3
             RETURNING shared"
        ),
        params![holder, tenant, change],
        only_column,
    )?;
    if shared.is_some_and(|it| it <= 0) {
        forget(tx, holder, tenant)?;
    }
    Ok(change > 0 && shared == Some(change))
}

/// Indexes the name of a party for a holder. The party is locked, so that its next name is indexed
/// too. If something else has locked it, the name stays unsplit for now: waiting could deadlock,
/// because talents and licenses, which are already locked, are locked after tenants elsewhere.
fn know(tx: &mut Tx<'_>, holder: Uuid, id: TenantId) -> Result<()> {
    let name: Option<String> = tx.find(
        sql!("SELECT name FROM tenants WHERE tenant_id = $1 /*for update or skip*/"),
        params![id],
        only_column,
    )?;
    let Some(name) = name else { return know_unsplit(tx, holder, id) };
    let parts = name_parts(&name);
    if !parts.is_empty() {
        tx.execute(
            sql!(
                "INSERT INTO known_names (holder_id, name, tenant_id)
                 SELECT $1, parts.name, $2
                 FROM (SELECT $3 AS name UNION SELECT $4 UNION SELECT $5 UNION SELECT $6
                   UNION SELECT $7 UNION SELECT $8 UNION SELECT $9 UNION SELECT $10) parts
                 WHERE true
                 ON CONFLICT (holder_id, name, tenant_id) DO NOTHING"
            ),
            &[params![holder, id] as &[_], &padded::<_, MAX_PARTS>(&parts)].concat(),
        )?;
    }
    Ok(())
}

fn know_unsplit(tx: &mut Tx<'_>, holder: Uuid, id: TenantId) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO known_names (holder_id, name, tenant_id)
             SELECT $1, '', tenant_id FROM tenants WHERE tenant_id = $2
             ON CONFLICT (holder_id, name, tenant_id) DO NOTHING"
        ),
        params![holder, id],
    )?;
    Ok(())
}

fn forget(tx: &mut Tx<'_>, holder: Uuid, tenant: TenantId) -> Result<()> {
    tx.execute(
        sql!("DELETE FROM known_parties WHERE holder_id = $1 AND tenant_id = $2 AND shared <= 0"),
        params![holder, tenant],
    )?;
    tx.execute(
        sql!("DELETE FROM known_names WHERE tenant_id = $2 AND holder_id = $1"),
        params![holder, tenant],
    )?;
    Ok(())
}

/// Indexes the new name of a tenant for everyone who knows it.
pub(crate) fn rename(tx: &mut Tx<'_>, id: TenantId, name: &str) -> Result<()> {
    tx.execute(sql!("DELETE FROM known_names WHERE tenant_id = $1"), params![id])?;
    let parts = name_parts(name);
    if !parts.is_empty() {
        tx.execute(
            sql!(
                "INSERT INTO known_names (holder_id, name, tenant_id)
                 SELECT k.holder_id, parts.name, k.tenant_id
                 FROM (SELECT $2 AS name UNION SELECT $3 UNION SELECT $4 UNION SELECT $5
                   UNION SELECT $6 UNION SELECT $7 UNION SELECT $8 UNION SELECT $9) parts
                 CROSS JOIN known_parties k WHERE k.tenant_id = $1
                 ON CONFLICT (holder_id, name, tenant_id) DO NOTHING"
            ),
            &[params![id] as &[_], &padded::<_, MAX_PARTS>(&parts)].concat(),
        )?;
    }
    Ok(())
}

/// Splits the names of some tenants that were not split when somebody began to know them. Returns the
/// number of tenants.
pub fn split_names(tx: &mut Tx<'_>) -> Result<u64> {
    let found: Vec<TenantId> = tx.query(
        sql!(
            "SELECT DISTINCT tenant_id FROM known_names WHERE name = ''
             ORDER BY tenant_id LIMIT $1"
        ),
        params![TENANTS],
        only_column,
    )?;
    for id in &found {
        tenant::claim(tx, *id)?;
        if let Some(tenant) = tenant::find(tx, *id)? {
            rename(tx, *id, &tenant.name)?;
        }
    }
    Ok(found.len().try_into().unwrap_or(u64::MAX))
}
