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
pub(super) const AT_MOST: u32 = 50;
/// Where a notice leads that has no page of its own.
const NOTICES: &str = "/app/notices";

/// What is told.
struct Told<'a> {
    kind: NoticeKind,
    mail: MailKind,
    values: BTreeMap<&'a str, &'a str>,
    summary: String,
    link: String,
    /// How people get it who have not chosen.
    default: Channel,
}

impl<'a> Told<'a> {
    fn new(app: &App, kind: NoticeKind, mail: MailKind, values: &[Value<'a>]) -> Self {
        let summary = Template::built_in(mail).render(values).subject;
        let link = values.iter().find(|(name, _)| *name == "link").map(|(_, link)| *link);
        let link = link.and_then(|it| it.strip_prefix(&*app.public_url)).unwrap_or(NOTICES);
        let values = values.iter().map(|(name, value)| (*name, *value)).collect();
        let default = kind.default_channel();
        Self { kind, mail, values, summary, link: link.to_owned(), default }
    }

    fn insert(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        tenant: Option<TenantId>,
        Recipient { person, chosen, digest }: Recipient,
    ) -> Result<()> {
        let channel = chosen.unwrap_or(self.default);
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
    tell_owners(unit, kind, mail, audience, values).map(|_| ())
}

/// Like [`tell`], and returns the people who were told.
pub(super) fn tell_owners(
    unit: &mut UnitOfWork<'_, '_>,
    kind: NoticeKind,
    mail: MailKind,
    audience: Audience,
    values: &[Value<'_>],
) -> Result<Vec<Uuid>> {
    if is_sample(unit) {
        return Ok(vec![]);
    }
    let told = Told::new(unit.app, kind, mail, values);
    let people = tell_each(unit, kind, audience, |_| &told)?;
    chat::queue(unit, audience.tenant, kind, &told.summary, &told.link)?;
    Ok(people)
}

/// What is told to those who may act on it, and to those who only see it.
pub(super) struct Wordings<'a> {
    /// Those who may act.
    pub(super) acting: &'a [Uuid],
    /// What they are told.
    pub(super) to_acting: &'a [Value<'a>],
    /// What the others are told, which does not ask them to act.
    pub(super) to_others: &'a [Value<'a>],
}

/// Like [`tell`], where only some may act. The others are told in the digest unless they chose
/// otherwise.
pub(super) fn tell_by_rights(
    unit: &mut UnitOfWork<'_, '_>,
    kind: NoticeKind,
    mail: MailKind,
    audience: Audience,
    wordings: &Wordings<'_>,
) -> Result<()> {
    if is_sample(unit) {
        return Ok(());
    }
    let acting = Told::new(unit.app, kind, mail, wordings.to_acting);
    let others = Told::new(unit.app, kind, mail, wordings.to_others);
    let others = Told { default: Channel::Digest, ..others };
    let of = |person| if wordings.acting.contains(&person) { &acting } else { &others };
    let people = tell_each(unit, kind, audience, of)?;
    let some_act = people.iter().any(|it| wordings.acting.contains(it));
    let told = if some_act { &acting } else { &others };
    chat::queue(unit, audience.tenant, kind, &told.summary, &told.link)
}

/// Writes the notices to an audience and returns the people.
fn tell_each<'t, 'v: 't>(
    unit: &mut UnitOfWork<'_, '_>,
    kind: NoticeKind,
    Audience { tenant, also }: Audience,
    told: impl Fn(Uuid) -> &'t Told<'v>,
) -> Result<Vec<Uuid>> {
    let actor: Option<Uuid> = match unit.actor {
        Actor::User { id, .. } => Some(id.as_uuid()),
        _ => None,
    };
    let mut people = Vec::new();
    for recipient in settings::recipients(unit.tx, tenant, also, kind, AT_MOST)? {
        let person = recipient.person;
        if Some(person) != actor {
            told(person).insert(unit, Some(tenant), recipient)?;
        }
        people.push(person);
    }
    Ok(people)
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
