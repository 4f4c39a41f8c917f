//! Reads cells as people write them: labels instead of keys, names of countries, amounts and dates.

use crate::Timestamp;
use crate::day::Day;
use crate::license::{
    Currency, FeePer, LicenseStatus, LicenseType, Region, Territory, Uses, country_names,
};

/// The parts of a cell with several values, separated by semicolons, commas or line breaks.
pub(super) fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', ',', '\n']).map(str::trim).filter(|it| !it.is_empty())
}

/// Whether two texts are the same for people.
fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// German words for those of cells, as pages in German call them.
const GERMAN: [(&str, &str); 20] = [
    ("Werbung", "Advertising"),
    ("Testimonial", "Endorsement"),
    ("KI-Training", "AI training"),
    ("KI-Generierung", "AI generation"),
    ("Stimme", "Voice"),
    ("Individuell", "Custom"),
    ("Entwurf", "Draft"),
    ("Privat", "Private"),
    ("Öffentlich", "Public"),
    ("Abgelaufen", "Expired"),
    ("Nutzung", "Use"),
    ("Tag", "Day"),
    ("Monat", "Month"),
    ("Jahr", "Year"),
    ("Kampagne", "Campaign"),
    ("Ja", "Yes"),
    ("Nein", "No"),
    ("Aktiv", "Active"),
    ("Inaktiv", "Inactive"),
    ("Weltweit", "Worldwide"),
];

/// The English word of a cell.
pub(super) fn english(text: &str) -> &str {
    GERMAN.iter().find(|(german, _)| same(german, text)).map_or(text, |(_, english)| *english)
}

/// Reads a type by its label or key.
pub(super) fn license_type(text: &str) -> Result<LicenseType, String> {
    let text = english(text);
    let found = LicenseType::ALL.into_iter().find(|it| same(it.label(), text) || it.key() == text);
    found.ok_or_else(|| {
        let labels = LicenseType::ALL.map(LicenseType::label).join(", ");
        format!("must be one of {labels}")
    })
}

/// Reads uses by their labels or keys, and returns their keys.
pub(super) fn uses(text: &str) -> Result<Vec<&'static str>, String> {
    let read = |part: &str| {
        let part = english(part);
        let found = Uses::known().find(|it| same(it.label(), part) || it.key() == part);
        found.map(LicenseType::key).ok_or_else(|| {
            let labels: Vec<_> = Uses::known().map(LicenseType::label).collect();
            format!("must contain only {}", labels.join(", "))
        })
    };
    parts(text).map(read).collect()
}

/// Names by which people know countries, besides the official ones.
const OTHER_NAMES: [(&str, &str); 30] = [
    ("UK", "GB"),
    ("Great Britain", "GB"),
    ("Britain", "GB"),
    ("England", "GB"),
    ("USA", "US"),
    ("America", "US"),
    ("United States of America", "US"),
    ("Holland", "NL"),
    ("UAE", "AE"),
    ("Emirates", "AE"),
    ("Czech Republic", "CZ"),
    ("Russia", "RU"),
    ("South Korea", "KR"),
    ("Korea", "KR"),
    ("Turkey", "TR"),
    ("Vietnam", "VN"),
    ("Deutschland", "DE"),
    ("Österreich", "AT"),
    ("Schweiz", "CH"),
    ("Frankreich", "FR"),
    ("Italien", "IT"),
    ("Spanien", "ES"),
    ("Niederlande", "NL"),
    ("Belgien", "BE"),
    ("Polen", "PL"),
    ("Dänemark", "DK"),
    ("Schweden", "SE"),
    ("Großbritannien", "GB"),
    ("Vereinigtes Königreich", "GB"),
    ("Vereinigte Staaten", "US"),
];

/// Reads countries and regions by their names or codes, and returns the codes.
pub(super) fn countries(text: &str) -> Result<Vec<&'static str>, String> {
    let mut codes = Vec::new();
    for part in parts(text) {
        let region = Region::ALL.iter().find(|it| same(it.name, part) || same(it.key, part));
        if let Some(region) = region {
            codes.extend(region.countries().iter().map(|it| code(*it)));
            continue;
        }
        if same(english(part), "worldwide") || same(part, "world") {
            codes.push(code(Territory::WORLD));
            continue;
        }
        let known = OTHER_NAMES.iter().find(|(name, _)| same(name, part));
        let wanted = known.map_or(part, |(_, code)| code);
        let country = country_names().find(|(code, name)| same(name, wanted) || same(code, wanted));
        let (code, _) = country.ok_or_else(|| {
            let shown: String = part.chars().take(50).collect();
            format!("has \u{201C}{shown}\u{201D}, which is neither a country nor a region we know")
        })?;
        codes.push(code);
    }
    Ok(codes)
}

/// The code of a territory, from the table of codes.
fn code(territory: Territory) -> &'static str {
    Territory::codes().find(|it| *it == territory.as_str()).unwrap_or_default()
}

/// Reads a currency by its code.
pub(super) fn currency(text: &str) -> Result<Currency, &'static str> {
    Currency::parse(&text.to_ascii_uppercase()).map_err(|_| "must be a currency code such as USD")
}

/// Reads what a fee is paid per, such as `Month` or `per month`.
pub(super) fn fee_per(text: &str) -> Result<FeePer, String> {
    let text = text.to_lowercase();
    let word = text.strip_prefix("per ").or_else(|| text.strip_prefix("pro "));
    let word = english(word.unwrap_or(&text).trim()).to_lowercase();
    word.parse::<FeePer>().map_err(|_| "must be one of Use, Day, Month, Year, Campaign".to_owned())
}

