//! The terms of a log entry in the index.

use std::collections::BTreeSet;

use grantor_domain::audit::{Class, Level, Scheme};
use grantor_domain::id::TenantId;
use grantor_domain::search::{index_words, is_word};

use super::super::LogRecord;

/// The word by which everybody finds what staff did.
pub(super) const STAFF: &str = "staff";

pub(super) fn tenant(tenant: TenantId) -> String {
    format!("t:{}", tenant.as_uuid().simple())
}

pub(super) fn scheme(scheme: Scheme) -> String {
    format!("s:{}", scheme.name())
}

pub(super) fn action(action: &str) -> String {
    format!("a:{action}")
}

pub(super) fn level(level: Level) -> String {
    format!("l:{}", level.name())
}

pub(super) fn class(class: Class) -> String {
    format!("c:{}", class.name())
}

pub(super) fn word(word: &str) -> String {
    format!("w:{word}")
}

/// A word of a staff member's name, which only staff can search.
pub(super) fn name_of_staff(word: &str) -> String {
    format!("n:{word}")
}

/// The words of the message, the resource and the actor, in order, and that staff acted. For a
/// tenant, the names of staff are left out, because the tenant cannot read them either.
pub(super) fn words_in(record: &LogRecord, for_staff: bool) -> Vec<String> {
    let resource = record.resource_name.as_deref().unwrap_or_default();
    let shows_actor = for_staff || !record.is_by_staff();
    let actor = if shows_actor { record.actor_name.as_str() } else { "" };
    let staff = if record.is_by_staff() { STAFF } else { "" };
    index_words(&[&record.message, resource, actor, staff])
}

/// All terms of an entry.
pub(super) fn all(record: &LogRecord) -> BTreeSet<String> {
    let words = words_in(record, false);
    let mut terms: BTreeSet<_> = words.iter().filter(|it| is_word(it)).map(|it| word(it)).collect();
    if record.is_by_staff() {
        terms.extend(index_words(&[&record.actor_name]).iter().map(|it| name_of_staff(it)));
    }
    terms.extend(record.tenant.map(tenant));
    terms.insert(scheme(record.scheme));
    terms.insert(action(&record.action));
    terms.insert(level(record.level));
    terms.insert(class(record.class));
    terms
}
