//! Actors. What an actor may do is decided next to the rules of each record.

use uuid::Uuid;

use crate::id::{AdminId, ClientId, TenantId, UserId};

/// Who performs an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// An unauthenticated caller.
    Anonymous,
    /// A user signed in to the console.
    User {
        /// The user's ID.
        id: UserId,
        /// The tenant the user acts in.
        tenant: TenantId,
        /// The name shown in logs.
        name: String,
    },
    /// An API client, which acts as the user who created it.
    Client {
        /// The client's ID.
        id: ClientId,
        /// The user the client acts as.
        user: UserId,
        /// The tenant the client acts in.
        tenant: TenantId,
        /// The name shown in logs.
        name: String,
    },
    /// A member of the operator's staff.
    Admin {
        /// The staff account's ID.
        id: AdminId,
        /// The name shown in logs.
        name: String,
    },
    /// The operator, through the command line.
    Operator,
    /// Grantor itself, through a background job.
    System,
}

impl Actor {
    /// The kind of actor as recorded in the log.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Anonymous => "anonymous",
            Self::User { .. } => "user",
            Self::Client { .. } => "client",
            Self::Admin { .. } => "admin",
            Self::Operator => "operator",
            Self::System => "system",
        }
    }

    /// The ID as recorded in the log.
    #[must_use]
    pub fn id(&self) -> Option<Uuid> {
        match self {
            Self::User { id, .. } => Some(id.as_uuid()),
            Self::Client { id, .. } => Some(id.as_uuid()),
            Self::Admin { id, .. } => Some(id.as_uuid()),
            Self::Anonymous | Self::Operator | Self::System => None,
        }
    }

    /// The name as shown in the log.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::User { name, .. } | Self::Client { name, .. } | Self::Admin { name, .. } => name,
            Self::Anonymous | Self::Operator | Self::System => self.kind(),
        }
    }

    /// The tenant whose log records the action, if any.
    #[must_use]
    pub fn tenant(&self) -> Option<TenantId> {
        match self {
            Self::User { tenant, .. } | Self::Client { tenant, .. } => Some(*tenant),
            Self::Anonymous | Self::Admin { .. } | Self::Operator | Self::System => None,
        }
    }

    /// The user who acts, if any: also by an API client.
    #[must_use]
    pub fn user(&self) -> Option<UserId> {
        match self {
            Self::User { id: user, .. } | Self::Client { user, .. } => Some(*user),
            Self::Anonymous | Self::Admin { .. } | Self::Operator | Self::System => None,
        }
    }
}
