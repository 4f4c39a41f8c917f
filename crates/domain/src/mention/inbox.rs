//! What is asked of the mentions over all licenses that somebody sees.

use super::{MentionStatus, Verdict};
use crate::id::LicenseId;
use crate::page::Page;

/// Which mentions; they come newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InboxQuery {
    /// Only this status.
    pub status: Option<MentionStatus>,
    /// Only this verdict.
    pub verdict: Option<Verdict>,
    /// Only those of this license.
    pub license: Option<LicenseId>,
    /// Which page.
    pub page: Page,
}
