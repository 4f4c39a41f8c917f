//! Writing notices in the unit of work of the change that they are about. Only this module decides
//! who is told.

use std::collections::BTreeMap;

use grantor_domain::Result;
use grantor_domain::access::Actor;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::notice::{Channel, FOLDING, NoticeKind};
use grantor_domain::template::{MailKind, Template, Value};
use grantor_storage::notice::settings::{self, Recipient};
use grantor_storage::notice::{self, NewNotice};
use uuid::Uuid;

use super::chat;
use crate::App;
use crate::act::UnitOfWork;
use crate::mail::notify::{Audience, is_sample};

/// How many people are told about one thing, so that one change cannot write notices without end.
const AT_MOST: u32 = 50;
/// Where a notice leads that has no page of its own.
const NOTICES: &str = "/app/notices";

/// What is told.
struct Told<'a> {
    kind: NoticeKind,
    mail: MailKind,
    values: BTreeMap<&'a str, &'a str>,
    summary: String,
    link: String,
}

impl<'a> Told<'a> {
    fn new(app: &App, kind: NoticeKind, mail: MailKind, values: &[Value<'a>]) -> Self {
        let summary = Template::built_in(mail).render(values).subject;
        let link = values.iter().find(|(name, _)| *name == "link").map(|(_, link)| *link);
        let link = link.and_then(|it| it.strip_prefix(&*app.public_url)).unwrap_or(NOTICES);
        let values = values.iter().map(|(name, value)| (*name, *value)).collect();
        Self { kind, mail, values, summary, link: link.to_owned() }
    }

    fn insert(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        tenant: Option<TenantId>,
        Recipient { person, channel, digest }: Recipient,
    ) -> Result<()> {
        let due_at = match channel {
            Channel::Now => Some(unit.now.plus(FOLDING)),
            Channel::Digest => Some(digest.schedule.next(unit.now, digest.last)),
            Channel::Off => None,
        };
        let new = NewNotice {
            id: unit.ids.next(),
            person,
            tenant,
            kind: self.kind,
            mail: self.mail,
            values: &self.values,
            summary: &self.summary,
            link: &self.link,
            channel,
            due_at,
            created_at: unit.now,
        };
        Ok(notice::insert(unit.tx, &new)?)
    }
}

/// Tells the people of an audience, except the one who made the change, and the tenant's chats.
pub(crate) fn tell(
    unit: &mut UnitOfWork<'_, '_>,
    kind: NoticeKind,
    mail: MailKind,
    audience: Audience,
    values: &[Value<'_>],
) -> Result<()> {
    if is_sample(unit) {
        return Ok(());
    }
    let Audience { tenant, also } = audience;
    let told = Told::new(unit.app, kind, mail, values);
    let actor: Option<Uuid> = match unit.actor {
        Actor::User { id, .. } => Some(id.as_uuid()),
        _ => None,
    };
    for recipient in settings::recipients(unit.tx, tenant, also, kind, AT_MOST)? {
        if Some(recipient.person) != actor {
            told.insert(unit, Some(tenant), recipient)?;
        }
    }
    chat::queue(unit, tenant, kind, &told.summary, &told.link)
}

/// Tells one member of a tenant, and nobody else.
pub(crate) fn tell_person(
    unit: &mut UnitOfWork<'_, '_>,
    kind: NoticeKind,
    mail: MailKind,
    (tenant, user): (TenantId, UserId),
    values: &[Value<'_>],
) -> Result<()> {
    if is_sample(unit) {
        return Ok(());
    }
    let told = Told::new(unit.app, kind, mail, values);
    // The named member comes first.
    let found = settings::recipients(unit.tx, tenant, Some(user), kind, 1)?;
    for recipient in found.into_iter().filter(|it| it.person == user.as_uuid()) {
        told.insert(unit, Some(tenant), recipient)?;
    }
    Ok(())
}

/// Tells the members of staff who may create scanners.
pub(crate) fn tell_staff(
    unit: &mut UnitOfWork<'_, '_>,
    kind: NoticeKind,
    mail: MailKind,
    values: &[Value<'_>],
) -> Result<()> {
    if is_sample(unit) {
        return Ok(());
    }
    let told = Told::new(unit.app, kind, mail, values);
    for recipient in settings::staff_recipients(unit.tx, kind, AT_MOST)? {
        told.insert(unit, None, recipient)?;
    }
    Ok(())
}
