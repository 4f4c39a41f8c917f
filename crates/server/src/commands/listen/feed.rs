//! Reads the server's event feed.

use std::time::Duration;

use grantor_domain::id::EventId;
use reqwest::{Client, Response, StatusCode, header};
use secrecy::ExposeSecret as _;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use url::Url;

use super::client::{self, Failure};
use super::credentials::Credentials;
use super::state::Saved;

/// Events per page.
const PAGE: &str = "100";
/// How long a response may take in addition to the server's waiting time.
const MARGIN: Duration = Duration::from_secs(15);

/// A page of the feed.
#[derive(Deserialize)]
pub(super) struct Page {
    pub(super) data: Vec<Event>,
    pub(super) next_cursor: String,
    pub(super) has_more: bool,
}

/// An event. It serializes to the body of a webhook: the same members in the same order.
#[derive(Deserialize, Serialize)]
pub(super) struct Event {
    #[serde(skip_serializing)]
    pub(super) id: EventId,
    #[serde(rename = "type")]
    pub(super) kind: String,
    timestamp: String,
    // Kept as raw JSON: parsing and serializing could change how a number is written.
    data: Box<RawValue>,
    pub(super) sequence: i64,
    resource_version: u32,
}

#[derive(Deserialize)]
struct TokenResponse {
    data: Tokens,
}

#[derive(Deserialize)]
struct Tokens {
    access_token: String,
}

#[derive(Deserialize)]
struct ErrorResponse {
    error: Reason,
}

#[derive(Deserialize)]
struct Reason {
    message: String,
}

/// A reader of one API client's feed.
pub(super) struct Feed {
    client: Client,
    server: Url,
    credentials: Credentials,
    token: Option<String>,
}

impl Feed {
    pub(super) fn new(server: Url, credentials: Credentials) -> Result<Self, String> {
        let client = client::build(&server, super::LONG_POLL + MARGIN)?;
        Ok(Self { client, server, credentials, token: None })
    }

    /// The server's URL.
    pub(super) fn server(&self) -> &str {
        self.server.as_str()
    }

    /// The API key.
    pub(super) fn key(&self) -> &str {
        &self.credentials.key
    }

    /// The state before the first read.
    pub(super) fn initial_state(&self, secret: String) -> Saved {
        let (server, api_key) = (self.server().to_owned(), self.key().to_owned());
        Saved { server, api_key, secret, cursor: None, delivered: 0 }
    }

    /// Reads the page after a cursor. Waits for events if there are none yet.
    pub(super) async fn read(
        &mut self,
        after: Option<&str>,
        wait: Duration,
    ) -> Result<Page, Failure> {
        let mut url = self.at("events")?;
        url.query_pairs_mut()
            .append_pair("limit", PAGE)
            .append_pair("wait", &wait.as_secs().to_string())
            .extend_pairs(after.map(|it| ("after", it)));
        let mut answer = self.get(&url).await?;
        if answer.status() == StatusCode::UNAUTHORIZED {
            // The token expired, or was revoked by a change of the client.
            self.token = None;
            answer = self.get(&url).await?;
        }
        if answer.status() == StatusCode::UNAUTHORIZED {
            return Err(temporary("The server rejects the access token that it issued"));
        }
        body(answer).await
    }

    async fn get(&mut self, url: &Url) -> Result<Response, Failure> {
        let token = match self.token.take() {
            Some(token) => token,
            None => self.exchange().await?,
        };
        let request = self.client.get(url.clone()).bearer_auth(&token);
        self.token = Some(token);
        request.send().await.map_err(transport_failure)
    }

    async fn exchange(&self) -> Result<String, Failure> {
        let pair = json!({
            "api_key": self.credentials.key,
            "api_secret": self.credentials.secret.expose_secret(),
        });
        let request = self
            .client
            .post(self.at("auth/token")?)
            .header(header::CONTENT_TYPE, "application/json")
            .body(pair.to_string());
        let answer = request.send().await.map_err(transport_failure)?;
        body::<TokenResponse>(answer).await.map(|it| it.data.access_token)
    }

    fn at(&self, path: &str) -> Result<Url, Failure> {
        self.server.join(path).map_err(|error| Failure::Permanent(format!("--server: {error}")))
    }
}

/// Parses the body of a successful response.
async fn body<T: DeserializeOwned>(answer: Response) -> Result<T, Failure> {
    let (status, retry_after) = (answer.status(), retry_after(&answer));
    let bytes = answer.bytes().await.map_err(transport_failure)?;
    if status.is_success() {
        // Temporary, because a proxy in front of the server may answer in its place for a while.
        return serde_json::from_slice(&bytes)
            .map_err(|error| temporary(&format!("The server's response is invalid: {error}")));
    }
    let message = serde_json::from_slice::<ErrorResponse>(&bytes).map(|it| it.error.message);
    let message = message.unwrap_or_else(|_| "no reason given".to_owned());
    let reason = format!("The server responded with {}: {message}", status.as_u16());
    let is_temporary = status.is_server_error()
        || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
    Err(if is_temporary {
        Failure::Temporary { reason, retry_after }
    } else {
        Failure::Permanent(reason)
    })
}

fn retry_after(answer: &Response) -> Option<Duration> {
    let text = answer.headers().get(header::RETRY_AFTER)?.to_str().ok()?;
    text.parse().ok().map(Duration::from_secs)
}

fn transport_failure(error: reqwest::Error) -> Failure {
    temporary(&format!("The server cannot be reached: {}", client::describe(error)))
}

fn temporary(reason: &str) -> Failure {
    Failure::Temporary { reason: reason.to_owned(), retry_after: None }
}
