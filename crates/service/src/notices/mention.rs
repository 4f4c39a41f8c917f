//! Telling tenants that a mention was found. Those who may decide about it are told at once by
//! default; those who only see it are told in the digest, and not asked to decide.

use grantor_domain::Result;
use grantor_domain::event::NewEvent;
use grantor_domain::id::TenantId;
use grantor_domain::mention::Verdict;
use grantor_domain::notice::NoticeKind;
use grantor_domain::template::MailKind;
use grantor_storage::mention::{ListedMention, reviewer};

use super::events::host;
use super::write::{AT_MOST, Wordings, tell_by_rights, tell_owners};
use crate::act::UnitOfWork;
use crate::mail::notify::Audience;
use crate::mail::phrase::{MailValue, message, named, plain, reason};

/// Tells the tenants that get the events of a new mention.
pub(crate) fn mention_found(
    unit: &mut UnitOfWork<'_, '_>,
    shown: &ListedMention,
    events: &[NewEvent],
) -> Result<()> {
    let Some(owner) = events.first().map(|it| it.owner) else { return Ok(()) };
    let mention = &shown.mention;
    let (kind, mail) = (NoticeKind::of_verdict(mention.verdict), MailKind::MentionFound);
    let link = format!("{}/app/mentions/{}", unit.app.public_url, mention.id);
    let mut recipients: Vec<TenantId> =
        events.iter().flat_map(|it| it.recipients.iter().copied()).collect();
    // The owner first: whoever decides there decides everywhere.
    recipients.sort_by_key(|it| *it != owner);
    let mut acting = Vec::new();
    for tenant in recipients {
        let why = mention.reason_for(Some(tenant));
        let verdict = named("verdict", "mail-verdict", mention.verdict.name());
        let to_acting = values(shown, &link, [verdict, reason("reason", &why)]);
        let audience = Audience { tenant, also: None };
        if tenant == owner || mention.verdict == Verdict::Licensed {
            // Nobody has to act on what is licensed.
            acting.extend(tell_owners(unit, kind, mail, audience, &to_acting)?);
            continue;
        }
        acting.extend(reviewer::list(unit.tx, mention, tenant, AT_MOST)?);
        // Those who cannot review the mention are not asked to.
        let needs_review = mention.verdict == Verdict::NeedsReview;
        let to_others =
            if needs_review { values(shown, &link, in_review()) } else { to_acting.clone() };
        let wordings = Wordings { acting: &acting, to_acting: &to_acting, to_others: &to_others };
        tell_by_rights(unit, kind, mail, audience, &wordings)?;
    }
    Ok(())
}

/// What those read about a mention that needs review who cannot review it.
fn in_review() -> [MailValue<'static>; 2] {
    [message("verdict", "mail-verdict-in-review"), message("reason", "mail-reason-in-review")]
}

/// The values of the email, with a verdict and its reason.
fn values<'a>(
    shown: &'a ListedMention,
    link: &'a str,
    [verdict, reason]: [MailValue<'a>; 2],
) -> [MailValue<'a>; 6] {
    let mention = &shown.mention;
    let title = if mention.title.is_empty() { &mention.url } else { &mention.title };
    [
        plain("talent", &shown.talent_name),
        plain("site", host(&mention.url)),
        plain("title", title),
        verdict,
        reason,
        plain("link", link),
    ]
}
