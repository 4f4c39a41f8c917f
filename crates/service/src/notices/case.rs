//! What people are told about cases.

use grantor_domain::case::Case;
use grantor_domain::id::{MentionId, TenantId, UserId};
use grantor_domain::notice::NoticeKind;
use grantor_domain::template::MailKind;
use grantor_domain::{Result, Timestamp};
use grantor_storage::mention::ListedMention;

use super::events::host;
use super::write::{take_back, tell_person};
use crate::act::UnitOfWork;
use crate::mail::notify::{Audience, notify};
use crate::mail::phrase::{MailValue, plain};

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

/// Tells those who work on a case that Grantor found that its mention was removed.
pub(crate) fn mention_removed(
    unit: &mut UnitOfWork<'_, '_>,
    shown: &ListedMention,
    case: &Case,
) -> Result<()> {
    let link = link(unit, shown);
    tell_all(unit, MailKind::MentionRemoved, case, &about(shown, &link))
}

/// Tells those who work on a case that whoever acts marked its mention as removed.
pub(crate) fn mention_marked_removed(
    unit: &mut UnitOfWork<'_, '_>,
    shown: &ListedMention,
    case: &Case,
) -> Result<()> {
    let (person, link) = (unit.actor.name().to_owned(), link(unit, shown));
    tell_all(unit, MailKind::MentionMarkedRemoved, case, &by(&person, shown, &link))
}

/// Takes back what those who work on a case were told when its mention was marked as removed at that
/// time, as far as nobody got it yet.
pub(crate) fn mention_not_removed(
    unit: &mut UnitOfWork<'_, '_>,
    case: &Case,
    removed_at: Timestamp,
) -> Result<()> {
    let link = path(case.mention);
    take_back(unit, MailKind::MentionMarkedRemoved, tenants(case), &link, removed_at)
}

/// Tells those who work on a case that its removed mention is back.
pub(crate) fn mention_back(
    unit: &mut UnitOfWork<'_, '_>,
    shown: &ListedMention,
    case: &Case,
) -> Result<()> {
    let link = link(unit, shown);
    tell_all(unit, MailKind::MentionBack, case, &about(shown, &link))
}

/// Tells the tenants that work on a case.
fn tell_all(
    unit: &mut UnitOfWork<'_, '_>,
    mail: MailKind,
    case: &Case,
    values: &[MailValue<'_>],
) -> Result<()> {
    for tenant in tenants(case) {
        notify(unit, mail, Audience { tenant, also: case.assignee }, values)?;
    }
    Ok(())
}

/// The tenant that owns the talent, and the one that opened the case.
fn tenants(case: &Case) -> impl Iterator<Item = TenantId> + use<> {
    [Some(case.tenant), case.agent].into_iter().flatten()
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
