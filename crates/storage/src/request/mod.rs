//! Requests for grants, with their offers and messages.

mod address;
mod message;
mod offer;
mod page;

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::grant::Party;
use grantor_domain::id::{LicenseId, RequestId, TenantId};
use grantor_domain::request::{Request, RequestStatus};
use grantor_domain::role::TenantType;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use self::address::unread as unread_by_address;
pub use self::message::{insert as insert_message, list as messages, read_by};
pub use self::offer::list_open_of_talent as open_offers_of_talent;
pub use self::offer::{find_open as open_offer, insert as insert_offer, list as offers};
pub use self::offer::{last_status as last_offer_status, mark_blocked};
pub use self::offer::{set_status as set_offer_status, withdraw as withdraw_offer};
pub use self::page::{RequestFilter, Viewer, page};
use crate::party_count::{self, PartyList};
use crate::record_index::{self, RecordKind};
use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Error, Result, Row, Tx, only_column, party};

/// How many requests one statement looks up.
const AT_ONCE: usize = 20;

/// A tenant with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartyName {
    /// The tenant.
    pub id: TenantId,
    /// The name.
    pub name: String,
    /// The tenant type.
    pub kind: TenantType,
}

/// A request with the names of what it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestRecord {
    /// The request.
    pub request: Request,
    /// The license's title, even if the license was deleted.
    pub license_title: String,
    /// The talent's name.
    pub talent_name: String,
    /// The owner.
    pub owner: PartyName,
    /// The asker; `None` until someone acts on an offer to an email address.
    pub asker: Option<PartyName>,
}

/// Inserts a request and counts it. `email_key` is the normalized form of its address.
pub fn insert(tx: &mut Tx<'_>, request: &Request, email_key: Option<&str>) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO requests (request_id, license_id, talent_id, owner_id, asker_id, email,
               email_key, status, begun_by, coverage, purpose, channels, budget, reason,
               unread_by_asker, unread_by_owner, lapses_at, version, created_by, created_at,
               updated_at, unread_offers, unread_request)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
               $18, $19, $20, $21, $22, $23)"
        ),
        params![
            request.id,
            request.license,
            request.talent,
            request.owner,
            request.asker,
            request.email,
            email_key,
            request.status.name(),
            request.begun_by.name(),
            json(&request.coverage)?,
            request.purpose,
            json(&request.channels)?,
            request.budget.as_ref().map(json).transpose()?,
            request.reason,
            request.unread_by_asker,
            request.unread_by_owner,
            request.lapses_at,
            request.version,
            request.created_by,
            request.created_at,
            request.updated_at,
            request.unread_offers,
            request.unread_request,
        ],
    )?;
    record_index::mark(tx, RecordKind::Request, request.id.as_uuid())?;
    add_counts(tx, counts(request))?;
    match request.asker {
        Some(asker) => party::share(tx, request.owner, asker, 1),
        None => Ok(()),
    }
}

/// Stores the asker and status of a claimed request, when it lapses, how it was closed and what is
/// unread, as a new version.
pub fn update(tx: &mut Tx<'_>, before: &Request, after: &Request) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE requests SET asker_id = $2, status = $3, reason = $4, lapses_at = $5,
               version = $6, updated_at = $7, closed_by = $8, closed_at = $9,
               unread_by_asker = $10, unread_by_owner = $11, unread_offers = $12,
               unread_request = $13
             WHERE request_id = $1"
        ),
        params![
            after.id,
            after.asker,
            after.status.name(),
            after.reason,
            after.lapses_at,
            after.version,
            after.updated_at,
            after.closed_by,
            after.closed_at,
            after.unread_by_asker,
            after.unread_by_owner,
            after.unread_offers,
            after.unread_request,
        ],
    )?;
    record_index::mark(tx, RecordKind::Request, after.id.as_uuid())?;
    let less = counts(before).into_iter().map(|it| Count { total: -it.total, ..it });
    add_counts(tx, less.chain(counts(after)))?;
    // The parties know each other from now on.
    match after.asker.filter(|_| before.asker.is_none()) {
        Some(tenant) => party::share(tx, after.owner, tenant, 1),
        None => Ok(()),
    }
}

