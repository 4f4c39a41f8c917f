//! Walking through entries one by one, from the newest to the oldest.

use std::ops::Range;
use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::audit::Scheme;
use grantor_domain::id::TenantId;
use uuid::Uuid;

use super::{LogRecord, Place, Whose, read};
use crate::statement::sql_choice;
use crate::value::{Param as _, Value};
use crate::{Result, Tx};

/// Which entries are walked through.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// A tenant's that have no number yet.
    FreshOfTenant(TenantId),
    /// A scheme's that have no number yet.
    FreshOfScheme(Scheme),
    /// All of a tenant's.
    Whole(TenantId),
}

impl Way {
    /// To those without a number.
    pub(super) fn to_fresh(whose: Whose) -> Self {
        match whose {
            Whose::Own(tenant) | Whose::Tenant(tenant, _) => Self::FreshOfTenant(tenant),
            Whose::Scheme(scheme) => Self::FreshOfScheme(scheme),
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

/// The next so many entries of a time after a place, from the newest where there is none.
pub(super) fn next(
    tx: &mut Tx<'_>,
    way: Way,
    times: &Range<Timestamp>,
    place: Option<Place>,
    at_most: u32,
) -> Result<Vec<LogRecord>> {
    let (number, whose) = way.statement();
    // The index leads to the place's own instant; what was given of it is left out.
    let to = place.map_or(times.end, |(at, _)| times.end.min(at.plus(Duration::from_micros(1))));
    let (at, id) = place.map_or((to, Uuid::max()), |(at, id)| (at, id.as_uuid()));
    let [from, to, at, id, most] =
        [times.start.value(), to.value(), at.value(), id.value(), at_most.value()];
    // By CASE, lest an engine walks through all that the tenant has for those without a number.
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
             ORDER BY created_at DESC, log_id DESC LIMIT $6"
        ),
        &[whose, from, to, at, id, most],
        read,
    )
}
