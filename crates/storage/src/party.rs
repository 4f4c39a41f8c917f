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
use crate::value::params;
use crate::{Error, Result, Row, Tx, tenant};

/// How many known parties one statement reads.
const AT_ONCE: u32 = 500;

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

/// Reads the names of the known parties until enough match. The cost is bounded by their number.
fn find_known(tx: &mut Tx<'_>, holder: Uuid, search: &PartySearch) -> Result<Vec<FoundParty>> {
    let (mut found, mut after) = (Vec::new(), TenantId::from(Uuid::nil()));
    while found.len() <= MAX_FOUND {
        let part = tx.query(
            sql!(
                "SELECT t.tenant_id, t.name, t.type FROM known_parties k
                 JOIN tenants t ON t.tenant_id = k.tenant_id
                 WHERE k.holder_id = $1 AND k.tenant_id > $2 AND t.status = 'active'
                 ORDER BY k.tenant_id LIMIT $3"
            ),
            params![holder, after, AT_ONCE],
            read,
        )?;
        let Some(last) = part.last() else { break };
        after = last.id;
        found.extend(part.into_iter().filter(|it| search.finds(&it.name)));
    }
    // The tenant itself is dropped later.
    found.truncate(MAX_FOUND + 1);
    Ok(found)
}

/// Searches the index of names. A row that another change makes out of date at this moment is left
/// out, so nobody is found against their will.
fn find_public(tx: &mut Tx<'_>, search: &PartySearch) -> Result<Vec<FoundParty>> {
    let (from, until) = search.range();
    // Each organization may match with several parts of its name; one may be the searching one.
    let at_most = u32::try_from((MAX_FOUND + 1) * MAX_PARTS).unwrap_or(u32::MAX);
    let mut found = tx.query(
        sql!(
            "SELECT t.tenant_id, t.name, t.type FROM party_names n
             JOIN tenants t ON t.tenant_id = n.tenant_id
             WHERE n.name >= $1 AND n.name < $2 AND t.findable AND t.status = 'active'
             ORDER BY n.name, n.tenant_id LIMIT $3"
        ),
        params![from, until, at_most],
        read,
    )?;
    found.retain(|it| it.kind.is_organization() && search.finds(&it.name));
    let mut seen = BTreeSet::new();
    found.retain(|it| seen.insert(it.id));
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<FoundParty> {
    let kind = row.get::<String>(2)?.parse::<TenantType>().map_err(Error::Fault)?;
    Ok(FoundParty { id: row.get(0)?, name: row.get(1)?, kind, domain: None })
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
        |row| row.get(0),
    )
}

/// Whether an organization wants to be found by name, and the verified domain that this takes.
pub fn findable(tx: &mut Tx<'_>, tenant: TenantId) -> Result<(bool, Option<String>)> {
    let wanted: Option<bool> = tx.find(
        sql!("SELECT findable FROM tenants WHERE tenant_id = $1"),
        params![tenant],
        |row| row.get(0),
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
        |row| row.get(0),
    )?;
    match (owner, grantee) {
        (Some(owner), Grantee::Organization(id)) => share(tx, owner, id, change),
        (Some(owner), Grantee::User(id)) => add(tx, id.as_uuid(), owner, change),
        (None, _) => Ok(()),
    }
}

fn add(tx: &mut Tx<'_>, holder: Uuid, tenant: TenantId, change: i64) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO known_parties (holder_id, tenant_id, shared) VALUES ($1, $2, $3)
             ON CONFLICT (holder_id, tenant_id) DO UPDATE
             SET shared = known_parties.shared + $3"
        ),
        params![holder, tenant, change],
    )?;
    if change < 0 {
        tx.execute(
            sql!(
                "DELETE FROM known_parties
                 WHERE holder_id = $1 AND tenant_id = $2 AND shared <= 0"
            ),
            params![holder, tenant],
        )?;
    }
    Ok(())
}
