//! Fetches pages of sites politely: one host at a time, as `robots.txt` allows, with a pause
//! between requests, and honoring `Retry-After`.

use std::collections::HashMap;
use std::time::Duration;

use grantor_domain::delivery::parse_retry_after;
use grantor_domain::id::RunId;
use grantor_domain::robots::Robots;
use grantor_domain::scan::{LEASE, RunCounts};
use grantor_domain::{Error, Timestamp};
use grantor_storage::scan;
use metrics::counter;
use url::Url;

use crate::App;
use grantor_outbound::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use grantor_outbound::{OutboundError, OutboundRequest, OutboundResponse, Purpose, StatusCode};

/// How fast requests follow each other.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The minimum pause between two requests to a host.
    pub pause: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self { pause: Duration::from_secs(1) }
    }
}

/// How often to check whether another run has released a host.
const HOST_POLL_INTERVAL: Duration = Duration::from_millis(500);
/// How many times to check before giving up.
const HOST_POLLS: u32 = 240;
/// Consecutive requests to a host that may fail in one run.
const MAX_FAILURES: u32 = 5;
const ROBOTS_PATH: &str = "/robots.txt";
/// The longest `Retry-After` that is honored.
const MAX_BACKOFF: Duration = Duration::from_hours(7 * 24);

/// Why a URL could not be fetched.
#[derive(Debug)]
pub(super) enum FetchError {
    /// Trying again will not help.
    Permanent(String),
    /// The next run may succeed.
    Temporary(String),
    /// An error of this server.
    Internal(Error),
}

impl From<Error> for FetchError {
    fn from(error: Error) -> Self {
        Self::Internal(error)
    }
}

/// The `robots.txt` of an origin, or why it is unknown.
type Rules = Result<Robots, UnknownRules>;

/// Why the `robots.txt` of an origin is unknown.
struct UnknownRules {
    reason: String,
    /// Whether trying again will not help.
    permanent: bool,
}

impl UnknownRules {
    fn to_error(&self) -> FetchError {
        let error = if self.permanent { FetchError::Permanent } else { FetchError::Temporary };
        error(self.reason.clone())
    }
}

/// Sends the requests of one run.
pub(super) struct Fetcher {
    app: App,
    run: RunId,
    pace: Pace,
    rules: HashMap<String, Rules>,
    /// The host this run has acquired, and when the next request to it may be sent.
    held: Option<(String, Timestamp)>,
    /// Hosts that sent `Retry-After`, and until when.
    backing_off: HashMap<String, Timestamp>,
    /// Consecutive failures of each host.
    failures: HashMap<String, u32>,
    /// Counts that are not written yet.
    pub(super) counts: RunCounts,
}

impl Fetcher {
    pub(super) fn new(app: App, run: RunId, pace: Pace) -> Self {
        let (rules, backing_off, failures, counts) = Default::default();
        Self { app, run, pace, rules, held: None, backing_off, failures, counts }
    }

    /// When all hosts that sent `Retry-After` accept requests again.
    pub(super) fn retry_at(&self) -> Option<Timestamp> {
        self.backing_off.values().copied().max()
    }

    /// Fetches a URL. Any status but 200 and 304 is an error.
    pub(super) async fn read(
        &mut self,
        purpose: Purpose,
        url: &Url,
        headers: HeaderMap,
    ) -> Result<OutboundResponse, FetchError> {
        let host = url.host_str().unwrap_or_default().to_owned();
        self.acquire_host(&host).await?;
        if !self.rules.contains_key(&origin(url)) {
            let rules = self.fetch_rules(&host, url).await?;
            self.rules.insert(origin(url), rules);
        }
        let delay = match self.rules.get(&origin(url)) {
            Some(Ok(robots)) if robots.allows(&path(url)) => robots.delay(),
            Some(Ok(_)) => {
                return Err(FetchError::Permanent("robots.txt does not allow it".to_owned()));
            }
            Some(Err(unknown)) => return Err(unknown.to_error()),
            None => None,
        };
        let answer = self.send(purpose, &host, url, headers, delay).await?;
        let answer = answer.map_err(|error| match error {
            OutboundError::Refused(_) | OutboundError::TooLarge => {
                FetchError::Permanent(error.to_string())
            }
            other => FetchError::Temporary(other.to_string()),
        })?;
        match answer.status {
            StatusCode::OK | StatusCode::NOT_MODIFIED => Ok(answer),
            status => {
                let reason = format!("the server returned status {}", status.as_u16());
                let passes = status.is_server_error()
                    || matches!(status.as_u16(), 401 | 403 | 408 | 425 | 429);
                Err(if passes {
                    FetchError::Temporary(reason)
                } else {
                    FetchError::Permanent(reason)
                })
            }
        }
    }

