//! Requests for help, and what staff answered.

use grantor_domain::Timestamp;
use grantor_domain::help_request::{HelpAnswer, HelpRequest};
use grantor_domain::id::{AdminId, HelpRequestId, TenantId};
use grantor_domain::page::{Listing, Page};

use crate::statement::{sql, sql_choice};
use crate::total::{self, BOUND, Total};
use crate::value::params;
use crate::{Result, Row, Tx, only_column};

/// A request with the names of those who ask, for staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedHelpRequest {
    /// The request.
    pub request: HelpRequest,
    /// The organization's name.
    pub tenant_name: String,
    /// The name of the person who asks.
    pub fullname: String,
    /// The address of the person who asks.
    pub email: String,
}

/// Inserts a request.
pub fn insert(tx: &mut Tx<'_>, request: &HelpRequest) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO help_requests (help_request_id, tenant_id, user_id, message, created_at)
             VALUES ($1, $2, $3, $4, $5)"
        ),
        params![request.id, request.tenant, request.user, request.message, request.created_at],
    )?;
    Ok(())
}

/// Counts a tenant's requests without an answer, up to a bound. After `tenant::claim`, the count
/// stays valid until the unit of work ends.
pub fn count_open_of(tx: &mut Tx<'_>, tenant: TenantId, at_most: u32) -> Result<u64> {
    let found: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT 1 FROM help_requests WHERE tenant_id = $1 AND answered_at IS NULL
               LIMIT $2) found"
        ),
        params![tenant, at_most],
        only_column,
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Returns a request and locks it until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, id: HelpRequestId) -> Result<Option<ListedHelpRequest>> {
    tx.lock(
        sql!("SELECT 1 FROM help_requests WHERE help_request_id = $1 /*for update*/"),
        params![id],
    )?;
    find(tx, id)
}

/// Returns a request.
pub fn find(tx: &mut Tx<'_>, id: HelpRequestId) -> Result<Option<ListedHelpRequest>> {
    tx.find(
        sql!(
            "SELECT h.help_request_id, h.tenant_id, h.user_id, h.message, h.created_at, h.answer,
               h.answered_by, h.answered_at, t.name, u.fullname, u.email
             FROM help_requests h JOIN tenants t ON t.tenant_id = h.tenant_id
             JOIN users u ON u.user_id = h.user_id
             WHERE h.help_request_id = $1"
        ),
        params![id],
        read_listed,
    )
}

/// Stores the answer.
pub fn answer(tx: &mut Tx<'_>, id: HelpRequestId, answer: &HelpAnswer) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE help_requests SET answer = $2, answered_by = $3, answered_at = $4
             WHERE help_request_id = $1"
        ),
        params![id, answer.text, answer.by, answer.at],
    )?;
    Ok(())
}

/// Lists a tenant's requests, newest first.
pub fn list_of(tx: &mut Tx<'_>, tenant: TenantId, page: Page) -> Result<Listing<HelpRequest>> {
    let items = tx.query(
        sql!(
            "SELECT help_request_id, tenant_id, user_id, message, created_at, answer, answered_by,
               answered_at
             FROM help_requests WHERE tenant_id = $1
             ORDER BY help_request_id DESC LIMIT $2 OFFSET $3"
        ),
        params![tenant, page.size() + 1, page.offset()],
        read,
    )?;
    total::listing(page, items, || {
        let found: Option<i64> = tx.find(
            sql!(
                "SELECT count(*) FROM (
                   SELECT 1 FROM help_requests WHERE tenant_id = $1 LIMIT $2) found"
            ),
            params![tenant, BOUND],
            only_column,
        )?;
        Ok(bounded(found))
    })
}

/// Lists requests of all tenants: those that wait for an answer, longest first, or all, newest first.
pub fn list(tx: &mut Tx<'_>, open_only: bool, page: Page) -> Result<Listing<ListedHelpRequest>> {
    let items = tx.query(
        sql_choice!(
            usize::from(open_only),
            "SELECT h.help_request_id, h.tenant_id, h.user_id, h.message, h.created_at, h.answer,
               h.answered_by, h.answered_at, t.name, u.fullname, u.email
             FROM help_requests h JOIN tenants t ON t.tenant_id = h.tenant_id
             JOIN users u ON u.user_id = h.user_id WHERE ",
            [
                "h.help_request_id IS NOT NULL ORDER BY h.help_request_id DESC",
                "h.answered_at IS NULL ORDER BY h.created_at, h.help_request_id"
            ],
            " LIMIT $1 OFFSET $2"
        ),
        params![page.size() + 1, page.offset()],
        read_listed,
    )?;
    total::listing(page, items, || {
        let found: Option<i64> = tx.find(
            sql_choice!(
                usize::from(open_only),
                "SELECT count(*) FROM (SELECT 1 FROM help_requests WHERE ",
                ["help_request_id IS NOT NULL", "answered_at IS NULL"],
                " LIMIT $1) found"
            ),
            params![BOUND],
            only_column,
        )?;
        Ok(bounded(found))
    })
}

fn bounded(found: Option<i64>) -> Total {
    let found = found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    if found == u64::from(BOUND) { Total::About(found) } else { Total::Exact(found) }
}

fn read_listed(row: &Row<'_>) -> Result<ListedHelpRequest> {
    Ok(ListedHelpRequest {
        request: read(row)?,
        tenant_name: row.get("name")?,
        fullname: row.get("fullname")?,
        email: row.get("email")?,
    })
}

fn read(row: &Row<'_>) -> Result<HelpRequest> {
    let text: Option<String> = row.get("answer")?;
    let by: Option<AdminId> = row.get("answered_by")?;
    let at: Option<Timestamp> = row.get("answered_at")?;
    let answer = text.zip(by).zip(at).map(|((text, by), at)| HelpAnswer { text, by, at });
    Ok(HelpRequest {
        id: row.get("help_request_id")?,
        tenant: row.get("tenant_id")?,
        user: row.get("user_id")?,
        message: row.get("message")?,
        created_at: row.get("created_at")?,
        answer,
    })
}
