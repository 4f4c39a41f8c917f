//! One-time codes: six digits sent by mail, and the rules for accepting them. Six digits are only
//! safe because attempts and lifetime are limited.

use std::time::Duration;

use zeroize::Zeroizing;

use crate::{Entropy, Timestamp};

/// How long a console code is valid; resending it starts a new period.
pub const CODE_LIFE: Duration = Duration::from_mins(5);

/// How long a magic link and the code in its mail are valid.
pub const MAGIC_LINK_LIFE: Duration = Duration::from_mins(15);

/// How long the link in a password reset mail is valid. Longer than the code, because it cannot be
/// guessed.
pub const RESET_LINK_LIFE: Duration = Duration::from_mins(15);

/// The number of wrong codes that ends a session.
pub const MAX_WRONG: u32 = 5;

/// How often a session's code may be resent.
pub const MAX_RESENDS: u32 = 3;

/// The minimum time between two mails.
pub const RESEND_WAIT: Duration = Duration::from_mins(1);

/// A six-digit code in plain text. It cannot be printed or compared; only an HMAC of it is stored
/// and compared.
pub struct Otp(Zeroizing<String>);

impl Otp {
    /// Generates a code; all codes are equally likely.
    #[must_use]
    pub fn generate(entropy: &dyn Entropy) -> Self {
        loop {
            let mut random = Zeroizing::new([0; 4]);
            entropy.fill(&mut *random);
            let value = u32::from_be_bytes(*random);
            // Values above the last whole multiple of a million would favor low codes.
            if value < UNBIASED {
                return Self(Zeroizing::new(format!("{:06}", value % CODES)));
            }
        }
    }

    /// Parses exactly six ASCII digits.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if text.len() == 6 && text.bytes().all(|it| it.is_ascii_digit()) {
            Ok(Self(Zeroizing::new(text.to_owned())))
        } else {
            Err("must be 6 digits")
        }
    }

    /// The digits, for the mail and the HMAC.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// The result of checking a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeCheck {
    /// The code is correct; the session is used up.
    Accepted,
    /// The code is wrong. If no attempts remain, the session has ended.
    Wrong {
        /// The remaining attempts.
        left: u32,
    },
    /// The code has expired.
    Expired,
    /// The session had already ended because of wrong codes.
    Dead,
}

impl CodeCheck {
    /// Checks a code, given the number of previous wrong ones. `matches` is only called while the
    /// session is valid, so that a guess after the last attempt reveals nothing, not even through
    /// timing.
    pub fn decide(
        now: Timestamp,
        expires_at: Timestamp,
        wrong_tries: u32,
        matches: impl FnOnce() -> bool,
    ) -> Self {
        if wrong_tries >= MAX_WRONG {
            Self::Dead
        } else if now >= expires_at {
            Self::Expired
        } else if matches() {
            Self::Accepted
        } else {
            Self::Wrong { left: MAX_WRONG - wrong_tries - 1 }
        }
    }
}

/// Whether a code may be resent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resend {
    /// It may; the old code becomes invalid.
    Allowed,
    /// Only after this wait.
    TooSoon(Duration),
    /// The session has no resends left.
    TooMany,
}

impl Resend {
    /// Decides based on the number of resends and the time of the last mail.
    #[must_use]
    pub fn decide(now: Timestamp, last_sent_at: Timestamp, resends: u32) -> Self {
        let wait = RESEND_WAIT.saturating_sub(now.since(last_sent_at));
        if resends >= MAX_RESENDS {
            Self::TooMany
        } else if wait.is_zero() {
            Self::Allowed
        } else {
            Self::TooSoon(wait)
        }
    }
}

