//! Amounts of money: shown in the style of the reader's language, and read as people type them.

use grantor_domain::error::Fields;
use grantor_domain::license::{Amount, Currency, FeePer, LicenseFee, TypedAmount};
use grantor_messages::{Language, text};

use crate::frame::FormData;

/// The currencies that most people look for, listed first, with the keys of their names.
const COMMON: [(&str, &str); 12] = [
    ("USD", "locale-currency-usd"),
    ("EUR", "locale-currency-eur"),
    ("GBP", "locale-currency-gbp"),
    ("JPY", "locale-currency-jpy"),
    ("CAD", "locale-currency-cad"),
    ("AUD", "locale-currency-aud"),
    ("CHF", "locale-currency-chf"),
    ("CNY", "locale-currency-cny"),
    ("INR", "locale-currency-inr"),
    ("BRL", "locale-currency-brl"),
    ("MXN", "locale-currency-mxn"),
    ("SEK", "locale-currency-sek"),
];

/// How numbers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NumberStyle {
    /// 1,234.56, as in English.
    #[default]
    Comma,
    /// 1.234,56, as in German.
    Point,
    /// 1 234,56, as in French.
    Space,
    /// 1’234.56, as in Switzerland.
    Apostrophe,
}

tokio::task_local! {
    /// The style of the page that is being rendered.
    static STYLE: NumberStyle;
}

impl NumberStyle {
    /// The style of a page's language. The browser tells the region of its reader, if it names the
    /// same language: the value of `Accept-Language`.
    pub(crate) fn of(language: Language, accepted: &str) -> Self {
        let primary = |tag: &str| tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
        let own = primary(language.code());
        let mut tags =
            accepted.split(',').map(|it| it.split(';').next().unwrap_or_default().trim());
        let found = tags.find(|it| it.contains('-') && primary(it) == own);
        Self::of_tag(found.unwrap_or(language.code()))
    }

    fn of_tag(tag: &str) -> Self {
        let (language, region) = tag.split_once('-').unwrap_or((tag, ""));
        let (language, region) = (language.to_ascii_lowercase(), region.to_ascii_uppercase());
        if language == "es" && ["MX", "US", "419"].contains(&region.as_str()) {
            return Self::Comma;
        }
        match (language.as_str(), region.as_str()) {
            (_, "CH" | "LI") => Self::Apostrophe,
            (
                "da" | "de" | "el" | "es" | "hr" | "id" | "is" | "it" | "nl" | "pt" | "ro" | "sl"
                | "sr" | "tr" | "vi",
                _,
            ) => Self::Point,
            (
                "bg" | "cs" | "et" | "fi" | "fr" | "hu" | "lt" | "lv" | "nb" | "nn" | "no" | "pl"
                | "ru" | "sk" | "sv" | "uk",
                _,
            ) => Self::Space,
            _ => Self::Comma,
        }
    }

    /// Renders a page in this style.
    pub(crate) async fn scope<F: Future>(self, page: F) -> F::Output {
        let (thousands, _) = self.separators();
        grantor_messages::with_thousands(thousands, STYLE.scope(self, page)).await
    }

    pub(super) fn current() -> Self {
        STYLE.try_with(|it| *it).unwrap_or_default()
    }

    /// The separators of thousands and of decimals.
    const fn separators(self) -> (char, char) {
        match self {
            Self::Comma => (',', '.'),
            Self::Point => ('.', ','),
            Self::Space => ('\u{A0}', ','),
            Self::Apostrophe => ('’', '.'),
        }
    }

    /// Formats a whole number.
    pub(super) fn whole(self, number: u64) -> String {
        let (digits, (thousands, _)) = (number.to_string(), self.separators());
        let mut grouped = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                grouped.push(thousands);
            }
            grouped.push(digit);
        }
        grouped
    }

    /// Formats a number with this many decimals, and with cents in any case.
    fn number(self, amount: Amount, decimals: usize) -> String {
        let hundredths = u64::try_from(amount.hundredths()).unwrap_or_default();
        let (_, point) = self.separators();
        let whole = self.whole(hundredths / 100);
        match (decimals, hundredths % 100) {
            (0, 0) => whole,
            (3, cents) => format!("{whole}{point}{cents:02}0"),
            (_, cents) => format!("{whole}{point}{cents:02}"),
        }
    }

    fn money(self, amount: Amount, currency: Currency) -> String {
        // Whole amounts are shown without decimals.
        let decimals = if amount.hundredths() % 100 == 0 { 0 } else { currency.decimals() };
        let number = self.number(amount, decimals);
        let sign = match currency.as_str() {
            "USD" => "$",
            "EUR" => "€",
            "GBP" => "£",
            "JPY" => "¥",
            "INR" => "₹",
            code => code,
        };
        match self {
            Self::Comma if sign.chars().count() == 1 => format!("{sign}{number}"),
            Self::Comma | Self::Apostrophe => format!("{sign}\u{A0}{number}"),
            Self::Point | Self::Space => format!("{number}\u{A0}{sign}"),
        }
    }
}

/// The choices of a currency field: none, the common currencies, then all others.
pub(crate) fn currency_choices() -> Vec<(&'static str, &'static str)> {
    let other = |code: &&str| COMMON.iter().all(|(common, _)| common != code);
    let others = Currency::codes().filter(other).map(|code| (code, code));
    let common = COMMON.into_iter().map(|(code, key)| (code, grantor_messages::text(key)));
    [("", "–")].into_iter().chain(common).chain(others).collect()
}

/// Formats an amount, such as `€1,500` or `SEK 99.50`.
pub(crate) fn money(amount: Amount, currency: Currency) -> String {
    NumberStyle::current().money(amount, currency)
}

