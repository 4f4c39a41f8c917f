//! The secret of an authenticator app, and the codes it shows (RFC 6238).

use totp_rs::{Builder, Totp};
use zeroize::Zeroizing;

use crate::otp::Otp;
use crate::{Entropy, Timestamp};

const BYTES: usize = 20;
/// The name under which the app lists the account.
const ISSUER: &str = "Grantor";

/// The secret that an authenticator app shares with us. It cannot be printed; it is stored sealed.
pub struct AuthenticatorSecret(Zeroizing<[u8; BYTES]>);

impl AuthenticatorSecret {
    /// Generates a secret of 160 bits, as RFC 4226 recommends.
    #[must_use]
    pub fn generate(entropy: &dyn Entropy) -> Self {
        let mut random = Zeroizing::new([0; BYTES]);
        entropy.fill(&mut *random);
        Self(random)
    }

    /// Reads the stored bytes. `None` if they are no secret.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes: [u8; BYTES] = bytes.try_into().ok()?;
        Some(Self(Zeroizing::new(bytes)))
    }

    /// The bytes, to be sealed.
    #[must_use]
    pub fn expose(&self) -> &[u8] {
        self.0.as_slice()
    }

    /// The secret in groups of four letters and digits, to be typed into the app.
    #[must_use]
    pub fn key(&self) -> String {
        let text = self.totp("").map(|it| it.secret().to_base32()).unwrap_or_default();
        let groups: Vec<String> =
            text.as_bytes().chunks(4).map(|it| String::from_utf8_lossy(it).into_owned()).collect();
        groups.join(" ")
    }

    /// The address that the QR code contains, for an account.
    #[must_use]
    pub fn url(&self, account: &str) -> Option<String> {
        self.totp(account)?.to_url().ok()
    }

    /// The time step of a code that the app shows now, or showed or will show 30 seconds from now.
    /// A step up to `last`, the last one that was accepted, is refused: each code works once.
    #[must_use]
    pub fn check(&self, code: &Otp, now: Timestamp, last: i64) -> Option<i64> {
        let seconds = u64::try_from(now.as_secs()).ok()?;
        let step = self.totp("")?.check(code.expose(), seconds)?;
        i64::try_from(step).ok().filter(|step| *step > last)
    }

    /// The code that the app shows at this time.
    #[must_use]
    pub fn code_at(&self, now: Timestamp) -> Option<String> {
        let seconds = u64::try_from(now.as_secs()).ok()?;
        Some(self.totp("")?.generate(seconds).to_string())
    }

    /// The parameters are the defaults of every app: SHA-1, six digits, 30 seconds.
    fn totp(&self, account: &str) -> Option<Totp> {
        let builder = Builder::new().with_secret(self.0.as_slice());
        builder.with_account_name(account).with_issuer(Some(ISSUER)).build().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::otp::tests::{Seeded, assert_silent};

    assert_silent!(AuthenticatorSecret);

    /// The secret of the test vectors in RFC 6238, appendix B.
    fn known() -> AuthenticatorSecret {
        AuthenticatorSecret::from_bytes(b"12345678901234567890").unwrap()
    }

    fn otp(text: &str) -> Otp {
        Otp::parse(text).unwrap()
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        for (seconds, code) in
            [(59, "287082"), (1_111_111_109, "081804"), (2_000_000_000, "279037")]
        {
            let now = Timestamp::from_secs(seconds);
            assert_eq!(known().code_at(now).as_deref(), Some(code));
            assert_eq!(known().check(&otp(code), now, 0), Some(seconds / 30));
        }
    }

    #[test]
    fn a_code_works_once_and_half_a_minute_around_its_time() {
        let now = Timestamp::from_secs(1_111_111_109);
        let (code, step) = (otp("081804"), 1_111_111_109 / 30);
        assert_eq!(known().check(&code, now, step - 1), Some(step));
        assert_eq!(known().check(&code, now, step), None, "again");
        assert_eq!(known().check(&code, now, step + 1), None, "an older one than the last");
        let (half, more) = (Duration::from_secs(30), Duration::from_secs(61));
        assert_eq!(known().check(&code, now.plus(half), 0), Some(step));
        assert_eq!(known().check(&code, now.minus(half), 0), Some(step));
        assert_eq!(known().check(&code, now.plus(more), 0), None);
        assert_eq!(known().check(&code, now.minus(more), 0), None);
        let other = AuthenticatorSecret::generate(&Seeded::new());
        assert_eq!(other.check(&code, now, 0), None, "another person's");
    }

    #[test]
    fn an_app_reads_the_address() {
        let url = known().url("ada+x@example.com").unwrap();
        let secret = "secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        let label = "Grantor:ada%2Bx%40example.com";
        assert_eq!(url, format!("otpauth://totp/{label}?{secret}&issuer=Grantor"));
        assert_eq!(known().key(), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
        assert!(AuthenticatorSecret::from_bytes(b"short").is_none());
    }
}
