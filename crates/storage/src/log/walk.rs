//! Reads entries in time order, from the newest to the oldest.

use std::ops::Range;
use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::audit::{Class, Level, Scheme};
use grantor_domain::id::TenantId;
use grantor_domain::log::LogFilter;
use uuid::Uuid;

use super::{LogRecord, LogScope, Position, read};
use crate::statement::sql_choice;
use crate::value::{Param as _, Value};
use crate::{Result, Tx};

/// Which entries are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum WalkScope {
    /// A tenant's entries that are not indexed yet.
    FreshOfTenant(TenantId),
    /// A scheme's entries that are not indexed yet.
    FreshOfScheme(Scheme),
    /// All entries of a tenant.
    Whole(TenantId),
}

impl WalkScope {
    /// The entries of a scope that are not indexed yet.
    pub(super) fn unindexed(scope: LogScope) -> Self {
        match scope {
            LogScope::Own(tenant) | LogScope::Tenant(tenant, _) => Self::FreshOfTenant(tenant),
            LogScope::Scheme(scheme) => Self::FreshOfScheme(scheme),
        }
    }

    fn statement(self) -> (usize, Value<'static>) {
        match self {
            Self::FreshOfTenant(tenant) => (0, Value::Uuid(tenant.as_uuid())),
            Self::FreshOfScheme(scheme) => (1, Value::Text(scheme.name())),
            Self::Whole(tenant) => (2, Value::Uuid(tenant.as_uuid())),
        }
    }
}

/// Reads the next `at_most` entries with the filter's level, class and action in a time range after a
/// position, or the newest ones.
pub(super) fn next(
    tx: &mut Tx<'_>,
    scope: WalkScope,
    (filter, times): (&LogFilter, &Range<Timestamp>),
    position: Option<Position>,
    at_most: u32,
) -> Result<Vec<LogRecord>> {
    let (number, key) = scope.statement();
    // The index finds the position's timestamp; entries already read at that time are filtered out.
    let to = position.map_or(times.end, |(at, _)| times.end.min(at.plus(Duration::from_micros(1))));
    let (at, id) = position.map_or((to, Uuid::max()), |(at, id)| (at, id.as_uuid()));
    let [from, to, at, id, most] =
        [times.start.value(), to.value(), at.value(), id.value(), at_most.value()];
    let (level, class) = (filter.level.map(Level::name), filter.class.map(Class::name));
    let [level, class, action] = [level.value(), class.value(), filter.action.value()];
    // With CASE, so that no engine scans all of the tenant's entries for those without a number.
    tx.query(
        sql_choice!(
            number,
            "SELECT log_id, tenant_id, created_at, class, scheme, level, action, message,
               actor_kind, actor_id, actor_name, resource_type, resource_id, resource_name,
               address, user_agent, duration_micros, request_id, details
             FROM log_entries WHERE ",
            [
                "number IS NULL AND CASE WHEN tenant_id = $1 THEN 1 ELSE 0 END = 1",
                "number IS NULL AND scheme = $1",
                "tenant_id = $1",
            ],
            " AND created_at >= $2 AND created_at < $3 AND (created_at < $4 OR log_id < $5)
               AND (CAST($7 AS text) IS NULL OR level = $7)
               AND (CAST($8 AS text) IS NULL OR class = $8)
               AND (CAST($9 AS text) IS NULL OR action = $9)
             ORDER BY created_at DESC, log_id DESC LIMIT $6"
        ),
        &[key, from, to, at, id, most, level, class, action],
        read,
    )
}
