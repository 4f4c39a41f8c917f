//! License fees (contract section 4, "License"). Amounts are stored in hundredths, so that nothing
//! is rounded.

use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{VariantArray, VariantNames};

use crate::enum_names::enum_names;
use crate::text::texts;

enum_names!(FeePer);
texts!(Currency);

/// The fee of a license.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LicenseFee {
    /// The amount.
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
    /// What the fee is paid per.
    pub per: FeePer,
}

impl LicenseFee {
    /// Nothing is paid. The other parts stand for what nobody had to choose, and are not shown.
    pub const FREE: Self =
        Self { amount: Amount::ZERO, currency: Currency("USD"), per: FeePer::Use };

    /// The parts that are taken if they are not chosen: only nothing needs no currency.
    #[must_use]
    pub fn unchosen(amount: Option<Amount>) -> Option<Self> {
        amount.filter(|it| *it == Amount::ZERO).map(|_| Self::FREE)
    }
}

/// An amount in hundredths. Written as a decimal with two places in the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Amount(i64);

impl Amount {
    /// The maximum: twelve digits before the decimal point.
    pub const MAX: Self = Self(99_999_999_999_999);
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// Parses digits, optionally followed by a decimal point and one or two digits.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
        if !digits(whole) || !digits(places) || places.len() > 2 {
            return Err("must be a decimal number of at least 0 with at most 2 decimals");
        }
        // One decimal place means tenths.
        let hundredths = format!("{whole}{places:0<2}").parse().map(Self);
        hundredths.ok().filter(|it| *it <= Self::MAX).ok_or("must be at most 999999999999.99")
    }

    /// The format accepted by [`Self::parse`] as a regular expression, for the API documentation.
    pub const PATTERN: &'static str = r"^0*[0-9]{1,12}(?:\.[0-9]{1,2})?$";

    /// Parses a JSON number or string. Small floating-point errors are tolerated: 0.1 + 0.2 is
    /// 0.30.
    pub fn parse_value(value: &Value) -> Result<Self, &'static str> {
        match value {
            Value::String(text) => Self::parse(text),
            Value::Number(number) => {
                let number = number.as_f64().ok_or("must be a number")?;
                // Adding 0.0 turns negative zero into zero.
                let near = (number * 100.0).round() / 100.0 + 0.0;
                let slack = 1e-9_f64.max(number.abs() * 4.0 * f64::EPSILON);
                if (number - near).abs() > slack {
                    return Err("must be a decimal number of at least 0 with at most 2 decimals");
                }
                Self::parse(&format!("{near:.2}"))
            }
            _ => Err("must be a number or a decimal string"),
        }
    }

    /// Creates an amount from hundredths, if it is within the allowed range.
    #[must_use]
    pub fn from_hundredths(hundredths: i64) -> Option<Self> {
        (0..=Self::MAX.0).contains(&hundredths).then_some(Self(hundredths))
    }

    /// The amount in hundredths.
    #[must_use]
    pub const fn hundredths(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

impl TryFrom<String> for Amount {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        Self::parse(&text)
    }
}

impl From<Amount> for String {
    fn from(amount: Amount) -> Self {
        amount.to_string()
    }
}

/// A currency, by its ISO 4217 code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency(Code);

/// A slice of the table. Without this alias serde would try to borrow it from its input.
type Code = &'static str;

impl Currency {
    /// Parses an uppercase code.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let found = SORTED.binary_search(&text).ok();
        found.map(|at| Self(SORTED[at])).ok_or("must be an ISO 4217 currency code such as USD")
    }

    /// All currency codes.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        SORTED.iter().copied()
    }
}

static SORTED: LazyLock<Vec<&str>> = LazyLock::new(|| CODES.split(' ').collect());

/// What a fee is paid per.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum FeePer {
    /// Each use.
    Use,
    /// Each day.
    Day,
    /// Each month.
    Month,
    /// Each year.
    Year,
    /// Each campaign.
    Campaign,
}

/// The ISO 4217 codes of national currencies in use in 2026, without funds, metals and test codes.
const CODES: &str = "\
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD \
    CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS \
    GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW \
    KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR \
    MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR \
    SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX \
    USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG";

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn amounts_are_exact_hundredths() {
        for (given, shown, hundredths) in [
            ("0", "0.00", 0),
            ("1500", "1500.00", 150_000),
            ("1500.5", "1500.50", 150_050),
            ("0.07", "0.07", 7),
            ("007.10", "7.10", 710),
            ("999999999999.99", "999999999999.99", 99_999_999_999_999),
        ] {
            let amount = Amount::parse(given).unwrap();
            assert_eq!((amount.to_string().as_str(), amount.hundredths()), (shown, hundredths));
            assert_eq!(Amount::parse(shown), Ok(amount));
            assert_eq!(Amount::from_hundredths(hundredths), Some(amount));
        }
        assert_eq!([-1, Amount::MAX.0 + 1].map(Amount::from_hundredths), [None; 2]);
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        let shape = "must be a decimal number of at least 0 with at most 2 decimals";
        for bad in ["", ".", "1.", ".5", "-1", "+1", "1,5", "1.234", "1e3", " 1", "1_0", "١", "NaN"]
        {
            assert_eq!(Amount::parse(bad), Err(shape), "{bad}");
        }
        for bad in ["1000000000000", "99999999999999999999999999"] {
            assert_eq!(Amount::parse(bad), Err("must be at most 999999999999.99"), "{bad}");
        }
    }

    #[test]
    fn a_json_number_means_what_was_written() {
        let shown = |value: Value| Amount::parse_value(&value).map(|it| it.to_string());
        for (given, expected) in [
            (json!(1500), "1500.00"),
            (json!(1500.0), "1500.00"),
            (json!(19.99), "19.99"),
            (json!(0.1), "0.10"),
            (json!(999_999_999_999.99), "999999999999.99"),
            (json!("19.9"), "19.90"),
            (json!(0.1 + 0.2), "0.30"),
        ] {
            assert_eq!(shown(given).as_deref(), Ok(expected));
        }
        for bad in [json!(0.301), json!(-1), json!(1e21), json!(1e13), json!(true), json!([])] {
            assert!(shown(bad.clone()).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_stored_form_is_the_wire_form() {
        let form = json!({ "amount": "250.00", "currency": "EUR", "per": "month" });
        let fee: LicenseFee = serde_json::from_value(form.clone()).unwrap();
        assert_eq!(serde_json::to_value(fee).unwrap(), form);
        assert_eq!(fee.amount.hundredths(), 25_000);
        for per in FeePer::ALL {
            assert_eq!(per.name().parse(), Ok(per));
            assert_eq!(serde_json::to_value(per).unwrap(), per.name());
        }
        assert!("week".parse::<FeePer>().is_err());
    }

    #[test]
    fn currencies_are_those_in_use() {
        let codes: Vec<_> = CODES.split(' ').collect();
        assert!(codes.is_sorted_by(|one, next| one < next), "each stands once");
        assert!(codes.iter().all(|it| Currency::parse(it).unwrap().as_str() == *it));
        for bad in ["usd", "US", "USDT", "XXX", "XAU", "DEM", "", " ", "USD EUR"] {
            let error = "must be an ISO 4217 currency code such as USD";
            assert_eq!(Currency::parse(bad), Err(error), "{bad}");
        }
    }
}
