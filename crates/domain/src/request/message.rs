//! Messages between the parties of a request.

use crate::Timestamp;
use crate::grant::Party;
use crate::id::{MessageId, RequestId, UserId};
use crate::text::TextRule;

/// The rule for messages.
pub const MESSAGE: TextRule = TextRule::paragraphs(1, 5_000);

/// A message about a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The unique ID.
    pub id: MessageId,
    /// The request.
    pub request: RequestId,
    /// The side that wrote it.
    pub party: Party,
    /// The user who wrote it.
    pub user: UserId,
    /// The name of that user.
    pub author: String,
    /// The text.
    pub message: String,
    /// When it was written.
    pub created_at: Timestamp,
}
