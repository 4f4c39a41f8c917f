//! Staff accounts and their one-time sign-in tokens.

use grantor_domain::Timestamp;
use grantor_domain::admin::AdminRole;
use grantor_domain::id::{AdminId, InvitationId};
use grantor_domain::locale::Locale;
use grantor_domain::page::{Listing, Page};
use grantor_domain::secret::SecretHash;

use crate::notice::settings::read_locale;
use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, only_column};

/// The unique index of email addresses.
pub const EMAIL_IS_TAKEN: &str = "admins_email_key";

/// A member of staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admin {
    /// The staff member's id.
    pub id: AdminId,
    /// The email address as entered.
    pub email: String,
    /// The normalized email address, used for comparison.
    pub email_key: String,
    /// The person's name.
    pub fullname: String,
    /// The staff role.
    pub role: AdminRole,
    /// Whether the account is active.
    pub active: bool,
    /// When the account was created.
    pub created_at: Timestamp,
}

/// Inserts a staff member. The address may be taken; see [`EMAIL_IS_TAKEN`].
pub fn insert(tx: &mut Tx<'_>, admin: &Admin) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO admins (admin_id, email, email_key, fullname, role, status, created_at,
               updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $7)"
        ),
        params![
            admin.id,
            admin.email,
            admin.email_key,
            admin.fullname,
            admin.role.name(),
            if admin.active { "active" } else { "inactive" },
            admin.created_at,
        ],
    )?;
    Ok(())
}

/// Returns the staff member with this id.
pub fn find(tx: &mut Tx<'_>, id: AdminId) -> Result<Option<Admin>> {
    find_by(tx, 0, params![id])
}

/// Returns the staff member with this address.
pub fn find_by_email(tx: &mut Tx<'_>, email_key: &str) -> Result<Option<Admin>> {
    find_by(tx, 1, params![email_key])
}

/// Returns the staff member with this id, with the person's language and time zone.
pub fn find_with_locale(tx: &mut Tx<'_>, id: AdminId) -> Result<Option<(Admin, Locale)>> {
    tx.find(
        sql!(
            "SELECT a.admin_id, a.email, a.email_key, a.fullname, a.role, a.status, a.created_at,
               n.language, n.time_zone
             FROM admins a LEFT JOIN notice_settings n ON n.person_id = a.admin_id
             WHERE a.admin_id = $1"
        ),
        params![id],
        |row| Ok((read(row)?, read_locale(row)?)),
    )
}

fn find_by(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Option<Admin>> {
    tx.find(
        sql_choice!(
            by,
            "SELECT admin_id, email, email_key, fullname, role, status, created_at
             FROM admins WHERE ",
            ["admin_id = $1", "email_key = $1"],
            ""
        ),
        key,
        read,
    )
}

/// A staff member, or a person with a pending invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedAdmin {
    /// The account's id, if there is one.
    pub admin: Option<AdminId>,
    /// The invitation's id, if there is no account.
    pub invitation: Option<InvitationId>,
    /// The email address as entered.
    pub email: String,
    /// The person's name.
    pub fullname: String,
    /// The current or future role.
    pub role: AdminRole,
    /// `active`, `inactive` or `pending`.
    pub status: String,
    /// When the account was created or the invitation sent.
    pub created_at: Timestamp,
}

/// Lists all staff members and pending invitations, oldest first.
pub fn list(tx: &mut Tx<'_>, page: Page, now: Timestamp) -> Result<Listing<ListedAdmin>> {
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT (SELECT count(*) FROM admins)
               + (SELECT count(*) FROM invitations WHERE kind = 'admin' AND expires_at > $1)"
        ),
        params![now],
        only_column,
    )?;
    let items = tx.query(
        sql!(
            "SELECT admin_id, CAST(NULL AS uuid) AS invitation_id, email, fullname, role, status,
               created_at, 0 AS waits
             FROM admins
             UNION ALL
             SELECT CAST(NULL AS uuid), invitation_id, email, fullname, role, 'pending', created_at,
               1
             FROM invitations WHERE kind = 'admin' AND expires_at > $1
             ORDER BY created_at, waits, admin_id, invitation_id LIMIT $2 OFFSET $3"
        ),
        params![now, page.size(), page.offset()],
        |row| {
            Ok(ListedAdmin {
                admin: row.get("admin_id")?,
                invitation: row.get("invitation_id")?,
                email: row.get("email")?,
                fullname: row.get("fullname")?,
                role: row.get::<String>("role")?.parse().map_err(Error::Fault)?,
                status: row.get("status")?,
                created_at: row.get("created_at")?,
            })
        },
    )?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

/// Updates role and status.
pub fn update(tx: &mut Tx<'_>, admin: &Admin, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!("UPDATE admins SET role = $2, status = $3, updated_at = $4 WHERE admin_id = $1"),
        params![
            admin.id,
            admin.role.name(),
            if admin.active { "active" } else { "inactive" },
            now,
        ],
    )?;
    Ok(())
}

/// Counts the active staff members with this role.
pub fn count_active(tx: &mut Tx<'_>, role: AdminRole) -> Result<u64> {
    let count: Option<i64> = tx.find(
        sql!("SELECT count(*) FROM admins WHERE role = $1 AND status = 'active'"),
        params![role.name()],
        only_column,
    )?;
    Ok(count.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Whether there are any staff members.
pub fn any_exists(tx: &mut Tx<'_>) -> Result<bool> {
    let found = tx.find(sql!("SELECT 1 FROM admins LIMIT 1"), params![], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Inserts a one-time token and deletes the staff member's previous ones.
pub fn replace_token(
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    admin: AdminId,
    expires_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    tx.execute(sql!("DELETE FROM admin_tokens WHERE admin_id = $1"), params![admin])?;
    tx.execute(
        sql!(
            "INSERT INTO admin_tokens (token_hash, admin_id, expires_at, created_at)
             VALUES ($1, $2, $3, $4)"
        ),
        params![hash.as_bytes().as_slice(), admin, expires_at, now],
    )?;
    Ok(())
}

/// Consumes a token and returns its owner and expiry. Only one of several concurrent calls
/// succeeds.
pub fn consume_token(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<Option<(AdminId, Timestamp)>> {
    tx.find(
        sql!("DELETE FROM admin_tokens WHERE token_hash = $1 RETURNING admin_id, expires_at"),
        params![hash.as_bytes().as_slice()],
        |row| Ok((row.get("admin_id")?, row.get("expires_at")?)),
    )
}

/// Deletes expired tokens, a limited number at a time.
pub fn delete_expired_tokens(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM admin_tokens WHERE token_hash IN (
               SELECT token_hash FROM admin_tokens WHERE expires_at < $1
               ORDER BY expires_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}

fn read(row: &Row<'_>) -> Result<Admin> {
    Ok(Admin {
        id: row.get("admin_id")?,
        email: row.get("email")?,
        email_key: row.get("email_key")?,
        fullname: row.get("fullname")?,
        role: row.get::<String>("role")?.parse().map_err(Error::Fault)?,
        active: row.get::<String>("status")? == "active",
        created_at: row.get("created_at")?,
    })
}
