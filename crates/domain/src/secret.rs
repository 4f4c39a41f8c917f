//! Generated credentials: a prefix, random base62 digits and a checksum (contract section 3).
//! Secret scanners and people can recognize them, and a mistyped one is rejected without a database
//! query.

mod hash;
mod share_code;

use std::fmt;
use std::ops::Range;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};
use zeroize::{Zeroize as _, Zeroizing};

pub use self::hash::SecretHash;
pub use self::share_code::ShareCode;
use crate::Entropy;

/// Whether an API client's credentials are live or test credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// For the production environment.
    Live,
    /// For the staging and development environments.
    Test,
}

/// The purpose of a secret. Each kind has its own prefix, so none is accepted in place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// The secret of an API client.
    ApiSecret(Mode),
    /// A refresh token of the external API.
    ExternalRefresh,
    /// A refresh token of the console and admin APIs.
    ConsoleRefresh,
    /// Identifies a session that waits for a one-time code.
    OtpSession,
    /// The token in a magic link.
    MagicLink,
    /// The token in a password reset link.
    ResetLink,
    /// Identifies a browser in which the user has signed in before.
    Device,
    /// A one-time sign-in token for staff.
    AdminToken,
    /// The token of an invitation.
    Invitation,
    /// Binds a sign-in or set-up in several steps to the browser in which it began.
    Ceremony,
    /// Takes back an act on a page.
    Undo,
    /// A webhook signing secret. Its format is defined by Standard Webhooks: base64 without a
    /// checksum.
    Webhook,
}

impl SecretKind {
    /// All variants.
    pub const ALL: [Self; 13] = [
        Self::ApiSecret(Mode::Live),
        Self::ApiSecret(Mode::Test),
        Self::ExternalRefresh,
        Self::ConsoleRefresh,
        Self::OtpSession,
        Self::MagicLink,
        Self::ResetLink,
        Self::Device,
        Self::AdminToken,
        Self::Invitation,
        Self::Ceremony,
        Self::Undo,
        Self::Webhook,
    ];

    /// The prefix of the text.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::ApiSecret(Mode::Live) => "gs_live_",
            Self::ApiSecret(Mode::Test) => "gs_test_",
            Self::ExternalRefresh => "gxr_",
            Self::ConsoleRefresh => "gcr_",
            Self::OtpSession => "gos_",
            Self::MagicLink => "gml_",
            Self::ResetLink => "grl_",
            Self::Device => "gdv_",
            Self::AdminToken => "gat_",
            Self::Invitation => "gin_",
            Self::Ceremony => "gcm_",
            Self::Undo => "gun_",
            Self::Webhook => "whsec_",
        }
    }

    const fn length(self) -> usize {
        let rest = if matches!(self, Self::Webhook) { 44 } else { SECRET_DIGITS + TAIL_DIGITS };
        self.prefix().len() + rest
    }

    fn fits(self, text: &[u8]) -> bool {
        if self != Self::Webhook {
            return has_form(text, self.prefix(), SECRET_DIGITS);
        }
        let mut key = Zeroizing::new([0; SECRET_BYTES + 1]);
        let base64 = text.strip_prefix(self.prefix().as_bytes()).unwrap_or_default();
        BASE64_STANDARD.decode_slice(base64, &mut *key) == Ok(SECRET_BYTES)
    }
}

/// A secret in plain text, shown only once. It cannot be printed or compared; only its
/// [hash](Self::hash) is stored and compared.
pub struct Secret {
    kind: SecretKind,
    text: Zeroizing<String>,
}

impl Secret {
    /// Generates a secret of 256 bits.
    #[must_use]
    pub fn generate(kind: SecretKind, entropy: &dyn Entropy) -> Self {
        let mut random = Zeroizing::new([0; SECRET_BYTES]);
        entropy.fill(&mut *random);
        // Allocated at full length: growing would leave a copy in freed memory.
        let mut text = Zeroizing::new(String::with_capacity(kind.length()));
        text.push_str(kind.prefix());
        if kind == SecretKind::Webhook {
            BASE64_STANDARD.encode_string(random.as_slice(), &mut text);
        } else {
            push_base62(&mut text, &mut *random, SECRET_DIGITS);
            push_tail(&mut text);
        }
        Self { kind, text }
    }

    /// Parses a secret of one of these kinds; returns `None` if the format or the checksum is
    /// wrong.
    #[must_use]
    pub fn parse(kinds: &[SecretKind], text: &str) -> Option<Self> {
        let kind = kinds.iter().copied().find(|kind| kind.fits(text.as_bytes()))?;
        Some(Self { kind, text: Zeroizing::new(text.to_owned()) })
    }

    /// The kind of the secret.
    #[must_use]
    pub fn kind(&self) -> SecretKind {
        self.kind
    }

    /// The plain text, for its owner only.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// The hash to be stored.
    #[must_use]
    pub fn hash(&self) -> SecretHash {
        SecretHash::from_bytes(Sha256::digest(self.text.as_bytes()).into())
    }
}

