//! Fetches pages of sites politely: one host at a time, as `robots.txt` allows, with a pause
//! between requests, and honoring `Retry-After`.

use std::collections::HashMap;
use std::time::Duration;

use grantor_domain::delivery::parse_retry_after;
use grantor_domain::id::RunId;
use grantor_domain::network::Refusal;
use grantor_domain::robots::Robots;
use grantor_domain::scan::{LEASE, RunCounts};
use grantor_domain::{Error, Timestamp};
use grantor_storage::{Tx, scan};
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
/// How long a run waits for a host that rests; for a longer rest the host is left to a later run.
const MAX_REST: Duration = Duration::from_mins(1);
/// The longest `Retry-After` that is honored.
const MAX_BACKOFF: Duration = Duration::from_hours(7 * 24);

/// Why a URL could not be fetched.
#[derive(Debug)]
pub(in crate::watching) enum FetchError {
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

/// Whether a run has a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostState {
    /// The run has it.
    Held,
    /// Another run has it.
    Busy,
    /// It asked not to be requested before this time.
    RestsUntil(Timestamp),
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
pub(in crate::watching) struct Fetcher {
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
    /// The status of the last response to [`Self::read`].
    last_status: Option<u16>,
    /// Counts that are not written yet.
    pub(super) counts: RunCounts,
}

impl Fetcher {
    pub(in crate::watching) fn new(app: App, run: RunId, pace: Pace) -> Self {
        let (rules, backing_off, failures, counts) = Default::default();
        let (held, last_status) = (None, None);
        Self { app, run, pace, rules, held, backing_off, failures, last_status, counts }
    }

    /// The application.
    pub(super) fn app(&self) -> &App {
        &self.app
    }

    /// The status that the last [`Self::read`] got; `None` if there was no response.
    pub(in crate::watching) fn last_status(&self) -> Option<u16> {
        self.last_status
    }

    /// When all hosts that sent `Retry-After` accept requests again.
    pub(in crate::watching) fn retry_at(&self) -> Option<Timestamp> {
        self.backing_off.values().copied().max()
    }

    /// Fetches a URL. Any status but 200 and 304 is an error.
    pub(in crate::watching) async fn read(
        &mut self,
        purpose: Purpose,
        url: &Url,
        headers: HeaderMap,
    ) -> Result<OutboundResponse, FetchError> {
        self.last_status = None;
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
        let request = OutboundRequest { headers, ..OutboundRequest::get(url.as_str()) };
        let answer = self.send(purpose, &host, url, request, delay).await?.map_err(unanswered)?;
        self.last_status = Some(answer.status.as_u16());
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

    /// Calls the API of a hosted service with the operator's key, as politely as a site is read.
    /// `robots.txt` does not apply to clients that have a key. Any status is a response.
    pub(super) async fn call(
        &mut self,
        request: OutboundRequest,
    ) -> Result<OutboundResponse, FetchError> {
        let invalid = |error: url::ParseError| Error::internal(error.to_string());
        let url = Url::parse(&request.url).map_err(invalid)?;
        let host = url.host_str().unwrap_or_default().to_owned();
        self.acquire_host(&host).await?;
        let answer = self.send(Purpose::HostedApi, &host, &url, request, None).await?;
        answer.map_err(unanswered)
    }

    /// Fetches `robots.txt`. A site without one allows everything; a site whose `robots.txt` cannot
    /// be read must not be scanned.
    async fn fetch_rules(&mut self, host: &str, url: &Url) -> Result<Rules, FetchError> {
        let mut at = url.clone();
        at.set_path(ROBOTS_PATH);
        at.set_query(None);
        let request = OutboundRequest::get(at.as_str());
        let answer = self.send(Purpose::Feed, host, &at, request, None).await?;
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
            Ok(answer) => {
                let status = answer.status.as_u16();
                (format!("robots.txt returned status {status}"), false)
            }
            Err(error) if self.is_about_host(error, &at) => (error.to_string(), is_refused(error)),
            Err(error) => (format!("robots.txt could not be read: {error}"), is_refused(error)),
        };
        Ok(Err(UnknownRules { reason, permanent }))
    }

