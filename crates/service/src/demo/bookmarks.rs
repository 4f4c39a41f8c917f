//! What the sample's people keep at hand.

use grantor_domain::bookmark::NewBookmark;
use grantor_domain::id::BookmarkId;
use grantor_domain::{Error, Result};

use super::licenses::{Licensed, named};
use super::mentions::Sighted;
use super::people::{AGENCY, Account, BRAND, PLATFORM};
use crate::{App, Context, bookmark};

enum Kept {
    /// By its external id.
    License(&'static str),
    /// By its place in the table of mentions.
    Mention(usize),
}

/// Whose, what, why, and under which words.
type Row = (usize, Kept, &'static str, &'static [&'static str]);

const BOOKMARKS: [Row; 6] = [
    (AGENCY, Kept::License("QF-002"), "Renewal talks begin next week", &["renewal", "urgent"]),
    (AGENCY, Kept::Mention(2), "Ask counsel before we write to them", &["counsel"]),
    (AGENCY, Kept::License("QF-009"), "", &["voice"]),
    (BRAND, Kept::License("QF-001"), "Autumn campaign, hero picture", &["autumn", "hero"]),
    (BRAND, Kept::Mention(0), "Good placement, show it to the team", &["press"]),
    (PLATFORM, Kept::License("QF-004"), "Cleared for the feed", &["cleared"]),
];

/// Makes the bookmarks, each through its owner's API client.
pub(super) async fn keep(
    app: &App,
    accounts: &[Account],
    licenses: &[Licensed],
    mentions: &[Sighted],
) -> Result<Vec<(BookmarkId, String)>> {
    let mut kept = Vec::with_capacity(BOOKMARKS.len());
    for (whose, what, note, tags) in &BOOKMARKS {
        let (kind, id) = match what {
            Kept::License(name) => ("license", named(licenses, name)?.id.to_string()),
            Kept::Mention(place) => {
                let mention = mentions.get(*place).ok_or_else(|| Error::not_found("Mention"))?;
                ("mention", mention.id.to_string())
            }
        };
        let new = NewBookmark::parse(Some(kind), Some(&id), Some(note), tags)?;
        let (account, caller) = (&accounts[*whose], accounts[*whose].client_caller());
        let context = Context { actor: caller.actor(), ..account.context(app) };
        let (marked, _) = bookmark::create(app, &context, (&caller).into(), new).await?;
        kept.push((marked.bookmark.id, account.email.clone()));
    }
    Ok(kept)
}
