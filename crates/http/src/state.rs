//! The state shared by the APIs and the pages.

use std::ops::Deref;
use std::sync::Arc;

use grantor_service::App;

use crate::client::Client;
use crate::observe::RequestLog;
use crate::settings::Settings;
use crate::upload::UploadBudget;

/// The state of one server. Clones share it, and with it the memory for uploads.
#[derive(Clone, Debug)]
pub struct HttpState(Arc<Shared>);

/// See [`HttpState`].
#[derive(Debug)]
pub struct Shared {
    /// The service.
    pub app: App,
    /// The request-handling settings.
    pub settings: Settings,
    /// The memory budget for image uploads.
    pub(crate) uploads: UploadBudget,
    /// Decides which requests are logged.
    pub(crate) request_log: RequestLog,
}

impl HttpState {
    /// Creates the state of one server.
    #[must_use]
    pub fn new(app: App, settings: Settings) -> Self {
        let uploads = UploadBudget::new(settings.upload_memory, settings.upload_wait);
        let request_log = RequestLog::new(settings.request_log);
        Self(Arc::new(Shared { app, settings, uploads, request_log }))
    }

    /// Whether the client's protocol is allowed: HTTPS, or any if HTTPS is not required.
    #[must_use]
    pub fn accepts(&self, client: Client) -> bool {
        client.forwarded_https || !self.settings.require_https
    }
}

impl Deref for HttpState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
