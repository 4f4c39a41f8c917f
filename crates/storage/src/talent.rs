//! Talents: the people whose likeness is licensed.

use grantor_domain::Timestamp;
use grantor_domain::email::Email;
use grantor_domain::id::{TalentId, TeamId, TenantId, UserId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::person::{Bio, FullName, Phone};
use grantor_domain::talent::{Aliases, Talent};
use grantor_domain::usage::Bounded;

use crate::statement::{sql, sql_choice};
use crate::total::{self, Total};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, usage, words};

/// A talent with what is counted and linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The talent.
    pub talent: Talent,
    /// How many licenses there are over them.
    pub license_count: u32,
}

/// Adds a talent, linked to a person's account where it is one's own record.
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
            words::key(talent.names()),
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
    usage::add(tx, talent.tenant, Bounded::Talents, 1)
}

/// Writes what can be changed of a talent.
pub fn update(tx: &mut Tx<'_>, talent: &Talent) -> Result<()> {
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
            json(&talent.aliases)?,
            words::key(talent.names()),
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
    Ok(())
}

/// The talent of this id in this tenant.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, id: TalentId) -> Result<Option<Listed>> {
    let found = select(tx, 0, params![id, tenant])?.pop();
    Ok(found)
}

/// The talent of this id, if the record is this person's own.
pub fn find_of_user(tx: &mut Tx<'_>, user: UserId, id: TalentId) -> Result<Option<Listed>> {
    Ok(select(tx, 3, params![id, user])?.pop())
}

/// The same, held until the unit of work ends: nobody else changes it meanwhile.
pub fn claim(tx: &mut Tx<'_>, tenant: TenantId, id: TalentId) -> Result<Option<Listed>> {
    tx.lock(
        sql!("SELECT 1 FROM talents WHERE talent_id = $1 AND tenant_id = $2 /*for update*/"),
        params![id, tenant],
    )?;
    find(tx, tenant, id)
}

/// Under which names a talent is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Who.
    pub id: TalentId,
    /// The full name and the aliases.
    pub names: Vec<String>,
    /// When any of it was written last.
    pub updated_at: Timestamp,
}

/// The names of talents of every tenant, in the order they were written, after this one.
pub fn list_names(
    tx: &mut Tx<'_>,
    (at, id): (Timestamp, TalentId),
    at_most: u32,
) -> Result<Vec<Named>> {
    tx.query(
        sql!(
            "SELECT talent_id, updated_at, fullname, aliases FROM talents
             WHERE (updated_at, talent_id) > ($1, $2)
             ORDER BY updated_at, talent_id LIMIT $3"
        ),
        params![at, id, at_most],
        |row| {
            let aliases = serde_json::from_str::<Aliases>(&row.get::<String>(3)?);
            let aliases = aliases.map_err(|error| Error::Fault(format!("aliases: {error}")))?;
            let mut names = vec![row.get::<String>(2)?];
            names.extend_from_slice(aliases.as_slice());
            Ok(Named { id: row.get(0)?, names, updated_at: row.get(1)? })
        },
    )
}

/// The tenant's roster, newest first; with words, those whose names hold all of them, each as the
/// beginning of a word.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    search: Option<&str>,
    page: Page,
) -> Result<Listing<Listed>> {
    let [one, two, three] = words::patterns(search);
    // What holds no word is nobody's name: whoever typed it asked for something.
    if search.is_some() && one.is_none() {
        return Ok(Listing::new(page, vec![], 0));
    }
    let (size, offset) = (page.size() + 1, page.offset());
    let items = select(tx, 1, params![tenant, one, two, three, size, offset])?;
    total::listing(page, items, || match one {
        None => Ok(Total::Exact(usage::find(tx, tenant)?.talents)),
        Some(_) => count(tx, params![tenant, one, two, three]),
    })
}

