//! What the frame is told when it is put together.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::idempotency::RENEWED;
use grantor_service::App;
use ipnet::IpNet;

use super::upload::Uploads;
use crate::document::Documents;
use crate::external::Rendered;

/// The frame's own settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Peers whose `X-Forwarded-For` and `-Proto` count.
    pub trusted_proxies: Vec<IpNet>,
    /// Whether plain HTTP is refused: TLS is not ours and the listener is not on loopback.
    pub require_https: bool,
    /// How long a handler may take.
    pub handler_time: Duration,
    /// How much longer one may take whose change is stored already.
    pub answer_time: Duration,
    /// How long a request waits for the answer to another with its idempotency key.
    pub replay_wait: Duration,
    /// How often a request that takes long renews the claim of its idempotency key.
    pub renew_claim: Duration,
    /// How long a body may take to arrive.
    pub body_time: Duration,
    /// How much memory all bodies with pictures may take together, in bytes.
    pub upload_memory: usize,
    /// How long one of them waits for room.
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
            renew_claim: RENEWED,
            body_time: Duration::from_secs(15),
            upload_memory: 256 * 1024 * 1024,
            upload_wait: Duration::from_secs(2),
        }
    }
}

/// What handlers and the frame share.
#[derive(Clone, Debug)]
pub struct ApiState(Arc<Shared>);

/// See [`ApiState`].
#[derive(Debug)]
pub struct Shared {
    /// The service.
    pub app: App,
    /// The frame's settings.
    pub settings: Settings,
    /// Documents that stay the same.
    pub(crate) documents: Documents,
    /// Licenses as they were written last.
    pub(crate) rendered: Rendered,
    /// Room for bodies with pictures.
    pub(crate) uploads: Uploads,
}

impl ApiState {
    /// A state for one server.
    #[must_use]
    pub fn new(app: App, settings: Settings) -> Self {
        let uploads = Uploads::new(settings.upload_memory, settings.upload_wait);
        let (documents, rendered) = (Documents::default(), Rendered::default());
        Self(Arc::new(Shared { app, settings, documents, rendered, uploads }))
    }
}

impl Deref for ApiState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
