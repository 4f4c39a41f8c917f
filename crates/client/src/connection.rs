//! Requests to one server, each sent once.

use std::time::Duration;

use reqwest::header::{self, HeaderName};
use reqwest::{Method, Response};
use serde::de::DeserializeOwned;
use url::Url;

use crate::error::{Error, Refusal, Result};
use crate::transport;

/// How long a response may take.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(45);
/// The longest response that is read.
const MAX_BODY: usize = 64 * 1024 * 1024;
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A request, which can be sent several times.
#[derive(Clone)]
pub(crate) struct Request {
    method: Method,
    path: Vec<String>,
    query: Vec<(&'static str, String)>,
    headers: Vec<(HeaderName, String)>,
    body: Vec<u8>,
    timeout: Duration,
    /// Whether it may be sent again if it may already have been processed.
    pub(crate) is_repeatable: bool,
}

impl Request {
    /// A GET request. The parts of the path are not encoded yet.
    pub(crate) fn get(path: &[&str]) -> Self {
        Self { is_repeatable: true, ..Self::new(Method::GET, path) }
    }

    /// A POST request.
    pub(crate) fn post(path: &[&str]) -> Self {
        Self::new(Method::POST, path)
    }

    /// A PATCH request.
    pub(crate) fn patch(path: &[&str]) -> Self {
        Self::new(Method::PATCH, path)
    }

    fn new(method: Method, path: &[&str]) -> Self {
        Self {
            method,
            path: path.iter().map(|it| (*it).to_owned()).collect(),
            query: Vec::new(),
            headers: Vec::new(),
            body: Vec::new(),
            timeout: TIMEOUT,
            is_repeatable: false,
        }
    }

    /// Adds the parameters that are given.
    pub(crate) fn query(mut self, pairs: &[(&'static str, Option<&str>)]) -> Self {
        let given = pairs.iter().filter_map(|(name, text)| Some((*name, (*text)?.to_owned())));
        self.query.extend(given);
        self
    }

    /// Adds a header.
    pub(crate) fn header(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Sets the body.
    pub(crate) fn body(mut self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header(header::CONTENT_TYPE, content_type)
    }

    /// Sets how long the response may take.
    pub(crate) fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The request changes nothing, or nothing more the second time.
    pub(crate) fn repeatable(mut self) -> Self {
        self.is_repeatable = true;
        self
    }
}

/// A successful response.
pub(crate) struct Answer {
    /// The entity tag.
    pub(crate) etag: Option<String>,
    body: Vec<u8>,
}

impl Answer {
    /// Parses the body.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.body).map_err(|error| Error::Response(error.to_string()))
    }
}

/// The way to a server.
pub(crate) struct Connection {
    http: reqwest::Client,
    base: Url,
}

impl Connection {
    /// Parses the server's URL. It must be https or local: the API secret is sent there.
    pub(crate) fn new(url: &str) -> Result<Self> {
        let base = base_url(url)?;
        Ok(Self { http: transport::http_client(&base, TIMEOUT)?, base })
    }

    /// The server's URL, with a slash at the end.
    pub(crate) fn url(&self) -> &str {
        self.base.as_str()
    }

    /// Sends a request once.
    pub(crate) async fn send(&self, request: &Request, token: Option<&str>) -> Result<Answer> {
        let mut builder = self
            .http
            .request(request.method.clone(), self.address(request)?)
            .timeout(request.timeout)
            .header(header::ACCEPT, "application/json");
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        if !request.body.is_empty() {
            builder = builder.body(request.body.clone());
        }
        if let Some(token) = token {
            builder = builder.bearer_auth(token);
        }
        read(builder.send().await.map_err(broken)?).await
    }

    fn address(&self, request: &Request) -> Result<Url> {
        let mut url = self.base.clone();
        let mut path = url.path_segments_mut().map_err(|()| invalid_url())?;
        path.pop_if_empty().extend(&request.path);
        drop(path);
        if !request.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&request.query);
        }
        Ok(url)
    }
}

async fn read(mut response: Response) -> Result<Answer> {
    let text = |name: HeaderName| {
        response.headers().get(name).and_then(|it| it.to_str().ok()).map(str::to_owned)
    };
    let (etag, retry_after) = (text(header::ETAG), text(header::RETRY_AFTER));
    let (status, request_id) = (response.status(), text(REQUEST_ID));
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        if body.len() + chunk.len() > MAX_BODY {
            return Err(Error::Response("it is too large".to_owned()));
        }
        body.extend_from_slice(&chunk);
    }
    if status.is_success() {
        return Ok(Answer { etag, body });
    }
    let mut refusal = Refusal::read(status, &body);
    refusal.request_id = refusal.request_id.or(request_id);
    refusal.retry_after =
        retry_after.and_then(|it| it.trim().parse().ok()).map(Duration::from_secs);
    Err(Error::Refused(Box::new(refusal)))
}

fn broken(error: reqwest::Error) -> Error {
    Error::Transport(transport::describe(error))
}

/// Parses a URL. The error does not repeat it: it may contain a password.
pub(crate) fn base_url(text: &str) -> Result<Url> {
    let parsed = Url::parse(text).ok().filter(|it| matches!(it.scheme(), "http" | "https"));
    let mut url = parsed.ok_or_else(invalid_url)?;
    let refused = |reason: &str| Err(Error::Invalid(reason.to_owned()));
    if url.scheme() == "http" && !transport::is_local(&url) {
        return refused("must be https, because the API secret is sent there");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refused("must not contain a user name or password");
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    url.set_query(None);
    url.set_fragment(None);
    Ok(url)
}

fn invalid_url() -> Error {
    Error::Invalid("must be a URL such as https://grantor.example.com".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_sent_by_https_or_stays_here() {
        let read = |text| base_url(text).map(String::from).map_err(|it| it.to_string());
        assert_eq!(read("http://127.0.0.1:8080"), Ok("http://127.0.0.1:8080/".to_owned()));
        assert_eq!(read("https://g.example/in?x#y"), Ok("https://g.example/in/".to_owned()));
        for text in ["http://localhost", "http://[::1]:1/", "http://a.localhost:9"] {
            assert!(read(text).is_ok(), "{text}");
        }
        for text in ["http://g.example", "ftp://localhost", "localhost", "https://u:p@g.example"] {
            let reason = read(text).unwrap_err();
            assert!(reason.starts_with("must ") && !reason.contains("u:p"), "{text}: {reason}");
        }
    }

    #[test]
    fn parts_of_a_path_cannot_leave_it() {
        let connection = Connection::new("https://g.example/in").unwrap();
        let request = Request::get(&["licenses", "a/../b?c#d"])
            .query(&[("status", Some("a&b")), ("search", None)]);
        let address = connection.address(&request).unwrap();
        assert_eq!(
            address.as_str(),
            "https://g.example/in/licenses/a%2F..%2Fb%3Fc%23d?status=a%26b"
        );
    }
}
