//! Amounts of money, and the field to choose a currency.

use grantor_domain::license::{Amount, Currency, LicenseFee};

use super::chart::grouped;

/// The currencies that most people look for, listed first with their names.
const COMMON: [(&str, &str); 12] = [
    ("USD", "USD · US dollar"),
    ("EUR", "EUR · Euro"),
    ("GBP", "GBP · British pound"),
    ("JPY", "JPY · Japanese yen"),
    ("CAD", "CAD · Canadian dollar"),
    ("AUD", "AUD · Australian dollar"),
    ("CHF", "CHF · Swiss franc"),
    ("CNY", "CNY · Chinese yuan"),
    ("INR", "INR · Indian rupee"),
    ("BRL", "BRL · Brazilian real"),
    ("MXN", "MXN · Mexican peso"),
    ("SEK", "SEK · Swedish krona"),
];

/// The choices of a currency field: none, the common currencies, then all others.
pub(crate) fn currency_choices() -> Vec<(&'static str, &'static str)> {
    let other = |code: &&str| COMMON.iter().all(|(common, _)| common != code);
    let others = Currency::codes().filter(other).map(|code| (code, code));
    [("", "–")].into_iter().chain(COMMON).chain(others).collect()
}

/// Formats an amount, such as `€1,500` or `SEK 99.50`.
pub(crate) fn money(amount: Amount, currency: Currency) -> String {
    let hundredths = u64::try_from(amount.hundredths()).unwrap_or_default();
    let whole = grouped(hundredths / 100);
    let number = match hundredths % 100 {
        0 => whole,
        rest => format!("{whole}.{rest:02}"),
    };
    match currency.as_str() {
        "USD" => format!("${number}"),
        "EUR" => format!("€{number}"),
        "GBP" => format!("£{number}"),
        "JPY" => format!("¥{number}"),
        "INR" => format!("₹{number}"),
        code => format!("{code} {number}"),
    }
}

/// Formats a fee, such as `€1,500 per campaign`.
pub(crate) fn fee(fee: LicenseFee) -> String {
    format!("{} per {}", money(fee.amount, fee.currency), fee.per)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_as_people_write_them() {
        let text =
            |amount, code| money(Amount::parse(amount).unwrap(), Currency::parse(code).unwrap());
        assert_eq!(text("1500", "EUR"), "€1,500");
        assert_eq!(text("99.5", "SEK"), "SEK 99.50");
        assert_eq!(text("0", "USD"), "$0");
    }

    #[test]
    fn every_currency_can_be_chosen_once() {
        let mut codes: Vec<_> = currency_choices().iter().skip(1).map(|(code, _)| *code).collect();
        codes.sort_unstable();
        assert_eq!(codes, Currency::codes().collect::<Vec<_>>());
    }
}
