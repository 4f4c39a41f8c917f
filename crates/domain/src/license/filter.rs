//! Filters of the console's lists of licenses, besides those that the APIs have.

use super::{Amount, Currency, LicenseType, Territory};
use crate::day::DayRange;
use crate::id::{TalentId, TenantId};
use crate::search::{FindQuery, NameFilter};
use crate::tag::TagKey;

/// What a list of licenses is narrowed to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LicenseFilter {
    /// Beginnings of words in the title, the names of talent and owner, and the external ID, or
    /// whole words of the description.
    pub find: Option<FindQuery>,
    /// The type, or one of the permitted uses.
    pub usage: Option<LicenseType>,
    /// A territory in which the license applies. Worldwide licenses apply in each.
    pub territory: Option<Territory>,
    /// The talent.
    pub talent: Option<NameFilter<TalentId>>,
    /// Words of the owner's name.
    pub owner: Option<FindQuery>,
    /// A tag of the tenant that owns the licenses.
    pub tag: Option<(TenantId, TagKey)>,
    /// The fee.
    pub price: PriceRange,
    /// The days on which it was created.
    pub created: DayRange,
    /// The days on which it expires.
    pub expires: DayRange,
}

impl LicenseFilter {
    /// Whether the list is narrowed at all.
    #[must_use]
    pub fn is_narrow(&self) -> bool {
        *self != Self::default()
    }

    /// Whether a search without any word makes the list empty.
    #[must_use]
    pub fn finds_nothing(&self) -> bool {
        let named = match &self.talent {
            Some(NameFilter::Name(name)) => Some(name),
            _ => None,
        };
        let mut searches = self.find.iter().chain(&self.owner).chain(named);
        searches.any(FindQuery::finds_nothing)
    }
}

/// A range of fees. Amounts in other currencies are compared as numbers if no currency is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PriceRange {
    /// The lowest amount.
    pub from: Option<Amount>,
    /// The highest amount.
    pub to: Option<Amount>,
    /// The currency.
    pub currency: Option<Currency>,
}

impl PriceRange {
    /// The lowest and the highest amount, if one is given.
    #[must_use]
    pub fn amounts(self) -> Option<(Amount, Amount)> {
        if self.from.is_none() && self.to.is_none() {
            return None;
        }
        Some((self.from.unwrap_or(Amount::ZERO), self.to.unwrap_or(Amount::MAX)))
    }

    /// Whether the highest amount is less than the lowest.
    #[must_use]
    pub fn is_reversed(self) -> bool {
        self.amounts().is_some_and(|(from, to)| to < from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_may_be_open_on_one_side() {
        let amount = |text| Some(Amount::parse(text).unwrap());
        let range = PriceRange { to: amount("5"), ..PriceRange::default() };
        assert_eq!(range.amounts(), Some((Amount::ZERO, amount("5").unwrap())));
        assert_eq!(PriceRange::default().amounts(), None);
        let reversed = PriceRange { from: amount("6"), ..range };
        assert!(reversed.is_reversed() && !range.is_reversed());
    }

    #[test]
    fn a_filter_without_words_finds_nothing() {
        let mute = FindQuery::parse("!").unwrap();
        assert!(!LicenseFilter::default().is_narrow());
        let filter = LicenseFilter { owner: mute, ..LicenseFilter::default() };
        assert!(filter.is_narrow() && filter.finds_nothing());
    }
}
