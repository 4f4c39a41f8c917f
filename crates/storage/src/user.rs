//! Accounts of people with a verified email address. Roles in tenants are in `membership`.

use std::fmt;

use grantor_domain::Timestamp;
use grantor_domain::id::{TenantId, UserId};
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx, only_column};

/// The unique index of email addresses.
pub const EMAIL_IS_TAKEN: &str = "users_email_key";

/// An account.
#[derive(Clone, PartialEq, Eq)]
pub struct User {
    /// The account's id.
    pub id: UserId,
    /// The tenant in which the user last acted; initially the one in which the account was created.
    pub last_tenant: TenantId,
    /// The email address as entered.
    pub email: String,
    /// The normalized email address, used for comparison.
    pub email_key: String,
    /// The user's name.
    pub fullname: String,
    /// The normalized name, used for comparison.
    pub fullname_key: String,
    /// The password's hash; `None` for users who sign in by mail only.
    pub password_hash: Option<String>,
    /// The user's biography.
    pub bio: Option<String>,
    /// The user's location.
    pub location: Option<String>,
    /// The user's phone number.
    pub phone: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
}

impl fmt::Debug for User {
    /// Omits the hash of the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("User");
        shown.field("id", &self.id).field("email", &self.email).finish_non_exhaustive()
    }
}

/// Inserts an account. Its address may be taken; see [`EMAIL_IS_TAKEN`].
pub fn insert(tx: &mut Tx<'_>, user: &User) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO users (user_id, last_tenant_id, email, email_key, fullname, fullname_key,
               password_hash, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)"
        ),
        params![
            user.id,
            user.last_tenant,
            user.email,
            user.email_key,
            user.fullname,
            user.fullname_key,
            user.password_hash,
            user.created_at,
        ],
    )?;
    Ok(())
}

/// Returns the account with this id.
pub fn find(tx: &mut Tx<'_>, id: UserId) -> Result<Option<User>> {
    tx.find(
        sql!(
            "SELECT user_id, last_tenant_id, email, email_key, fullname, fullname_key,
               password_hash, bio, location, phone, created_at
             FROM users WHERE user_id = $1"
        ),
        params![id],
        read,
    )
}

/// Like [`find`], and locks the account until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, id: UserId) -> Result<Option<User>> {
    tx.lock(sql!("SELECT 1 FROM users WHERE user_id = $1 /*for update*/"), params![id])?;
    find(tx, id)
}

/// Returns the account with this address. If there is none, a dummy row is read instead, so that
/// both cases take the same time: anyone can send an address.
pub fn find_by_email(tx: &mut Tx<'_>, email_key: &str) -> Result<Option<User>> {
    let found = tx.find(
        sql!(
            "SELECT coalesce(user_id, $2) AS user_id,
               coalesce(last_tenant_id, $2) AS last_tenant_id, coalesce(email, $1) AS email,
               coalesce(email_key, $1) AS email_key, coalesce(fullname, $1) AS fullname,
               coalesce(fullname_key, $1) AS fullname_key,
               password_hash, bio, location, phone, coalesce(created_at, 0) AS created_at
             FROM (SELECT 1 AS one) nobody LEFT JOIN users ON email_key = $1"
        ),
        params![email_key, Uuid::nil()],
        read,
    )?;
    Ok(found.filter(|user| !user.id.as_uuid().is_nil()))
}

/// Lists accounts with this full name that have a password, oldest first, at most `at_most`.
pub fn list_namesakes(tx: &mut Tx<'_>, fullname_key: &str, at_most: u32) -> Result<Vec<User>> {
    tx.query(
        sql!(
            "SELECT user_id, last_tenant_id, email, email_key, fullname, fullname_key,
               password_hash, bio, location, phone, created_at
             FROM users WHERE fullname_key = $1 AND password_hash IS NOT NULL
             ORDER BY user_id LIMIT $2"
        ),
        params![fullname_key, at_most],
        read,
    )
}

/// Lists the owners of a tenant: its active members who manage everything.
pub fn list_owners(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Vec<User>> {
    tx.query(
        sql!(
            "SELECT u.user_id, u.last_tenant_id, u.email, u.email_key, u.fullname, u.fullname_key,
               u.password_hash, u.bio, u.location, u.phone, u.created_at
             FROM memberships m JOIN users u ON u.user_id = m.user_id
             WHERE m.tenant_id = $1 AND m.status = 'active'
               AND m.role IN ('Organization_Admin', 'Individual')
             ORDER BY m.created_at, m.user_id"
        ),
        params![tenant],
        read,
    )
}

/// Updates a user's profile.
pub fn update(tx: &mut Tx<'_>, user: &User, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE users SET fullname = $2, fullname_key = $3, bio = $4, location = $5,
               phone = $6, password_hash = $7, updated_at = $8
             WHERE user_id = $1"
        ),
        params![
            user.id,
            user.fullname,
            user.fullname_key,
            user.bio,
            user.location,
            user.phone,
            user.password_hash,
            now,
        ],
    )?;
    Ok(())
}

/// The words of the full name that the user specified as first name.
pub fn firstname(tx: &mut Tx<'_>, id: UserId) -> Result<Option<String>> {
    let found: Option<Option<String>> =
        tx.find(sql!("SELECT firstname FROM users WHERE user_id = $1"), params![id], |row| {
            only_column(row)
        })?;
    Ok(found.flatten())
}

/// Sets which words of the full name are the first name.
pub fn set_firstname(tx: &mut Tx<'_>, id: UserId, firstname: Option<&str>) -> Result<()> {
    tx.execute(sql!("UPDATE users SET firstname = $2 WHERE user_id = $1"), params![id, firstname])?;
    Ok(())
}

/// Records the tenant in which a user acts now.
pub fn set_last_tenant(tx: &mut Tx<'_>, id: UserId, tenant: TenantId) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE users SET last_tenant_id = $2
             WHERE user_id = $1 AND last_tenant_id <> $2 /*unwatched*/"
        ),
        params![id, tenant],
    )?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<User> {
    Ok(User {
        id: row.get("user_id")?,
        last_tenant: row.get("last_tenant_id")?,
        email: row.get("email")?,
        email_key: row.get("email_key")?,
        fullname: row.get("fullname")?,
        fullname_key: row.get("fullname_key")?,
        password_hash: row.get("password_hash")?,
        bio: row.get("bio")?,
        location: row.get("location")?,
        phone: row.get("phone")?,
        created_at: row.get("created_at")?,
    })
}
