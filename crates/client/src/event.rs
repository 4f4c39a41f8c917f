//! The event feed.

use std::time::Duration;
use std::vec;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::client::Client;
use crate::connection::Request;
use crate::error::{Error, Result};

/// How long the server waits for new events at most.
const LONG_POLL: Duration = Duration::from_secs(30);
/// How long a response may take in addition to the server's waiting time.
const MARGIN: Duration = Duration::from_secs(15);
/// Events per page.
const PAGE: &str = "100";

/// An event.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Event {
    /// The ID, which webhooks send in the header `webhook-id`.
    pub id: String,
    /// The type, such as `license.updated`.
    #[serde(rename = "type")]
    pub kind: String,
    /// When it happened.
    pub timestamp: String,
    /// What happened. Raw, because parsing and writing it could change how a number is written.
    pub data: Box<RawValue>,
    /// The number of the event in the feed.
    pub sequence: i64,
    /// The version of the record that it is about.
    pub resource_version: u32,
}

/// The body of a webhook: the event without its ID.
#[derive(Serialize)]
struct Payload<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    timestamp: &'a str,
    data: &'a RawValue,
    sequence: i64,
    resource_version: u32,
}

impl Event {
    /// The body of a webhook about this event, as the server writes it.
    pub fn payload(&self) -> Result<Vec<u8>> {
        let payload = Payload {
            kind: &self.kind,
            timestamp: &self.timestamp,
            data: &self.data,
            sequence: self.sequence,
            resource_version: self.resource_version,
        };
        serde_json::to_vec(&payload).map_err(|error| Error::Response(error.to_string()))
    }
}

/// A page of the feed.
#[derive(Clone, Debug, Deserialize)]
pub struct EventPage {
    /// The events, oldest first.
    pub data: Vec<Event>,
    /// The cursor after which the next page starts.
    pub next_cursor: String,
    /// Whether there are more events now.
    pub has_more: bool,
}

/// The events after a cursor, one after the other.
#[must_use = "nothing is requested before `next`"]
pub struct Feed<'a> {
    client: &'a Client,
    cursor: Option<String>,
    events: vec::IntoIter<Event>,
    at_end: bool,
}

impl Client {
    /// Reads a page of the feed after a cursor, or from its start. If there are no events yet, the
    /// server waits for one, for 30 seconds at most. Needs the scope `webhook:manage`.
    pub async fn events(&self, after: Option<&str>, wait: Duration) -> Result<EventPage> {
        let wait = wait.min(LONG_POLL);
        let seconds = wait.as_secs().to_string();
        let request = Request::get(&["events"])
            .query(&[("limit", Some(PAGE)), ("wait", Some(seconds.as_str())), ("after", after)])
            .timeout(wait + MARGIN);
        self.fetch(&request).await
    }

    /// Reads the feed after a cursor, or from its start. Needs the scope `webhook:manage`.
    pub fn feed(&self, after: Option<String>) -> Feed<'_> {
        Feed { client: self, cursor: after, events: Vec::new().into_iter(), at_end: false }
    }
}

impl Feed<'_> {
    /// The next event. Waits until there is one.
    pub async fn next(&mut self) -> Result<Event> {
        loop {
            if let Some(event) = self.events.next() {
                return Ok(event);
            }
            self.read(LONG_POLL).await?;
        }
    }

    /// The next event that is already stored, or `None` at the end of the feed.
    pub async fn next_stored(&mut self) -> Result<Option<Event>> {
        loop {
            if let Some(event) = self.events.next() {
                return Ok(Some(event));
            }
            if std::mem::take(&mut self.at_end) {
                return Ok(None);
            }
            self.read(Duration::ZERO).await?;
        }
    }

    /// The cursor after which the next page is read. Once every event so far is processed, a
    /// program can continue from here in another run.
    #[must_use]
    pub fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    async fn read(&mut self, wait: Duration) -> Result<()> {
        let page = self.client.events(self.cursor.as_deref(), wait).await?;
        self.cursor = Some(page.next_cursor);
        self.at_end = !page.has_more;
        self.events = page.data.into_iter();
        Ok(())
    }
}
