//! Connections of organizations to their identity providers, and the domains they proved.

use std::fmt;

use grantor_domain::Timestamp;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::platform::ProofToken;
use grantor_domain::role::Role;
use grantor_domain::single_sign_on::{
    Connection, DomainClaim, Issuer, MailDomain, ProviderClientId,
};

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

/// An organization claims a domain once.
pub const DOMAIN_IS_CLAIMED: &str = "single_sign_on_domains_pkey";

/// One organization has proved a domain.
pub const DOMAIN_IS_PROVED: &str = "single_sign_on_domains_proved";

/// The sealed secret of a connection.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedSecret(pub Vec<u8>);

impl fmt::Debug for SealedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedSecret(…)")
    }
}

/// Returns the connection of an organization with its secret.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Option<(Connection, SealedSecret)>> {
    tx.find(
        sql!(
            "SELECT tenant_id, issuer, client_id, sealed_secret, metadata, enabled,
               new_member_role, created_at, updated_at
             FROM single_sign_on WHERE tenant_id = $1"
        ),
        params![tenant],
        read,
    )
}

/// Sets the connection of an organization.
pub fn put(tx: &mut Tx<'_>, connection: &Connection, secret: &SealedSecret) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO single_sign_on (tenant_id, issuer, client_id, sealed_secret, metadata,
               enabled, new_member_role, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT (tenant_id) DO UPDATE
             SET issuer = $2, client_id = $3, sealed_secret = $4, metadata = $5, enabled = $6,
               new_member_role = $7, updated_at = $9"
        ),
        params![
            connection.tenant,
            connection.issuer.as_str(),
            connection.client_id.as_str(),
            secret.0,
            connection.metadata,
            connection.enabled,
            connection.new_member_role.map(Role::name),
            connection.created_at,
            connection.updated_at,
        ],
    )?;
    Ok(())
}

/// Deletes the connection of an organization and who its provider's people are. The proved domains
/// stay.
pub fn delete(tx: &mut Tx<'_>, tenant: TenantId) -> Result<bool> {
    delete_subjects(tx, tenant)?;
    let deleted =
        tx.execute(sql!("DELETE FROM single_sign_on WHERE tenant_id = $1"), params![tenant])?;
    Ok(deleted == 1)
}

/// Returns the organization that has proved a domain.
pub fn find_by_domain(tx: &mut Tx<'_>, domain: &MailDomain) -> Result<Option<TenantId>> {
    tx.find(
        sql!(
            "SELECT tenant_id FROM single_sign_on_domains
             WHERE domain = $1 AND proved_at IS NOT NULL"
        ),
        params![domain.as_str()],
        only_column,
    )
}

/// Lists the domains of an organization by name. There are few; see
/// `grantor_domain::single_sign_on::MAX_DOMAINS`.
pub fn domains(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Vec<DomainClaim>> {
    tx.query(
        sql!(
            "SELECT domain, token, proved_at, created_at FROM single_sign_on_domains
             WHERE tenant_id = $1 ORDER BY domain"
        ),
        params![tenant],
        read_domain,
    )
}

/// Returns one of an organization's domains.
pub fn find_domain(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    domain: &MailDomain,
) -> Result<Option<DomainClaim>> {
    tx.find(
        sql!(
            "SELECT domain, token, proved_at, created_at FROM single_sign_on_domains
             WHERE tenant_id = $1 AND domain = $2"
        ),
        params![tenant, domain.as_str()],
        read_domain,
    )
}

/// Inserts a claim. The organization may have claimed the domain; see [`DOMAIN_IS_CLAIMED`].
pub fn insert_domain(tx: &mut Tx<'_>, tenant: TenantId, claim: &DomainClaim) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO single_sign_on_domains (tenant_id, domain, token, proved_at, created_at)
             VALUES ($1, $2, $3, $4, $5)"
        ),
        params![
            tenant,
            claim.domain.as_str(),
            claim.token.as_str(),
            claim.proved_at,
            claim.created_at,
        ],
    )?;
    Ok(())
}

/// Records that a domain was proved. Another organization may have proved it; see
/// [`DOMAIN_IS_PROVED`].
pub fn set_proved(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    domain: &MailDomain,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE single_sign_on_domains SET proved_at = $3
             WHERE tenant_id = $1 AND domain = $2 AND proved_at IS NULL"
        ),
        params![tenant, domain.as_str(), now],
    )?;
    Ok(())
}

/// Deletes a claim. False if there was none.
pub fn delete_domain(tx: &mut Tx<'_>, tenant: TenantId, domain: &MailDomain) -> Result<bool> {
    let deleted = tx.execute(
        sql!("DELETE FROM single_sign_on_domains WHERE tenant_id = $1 AND domain = $2"),
        params![tenant, domain.as_str()],
    )?;
    Ok(deleted == 1)
}

/// Returns the account of somebody at the provider.
pub fn find_subject(tx: &mut Tx<'_>, tenant: TenantId, subject: &str) -> Result<Option<UserId>> {
    tx.find(
        sql!("SELECT user_id FROM single_sign_on_subjects WHERE tenant_id = $1 AND subject = $2"),
        params![tenant, subject],
        only_column,
    )
}

/// Whether an account belongs to somebody at the provider.
pub fn has_subject(tx: &mut Tx<'_>, tenant: TenantId, user: UserId) -> Result<bool> {
    let found: Option<String> = tx.find(
        sql!("SELECT subject FROM single_sign_on_subjects WHERE user_id = $1 AND tenant_id = $2"),
        params![user, tenant],
        only_column,
    )?;
    Ok(found.is_some())
}

/// Records whose account somebody at the provider has.
pub fn insert_subject(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    subject: &str,
    user: UserId,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO single_sign_on_subjects (tenant_id, subject, user_id, created_at)
             VALUES ($1, $2, $3, $4)"
        ),
        params![tenant, subject, user, now],
    )?;
    Ok(())
}

/// Forgets whose accounts the provider's people have.
pub fn delete_subjects(tx: &mut Tx<'_>, tenant: TenantId) -> Result<u64> {
    tx.execute(sql!("DELETE FROM single_sign_on_subjects WHERE tenant_id = $1"), params![tenant])
}

fn read(row: &Row<'_>) -> Result<(Connection, SealedSecret)> {
    let role: Option<String> = row.get("new_member_role")?;
    let fault = |reason: &'static str| Error::Fault(reason.to_owned());
    let connection = Connection {
        tenant: row.get("tenant_id")?,
        issuer: Issuer::parse(&row.get::<String>("issuer")?).map_err(fault)?,
        client_id: ProviderClientId::parse(&row.get::<String>("client_id")?)
            .map_err(Error::Fault)?,
        metadata: row.get("metadata")?,
        enabled: row.get("enabled")?,
        new_member_role: role.map(|it| it.parse()).transpose().map_err(Error::Fault)?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    };
    Ok((connection, SealedSecret(row.get("sealed_secret")?)))
}

fn read_domain(row: &Row<'_>) -> Result<DomainClaim> {
    let fault = || Error::Fault("an invalid domain of single sign-on".to_owned());
    Ok(DomainClaim {
        domain: MailDomain::parse(&row.get::<String>("domain")?).map_err(|_| fault())?,
        token: ProofToken::parse(&row.get::<String>("token")?).ok_or_else(fault)?,
        proved_at: row.get("proved_at")?,
        created_at: row.get("created_at")?,
    })
}