const CODES: u32 = 1_000_000;
/// The largest multiple of `CODES` that fits into 32 bits.
const UNBIASED: u32 = u32::MAX / CODES * CODES;

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Deterministic randomness (`SplitMix64`).
    pub(crate) struct Seeded(AtomicU64);

    impl Seeded {
        pub(crate) fn new() -> Self {
            Self(AtomicU64::new(0x6772_616e_746f_7231))
        }
    }

    impl Entropy for Seeded {
        fn fill(&self, buffer: &mut [u8]) {
            for chunk in buffer.chunks_mut(8) {
                let mut value = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
                value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                value ^= value >> 31;
                chunk.copy_from_slice(&value.to_le_bytes()[..chunk.len()]);
            }
        }
    }

    /// Fails to compile for a type that can be printed or compared, because the call becomes
    /// ambiguous.
    macro_rules! assert_silent {
        ($type:ty) => {
            const _: fn() = || {
                trait Silent<Marker> {
                    fn holds() {}
                }
                impl<T: ?Sized> Silent<()> for T {}
                impl<T: ?Sized + std::fmt::Debug> Silent<[(); 1]> for T {}
                impl<T: ?Sized + std::fmt::Display> Silent<[(); 2]> for T {}
                impl<T: ?Sized + PartialEq> Silent<[(); 3]> for T {}
                <$type as Silent<_>>::holds();
            };
        };
    }
    pub(crate) use assert_silent;

    assert_silent!(Otp);

    /// Returns the given numbers, starting with the last.
    struct Numbers(Mutex<Vec<u32>>);

    impl Entropy for Numbers {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.copy_from_slice(&self.0.lock().unwrap().pop().unwrap().to_be_bytes());
        }
    }

    fn drawn(numbers: &[u32]) -> String {
        let source = Numbers(Mutex::new(numbers.iter().rev().copied().collect()));
        let code = Otp::generate(&source);
        assert!(source.0.lock().unwrap().is_empty());
        code.expose().to_owned()
    }

    #[test]
    fn codes_keep_their_zeros_and_are_not_biased() {
        assert_eq!(drawn(&[0]), "000000");
        assert_eq!(drawn(&[42]), "000042");
        assert_eq!(drawn(&[1_000_000]), "000000");
        assert_eq!(drawn(&[4_293_999_999]), "999999");
        assert_eq!(drawn(&[4_294_000_000, u32::MAX, 7]), "000007");
    }

    #[test]
    fn codes_are_spread_evenly() {
        let entropy = Seeded::new();
        let mut firsts = [0; 10];
        for _ in 0..100_000 {
            let code = Otp::generate(&entropy);
            assert!(Otp::parse(code.expose()).is_ok());
            firsts[usize::from(code.expose().as_bytes()[0] - b'0')] += 1;
        }
        // 10,000 expected; five standard deviations are 474.
        assert!(firsts.iter().all(|it| (9_526..=10_474).contains(it)), "{firsts:?}");
    }

    #[test]
    fn only_six_ascii_digits_are_a_code() {
        assert!(Otp::parse("012345").is_ok_and(|it| it.expose() == "012345"));
        for bad in ["", "12345", "1234567", "12345a", " 12345", "12345\n", "+12345", "１２"] {
            assert_eq!(Otp::parse(bad).err(), Some("must be 6 digits"), "{bad:?}");
        }
    }

    #[test]
    fn a_code_counts_in_time_and_five_times() {
        use CodeCheck::{Accepted, Dead, Expired, Wrong};
        for (age, wrong, matches, expected) in [
            (0, 0, true, Accepted),
            (299, 0, true, Accepted),
            (300, 0, true, Expired),
            (301, 0, true, Expired),
            (301, 0, false, Expired),
            (0, 0, false, Wrong { left: 4 }),
            (299, 3, false, Wrong { left: 1 }),
            (299, 4, false, Wrong { left: 0 }),
            (299, 4, true, Accepted),
            (0, 5, true, Dead),
            (0, 5, false, Dead),
            (301, 5, true, Dead),
            (0, u32::MAX, true, Dead),
        ] {
            let sent = Timestamp::from_secs(1_700_000_000);
            let now = sent.plus(Duration::from_secs(age));
            let mut called = false;
            let check = CodeCheck::decide(now, sent.plus(CODE_LIFE), wrong, || {
                called = true;
                matches
            });
            assert_eq!(check, expected, "{age} s, {wrong} wrong, {matches}");
            assert_eq!(called, !matches!(expected, Expired | Dead), "{age} s, {wrong} wrong");
        }
    }

    #[test]
    fn a_code_dies_to_the_microsecond() {
        for life in [CODE_LIFE, MAGIC_LINK_LIFE] {
            let end = Timestamp::from_secs(0).plus(life);
            let just_before = end.minus(Duration::from_micros(1));
            assert_eq!(CodeCheck::decide(just_before, end, 0, || true), CodeCheck::Accepted);
            assert_eq!(CodeCheck::decide(end, end, 0, || true), CodeCheck::Expired);
        }
        assert_eq!([CODE_LIFE.as_secs(), MAGIC_LINK_LIFE.as_secs()], [300, 900]);
    }

    #[test]
    fn resends_are_three_and_a_minute_apart() {
        use Resend::{Allowed, TooMany, TooSoon};
        let seconds = Duration::from_secs;
        for (age, resends, expected) in [
            (0, 0, TooSoon(seconds(60))),
            (59, 0, TooSoon(seconds(1))),
            (60, 0, Allowed),
            (61, 2, Allowed),
            (59, 2, TooSoon(seconds(1))),
            (59, 3, TooMany),
            (60, 3, TooMany),
            // A clock that is set back does not make the wait longer than the rule.
            (-3_600, 0, TooSoon(seconds(60))),
        ] {
            let sent = Timestamp::from_secs(1_700_000_000);
            let now = Timestamp::from_secs(1_700_000_000 + age);
            assert_eq!(Resend::decide(now, sent, resends), expected, "{age} s, {resends}");
        }
    }
}
