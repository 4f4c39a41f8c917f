//! Tests of the storage crate, on both engines.

mod backup;
mod backup_object;
mod catalog_address;
mod database_tls;
mod decision_migration;
mod durability;
mod event;
mod failover;
mod idempotency;
mod log;
mod log_index;
mod log_partition;
mod mail;
mod mention_merge;
mod migrations;
mod node;
mod object;
mod object_database;
mod outage;
mod overview;
mod people;
mod plans;
mod pooler;
mod portability;
mod queue;
mod record_index;
mod replica;
mod rolling;
mod schema;
mod source_migration;
mod source_run_migration;
mod statements;
mod units;

use grantor_domain::Timestamp;
use grantor_storage::{Result, Store, meta};
use grantor_testkit::clock::MockClock;
use uuid::Uuid;

const NOW: Timestamp = MockClock::START;

/// The id with this number.
fn id<T: From<Uuid>>(number: u128) -> T {
    T::from(Uuid::from_u128(number))
}

/// The smallest possible write: one row under a name.
async fn put(store: &Store, name: impl Into<String>) -> Result<()> {
    let name = name.into();
    store.write(move |tx| meta::put(tx, &name, "there")).await
}

async fn is_there(store: &Store, name: impl Into<String>) -> Result<bool> {
    let name = name.into();
    store.read(move |tx| Ok(meta::find(tx, &name)?.is_some())).await
}
