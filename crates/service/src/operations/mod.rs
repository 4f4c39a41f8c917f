//! Running the server: staff, limits, idempotency, health, retention, backups and the object store.

pub mod admin;
pub mod backup;
pub mod batch;
pub mod chore;
pub mod csv_file;
pub mod growth;
pub mod health;
pub mod idempotency;
pub mod key_ring;
pub mod latency;
pub mod limit;
mod log_retention;
pub mod node;
pub mod object_check;
pub mod object_folder;
pub mod object_move;
pub mod object_sweep;
pub mod object_url;
pub mod overview;
pub mod people;
pub mod queue;
pub mod record_index;
pub mod retention;
pub mod staff;
pub mod staff_view;
pub mod trace;
pub mod wakeup;
