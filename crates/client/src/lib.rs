//! A client of the external API of Grantor: licenses, grants, checks, events and webhooks.
//!
//! The client exchanges an API key and secret for tokens, renews them before they expire, and
//! retries what failed for a moment. `grantor` itself uses it for its commands.
//!
//! ```no_run
//! # async fn example() -> grantor_client::Result<()> {
//! use grantor_client::{Client, Credentials, LicenseFilter};
//!
//! let credentials = Credentials::new("gk_live_…", "gs_live_…");
//! let client = Client::new("https://grantor.example.com", credentials)?;
//! let mut licenses = client.licenses(&LicenseFilter::default());
//! while let Some(license) = licenses.next().await? {
//!     println!("{} {}", license.id, license.title);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Records have the names of the API. IDs, times (RFC 3339, UTC) and names such as statuses are
//! text, and members that this version does not know are kept in `other`.

mod check;
mod client;
mod connection;
mod credentials;
mod error;
mod event;
mod grant;
mod license;
mod page;
mod record;
mod retry;
mod system;
pub mod transport;
mod webhook;
pub mod webhook_signature;

#[cfg(test)]
mod testing;

pub use check::{CheckInput, CheckMatch, CheckResult, Decision, DecisionReason, SkippedPicture};
pub use client::Client;
pub use credentials::{Credentials, Tokens};
pub use error::{Error, Refusal, Result};
pub use event::{Event, EventPage, Feed};
pub use grant::{Grant, GrantFilter, Terms};
pub use license::{License, LicenseFilter, Talent};
pub use page::Pages;
pub use record::{Fee, Named, Party, Versioned};
pub use retry::Retry;
pub use webhook::{Webhook, WebhookTest};
