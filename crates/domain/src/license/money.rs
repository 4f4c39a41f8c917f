//! Amounts of money as people type them, in the styles of different countries.
//!
//! A point or a comma separates decimals if it is the last separator and differs from those before
//! it. One that stands alone separates decimals if the currency has as many decimals as digits
//! follow; otherwise three digits after it are thousands, so `1.500` and `1,500` are both one
//! thousand five hundred euros. Such a text is marked as ambiguous, for forms to show how it was
//! read.

use super::{Amount, Currency};

const SHAPE: &str = "must be an amount such as 1,500 or 1.500,00";
/// Words that mean that nothing is paid.
const FREE: [&str; 3] = ["free", "gratis", "kostenlos"];
const OTHER_CURRENCY: &str = "names another currency than the selected one";

/// Signs that stand for one currency. Longer ones come first.
const SIGNS: [(&str, &str); 19] = [
    ("CA$", "CAD"),
    ("HK$", "HKD"),
    ("NZ$", "NZD"),
    ("US$", "USD"),
    ("A$", "AUD"),
    ("C$", "CAD"),
    ("R$", "BRL"),
    ("S$", "SGD"),
    ("Kč", "CZK"),
    ("zł", "PLN"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("₹", "INR"),
    ("₩", "KRW"),
    ("₺", "TRY"),
    ("₪", "ILS"),
    ("₫", "VND"),
    ("₴", "UAH"),
    ("₦", "NGN"),
];

/// Signs that stand for one of several currencies.
const SHARED_SIGNS: [(&str, &str); 4] = [
    ("kr.", "DKK ISK NOK SEK"),
    ("kr", "DKK ISK NOK SEK"),
    (
        "$",
        "ARS AUD BBD BMD BND BSD BZD CAD CLP COP DOP FJD GYD HKD JMD KYD LRD MXN NAD NZD SBD SGD \
         SRD TTD TWD USD UYU XCD",
    ),
    ("¥", "CNY JPY"),
];

/// Currencies without decimals, and with three.
const NO_DECIMALS: &str = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
const THREE_DECIMALS: &str = "BHD IQD JOD KWD LYD OMR TND";

impl Currency {
    /// How many decimals amounts of the currency are written with (ISO 4217).
    #[must_use]
    pub fn decimals(self) -> usize {
        let code = self.as_str();
        match code {
            _ if NO_DECIMALS.split(' ').any(|it| it == code) => 0,
            _ if THREE_DECIMALS.split(' ').any(|it| it == code) => 3,
            _ => 2,
        }
    }
}

/// An amount that a person typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedAmount {
    /// The amount.
    pub amount: Amount,
    /// The selected currency, or else the one that the text names.
    pub currency: Option<Currency>,
    /// Whether somebody else could have meant another amount, such as `1.500`.
    pub ambiguous: bool,
}

impl TypedAmount {
    /// Parses a text such as `1,500`, `1.500,00`, `1 500,00 €`, `CHF 1'500.–` or `free`. Without a
    /// currency, amounts have two decimals.
    pub fn parse(text: &str, selected: Option<Currency>) -> Result<Self, &'static str> {
        let (number, named) = Named::strip(text.trim());
        let currency = named.check(selected)?;
        if FREE.iter().any(|it| number.eq_ignore_ascii_case(it)) {
            return Ok(Self { amount: Amount::ZERO, currency, ambiguous: false });
        }
        let decimals = currency.map_or(2, Currency::decimals);
        let Digits { whole, decimals, ambiguous } = Digits::read(number, decimals)?;
        Ok(Self { amount: amount(&whole, &decimals)?, currency, ambiguous })
    }
}

/// Amounts are stored in hundredths, so a third decimal must be zero.
fn amount(whole: &str, decimals: &str) -> Result<Amount, &'static str> {
    let whole = if whole.is_empty() { "0" } else { whole };
    let decimals = match decimals.strip_suffix('0') {
        Some(two) if decimals.len() == 3 => two,
        None if decimals.len() == 3 => return Err("must have a 0 as third decimal"),
        _ => decimals,
    };
    if decimals.is_empty() {
        Amount::parse(whole)
    } else {
        Amount::parse(&format!("{whole}.{decimals}"))
    }
}

/// The currency that a text names.
#[derive(Clone, Copy)]
enum Named {
    Nothing,
    One(Currency),
    /// One of these codes.
    Several(&'static str),
}

impl Named {
    /// Splits a code or sign off the start or the end of a text.
    fn strip(text: &str) -> (&str, Self) {
        if let Some((rest, currency)) = strip_code(text) {
            return (rest, Self::One(currency));
        }
        for (sign, code) in SIGNS {
            if let (Some(rest), Ok(currency)) = (strip_sign(text, sign), Currency::parse(code)) {
                return (rest, Self::One(currency));
            }
        }
        for (sign, codes) in SHARED_SIGNS {
            if let Some(rest) = strip_sign(text, sign) {
                return (rest, Self::Several(codes));
            }
        }
        (text, Self::Nothing)
    }

