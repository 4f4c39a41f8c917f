//! The events as the server's feed tells them.

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
use super::state::Kept;

/// Events asked for at a time.
const PAGE: &str = "100";
/// How long an answer may take beyond what the server was allowed to wait.
const SLACK: Duration = Duration::from_secs(15);

/// A part of the feed.
#[derive(Deserialize)]
pub(super) struct Page {
    pub(super) data: Vec<Event>,
    pub(super) next_cursor: String,
    pub(super) has_more: bool,
}

/// An event. Written, it is the body of a webhook: the same members in the same order.
#[derive(Deserialize, Serialize)]
pub(super) struct Event {
    #[serde(skip_serializing)]
    pub(super) id: EventId,
    #[serde(rename = "type")]
    pub(super) kind: String,
    timestamp: String,
    // Passed on as it came: read and written anew, a number could change its form.
    data: Box<RawValue>,
    pub(super) sequence: i64,
    resource_version: u32,
}

#[derive(Deserialize)]
struct Exchanged {
    data: Tokens,
}

#[derive(Deserialize)]
struct Tokens {
    access_token: String,
}

#[derive(Deserialize)]
struct Refused {
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
        let client = client::build(&server, super::LONG_POLL + SLACK)?;
        Ok(Self { client, server, credentials, token: None })
    }

    /// Where it is read.
    pub(super) fn server(&self) -> &str {
        self.server.as_str()
    }

    /// Whose it is.
    pub(super) fn key(&self) -> &str {
        &self.credentials.key
    }

    /// What is kept of it before anything was read.
    pub(super) fn nothing_kept(&self, secret: String) -> Kept {
        let (server, api_key) = (self.server().to_owned(), self.key().to_owned());
        Kept { server, api_key, secret, cursor: None, delivered: 0 }
    }

    /// What comes after a cursor; waits for it where there is nothing yet.
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
            // Tokens end by time, and when what they rest on changes.
            self.token = None;
            answer = self.get(&url).await?;
        }
        if answer.status() == StatusCode::UNAUTHORIZED {
            return Err(passing("The server refuses the token it gave"));
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
        request.send().await.map_err(on_the_way)
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
        let answer = request.send().await.map_err(on_the_way)?;
        body::<Exchanged>(answer).await.map(|it| it.data.access_token)
    }

    fn at(&self, path: &str) -> Result<Url, Failure> {
        self.server.join(path).map_err(|error| Failure::Lasting(format!("--server: {error}")))
    }
}

/// What a good answer holds.
async fn body<T: DeserializeOwned>(answer: Response) -> Result<T, Failure> {
    let (status, asked) = (answer.status(), retry_after(&answer));
    let bytes = answer.bytes().await.map_err(on_the_way)?;
    if status.is_success() {
        // Something that stands before the server may answer in its place for a while.
        return serde_json::from_slice(&bytes)
            .map_err(|error| passing(&format!("The server's answer is not understood: {error}")));
    }
    let reason = serde_json::from_slice::<Refused>(&bytes).map(|it| it.error.message);
    let reason = reason.unwrap_or_else(|_| "no reason is given".to_owned());
    let what = format!("The server answered with {}: {reason}", status.as_u16());
    let is_passing = status.is_server_error()
        || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
    Err(if is_passing { Failure::Passing { what, asked } } else { Failure::Lasting(what) })
}

fn retry_after(answer: &Response) -> Option<Duration> {
    let text = answer.headers().get(header::RETRY_AFTER)?.to_str().ok()?;
    text.parse().ok().map(Duration::from_secs)
}

fn on_the_way(error: reqwest::Error) -> Failure {
    passing(&format!("The server cannot be read: {}", client::describe(error)))
}

fn passing(what: &str) -> Failure {
    Failure::Passing { what: what.to_owned(), asked: None }
}
