//! What people are told about cases.

use grantor_domain::Result;
use grantor_domain::case::Case;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::notice::NoticeKind;
use grantor_domain::template::MailKind;
use grantor_storage::mention::ListedMention;

use super::events::host;
use super::tell_person;
use crate::act::UnitOfWork;
use crate::mail::notify::{Audience, notify};
use crate::mail::phrase::plain;

/// Tells somebody that a case was assigned to them.
pub(crate) fn case_assigned(
    unit: &mut UnitOfWork<'_, '_>,
    shown: &ListedMention,
    tenant: TenantId,
    assignee: UserId,
) -> Result<()> {
    let (person, link) = (unit.actor.name().to_owned(), link(unit, shown));
    let values = [
        plain("person", &person),
        plain("talent", &shown.talent_name),
        plain("site", site(shown)),
        plain("title", title(shown)),
        plain("link", &link),
    ];
    let (kind, mail) = (NoticeKind::CaseAssigned, MailKind::CaseAssigned);
    tell_person(unit, kind, mail, (tenant, assignee), &values)
}

/// Tells those who work on a case that its mention was removed.
pub(crate) fn mention_removed(
    unit: &mut UnitOfWork<'_, '_>,
    shown: &ListedMention,
    case: &Case,
) -> Result<()> {
    tell_all(unit, MailKind::MentionRemoved, shown, case)
}

/// Tells those who work on a case that its removed mention is back.
pub(crate) fn mention_back(
    unit: &mut UnitOfWork<'_, '_>,
    shown: &ListedMention,
    case: &Case,
) -> Result<()> {
    tell_all(unit, MailKind::MentionBack, shown, case)
}

/// Tells the tenant that owns the talent and the one that opened the case.
fn tell_all(
    unit: &mut UnitOfWork<'_, '_>,
    mail: MailKind,
    shown: &ListedMention,
    case: &Case,
) -> Result<()> {
    let link = link(unit, shown);
    let values = [
        plain("talent", &shown.talent_name),
        plain("site", site(shown)),
        plain("title", title(shown)),
        plain("link", &link),
    ];
    for tenant in [Some(case.tenant), case.agent].into_iter().flatten() {
        notify(unit, mail, Audience { tenant, also: case.assignee }, &values)?;
    }
    Ok(())
}

fn link(unit: &UnitOfWork<'_, '_>, shown: &ListedMention) -> String {
    format!("{}/app/mentions/{}", unit.app.public_url, shown.mention.id)
}

fn site(shown: &ListedMention) -> &str {
    host(&shown.mention.url)
}

fn title(shown: &ListedMention) -> &str {
    let mention = &shown.mention;
    if mention.title.is_empty() { &mention.url } else { &mention.title }
}
