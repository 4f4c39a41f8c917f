//! Messages between the parties.

use grantor_domain::Result;
use grantor_domain::access::Actor;
use grantor_domain::event::EventType;
use grantor_domain::grant::Party;
use grantor_domain::id::RequestId;
use grantor_domain::request::{Message, RequestAct};
use grantor_domain::role::Right;
use grantor_storage::request::{self, RequestRecord};
use serde_json::json;

use super::{Side, bind, claim, not_found, request_event, resource, save};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::licensing::notice;
use crate::organizations::rights;
use crate::{App, Context};

/// Writes a message, already validated, while the request is open or offered.
pub async fn send(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: RequestId,
    message: String,
) -> Result<Message> {
    app.act(context, Send { caller, id, message }).await
}

/// Marks the request, its offers and its messages as read by the caller's side. Someone with a
/// licensor permission does not read for the owner.
pub async fn mark_read(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: RequestId,
) -> Result<()> {
    app.act(context, MarkRead { caller, id }).await
}

struct Send {
    caller: TenantCaller,
    id: RequestId,
    message: String,
}

impl Act for Send {
    type Permit = (RequestRecord, Side);
    type Output = Message;
    const ACTION: &'static str = "request.message";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let (record, side) = claim(unit, self.caller, self.id)?;
        match side {
            Side { party: Party::Owner, binds: false } => {
                rights::require(unit, Right::EditLicenses)?;
            }
            _ => super::require_binding(unit, &record.request, side)?,
        }
        RequestAct::Message.apply(side.party, record.request.status_at(unit.now))?;
        Ok((record, side))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (record, side): Self::Permit,
    ) -> Result<Done<Message>> {
        let (mut record, events) = bind(unit, record, side, self.caller)?;
        let message = Message {
            id: unit.ids.at(unit.now),
            request: self.id,
            party: side.party,
            user: self.caller.user,
            author: author(unit.actor),
            message: self.message.clone(),
            created_at: unit.now,
        };
        request::insert_message(unit.tx, &message)?;
        notice::message_sent(unit, &record, &message)?;
        record.request = save(unit, &record.request, record.request.status, |it| {
            if side.binds {
                it.mark_read_by(side.party);
            }
            it.add_unread_message(side.party.other());
        })?;
        let mut event = request_event(unit, EventType::RequestMessage, &record, None, None);
        event.data["message"] = json!({
            "id": message.id, "party": message.party, "author": message.author,
            "message": message.message, "created_at": message.created_at,
        });
        let mut done = Done::new(message, resource(&record), "A message was sent");
        done.events = events;
        let done = done.with_event(event);
        Ok(done.for_license(record.request.license))
    }
}

/// The name under which a person writes.
pub(super) fn author(actor: &Actor) -> String {
    actor.name().to_owned()
}

struct MarkRead {
    caller: TenantCaller,
    id: RequestId,
}

impl Act for MarkRead {
    type Permit = (RequestRecord, Side);
    type Output = ();
    const ACTION: &'static str = "request.read";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let record = request::claim(unit.tx, self.id)?.ok_or_else(not_found)?;
        let side = super::side(unit.tx, self.caller, &record.request)?;
        Ok((record, side))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (record, side): Self::Permit,
    ) -> Result<Done<()>> {
        if side.binds {
            request::read_by(unit.tx, &record.request, side.party)?;
        }
        Ok(Done::new((), resource(&record), "A request was marked as read"))
    }
}