/// What a request adds to a count of a tenant.
#[derive(Clone, Copy)]
struct Count {
    tenant: TenantId,
    list: PartyList,
    status: &'static str,
    total: i64,
}

/// What a request counts for: the lists it is in, and what its parties have not read. Nothing counts
/// for an email address until a tenant acts for it.
fn counts(request: &Request) -> Vec<Count> {
    let of = |tenant: TenantId, list: PartyList, party: Party| {
        let unread = i64::from(request.unread_by(party));
        [
            Count { tenant, list, status: request.status.name(), total: 1 },
            Count { tenant, list: PartyList::Unread, status: "", total: unread },
        ]
    };
    let made = request.asker.map(|it| of(it, PartyList::RequestsMade, Party::Asker));
    let received = of(request.owner, PartyList::RequestsReceived, Party::Owner);
    made.into_iter().flatten().chain(received).collect()
}

/// Adds to counts, to each once and in one order, so that two units of work cannot deadlock.
fn add_counts(tx: &mut Tx<'_>, counts: impl IntoIterator<Item = Count>) -> Result<()> {
    let mut sums = BTreeMap::new();
    for Count { tenant, list, status, total } in counts {
        sums.entry((tenant, list as u8, status)).or_insert((list, 0)).1 += total;
    }
    for ((tenant, _, status), (list, total)) in sums {
        party_count::add(tx, tenant, list, status, total)?;
    }
    Ok(())
}

/// Returns the request with this id.
pub fn find(tx: &mut Tx<'_>, id: RequestId) -> Result<Option<RequestRecord>> {
    Ok(load(tx, &[id])?.pop())
}

/// Like [`find`], and locks the request until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, id: RequestId) -> Result<Option<RequestRecord>> {
    tx.lock(sql!("SELECT 1 FROM requests WHERE request_id = $1 /*for update*/"), params![id])?;
    find(tx, id)
}