/// How many talents of a tenant have names that fit.
fn count(tx: &mut Tx<'_>, fits: &[Value<'_>]) -> Result<Total> {
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM talents WHERE tenant_id = $1
               AND (CAST($2 AS text) IS NULL OR names_key LIKE $2)
               AND (CAST($3 AS text) IS NULL OR names_key LIKE $3)
               AND (CAST($4 AS text) IS NULL OR names_key LIKE $4)"
        ),
        fits,
        |row| row.get(0),
    )?;
    Ok(Total::Exact(total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0)))
}

/// The records that are a person's own.
pub fn list_of_user(tx: &mut Tx<'_>, user: UserId, page: Page) -> Result<Listing<Listed>> {
    let total: Option<i64> =
        tx.find(sql!("SELECT count(*) FROM talents WHERE user_id = $1"), params![user], |row| {
            row.get(0)
        })?;
    let items = select(tx, 2, params![user, page.size(), page.offset()])?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

/// Links a record that was claimed to a person's account: they vouch for its name.
pub fn link(tx: &mut Tx<'_>, id: TalentId, user: UserId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE talents SET user_id = $2, verified = $4, updated_at = $3 WHERE talent_id = $1"
        ),
        params![id, user, now, true],
    )?;
    Ok(())
}

/// The team that looks after a talent.
pub fn team_of(tx: &mut Tx<'_>, id: TalentId) -> Result<Option<TeamId>> {
    let found =
        tx.find(sql!("SELECT team_id FROM talents WHERE talent_id = $1"), params![id], |row| {
            row.get(0)
        })?;
    Ok(found.flatten())
}

/// Takes every talent from a team: nobody in particular looks after them then.
pub fn leave_team(tx: &mut Tx<'_>, team: TeamId) -> Result<()> {
    tx.execute(sql!("UPDATE talents SET team_id = NULL WHERE team_id = $1"), params![team])?;
    Ok(())
}

/// One license more over a talent, or one less.
pub fn count_license(tx: &mut Tx<'_>, id: TalentId, change: i64) -> Result<()> {
    tx.execute(
        sql!("UPDATE talents SET license_count = license_count + $2 WHERE talent_id = $1"),
        params![id, change],
    )?;
    Ok(())
}

fn select(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Vec<Listed>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT talent_id, tenant_id, verified, fullname, aliases, email, phone, bio,
               social_media, status, license_count, created_at, updated_at, team_id
             FROM talents WHERE ",
            [
                "talent_id = $1 AND tenant_id = $2",
                "tenant_id = $1
                   AND (CAST($2 AS text) IS NULL OR names_key LIKE $2)
                   AND (CAST($3 AS text) IS NULL OR names_key LIKE $3)
                   AND (CAST($4 AS text) IS NULL OR names_key LIKE $4)
                 ORDER BY created_at DESC, talent_id DESC LIMIT $5 OFFSET $6",
                "user_id = $1 ORDER BY created_at DESC, talent_id DESC LIMIT $2 OFFSET $3",
                "talent_id = $1 AND user_id = $2",
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

fn read(row: &Row<'_>) -> Result<Listed> {
    let fault = |what: &str| Error::Fault(format!("a talent: {what}"));
    let text = |index| row.get::<String>(index);
    let optional = |index| row.get::<Option<String>>(index);
    let talent = Talent {
        id: row.get(0)?,
        tenant: row.get(1)?,
        verified: row.get(2)?,
        team: row.get(13)?,
        fullname: FullName::parse(&text(3)?).map_err(|it| fault(&it))?,
        aliases: serde_json::from_str(&text(4)?).map_err(|_| fault("aliases"))?,
        email: optional(5)?.map(|it| Email::parse(&it)).transpose().map_err(fault)?,
        phone: optional(6)?.map(|it| Phone::parse(&it)).transpose().map_err(fault)?,
        bio: optional(7)?.map(|it| Bio::parse(&it)).transpose().map_err(|it| fault(&it))?,
        social_media: serde_json::from_str(&text(8)?).map_err(|_| fault("social media"))?,
        status: text(9)?.parse().map_err(Error::Fault)?,
        created_at: row.get(11)?,
        updated_at: row.get(12)?,
    };
    Ok(Listed { talent, license_count: row.get(10)? })
}
