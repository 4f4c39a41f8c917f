//! Chat addresses, and the messages on their way to them.

use std::fmt;

use grantor_domain::Timestamp;
use grantor_domain::id::{ChatAddressId, ChatMessageId, TenantId};
use grantor_domain::notice::{ChatAddress, ChatName, NoticeKind};

use crate::request::{from_json, json};
use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, only_column};

/// A message claimed for sending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedMessage {
    /// The message's id.
    pub id: ChatMessageId,
    /// Where it is sent.
    pub address: ChatAddressId,
    /// The text.
    pub body: String,
    /// Number of attempts including this one.
    pub attempts: u32,
}

/// The sealed URL of a chat address.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedUrl(pub Vec<u8>);

impl fmt::Debug for SealedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedUrl(…)")
    }
}

/// Inserts a chat address.
pub fn insert(tx: &mut Tx<'_>, address: &ChatAddress, url: &SealedUrl) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO chat_addresses (chat_address_id, tenant_id, name, sealed_url, host, ending,
               kinds, status, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        ),
        params![
            address.id,
            address.tenant,
            address.name.as_str(),
            url.0,
            address.origin,
            address.ending,
            json(&names(&address.kinds))?,
            address.status.name(),
            address.created_at,
            address.updated_at,
        ],
    )?;
    Ok(())
}

/// Updates a chat address; its URL only if there is a new one.
pub fn update(tx: &mut Tx<'_>, address: &ChatAddress, url: Option<&SealedUrl>) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE chat_addresses SET name = $2, sealed_url = coalesce($3, sealed_url), host = $4,
               ending = $5, kinds = $6, status = $7, failing_since = $8, last_error = $9,
               updated_at = $10
             WHERE chat_address_id = $1"
        ),
        params![
            address.id,
            address.name.as_str(),
            url.map(|it| it.0.as_slice()),
            address.origin,
            address.ending,
            json(&names(&address.kinds))?,
            address.status.name(),
            address.failing_since,
            address.last_error,
            address.updated_at,
        ],
    )?;
    Ok(())
}

/// Deletes a chat address and the messages on their way to it.
pub fn delete(tx: &mut Tx<'_>, id: ChatAddressId) -> Result<()> {
    tx.execute(sql!("DELETE FROM chat_addresses WHERE chat_address_id = $1"), params![id])?;
    Ok(())
}

/// Returns a tenant's chat address.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, id: ChatAddressId) -> Result<Option<ChatAddress>> {
    Ok(find_anywhere(tx, id)?.filter(|it| it.tenant == tenant))
}

/// Returns the chat address of any tenant, for the sender.
pub fn find_anywhere(tx: &mut Tx<'_>, id: ChatAddressId) -> Result<Option<ChatAddress>> {
    Ok(select(tx, 0, params![id])?.pop())
}

/// Like [`find_anywhere`], and locks the chat address until the unit of work ends.
pub fn claim_address(tx: &mut Tx<'_>, id: ChatAddressId) -> Result<Option<ChatAddress>> {
    tx.lock(
        sql!("SELECT 1 FROM chat_addresses WHERE chat_address_id = $1 /*for update*/"),
        params![id],
    )?;
    find_anywhere(tx, id)
}

/// Lists a tenant's chat addresses, oldest first.
pub fn list(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Vec<ChatAddress>> {
    select(tx, 1, params![tenant])
}

fn select(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Vec<ChatAddress>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT chat_address_id, tenant_id, name, host, ending, kinds, status, failing_since,
               last_success_at, last_error, created_at, updated_at
             FROM chat_addresses WHERE ",
            ["chat_address_id = $1", "tenant_id = $1"],
            " ORDER BY chat_address_id"
        ),
        key,
        read,
    )
}

/// Lists the sealed URLs of a tenant's chat addresses.
pub fn sealed_urls(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Vec<(ChatAddressId, SealedUrl)>> {
    tx.query(
        sql!("SELECT chat_address_id, sealed_url FROM chat_addresses WHERE tenant_id = $1"),
        params![tenant],
        |row| Ok((row.get("chat_address_id")?, SealedUrl(row.get("sealed_url")?))),
    )
}

/// Returns the sealed URL of a chat address.
pub fn sealed_url(tx: &mut Tx<'_>, id: ChatAddressId) -> Result<Option<SealedUrl>> {
    tx.find(
        sql!("SELECT sealed_url FROM chat_addresses WHERE chat_address_id = $1"),
        params![id],
        |row| Ok(SealedUrl(only_column(row)?)),
    )
}

/// Queues a message, to be sent at `due_at`.
pub fn enqueue(
    tx: &mut Tx<'_>,
    id: ChatMessageId,
    address: ChatAddressId,
    body: &str,
    (now, due_at): (Timestamp, Timestamp),
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO chat_messages (chat_message_id, chat_address_id, body, attempts, due_at,
               created_at)
             VALUES ($1, $2, $3, 0, $5, $4)"
        ),
        params![id, address, body, now, due_at],
    )?;
    Ok(())
}

