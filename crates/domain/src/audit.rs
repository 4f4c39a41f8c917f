//! The log: who did what to which record, from where, and how long it took (contract section 8).

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Timestamp;
use crate::access::Actor;
use crate::id::{LicenseId, LogId, TenantId};
use crate::named::named;

named!(Scheme, Level, Class);

/// Which surface an entry came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    /// The external API.
    External,
    /// The console API and the web console.
    Console,
    /// The admin API.
    Admin,
    /// The command line and the timetable.
    System,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Admin, Self::Console, Self::External, Self::System];

    /// Its name in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::External => "external",
            Self::Console => "console",
            Self::Admin => "admin",
            Self::System => "system",
        }
    }
}

/// How grave an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// As it should be.
    Info,
    /// Refused, or worth a look.
    Warn,
    /// A fault.
    Error,
}

impl Level {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Info, Self::Warn, Self::Error];

    /// Its name in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "INFO",
            Self::Warn => "WARN",
            Self::Error => "ERROR",
        }
    }
}

/// How long an entry is kept, and how surely it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A change or a way in, written with what it tells of.
    Audit,
    /// Something was looked at, or a way in was refused before anything changed. Written a moment
    /// later, and of very many not all.
    Access,
}

impl Class {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Audit, Self::Access];

    /// Its name in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Audit => "audit",
            Self::Access => "access",
        }
    }
}

/// Where a request came from. Holds nothing secret: no query, no headers but the agent's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The surface.
    pub scheme: Scheme,
    /// The caller's address, as far as the proxies can be trusted.
    pub address: Option<IpAddr>,
    /// What the caller calls itself, cut to a sane length.
    pub user_agent: Option<String>,
    /// The request's id.
    pub request_id: Option<String>,
    /// When the request began, on the monotonic clock.
    pub started: Duration,
}

/// The record an action touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its noun.
    pub kind: &'static str,
    /// Its id.
    pub id: Option<String>,
    /// Its name at that time.
    pub name: Option<String>,
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its id.
    pub id: LogId,
    /// Whose log it is in; staff's and the system's entries have none.
    pub tenant: Option<TenantId>,
    /// When.
    pub at: Timestamp,
    /// How long it is kept.
    pub class: Class,
    /// How grave.
    pub level: Level,
    /// `resource.verb`, such as `team.create`.
    pub action: Cow<'static, str>,
    /// A sentence for people.
    pub message: String,
    /// Who.
    pub actor: Actor,
    /// What.
    pub resource: Resource,
    /// The license it is about, be it of its images or of a right on it.
    pub license: Option<LicenseId>,
    /// From where.
    pub origin: Origin,
    /// How long it took until it was written.
    pub duration: Duration,
    /// More, never a secret.
    pub details: Value,
}
