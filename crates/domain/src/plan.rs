//! Plans: their prices and limits (contract section 3, contract-2 section 27). The operator's plans
//! file can override these values.

use uuid::Uuid;

use crate::id::PlanId;
use crate::license::Amount;
use crate::organization::Plan;
use crate::usage::LimitedResource;

/// The currency of all plans.
pub const CURRENCY: &str = "USD";
/// The billing period of all plans.
pub const BILLING_PERIOD: &str = "monthly";

const GIB: u64 = 1 << 30;

/// The price and limits of a plan. `None` means unlimited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanTerms {
    /// Who the plan is for.
    pub description: String,
    /// The monthly price; 0 if the plan is free or by arrangement.
    pub price: Amount,
    /// The features written by the operator; if not set, they are generated from the limits.
    pub features: Option<Vec<String>>,
    /// Requests per minute of each API client on the external API.
    pub requests_per_minute: u32,
    /// Requests per month of all API clients of a tenant together.
    pub requests_per_month: Option<u64>,
    /// Bytes of images a tenant may store.
    pub image_bytes: Option<u64>,
    /// Talents a tenant may have.
    pub talents: Option<u64>,
    /// Licenses a tenant may have.
    pub licenses: Option<u64>,
    /// Webhooks a tenant may have.
    pub webhooks: Option<u64>,
    /// Sources a tenant may have.
    pub sources: Option<u64>,
    /// Invitations a tenant may send per day.
    pub invitations_per_day: Option<u32>,
    /// Letters about mentions a tenant may send per day.
    pub letters_per_day: Option<u32>,
}

impl PlanTerms {
    /// The limit for a resource.
    #[must_use]
    pub const fn bound(&self, what: LimitedResource) -> Option<u64> {
        match what {
            LimitedResource::ImageBytes => self.image_bytes,
            LimitedResource::Talents => self.talents,
            LimitedResource::Licenses => self.licenses,
            LimitedResource::Webhooks => self.webhooks,
            LimitedResource::Sources => self.sources,
        }
    }

    /// The features, for display.
    #[must_use]
    pub fn features(&self, plan: Plan) -> Vec<String> {
        if let Some(features) = &self.features {
            return features.clone();
        }
        let many = |count: Option<u64>| count.map_or("Unlimited".to_owned(), grouped);
        let minute = grouped(u64::from(self.requests_per_minute));
        let mut features = vec![
            format!("{minute} requests per minute for each API client"),
            format!("{} requests per month", many(self.requests_per_month)),
            format!("{} talents", many(self.talents)),
            format!("{} licenses", many(self.licenses)),
            format!("{} sources", many(self.sources)),
            self.image_bytes.map_or("Unlimited image storage".to_owned(), |bytes| {
                format!("{} of image storage", storage(bytes))
            }),
        ];
        if plan == Plan::Enterprise {
            features.insert(0, "Custom pricing".to_owned());
        }
        features
    }
}

/// The terms of all plans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plans([PlanTerms; 4]);

impl Plans {
    /// The terms of a plan.
    #[must_use]
    pub fn of(&self, plan: Plan) -> &PlanTerms {
        &self.0[plan as usize]
    }

    /// The terms of a plan, for changing them.
    pub fn of_mut(&mut self, plan: Plan) -> &mut PlanTerms {
        &mut self.0[plan as usize]
    }

    /// All plans with their terms, smallest first.
    pub fn all(&self) -> impl Iterator<Item = (Plan, &PlanTerms)> {
        Plan::ALL.into_iter().map(|plan| (plan, self.of(plan)))
    }

    /// Checks that subscriptions can work with the prices. Returns the first plan with an invalid
    /// price and the reason.
    pub fn check_prices(&self) -> Result<(), (Plan, &'static str)> {
        let price = |plan| self.of(plan).price;
        let nothing = price(Plan::default()).hundredths() == 0;
        for (plan, fits, rule) in [
            (Plan::Free, nothing, "must be 0: every tenant starts with this plan"),
            (Plan::Starter, price(Plan::Starter) > price(Plan::Free), "must be more than 0"),
            (
                Plan::Pro,
                price(Plan::Pro) > price(Plan::Starter),
                "must be more than the price of Starter",
            ),
            (
                Plan::Enterprise,
                price(Plan::Enterprise).hundredths() == 0,
                "must be 0: this plan has custom pricing",
            ),
        ] {
            if !fits {
                return Err((plan, rule));
            }
        }
        Ok(())
    }
}

impl Default for Plans {
    fn default() -> Self {
        let terms = |description: &str, hundredths, minute, month| PlanTerms {
            description: description.to_owned(),
            price: Amount::from_hundredths(hundredths).unwrap_or(Amount::MAX),
            features: None,
            requests_per_minute: minute,
            requests_per_month: month,
            image_bytes: None,
            talents: None,
            licenses: None,
            webhooks: Some(100),
            sources: None,
            invitations_per_day: None,
            letters_per_day: None,
        };
        Self([
            PlanTerms {
                image_bytes: Some(GIB),
                talents: Some(1_000),
                licenses: Some(10_000),
                sources: Some(5),
                invitations_per_day: Some(100),
                letters_per_day: Some(10),
                ..terms("For trying things out", 0, 100, Some(100_000))
            },
            PlanTerms {
                image_bytes: Some(10 * GIB),
                talents: Some(10_000),
                licenses: Some(100_000),
                sources: Some(50),
                letters_per_day: Some(50),
                ..terms("For a first integration", 4_999, 300, Some(1_000_000))
            },
            PlanTerms {
                image_bytes: Some(100 * GIB),
                talents: Some(100_000),
                licenses: Some(1_000_000),
                sources: Some(500),
                letters_per_day: Some(500),
                ..terms("For daily work with many licenses", 9_999, 1_000, Some(10_000_000))
            },
            terms("For platforms and large catalogs", 0, 5_000, None),
        ])
    }
}

