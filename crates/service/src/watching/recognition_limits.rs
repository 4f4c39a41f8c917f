//! How long callers wait for recognition.

use std::time::Duration;

/// How long callers wait for recognition. Tests wait longer, because machines may be busy with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecognitionLimits {
    /// A whole check, without fetching (contract-2 section 24).
    pub check: Duration,
    /// The turn of a picture that is checked.
    pub turn: Duration,
    /// The search for images that look like those of an upload.
    pub hints: Duration,
}

impl Default for RecognitionLimits {
    fn default() -> Self {
        let [check, turn, hints] = [2, 1, 3].map(Duration::from_secs);
        Self { check, turn, hints }
    }
}
