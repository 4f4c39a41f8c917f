//! Notifications: mails to the people of a tenant about what happened there. They are queued in the
//! unit of work of the change. Only this module decides who gets one.

use grantor_domain::Result;
use grantor_domain::access::Actor;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::template::{MailKind, Value};
use grantor_storage::membership;
use grantor_storage::user::{self, User};

use super::compose;
use crate::act::UnitOfWork;
use crate::organizations::usage::is_internal;

/// How many people of a tenant are notified, so that one change cannot queue mails without end.
const AT_MOST: usize = 50;

/// Who is concerned by a change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Audience {
    /// The tenant whose owners are notified.
    pub(crate) tenant: TenantId,
    /// A member who is notified as well, such as the one who began.
    pub(crate) also: Option<UserId>,
}

/// Queues a mail to each person of an audience, except the one who made the change.
pub(crate) fn notify(
    unit: &mut UnitOfWork<'_, '_>,
    kind: MailKind,
    audience: Audience,
    values: &[Value<'_>],
) -> Result<()> {
    if is_sample(unit) {
        return Ok(());
    }
    for person in people(unit, audience)? {
        let (to, name) = (&person.email, Some(&*person.fullname));
        let mail = compose::from_template(unit.tx, kind, to, name, values)?;
        unit.app.mailer.enqueue(unit.tx, kind.name(), &mail)?;
    }
    Ok(())
}

/// Queues a mail to an address, the same whether or not an account has it.
pub(crate) fn notify_address(
    unit: &mut UnitOfWork<'_, '_>,
    kind: MailKind,
    address: &str,
    values: &[Value<'_>],
) -> Result<()> {
    if is_sample(unit) {
        return Ok(());
    }
    let mail = compose::from_template(unit.tx, kind, address, None, values)?;
    unit.app.mailer.enqueue(unit.tx, kind.name(), &mail)?;
    Ok(())
}

/// Whether the operator acts in the name of a fictional person. Nobody reads mails to these.
fn is_sample(unit: &UnitOfWork<'_, '_>) -> bool {
    is_internal(unit.origin) && matches!(unit.actor, Actor::User { .. } | Actor::Client { .. })
}

fn people(unit: &mut UnitOfWork<'_, '_>, audience: Audience) -> Result<Vec<User>> {
    let Audience { tenant, also } = audience;
    let mut people = user::list_owners(unit.tx, tenant)?;
    people.truncate(AT_MOST);
    if let Some(id) = also.filter(|id| people.iter().all(|it| it.id != *id))
        && membership::find_active(unit.tx, tenant, id)?.is_some()
    {
        people.extend(user::find(unit.tx, id)?);
    }
    if let Actor::User { id, .. } = unit.actor {
        people.retain(|it| it.id != *id);
    }
    Ok(people)
}
