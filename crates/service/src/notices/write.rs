//! Writing notices in the unit of work of the change that they are about, each in the language of
//! its person. Only this module decides who is told.

use std::collections::BTreeMap;

use grantor_domain::Result;
use grantor_domain::access::Actor;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::locale::Locale;
use grantor_domain::notice::{Channel, FOLDING, NoticeKind};
use grantor_domain::template::{MailKind, Value};
use grantor_messages::Language;
use grantor_storage::notice::pending::{self, ToldOnce};
use grantor_storage::notice::settings::{self, Recipient};
use grantor_storage::notice::{self, NewNotice};
use uuid::Uuid;

use super::chat_queue;
use crate::App;
use crate::act::UnitOfWork;
use crate::mail::built_in;
use crate::mail::notify::{Audience, is_sample};
use crate::mail::phrase::{MailLocale, MailValue, Phrase};

/// How many people are told about one thing, so that one change cannot write notices without end.
pub(super) const AT_MOST: u32 = 50;
/// Where a notice leads that has no page of its own.
const NOTICES: &str = "/app/notices";

/// What is told.
struct Told<'a> {
    kind: NoticeKind,
    mail: MailKind,
    values: &'a [MailValue<'a>],
    link: String,
    /// How people get it who have not chosen.
    default: Channel,
}

impl<'a> Told<'a> {
    fn new(app: &App, kind: NoticeKind, mail: MailKind, values: &'a [MailValue<'a>]) -> Self {
        let link = values.iter().find_map(|value| match value {
            ("link", Phrase::Plain(link)) => link.strip_prefix(&*app.public_url),
            _ => None,
        });
        let (link, default) = (link.unwrap_or(NOTICES).to_owned(), kind.default_channel());
        Self { kind, mail, values, link, default }
    }

    /// What happened in one line, and the values of the email, in somebody's language.
    fn say(&self, locale: &MailLocale) -> (String, Vec<(&'static str, String)>) {
        let values: Vec<_> =
            self.values.iter().map(|(name, phrase)| (*name, phrase.say(locale))).collect();
        let said: Vec<Value<'_>> = values.iter().map(|(name, it)| (*name, &**it)).collect();
        (built_in::subject(self.mail, locale.language, &said), values)
    }

    /// What happened in one line, for chats, which have no language of their own.
    fn in_english(&self) -> String {
        self.say(&Language::english().into()).0
    }

    /// Queues a message to the tenant's chats. What somebody may take back waits as long as emails
    /// do.
    fn chat(&self, unit: &mut UnitOfWork<'_, '_>, tenant: TenantId) -> Result<()> {
        let due_at = match self.mail {
            MailKind::MentionMarkedRemoved => unit.now.plus(FOLDING),
            _ => unit.now,
        };
        chat_queue::queue(unit, (tenant, self.kind), (&self.in_english(), &self.link), due_at)
    }

    fn insert(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        tenant: Option<TenantId>,
        Recipient { person, chosen, digest, language }: Recipient,
    ) -> Result<()> {
        let channel = chosen.unwrap_or(self.default);
        let due_at = match channel {
            Channel::Now => Some(unit.now.plus(FOLDING)),
            Channel::Digest => Some(digest.schedule.next(unit.now, digest.last)),
            Channel::Off => None,
        };
        let (summary, values) = self.say(&Locale { language, zone: digest.schedule.zone }.into());
        let by_name: BTreeMap<&str, &str> =
            values.iter().map(|(name, value)| (*name, &**value)).collect();
        let new = NewNotice {
            id: unit.ids.next(),
            person,
            tenant,
            kind: self.kind,
            mail: self.mail,
            values: &by_name,
            summary: &summary,
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
    values: &[MailValue<'_>],
) -> Result<()> {
    tell_owners(unit, kind, mail, audience, values).map(|_| ())
}

/// Like [`tell`], and returns the people who were told.
pub(super) fn tell_owners(
    unit: &mut UnitOfWork<'_, '_>,
    kind: NoticeKind,
    mail: MailKind,
    audience: Audience,
    values: &[MailValue<'_>],
) -> Result<Vec<Uuid>> {
    if is_sample(unit) {
        return Ok(vec![]);
    }
    let told = Told::new(unit.app, kind, mail, values);
    let people = tell_each(unit, kind, audience, |_| &told)?;
    told.chat(unit, audience.tenant)?;
    Ok(people)
}

/// What is told to those who may act on it, and to those who only see it.
pub(super) struct Wordings<'a> {
    /// Those who may act.
    pub(super) acting: &'a [Uuid],
    /// What they are told.
    pub(super) to_acting: &'a [MailValue<'a>],
    /// What the others are told, which does not ask them to act.
    pub(super) to_others: &'a [MailValue<'a>],
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
    told.chat(unit, audience.tenant)
}

/// Something that was told, and is not true any more.
#[derive(Clone, Copy)]
pub(super) struct Correction<'a> {
    /// What was told.
    pub(super) of: ToldOnce<'a>,
    /// The kind of both.
    pub(super) kind: NoticeKind,
    /// The email that corrects it.
    pub(super) mail: MailKind,
    /// The values of that email.
    pub(super) values: &'a [MailValue<'a>],
}

