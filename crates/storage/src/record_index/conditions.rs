//! The conditions of a search.

use std::fmt::Display;

use grantor_domain::day::DayRange;
use grantor_domain::id::TalentId;
use grantor_domain::search::{FindQuery, NameFilter};
use uuid::Uuid;

use super::RecordKind;
use crate::bitmap::BitmapQuery;
use crate::bitmap::term::{Field, days, require_words, whole_word, year};

/// The facet of the talent that a record is about.
pub(super) const TALENT: &str = "ti";
/// The field of the names of that talent.
pub(super) const TALENT_NAMES: char = 't';

/// Conditions that records of a kind must meet.
pub(super) struct Conditions {
    pub(super) kind: RecordKind,
    pub(super) query: BitmapQuery,
    /// Whether a search without any word makes the list empty.
    pub(super) find_nothing: bool,
}

impl Conditions {
    pub(super) fn new(kind: RecordKind) -> Self {
        Self { kind, query: BitmapQuery::default(), find_nothing: false }
    }

    /// Requires the beginnings of words in any of these fields.
    pub(super) fn find(self, fields: &[char], search: Option<&FindQuery>) -> Self {
        let scope = self.kind.scope();
        let fields: Vec<_> = fields.iter().map(|it| (scope, *it)).collect();
        self.find_in(&fields, search)
    }

    /// Like [`Self::find`], also in a field in which each tenant finds only its own words.
    pub(super) fn find_own(
        self,
        fields: &[char],
        (tenant, own): (Uuid, char),
        search: Option<&FindQuery>,
    ) -> Self {
        let (scope, private) = (self.kind.scope(), self.kind.scope_of(tenant));
        let fields = fields.iter().map(|it| (scope, *it));
        let fields: Vec<_> = fields.chain([(&*private, own)]).collect();
        self.find_in(&fields, search)
    }

    fn find_in(mut self, fields: &[Field<'_>], search: Option<&FindQuery>) -> Self {
        if let Some(search) = search {
            self.find_nothing |= search.finds_nothing();
            require_words(&mut self.query, fields, search, |_| None);
        }
        self
    }

    /// Requires a whole word in a field, which must have more than four letters.
    pub(super) fn word(mut self, field: char, word: &str) -> Self {
        self.query.any_of(vec![whole_word(self.kind.scope(), field, word)]);
        self
    }

    /// Requires a value of a facet.
    pub(super) fn having(self, facet: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.having_any(facet, [value]),
            None => self,
        }
    }

    /// Requires one of the values of a facet.
    pub(super) fn having_any<T: Display>(
        mut self,
        facet: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        let kind = self.kind;
        self.query.any_of(values.into_iter().map(|it| kind.term(facet, it)).collect());
        self
    }

    /// Requires a talent, or words of the talent's names.
    pub(super) fn talent(self, filter: Option<&NameFilter<TalentId>>) -> Self {
        match filter {
            Some(NameFilter::Id(id)) => self.having(TALENT, Some(id.as_uuid().simple())),
            Some(NameFilter::Name(name)) => self.find(&[TALENT_NAMES], Some(name)),
            None => self,
        }
    }

    /// Requires a moment in a year.
    pub(super) fn year(mut self, facet: char, of: u16) -> Self {
        self.query.any_of(vec![year(self.kind.scope(), facet, of)]);
        self
    }

    /// Requires a day in a range.
    pub(super) fn days(mut self, facet: char, range: DayRange) -> Self {
        if !range.is_open() {
            self.query.require(days(self.kind.scope(), facet, range));
        }
        self
    }
}