/// Reads the status of a new or changed license.
pub(super) fn license_status(text: &str) -> Result<LicenseStatus, String> {
    english(text).to_lowercase().parse::<LicenseStatus>().map_err(|_| {
        let names = LicenseStatus::ALL.map(LicenseStatus::name).join(", ");
        format!("must be one of {names}")
    })
}

/// Reads yes or no.
pub(super) fn flag(text: &str) -> Result<bool, &'static str> {
    match english(text).to_lowercase().as_str() {
        "yes" | "y" | "true" | "1" | "x" | "on" => Ok(true),
        "no" | "n" | "false" | "0" | "-" | "off" => Ok(false),
        _ => Err("must be Yes or No"),
    }
}

/// Reads the start of a day such as 2026-01-31 or 31.01.2026, or a date-time.
pub(super) fn start(text: &str) -> Result<Timestamp, &'static str> {
    match day(text) {
        Some(day) => Ok(day.start()),
        None => moment(text),
    }
}

/// Like [`start`], for the end of a day.
pub(super) fn end(text: &str) -> Result<Timestamp, &'static str> {
    const DAY: std::time::Duration = std::time::Duration::from_hours(24);
    match day(text) {
        Some(day) => Ok(day.start().plus(DAY)),
        None => moment(text),
    }
}

fn moment(text: &str) -> Result<Timestamp, &'static str> {
    Timestamp::parse(text).map_err(|_| "must be a date such as 2026-01-31")
}

fn day(text: &str) -> Option<Day> {
    if let Ok(day) = Day::parse(text) {
        return Some(day);
    }
    let mut numbers = text.split('.').map(str::parse::<u16>);
    let (Some(Ok(day)), Some(Ok(month)), Some(Ok(year)), None) =
        (numbers.next(), numbers.next(), numbers.next(), numbers.next())
    else {
        return None;
    };
    Day::parse(&format!("{year:04}-{month:02}-{day:02}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_keys_are_understood() {
        assert_eq!(license_type("social MEDIA"), Ok(LicenseType::SocialMedia));
        assert_eq!(license_type("ai_training"), Ok(LicenseType::AiTraining));
        assert!(license_type("Radio").unwrap_err().starts_with("must be one of Social media, "));
        assert_eq!(uses("Voice; AI training\nvoice"), Ok(vec!["voice", "ai_training", "voice"]));
        assert!(uses("Custom").is_err());
        assert_eq!(fee_per("Per month"), Ok(FeePer::Month));
        assert_eq!(fee_per("hour").unwrap_err(), "must be one of Use, Day, Month, Year, Campaign");
        assert_eq!(license_status("Public"), Ok(LicenseStatus::Public));
        assert_eq!(currency("eur").map(|it| it.to_string()), Ok("EUR".to_owned()));
        assert_eq!((flag("Yes"), flag("0")), (Ok(true), Ok(false)));
        assert_eq!(flag("maybe"), Err("must be Yes or No"));
    }

    #[test]
    fn german_words_are_understood() {
        assert_eq!(license_type("Werbung"), Ok(LicenseType::Advertising));
        assert_eq!(uses("Stimme; KI-Training"), Ok(vec!["voice", "ai_training"]));
        assert_eq!((fee_per("pro Monat"), fee_per("Jahr")), (Ok(FeePer::Month), Ok(FeePer::Year)));
        assert_eq!(license_status("ÖFFENTLICH"), Ok(LicenseStatus::Public));
        assert_eq!((flag("ja"), flag("Nein")), (Ok(true), Ok(false)));
        assert_eq!(countries("Deutschland; weltweit"), Ok(vec!["DE", "WORLD"]));
    }

    #[test]
    fn countries_are_understood_by_name_code_and_region() {
        assert_eq!(countries("DACH; france, us"), Ok(vec!["AT", "CH", "DE", "FR", "US"]));
        assert_eq!(countries("UK, usa; Holland"), Ok(vec!["GB", "US", "NL"]));
        for (name, code) in OTHER_NAMES {
            assert_eq!(countries(name), Ok(vec![code]));
        }
        assert_eq!(countries("Worldwide"), Ok(vec!["WORLD"]));
        assert_eq!(countries("European Union").map(|it| it.len()), Ok(27));
        let error = countries("Germany; Atlantis").unwrap_err();
        assert_eq!(error, "has “Atlantis”, which is neither a country nor a region we know");
    }

    #[test]
    fn days_start_and_end_in_utc() {
        let at = |text: &str| Timestamp::parse(text).unwrap();
        assert_eq!(start("2026-01-31"), Ok(at("2026-01-31T00:00:00Z")));
        assert_eq!(start("31.1.2026"), Ok(at("2026-01-31T00:00:00Z")));
        assert_eq!(end("2026-01-31"), Ok(at("2026-02-01T00:00:00Z")));
        assert_eq!(end("2026-01-31T12:00:00Z"), Ok(at("2026-01-31T12:00:00Z")));
        for bad in ["soon", "1/31/2026", "31.13.2026", "2026-01", "1.2.3.2026"] {
            assert_eq!(start(bad), Err("must be a date such as 2026-01-31"), "{bad}");
        }
    }
}
