//! Running the server: staff, limits, idempotency, health, retention, backups and the object store.

pub mod admin;
pub mod backup;
pub mod chore;
pub mod health;
pub mod idempotency;
pub mod key_ring;
pub mod limit;
pub mod object_check;
pub mod object_sweep;
pub mod object_url;
pub mod retention;
pub mod staff;
pub mod wakeup;
