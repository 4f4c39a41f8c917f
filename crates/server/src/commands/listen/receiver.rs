//! Posts events to the developer's receiver in the form of webhooks.

use std::time::Duration;

use grantor_client::{Event, transport};
use grantor_domain::Clock;
use grantor_domain::id::EventId;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::webhook::sign;
use reqwest::{Client, header};
use url::Url;

/// The same timeout as for webhooks.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Where events are forwarded to.
pub(super) struct Receiver {
    client: Client,
    url: Url,
    secrets: [Secret; 1],
    clock: Box<dyn Clock>,
}

impl Receiver {
    pub(super) fn new(url: &Url, secret: &str, clock: impl Clock) -> Result<Self, String> {
        let secret = Secret::parse(&[SecretKind::Webhook], secret)
            .ok_or("the state file has no valid signing secret; delete it to start over")?;
        let client = transport::http_client(url, TIMEOUT).map_err(|error| error.to_string())?;
        Ok(Self { client, url: url.clone(), secrets: [secret], clock: Box::new(clock) })
    }

    /// The URL without user name and password.
    pub(super) fn shown(&self) -> String {
        let mut url = self.url.clone();
        // This fails only for URLs without a host, and http URLs have one.
        let _ = url.set_password(None);
        let _ = url.set_username("");
        url.into()
    }

    /// Posts an event. Returns the status if it is 2xx, and otherwise the reason of the failure.
    pub(super) async fn send(&self, event: &Event) -> Result<u16, String> {
        let id: EventId =
            event.id.parse().map_err(|_| format!("{} is not the ID of an event", event.id))?;
        let body = event.payload().map_err(|error| error.to_string())?;
        let at = self.clock.now();
        let request = self
            .client
            .post(self.url.clone())
            .header(header::CONTENT_TYPE, "application/json")
            .header("webhook-id", &event.id)
            .header("webhook-timestamp", at.as_secs().to_string())
            .header("webhook-signature", sign(&self.secrets, id, at, &body))
            .body(body);
        let answer = request.send().await.map_err(transport::describe)?;
        let status = answer.status();
        if status.is_success() { Ok(status.as_u16()) } else { Err(status.as_u16().to_string()) }
    }
}
