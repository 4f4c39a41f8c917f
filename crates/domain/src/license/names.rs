//! What each surface calls the members of a license that a caller may write. One table for each,
//! so that both are read by the same rules and every error bears the caller's own names.

use serde_json::{Map, Value};

/// A member that a caller may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// The owner's own name for it.
    ExternalId,
    /// What it is called.
    Title,
    /// What it says of itself.
    Description,
    /// How far it is known and in force.
    Status,
    /// What it is for.
    LicenseType,
    /// What may be done.
    Uses,
    /// Where it holds.
    Territories,
    /// What it costs, as one object.
    Fee,
    /// How much it costs.
    FeeAmount,
    /// Of which money.
    FeeCurrency,
    /// For what it is paid.
    FeePer,
    /// Whether platforms may be searched for it.
    CanCrawl,
    /// What only its readers understand.
    Terms,
    /// From when it holds.
    ValidFrom,
    /// Until when it holds.
    ExpiresAt,
}

/// The names of one surface.
#[derive(Debug)]
pub struct Names {
    /// A dotted name stands inside the object before its dot.
    table: &'static [(Member, &'static str)],
    /// Whether an amount may be a JSON number.
    pub(super) numbers: bool,
}

impl Names {
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

    /// The console (contract section 5, `/org/licenses`). Its fee is three members side by side.
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

    /// What this surface calls a member; empty where it has no such member.
    #[must_use]
    pub fn of(&self, member: Member) -> &'static str {
        self.table.iter().find(|(it, _)| *it == member).map_or("", |(_, name)| name)
    }

    /// The member of this dotted name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<(Member, &'static str)> {
        self.table.iter().copied().find(|(_, it)| *it == name)
    }

    /// Sorts a body's members into those that are known and the names of those that are not.
    pub(super) fn sort<'a>(
        &self,
        within: Option<&str>,
        members: &'a Map<String, Value>,
        ignored: &mut Vec<String>,
    ) -> Vec<(Member, &'static str, &'a Value)> {
        let mut known = Vec::new();
        for (name, value) in members {
            let full = within.map_or_else(|| name.clone(), |outer| format!("{outer}.{name}"));
            // A name that itself has a dot is not the one inside an object.
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
        for names in [Names::EXTERNAL, Names::CONSOLE] {
            for (member, name) in names.table {
                assert_eq!(names.find(name), Some((*member, *name)));
                assert_eq!(names.of(*member), *name);
            }
        }
        assert_eq!(Names::EXTERNAL.table.len(), Member::ExpiresAt as usize + 1);
        assert_eq!(Names::CONSOLE.table.len(), Member::ExpiresAt as usize);
        assert_eq!(Names::CONSOLE.of(Member::Fee), "");
    }
}
