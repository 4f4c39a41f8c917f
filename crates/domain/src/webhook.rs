//! Webhooks: who receives events, and how they know that we sent them (contract section 6).

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::digest::Key;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::Timestamp;
use crate::event::EventTypes;
use crate::id::{EventId, TenantId, UserId, WebhookId};
use crate::named::named;
use crate::secret::Secret;
use crate::text::{TextRule, texts};

/// How long the secret before a rotation goes on signing beside the new one.
pub const ROTATION_OVERLAP: Duration = Duration::from_hours(24);
/// How long nothing but failures switches a webhook off.
pub const PATIENCE: Duration = Duration::from_hours(5 * 24);

named!(WebhookStatus);
texts!(WebhookNote);

/// Whether events are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WebhookStatus {
    /// They are.
    Active,
    /// They are not, until somebody switches it on again.
    Disabled,
}

impl WebhookStatus {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Active, Self::Disabled];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Disabled => "disabled",
        }
    }
}

/// What a webhook is for, in its owner's words; may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WebhookNote(String);

impl WebhookNote {
    /// Up to 500 characters; lines may break.
    pub const RULE: TextRule = TextRule::lines(500);

    /// Takes what fits.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

/// A receiver of events. Its secrets are kept apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// Whose it is.
    pub tenant: TenantId,
    /// Who made it: what this person sees is told, beside what the tenant sees.
    pub user: UserId,
    /// Where events are sent.
    pub url: String,
    /// What it is for.
    pub description: WebhookNote,
    /// Which events.
    pub events: EventTypes,
    /// Whether they are sent.
    pub status: WebhookStatus,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its owner changed it last.
    pub updated_at: Timestamp,
    /// When an event arrived last.
    pub last_success_at: Option<Timestamp>,
    /// Since when none arrives.
    pub failing_since: Option<Timestamp>,
}

/// The value of `webhook-signature`: one signature for each secret in use, the newest first
/// (Standard Webhooks).
#[must_use]
pub fn sign(secrets: &[Secret], id: EventId, at: Timestamp, body: &[u8]) -> String {
    let signed = secrets.iter().map(|secret| {
        let mut mac = Hmac::<Sha256>::new(&Key::<Hmac<Sha256>>::from(*key_of(secret)));
        for part in [id.to_string().as_bytes(), b".", at.as_secs().to_string().as_bytes(), b"."] {
            mac.update(part);
        }
        mac.update(body);
        format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
    });
    signed.collect::<Vec<_>>().join(" ")
}

/// The bytes behind the text, filled up to a block as HMAC does with every key this short.
fn key_of(secret: &Secret) -> Zeroizing<[u8; 64]> {
    let text = secret.expose().strip_prefix(secret.kind().prefix()).unwrap_or_default();
    let mut block = Zeroizing::new([0; 64]);
    // A secret of this kind is always base64 of 32 bytes.
    let _ = BASE64_STANDARD.decode_slice(text, &mut *block);
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::SecretKind;

    /// Computed with another program from the formula of the specification, whose own example has
    /// a key of 24 bytes, which ours never have.
    #[test]
    fn a_signature_is_what_the_standard_says() {
        let secret = |text: &str| Secret::parse(&[SecretKind::Webhook], text).unwrap();
        let one = || secret("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
        let other = secret("whsec_//////////////////////////////////////////8=");
        let id = "018f3f9e-0000-7000-8000-000000000001".parse().unwrap();
        let at = Timestamp::from_secs(1_700_000_000);
        let body = r#"{"type":"webhook.test","data":{"name":"Zoë"}}"#.as_bytes();
        let alone = sign(&[one()], id, at, body);
        assert_eq!(alone, "v1,FEdnP0pjDA/zCXXSytsbgyTMoo5U0D4cbi706WUL4MY=");
        let both = sign(&[one(), other], id, at, body);
        assert_eq!(both.split(' ').count(), 2);
        assert!(both.starts_with(&alone));
    }
}
