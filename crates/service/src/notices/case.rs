//! What people are told about cases.

use grantor_domain::case::Case;
use grantor_domain::id::{MentionId, TenantId, UserId};
use grantor_domain::mention::Mention;
use grantor_domain::notice::{FOLDING, NoticeKind};
use grantor_domain::template::MailKind;
use grantor_domain::{Result, Timestamp};
use grantor_storage::mention::ListedMention;
use grantor_storage::mention::reviewer::{self, ReviewingTenant};
use grantor_storage::notice::pending::ToldOnce;
use uuid::Uuid;

use super::events::host;
use super::write::{Correction, correct, tell_person, tell_some};
use crate::act::UnitOfWork;
use crate::mail::notify::{Audience, notify};
use crate::mail::phrase::{MailValue, plain};

/// The kind of what is told about removals.
const KIND: NoticeKind = NoticeKind::MentionRemoved;
/// The emails that say that a mention was removed.
const REMOVALS: [MailKind; 2] = [MailKind::MentionRemoved, MailKind::MentionMarkedRemoved];

/// Tells somebody that a case was assigned to them.
pub(crate) fn case_assigned(
    unit: &mut UnitOfWork<'_, '_>,
    shown: &ListedMention,
    tenant: TenantId,
    assignee: UserId,
) -> Result<()> {
    let (person, link) = (unit.actor.name().to_owned(), link(unit, shown));
    let values = by(&person, shown, &link);
    let (kind, mail) = (NoticeKind::CaseAssigned, MailKind::CaseAssigned);
    tell_person(unit, kind, mail, (tenant, assignee), &values)
}

/// Those who work on a case: the tenant that owns the talent, and others that may review the mention.
pub(crate) struct CaseWorkers {
    owner: TenantId,
    others: Vec<ReviewingTenant>,
}

impl CaseWorkers {
    /// Those who work on the case of a mention now.
    pub(crate) fn find(
        unit: &mut UnitOfWork<'_, '_>,
        mention: &Mention,
        owner: TenantId,
    ) -> Result<Self> {
        Ok(Self { owner, others: reviewer::list_tenants(unit.tx, mention, owner)? })
    }

    /// Their tenants.
    pub(crate) fn tenants(&self) -> impl Iterator<Item = TenantId> {
        std::iter::once(self.owner).chain(self.others.iter().map(|it| it.tenant))
    }

    /// Whether a person works on the case for a tenant.
    fn contains(&self, tenant: TenantId, person: Uuid) -> bool {
        let is_among = |people: &[UserId]| people.iter().any(|it| it.as_uuid() == person);
        tenant == self.owner
            || self
                .others
                .iter()
                .any(|it| it.tenant == tenant && it.people.as_deref().is_none_or(is_among))
    }

    /// Tells all of them, and the assignee.
    fn tell(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mail: MailKind,
        case: &Case,
        values: &[MailValue<'_>],
    ) -> Result<()> {
        notify(unit, mail, Audience { tenant: self.owner, also: case.assignee }, values)?;
        for ReviewingTenant { tenant, people } in &self.others {
            let tenant = *tenant;
            match people {
                None => notify(unit, mail, Audience { tenant, also: case.assignee }, values)?,
                Some(people) => tell_some(unit, KIND, mail, (tenant, people), values)?,
            }
        }
        Ok(())
    }

    /// Takes back that the mention was removed at that time, and tells those who know of it already.
    fn correct(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mail: MailKind,
        (shown, removed_at): (&ListedMention, Timestamp),
        values: &[MailValue<'_>],
    ) -> Result<()> {
        let page = path(shown.mention.id);
        let of = ToldOnce { mails: REMOVALS, link: &page, at: removed_at };
        let concerns = |tenant, person| self.contains(tenant, person);
        correct(unit, Correction { of, kind: KIND, mail, values }, self.tenants(), concerns)
    }
}

/// Tells those who work on a case that Grantor found that its mention was removed.
pub(crate) fn mention_removed(
    unit: &mut UnitOfWork<'_, '_>,
    workers: &CaseWorkers,
    shown: &ListedMention,
    case: &Case,
) -> Result<()> {
    let link = link(unit, shown);
    workers.tell(unit, MailKind::MentionRemoved, case, &about(shown, &link))
}

/// Tells those who work on a case that whoever acts marked its mention as removed.
pub(crate) fn mention_marked_removed(
    unit: &mut UnitOfWork<'_, '_>,
    workers: &CaseWorkers,
    shown: &ListedMention,
    case: &Case,
) -> Result<()> {
    let (person, link) = (unit.actor.name().to_owned(), link(unit, shown));
    workers.tell(unit, MailKind::MentionMarkedRemoved, case, &by(&person, shown, &link))
}

/// Takes back that the mention of a case was removed at that time, as far as nobody was told yet.
/// Those who were told and still work on the case are told that whoever acts marked it as not
/// removed.
pub(crate) fn mention_not_removed(
    unit: &mut UnitOfWork<'_, '_>,
    workers: &CaseWorkers,
    shown: &ListedMention,
    removed_at: Timestamp,
) -> Result<()> {
    let (person, link) = (unit.actor.name().to_owned(), link(unit, shown));
    let mail = MailKind::MentionMarkedNotRemoved;
    workers.correct(unit, mail, (shown, removed_at), &by(&person, shown, &link))
}

/// Tells those who work on a case that its mention, which was removed at that time, is back. While
/// emails about the removal wait, only those who have seen it elsewhere are told, and the emails are
/// dropped.
pub(crate) fn mention_back(
    unit: &mut UnitOfWork<'_, '_>,
    workers: &CaseWorkers,
    shown: &ListedMention,
    (case, removed_at): (&Case, Option<Timestamp>),
) -> Result<()> {
    let (link, mail) = (link(unit, shown), MailKind::MentionBack);
    let values = about(shown, &link);
    match removed_at.filter(|it| unit.now.since(*it) < FOLDING) {
        Some(removed_at) => workers.correct(unit, mail, (shown, removed_at), &values),
        None => workers.tell(unit, mail, case, &values),
    }
}

/// The values of an email about what somebody did.
fn by<'a>(person: &'a str, shown: &'a ListedMention, link: &'a str) -> [MailValue<'a>; 5] {
    let [talent, site, title, link] = about(shown, link);
    [plain("person", person), talent, site, title, link]
}

/// The values of an email about a mention with a case.
fn about<'a>(shown: &'a ListedMention, link: &'a str) -> [MailValue<'a>; 4] {
    [
        plain("talent", &shown.talent_name),
        plain("site", site(shown)),
        plain("title", title(shown)),
        plain("link", link),
    ]
}

fn link(unit: &UnitOfWork<'_, '_>, shown: &ListedMention) -> String {
    format!("{}{}", unit.app.public_url, path(shown.mention.id))
}

/// The page of a case.
fn path(id: MentionId) -> String {
    format!("/app/mentions/{id}/case")
}

fn site(shown: &ListedMention) -> &str {
    host(&shown.mention.url)
}

fn title(shown: &ListedMention) -> &str {
    let mention = &shown.mention;
    if mention.title.is_empty() { &mention.url } else { &mention.title }
}
