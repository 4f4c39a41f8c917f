//! Second factors: what a person shows besides a password or an emailed code when they sign in.

mod authenticator;
mod recovery_code;

use std::time::Duration;

pub use self::authenticator::AuthenticatorSecret;
pub use self::recovery_code::{RECOVERY_CODES, RecoveryCode};
use crate::otp::Otp;
use crate::sign_in::SignInMethod;

/// How long a sign-in waits for its second factor.
pub const WAITING_LIFE: Duration = Duration::from_mins(10);

/// How long an authenticator app can be confirmed after its secret was shown.
pub const SET_UP_LIFE: Duration = Duration::from_hours(1);

/// The number of wrong codes that ends a waiting sign-in.
pub const MAX_WRONG: u32 = 5;

/// The second factors of a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Factors {
    /// Whether an authenticator app is set up.
    pub app: bool,
    /// The number of passkeys.
    pub passkeys: u32,
    /// The number of unused recovery codes.
    pub recovery_codes: u32,
}

impl Factors {
    /// Whether there is any. Recovery codes alone are none: they only stand in for another one.
    #[must_use]
    pub const fn any(self) -> bool {
        self.app || self.passkeys > 0
    }
}

/// What a sign-in needs after its first factor was right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing more.
    Nothing,
    /// One of the person's second factors.
    Proof,
    /// The person has none, and the organization requires one: it must be set up first.
    SetUp,
}

impl Need {
    /// Decides by the method, the person's factors, and whether the organization requires one.
    #[must_use]
    pub const fn of(method: SignInMethod, factors: Factors, required: bool) -> Self {
        if !method.is_first_factor() {
            Self::Nothing
        } else if factors.any() {
            Self::Proof
        } else if required {
            Self::SetUp
        } else {
            Self::Nothing
        }
    }
}

/// A code that a person enters as second factor.
pub enum PresentedCode {
    /// From an authenticator app.
    App(Otp),
    /// One of the recovery codes.
    Recovery(RecoveryCode),
}

impl PresentedCode {
    /// Parses six digits, which may be grouped by spaces, or a recovery code.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let digits: String = text.chars().filter(|it| !it.is_whitespace()).collect();
        if let Ok(code) = Otp::parse(&digits) {
            return Ok(Self::App(code));
        }
        let code = RecoveryCode::parse(text).map(Self::Recovery);
        code.ok_or("must be the 6 digits of your authenticator app, or a recovery code")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_factor_is_asked_for_where_there_is_one_or_must_be() {
        let (none, app) = (Factors::default(), Factors { app: true, ..Factors::default() });
        let passkey = Factors { passkeys: 1, ..Factors::default() };
        let codes = Factors { recovery_codes: 10, ..Factors::default() };
        for method in [SignInMethod::Password, SignInMethod::Email] {
            for required in [false, true] {
                assert_eq!(Need::of(method, app, required), Need::Proof);
                assert_eq!(Need::of(method, passkey, required), Need::Proof);
            }
            for without in [none, codes] {
                assert_eq!(Need::of(method, without, false), Need::Nothing);
                assert_eq!(Need::of(method, without, true), Need::SetUp);
            }
        }
        for method in [SignInMethod::Passkey, SignInMethod::SingleSignOn] {
            for factors in [none, app] {
                assert_eq!(Need::of(method, factors, true), Need::Nothing);
            }
        }
    }

    #[test]
    fn a_code_is_of_the_app_or_a_recovery_code() {
        let kind = |text: &str| match PresentedCode::parse(text) {
            Ok(PresentedCode::App(code)) => format!("app {}", code.expose()),
            Ok(PresentedCode::Recovery(code)) => format!("recovery {}", code.expose()),
            Err(reason) => reason.to_owned(),
        };
        assert_eq!(kind("123456"), "app 123456");
        assert_eq!(kind(" 123 456 "), "app 123456");
        assert_eq!(kind("ABCDE-fgh12"), "recovery abcdefgh12");
        let refused = "must be the 6 digits of your authenticator app, or a recovery code";
        for bad in ["", "12345", "1234567", "abcde", "abcde-fgh1u", "abcde-fgh123"] {
            assert_eq!(kind(bad), refused, "{bad}");
        }
    }
}
