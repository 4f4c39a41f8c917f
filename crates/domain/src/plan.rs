//! The plans as they are offered (contract section 5, console document "Subscription plan"). What a
//! plan allows is in [`Plan`] itself.

use uuid::Uuid;

use crate::id::PlanId;
use crate::license::Amount;
use crate::organization::Plan;

/// Every plan is paid in this money.
pub const CURRENCY: &str = "USD";
/// Every plan is paid each month.
pub const BILLING_PERIOD: &str = "monthly";

/// A plan as it is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The plan.
    pub plan: Plan,
    /// For whom it is.
    pub description: &'static str,
    /// What it brings.
    pub features: &'static [&'static str],
}

/// All of them, the smallest first. Features repeat the figures of the plan; a test compares.
pub const OFFERS: [Offer; 4] = [
    Offer {
        plan: Plan::Free,
        description: "To try things out",
        features: &["100 requests a minute for each API client", "10,000 requests a month"],
    },
    Offer {
        plan: Plan::Starter,
        description: "For a first integration",
        features: &["300 requests a minute for each API client", "100,000 requests a month"],
    },
    Offer {
        plan: Plan::Pro,
        description: "For daily work with many licenses",
        features: &["1,000 requests a minute for each API client", "1,000,000 requests a month"],
    },
    Offer {
        plan: Plan::Enterprise,
        description: "For platforms and large catalogs",
        features: &[
            "Price by arrangement",
            "5,000 requests a minute for each API client",
            "Any number of requests a month",
        ],
    },
];

impl Plan {
    /// Its id, the same on every server.
    #[must_use]
    pub fn id(self) -> PlanId {
        PlanId::from(Uuid::from_u128(match self {
            Self::Free => 0x019b_76da_a800_7000_8000_0000_0000_0001,
            Self::Starter => 0x019b_76da_a800_7000_8000_0000_0000_0002,
            Self::Pro => 0x019b_76da_a800_7000_8000_0000_0000_0003,
            Self::Enterprise => 0x019b_76da_a800_7000_8000_0000_0000_0004,
        }))
    }

    /// The plan of this id.
    #[must_use]
    pub fn from_id(id: PlanId) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.id() == id)
    }

    /// What a month of it costs. One by arrangement has no price here.
    #[must_use]
    pub fn price(self) -> Amount {
        let hundredths = match self {
            Self::Free | Self::Enterprise => 0,
            Self::Starter => 4_999,
            Self::Pro => 9_999,
        };
        Amount::from_hundredths(hundredths).unwrap_or(Amount::MAX)
    }

    /// Whether a card pays for it each month.
    #[must_use]
    pub const fn is_paid(self) -> bool {
        matches!(self, Self::Starter | Self::Pro)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::Limits;

    fn grouped(number: u64) -> String {
        let text = number.to_string();
        let heads = (0..text.len()).rev().step_by(3).map(|it| it + 1);
        let mut ends: Vec<_> = heads.collect();
        ends.reverse();
        let mut from = 0;
        let parts = ends.into_iter().map(|to| {
            let part = &text[from..to];
            from = to;
            part.to_owned()
        });
        parts.collect::<Vec<_>>().join(",")
    }

    #[test]
    fn what_is_offered_is_what_holds() {
        let limits = Limits::default();
        for (offer, plan) in OFFERS.iter().zip(Plan::ALL) {
            assert_eq!(offer.plan, plan);
            let minute = u64::from(limits.windows(plan.limit()).unwrap()[0].limit);
            let minute = format!("{} requests a minute for each API client", grouped(minute));
            assert!(offer.features.contains(&minute.as_str()), "{minute}");
            let month = plan.monthly_quota().map_or("Any number of".to_owned(), grouped);
            let month = format!("{month} requests a month");
            assert!(offer.features.contains(&month.as_str()), "{month}");
        }
        assert_eq!(OFFERS[3].features[0], "Price by arrangement");
    }

    #[test]
    fn plans_have_the_prices_of_the_contract() {
        let prices = Plan::ALL.map(|it| (it.price().to_string(), it.is_paid()));
        let [free, starter, pro, enterprise] = prices.each_ref().map(|it| (it.0.as_str(), it.1));
        assert_eq!((free, starter), (("0.00", false), ("49.99", true)));
        assert_eq!((pro, enterprise), (("99.99", true), ("0.00", false)));
    }

    #[test]
    fn every_plan_is_found_by_its_id() {
        for plan in Plan::ALL {
            assert_eq!(Plan::from_id(plan.id()), Some(plan));
        }
        assert_eq!(Plan::Starter.id().to_string(), "019b76da-a800-7000-8000-000000000002");
        assert_eq!(Plan::from_id(PlanId::from(Uuid::nil())), None);
    }
}
