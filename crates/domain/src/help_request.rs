//! Requests for help: what people of an organization ask staff, and what staff answer by email.

use crate::Timestamp;
use crate::id::{AdminId, HelpRequestId, TenantId, UserId};
use crate::text::TextRule;

/// The rule for the message.
pub const MESSAGE: TextRule = TextRule::paragraphs(10, 2_000);

/// The rule for the answer.
pub const ANSWER: TextRule = TextRule::paragraphs(1, 5_000);

/// How many requests of an organization can wait for an answer.
pub const MAX_OPEN: u32 = 10;

/// A request for help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelpRequest {
    /// The request's ID.
    pub id: HelpRequestId,
    /// The organization.
    pub tenant: TenantId,
    /// The person who asks.
    pub user: UserId,
    /// What the person asks.
    pub message: String,
    /// When the person asked.
    pub created_at: Timestamp,
    /// The answer, if there is one.
    pub answer: Option<HelpAnswer>,
}

/// The answer to a request for help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelpAnswer {
    /// The text, which was mailed to the person.
    pub text: String,
    /// The member of staff who answered.
    pub by: AdminId,
    /// When it was sent.
    pub at: Timestamp,
}
