//! Reads the values of filters. Each function collects the error of its parameter.

use std::fmt::Display;
use std::str::FromStr;

use grantor_domain::day::{Day, DayRange};
use grantor_domain::error::Fields;
use grantor_domain::id::TalentId;
use grantor_domain::license::{Currency, Territory, TypedAmount};
use grantor_domain::search::{FindQuery, NameFilter};
use grantor_domain::{Error, Result};
use grantor_messages::text;

use crate::frame::Params;

/// Reads a value.
pub(crate) fn value<T: FromStr<Err: Display>>(
    params: &Params,
    name: &str,
    fields: &mut Fields,
) -> Option<T> {
    params.get(name).and_then(|it| fields.take(name, it.parse::<T>()))
}

/// Returns what was read, unless a value is invalid.
pub(crate) fn finish<A, B>(fields: Fields, one: Option<A>, other: Option<B>) -> Result<(A, B)> {
    fields.finish()?;
    one.zip(other).ok_or_else(|| Error::validation("The query is not valid"))
}

/// Reads words to find.
pub(crate) fn find(params: &Params, name: &str, fields: &mut Fields) -> Option<FindQuery> {
    let text = params.get(name).unwrap_or_default();
    fields.take(name, FindQuery::parse(text)).flatten()
}

/// Reads the filter by talent: a name, or the ID that a link has chosen.
pub(crate) fn talent(params: &Params, fields: &mut Fields) -> Option<NameFilter<TalentId>> {
    let text = params.get("talent").unwrap_or_default();
    fields.take("talent", NameFilter::parse(text)).flatten()
}

/// The name of the talent that a link has chosen by its ID: that of the first listed record.
pub(crate) fn chosen_talent<'a>(params: &Params, first: Option<&'a str>) -> Option<&'a str> {
    let chosen = params.get("talent").is_some_and(|it| it.parse::<TalentId>().is_ok());
    chosen.then(|| first.unwrap_or_else(|| text!("view-selected-talent")))
}

/// Reads a filter by country.
pub(crate) fn country(params: &Params, name: &str, fields: &mut Fields) -> Option<Territory> {
    let text = params.get(name)?;
    let parsed = Territory::parse(text).map_err(|_| "must be one of the listed countries");
    fields.take(name, parsed)
}

/// Reads two days, the first and the last of a range.
pub(crate) fn days(
    params: &Params,
    (from_name, until_name): (&str, &str),
    fields: &mut Fields,
) -> DayRange {
    let mut day = |name: &str| params.get(name).and_then(|it| fields.take(name, Day::parse(it)));
    let range = DayRange { from: day(from_name), until: day(until_name) };
    if range.is_reversed() {
        fields.add(until_name, format!("must be after {from_name}"));
    }
    range
}

/// Reads an amount of money in the selected currency, or in the one that the text names.
pub(crate) fn amount(
    params: &Params,
    name: &str,
    currency: Option<Currency>,
    fields: &mut Fields,
) -> Option<TypedAmount> {
    params.get(name).and_then(|it| fields.take(name, TypedAmount::parse(it, currency)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_invalid_value_is_named() {
        let params = Params::read(
            "country=de&from=2026-02-02&until=2026-02-01&price=1%2C5%2C0&talent=zo%C3%AB",
        );
        let mut fields = Fields::default();
        assert_eq!(country(&params, "country", &mut fields), None);
        assert!(days(&params, ("from", "until"), &mut fields).is_reversed());
        assert_eq!(amount(&params, "price", None, &mut fields), None);
        assert!(matches!(talent(&params, &mut fields), Some(NameFilter::Name(_))));
        assert_eq!(find(&params, "search", &mut fields), None);
        let error = fields.finish().unwrap_err();
        let names: Vec<_> = error.fields().keys().map(String::as_str).collect();
        assert_eq!(names, ["country", "price", "until"]);
        assert_eq!(error.fields()["until"], "must be after from");
    }

    #[test]
    fn a_chosen_talent_has_the_name_of_the_first_row() {
        let id = Params::read("talent=0190a5e4-7b3c-7def-8123-456789abcdef");
        assert_eq!(chosen_talent(&id, Some("Zoë")), Some("Zoë"));
        assert_eq!(chosen_talent(&id, None), Some("The selected talent"));
        assert_eq!(chosen_talent(&Params::read("talent=zoe"), Some("Zoë")), None);
    }
}