    /// Returns the currency of the amount, unless the text contradicts the selected one.
    fn check(self, selected: Option<Currency>) -> Result<Option<Currency>, &'static str> {
        let fits = |it: Currency| match self {
            Self::Nothing => true,
            Self::One(named) => named == it,
            Self::Several(codes) => codes.split(' ').any(|code| code == it.as_str()),
        };
        match (selected, self) {
            (Some(it), _) if fits(it) => Ok(selected),
            (Some(_), _) => Err(OTHER_CURRENCY),
            (None, Self::One(named)) => Ok(Some(named)),
            (None, Self::Nothing | Self::Several(_)) => Ok(None),
        }
    }
}

fn strip_code(text: &str) -> Option<(&str, Currency)> {
    let code = |it: &str| Currency::parse(&it.to_ascii_uppercase()).ok();
    if let Some((first, rest)) = text.split_at_checked(3)
        && let Some(currency) = code(first)
    {
        return Some((rest.trim_start(), currency));
    }
    let (rest, last) = text.split_at_checked(text.len().checked_sub(3)?)?;
    Some((rest.trim_end(), code(last)?))
}

fn strip_sign<'a>(text: &'a str, sign: &str) -> Option<&'a str> {
    let first = text.strip_prefix(sign).map(str::trim_start);
    first.or_else(|| text.strip_suffix(sign).map(str::trim_end))
}

/// The digits of an amount, before and after the decimal separator.
struct Digits {
    whole: String,
    decimals: String,
    ambiguous: bool,
}

impl Digits {
    fn read(text: &str, decimals: usize) -> Result<Self, &'static str> {
        // `1500,-` has no decimals.
        let ends = [".-", ",-", ".–", ",–", ".—", ",—"];
        let text = ends.iter().find_map(|it| text.strip_suffix(it)).unwrap_or(text);
        let text = simplified(text)?;
        let Some((at, last)) = text.char_indices().rfind(|(_, it)| !it.is_ascii_digit()) else {
            return Self::whole(&text, None, false);
        };
        let (before, after) = (&text[..at], &text[at + 1..]);
        let again = before.contains(last);
        let other = before.chars().any(|it| !it.is_ascii_digit() && it != last);
        if last == ' ' || again {
            return if other { Err(SHAPE) } else { Self::whole(&text, Some(last), false) };
        }
        if !other && is_thousands(before, after) && after.len() > decimals {
            return Self::whole(&text, Some(last), decimals > 0);
        }
        let ambiguous = !other && is_thousands(before, after);
        Self { ambiguous, ..Self::whole(before, None, false)? }.with_decimals(after, decimals)
    }

    /// Reads an amount without decimals. Thousands may be separated by one separator.
    fn whole(text: &str, separator: Option<char>, ambiguous: bool) -> Result<Self, &'static str> {
        let separator = separator.or_else(|| text.chars().find(|it| !it.is_ascii_digit()));
        let groups: Vec<_> = match separator {
            Some(it) => text.split(it).collect(),
            None => vec![text],
        };
        let only_digits = groups.iter().all(|it| it.bytes().all(|it| it.is_ascii_digit()));
        if !only_digits || !are_groups(&groups, separator == Some(',')) {
            return Err(SHAPE);
        }
        Ok(Self { whole: groups.concat(), decimals: String::new(), ambiguous })
    }

    fn with_decimals(mut self, digits: &str, most: usize) -> Result<Self, &'static str> {
        if digits.is_empty() {
            return Err(SHAPE);
        }
        // Some always write two decimals.
        let none = most == 0 && digits.len() <= 2 && digits.bytes().all(|it| it == b'0');
        if digits.len() > most && !none {
            return Err(match most {
                0 => "must be a whole number in this currency",
                3 => "must have at most 3 decimals",
                _ => "must have at most 2 decimals",
            });
        }
        if !none {
            digits.clone_into(&mut self.decimals);
        }
        Ok(self)
    }
}

/// Keeps digits and separators; every kind of space and apostrophe becomes a space.
fn simplified(text: &str) -> Result<String, &'static str> {
    let simple = |it: char| match it {
        '0'..='9' | '.' | ',' => Ok(it),
        '\'' | '’' | '‘' | 'ʼ' | '`' => Ok(' '),
        _ if it.is_whitespace() => Ok(' '),
        _ => Err(SHAPE),
    };
    let text = text.chars().map(simple).collect::<Result<String, _>>()?;
    if text.bytes().any(|it| it.is_ascii_digit()) { Ok(text) } else { Err(SHAPE) }
}

/// Whether a single separator between these digits can separate thousands.
fn is_thousands(before: &str, after: &str) -> bool {
    after.len() == 3 && (1..=3).contains(&before.len()) && !before.starts_with('0')
}

