//! Cases: what was done about a mention.

mod list;
mod look;
mod template;
mod thread;

use grantor_domain::Timestamp;
use grantor_domain::case::{Case, LookResult, Looks};
use grantor_domain::id::{LicenseId, MentionId, TalentId, TenantId, UserId};
use grantor_domain::secret::SecretHash;

pub(crate) use self::list::load;
pub use self::list::{ListedCase, count_open, list};
pub use self::look::{ClaimedLook, claim_look, claim_looked, finish_look, is_due, make_due};
pub use self::template::{delete_template, find_templates, put_template};
pub use self::thread::{
    StoredLetter, count_comments, count_letters, insert_comment, insert_letter, list_comments,
    list_letters,
};
use crate::record_index::{self, RecordKind};
use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, only_column};

/// A case with the names of its people and the code of its link.
#[derive(Clone, PartialEq, Eq)]
pub struct CaseRecord {
    /// The case.
    pub case: Case,
    /// The name of the assignee.
    pub assignee_name: Option<String>,
    /// The name of the user who opened it, or for whom an API client did; `None` if the account is
    /// gone.
    pub opener_name: Option<String>,
    /// The name of whoever opened it, a person or an API client, at that time.
    pub opened_by_name: String,
    /// The code of the link to the evidence, sealed.
    pub sealed_code: Vec<u8>,
}

/// Inserts a case with the name of whoever opens it, and with the code of its link as a hash and
/// sealed. False if the mention already has a case.
pub fn insert(
    tx: &mut Tx<'_>,
    case: &Case,
    opened_by_name: &str,
    (hash, sealed_code): (&SecretHash, &[u8]),
) -> Result<bool> {
    let added = tx.execute(
        sql!(
            "INSERT INTO cases (mention_id, tenant_id, agent_id, status, assignee_id, code_hash,
               sealed_code, next_look_at, gone_since, misses, last_look_at, last_look_result,
               removed_at, opened_by, opened_by_name, opened_at, updated_at, version)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
               $18)
             ON CONFLICT (mention_id) DO NOTHING"
        ),
        params![
            case.mention,
            case.tenant,
            case.agent,
            case.status.name(),
            case.assignee,
            hash.as_bytes().as_slice(),
            sealed_code,
            case.looks.next_at,
            case.looks.gone_since,
            case.looks.misses,
            case.looks.last_at,
            case.looks.last_result.map(LookResult::name),
            case.removed_at,
            case.opened_by,
            opened_by_name,
            case.opened_at,
            case.updated_at,
            case.version,
        ],
    )?;
    record_index::mark(tx, RecordKind::Case, case.mention.as_uuid())?;
    Ok(added == 1)
}

/// Updates a case. A look under way must not overwrite it afterwards: it loses the case.
pub fn update(tx: &mut Tx<'_>, case: &Case) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE cases SET status = $2, assignee_id = $3, next_look_at = $4, look_id = NULL,
               node_id = NULL, gone_since = $5, misses = $6, last_look_at = $7,
               last_look_result = $8, removed_at = $9, updated_at = $10, version = $11
             WHERE mention_id = $1"
        ),
        params![
            case.mention,
            case.status.name(),
            case.assignee,
            case.looks.next_at,
            case.looks.gone_since,
            case.looks.misses,
            case.looks.last_at,
            case.looks.last_result.map(LookResult::name),
            case.removed_at,
            case.updated_at,
            case.version,
        ],
    )?;
    record_index::mark(tx, RecordKind::Case, case.mention.as_uuid())
}

/// Returns the case of a mention.
pub fn find(tx: &mut Tx<'_>, mention: MentionId) -> Result<Option<CaseRecord>> {
    select(tx, 0, params![mention])
}

/// Like [`find`], and locks the case until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, mention: MentionId) -> Result<Option<CaseRecord>> {
    tx.lock(sql!("SELECT 1 FROM cases WHERE mention_id = $1 /*for update*/"), params![mention])?;
    find(tx, mention)
}

