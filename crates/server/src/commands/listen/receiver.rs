//! Posts events to the developer's receiver in the form of webhooks.

use std::time::Duration;

use grantor_domain::Clock;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::webhook::sign;
use reqwest::{Client, header};
use url::Url;

use super::client;
use super::feed::Event;

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
    pub(super) fn new(url: &str, secret: &str, clock: impl Clock) -> Result<Self, String> {
        let url = client::http_url("--forward-to", url)?;
        let secret = Secret::parse(&[SecretKind::Webhook], secret)
            .ok_or("the state file has no valid signing secret; delete it to start over")?;
        let client = client::build(&url, TIMEOUT)?;
        Ok(Self { client, url, secrets: [secret], clock: Box::new(clock) })
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
        let body = serde_json::to_vec(event).map_err(|error| error.to_string())?;
        let at = self.clock.now();
        let request = self
            .client
            .post(self.url.clone())
            .header(header::CONTENT_TYPE, "application/json")
            .header("webhook-id", event.id.to_string())
            .header("webhook-timestamp", at.as_secs().to_string())
            .header("webhook-signature", sign(&self.secrets, event.id, at, &body))
            .body(body);
        let answer = request.send().await.map_err(client::describe)?;
        let status = answer.status();
        if status.is_success() { Ok(status.as_u16()) } else { Err(status.as_u16().to_string()) }
    }
}