/// Formats a fee, such as `€1,500 per campaign`.
pub(crate) fn fee(fee: LicenseFee) -> String {
    if fee.amount == Amount::ZERO {
        return text!("locale-fee-none").to_owned();
    }
    let money = money(fee.amount, fee.currency);
    match fee.per {
        FeePer::Use => text!("locale-fee-use", money = money),
        FeePer::Day => text!("locale-fee-day", money = money),
        FeePer::Month => text!("locale-fee-month", money = money),
        FeePer::Year => text!("locale-fee-year", money = money),
        FeePer::Campaign => text!("locale-fee-campaign", money = money),
    }
}

/// The value of an amount field, with all decimals, so that it is read as the same amount.
pub(crate) fn amount_input(amount: Amount, currency: Currency) -> String {
    NumberStyle::current().number(amount, currency.decimals())
}

/// Reads an amount field. The currency is that of another field, or else the one that the amount
/// names. `None` if the field is empty or has an error, which is added.
pub(crate) fn read_amount(
    entered: &FormData,
    amount: &str,
    currency: &str,
    errors: &mut Fields,
) -> Option<TypedAmount> {
    let typed = parse_amount(entered, amount, currency)?;
    errors.take(amount, typed)
}

fn parse_amount(
    entered: &FormData,
    amount: &str,
    currency: &str,
) -> Option<Result<TypedAmount, &'static str>> {
    let selected = Currency::parse(entered.get(currency)).ok();
    Some(TypedAmount::parse(entered.optional(amount)?, selected))
}

/// The message of an accepted form. If its amount could have meant something else, the message says
/// how it was read.
pub(crate) fn with_reading(
    message: &str,
    entered: &FormData,
    amount: &str,
    currency: &str,
) -> String {
    match parse_amount(entered, amount, currency) {
        Some(Ok(TypedAmount { amount, currency: Some(currency), ambiguous: true })) => {
            let money = money(amount, currency);
            text!("locale-amount-read", message = message, money = money)
        }
        _ => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLES: [NumberStyle; 4] =
        [NumberStyle::Comma, NumberStyle::Point, NumberStyle::Space, NumberStyle::Apostrophe];

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    fn currency(code: &str) -> Currency {
        Currency::parse(code).unwrap()
    }

    #[test]
    fn amounts_read_as_people_write_them() {
        let text = |number, code| money(amount(number), currency(code));
        assert_eq!(text("1500", "EUR"), "€1,500");
        assert_eq!(text("99.5", "SEK"), "SEK\u{A0}99.50");
        assert_eq!(text("0", "USD"), "$0");
        assert_eq!(text("1500", "JPY"), "¥1,500");
        assert_eq!(text("1.5", "KWD"), "KWD\u{A0}1.500");
        let free =
            LicenseFee { amount: Amount::ZERO, currency: currency("EUR"), per: FeePer::Month };
        assert_eq!(fee(free), "Free");
        assert_eq!(fee(LicenseFee { amount: amount("5"), ..free }), "€5 per month");
    }

    #[test]
    fn amounts_are_written_in_the_style_of_a_language() {
        for (tag, text) in [
            ("en-US", "€1,234.50"),
            ("de-DE", "1.234,50\u{A0}€"),
            ("de-CH", "€\u{A0}1’234.50"),
            ("fr", "1\u{A0}234,50\u{A0}€"),
            ("es-MX", "€1,234.50"),
            ("zh-Hans-CN", "€1,234.50"),
            ("", "€1,234.50"),
            ("*", "€1,234.50"),
        ] {
            let style = NumberStyle::of_tag(tag);
            assert_eq!(style.money(amount("1234.5"), currency("EUR")), text, "{tag}");
        }
    }

    #[test]
    fn the_region_is_that_of_a_browser_with_the_same_language() {
        for (language, accepted, style) in [
            ("en", "en-US,en;q=0.9", NumberStyle::Comma),
            ("en", "fr-FR,fr;q=0.9", NumberStyle::Comma),
            ("en", "de-CH,en-CH;q=0.8", NumberStyle::Apostrophe),
            ("de", "de-AT,de;q=0.9,en;q=0.8", NumberStyle::Point),
            ("de", "en-US, de-CH;q=0.5", NumberStyle::Apostrophe),
            ("de", "", NumberStyle::Point),
        ] {
            let found = NumberStyle::of(Language::find(language).unwrap(), accepted);
            assert_eq!(found, style, "{language} {accepted}");
        }
    }

    #[test]
    fn what_a_field_shows_is_read_as_the_same_amount() {
        for code in ["EUR", "JPY", "KWD"] {
            for number in ["0", "1", "15", "1500", "1234567"] {
                for style in STYLES {
                    let shown = style.number(amount(number), currency(code).decimals());
                    let typed = TypedAmount::parse(&shown, Some(currency(code))).unwrap();
                    assert_eq!(typed.amount, amount(number), "{shown} {code}");
                }
            }
        }
    }

    #[test]
    fn an_ambiguous_amount_is_shown_back() {
        let entered = |text: &str| FormData::default().with("amount", text).with("currency", "EUR");
        let message = |text: &str| with_reading("Saved", &entered(text), "amount", "currency");
        assert_eq!(message("1.500"), "Saved. The amount was read as €1,500.");
        assert_eq!(message("1500"), "Saved");
        let mut errors = Fields::default();
        assert_eq!(read_amount(&entered("much"), "amount", "currency", &mut errors), None);
        assert!(errors.finish().unwrap_err().fields().contains_key("amount"));
    }

    #[test]
    fn every_currency_can_be_chosen_once() {
        let mut codes: Vec<_> = currency_choices().iter().skip(1).map(|(code, _)| *code).collect();
        codes.sort_unstable();
        assert_eq!(codes, Currency::codes().collect::<Vec<_>>());
    }
}
