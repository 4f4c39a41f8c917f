//! The application service: every change and query behind the APIs, the console and the CLI. Each
//! change runs in one unit of work that authorizes, stores, logs and emits events; see [`act`].

pub mod act;
mod app;
pub mod billing;
pub mod context;
pub mod identity;
pub mod licensing;
pub mod log;
pub mod mail;
pub mod notices;
pub mod operations;
pub mod organizations;
pub mod undo;
pub mod watching;
pub mod webhooks;

pub use app::{App, Parts};
pub use context::Context;
