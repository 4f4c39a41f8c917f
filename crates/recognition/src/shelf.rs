//! Where the parts of an index lie that exceed its memory. The caller decides: a file, for example.

use std::fmt::Debug;

/// Takes what does not fit into memory.
pub trait Shelf: Debug + Send + Sync {
    /// Stores bytes until the returned handle is dropped.
    fn store(&self, bytes: &[u8]) -> Result<Box<dyn Stored>, ShelfError>;
}

/// Bytes on a shelf.
pub trait Stored: Debug + Send + Sync {
    /// Reads bytes from an offset, as many as there is room for.
    fn read(&self, offset: u64, into: &mut [u8]) -> Result<(), ShelfError>;
}

/// What was stored could not be stored or read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShelfError(pub String);

impl std::fmt::Display for ShelfError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a part of the image index is not available: {}", self.0)
    }
}

impl std::error::Error for ShelfError {}
