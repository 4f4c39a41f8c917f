//! Messages about a request, and what each side has not read.

use grantor_domain::grant::Party;
use grantor_domain::id::RequestId;
use grantor_domain::request::{Message, Request};

use super::fault;
use crate::party_count::{self, PartyList};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx};

/// Inserts a message.
pub fn insert(tx: &mut Tx<'_>, message: &Message) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO request_messages (message_id, request_id, party, user_id, author, message,
               created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)"
        ),
        params![
            message.id,
            message.request,
            message.party.name(),
            message.user,
            message.author,
            message.message,
            message.created_at,
        ],
    )?;
    Ok(())
}

/// Marks a claimed request with all its offers and messages as read by one side.
pub fn read_by(tx: &mut Tx<'_>, request: &Request, party: Party) -> Result<()> {
    match party {
        Party::Asker => tx.execute(
            sql!(
                "UPDATE requests SET unread_by_asker = 0, unread_offers = 0
                 WHERE request_id = $1"
            ),
            params![request.id],
        )?,
        Party::Owner => tx.execute(
            sql!(
                "UPDATE requests SET unread_by_owner = 0, unread_request = $2
                 WHERE request_id = $1"
            ),
            params![request.id, false],
        )?,
    };
    let unread = i64::from(request.unread_by(party));
    let tenant = match party {
        Party::Asker => request.asker,
        Party::Owner => Some(request.owner),
    };
    match tenant {
        Some(tenant) => party_count::add(tx, tenant, PartyList::Unread, "", -unread),
        None => Ok(()),
    }
}

/// Lists the newest messages of a request, oldest first.
pub fn list(tx: &mut Tx<'_>, request: RequestId, at_most: u32) -> Result<Vec<Message>> {
    let mut newest = tx.query(
        sql!(
            "SELECT message_id, request_id, party, user_id, author, message, created_at
             FROM request_messages WHERE request_id = $1 ORDER BY message_id DESC LIMIT $2"
        ),
        params![request, at_most],
        read,
    )?;
    newest.reverse();
    Ok(newest)
}

fn read(row: &Row<'_>) -> Result<Message> {
    Ok(Message {
        id: row.get("message_id")?,
        request: row.get("request_id")?,
        party: row.get::<String>("party")?.parse().map_err(fault)?,
        user: row.get("user_id")?,
        author: row.get("author")?,
        message: row.get("message")?,
        created_at: row.get("created_at")?,
    })
}
