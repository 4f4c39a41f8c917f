//! The query of the inbox: mentions over all licenses a user can view.

use super::{MentionStatus, Verdict};
use crate::id::LicenseId;
use crate::page::Page;

/// The filter of the inbox, which is sorted newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InboxQuery {
    /// Filter by status.
    pub status: Option<MentionStatus>,
    /// Filter by verdict.
    pub verdict: Option<Verdict>,
    /// Filter by license.
    pub license: Option<LicenseId>,
    /// The page number.
    pub page: Page,
}
