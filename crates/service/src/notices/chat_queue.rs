//! Queuing messages to the chats of a tenant, in the unit of work of what they are about.

use grantor_domain::id::TenantId;
use grantor_domain::notice::{ChatAddress, ChatStatus, NoticeKind, line_about, link_in};
use grantor_domain::{Result, Timestamp};
use grantor_storage::notice::{chat, settings};
use grantor_storage::tenant;

use crate::act::UnitOfWork;

/// Queues a message to each of the tenant's chats that gets this kind, to be sent at `due_at`.
pub(super) fn queue(
    unit: &mut UnitOfWork<'_, '_>,
    (tenant, kind): (TenantId, NoticeKind),
    message: (&str, &str),
    due_at: Timestamp,
) -> Result<()> {
    let mut addresses = chat::list(unit.tx, tenant)?;
    addresses.retain(|it| gets(it, kind));
    queue_to(unit, tenant, addresses, message, due_at)
}

/// Corrects what was told to a tenant's chats at that time with a link, by another message. A message
/// that did not arrive yet is deleted instead.
pub(super) fn correct(
    unit: &mut UnitOfWork<'_, '_>,
    (tenant, kind): (TenantId, NoticeKind),
    (summary, link): (&str, &str),
    at: Timestamp,
) -> Result<()> {
    let mut late = vec![];
    for address in chat::list(unit.tx, tenant)? {
        let is_deleted = chat::take_back(unit.tx, address.id, link, at)? > 0;
        if !is_deleted && address.created_at <= at && gets(&address, kind) {
            late.push(address);
        }
    }
    queue_to(unit, tenant, late, (summary, link), unit.now)
}

fn gets(address: &ChatAddress, kind: NoticeKind) -> bool {
    address.status == ChatStatus::Active && address.kinds.contains(&kind)
}

fn queue_to(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    addresses: Vec<ChatAddress>,
    (summary, link): (&str, &str),
    due_at: Timestamp,
) -> Result<()> {
    if addresses.is_empty() {
        return Ok(());
    }
    let body = body(unit, tenant, summary, link)?;
    for address in addresses {
        chat::enqueue(unit.tx, unit.ids.next(), address.id, &body, (unit.now, due_at))?;
    }
    Ok(())
}

/// A message: what happened, and the link. Both name the organization if one of its owners is in
/// others, too. The text is escaped for its chat when it is sent.
fn body(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    summary: &str,
    link: &str,
) -> Result<String> {
    let url = &unit.app.public_url;
    if !settings::has_owner_elsewhere(unit.tx, tenant)? {
        return Ok(format!("{summary}\n{url}{link}"));
    }
    let name = tenant::find(unit.tx, tenant)?.map(|it| it.name).unwrap_or_default();
    Ok(format!("{}\n{url}{}", line_about(&name, summary), link_in(tenant, link)))
}
