//! The client: tokens, retries, and sending. The calls are in the files of their records.

use std::time::Duration;

use reqwest::header::HeaderName;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::connection::{Answer, Connection, Request, base_url};
use crate::credentials::{Credentials, Tokens};
use crate::error::{Error, Result};
use crate::retry::Retry;
use crate::system;

pub(crate) const JSON: &str = "application/json";
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

type RetryHook = Box<dyn Fn(&Error, Duration) + Send + Sync>;
type TokenHook = Box<dyn Fn(&Tokens) + Send + Sync>;

/// A client of one server, as one API client.
pub struct Client {
    connection: Connection,
    credentials: Credentials,
    tokens: Mutex<Option<Tokens>>,
    retry: Retry,
    on_retry: Option<RetryHook>,
    on_tokens: Option<TokenHook>,
}

/// The envelope of the endpoints for tokens.
#[derive(Deserialize)]
struct Data<T> {
    data: T,
}

#[derive(Deserialize)]
struct Exchanged {
    access_token: String,
    refresh_token: String,
    expires_in: u64,
    #[serde(default)]
    scopes: Vec<String>,
}

#[derive(Deserialize)]
struct Refreshed {
    access_token: String,
    expires_in: u64,
}

impl Client {
    /// A client of the server at this URL, which must be https unless it is on this machine.
    /// Nothing is sent yet.
    pub fn new(url: &str, credentials: Credentials) -> Result<Self> {
        Ok(Self {
            connection: Connection::new(url)?,
            credentials,
            tokens: Mutex::new(None),
            retry: Retry::default(),
            on_retry: None,
            on_tokens: None,
        })
    }

    /// Checks the URL of a server.
    pub fn check_url(url: &str) -> Result<()> {
        base_url(url).map(drop)
    }

    /// Changes when failed requests are sent again.
    #[must_use]
    pub fn with_retry(self, retry: Retry) -> Self {
        Self { retry, ..self }
    }

    /// Starts with tokens from an earlier run.
    #[must_use]
    pub fn with_tokens(self, tokens: Tokens) -> Self {
        Self { tokens: Mutex::new(Some(tokens)), ..self }
    }

    /// Calls a function before each pause, with the reason and the length.
    #[must_use]
    pub fn on_retry(self, hook: impl Fn(&Error, Duration) + Send + Sync + 'static) -> Self {
        Self { on_retry: Some(Box::new(hook)), ..self }
    }

    /// Calls a function with all new tokens, for example to store them.
    #[must_use]
    pub fn on_tokens(self, hook: impl Fn(&Tokens) + Send + Sync + 'static) -> Self {
        Self { on_tokens: Some(Box::new(hook)), ..self }
    }

    /// The server's URL, with a slash at the end.
    #[must_use]
    pub fn url(&self) -> &str {
        self.connection.url()
    }

    /// The API key.
    #[must_use]
    pub fn api_key(&self) -> &str {
        self.credentials.api_key()
    }

    /// Exchanges the key and secret for new tokens, and returns their scopes. Calls do this
    /// themselves when they need it.
    pub async fn sign_in(&self) -> Result<Vec<String>> {
        let mut tokens = self.tokens.lock().await;
        let (new, scopes) = self.exchange().await?;
        self.keep(&mut tokens, new);
        Ok(scopes)
    }

    /// Revokes the tokens, if there are any.
    pub async fn sign_out(&self) -> Result<()> {
        let Some(tokens) = self.tokens.lock().await.take() else { return Ok(()) };
        // With the refresh token, its access tokens end, too.
        let body = json!({ "token": tokens.refresh_token });
        self.attempt(&open(&["auth", "token", "revoke"], &body), None).await?;
        Ok(())
    }

    /// Sends a request with an access token, once more with a new one if that is refused.
    pub(crate) async fn send(&self, request: &Request) -> Result<Answer> {
        let token = self.access_token().await?;
        match self.attempt(request, Some(&token)).await {
            Err(error) if error.status() == Some(401) => {
                self.reject(&token).await;
                let token = self.access_token().await?;
                self.attempt(request, Some(&token)).await
            }
            sent => sent,
        }
    }

    /// Sends a request and parses the response.
    pub(crate) async fn fetch<T: DeserializeOwned>(&self, request: &Request) -> Result<T> {
        self.send(request).await?.json()
    }

    /// Sends a request, again after a pause if it failed for a moment.
    async fn attempt(&self, request: &Request, token: Option<&str>) -> Result<Answer> {
        let mut attempt = 1;
        loop {
            let error = match self.connection.send(request, token).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let Some(pause) = self.retry.pause(&error, request.is_repeatable, attempt) else {
                return Err(error);
            };
            if let Some(hook) = &self.on_retry {
                hook(&error, pause);
            }
            system::wait(pause).await;
            attempt += 1;
        }
    }

    /// The access token, renewed if it is about to expire.
    async fn access_token(&self) -> Result<String> {
        // Locked until there is a token, so that parallel calls get one together.
        let mut tokens = self.tokens.lock().await;
        if let Some(valid) = tokens.as_ref().filter(|it| !it.is_due(system::now())) {
            return Ok(valid.access_token.clone());
        }
        let new = self.renew(tokens.as_ref()).await?;
        let token = new.access_token.clone();
        self.keep(&mut tokens, new);
        Ok(token)
    }

    /// Refreshes the token, or exchanges the key and secret if that is not possible any more.
    async fn renew(&self, old: Option<&Tokens>) -> Result<Tokens> {
        if let Some(old) = old {
            match self.refresh(&old.refresh_token).await {
                Err(error) if error.status() == Some(401) => {}
                refreshed => return refreshed,
            }
        }
        self.exchange().await.map(|(tokens, _)| tokens)
    }

    async fn exchange(&self) -> Result<(Tokens, Vec<String>)> {
        let body = json!({
            "api_key": self.credentials.api_key(),
            "api_secret": self.credentials.expose_secret(),
        });
        let answer = self.attempt(&open(&["auth", "token"], &body), None).await?;
        let Data { data } = answer.json::<Data<Exchanged>>()?;
        let Exchanged { access_token, refresh_token, expires_in, scopes } = data;
        Ok((Tokens::new(access_token, refresh_token, expires_in, system::now()), scopes))
    }

    async fn refresh(&self, refresh_token: &str) -> Result<Tokens> {
        let body = json!({ "refresh_token": refresh_token });
        let answer = self.attempt(&open(&["auth", "token", "refresh"], &body), None).await?;
        let Data { data } = answer.json::<Data<Refreshed>>()?;
        let (access, refresh) = (data.access_token, refresh_token.to_owned());
        Ok(Tokens::new(access, refresh, data.expires_in, system::now()))
    }

    fn keep(&self, tokens: &mut Option<Tokens>, new: Tokens) {
        if let Some(hook) = &self.on_tokens {
            hook(&new);
        }
        *tokens = Some(new);
    }

    /// Marks an access token for renewal that the server refused, unless another call did so.
    async fn reject(&self, token: &str) {
        let mut tokens = self.tokens.lock().await;
        if let Some(refused) = tokens.as_mut().filter(|it| it.access_token == token) {
            refused.renew_at = 0;
        }
    }
}

/// A request without an access token. Repeating it does no harm.
fn open(path: &[&str], body: &Value) -> Request {
    Request::post(path).body(JSON, body.to_string()).repeatable()
}

/// Lets a request that changes something be repeated: the server processes each key once.
pub(crate) fn once(request: Request) -> Result<Request> {
    Ok(request.header(IDEMPOTENCY_KEY, system::idempotency_key()?).repeatable())
}

#[cfg(test)]
mod tests;
