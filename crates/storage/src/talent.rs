//! Talents: the people whose likeness is licensed.

use grantor_domain::Timestamp;
use grantor_domain::email::Email;
use grantor_domain::id::{TalentId, TeamId, TenantId, UserId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::person::{Bio, FullName, Phone};
use grantor_domain::talent::Talent;
use grantor_domain::usage::LimitedResource;

use crate::record_index::{self, RecordKind};
use crate::statement::{sql, sql_choice};
use crate::total::{self, Total};
use crate::value::{Value, padded, params};
use crate::{Error, Result, Row, Tx, name_key, name_search, only_column, usage};

/// A talent with its number of licenses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTalent {
    /// The talent.
    pub talent: Talent,
    /// Number of the talent's licenses.
    pub license_count: u32,
}

/// Inserts a talent, linked to a user's account if it is the user's own record.
pub fn insert(tx: &mut Tx<'_>, talent: &Talent, user: Option<UserId>) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO talents (talent_id, tenant_id, user_id, fullname, aliases, names_key,
               email, phone, bio, social_media, status, license_count, created_at, updated_at,
               verified, team_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, $12, $13, $14)"
        ),
        params![
            talent.id,
            talent.tenant,
            user,
            talent.fullname.as_str(),
            json(&talent.aliases)?,
            // Nodes of the last release search this column.
            name_search::key(talent.names()),
            talent.email.as_ref().map(Email::as_str),
            talent.phone.as_ref().map(Phone::as_str),
            talent.bio.as_ref().map(Bio::as_str),
            json(&talent.social_media)?,
            talent.status.name(),
            talent.created_at,
            talent.verified,
            talent.team,
        ],
    )?;
    record_index::mark(tx, RecordKind::Talent, talent.id.as_uuid())?;
    name_key::mark(tx, talent.id)?;
    usage::add(tx, talent.tenant, LimitedResource::Talents, 1)
}

/// Updates a talent.
pub fn update(tx: &mut Tx<'_>, talent: &Talent) -> Result<()> {
    let aliases = json(&talent.aliases)?;
    record_index::talent_renamed(tx, talent.id, talent.fullname.as_str(), &aliases)?;
    tx.execute(
        sql!(
            "UPDATE talents SET fullname = $2, aliases = $3, names_key = $4, email = $5,
               phone = $6, bio = $7, social_media = $8, status = $9, updated_at = $10,
               verified = $11, team_id = $12
             WHERE talent_id = $1"
        ),
        params![
            talent.id,
            talent.fullname.as_str(),
            aliases,
            name_search::key(talent.names()),
            talent.email.as_ref().map(Email::as_str),
            talent.phone.as_ref().map(Phone::as_str),
            talent.bio.as_ref().map(Bio::as_str),
            json(&talent.social_media)?,
            talent.status.name(),
            talent.updated_at,
            talent.verified,
            talent.team,
        ],
    )?;
    name_key::mark(tx, talent.id)?;
    record_index::mark(tx, RecordKind::Talent, talent.id.as_uuid())
}

/// Returns a tenant's talent.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, id: TalentId) -> Result<Option<ListedTalent>> {
    let found = select(tx, 0, params![id, tenant])?.pop();
    Ok(found)
}

/// Returns a talent if the record is linked to this user.
pub fn find_for_user(tx: &mut Tx<'_>, user: UserId, id: TalentId) -> Result<Option<ListedTalent>> {
    Ok(select(tx, 3, params![id, user])?.pop())
}

/// Locks a talent until the unit of work ends.
pub fn lock(tx: &mut Tx<'_>, id: TalentId) -> Result<()> {
    tx.lock(sql!("SELECT 1 FROM talents WHERE talent_id = $1 /*for update*/"), params![id])
}

/// Like [`find`], and locks the talent until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, tenant: TenantId, id: TalentId) -> Result<Option<ListedTalent>> {
    tx.lock(
        sql!("SELECT 1 FROM talents WHERE talent_id = $1 AND tenant_id = $2 /*for update*/"),
        params![id, tenant],
    )?;
    find(tx, tenant, id)
}

/// Lists the tenant's talents, newest first.
pub fn list(tx: &mut Tx<'_>, tenant: TenantId, page: Page) -> Result<Listing<ListedTalent>> {
    let (size, offset) = (page.size() + 1, page.offset());
    let items = select(tx, 1, params![tenant, size, offset])?;
    total::listing(page, items, || Ok(Total::Exact(usage::find(tx, tenant)?.talents)))
}

/// Lists the records linked to a user.
pub fn list_for_user(tx: &mut Tx<'_>, user: UserId, page: Page) -> Result<Listing<ListedTalent>> {
    let total: Option<i64> =
        tx.find(sql!("SELECT count(*) FROM talents WHERE user_id = $1"), params![user], |row| {
            only_column(row)
        })?;
    let items = select(tx, 2, params![user, page.size(), page.offset()])?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

/// Links a claimed record to a user's account. The user confirms its name by claiming it.
pub fn link(tx: &mut Tx<'_>, id: TalentId, user: UserId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE talents SET user_id = $2, verified = $4, updated_at = $3 WHERE talent_id = $1"
        ),
        params![id, user, now, true],
    )?;
    record_index::mark(tx, RecordKind::Talent, id.as_uuid())
}

/// How many talents one statement looks up.
const AT_ONCE: usize = 10;

/// Returns the talents with these ids, in any order.
pub(crate) fn load(tx: &mut Tx<'_>, ids: &[TalentId]) -> Result<Vec<ListedTalent>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(select(tx, 4, &padded::<_, AT_ONCE>(chunk))?);
    }
    Ok(found)
}

/// How many names one statement looks up.
const NAMES_AT_ONCE: usize = 20;

