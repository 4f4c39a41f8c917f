//! Mails about requests, offers and grants to the people of both parties (contract-2 section 26).

use grantor_domain::grant::Party;
use grantor_domain::request::{Message, Request};
use grantor_domain::template::MailKind;
use grantor_domain::text::with_period;
use grantor_domain::{Result, Timestamp};
use grantor_storage::grant::GrantRecord;
use grantor_storage::request::RequestRecord;
use url::form_urlencoded::byte_serialize;

use crate::act::UnitOfWork;
use crate::mail::notify::{Audience, inform_address, notify, notify_address};
use crate::mail::phrase::{MailValue, date, days, message, plain};

/// Tells the owner of a license that it was requested.
pub(super) fn request_received(
    unit: &mut UnitOfWork<'_, '_>,
    record: &RequestRecord,
) -> Result<()> {
    let more = [plain("purpose", &record.request.purpose)];
    tell(unit, MailKind::RequestReceived, record, Party::Owner, &more)
}

/// Tells the asker about an offer. Until somebody acts on an offer to an email address, the mail
/// goes to the address alone.
pub(super) fn offer_made(unit: &mut UnitOfWork<'_, '_>, record: &RequestRecord) -> Result<()> {
    let request = &record.request;
    let more = [date("date", request.lapses_at)];
    match unclaimed_address(request) {
        Some(address) => {
            let link = address_link(unit, request, address);
            let values = values(record, Party::Asker, &link, &more);
            notify_address(unit, MailKind::OfferInvitation, address, &values)
        }
        None => tell(unit, MailKind::OfferReceived, record, Party::Asker, &more),
    }
}

/// Tells the other side about a message, if that side has read all messages before it.
pub(super) fn message_sent(
    unit: &mut UnitOfWork<'_, '_>,
    record: &RequestRecord,
    message: &Message,
) -> Result<()> {
    let other = message.party.other();
    if record.request.unread_messages_by(other) > 0 {
        return Ok(());
    }
    let more = [plain("author", &message.author), plain("message", &message.message)];
    tell(unit, MailKind::RequestMessage, record, other, &more)
}

/// Tells the other side that a party declined its request or offer.
pub(super) fn declined(
    unit: &mut UnitOfWork<'_, '_>,
    record: &RequestRecord,
    by: Party,
) -> Result<()> {
    let item = match by {
        Party::Owner => "mail-declined-request",
        Party::Asker => "mail-declined-offer",
    };
    let reason = with_period(record.request.reason.as_deref().unwrap_or_default());
    let more = [message("item", item), plain("reason", &reason)];
    tell(unit, MailKind::RequestDeclined, record, by.other(), &more)
}

/// Tells the other side that a party withdrew its request or offer. Like an offer to an email
/// address, its withdrawal goes to the address alone until somebody acts on the offer.
pub(super) fn withdrawn(
    unit: &mut UnitOfWork<'_, '_>,
    record: &RequestRecord,
    by: Party,
) -> Result<()> {
    if let Some(address) = unclaimed_address(&record.request) {
        let link = address_link(unit, &record.request, address);
        let values = values(record, Party::Asker, &link, &[]);
        return inform_address(unit, MailKind::OfferWithdrawn, address, &values);
    }
    let item = match by {
        Party::Owner => "mail-withdrawn-offer",
        Party::Asker => "mail-withdrawn-request",
    };
    tell(unit, MailKind::RequestWithdrawn, record, by.other(), &[message("item", item)])
}

/// Tells both sides that a request lapsed, or its open offer, and why.
pub(super) fn lapsed(
    unit: &mut UnitOfWork<'_, '_>,
    record: &RequestRecord,
    is_offer: bool,
) -> Result<()> {
    let item = if is_offer { "mail-lapsed-offer" } else { "mail-lapsed-request" };
    let reason = if record.request.lapses_at <= unit.now {
        "mail-reason-no-response"
    } else {
        "mail-reason-license-changed"
    };
    for party in Party::ALL {
        let more = [message("item", item), message("reason", reason)];
        tell(unit, MailKind::RequestLapsed, record, party, &more)?;
    }
    Ok(())
}

