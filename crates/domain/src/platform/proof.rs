//! Domain verification: the proofs an organization can publish.

use strum::{VariantArray, VariantNames};

use super::PlatformDomain;
use crate::entropy::Entropy;
use crate::enum_names::enum_names;
use crate::hex;
use crate::network::Host;

enum_names!(VerificationMethod);

/// How a domain can be verified; one method is enough. They are tried in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub enum VerificationMethod {
    /// A DNS TXT record.
    Dns,
    /// A meta tag on the home page.
    MetaTag,
    /// A file on the domain.
    File,
}

/// A verification token. It is not secret: being able to publish it on the domain is the proof.
/// Each claim has its own token, so that one organization's proof is not valid for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofToken(String);

impl ProofToken {
    const BYTES: usize = 16;

    /// Generates a token.
    #[must_use]
    pub fn generate(entropy: &dyn Entropy) -> Self {
        Self(hex::encode(&entropy.bytes::<{ Self::BYTES }>()))
    }

    /// Parses a stored token. Shorter text is refused: an empty page must not prove anything.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fits = hex::decode(text).is_some_and(|it| it.len() == Self::BYTES);
        fits.then(|| Self(text.to_owned()))
    }

    /// The text expected on the domain.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A TXT record in the domain's zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DnsRecord {
    /// The name of the record.
    pub name: String,
    /// The value of the record.
    pub value: String,
}

/// A meta tag in the head of the home page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetaTag {
    /// The name of the tag.
    pub name: String,
    /// The content of the tag.
    pub content: String,
}

/// A file on the domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofFile {
    /// The path of the file.
    pub path: String,
    /// The content of the file.
    pub content: String,
}

/// The proofs an organization can publish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// A TXT record; not available for IP addresses.
    pub dns: Option<DnsRecord>,
    /// A meta tag.
    pub meta_tag: MetaTag,
    /// A file.
    pub file: ProofFile,
}

impl Proof {
    /// The proofs for a domain and token. `service` is part of the names.
    #[must_use]
    pub fn of(service: &str, domain: &PlatformDomain, token: &ProofToken) -> Self {
        let token = || token.as_str().to_owned();
        let dns = match domain.host() {
            Host::Name(host) => {
                Some(DnsRecord { name: format!("_{service}-challenge.{host}"), value: token() })
            }
            Host::Address(_) => None,
        };
        Self {
            dns,
            meta_tag: MetaTag { name: format!("{service}-verification"), content: token() },
            file: ProofFile {
                path: format!("/.well-known/{service}-verification.txt"),
                content: token(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sevens;

    impl Entropy for Sevens {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(7);
        }
    }

    #[test]
    fn a_proof_says_what_to_put_where() {
        let token = ProofToken::generate(&Sevens);
        let domain = PlatformDomain::parse("shop.example:8443").unwrap();
        let proof = Proof::of("grantor", &domain, &token);
        let value = "07".repeat(16);
        let name = "_grantor-challenge.shop.example".to_owned();
        assert_eq!(proof.dns, Some(DnsRecord { name, value: value.clone() }));
        let name = "grantor-verification".to_owned();
        assert_eq!(proof.meta_tag, MetaTag { name, content: value.clone() });
        let path = "/.well-known/grantor-verification.txt".to_owned();
        assert_eq!(proof.file, ProofFile { path, content: value });
        let address = PlatformDomain::parse("127.0.0.1:80").unwrap();
        assert_eq!(Proof::of("grantor", &address, &token).dns, None);
    }

    #[test]
    fn only_a_whole_token_is_one() {
        let token = ProofToken::generate(&Sevens);
        assert_eq!(ProofToken::parse(token.as_str()), Some(token));
        for bad in ["", "07", &"7".repeat(31), &"g".repeat(32), &"A".repeat(32), &"0".repeat(34)] {
            assert_eq!(ProofToken::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn methods_have_one_name() {
        for method in VerificationMethod::ALL {
            assert_eq!(method.name().parse(), Ok(method));
        }
        let error = "txt".parse::<VerificationMethod>().unwrap_err();
        assert_eq!(error, "must be one of dns, metaTag, file");
    }
}
