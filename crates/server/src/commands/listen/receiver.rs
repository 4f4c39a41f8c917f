//! The developer's own receiver: each event is posted to it as a webhook would be.

use std::time::Duration;

use grantor_domain::Clock;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::webhook::sign;
use reqwest::{Client, header};
use url::Url;

use super::client;
use super::feed::Event;

/// As long as a webhook's receiver has.
const LIMIT: Duration = Duration::from_secs(15);

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
            .ok_or("the state file holds no secret to sign with; remove it to begin anew")?;
        let client = client::build(&url, LIMIT)?;
        Ok(Self { client, url, secrets: [secret], clock: Box::new(clock) })
    }

    /// Its address without what may be secret in it.
    pub(super) fn shown(&self) -> String {
        let mut url = self.url.clone();
        // Only URLs without a host refuse, and http has one.
        let _ = url.set_password(None);
        let _ = url.set_username("");
        url.into()
    }

    /// Posts an event; gives the status when it is a 2xx, otherwise what went wrong.
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