/// Returns the requests with these ids, in any order.
pub fn load(tx: &mut Tx<'_>, ids: &[RequestId]) -> Result<Vec<RequestRecord>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT r.request_id, r.license_id, r.talent_id, r.owner_id, r.asker_id, r.email,
                   r.status, r.begun_by, r.coverage, r.purpose, r.channels, r.budget, r.reason,
                   r.unread_by_asker, r.unread_by_owner, r.lapses_at, r.version, r.created_by,
                   r.created_at, r.updated_at, l.title, t.fullname, o.name AS owner_name,
                   o.type AS owner_type, a.name AS asker_name, a.type AS asker_type,
                   r.closed_by, r.closed_at, r.unread_offers, r.unread_request
                 FROM requests r
                 JOIN licenses l ON l.license_id = r.license_id
                 JOIN talents t ON t.talent_id = r.talent_id
                 JOIN tenants o ON o.tenant_id = r.owner_id
                 LEFT JOIN tenants a ON a.tenant_id = r.asker_id
                 WHERE r.request_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
                   $14, $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

/// Returns the live request of an asker for a license.
pub fn find_live(
    tx: &mut Tx<'_>,
    license: LicenseId,
    asker: TenantId,
    now: Timestamp,
) -> Result<Option<RequestId>> {
    tx.find(
        sql!(
            "SELECT request_id FROM requests
             WHERE license_id = $1 AND asker_id = $2 AND asker_id IS NOT NULL
               AND status IN ('open', 'offered') AND lapses_at > $3"
        ),
        params![license, asker, now],
        only_column,
    )
}

/// Returns the live offer of a license to an email address.
pub fn find_live_email(
    tx: &mut Tx<'_>,
    license: LicenseId,
    email_key: &str,
    now: Timestamp,
) -> Result<Option<RequestId>> {
    tx.find(
        sql!(
            "SELECT request_id FROM requests
             WHERE license_id = $1 AND email_key = $2 AND email_key IS NOT NULL
               AND status IN ('open', 'offered') AND lapses_at > $3"
        ),
        params![license, email_key, now],
        only_column,
    )
}

/// Like [`find_live_email`], for an offer that nobody has acted on yet.
pub fn find_live_unclaimed(
    tx: &mut Tx<'_>,
    license: LicenseId,
    email_key: &str,
    now: Timestamp,
) -> Result<Option<RequestId>> {
    tx.find(
        sql!(
            "SELECT request_id FROM requests
             WHERE license_id = $1 AND email_key = $2 AND email_key IS NOT NULL
               AND asker_id IS NULL AND status IN ('open', 'offered') AND lapses_at > $3"
        ),
        params![license, email_key, now],
        only_column,
    )
}

/// Lists live requests whose time is over, the longest overdue first.
pub fn list_lapsed(tx: &mut Tx<'_>, now: Timestamp, at_most: u32) -> Result<Vec<RequestId>> {
    tx.query(
        sql!(
            "SELECT request_id FROM requests
             WHERE status IN ('open', 'offered') AND lapses_at <= $1
             ORDER BY lapses_at LIMIT $2"
        ),
        params![now, at_most],
        only_column,
    )
}

/// Lists a license's live requests whose time is over, which still occupy their place.
pub fn list_lapsed_of_license(
    tx: &mut Tx<'_>,
    license: LicenseId,
    now: Timestamp,
) -> Result<Vec<RequestId>> {
    tx.query(
        sql!(
            "SELECT request_id FROM requests
             WHERE license_id = $1 AND status IN ('open', 'offered') AND lapses_at <= $2
             ORDER BY request_id"
        ),
        params![license, now],
        only_column,
    )
}

pub(crate) fn json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Fault(error.to_string()))
}

pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(fault)
}

pub(crate) fn fault(error: impl std::fmt::Display) -> Error {
    Error::Fault(format!("invalid request or grant: {error}"))
}

fn read(row: &Row<'_>) -> Result<RequestRecord> {
    let text = |name| row.get::<String>(name);
    let request = Request {
        id: row.get("request_id")?,
        license: row.get("license_id")?,
        talent: row.get("talent_id")?,
        owner: row.get("owner_id")?,
        asker: row.get("asker_id")?,
        email: row.get("email")?,
        status: text("status")?.parse::<RequestStatus>().map_err(fault)?,
        begun_by: text("begun_by")?.parse::<Party>().map_err(fault)?,
        coverage: from_json(&text("coverage")?)?,
        purpose: text("purpose")?,
        channels: from_json(&text("channels")?)?,
        budget: row.get::<Option<String>>("budget")?.map(|it| from_json(&it)).transpose()?,
        reason: row.get("reason")?,
        closed_by: row.get("closed_by")?,
        closed_at: row.get("closed_at")?,
        unread_by_asker: row.get("unread_by_asker")?,
        unread_by_owner: row.get("unread_by_owner")?,
        unread_offers: row.get("unread_offers")?,
        unread_request: row.get("unread_request")?,
        lapses_at: row.get("lapses_at")?,
        version: row.get("version")?,
        created_by: row.get("created_by")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    };
    let asker = match (request.asker, row.get::<Option<String>>("asker_name")?) {
        (Some(id), Some(name)) => Some(PartyName { id, name, kind: kind(&text("asker_type")?)? }),
        _ => None,
    };
    let owner = PartyName {
        id: request.owner,
        name: text("owner_name")?,
        kind: kind(&text("owner_type")?)?,
    };
    Ok(RequestRecord {
        request,
        license_title: text("title")?,
        talent_name: text("fullname")?,
        owner,
        asker,
    })
}

pub(crate) fn kind(name: &str) -> Result<TenantType> {
    name.parse().map_err(fault)
}