/// Returns the tenant's talents with these full names. Several may have the same.
pub fn find_by_fullname(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    names: &[String],
) -> Result<Vec<(String, TalentId)>> {
    let mut found = Vec::new();
    for chunk in names.chunks(NAMES_AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT fullname, talent_id FROM talents
                 WHERE tenant_id = $1 AND fullname IN ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
                   $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)"
            ),
            &[params![tenant] as &[_], &padded::<_, NAMES_AT_ONCE>(chunk)].concat(),
            |row| Ok((row.get("fullname")?, row.get("talent_id")?)),
        )?);
    }
    Ok(found)
}

/// Whether a record cannot be deleted: it belongs to an account, or has or had a license.
pub fn is_bound(tx: &mut Tx<'_>, id: TalentId) -> Result<bool> {
    let found = tx.find(
        sql!(
            "SELECT 1 FROM talents t WHERE t.talent_id = $1 AND (t.user_id IS NOT NULL
               OR EXISTS (SELECT 1 FROM licenses l WHERE l.talent_id = t.talent_id))"
        ),
        params![id],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Deletes a record that is not bound.
pub fn delete(tx: &mut Tx<'_>, tenant: TenantId, id: TalentId) -> Result<()> {
    tx.execute(
        sql!("DELETE FROM talents WHERE talent_id = $1 AND tenant_id = $2"),
        params![id, tenant],
    )?;
    record_index::mark(tx, RecordKind::Talent, id.as_uuid())?;
    name_key::mark(tx, id)?;
    usage::add(tx, tenant, LimitedResource::Talents, -1)
}

/// Returns the names of those of these talents that belong to the tenant.
pub fn names_of(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    ids: &[TalentId],
) -> Result<Vec<(TalentId, String)>> {
    let mut names = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        let found: Vec<(TalentId, TenantId, String)> = tx.query(
            sql!(
                "SELECT talent_id, tenant_id, fullname FROM talents
                 WHERE talent_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get("talent_id")?, row.get("tenant_id")?, row.get("fullname")?)),
        )?;
        names.extend(found.into_iter().filter(|it| it.1 == tenant).map(|it| (it.0, it.2)));
    }
    Ok(names)
}

/// The team responsible for a talent.
pub fn team_of(tx: &mut Tx<'_>, id: TalentId) -> Result<Option<TeamId>> {
    let found =
        tx.find(sql!("SELECT team_id FROM talents WHERE talent_id = $1"), params![id], |row| {
            only_column(row)
        })?;
    Ok(found.flatten())
}

/// Returns those of these talents that belong to the tenant, with the team responsible for each.
pub fn teams_of(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    ids: &[TalentId],
) -> Result<Vec<(TalentId, Option<TeamId>)>> {
    let mut teams = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        let found: Vec<(TalentId, TenantId, Option<TeamId>)> = tx.query(
            sql!(
                "SELECT talent_id, tenant_id, team_id FROM talents
                 WHERE talent_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get("talent_id")?, row.get("tenant_id")?, row.get("team_id")?)),
        )?;
        teams.extend(found.into_iter().filter(|it| it.1 == tenant).map(|it| (it.0, it.2)));
    }
    Ok(teams)
}

/// Removes a team's responsibility for all its talents.
pub fn unassign_team(tx: &mut Tx<'_>, team: TeamId) -> Result<()> {
    tx.execute(sql!("UPDATE talents SET team_id = NULL WHERE team_id = $1"), params![team])?;
    Ok(())
}

/// Changes a talent's number of licenses.
pub fn count_license(tx: &mut Tx<'_>, id: TalentId, change: i64) -> Result<()> {
    tx.execute(
        sql!("UPDATE talents SET license_count = license_count + $2 WHERE talent_id = $1"),
        params![id, change],
    )?;
    Ok(())
}

fn select(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Vec<ListedTalent>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT talent_id, tenant_id, verified, fullname, aliases, email, phone, bio,
               social_media, status, license_count, created_at, updated_at, team_id
             FROM talents WHERE ",
            [
                "talent_id = $1 AND tenant_id = $2",
                "tenant_id = $1 ORDER BY created_at DESC, talent_id DESC LIMIT $2 OFFSET $3",
                "user_id = $1 ORDER BY created_at DESC, talent_id DESC LIMIT $2 OFFSET $3",
                "talent_id = $1 AND user_id = $2",
                "talent_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            ],
            ""
        ),
        key,
        read,
    )
}

fn json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Fault(error.to_string()))
}

fn read(row: &Row<'_>) -> Result<ListedTalent> {
    let fault = |what: &str| Error::Fault(format!("invalid talent: {what}"));
    let text = |name| row.get::<String>(name);
    let optional = |name| row.get::<Option<String>>(name);
    let talent = Talent {
        id: row.get("talent_id")?,
        tenant: row.get("tenant_id")?,
        verified: row.get("verified")?,
        team: row.get("team_id")?,
        fullname: FullName::parse(&text("fullname")?).map_err(|it| fault(&it))?,
        aliases: serde_json::from_str(&text("aliases")?).map_err(|_| fault("aliases"))?,
        email: optional("email")?.map(|it| Email::parse(&it)).transpose().map_err(fault)?,
        phone: optional("phone")?.map(|it| Phone::parse(&it)).transpose().map_err(fault)?,
        bio: optional("bio")?.map(|it| Bio::parse(&it)).transpose().map_err(|it| fault(&it))?,
        social_media: serde_json::from_str(&text("social_media")?)
            .map_err(|_| fault("social media"))?,
        status: text("status")?.parse().map_err(Error::Fault)?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    };
    Ok(ListedTalent { talent, license_count: row.get("license_count")? })
}