    /// Whether an error is about the host of a URL, so that it is the same for every address there.
    /// Otherwise the URL may just redirect to where requests may not go.
    fn is_about_host(&self, error: OutboundError, url: &Url) -> bool {
        match error {
            OutboundError::Refused(Refusal::OtherHost) => false,
            OutboundError::Refused(_) => {
                url.domain().is_some() || self.app.outbound.screen(url.as_str()).is_err()
            }
            OutboundError::Dns | OutboundError::Connect | OutboundError::Tls => true,
            _ => false,
        }
    }

    /// Sends one request as soon as the host's pause is over.
    async fn send(
        &mut self,
        purpose: Purpose,
        host: &str,
        url: &Url,
        request: OutboundRequest,
        delay: Option<Duration>,
    ) -> Result<Result<OutboundResponse, OutboundError>, FetchError> {
        if self.backing_off.contains_key(host) {
            return Err(rests());
        }
        if self.failures.get(host).is_some_and(|it| *it >= MAX_FAILURES) {
            return Err(FetchError::Temporary("too many requests to the host failed".to_owned()));
        }
        self.wait().await;
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
        for _ in 0..HOST_POLLS {
            match self.claim_host(host).await? {
                HostState::Held => return Ok(()),
                HostState::Busy => tokio::time::sleep(HOST_POLL_INTERVAL).await,
                HostState::RestsUntil(_) => return Err(rests()),
            }
        }
        Err(FetchError::Temporary("another scan of this host did not finish in time".to_owned()))
    }

    /// Tries to acquire the host of a URL, without waiting.
    pub(super) async fn try_host(&mut self, url: &Url) -> Result<HostState, Error> {
        self.claim_host(url.host_str().unwrap_or_default()).await
    }

    /// Releases another host and claims this one, unless it rests for long.
    async fn claim_host(&mut self, host: &str) -> Result<HostState, Error> {
        if self.held.as_ref().is_some_and(|(held, _)| held == host) {
            return Ok(HostState::Held);
        }
        self.release_host().await?;
        let (now, run, name) = (self.app.clock.now(), self.run, host.to_owned());
        let claim = move |tx: &mut Tx<'_>| scan::claim_host(tx, &name, run, now, now.plus(LEASE));
        let Some(next_at) = self.app.store.write(claim).await? else {
            return Ok(HostState::Busy);
        };
        self.held = Some((host.to_owned(), next_at));
        if next_at.since(now) <= MAX_REST {
            return Ok(HostState::Held);
        }
        self.backing_off.insert(host.to_owned(), next_at);
        self.release_host().await?;
        Ok(HostState::RestsUntil(next_at))
    }

    /// The sitemaps that `robots.txt` names for the site of a URL, if it was read.
    pub(super) fn sitemaps(&self, url: &Url) -> Vec<Url> {
        let Some(Ok(robots)) = self.rules.get(&origin(url)) else { return vec![] };
        robots.sitemaps().iter().filter_map(|it| url.join(it).ok()).collect()
    }

    /// Releases the acquired host for other runs, which honor its `Retry-After` too.
    pub(in crate::watching) async fn release_host(&mut self) -> Result<(), Error> {
        let Some((host, next_at)) = self.held.take() else { return Ok(()) };
        let rests_until = self.backing_off.get(&host).copied();
        let next_at = rests_until.map_or(next_at, |it| it.max(next_at));
        let run = self.run;
        Ok(self.app.store.write(move |tx| scan::release_host(tx, &host, run, next_at)).await?)
    }
}

fn is_refused(error: OutboundError) -> bool {
    matches!(error, OutboundError::Refused(_))
}

/// The error of a request that got no response.
fn unanswered(error: OutboundError) -> FetchError {
    match error {
        OutboundError::Refused(_) | OutboundError::TooLarge => {
            FetchError::Permanent(error.to_string())
        }
        other => FetchError::Temporary(other.to_string()),
    }
}

/// The error for a host that asked not to be requested for a while.
fn rests() -> FetchError {
    FetchError::Temporary("the host asked us to retry later".to_owned())
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
