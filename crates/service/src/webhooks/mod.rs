//! Notifying tenants about changes: events, feeds, webhooks and deliveries.

pub mod delivery;
pub(crate) mod event;
pub mod feed;
pub mod webhook;
