//! What a unit of work changed, as far as somebody beside the database must hear of it: caches that
//! no longer hold, workers that have something to do. It is read off the statements themselves, so
//! that no caller can forget to say so.

use std::collections::BTreeSet;

use grantor_domain::id::TenantId;

/// Written in a statement that changes a row of [`WATCHED`] in nothing that anybody watches.
const UNWATCHED: &str = "/*unwatched*/";

/// Something beside the database that follows from rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matter {
    /// What access tokens rest on: accounts, their tenants, sign-ins, API clients.
    Access,
    /// Mails that wait to be sent.
    Mail,
    /// Deliveries that may be due, and receivers that may take them.
    Deliveries,
    /// Pods that may be due.
    Pods,
    /// Work that a change left behind.
    Chores,
}

impl Matter {
    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What a committed unit of work changed. Only a store makes one.
#[derive(Debug, Default)]
pub struct Changes {
    matters: u8,
    feeds: BTreeSet<TenantId>,
}

impl Changes {
    /// As though everything had changed: for whoever wrote past the store, as tests do.
    #[must_use]
    pub fn everything() -> Self {
        Self { matters: u8::MAX, feeds: BTreeSet::new() }
    }

    /// Whether anything of this was changed.
    #[must_use]
    pub fn touch(&self, matter: Matter) -> bool {
        self.matters & matter.bit() != 0
    }

    /// The feeds that got an event.
    pub fn feeds(&self) -> impl Iterator<Item = TenantId> {
        self.feeds.iter().copied()
    }

    pub(crate) fn add(&mut self, touched: Touched) {
        self.matters |= touched.0;
    }

    pub(crate) fn add_feed(&mut self, feed: TenantId) {
        self.feeds.insert(feed);
    }
}

/// What a statement changes, if it changes any row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touched(u8);

const INSERT: &str = "INSERT INTO";
const UPDATE: &str = "UPDATE";
const DELETE: &str = "DELETE FROM";

/// Which changes of which tables matter, and to what. A row that is new takes nothing from a token
/// that was given out before, except where the row says that the token has ended.
const WATCHED: [(&str, &[&str], Matter); 13] = [
    ("users", &[UPDATE, DELETE], Matter::Access),
    // Also a new one: whoever was let in knows whether they have a choice of tenants.
    ("memberships", &[INSERT, UPDATE, DELETE], Matter::Access),
    ("tenants", &[UPDATE, DELETE], Matter::Access),
    ("sessions", &[UPDATE, DELETE], Matter::Access),
    ("clients", &[UPDATE, DELETE], Matter::Access),
    ("exchanges", &[UPDATE, DELETE], Matter::Access),
    ("revoked_tokens", &[INSERT], Matter::Access),
    ("admins", &[UPDATE, DELETE], Matter::Access),
    ("mails", &[INSERT], Matter::Mail),
    ("deliveries", &[INSERT, UPDATE], Matter::Deliveries),
    ("webhooks", &[UPDATE], Matter::Deliveries),
    ("pods", &[INSERT, UPDATE], Matter::Pods),
    ("chores", &[INSERT], Matter::Chores),
];

impl Touched {
    /// Reads it off a statement's text.
    pub(crate) fn by(text: &str) -> Self {
        if text.contains(UNWATCHED) {
            return Self::default();
        }
        let replaces = text.contains("DO UPDATE");
        let touches = |(table, verbs, _): &&(&str, &[&str], Matter)| {
            writes(text, table, verbs)
                || (replaces && verbs.contains(&UPDATE) && writes(text, table, &[INSERT]))
        };
        Self(WATCHED.iter().filter(touches).fold(0, |all, (_, _, matter)| all | matter.bit()))
    }
}

/// Whether a statement does one of these to a table.
fn writes(text: &str, table: &str, verbs: &[&str]) -> bool {
    verbs.iter().any(|verb| {
        text.match_indices(verb).any(|(at, _)| {
            let rest = text[at + verb.len()..].trim_start();
            rest.strip_prefix(table).is_some_and(|after| !after.starts_with(is_word))
        })
    })
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(text: &str) -> Vec<Matter> {
        let mut changes = Changes::default();
        changes.add(Touched::by(text));
        let all = [Matter::Access, Matter::Mail, Matter::Deliveries, Matter::Pods, Matter::Chores];
        all.into_iter().filter(|it| changes.touch(*it)).collect()
    }

    #[test]
    fn a_statement_says_what_it_changes() {
        for (text, matter) in [
            ("UPDATE sessions SET revoked_at = $2", Matter::Access),
            ("DELETE FROM clients WHERE client_id = $1", Matter::Access),
            ("INSERT INTO revoked_tokens (token_id) VALUES ($1)", Matter::Access),
            (
                "INSERT INTO memberships (a) VALUES ($1) ON CONFLICT DO UPDATE SET a = 1",
                Matter::Access,
            ),
            ("INSERT INTO mails (mail_id) VALUES ($1)", Matter::Mail),
            ("WITH a AS (SELECT 1) UPDATE\n deliveries SET due_at = $1", Matter::Deliveries),
            ("INSERT INTO pods(pod_id) VALUES ($1)", Matter::Pods),
        ] {
            assert_eq!(touched(text), [matter], "{text}");
        }
    }

    #[test]
    fn what_takes_nothing_away_is_not_noticed() {
        for text in [
            "SELECT session_id FROM sessions FOR UPDATE",
            "INSERT INTO sessions (session_id) VALUES ($1)",
            "UPDATE sessions_of_others SET a = 1",
            "UPDATE mails SET state = 'sent'",
            "UPDATE clients SET last_used_at = $2 WHERE client_id = $1 /*unwatched*/",
        ] {
            assert_eq!(touched(text), [], "{text}");
        }
    }
}
