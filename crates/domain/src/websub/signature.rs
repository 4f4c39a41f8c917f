//! The `X-Hub-Signature` header.

use strum::VariantArray;

use crate::enum_names::enum_variants;
use crate::hex;

enum_variants!(SignatureMethod);

/// The hash function of a signature. All are HMACs with the subscription's secret as the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum SignatureMethod {
    /// SHA-1, which most hubs use. As an HMAC it is not broken.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

impl SignatureMethod {
    /// The name in the header.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
            Self::Sha384 => "sha384",
            Self::Sha512 => "sha512",
        }
    }

    /// The length of a signature in bytes.
    #[must_use]
    pub const fn length(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }
}

/// A signature as a hub sent it, not verified yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubSignature {
    /// The method that the hub states.
    pub method: SignatureMethod,
    /// The HMAC of the body.
    pub tag: Vec<u8>,
}

impl HubSignature {
    /// Parses `method=signature`, where the signature is hexadecimal. Returns `None` for an unknown
    /// method and for a signature of the wrong length.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (method, tag) = text.trim().split_once('=')?;
        let is_method = |it: &SignatureMethod| it.name().eq_ignore_ascii_case(method);
        let method = SignatureMethod::ALL.into_iter().find(is_method)?;
        let tag = hex::decode(&tag.to_ascii_lowercase())?;
        (tag.len() == method.length()).then_some(Self { method, tag })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_read() {
        for method in SignatureMethod::ALL {
            let tag = vec![0xAB; method.length()];
            let expected = Some(HubSignature { method, tag: tag.clone() });
            let text = format!("{}={}", method.name(), hex::encode(&tag));
            assert_eq!(HubSignature::parse(&text), expected);
            assert_eq!(HubSignature::parse(&text.to_ascii_uppercase()), expected);
            assert_eq!(HubSignature::parse(&text[..text.len() - 2]), None, "a byte less");
            assert_eq!(HubSignature::parse(&format!("{text}00")), None, "a byte more");
        }
    }

    #[test]
    fn other_texts_are_no_signature() {
        let tag = hex::encode(&[1; 20]);
        let bad = ["", "sha1", "sha1=", &tag, &format!("md5={tag}"), &format!("sha1:{tag}")];
        assert_eq!(bad.map(HubSignature::parse), [const { None }; 6]);
    }
}
