//! What plans offer.

use grantor_domain::organization::Plan;
use grantor_domain::plan::{PlanTerms, Plans};
use grantor_messages::{Value, named, text};
use maud::{Markup, html};

use super::price;
use crate::view::badge;

/// The units of storage, each with its power of two.
const UNITS: [(u32, &str); 4] = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];

/// A plan with its price and features.
pub(super) fn plan_card(plan: Plan, terms: &PlanTerms, current: Plan) -> Markup {
    let price = match plan {
        Plan::Free => text!("billing-price-free").to_owned(),
        Plan::Enterprise => text!("billing-price-by-arrangement").to_owned(),
        Plan::Starter | Plan::Pro => text!("billing-price-month", price = price(terms.price)),
    };
    html! {
        section.card {
            h3 { (plan.name()) @if plan == current { " " (badge("current")) } }
            p { strong { (price) } }
            p.quiet { (description(plan, terms)) }
            ul { @for feature in features(plan, terms) { li { (feature) } } }
        }
    }
}

/// Who a plan is for. The operator's own words stay as they are.
fn description(plan: Plan, terms: &PlanTerms) -> &str {
    if terms.description != Plans::default().of(plan).description {
        return &terms.description;
    }
    named("billing-plan-for", plan.name()).unwrap_or(&terms.description)
}

/// The features of a plan: the operator's own words, or its limits.
fn features(plan: Plan, terms: &PlanTerms) -> Vec<String> {
    if let Some(features) = &terms.features {
        return features.clone();
    }
    let storage = match terms.image_bytes {
        Some(bytes) => text!("billing-feature-storage", size = whole_storage(bytes)),
        None => text!("billing-feature-storage-unlimited").to_owned(),
    };
    let mut features = vec![
        text!("billing-feature-minute", count = terms.requests_per_minute),
        text!("billing-feature-month", count = many(terms.requests_per_month)),
        text!("billing-feature-talents", count = many(terms.talents)),
        text!("billing-feature-licenses", count = many(terms.licenses)),
        text!("billing-feature-sources", count = many(terms.sources)),
        storage,
    ];
    if plan == Plan::Enterprise {
        features.insert(0, text!("billing-feature-pricing").to_owned());
    }
    features
}

/// A limit as the value of a message, which has its own words for none.
fn many(count: Option<u64>) -> Value<'static> {
    count.map_or_else(|| Value::from("unlimited"), Value::from)
}

/// Formats bytes, rounded down to a tenth of the largest unit that fits.
pub(super) fn format_storage(bytes: u64) -> String {
    match UNITS.into_iter().find(|(bits, _)| bytes >= 1 << bits) {
        Some((bits, unit)) if !bytes.is_multiple_of(1 << bits) => {
            let tenths = (bytes >> (bits - 10)) * 10 / 1_024;
            let whole = (tenths / 10).to_string();
            text!("billing-storage-tenths", whole = whole, tenths = tenths % 10, unit = unit)
        }
        _ => whole_storage(bytes),
    }
}

/// Formats bytes in the largest unit that divides them evenly.
fn whole_storage(bytes: u64) -> String {
    let divides = |bits: u32| bytes >= 1 << bits && bytes.is_multiple_of(1 << bits);
    match UNITS.into_iter().find(|(bits, _)| divides(*bits)) {
        Some((bits, unit)) => text!("billing-storage", count = bytes >> bits, unit = unit),
        None => text!("billing-storage-bytes", count = bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_those_that_the_api_tells() {
        for (plan, terms) in Plans::default().all() {
            assert_eq!(features(plan, terms), terms.features(plan), "{plan}");
            assert_eq!(description(plan, terms), terms.description, "{plan}");
        }
        let own = PlanTerms {
            description: "For friends".to_owned(),
            features: Some(vec!["Cake".to_owned()]),
            ..Plans::default().of(Plan::Free).clone()
        };
        assert_eq!(features(Plan::Free, &own), ["Cake"]);
        assert_eq!(description(Plan::Free, &own), "For friends");
    }

    #[test]
    fn storage_is_told_in_the_largest_unit() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1_023, "1,023 bytes"),
            (1_536, "1.5 KiB"),
            (1 << 30, "1 GiB"),
            ((1 << 30) + (1 << 29), "1.5 GiB"),
            ((1 << 40) - 1, "1023.9 GiB"),
        ] {
            assert_eq!(format_storage(bytes), text);
        }
        assert_eq!(whole_storage(1_536), "1,536 bytes");
        assert_eq!(whole_storage(3 << 29), "1,536 MiB");
    }
}