/// Takes back what was told, as far as nobody got it yet, and tells the correction to those who did,
/// except whoever makes the change, and as far as `concerns` says so, and to the chats of these tenants.
pub(super) fn correct(
    unit: &mut UnitOfWork<'_, '_>,
    Correction { of, kind, mail, values }: Correction<'_>,
    tenants: impl IntoIterator<Item = TenantId>,
    concerns: impl Fn(TenantId, Uuid) -> bool,
) -> Result<()> {
    if is_sample(unit) {
        return Ok(());
    }
    let (told, actor) = (Told::new(unit.app, kind, mail, values), acting(unit));
    pending::take_back(unit.tx, of)?;
    for (tenant, recipient) in settings::told(unit.tx, of)? {
        if Some(recipient.person) != actor && concerns(tenant, recipient.person) {
            told.insert(unit, Some(tenant), recipient)?;
        }
    }
    for tenant in tenants {
        chat_queue::correct(unit, (tenant, kind), (&told.in_english(), of.link), of.at)?;
    }
    Ok(())
}

/// Tells some of the people of a tenant, except the one who made the change, and the tenant's chats.
pub(super) fn tell_some(
    unit: &mut UnitOfWork<'_, '_>,
    kind: NoticeKind,
    mail: MailKind,
    (tenant, people): (TenantId, &[UserId]),
    values: &[MailValue<'_>],
) -> Result<()> {
    if is_sample(unit) {
        return Ok(());
    }
    let (told, actor) = (Told::new(unit.app, kind, mail, values), acting(unit));
    for user in people.iter().filter(|it| Some(it.as_uuid()) != actor) {
        if let Some(recipient) = named(unit, kind, tenant, *user)? {
            told.insert(unit, Some(tenant), recipient)?;
        }
    }
    told.chat(unit, tenant)
}

/// The person who makes the change, also by an API client.
fn acting(unit: &UnitOfWork<'_, '_>) -> Option<Uuid> {
    unit.actor.user().map(UserId::as_uuid)
}

/// A member of a tenant, as somebody to tell.
fn named(
    unit: &mut UnitOfWork<'_, '_>,
    kind: NoticeKind,
    tenant: TenantId,
    user: UserId,
) -> Result<Option<Recipient>> {
    // The named member comes first.
    let found = settings::recipients(unit.tx, tenant, Some(user), kind, 1)?;
    Ok(found.into_iter().find(|it| it.person == user.as_uuid()))
}

/// Writes the notices to an audience and returns the people.
fn tell_each<'t, 'v: 't>(
    unit: &mut UnitOfWork<'_, '_>,
    kind: NoticeKind,
    Audience { tenant, also }: Audience,
    told: impl Fn(Uuid) -> &'t Told<'v>,
) -> Result<Vec<Uuid>> {
    // What a client pushes, nobody has looked at yet.
    let is_pushed = kind.is_found() && matches!(unit.actor, Actor::Client { .. });
    let actor = acting(unit).filter(|_| !is_pushed);
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
    values: &[MailValue<'_>],
) -> Result<()> {
    if is_sample(unit) {
        return Ok(());
    }
    let told = Told::new(unit.app, kind, mail, values);
    match named(unit, kind, tenant, user)? {
        Some(recipient) => told.insert(unit, Some(tenant), recipient),
        None => Ok(()),
    }
}

/// Tells the members of staff who may create scanners.
pub(crate) fn tell_staff(
    unit: &mut UnitOfWork<'_, '_>,
    kind: NoticeKind,
    mail: MailKind,
    values: &[MailValue<'_>],
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
