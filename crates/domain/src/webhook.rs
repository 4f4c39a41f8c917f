//! Webhooks: receivers of events, and signatures (contract section 6).

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::digest::Key;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use strum::{VariantArray, VariantNames};
use zeroize::Zeroizing;

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::event::EventTypes;
use crate::id::{EventId, TenantId, UserId, WebhookId};
use crate::secret::Secret;
use crate::text::{TextRule, texts};

/// How long the old secret also signs after a rotation.
pub const ROTATION_OVERLAP: Duration = Duration::from_hours(24);
/// How long a webhook may only fail before it is disabled.
pub const PATIENCE: Duration = Duration::from_hours(5 * 24);

enum_names!(WebhookStatus);
texts!(WebhookNote);

/// The status of a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum WebhookStatus {
    /// Events are sent.
    Active,
    /// Events are not sent until it is enabled again.
    Disabled,
}

/// The owner's description of a webhook; may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WebhookNote(String);

impl WebhookNote {
    /// Up to 500 characters; line breaks are allowed.
    pub const RULE: TextRule = TextRule::lines(500);

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

/// A webhook. Its secrets are stored separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The unique ID.
    pub id: WebhookId,
    /// The tenant that owns it.
    pub tenant: TenantId,
    /// The user who created it. Events this user can view are sent too, in addition to those of the
    /// tenant.
    pub user: UserId,
    /// The URL events are sent to.
    pub url: String,
    /// The description.
    pub description: WebhookNote,
    /// The event types to send.
    pub events: EventTypes,
    /// The status.
    pub status: WebhookStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// When the owner last changed it.
    pub updated_at: Timestamp,
    /// When an event was last delivered.
    pub last_success_at: Option<Timestamp>,
    /// Since when all deliveries fail.
    pub failing_since: Option<Timestamp>,
}

/// The value of the `webhook-signature` header: one signature per active secret, newest first
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

/// The key of a secret, padded to a block as HMAC does with short keys.
fn key_of(secret: &Secret) -> Zeroizing<[u8; 64]> {
    let text = secret.expose().strip_prefix(secret.kind().prefix()).unwrap_or_default();
    let mut block = Zeroizing::new([0; 64]);
    // A webhook secret is always the base64 of 32 bytes.
    let _ = BASE64_STANDARD.decode_slice(text, &mut *block);
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::SecretKind;

    /// Computed independently from the formula in the specification, whose own example uses a
    /// 24-byte key.
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