/// The public key of an API client. It has the same format as a secret, but is not confidential.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ApiKey(String);

impl ApiKey {
    /// Generates a key of 128 bits.
    #[must_use]
    pub fn generate(mode: Mode, entropy: &dyn Entropy) -> Self {
        let mut random = [0; 16];
        entropy.fill(&mut random);
        let mut text = Self::prefix(mode).to_owned();
        push_base62(&mut text, &mut random, KEY_DIGITS);
        push_tail(&mut text);
        Self(text)
    }

    /// Parses a key; returns `None` if the format or the checksum is wrong.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fits = |mode| has_form(text.as_bytes(), Self::prefix(mode), KEY_DIGITS);
        [Mode::Live, Mode::Test].into_iter().any(fits).then(|| Self(text.to_owned()))
    }

    /// Whether it is a live or test key.
    #[must_use]
    pub fn mode(&self) -> Mode {
        if self.0.starts_with(Self::prefix(Mode::Live)) { Mode::Live } else { Mode::Test }
    }

    /// The text of the key.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    const fn prefix(mode: Mode) -> &'static str {
        match mode {
            Mode::Live => "gk_live_",
            Mode::Test => "gk_test_",
        }
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Finds the positions of secrets in arbitrary bytes. The checksum distinguishes secrets from
/// similar text; webhook secrets, which have none, are found by their format. API keys are public
/// and not reported.
#[must_use]
pub fn find_leaked(text: &(impl AsRef<[u8]> + ?Sized)) -> Vec<Range<usize>> {
    let text = text.as_ref();
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(next) = text[at..].iter().position(|it| matches!(it, b'g' | b'w')) {
        at += next;
        let length = secret_at(&text[at..]);
        found.extend(length.map(|it| at..at + it));
        at += length.unwrap_or(1);
    }
    found
}

const SECRET_BYTES: usize = 32;
/// The minimum number of base62 digits: 62^43 > 2^256, 62^22 > 2^128, 62^6 > 2^32.
const SECRET_DIGITS: usize = 43;
const KEY_DIGITS: usize = 22;
const TAIL_DIGITS: usize = 6;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The length of the secret at the start of the text.
fn secret_at(text: &[u8]) -> Option<usize> {
    let fits = |kind: &SecretKind| text.get(..kind.length()).is_some_and(|it| kind.fits(it));
    SecretKind::ALL.into_iter().find(fits).map(SecretKind::length)
}

/// Appends the big-endian number in `bytes` with the given number of base62 digits; clears the
/// bytes.
fn push_base62(text: &mut String, bytes: &mut [u8], digits: usize) {
    let mut written = Zeroizing::new([0; SECRET_DIGITS]);
    for digit in written[..digits].iter_mut().rev() {
        let mut rest = 0;
        for byte in bytes.iter_mut() {
            let value = rest << 8 | u16::from(*byte);
            [_, *byte] = (value / 62).to_be_bytes();
            rest = value % 62;
        }
        *digit = BASE62[usize::from(rest)];
    }
    bytes.zeroize();
    text.extend(written[..digits].iter().copied().map(char::from));
}

/// The checksum covers the prefix, so that changing the kind invalidates a secret.
fn push_tail(text: &mut String) {
    let mut sum = crc32fast::hash(text.as_bytes()).to_be_bytes();
    push_base62(text, &mut sum, TAIL_DIGITS);
}

