//! What the index knows about a record.

use std::collections::BTreeSet;
use std::fmt::Display;

use grantor_domain::Timestamp;
use grantor_domain::id::TalentId;
use grantor_domain::search::plain_words;
use uuid::Uuid;

use super::RecordKind;
use super::conditions::{TALENT, TALENT_NAMES};
use super::order::{CHANGED, ENDS, NAME, NAME_LEVELS};
use crate::bitmap::term::{DAY_LEVELS, MOMENT_LEVELS, moment, words};
use crate::{Error, Result};

/// The maximum length of a name by which records are sorted.
const MAX_NAME: usize = 100;

/// Stands for the space between two words in a term, which contains no space. It sorts before all
/// letters and digits, like the space.
const GAP: &str = "!";

/// The terms of a record, and what it is sorted by.
pub(super) struct Facets {
    pub(super) id: Uuid,
    /// The folded words of its name.
    pub(super) name: String,
    pub(super) changed_at: Timestamp,
    pub(super) ends_at: Option<Timestamp>,
    pub(super) terms: BTreeSet<String>,
    kind: RecordKind,
}

impl Facets {
    /// A record with the name and the times by which it is sorted.
    pub(super) fn new(
        kind: RecordKind,
        id: Uuid,
        name: &str,
        (changed_at, ends_at): (Timestamp, Option<Timestamp>),
    ) -> Self {
        let name: String = plain_words(name).join(" ").chars().take(MAX_NAME).collect();
        let mut terms: BTreeSet<_> = beginnings(kind, &name).collect();
        terms.extend(moment(kind.scope(), CHANGED, changed_at, MOMENT_LEVELS));
        if let Some(end) = ends_at {
            terms.extend(moment(kind.scope(), ENDS, end, MOMENT_LEVELS));
        }
        Self { id, name, changed_at, ends_at, terms, kind }
    }

    /// Adds a term.
    pub(super) fn with(mut self, facet: &str, value: impl Display) -> Self {
        self.terms.insert(self.kind.term(facet, value));
        self
    }

    /// Adds a term if there is a value.
    pub(super) fn with_some(self, facet: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.with(facet, value),
            None => self,
        }
    }

    /// Adds a day by which lists are filtered.
    pub(super) fn on(mut self, facet: char, at: Timestamp) -> Self {
        self.terms.extend(moment(self.kind.scope(), facet, at, DAY_LEVELS));
        self
    }

    /// Adds a talent with the full name and the stored aliases.
    pub(super) fn of_talent(self, id: TalentId, fullname: &str, aliases: &str) -> Result<Self> {
        let aliases: Vec<String> = serde_json::from_str(aliases)
            .map_err(|error| Error::Fault(format!("invalid aliases: {error}")))?;
        let with_id = self.with(TALENT, id.as_uuid().simple());
        Ok(with_id.named(TALENT_NAMES, [fullname]).named(TALENT_NAMES, aliases))
    }

    /// Adds the words of a text that only one tenant finds.
    pub(super) fn named_for(mut self, tenant: Uuid, field: char, text: &str) -> Self {
        self.terms.extend(words(&self.kind.scope_of(tenant), field, text));
        self
    }

    /// Adds the words of texts in a field.
    pub(super) fn named<T: AsRef<str>>(
        mut self,
        field: char,
        texts: impl IntoIterator<Item = T>,
    ) -> Self {
        for text in texts {
            self.terms.extend(words(self.kind.scope(), field, text.as_ref()));
        }
        self
    }
}

/// The terms by which records are sorted by name.
fn beginnings(kind: RecordKind, name: &str) -> impl Iterator<Item = String> {
    let key = name.replace(' ', GAP);
    let ends: Vec<_> = key.char_indices().map(|(at, letter)| at + letter.len_utf8()).collect();
    let scope = kind.scope();
    ends.into_iter()
        .take(NAME_LEVELS)
        .zip(1..)
        .map(move |(end, level)| format!("{scope}{NAME}{level}:{}", &key[..end]))
}
