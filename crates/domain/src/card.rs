//! Payment cards. The payment processor holds the card. Grantor sees a one-time token, then keeps
//! the processor's reference and the details shown to users. Card numbers never reach the server.

use crate::Timestamp;
use crate::id::{CardId, TenantId};

/// The maximum number of cards per tenant.
pub const MAX_CARDS: usize = 10;

/// The maximum length of a token.
pub const MAX_TOKEN_LENGTH: usize = 255;
const NO_NUMBER: &str = "must not contain a card number; send a token from the payment processor";
const SHORTEST: usize = 13;
const LONGEST: usize = 19;

/// A one-time token from the payment processor's form. It must not be logged or shown.
#[derive(Clone)]
pub struct CardToken(String);

impl CardToken {
    /// Parses 1 to 255 letters, digits, `_` and `-`. The error never repeats the input.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if has_card_number(text) {
            return Err(NO_NUMBER);
        }
        let fits = |it: u8| it.is_ascii_alphanumeric() || it == b'_' || it == b'-';
        if text.is_empty() || text.len() > MAX_TOKEN_LENGTH || !text.bytes().all(fits) {
            return Err("must be a token from the payment processor, such as tok_visa");
        }
        Ok(Self(text.to_owned()))
    }

    /// The token, for the payment processor only.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// The details of a card that users recognize it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardFace {
    /// The card brand, such as `visa`.
    pub brand: String,
    /// The last four digits of the number.
    pub last4: String,
    /// The month the card expires, from 1.
    pub expiry_month: u32,
    /// The year the card expires.
    pub expiry_year: u32,
}

/// A tenant's card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The unique ID.
    pub id: CardId,
    /// The tenant it belongs to.
    pub tenant: TenantId,
    /// The payment processor that holds the card.
    pub processor: String,
    /// The processor's ID for the tenant.
    pub customer: String,
    /// The processor's ID for the card.
    pub reference: String,
    /// The details shown to users.
    pub face: CardFace,
    /// When it was added.
    pub created_at: Timestamp,
}

/// Rejects text that contains a card number. The error does not repeat it.
pub fn refuse_card_number(text: &str) -> Result<(), &'static str> {
    if has_card_number(text) { Err(NO_NUMBER) } else { Ok(()) }
}

/// Whether a text contains a likely card number: 13 to 19 digits that pass the Luhn check, written
/// together or with single spaces, dashes or dots between them. Longer runs of digits, such as a
/// number followed by its expiry date, are searched for one.
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
    // All zeros pass the Luhn check, but are not a card number.
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
            assert_eq!(message, "must be a token from the payment processor, such as tok_visa");
        }
    }
}
