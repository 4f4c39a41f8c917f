//! Who acts. What an actor may do is decided where the record is: beside its rules.

use uuid::Uuid;

use crate::id::{AdminId, ClientId, TenantId, UserId};

/// Whoever asks for something to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// Nobody we know.
    Anonymous,
    /// A person in the console.
    User {
        /// The account.
        id: UserId,
        /// The organization or personal tenant they act in.
        tenant: TenantId,
        /// The name shown in logs.
        name: String,
    },
    /// An API client, which acts as the user who made it.
    Client {
        /// The client's record.
        id: ClientId,
        /// The user it acts as.
        user: UserId,
        /// The tenant it acts in.
        tenant: TenantId,
        /// The name shown in logs.
        name: String,
    },
    /// A member of the operator's staff.
    Admin {
        /// The account.
        id: AdminId,
        /// The name shown in logs.
        name: String,
    },
    /// Whoever can run commands on the machine.
    Operator,
    /// The program itself, by its timetable.
    System,
}

impl Actor {
    /// The kind as the log names it.
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

    /// The id as the log keeps it.
    #[must_use]
    pub fn id(&self) -> Option<Uuid> {
        match self {
            Self::User { id, .. } => Some(id.as_uuid()),
            Self::Client { id, .. } => Some(id.as_uuid()),
            Self::Admin { id, .. } => Some(id.as_uuid()),
            Self::Anonymous | Self::Operator | Self::System => None,
        }
    }

    /// The name as the log shows it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::User { name, .. } | Self::Client { name, .. } | Self::Admin { name, .. } => name,
            Self::Anonymous | Self::Operator | Self::System => self.kind(),
        }
    }

    /// The tenant whose log this goes to, where there is one.
    #[must_use]
    pub fn tenant(&self) -> Option<TenantId> {
        match self {
            Self::User { tenant, .. } | Self::Client { tenant, .. } => Some(*tenant),
            Self::Anonymous | Self::Admin { .. } | Self::Operator | Self::System => None,
        }
    }
}
