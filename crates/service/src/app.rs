//! The service with everything it stands on.

use std::ops::Deref;
use std::sync::Arc;

use grantor_domain::delivery::Schedule;
use grantor_domain::id::IdSource;
use grantor_domain::password::PasswordPolicy;
use grantor_domain::plan::Plans;
use grantor_domain::{Clock, Entropy, Timestamp};
use grantor_storage::Store;
use grantor_storage::object::Objects;
use tokio::sync::{Notify, watch};

use crate::access::Access;
use crate::billing::processor::Processor;
use crate::hasher::Hasher;
use crate::health::Health;
use crate::image::Images;
use crate::keys::Keys;
use crate::likeness::Likenesses;
use crate::limit::Limiter;
use crate::mail::Mailer;
use crate::names::Names;
use crate::outbound::Outbound;
use crate::quota::Quotas;
use crate::refusal::Refusals;
use crate::session::guard::Warnings;
use crate::visit::Visits;
use crate::wake::Wakes;

/// The service. Cheap to clone: every surface and worker holds one.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What the service is put together from.
pub struct Parts {
    /// The database.
    pub store: Store,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Ids.
    pub ids: IdSource,
    /// The key ring.
    pub keys: Arc<Keys>,
    /// Who has come in, and still may.
    pub access: Access,
    /// Passwords.
    pub hasher: Hasher,
    /// Which new passwords are taken.
    pub password_policy: PasswordPolicy,
    /// Rate limits.
    pub limiter: Limiter,
    /// Mail.
    pub mailer: Mailer,
    /// Where the bytes of pictures are kept.
    pub objects: Objects,
    /// Makes pictures ready to be kept.
    pub images: Images,
    /// Every reference image by what it looks like.
    pub likenesses: Likenesses,
    /// Requests that leave the house.
    pub outbound: Outbound,
    /// Everybody's names.
    pub names: Names,
    /// Who takes payments.
    pub processor: Arc<dyn Processor>,
    /// What each plan costs and allows.
    pub plans: Plans,
    /// What this node holds of each tenant's month.
    pub quotas: Quotas,
    /// What is known of this node's health.
    pub health: Health,
    /// When this node started: on a database of its own, whatever was begun before has ended.
    pub started: Timestamp,
    /// When a delivery that failed is tried again.
    pub schedule: Schedule,
    /// What was looked at and is not in the log yet.
    pub visits: Visits,
    /// Ways in that were refused and are not in the log yet.
    pub refusals: Refusals,
    /// Who is to hear that somebody tries to sign in as them.
    pub warnings: Warnings,
    /// The origin callers reach us at, without a trailing slash; also the tokens' issuer.
    pub public_url: String,
    /// The name under `/.well-known/`.
    pub service_name: String,
    /// Wakes whoever waits on this node for what a change brings.
    pub wakes: Wakes,
    /// Wakes whoever waits for the answer to another request with their idempotency key.
    pub answered: Notify,
    /// Becomes true when this node is about to end: nobody shall wait any longer.
    pub stopping: watch::Sender<bool>,
}

impl App {
    /// Puts the service together.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("App")
    }
}
