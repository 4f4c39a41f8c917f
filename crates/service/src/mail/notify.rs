//! Notifications: what the people of a tenant are told about a change, in its unit of work. They
//! become notices (`crate::notices`), which each person gets as they wish; offers to an address
//! alone, and their withdrawal, are mailed directly.

use grantor_domain::access::Actor;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::notice::NoticeKind;
use grantor_domain::template::MailKind;
use grantor_domain::{Error, Result};
use grantor_storage::notice::refusal;

use super::compose;
use super::phrase::MailValue;
use super::queue::address_key;
use crate::act::UnitOfWork;
use crate::notices;
use crate::organizations::usage::is_internal;

/// Who is concerned by a change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Audience {
    /// The tenant whose owners are notified.
    pub(crate) tenant: TenantId,
    /// A member who is notified as well, such as the one who began.
    pub(crate) also: Option<UserId>,
}

/// Notifies each person of an audience, except the one who made the change.
pub(crate) fn notify(
    unit: &mut UnitOfWork<'_, '_>,
    mail: MailKind,
    audience: Audience,
    values: &[MailValue<'_>],
) -> Result<()> {
    let kind = NoticeKind::of_mail(mail);
    let kind = kind.ok_or_else(|| Error::internal(format!("{mail} is not a notification")))?;
    notices::tell(unit, kind, mail, audience, values)
}

/// Queues a mail to an address, the same whether or not an account has it.
pub(crate) fn notify_address(
    unit: &mut UnitOfWork<'_, '_>,
    kind: MailKind,
    address: &str,
    values: &[MailValue<'_>],
) -> Result<()> {
    if is_sample(unit) {
        return Ok(());
    }
    let mail = compose::from_template(unit.tx, kind, address, None, values)?;
    unit.app.mailer.enqueue(unit.tx, kind.name(), &mail)?;
    Ok(())
}

/// Like [`notify_address`], for what the recipient need not act on: nothing more of that goes to an
/// address that a mail server refused for good.
pub(crate) fn inform_address(
    unit: &mut UnitOfWork<'_, '_>,
    kind: MailKind,
    address: &str,
    values: &[MailValue<'_>],
) -> Result<()> {
    if refusal::find(unit.tx, &address_key(address))?.is_some() {
        return Ok(());
    }
    notify_address(unit, kind, address, values)
}

/// Whether the operator acts in the name of a fictional person. Nobody reads mails to these.
pub(crate) fn is_sample(unit: &UnitOfWork<'_, '_>) -> bool {
    is_internal(unit.origin) && matches!(unit.actor, Actor::User { .. } | Actor::Client { .. })
}