/// Tells the licensor which grant prevents its offer from being accepted.
pub(super) fn offer_blocked(
    unit: &mut UnitOfWork<'_, '_>,
    record: &RequestRecord,
    number: &str,
) -> Result<()> {
    tell(unit, MailKind::OfferBlocked, record, Party::Owner, &[plain("number", number)])
}

/// Tells both parties about a new grant.
pub(super) fn grant_made(unit: &mut UnitOfWork<'_, '_>, record: &GrantRecord) -> Result<()> {
    for party in Party::ALL {
        tell_of_grant(unit, MailKind::GrantMade, record, party, &[])?;
    }
    Ok(())
}

/// Reminds both parties of the end of a grant.
pub(super) fn grant_expiring(
    unit: &mut UnitOfWork<'_, '_>,
    record: &GrantRecord,
    left: u64,
    end: Timestamp,
) -> Result<()> {
    let more = [days("time", left), date("date", end)];
    for party in Party::ALL {
        tell_of_grant(unit, MailKind::GrantExpiring, record, party, &more)?;
    }
    Ok(())
}

/// Tells the licensee that its grant was revoked.
pub(super) fn grant_revoked(unit: &mut UnitOfWork<'_, '_>, record: &GrantRecord) -> Result<()> {
    let reason = with_period(record.grant.revoke_reason.as_deref().unwrap_or_default());
    tell_of_grant(unit, MailKind::GrantRevoked, record, Party::Asker, &[plain("reason", &reason)])
}

/// Queues a mail about a request to one side, unless nobody acts for that side yet.
fn tell(
    unit: &mut UnitOfWork<'_, '_>,
    kind: MailKind,
    record: &RequestRecord,
    to: Party,
    more: &[MailValue<'_>],
) -> Result<()> {
    let request = &record.request;
    let tenant = match to {
        Party::Owner => Some(request.owner),
        Party::Asker => request.asker,
    };
    let Some(tenant) = tenant else { return Ok(()) };
    let also = (request.begun_by == to).then_some(request.created_by);
    let link = request_link(unit, request);
    notify(unit, kind, Audience { tenant, also }, &values(record, to, &link, more))
}

fn tell_of_grant(
    unit: &mut UnitOfWork<'_, '_>,
    kind: MailKind,
    record: &GrantRecord,
    to: Party,
    more: &[MailValue<'_>],
) -> Result<()> {
    let GrantRecord { grant, license_title, talent_name, licensor, licensee } = record;
    let audience = match to {
        Party::Owner => Audience { tenant: grant.licensor, also: None },
        Party::Asker => Audience { tenant: grant.licensee, also: Some(grant.accepted_by) },
    };
    let (link, number) =
        (format!("{}/app/grants/{}", unit.app.public_url, grant.id), grant.number.to_string());
    let mut values = vec![
        plain("link", &link),
        plain("number", &number),
        plain("license", license_title),
        plain("talent", talent_name),
        plain("licensor", &licensor.name),
        plain("licensee", &licensee.name),
    ];
    values.extend_from_slice(more);
    notify(unit, kind, audience, &values)
}

/// The values of a mail to one side of a request; the organization is the other side.
fn values<'a>(
    record: &'a RequestRecord,
    to: Party,
    link: &'a str,
    more: &[MailValue<'a>],
) -> Vec<MailValue<'a>> {
    let other = match to {
        Party::Asker => record.owner.name.as_str(),
        Party::Owner => {
            let asker = record.asker.as_ref().map(|it| it.name.as_str());
            asker.or(record.request.email.as_deref()).unwrap_or_default()
        }
    };
    let mut values = vec![
        plain("link", link),
        plain("organization", other),
        plain("license", &record.license_title),
        plain("talent", &record.talent_name),
    ];
    values.extend_from_slice(more);
    values
}

fn request_link(unit: &UnitOfWork<'_, '_>, request: &Request) -> String {
    format!("{}/app/requests/{}", unit.app.public_url, request.id)
}

/// The address of an offer that nobody has acted on yet.
fn unclaimed_address(request: &Request) -> Option<&str> {
    request.email.as_deref().filter(|_| request.is_unclaimed())
}

/// The link in a mail to an address alone. The sign-in and sign-up pages fill in the address.
fn address_link(unit: &UnitOfWork<'_, '_>, request: &Request, address: &str) -> String {
    let to: String = byte_serialize(address.as_bytes()).collect();
    format!("{}?to={to}", request_link(unit, request))
}