/// Whether digits are grouped in thousands, or as in India: `1,50,000`.
fn are_groups(groups: &[&str], indian: bool) -> bool {
    let [first, middle @ .., last] = groups else { return true };
    let all = |length: usize| middle.iter().all(|it| it.len() == length);
    let thousands = (1..=3).contains(&first.len()) && all(3);
    let lakhs = indian && !middle.is_empty() && (1..=2).contains(&first.len()) && all(2);
    last.len() == 3 && (thousands || lakhs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn currency(code: &str) -> Option<Currency> {
        (!code.is_empty()).then(|| Currency::parse(code).unwrap())
    }

    fn read(text: &str, code: &str) -> Result<(String, bool), &'static str> {
        let typed = TypedAmount::parse(text, currency(code))?;
        Ok((typed.amount.to_string(), typed.ambiguous))
    }

    #[test]
    fn amounts_are_read_in_every_style() {
        for (text, code, amount) in [
            ("0", "EUR", "0.00"),
            ("Free", "EUR", "0.00"),
            ("1500", "EUR", "1500.00"),
            ("1500.5", "EUR", "1500.50"),
            ("1500,50", "EUR", "1500.50"),
            ("1,500.00", "USD", "1500.00"),
            ("1.500,00", "EUR", "1500.00"),
            ("1 500,00 €", "EUR", "1500.00"),
            ("1\u{202F}500,00\u{A0}€", "EUR", "1500.00"),
            ("1'500", "CHF", "1500.00"),
            ("CHF 1’500.–", "CHF", "1500.00"),
            ("1500,-", "EUR", "1500.00"),
            ("1,234,567.89", "USD", "1234567.89"),
            ("1.234.567", "EUR", "1234567.00"),
            ("12 345 678", "SEK", "12345678.00"),
            ("1,50,000", "INR", "150000.00"),
            ("12,34,567", "INR", "1234567.00"),
            ("$99.5", "CAD", "99.50"),
            ("usd 99", "USD", "99.00"),
            ("99kr", "NOK", "99.00"),
            (".50", "USD", "0.50"),
            ("0.500", "KWD", "0.50"),
            ("1,500.250", "KWD", "1500.25"),
            ("1500.00", "JPY", "1500.00"),
            ("¥1.500", "JPY", "1500.00"),
            ("1,500", "JPY", "1500.00"),
            ("999 999 999 999,99", "EUR", "999999999999.99"),
        ] {
            assert_eq!(read(text, code), Ok((amount.to_owned(), false)), "{text}");
        }
    }

    #[test]
    fn three_digits_after_one_separator_are_thousands_unless_they_can_be_decimals() {
        for (text, code, amount) in [
            ("1.500", "EUR", "1500.00"),
            ("1,500", "EUR", "1500.00"),
            ("1,500", "", "1500.00"),
            ("1.500", "KWD", "1.50"),
            ("1,500", "TND", "1.50"),
        ] {
            assert_eq!(read(text, code), Ok((amount.to_owned(), true)), "{text} {code}");
        }
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for bad in [
            "",
            "much",
            "-5",
            "+5",
            "1e3",
            "1..5",
            "1.5.0",
            "1,5,0",
            "1 50",
            "1.500 00",
            "1500.",
            ",",
            "€",
            "1.2,3.4",
            "1 500.000 00",
            "٣",
            "Free 5",
            "1,500 000,00",
        ] {
            assert_eq!(read(bad, "EUR"), Err(SHAPE), "{bad}");
        }
        assert_eq!(read("1.5000", "EUR"), Err("must have at most 2 decimals"));
        assert_eq!(read("0.505", "EUR"), Err("must have at most 2 decimals"));
        assert_eq!(read("1500.000", "EUR"), Err("must have at most 2 decimals"));
        assert_eq!(read("1.2345", "KWD"), Err("must have at most 3 decimals"));
        assert_eq!(read("1.505", "KWD"), Err("must have a 0 as third decimal"));
        assert_eq!(read("99.5", "JPY"), Err("must be a whole number in this currency"));
        assert_eq!(read("1 000 000 000 000", "EUR"), Err("must be at most 999999999999.99"));
        for (text, code) in [("€5", "USD"), ("5 CHF", "EUR"), ("$5", "EUR"), ("¥5", "USD")] {
            assert_eq!(read(text, code), Err(OTHER_CURRENCY), "{text}");
        }
    }

    #[test]
    fn a_named_currency_is_taken_if_none_is_selected() {
        for (text, code) in
            [("€5", "EUR"), ("5 chf", "CHF"), ("R$ 5", "BRL"), ("$5", ""), ("5", "")]
        {
            let typed = TypedAmount::parse(text, None).unwrap();
            assert_eq!(
                (typed.amount.to_string().as_str(), typed.currency),
                ("5.00", currency(code))
            );
        }
    }

    #[test]
    fn every_listed_code_is_a_currency() {
        let shared = SHARED_SIGNS.iter().map(|it| it.1);
        let lists = shared.chain([NO_DECIMALS, THREE_DECIMALS]).flat_map(|it| it.split(' '));
        for code in lists.chain(SIGNS.iter().map(|it| it.1)) {
            assert!(Currency::parse(code).is_ok(), "{code}");
        }
        let decimals = ["JPY", "EUR", "KWD"].map(|it| Currency::parse(it).unwrap().decimals());
        assert_eq!(decimals, [0, 2, 3]);
    }
}
