//! Tracks what a unit of work changed, so that caches can be invalidated and workers woken. Changes
//! are derived from the statements themselves, so no caller can forget to report one.

use std::collections::BTreeSet;

use grantor_domain::id::TenantId;

/// Marks a statement that changes a [`WATCHED`] table only in columns that nobody watches.
const UNWATCHED: &str = "/*unwatched*/";

/// Something outside the database that depends on rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The data that access tokens depend on: accounts, tenants, sessions, API clients.
    Access,
    /// Mails waiting to be sent.
    Mail,
    /// Deliveries that may be due, and webhooks that may receive them.
    Deliveries,
    /// Pods that may be due.
    Pods,
    /// Background chores queued by a change.
    Chores,
    /// Feeds of sources that may be due.
    Feeds,
}

impl Topic {
    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The changes of a committed unit of work. Only a store creates one.
#[derive(Debug, Default)]
pub struct Changes {
    topics: u8,
    feeds: BTreeSet<TenantId>,
}

impl Changes {
    /// Reports everything as changed, for code that writes past the store, such as tests.
    #[must_use]
    pub fn all() -> Self {
        Self { topics: u8::MAX, feeds: BTreeSet::new() }
    }

    /// Whether this topic was changed.
    #[must_use]
    pub fn touches(&self, topic: Topic) -> bool {
        self.topics & topic.bit() != 0
    }

    /// The feeds that received an event.
    pub fn feeds(&self) -> impl Iterator<Item = TenantId> {
        self.feeds.iter().copied()
    }

    pub(crate) fn add(&mut self, topics: Topics) {
        self.topics |= topics.0;
    }

    pub(crate) fn add_feed(&mut self, feed: TenantId) {
        self.feeds.insert(feed);
    }
}

/// The topics that a statement changes if it changes any row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Topics(u8);

const INSERT: &str = "INSERT INTO";
const UPDATE: &str = "UPDATE";
const DELETE: &str = "DELETE FROM";

/// Which changes to which tables affect which topic. A new row does not affect tokens issued before
/// it, except a row that revokes a token.
const WATCHED: [(&str, &[&str], Topic); 16] = [
    ("users", &[UPDATE, DELETE], Topic::Access),
    // Inserts count too: a cached session knows whether its user has several tenants.
    ("memberships", &[INSERT, UPDATE, DELETE], Topic::Access),
    ("tenants", &[UPDATE, DELETE], Topic::Access),
    ("sessions", &[UPDATE, DELETE], Topic::Access),
    ("clients", &[UPDATE, DELETE], Topic::Access),
    ("exchanges", &[UPDATE, DELETE], Topic::Access),
    ("revoked_tokens", &[INSERT], Topic::Access),
    ("admins", &[UPDATE, DELETE], Topic::Access),
    ("staff_views", &[UPDATE, DELETE], Topic::Access),
    // A cached session knows the language and the time zone of its person.
    ("notice_settings", &[INSERT, UPDATE], Topic::Access),
    ("mails", &[INSERT], Topic::Mail),
    ("deliveries", &[INSERT, UPDATE], Topic::Deliveries),
    ("webhooks", &[UPDATE], Topic::Deliveries),
    ("pods", &[INSERT, UPDATE], Topic::Pods),
    ("watched_feeds", &[INSERT, UPDATE], Topic::Feeds),
    ("chores", &[INSERT], Topic::Chores),
];

impl Topics {
    /// Derives the topics from a statement's text.
    pub(crate) fn of_statement(text: &str) -> Self {
        if text.contains(UNWATCHED) {
            return Self::default();
        }
        let replaces = text.contains("DO UPDATE");
        let touches = |(table, verbs, _): &&(&str, &[&str], Topic)| {
            writes(text, table, verbs)
                || (replaces && verbs.contains(&UPDATE) && writes(text, table, &[INSERT]))
        };
        Self(WATCHED.iter().filter(touches).fold(0, |all, (_, _, topic)| all | topic.bit()))
    }
}

/// Whether a statement applies one of these verbs to a table.
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

    fn touched(text: &str) -> Vec<Topic> {
        let mut changes = Changes::default();
        changes.add(Topics::of_statement(text));
        let all = [
            Topic::Access,
            Topic::Mail,
            Topic::Deliveries,
            Topic::Pods,
            Topic::Chores,
            Topic::Feeds,
        ];
        all.into_iter().filter(|it| changes.touches(*it)).collect()
    }

    #[test]
    fn a_statement_says_what_it_changes() {
        for (text, topic) in [
            ("UPDATE sessions SET revoked_at = $2", Topic::Access),
            ("DELETE FROM clients WHERE client_id = $1", Topic::Access),
            ("INSERT INTO revoked_tokens (token_id) VALUES ($1)", Topic::Access),
            (
                "INSERT INTO memberships (a) VALUES ($1) ON CONFLICT DO UPDATE SET a = 1",
                Topic::Access,
            ),
            ("INSERT INTO mails (mail_id) VALUES ($1)", Topic::Mail),
            ("WITH a AS (SELECT 1) UPDATE\n deliveries SET due_at = $1", Topic::Deliveries),
            ("INSERT INTO pods(pod_id) VALUES ($1)", Topic::Pods),
            ("UPDATE watched_feeds SET due_at = $2 WHERE feed_id = $1", Topic::Feeds),
        ] {
            assert_eq!(touched(text), [topic], "{text}");
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
