//! Token Status List (draft-ietf-oauth-status-list-21): one bit per receipt, set when it is
//! revoked.

mod token;

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::base64url;

pub use token::{HeldStatusList, TTL, sign, verify};

/// The revocations of up to [`StatusList::ENTRIES`] receipts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusList {
    bytes: Vec<u8>,
}

/// The list has no such entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the status list has no entry {0}")]
pub struct OutOfRange(pub u32);

/// Why a status list is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidStatusList {
    /// It is not a token of a status list.
    #[error("not a status list")]
    Form,
    /// No trusted key signed it.
    #[error("the status list is not signed by a trusted key")]
    Signature,
    /// Its bits are not encoded as the specification says, or are too many.
    #[error("the bits of the status list are malformed")]
    Encoding,
}

impl Default for StatusList {
    fn default() -> Self {
        Self { bytes: vec![0; Self::BYTES] }
    }
}

impl StatusList {
    /// The number of entries of a list.
    pub const ENTRIES: u32 = 131_072;
    const BYTES: usize = Self::ENTRIES as usize / 8;

    /// Restores a list from its bytes, lowest bit first.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, InvalidStatusList> {
        if bytes.len() > Self::BYTES {
            return Err(InvalidStatusList::Encoding);
        }
        Ok(Self { bytes })
    }

    /// The bits, lowest first.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the receipt with this entry is revoked.
    pub fn is_revoked(&self, idx: u32) -> Result<bool, OutOfRange> {
        let byte = self.bytes.get(idx as usize / 8).ok_or(OutOfRange(idx))?;
        Ok(byte >> (idx % 8) & 1 == 1)
    }

    /// Revokes the receipt with this entry, for good.
    pub fn revoke(&mut self, idx: u32) -> Result<(), OutOfRange> {
        let byte = self.bytes.get_mut(idx as usize / 8).ok_or(OutOfRange(idx))?;
        *byte |= 1 << (idx % 8);
        Ok(())
    }

    /// Compresses the bits with zlib and encodes them as base64url.
    #[must_use]
    pub fn encode(&self) -> String {
        // The specification recommends the highest level. Writing to memory cannot fail.
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        let written = encoder.write_all(&self.bytes).and_then(|()| encoder.finish());
        base64url::encode(written.unwrap_or_default())
    }

    /// Reads encoded bits. Never decompresses more than a list holds.
    pub fn decode(text: &str) -> Result<Self, InvalidStatusList> {
        let compressed = base64url::decode(text).ok_or(InvalidStatusList::Encoding)?;
        let mut decoder = ZlibDecoder::new(&*compressed);
        let mut bytes = Vec::new();
        let limit = Self::BYTES as u64 + 1;
        let read = decoder.by_ref().take(limit).read_to_end(&mut bytes);
        if read.is_err() || bytes.len() > Self::BYTES {
            return Err(InvalidStatusList::Encoding);
        }
        // Nothing may follow the compressed data.
        if decoder.total_in() != compressed.len() as u64 {
            return Err(InvalidStatusList::Encoding);
        }
        Ok(Self { bytes })
    }
}
