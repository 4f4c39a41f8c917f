//! The names of the writable members of a license in each API. With one table per API, both are
//! parsed by the same rules and errors use the caller's names.

use serde_json::{Map, Value};

/// A writable member of a license.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// The owner's own ID for the license.
    ExternalId,
    /// The title.
    Title,
    /// The description.
    Description,
    /// The status.
    Status,
    /// The type.
    LicenseType,
    /// The allowed uses.
    Uses,
    /// The territories.
    Territories,
    /// The fee as one object.
    Fee,
    /// The amount of the fee.
    FeeAmount,
    /// The currency of the fee.
    FeeCurrency,
    /// What the fee is paid per.
    FeePer,
    /// Whether platforms are watched for uses of the likeness.
    CanCrawl,
    /// Free-form terms.
    Terms,
    /// When the license becomes valid.
    ValidFrom,
    /// When the license expires.
    ExpiresAt,
}

/// The member names of one API.
#[derive(Debug)]
pub struct FieldNames {
    /// A dotted name refers to a member of a nested object.
    table: &'static [(Member, &'static str)],
    /// Whether an amount may be a JSON number.
    pub(super) numbers: bool,
}

impl FieldNames {
    /// The external API (contract section 4, "Mutable by PATCH").
    pub const EXTERNAL: &'static Self = &Self {
        table: &[
            (Member::ExternalId, "external_id"),
            (Member::Title, "title"),
            (Member::Description, "description"),
            (Member::Status, "status"),
            (Member::LicenseType, "license_type"),
            (Member::Uses, "uses"),
            (Member::Territories, "territories"),
            (Member::Fee, "fee"),
            (Member::FeeAmount, "fee.amount"),
            (Member::FeeCurrency, "fee.currency"),
            (Member::FeePer, "fee.per"),
            (Member::CanCrawl, "can_crawl"),
            (Member::Terms, "terms"),
            (Member::ValidFrom, "valid_from"),
            (Member::ExpiresAt, "expires_at"),
        ],
        numbers: false,
    };

    /// The console API (contract section 5, `/org/licenses`). Its fee is three separate members.
    pub const CONSOLE: &'static Self = &Self {
        table: &[
            (Member::ExternalId, "externalId"),
            (Member::Title, "name"),
            (Member::Description, "description"),
            (Member::Status, "status"),
            (Member::LicenseType, "type"),
            (Member::Uses, "uses"),
            (Member::Territories, "territories"),
            (Member::FeeAmount, "appearanceFee"),
            (Member::FeeCurrency, "currency"),
            (Member::FeePer, "feePer"),
            (Member::CanCrawl, "canCrawl"),
            (Member::Terms, "terms"),
            (Member::ValidFrom, "validFrom"),
            (Member::ExpiresAt, "expiresAt"),
        ],
        numbers: true,
    };

    /// The name of a member; empty if the API does not have it.
    #[must_use]
    pub fn of(&self, member: Member) -> &'static str {
        self.table.iter().find(|(it, _)| *it == member).map_or("", |(_, name)| name)
    }

    /// Finds a member by its dotted name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<(Member, &'static str)> {
        self.table.iter().copied().find(|(_, it)| *it == name)
    }

    /// Splits the members of a body into known ones and the names of unknown ones.
    pub(super) fn sort<'a>(
        &self,
        within: Option<&str>,
        members: &'a Map<String, Value>,
        ignored: &mut Vec<String>,
    ) -> Vec<(Member, &'static str, &'a Value)> {
        let mut known = Vec::new();
        for (name, value) in members {
            let full = within.map_or_else(|| name.clone(), |outer| format!("{outer}.{name}"));
            // A literal dot in a name does not refer to a nested member.
            match self.find(&full).filter(|_| !name.contains('.')) {
                Some((member, name)) => known.push((member, name, value)),
                None => ignored.push(full),
            }
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_member_has_one_name() {
        for names in [FieldNames::EXTERNAL, FieldNames::CONSOLE] {
            for (member, name) in names.table {
                assert_eq!(names.find(name), Some((*member, *name)));
                assert_eq!(names.of(*member), *name);
            }
        }
        assert_eq!(FieldNames::EXTERNAL.table.len(), Member::ExpiresAt as usize + 1);
        assert_eq!(FieldNames::CONSOLE.table.len(), Member::ExpiresAt as usize);
        assert_eq!(FieldNames::CONSOLE.of(Member::Fee), "");
    }
}
