//! Payment cards. A card is its processor's: we know a token that stands for it once, then a reference
//! and what people recognize it by. Its number never comes here.

use crate::Timestamp;
use crate::id::{CardId, TenantId};

/// How many cards of one tenant there can be.
pub const MOST: usize = 10;

/// The most characters of a token.
pub const LONGEST_TOKEN: usize = 255;
const NO_NUMBER: &str = "must not hold a card number: send a token of the payment processor";
const SHORTEST: usize = 13;
const LONGEST: usize = 19;

/// What a processor's own form gave for a card. It stands for the card, so it is shown nowhere.
#[derive(Clone)]
pub struct CardToken(String);

impl CardToken {
    /// Takes 1 to 255 letters, digits, `_` and `-`. The message never repeats what was given.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if has_card_number(text) {
            return Err(NO_NUMBER);
        }
        let fits = |it: u8| it.is_ascii_alphanumeric() || it == b'_' || it == b'-';
        if text.is_empty() || text.len() > LONGEST_TOKEN || !text.bytes().all(fits) {
            return Err("must be a token of the payment processor such as tok_visa");
        }
        Ok(Self(text.to_owned()))
    }

    /// The token, for the processor alone.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// What people recognize a card by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardFace {
    /// Whose card it is, such as visa.
    pub brand: String,
    /// The end of its number.
    pub last4: String,
    /// The last month it works, from 1.
    pub expiry_month: u32,
    /// The year of that month.
    pub expiry_year: u32,
}

/// A card of a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Its id.
    pub id: CardId,
    /// Whose it is.
    pub tenant: TenantId,
    /// Which processor knows it.
    pub processor: String,
    /// Who the tenant is there.
    pub customer: String,
    /// What the card is called there.
    pub reference: String,
    /// What people recognize it by.
    pub face: CardFace,
    /// When it was added.
    pub created_at: Timestamp,
}

/// Refuses text near payment that holds a card number; the message does not repeat it.
pub fn refuse_card_number(text: &str) -> Result<(), &'static str> {
    if has_card_number(text) { Err(NO_NUMBER) } else { Ok(()) }
}

/// Whether a text holds what may be a card number: 13 to 19 digits that pass the Luhn check, written
/// together or with single spaces, dashes or dots between them. A longer row of digits, such as a
/// number with its expiry behind it, is searched for one.
#[must_use]
pub fn has_card_number(text: &str) -> bool {
    let mut digits: Vec<u8> = Vec::new();
    let mut gap = 0;
    for character in text.chars().chain(['x']) {
        if let Some(digit) = character.to_digit(10) {
            digits.push(u8::try_from(digit).unwrap_or(0));
            gap = 0;
        } else if matches!(character, ' ' | '-' | '.' | '\u{A0}') && gap == 0 && !digits.is_empty()
        {
            gap += 1;
        } else {
            if is_number(&digits) {
                return true;
            }
            digits.clear();
            gap = 0;
        }
    }
    false
}

fn is_number(digits: &[u8]) -> bool {
    if digits.len() <= LONGEST {
        return digits.len() >= SHORTEST && passes_luhn(digits);
    }
    (SHORTEST..=LONGEST).any(|length| digits.windows(length).any(passes_luhn))
}

fn passes_luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = u32::from(*digit);
            if place % 2 == 0 { digit } else { digit * 2 / 10 + digit * 2 % 10 }
        })
        .sum();
    // A row of zeros passes, and is nobody's card.
    sum > 0 && sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_however_they_are_written() {
        for text in [
            "4242424242424242",
            "4242 4242 4242 4242",
            "4242-4242-4242-4242",
            "4242.4242.4242.4242",
            "card 378282246310005!",
            "4222222222222",
            "6304000000000000000",
            "tok_4242424242424242",
            "4242 4242 4242 4242 12 28 123",
        ] {
            assert!(has_card_number(text), "{text}");
            assert_eq!(CardToken::parse(text).err(), Some(NO_NUMBER), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_left_alone() {
        for text in [
            "",
            "tok_visa",
            "4242424242424241",
            "424242424242",
            "0000000000000000",
            "4242  4242  4242  4242",
            "tok_1N4242e42424242k4242",
        ] {
            assert!(!has_card_number(text), "{text}");
        }
    }

    #[test]
    fn tokens_are_words() {
        assert_eq!(CardToken::parse("tok_visa").unwrap().expose(), "tok_visa");
        for text in ["", " ", "tok visa", "tok/visa", "tök", &"t".repeat(256)] {
            let message = CardToken::parse(text).err().unwrap();
            assert_eq!(message, "must be a token of the payment processor such as tok_visa");
        }
    }
}