    /// Fetches `robots.txt`. A site without one allows everything; a site whose `robots.txt` cannot
    /// be read must not be scanned.
    async fn fetch_rules(&mut self, host: &str, url: &Url) -> Result<Rules, FetchError> {
        let mut at = url.clone();
        at.set_path(ROBOTS_PATH);
        at.set_query(None);
        let answer = self.send(Purpose::Feed, host, &at, HeaderMap::new(), None).await?;
        let (reason, permanent) = match answer {
            Ok(answer) if answer.status.is_success() => {
                return Ok(Ok(Robots::parse(&answer.body)));
            }
            Ok(answer)
                if answer.status.is_client_error()
                    && answer.status != StatusCode::TOO_MANY_REQUESTS =>
            {
                return Ok(Ok(Robots::default()));
            }
            Ok(answer) => (format!("returned status {}", answer.status.as_u16()), false),
            Err(error) => {
                (format!("could not be read: {error}"), matches!(error, OutboundError::Refused(_)))
            }
        };
        Ok(Err(UnknownRules { reason: format!("robots.txt {reason}"), permanent }))
    }

    /// Sends one request as soon as the host's pause is over.
    async fn send(
        &mut self,
        purpose: Purpose,
        host: &str,
        url: &Url,
        headers: HeaderMap,
        delay: Option<Duration>,
    ) -> Result<Result<OutboundResponse, OutboundError>, FetchError> {
        if self.backing_off.contains_key(host) {
            return Err(FetchError::Temporary("the host asked us to retry later".to_owned()));
        }
        if self.failures.get(host).is_some_and(|it| *it >= MAX_FAILURES) {
            return Err(FetchError::Temporary("too many requests to the host failed".to_owned()));
        }
        self.wait().await;
        let request = OutboundRequest { headers, ..OutboundRequest::get(url.as_str()) };
        let answer = self.app.outbound.send(purpose, request).await;
        let now = self.app.clock.now();
        let pause = delay.map_or(self.pace.pause, |it| it.max(self.pace.pause));
        if let Some((_, next_at)) = &mut self.held {
            *next_at = now.plus(pause);
        }
        self.count(url, &answer);
        let failed = match answer {
            // A refusal is ours: the URL or its redirect target is not allowed.
            Ok(_) | Err(OutboundError::Refused(_)) => 0,
            Err(_) => self.failures.get(host).map_or(1, |it| it + 1),
        };
        self.failures.insert(host.to_owned(), failed);
        if let Ok(answer) = &answer
            && matches!(answer.status.as_u16(), 429 | 503)
        {
            let value = answer.headers.get(RETRY_AFTER).and_then(|it| it.to_str().ok());
            let rest = value.and_then(|it| parse_retry_after(it, now)).unwrap_or_default();
            self.backing_off.insert(host.to_owned(), now.plus(rest.min(MAX_BACKOFF)));
        }
        Ok(answer)
    }

    fn count(&mut self, url: &Url, answer: &Result<OutboundResponse, OutboundError>) {
        self.counts.requests += 1;
        let failed = match answer {
            // A missing robots.txt is not an error.
            Ok(answer) if url.path() == ROBOTS_PATH => answer.status.is_server_error(),
            Ok(answer) => answer.status.is_client_error() || answer.status.is_server_error(),
            Err(_) => true,
        };
        self.counts.errors += u32::from(failed);
        let outcome = if failed { "failed" } else { "answered" };
        counter!("grantor_scan_requests_total", "outcome" => outcome).increment(1);
    }

    #[expect(clippy::disallowed_methods, reason = "a polite client pauses between requests")]
    async fn wait(&self) {
        if let Some((_, next_at)) = &self.held {
            let rest = next_at.since(self.app.clock.now());
            if !rest.is_zero() {
                tokio::time::sleep(rest).await;
            }
        }
    }

    /// Acquires a host exclusively, after releasing the previous one: holding one while waiting for
    /// another could deadlock.
    #[expect(clippy::disallowed_methods, reason = "another scan is using this host")]
    async fn acquire_host(&mut self, host: &str) -> Result<(), FetchError> {
        if self.held.as_ref().is_some_and(|(held, _)| held == host) {
            return Ok(());
        }
        self.release_host().await?;
        for _ in 0..HOST_POLLS {
            let (now, run, name) = (self.app.clock.now(), self.run, host.to_owned());
            let held = self
                .app
                .store
                .write(move |tx| scan::claim_host(tx, &name, run, now, now.plus(LEASE)))
                .await
                .map_err(Error::from)?;
            if let Some(next_at) = held {
                self.held = Some((host.to_owned(), next_at));
                return Ok(());
            }
            tokio::time::sleep(HOST_POLL_INTERVAL).await;
        }
        Err(FetchError::Temporary("another scan of this host did not finish in time".to_owned()))
    }

    /// Releases the acquired host for other runs.
    pub(super) async fn release_host(&mut self) -> Result<(), Error> {
        let Some((host, next_at)) = self.held.take() else { return Ok(()) };
        let run = self.run;
        Ok(self.app.store.write(move |tx| scan::release_host(tx, &host, run, next_at)).await?)
    }
}

/// The origin whose `robots.txt` applies to the URL.
fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn path(url: &Url) -> String {
    url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()))
}

/// The content type of a response.
pub(super) fn content_type(answer: &OutboundResponse) -> Option<String> {
    answer.headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).map(str::to_owned)
}
