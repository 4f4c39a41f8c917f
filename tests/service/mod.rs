//! Promises of the service floor.

mod act;
mod retention;
mod ring;