/// Whether the text is the prefix, the given number of base62 digits and the matching checksum.
fn has_form(text: &[u8], prefix: &str, digits: usize) -> bool {
    let Some(random) = text.strip_prefix(prefix.as_bytes()) else { return false };
    if random.len() != digits + TAIL_DIGITS || !random.iter().all(u8::is_ascii_alphanumeric) {
        return false;
    }
    let (head, tail) = text.split_at(text.len() - TAIL_DIGITS);
    let mut expected = String::with_capacity(TAIL_DIGITS);
    push_base62(&mut expected, &mut crc32fast::hash(head).to_be_bytes(), TAIL_DIGITS);
    // The checksum is not secret, so the comparison need not be constant-time.
    expected.as_bytes() == tail
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::otp::tests::{Seeded, assert_silent};

    assert_silent!(Secret);
    const TAILED: &[SecretKind] = SecretKind::ALL.split_at(8).0;

    fn read(kinds: &[SecretKind], text: &str) -> Option<SecretKind> {
        Secret::parse(kinds, text).map(|it| it.kind())
    }

    #[test]
    fn texts_have_their_form_and_read_back() {
        let entropy = Seeded::new();
        for kind in SecretKind::ALL {
            let secret = Secret::generate(kind, &entropy);
            let random = if kind == SecretKind::Webhook { 44 } else { 43 + 6 };
            assert_eq!(secret.expose().len(), kind.prefix().len() + random);
            let read = Secret::parse(&SecretKind::ALL, secret.expose()).unwrap();
            assert_eq!((read.kind(), read.hash()), (kind, secret.hash()));
            assert_eq!(secret.hash().as_bytes()[..], Sha256::digest(secret.expose())[..]);
            assert_ne!(secret.hash(), Secret::generate(kind, &entropy).hash());
        }
        for mode in [Mode::Live, Mode::Test] {
            let key = ApiKey::generate(mode, &entropy);
            assert_eq!((key.to_string().len(), key.mode()), (8 + 22 + 6, mode));
            assert_eq!(ApiKey::parse(key.as_str()), Some(key));
        }
    }

    #[test]
    fn base62_is_the_number() {
        for (number, expected) in [(61, "00000z"), (62, "000010"), (u32::MAX, "4gfFC3")] {
            let mut text = String::new();
            push_base62(&mut text, &mut number.to_be_bytes(), 6);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn every_change_of_one_character_is_refused() {
        let changes = |text: &str| -> Vec<String> {
            let places = (0..text.len()).flat_map(|at| (0..=127).map(move |it| (at, it)));
            let change = |(at, it)| format!("{}{}{}", &text[..at], char::from(it), &text[at + 1..]);
            places.map(change).filter(|it| it != text).collect()
        };
        for kind in TAILED {
            let secret = Secret::generate(*kind, &Seeded::new());
            let changed = changes(secret.expose());
            assert_eq!(changed.iter().find_map(|it| read(&SecretKind::ALL, it)), None);
        }
        let key = ApiKey::generate(Mode::Live, &Seeded::new());
        assert_eq!(changes(key.as_str()).iter().find_map(|it| ApiKey::parse(it)), None);
    }

    #[test]
    fn another_kind_or_another_length_is_refused() {
        for kind in SecretKind::ALL {
            let secret = Secret::generate(kind, &Seeded::new());
            let text = secret.expose();
            for other in SecretKind::ALL.into_iter().filter(|it| *it != kind) {
                let renamed = text.replace(kind.prefix(), other.prefix());
                assert_eq!([read(&[other], text), read(&[other], &renamed)], [None; 2]);
            }
            let (longer, shorter) = (format!("{text}0"), &text[..text.len() - 1]);
            for bad in ["", kind.prefix(), &text[1..], shorter, &longer] {
                assert_eq!(read(&SecretKind::ALL, bad), None, "{bad:?}");
            }
            assert_eq!(ApiKey::parse(text), None);
        }
        let key = ApiKey::generate(Mode::Test, &Seeded::new()).to_string();
        let renamed = ApiKey::parse(&key.replace("test", "live"));
        assert_eq!((renamed, read(&SecretKind::ALL, &key)), (None, None));
    }

    #[test]
    fn a_webhook_secret_is_exactly_32_bytes_of_base64() {
        let zeros = "A".repeat(41);
        let fits = |end: &str| read(&[SecretKind::Webhook], &format!("whsec_{zeros}{end}"));
        assert_eq!(fits("AA="), Some(SecretKind::Webhook));
        // 31 bytes, 33 bytes, bits after the last byte, the other alphabet
        assert_eq!([fits("A=="), fits("AAA"), fits("AB="), fits("-A=")], [None; 4]);
    }

    #[test]
    fn a_thousand_planted_secrets_are_found() {
        let around = [
            ("{\"token\":\"", "\",\"n\":1}"),
            ("https://example.com/app/magic?token=", "&from=gs_live_x"),
            ("%22", "%22"),
            ("Der Schlüssel: g gg gs_ gs_live_", "gs_live_ß, keep it."),
        ];
        let (mut text, mut planted, entropy) = (String::new(), Vec::new(), Seeded::new());
        let kinds = SecretKind::ALL.into_iter().cycle().take(1_000);
        for (kind, (before, after)) in kinds.zip(around.into_iter().cycle()) {
            let secret = Secret::generate(kind, &entropy);
            let start = text.len() + before.len();
            planted.push(start..start + kind.length());
            text.extend([before, secret.expose(), after]);
        }
        assert_eq!((planted.len(), find_leaked(&text)), (1_000, planted));
    }

    #[test]
    fn of_a_hundred_thousand_decoys_none_is_found() {
        let entropy: &dyn Entropy = &Seeded::new();
        let (mut decoys, mut sealed) = (String::new(), String::new());
        for kind in TAILED.iter().cycle().take(100_000) {
            let random = entropy.bytes::<{ SECRET_DIGITS + TAIL_DIGITS }>();
            let start = decoys.len();
            decoys.push_str(kind.prefix());
            decoys.extend(random.map(|it| char::from(BASE62[usize::from(it) % 62])));
            let mut real = decoys[start..decoys.len() - TAIL_DIGITS].to_owned();
            push_tail(&mut real);
            sealed.push_str(&real);
        }
        // Control: with correct checksums, all of these texts are found.
        assert_eq!([find_leaked(&decoys).len(), find_leaked(&sealed).len()], [0, 100_000]);
    }
}
