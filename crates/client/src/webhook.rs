//! Webhooks.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::client::{Client, once};
use crate::connection::Request;
use crate::error::Result;
use crate::page::Pages;

/// A webhook.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Webhook {
    /// The ID.
    pub id: String,
    /// The URL that receives events.
    pub url: String,
    /// The description.
    pub description: String,
    /// The types of events that are sent.
    pub events: Vec<String>,
    /// The status: `active` or `disabled`.
    pub status: String,
    /// When the webhook was created.
    pub created_at: String,
    /// When the webhook was last changed.
    pub updated_at: String,
    /// When an event was last delivered.
    pub last_success_at: Option<String>,
    /// When deliveries started failing, if they are failing.
    pub failing_since: Option<String>,
    /// Members that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct WebhookTest {
    /// Whether the receiver responded with a 2xx status.
    pub delivered: bool,
    /// The status of the receiver's response, if there was one.
    pub status_code: Option<u16>,
    /// The duration in milliseconds.
    pub duration_ms: u64,
    /// Why the delivery failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Members that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Client {
    /// Lists the webhooks. Needs the scope `webhook:manage`.
    pub fn webhooks(&self) -> Pages<'_, Webhook> {
        Pages::new(self, Request::get(&["webhooks"]))
    }

    /// Sends a test event to a webhook now. Needs the scope `webhook:manage`.
    pub async fn test_webhook(&self, id: &str) -> Result<WebhookTest> {
        self.fetch(&once(Request::post(&["webhooks", id, "test"]))?).await
    }
}
