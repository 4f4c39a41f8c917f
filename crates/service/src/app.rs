//! The application with all its dependencies.

use std::ops::Deref;
use std::sync::Arc;

use grantor_domain::delivery::Schedule;
use grantor_domain::id::IdGenerator;
use grantor_domain::password::PasswordPolicy;
use grantor_domain::plan::Plans;
use grantor_domain::{Clock, Entropy, Timestamp};
use grantor_storage::Store;
use grantor_storage::object::Objects;
use tokio::sync::{Notify, watch};

use crate::billing::processor::Processor;
use crate::billing::quota::Quotas;
use crate::identity::access::Access;
use crate::identity::hasher::Hasher;
use crate::identity::session::guard::Warnings;
use crate::licensing::receipt::{CertificateFonts, StatusLists};
use crate::log::read_access::ReadAccessLog;
use crate::log::refusal::Refusals;
use crate::mail::Mailer;
use crate::operations::health::Health;
use crate::operations::latency::Latencies;
use crate::operations::limit::Limiter;
use crate::operations::node::Nodes;
use crate::operations::trace::Tracer;
use crate::operations::wakeup::Wakeups;
use crate::watching::likeness::Likenesses;
use crate::watching::source::Looks;
use crate::watching::talent_names::TalentNames;
use crate::watching::{HostedApis, RecognitionLimits};
use grantor_keys::Keys;
use grantor_media::Images;
use grantor_outbound::Outbound;

/// The application. Cheap to clone; every API, page and worker has one.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of the application.
pub struct Parts {
    /// The database.
    pub store: Store,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The source of ids.
    pub ids: IdGenerator,
    /// The key ring.
    pub keys: Arc<Keys>,
    /// The cache of access tokens.
    pub access: Access,
    /// The password hasher.
    pub hasher: Hasher,
    /// The rules for new passwords.
    pub password_policy: PasswordPolicy,
    /// The rate limiter.
    pub limiter: Limiter,
    /// The mail queue.
    pub mailer: Mailer,
    /// The object store, which holds images and thumbnails.
    pub objects: Objects,
    /// Decodes and prepares uploaded images.
    pub images: Images,
    /// Finds reference images, by what there is memory for.
    pub likenesses: Likenesses,
    /// How long callers wait for recognition.
    pub recognition_limits: RecognitionLimits,
    /// The client for outbound HTTP requests.
    pub outbound: Outbound,
    /// The official APIs of hosted services that the operator has a key for.
    pub hosted_apis: HostedApis,
    /// The addresses that this node looked at a short while ago.
    pub looks: Looks,
    /// Finds names and aliases of talents in texts.
    pub names: TalentNames,
    /// The payment processor.
    pub processor: Arc<dyn Processor>,
    /// The prices and limits of the plans.
    pub plans: Plans,
    /// This node's share of each tenant's monthly quota.
    pub quotas: Quotas,
    /// This node's health.
    pub health: Health,
    /// How long this node's requests took.
    pub latencies: Latencies,
    /// Records the spans of sampled traces.
    pub tracer: Tracer,
    /// This node, and what it knows of the others.
    pub nodes: Nodes,
    /// When this node started.
    pub started: Timestamp,
    /// The retry schedule of failed deliveries.
    pub schedule: Schedule,
    /// Read accesses that aren't in the log yet.
    pub read_accesses: ReadAccessLog,
    /// Failed authentications that aren't in the log yet.
    pub refusals: Refusals,
    /// Users to warn about failed sign-ins to their accounts.
    pub warnings: Warnings,
    /// The public origin without a trailing slash; also the tokens' issuer.
    pub public_url: String,
    /// The service name used under `/.well-known/`.
    pub service_name: String,
    /// Wakes workers and long polls on this node after a change.
    pub wakeups: Wakeups,
    /// Wakes requests that wait for the response to an earlier one with the same idempotency key.
    pub answered: Notify,
    /// The status lists of receipts.
    pub status_lists: StatusLists,
    /// Fonts for characters that the built-in font of certificates lacks.
    pub certificate_fonts: CertificateFonts,
    /// Becomes true when this node shuts down; long polls end then.
    pub stopping: watch::Sender<bool>,
}

impl App {
    /// Creates the application from its parts.
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
