//! Taking back that a webhook was changed or deleted.

use grantor_domain::event::{EventType, EventTypes};
use grantor_domain::id::WebhookId;
use grantor_domain::role::Right;
use grantor_domain::usage::LimitedResource;
use grantor_domain::webhook::{Webhook, WebhookNote, WebhookStatus};
use grantor_domain::{Result, Timestamp};
use grantor_storage::webhook;
use serde::{Deserialize, Serialize};

use super::change::{Update, WebhookChange};
use super::{claim_own, not_found, resource};
use crate::act::{Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::log::change::FieldChanges;
use crate::organizations::{rights, usage};
use crate::undo::{self, changed_since};

/// What takes back an act on a webhook.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum WebhookReverse {
    /// Gives it the values that it had, if nobody changed it since.
    Changed {
        /// The webhook.
        id: WebhookId,
        /// The URL.
        url: String,
        /// The description.
        description: WebhookNote,
        /// The events.
        events: EventTypes,
        /// The status.
        status: WebhookStatus,
        /// When the change was made.
        at: Timestamp,
    },
    /// Restores a deleted webhook with its deliveries. It missed the events since.
    Deleted {
        /// The webhook.
        id: WebhookId,
        /// The status.
        status: WebhookStatus,
    },
}

impl WebhookReverse {
    /// What takes back a change.
    pub(super) fn changed(before: &Webhook, after: &Webhook) -> Self {
        Self::Changed {
            id: before.id,
            url: before.url.clone(),
            description: before.description.clone(),
            events: before.events,
            status: before.status,
            at: after.updated_at,
        }
    }

    /// Takes the act back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: TenantCaller,
    ) -> Result<Done<()>> {
        match self {
            Self::Changed { id, url, description, events, status, at } => {
                if claim_own(unit, caller, id)?.updated_at != at {
                    return Err(changed_since());
                }
                let change = WebhookChange {
                    url: Some(url),
                    description: Some(description),
                    events: Some(events),
                    status: Some(status),
                };
                let act = Update { caller, id, change };
                undo::run(unit, &act, "A change of a webhook was undone")
            }
            Self::Deleted { id, status } => restore(unit, caller, id, status),
        }
    }
}

fn restore(
    unit: &mut UnitOfWork<'_, '_>,
    caller: TenantCaller,
    id: WebhookId,
    status: WebhookStatus,
) -> Result<Done<()>> {
    rights::require(unit, Right::ManageWebhooks)?;
    usage::admit(unit, caller.tenant, LimitedResource::Webhooks, 1)?;
    if !webhook::restore(unit.tx, (caller.tenant, id), status, unit.now)? {
        return Err(not_found());
    }
    let restored = webhook::find(unit.tx, caller.tenant, id)?.ok_or_else(not_found)?;
    Ok(Done::new((), resource(&restored), "A deleted webhook was restored"))
}

/// The old and new values of a webhook. A URL may contain a secret, so only its host is kept.
pub(super) fn changes(before: &Webhook, after: &Webhook) -> FieldChanges {
    let host = |webhook: &Webhook| resource(webhook).name.unwrap_or_default();
    let (old, mut new) = (host(before), host(after));
    if before.url != after.url && old == new {
        new.push_str(" (another path)");
    }
    FieldChanges::default()
        .field("url", old, new)
        .field("description", before.description.as_str(), after.description.as_str())
        .field("events", names(before.events), names(after.events))
        .field("status", before.status.name(), after.status.name())
}

fn names(events: EventTypes) -> String {
    if events == EventTypes::ALL {
        return "all".to_owned();
    }
    events.iter().map(EventType::name).collect::<Vec<_>>().join(", ")
}
