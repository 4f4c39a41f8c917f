//! The log: who did what to which record, from where, and how long it took (contract section 8).

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{VariantArray, VariantNames};
use uuid::Uuid;

use crate::Timestamp;
use crate::access::Actor;
use crate::enum_names::enum_names;
use crate::growth::first_id_at;
use crate::id::{LicenseId, LogId, TenantId};
use crate::trace::TraceContext;

enum_names!(Scheme, Level, Class);

/// The API or interface an action came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Scheme {
    /// The admin API.
    Admin,
    /// The console API and the web console.
    Console,
    /// The external API.
    External,
    /// The command line and background jobs.
    System,
}

/// The severity of a log entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "UPPERCASE")]
pub enum Level {
    /// A normal event.
    Info,
    /// A refusal, or something worth checking.
    Warn,
    /// A failure.
    Error,
}

/// The retention class of a log entry, which also determines how reliably it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Class {
    /// A change or a sign-in, written in the same transaction as the change.
    Audit,
    /// A read access, or a request refused before anything changed. Written asynchronously; under
    /// heavy load some entries are dropped.
    Access,
}

impl Class {
    /// The ID of an entry of this class. IDs of the access log have the first bit set, so that each
    /// class has its own range of IDs, ordered by time.
    #[must_use]
    pub fn id(self, id: LogId) -> LogId {
        LogId::from(Uuid::from_u128(id.as_uuid().as_u128() | self.first_bit()))
    }

    /// The lowest ID that an entry of this class can have that was written at a time.
    #[must_use]
    pub fn first_id_at(self, at: Timestamp) -> Uuid {
        Uuid::from_u128(first_id_at(at).as_u128() | self.first_bit())
    }

    const fn first_bit(self) -> u128 {
        match self {
            Self::Audit => 0,
            Self::Access => 1 << 127,
        }
    }
}

/// The origin of a request. Contains no secrets: neither the query nor any header except the user
/// agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The API or interface.
    pub scheme: Scheme,
    /// The caller's IP address, as far as the proxies can be trusted.
    pub address: Option<IpAddr>,
    /// The caller's user agent, truncated.
    pub user_agent: Option<String>,
    /// The request ID.
    pub request_id: Option<String>,
    /// When the request began, on the monotonic clock.
    pub started: Duration,
    /// The trace that it belongs to, if it has one. Not part of the log.
    pub trace: Option<TraceContext>,
}

/// The record an action applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The type of the record.
    pub kind: &'static str,
    /// The record's ID.
    pub id: Option<String>,
    /// The record's name at that time.
    pub name: Option<String>,
}

/// A log entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The unique ID.
    pub id: LogId,
    /// The tenant whose log contains the entry; none for entries of staff and the system.
    pub tenant: Option<TenantId>,
    /// When it happened.
    pub at: Timestamp,
    /// The retention class.
    pub class: Class,
    /// The severity.
    pub level: Level,
    /// `resource.verb`, such as `team.create`.
    pub action: Cow<'static, str>,
    /// A human-readable message.
    pub message: String,
    /// Who did it.
    pub actor: Actor,
    /// The record it applies to.
    pub resource: Resource,
    /// The license concerned, including for its images and permissions.
    pub license: Option<LicenseId>,
    /// Where the request came from.
    pub origin: Origin,
    /// The time from the start of the request until the entry was written.
    pub duration: Duration,
    /// Additional details; never contains a secret.
    pub details: Value,
}
