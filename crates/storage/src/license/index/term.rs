//! The terms of a license in the index.

use std::collections::BTreeSet;

use grantor_domain::license::{ExternalId, LicenseStatus, LicenseType};
use grantor_domain::search::{index_words, is_word};
use uuid::Uuid;

use super::super::LicenseRecord;

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

/// The words of a license in these fields, in order.
pub(super) fn words_in(shown: &LicenseRecord, fields: &[Field]) -> Vec<String> {
    let mut words = Vec::new();
    for field in fields {
        // Keeps phrases from matching across fields.
        words.push(String::new());
        words.extend(match field {
            Field::Text => text_words(shown),
            Field::Names => name_words(shown),
        });
    }
    words
}

/// The words of a license's title and description, in order.
fn text_words(shown: &LicenseRecord) -> Vec<String> {
    index_words(&[shown.license.title.as_str(), shown.license.description.as_str()])
}

/// The words of its names, in order.
fn name_words(shown: &LicenseRecord) -> Vec<String> {
    let external_id = shown.license.external_id.as_ref().map(ExternalId::as_str);
    let mut names = vec![shown.talent_name.as_str(), shown.owner_name.as_str()];
    names.extend(shown.talent_aliases.iter().map(String::as_str));
    names.extend(external_id);
    index_words(&names)
}

/// All terms of a license with these readers.
pub(super) fn all(
    shown: &LicenseRecord,
    readers: impl IntoIterator<Item = Uuid>,
) -> BTreeSet<String> {
    let mut terms: BTreeSet<_> = readers.into_iter().map(reader).collect();
    terms.insert(license_type(shown.license.license_type));
    terms.insert(status(shown.license.status));
    for (field, words) in [(Field::Text, text_words(shown)), (Field::Names, name_words(shown))] {
        terms.extend(words.iter().filter(|it| is_word(it)).map(|it| word(field, it)));
    }
    terms
}
