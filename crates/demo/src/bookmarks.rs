//! Sample bookmarks.

use grantor_domain::bookmark::NewBookmark;
use grantor_domain::id::BookmarkId;
use grantor_domain::{Error, Result};

use super::licenses::{SampleLicense, named};
use super::mentions::SampleMention;
use super::people::{AGENCY, Account, BRAND, PLATFORM};
use grantor_service::licensing::bookmark;
use grantor_service::{App, Context};

enum Target {
    /// By its external id.
    License(&'static str),
    /// By its index in the table of mentions.
    Mention(usize),
}

/// Account, target, note and tags.
type Row = (usize, Target, &'static str, &'static [&'static str]);

const BOOKMARKS: [Row; 6] = [
    (AGENCY, Target::License("QF-002"), "Renewal talks begin next week", &["renewal", "urgent"]),
    (AGENCY, Target::Mention(2), "Ask our lawyer before we write to them", &["legal"]),
    (AGENCY, Target::License("QF-009"), "", &["voice"]),
    (BRAND, Target::License("QF-001"), "Autumn campaign, hero picture", &["autumn", "hero"]),
    (BRAND, Target::Mention(0), "Good placement, show it to the team", &["press"]),
    (PLATFORM, Target::License("QF-004"), "Cleared for the feed", &["cleared"]),
];

/// Creates the bookmarks, each through its owner's API client.
pub(super) async fn keep(
    app: &App,
    accounts: &[Account],
    licenses: &[SampleLicense],
    mentions: &[SampleMention],
) -> Result<Vec<(BookmarkId, String)>> {
    let mut kept = Vec::with_capacity(BOOKMARKS.len());
    for (owner, target, note, tags) in &BOOKMARKS {
        let (kind, id) = match target {
            Target::License(name) => ("license", named(licenses, name)?.id.to_string()),
            Target::Mention(index) => {
                let mention = mentions.get(*index).ok_or_else(|| Error::not_found("Mention"))?;
                ("mention", mention.id.to_string())
            }
        };
        let new = NewBookmark::parse(Some(kind), Some(&id), Some(note), tags)?;
        let (account, caller) = (&accounts[*owner], accounts[*owner].client_caller());
        let context = Context { actor: caller.actor(), ..account.context(app) };
        let (marked, _) = bookmark::create(app, &context, (&caller).into(), new).await?;
        kept.push((marked.bookmark.id, account.email.clone()));
    }
    Ok(kept)
}
