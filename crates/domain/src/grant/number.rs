//! Grant numbers, such as GR-2026-000042.

use std::fmt;
use std::str::FromStr;

/// The number of a grant: gapless per licensor and UTC year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GrantNumber {
    /// The UTC year of the acceptance.
    pub year: u16,
    /// The position in that year, from 1.
    pub serial: u32,
}

impl fmt::Display for GrantNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GR-{:04}-{:06}", self.year, self.serial)
    }
}

impl FromStr for GrantNumber {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (year, serial) = text.strip_prefix("GR-")?.split_once('-')?;
            let number = Self { year: year.parse().ok()?, serial: serial.parse().ok()? };
            // Each number has exactly one text.
            (number.to_string() == text).then_some(number)
        };
        parse().ok_or("must be a grant number such as GR-2026-000042")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_one_text() {
        for (number, text) in [
            (GrantNumber { year: 2026, serial: 42 }, "GR-2026-000042"),
            (GrantNumber { year: 2026, serial: 1_234_567 }, "GR-2026-1234567"),
        ] {
            assert_eq!((number.to_string().as_str(), text.parse()), (text, Ok(number)));
        }
        for bad in ["", "GR-2026-42", "GR-2026-0000042", "gr-2026-000042", "GR-26-000042"] {
            assert!(bad.parse::<GrantNumber>().is_err(), "{bad}");
        }
    }
}