/// Deletes the messages to a chat that were queued at that time, lead to a link and did not arrive
/// yet. One that is being sent stays. Returns their number.
pub fn take_back(
    tx: &mut Tx<'_>,
    address: ChatAddressId,
    link: &str,
    at: Timestamp,
) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM chat_messages
             WHERE chat_address_id = $1 AND created_at = $2 AND node_id IS NULL AND body LIKE $3"
        ),
        params![address, at, format!("%{link}%")],
    )
}

/// Claims due messages until `until`; then, or when the node dies, they are due again, so that a
/// crash loses none.
pub fn claim(
    tx: &mut Tx<'_>,
    now: Timestamp,
    until: Timestamp,
    at_most: u32,
) -> Result<Vec<ClaimedMessage>> {
    let node = tx.node();
    let mut claimed = tx.query(
        sql!(
            "WITH due AS MATERIALIZED (
               SELECT chat_message_id FROM chat_messages WHERE due_at <= $1
               ORDER BY due_at, chat_message_id LIMIT $3 /*skip locked*/)
             UPDATE chat_messages SET attempts = attempts + 1, due_at = $2, node_id = $4
             WHERE chat_message_id IN (SELECT chat_message_id FROM due)
             RETURNING chat_message_id, chat_address_id, body, attempts"
        ),
        params![now, until, at_most, node],
        |row| {
            let (id, address) = (row.get("chat_message_id")?, row.get("chat_address_id")?);
            Ok(ClaimedMessage {
                id,
                address,
                body: row.get("body")?,
                attempts: row.get("attempts")?,
            })
        },
    )?;
    claimed.sort_by_key(|it| it.id);
    Ok(claimed)
}

/// Deletes a message that arrived or is given up. False if another worker has claimed it.
pub fn finish(tx: &mut Tx<'_>, message: &ClaimedMessage) -> Result<bool> {
    let deleted = tx.execute(
        sql!("DELETE FROM chat_messages WHERE chat_message_id = $1 AND attempts = $2"),
        params![message.id, message.attempts],
    )?;
    Ok(deleted == 1)
}

/// Schedules the next attempt of a message.
pub fn retry(tx: &mut Tx<'_>, message: &ClaimedMessage, at: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE chat_messages SET due_at = $3, node_id = NULL
             WHERE chat_message_id = $1 AND attempts = $2"
        ),
        params![message.id, message.attempts, at],
    )?;
    Ok(())
}

/// Deletes all messages on their way to a chat address.
pub fn clear(tx: &mut Tx<'_>, address: ChatAddressId) -> Result<()> {
    tx.execute(sql!("DELETE FROM chat_messages WHERE chat_address_id = $1"), params![address])?;
    Ok(())
}

/// Records that a message arrived.
pub fn record_success(tx: &mut Tx<'_>, id: ChatAddressId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE chat_addresses SET last_success_at = $2, failing_since = NULL, last_error = NULL
             WHERE chat_address_id = $1"
        ),
        params![id, now],
    )?;
    Ok(())
}

/// Records that a message failed and returns since when messages fail.
pub fn record_failure(
    tx: &mut Tx<'_>,
    id: ChatAddressId,
    error: &str,
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    tx.find(
        sql!(
            "UPDATE chat_addresses SET failing_since = coalesce(failing_since, $2), last_error = $3
             WHERE chat_address_id = $1 RETURNING failing_since"
        ),
        params![id, now, error],
        only_column,
    )
}

fn names(kinds: &[NoticeKind]) -> Vec<&'static str> {
    kinds.iter().map(|it| it.name()).collect()
}

/// Rows of earlier versions have only the host.
fn origin(host: String) -> String {
    if host.contains("://") { host } else { format!("https://{host}") }
}

fn read(row: &Row<'_>) -> Result<ChatAddress> {
    let kinds: Vec<String> = from_json(&row.get::<String>("kinds")?)?;
    Ok(ChatAddress {
        id: row.get("chat_address_id")?,
        tenant: row.get("tenant_id")?,
        name: ChatName::parse(&row.get::<String>("name")?).map_err(Error::Fault)?,
        origin: origin(row.get("host")?),
        ending: row.get("ending")?,
        // A kind that no longer exists, or that chats no longer get, is left out.
        kinds: kinds.iter().filter_map(|it| NoticeKind::parse_of_chats(it).ok()).collect(),
        status: row.get::<String>("status")?.parse().map_err(Error::Fault)?,
        failing_since: row.get("failing_since")?,
        last_success_at: row.get("last_success_at")?,
        last_error: row.get("last_error")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
