//! Settings and shared state of the APIs.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::idempotency::RENEW_INTERVAL;
use grantor_service::App;
use ipnet::IpNet;

use super::upload::UploadBudget;
use crate::document::Documents;
use crate::external::RenderCache;

/// Request-handling settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Whether plain HTTP is rejected. Set if a proxy terminates TLS and the listener is not on
    /// loopback.
    pub require_https: bool,
    /// The handler timeout.
    pub handler_time: Duration,
    /// The extra time for a handler whose change is already stored.
    pub answer_time: Duration,
    /// How long a request waits for another request with the same idempotency key.
    pub replay_wait: Duration,
    /// How often a long-running request renews the claim on its idempotency key.
    pub renew_claim: Duration,
    /// The timeout for receiving a request body.
    pub body_time: Duration,
    /// The memory budget of all concurrent image uploads, in bytes.
    pub upload_memory: usize,
    /// How long an upload waits for free memory.
    pub upload_wait: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            trusted_proxies: vec![],
            require_https: false,
            handler_time: Duration::from_secs(30),
            answer_time: Duration::from_secs(10),
            replay_wait: Duration::from_secs(10),
            renew_claim: RENEW_INTERVAL,
            body_time: Duration::from_secs(15),
            upload_memory: 256 * 1024 * 1024,
            upload_wait: Duration::from_secs(2),
        }
    }
}

/// The state shared by handlers and middleware.
#[derive(Clone, Debug)]
pub struct ApiState(Arc<Shared>);

/// See [`ApiState`].
#[derive(Debug)]
pub struct Shared {
    /// The service.
    pub app: App,
    /// The request-handling settings.
    pub settings: Settings,
    /// Cached documents.
    pub(crate) documents: Documents,
    /// The render cache for licenses.
    pub(crate) render_cache: RenderCache,
    /// The memory budget for image uploads.
    pub(crate) uploads: UploadBudget,
}

impl ApiState {
    /// Creates the state of one server.
    #[must_use]
    pub fn new(app: App, settings: Settings) -> Self {
        let uploads = UploadBudget::new(settings.upload_memory, settings.upload_wait);
        let (documents, render_cache) = (Documents::default(), RenderCache::default());
        Self(Arc::new(Shared { app, settings, documents, render_cache, uploads }))
    }
}

impl Deref for ApiState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
