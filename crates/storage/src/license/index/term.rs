//! The terms of a license in the index.

use std::collections::BTreeSet;

use grantor_domain::license::{
    ExternalId, LicenseFilter, LicenseStatus, LicenseType, PriceRange, Territory,
};
use grantor_domain::search::{NameFilter, index_words, is_word};
use grantor_domain::tag::term_of;
use uuid::Uuid;

use super::super::LicenseRecord;
use crate::bitmap::term::{DAY_LEVELS, amount, amounts, days, moment, require_words, words};
use crate::bitmap::{BitmapQuery, Group};

/// The fields whose words people find by their beginnings: the talent's names, the owner's name,
/// the title and the external id.
const TALENT: char = 't';
const OWNER: char = 'o';
const TITLE: char = 'h';
const EXTERNAL_ID: char = 'x';
/// The days by which lists are filtered.
const CREATED: char = 'c';
const EXPIRES: char = 'e';
/// The terms are those of licenses alone.
const SCOPE: &str = "";

/// The texts in which words are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// Title and description.
    Text,
    /// The names of the talent, the owner's name and the external id.
    Names,
}

pub(super) fn word(field: Field, word: &str) -> String {
    match field {
        Field::Text => format!("w:{word}"),
        Field::Names => format!("n:{word}"),
    }
}

pub(super) fn reader(id: Uuid) -> String {
    format!("r:{}", id.simple())
}

pub(super) fn license_type(license_type: LicenseType) -> String {
    format!("k:{}", license_type.key())
}

pub(super) fn status(status: LicenseStatus) -> String {
    format!("s:{}", status.name())
}

fn usage(usage: LicenseType) -> String {
    format!("u:{}", usage.key())
}

fn territory(territory: Territory) -> String {
    format!("c:{}", territory.as_str())
}

fn talent(id: Uuid) -> String {
    format!("t:{}", id.simple())
}

fn currency(code: &str) -> String {
    format!("m:{code}")
}

/// Tags belong to the owner: another reader of the license does not find it by them.
fn tag(owner: Uuid, term: &str) -> String {
    format!("g:{}:{term}", owner.simple())
}

/// The licenses that expire in a month such as `2026-01`.
pub(super) fn expiring_in(month: &str) -> String {
    format!("{SCOPE}{EXPIRES}2:{month}")
}

/// The conditions of a filter.
pub(super) fn conditions(filter: &LicenseFilter) -> BitmapQuery {
    let mut query = BitmapQuery::default();
    if let Some(find) = &filter.find {
        let fields = [TALENT, OWNER, TITLE, EXTERNAL_ID];
        require_words(&mut query, &fields.map(|it| (SCOPE, it)), find, |it| {
            Some(word(Field::Text, it))
        });
    }
    if let Some(kind) = filter.usage {
        query.any_of(vec![license_type(kind), usage(kind)]);
    }
    if let Some(place) = filter.territory {
        query.any_of(vec![territory(place), territory(Territory::WORLD)]);
    }
    match &filter.talent {
        Some(NameFilter::Id(id)) => query.any_of(vec![talent(id.as_uuid())]),
        Some(NameFilter::Name(name)) => {
            require_words(&mut query, &[(SCOPE, TALENT)], name, |_| None);
        }
        None => {}
    }
    if let Some(owner) = &filter.owner {
        require_words(&mut query, &[(SCOPE, OWNER)], owner, |_| None);
    }
    if let Some((owner, key)) = &filter.tag {
        query.any_of(vec![tag(owner.as_uuid(), &key.term())]);
    }
    require_price(&mut query, filter.price);
    for (facet, range) in [(CREATED, filter.created), (EXPIRES, filter.expires)] {
        if !range.is_open() {
            query.require(days(SCOPE, facet, range));
        }
    }
    query
}

fn require_price(query: &mut BitmapQuery, price: PriceRange) {
    if let Some(range) = price.amounts() {
        query.require(amounts(SCOPE, range));
    }
    if let Some(code) = price.currency {
        query.require(Group::of([currency(code.as_str())]));
    }
}

/// The texts of a license in which words are searched.
pub(super) struct Texts<'a> {
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    pub(super) talent_name: &'a str,
    pub(super) talent_aliases: &'a [String],
    pub(super) owner_name: &'a str,
    pub(super) external_id: Option<&'a str>,
}

impl<'a> Texts<'a> {
    pub(super) fn of(shown: &'a LicenseRecord) -> Self {
        let license = &shown.license;
        Self {
            title: license.title.as_str(),
            description: license.description.as_str(),
            talent_name: &shown.talent_name,
            talent_aliases: &shown.talent_aliases,
            owner_name: &shown.owner_name,
            external_id: license.external_id.as_ref().map(ExternalId::as_str),
        }
    }

    /// The words in these fields, in order.
    pub(super) fn words_in(&self, fields: &[Field]) -> Vec<String> {
        let mut words = Vec::new();
        for field in fields {
            // Keeps phrases from matching across fields.
            words.push(String::new());
            words.extend(self.words(*field));
        }
        words
    }

    fn words(&self, field: Field) -> Vec<String> {
        match field {
            Field::Text => index_words(&[self.title, self.description]),
            Field::Names => {
                let mut names = vec![self.talent_name, self.owner_name];
                names.extend(self.talent_aliases.iter().map(String::as_str));
                names.extend(self.external_id);
                index_words(&names)
            }
        }
    }
}

/// All terms of a license with these readers and the keys of its tags.
pub(super) fn all(
    shown: &LicenseRecord,
    readers: impl IntoIterator<Item = Uuid>,
    tags: &[String],
) -> BTreeSet<String> {
    let mut terms: BTreeSet<_> = readers.into_iter().map(reader).collect();
    let owner = shown.license.tenant.as_uuid();
    terms.extend(tags.iter().map(|key| tag(owner, &term_of(key))));
    terms.insert(status(shown.license.status));
    for field in [Field::Text, Field::Names] {
        let words = Texts::of(shown).words(field);
        terms.extend(words.iter().filter(|it| is_word(it)).map(|it| word(field, it)));
    }
    terms.extend(facets(shown));
    terms
}

/// The terms by which [`conditions`] filter.
fn facets(shown: &LicenseRecord) -> BTreeSet<String> {
    let license = &shown.license;
    let mut terms =
        BTreeSet::from([license_type(license.license_type), talent(license.talent.as_uuid())]);
    terms.extend(license.uses.as_slice().iter().map(|it| usage(*it)));
    terms.extend(license.territories.as_slice().iter().map(|it| territory(*it)));
    if let Some(fee) = &license.fee {
        terms.extend(amount(SCOPE, fee.amount));
        terms.insert(currency(fee.currency.as_str()));
    }
    terms.extend(moment(SCOPE, CREATED, license.created_at, DAY_LEVELS));
    if let Some(end) = license.expires_at {
        terms.extend(moment(SCOPE, EXPIRES, end, DAY_LEVELS));
    }
    terms.extend(words(SCOPE, OWNER, &shown.owner_name));
    terms.extend(words(SCOPE, TITLE, license.title.as_str()));
    terms.extend(words(SCOPE, TALENT, &shown.talent_name));
    for alias in &shown.talent_aliases {
        terms.extend(words(SCOPE, TALENT, alias));
    }
    if let Some(id) = &license.external_id {
        terms.extend(words(SCOPE, EXTERNAL_ID, id.as_str()));
    }
    terms
}
