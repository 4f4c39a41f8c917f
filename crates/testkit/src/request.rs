//! A request sent straight to the router of a test application, and its response.

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::app::TestApp;

/// A request builder.
pub struct TestRequest<'a> {
    app: &'a TestApp,
    request: Request<Body>,
}

impl<'a> TestRequest<'a> {
    pub(crate) fn new(app: &'a TestApp, method: Method, path: &str, peer: SocketAddr) -> Self {
        let mut request = Request::new(Body::empty());
        *request.method_mut() = method;
        *request.uri_mut() = path.parse().expect("a path");
        request.extensions_mut().insert(ConnectInfo(peer));
        Self { app, request }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        let value = HeaderValue::from_str(value).expect("a header value");
        self.request.headers_mut().append(HeaderName::from_static(name), value);
        self
    }

    /// Adds an access token.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// Adds a console token and the header that goes with it.
    #[must_use]
    pub fn console(self, token: &str) -> Self {
        self.bearer(token).header("x-source", "console")
    }

    /// Adds Basic credentials.
    #[must_use]
    pub fn basic(self, name: &str, password: &str) -> Self {
        let pair = STANDARD.encode(format!("{name}:{password}"));
        self.header("authorization", &format!("Basic {pair}"))
    }

    /// Sets the client's address.
    #[must_use]
    pub fn from(mut self, address: &str) -> Self {
        let peer = SocketAddr::new(address.parse().expect("an address"), 40_000);
        self.request.extensions_mut().insert(ConnectInfo(peer));
        self
    }

    /// Sets a JSON body.
    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }

    /// Sets any body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Body>) -> Self {
        *self.request.body_mut() = body.into();
        self
    }

    /// Sends the request and reads the whole response.
    pub async fn send(self) -> Answer {
        let (method, path) = (self.request.method().clone(), self.request.uri().path().to_owned());
        let response = self.app.router.clone().oneshot(self.request).await.expect("an answer");
        let (parts, body) = response.into_parts();
        let body = body.collect().await.expect("a whole body").to_bytes().to_vec();
        let answer = Answer { status: parts.status, headers: parts.headers, body };
        self.app.documented.check(&method, &path, &answer);
        answer
    }
}

/// A response.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("not JSON: {}", String::from_utf8_lossy(&self.body)))
    }

    /// The value of a header, if there is one.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("a header in ASCII"))
    }

    /// The status and the whole JSON body, which most tests assert.
    #[must_use]
    pub fn whole(&self) -> (u16, Value) {
        (self.status.as_u16(), self.json())
    }
}