impl Plan {
    /// The ID, the same on every server.
    #[must_use]
    pub fn id(self) -> PlanId {
        PlanId::from(Uuid::from_u128(match self {
            Self::Free => 0x019b_76da_a800_7000_8000_0000_0000_0001,
            Self::Starter => 0x019b_76da_a800_7000_8000_0000_0000_0002,
            Self::Pro => 0x019b_76da_a800_7000_8000_0000_0000_0003,
            Self::Enterprise => 0x019b_76da_a800_7000_8000_0000_0000_0004,
        }))
    }

    /// Finds a plan by its ID.
    #[must_use]
    pub fn from_id(id: PlanId) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.id() == id)
    }

    /// Whether the plan is paid monthly by card.
    #[must_use]
    pub const fn is_paid(self) -> bool {
        matches!(self, Self::Starter | Self::Pro)
    }
}

/// Formats a number with thousands separators.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number of bytes in the largest unit that divides it evenly.
#[must_use]
pub fn storage(bytes: u64) -> String {
    let units = [(GIB << 10, "TiB"), (GIB, "GiB"), (GIB >> 10, "MiB"), (GIB >> 20, "KiB")];
    let unit = units.into_iter().find(|(size, _)| bytes >= *size && bytes.is_multiple_of(*size));
    let (size, name) = unit.unwrap_or((1, "bytes"));
    format!("{} {name}", grouped(bytes / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_file_the_figures_are_those_of_the_contract() {
        let plans = Plans::default();
        let figures: Vec<_> = plans
            .all()
            .map(|(plan, it)| (plan.name(), it.price.to_string(), it.requests_per_minute))
            .collect();
        let expected = [("Free", "0.00", 100), ("Starter", "49.99", 300), ("Pro", "99.99", 1_000)];
        let expected = expected.into_iter().chain([("Enterprise", "0.00", 5_000)]);
        let expected: Vec<_> = expected.map(|it| (it.0, it.1.to_owned(), it.2)).collect();
        assert_eq!(figures, expected);
        let bounds = |read: fn(&PlanTerms) -> Option<u64>| Plan::ALL.map(|it| read(plans.of(it)));
        let three = |first: u64| [Some(first), Some(first * 10), Some(first * 100), None];
        assert_eq!(bounds(|it| it.requests_per_month), three(100_000));
        assert_eq!(bounds(|it| it.image_bytes), three(GIB));
        assert_eq!(bounds(|it| it.talents), three(1_000));
        assert_eq!(bounds(|it| it.licenses), three(10_000));
        assert_eq!(bounds(|it| it.webhooks), [Some(100); 4]);
        assert_eq!(bounds(|it| it.sources), three(5));
        assert_eq!(plans.of(Plan::Free).invitations_per_day, Some(100));
        assert_eq!(plans.of(Plan::Starter).invitations_per_day, None);
        let letters = Plan::ALL.map(|it| plans.of(it).letters_per_day);
        assert_eq!(letters, [Some(10), Some(50), Some(500), None]);
        assert_eq!(plans.check_prices(), Ok(()));
    }

    #[test]
    fn features_repeat_the_figures_unless_the_operator_writes_them() {
        let mut plans = Plans::default();
        assert_eq!(
            plans.of(Plan::Free).features(Plan::Free),
            [
                "100 requests per minute for each API client",
                "100,000 requests per month",
                "1,000 talents",
                "10,000 licenses",
                "5 sources",
                "1 GiB of image storage",
            ]
        );
        let enterprise = plans.of(Plan::Enterprise).features(Plan::Enterprise);
        assert_eq!(enterprise[0], "Custom pricing");
        assert_eq!(enterprise[5], "Unlimited sources");
        assert_eq!(enterprise[6], "Unlimited image storage");
        plans.of_mut(Plan::Pro).features = Some(vec!["Support".to_owned()]);
        assert_eq!(plans.of(Plan::Pro).features(Plan::Pro), ["Support"]);
    }

    #[test]
    fn prices_rise_from_plan_to_plan() {
        for (plan, hundredths) in
            [(Plan::Free, 1), (Plan::Starter, 0), (Plan::Pro, 4_999), (Plan::Enterprise, 1)]
        {
            let mut plans = Plans::default();
            plans.of_mut(plan).price = Amount::from_hundredths(hundredths).unwrap();
            assert_eq!(plans.check_prices().unwrap_err().0, plan);
        }
    }

    #[test]
    fn every_plan_is_found_by_its_id() {
        for plan in Plan::ALL {
            assert_eq!(Plan::from_id(plan.id()), Some(plan));
        }
        assert_eq!(Plan::Starter.id().to_string(), "019b76da-a800-7000-8000-000000000002");
        assert_eq!(Plan::from_id(PlanId::from(Uuid::nil())), None);
    }

    #[test]
    fn storage_is_told_in_the_largest_whole_unit() {
        for (bytes, text) in [
            (GIB, "1 GiB"),
            (2_000 * GIB, "2,000 GiB"),
            (GIB << 10, "1 TiB"),
            (1_536, "1,536 bytes"),
            (0, "0 bytes"),
        ] {
            assert_eq!(storage(bytes), text);
        }
    }
}