/// Returns the case whose link has the code with this hash.
pub fn find_by_code(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<Option<CaseRecord>> {
    select(tx, 1, params![hash.as_bytes().as_slice()])
}

fn select(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Option<CaseRecord>> {
    tx.find(
        sql_choice!(
            by,
            "SELECT c.mention_id, c.tenant_id, c.agent_id, c.status, c.assignee_id, c.next_look_at,
               c.gone_since, c.misses, c.last_look_at, c.last_look_result, c.removed_at,
               c.opened_by, c.opened_at, c.updated_at, c.version, a.fullname, c.opened_by_name,
               c.sealed_code, o.fullname AS opener_name
             FROM cases c LEFT JOIN users a ON a.user_id = c.assignee_id
             LEFT JOIN users o ON o.user_id = c.opened_by
             WHERE ",
            ["c.mention_id = $1", "c.code_hash = $1"],
            ""
        ),
        key,
        read,
    )
}

/// Increments the version of a mention whose case changed, and returns it.
pub fn bump_mention(tx: &mut Tx<'_>, mention: MentionId) -> Result<u32> {
    let version: Option<u32> = tx.find(
        sql!("UPDATE mentions SET version = version + 1 WHERE mention_id = $1 RETURNING version"),
        params![mention],
        only_column,
    )?;
    version.ok_or_else(|| Error::Fault("the mention of a case is missing".to_owned()))
}

/// Whether one of these licenses is the talent's.
pub fn has_license(tx: &mut Tx<'_>, talent: TalentId, licenses: &[LicenseId]) -> Result<bool> {
    for license in licenses {
        let found = tx.find(
            sql!("SELECT 1 FROM licenses WHERE license_id = $1 AND talent_id = $2"),
            params![license, talent],
            |_| Ok(()),
        )?;
        if found.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How many people are offered as assignees.
const ASSIGNEES: u32 = 200;

/// Lists the people of a tenant who can work on cases, by name.
pub fn list_assignees(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Vec<(UserId, String)>> {
    tx.query(
        sql!(
            "SELECT u.user_id, u.fullname
             FROM memberships m JOIN users u ON u.user_id = m.user_id
             WHERE m.tenant_id = $1 AND m.status = 'active' AND m.role <> 'Team_Member'
             ORDER BY u.fullname, u.user_id LIMIT $2"
        ),
        params![tenant, ASSIGNEES],
        |row| Ok((row.get("user_id")?, row.get("fullname")?)),
    )
}

fn read(row: &Row<'_>) -> Result<CaseRecord> {
    let case = Case {
        mention: row.get("mention_id")?,
        tenant: row.get("tenant_id")?,
        agent: row.get("agent_id")?,
        status: row.get::<String>("status")?.parse().map_err(Error::Fault)?,
        assignee: row.get("assignee_id")?,
        looks: read_looks(row)?,
        removed_at: row.get("removed_at")?,
        opened_by: row.get("opened_by")?,
        opened_at: row.get("opened_at")?,
        updated_at: row.get("updated_at")?,
        version: row.get("version")?,
    };
    Ok(CaseRecord {
        case,
        assignee_name: row.get("fullname")?,
        opener_name: row.get("opener_name")?,
        opened_by_name: row.get("opened_by_name")?,
        sealed_code: row.get("sealed_code")?,
    })
}

fn read_looks(row: &Row<'_>) -> Result<Looks> {
    let last_result = row.get::<Option<String>>("last_look_result")?;
    let last_at: Option<Timestamp> = row.get("last_look_at")?;
    Ok(Looks {
        next_at: row.get("next_look_at")?,
        gone_since: row.get("gone_since")?,
        misses: row.get("misses")?,
        last_at,
        last_result: last_result.map(|it| it.parse().map_err(Error::Fault)).transpose()?,
    })
}
