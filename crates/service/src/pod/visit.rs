//! A visitor of sites: asks one host at a time, as `robots.txt` allows, with a pause between
//! requests, and rests where it is told to.

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
use crate::outbound::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use crate::outbound::{OutboundAnswer, OutboundError, OutboundRequest, Purpose, StatusCode};

/// How a visitor behaves.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The least pause between two requests to a host.
    pub pause: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self { pause: Duration::from_secs(1) }
    }
}

/// How often a host that another run has is asked for, and how many times.
const BUSY: (Duration, u32) = (Duration::from_millis(500), 240);
/// How often in a row a host may give no answer in one run.
const MOST_SILENCE: u32 = 5;
const RULES: &str = "/robots.txt";
/// The longest a site can put us off.
const LONGEST_REST: Duration = Duration::from_hours(7 * 24);

/// Why something was not read.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It will not be otherwise the next time.
    Lasting(String),
    /// It may be.
    Passing(String),
    /// The fault is ours.
    Fault(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Fault(error)
    }
}

/// What `robots.txt` of an origin says, or why it is not known.
type Rules = Result<Robots, Untold>;

/// Why it is not known what a site allows.
struct Untold {
    reason: String,
    /// Whether it will not be known the next time either.
    lasts: bool,
}

impl Untold {
    fn trouble(&self) -> Trouble {
        let trouble = if self.lasts { Trouble::Lasting } else { Trouble::Passing };
        trouble(self.reason.clone())
    }
}

/// One run's way through the sites.
pub(super) struct Visitor {
    app: App,
    run: RunId,
    pace: Pace,
    rules: HashMap<String, Rules>,
    /// The one host that is held, and from when on it may be asked.
    held: Option<(String, Timestamp)>,
    /// Hosts that asked to be left alone, until then.
    resting: HashMap<String, Timestamp>,
    /// How often in a row each host gave no answer.
    silent: HashMap<String, u32>,
    /// What was counted and is not written yet.
    pub(super) counts: RunCounts,
}

impl Visitor {
    pub(super) fn new(app: App, run: RunId, pace: Pace) -> Self {
        let (rules, resting, silent, counts) = Default::default();
        Self { app, run, pace, rules, held: None, resting, silent, counts }
    }

    /// When the last of the hosts that asked to be left alone may be asked again.
    pub(super) fn put_off(&self) -> Option<Timestamp> {
        self.resting.values().copied().max()
    }

    /// Reads what an address holds. Only 200 and 304 are answers.
    pub(super) async fn read(
        &mut self,
        purpose: Purpose,
        url: &Url,
        headers: HeaderMap,
    ) -> Result<OutboundAnswer, Trouble> {
        let host = url.host_str().unwrap_or_default().to_owned();
        self.hold(&host).await?;
        if !self.rules.contains_key(&origin(url)) {
            let rules = self.ask_rules(&host, url).await?;
            self.rules.insert(origin(url), rules);
        }
        let delay = match self.rules.get(&origin(url)) {
            Some(Ok(robots)) if robots.allows(&path(url)) => robots.delay(),
            Some(Ok(_)) => return Err(Trouble::Lasting("robots.txt does not allow it".to_owned())),
            Some(Err(untold)) => return Err(untold.trouble()),
            None => None,
        };
        let answer = self.ask(purpose, &host, url, headers, delay).await?;
        let answer = answer.map_err(|error| match error {
            OutboundError::Refused(_) | OutboundError::TooLarge => {
                Trouble::Lasting(error.to_string())
            }
            other => Trouble::Passing(other.to_string()),
        })?;
        match answer.status {
            StatusCode::OK | StatusCode::NOT_MODIFIED => Ok(answer),
            status => {
                let reason = format!("it was answered with the status {}", status.as_u16());
                let passes = status.is_server_error()
                    || matches!(status.as_u16(), 401 | 403 | 408 | 425 | 429);
                Err(if passes { Trouble::Passing(reason) } else { Trouble::Lasting(reason) })
            }
        }
    }

    /// A site that has no rules allows all; one that cannot say has to be left alone.
    async fn ask_rules(&mut self, host: &str, url: &Url) -> Result<Rules, Trouble> {
        let mut at = url.clone();
        at.set_path(RULES);
        at.set_query(None);
        let answer = self.ask(Purpose::Feed, host, &at, HeaderMap::new(), None).await?;
        let (reason, lasts) = match answer {
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
                (format!("was answered with the status {}", answer.status.as_u16()), false)
            }
            Err(error) => {
                (format!("could not be read: {error}"), matches!(error, OutboundError::Refused(_)))
            }
        };
        Ok(Err(Untold { reason: format!("robots.txt {reason}"), lasts }))
    }

    /// Sends one request when the host may be asked.
    async fn ask(
        &mut self,
        purpose: Purpose,
        host: &str,
        url: &Url,
        headers: HeaderMap,
        delay: Option<Duration>,
    ) -> Result<Result<OutboundAnswer, OutboundError>, Trouble> {
        if self.resting.contains_key(host) {
            return Err(Trouble::Passing("the host asked to be left alone".to_owned()));
        }
        if self.silent.get(host).is_some_and(|it| *it >= MOST_SILENCE) {
            return Err(Trouble::Passing("the host gave no answer too often".to_owned()));
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
        let silence = match answer {
            // Nothing was asked, or the answer led to where nothing may be asked.
            Ok(_) | Err(OutboundError::Refused(_)) => 0,
            Err(_) => self.silent.get(host).map_or(1, |it| it + 1),
        };
        self.silent.insert(host.to_owned(), silence);
        if let Ok(answer) = &answer
            && matches!(answer.status.as_u16(), 429 | 503)
        {
            let asked = answer.headers.get(RETRY_AFTER).and_then(|it| it.to_str().ok());
            let rest = asked.and_then(|it| parse_retry_after(it, now)).unwrap_or_default();
            self.resting.insert(host.to_owned(), now.plus(rest.min(LONGEST_REST)));
        }
        Ok(answer)
    }

    fn count(&mut self, url: &Url, answer: &Result<OutboundAnswer, OutboundError>) {
        self.counts.requests += 1;
        let failed = match answer {
            // That a site has no rules is no error.
            Ok(answer) if url.path() == RULES => answer.status.is_server_error(),
            Ok(answer) => answer.status.is_client_error() || answer.status.is_server_error(),
            Err(_) => true,
        };
        self.counts.errors += u32::from(failed);
        let outcome = if failed { "failed" } else { "answered" };
        counter!("grantor_scan_requests_total", "outcome" => outcome).increment(1);
    }

    #[expect(clippy::disallowed_methods, reason = "a polite visitor waits between requests")]
    async fn wait(&self) {
        if let Some((_, next_at)) = &self.held {
            let rest = next_at.since(self.app.clock.now());
            if !rest.is_zero() {
                tokio::time::sleep(rest).await;
            }
        }
    }

    /// Has a host alone, and gives back the one before: who holds one and waits for another could
    /// wait for ever.
    #[expect(clippy::disallowed_methods, reason = "another run has the host")]
    async fn hold(&mut self, host: &str) -> Result<(), Trouble> {
        if self.held.as_ref().is_some_and(|(held, _)| held == host) {
            return Ok(());
        }
        self.give_back().await?;
        for _ in 0..BUSY.1 {
            let (now, run, name) = (self.app.clock.now(), self.run, host.to_owned());
            let held = self
                .app
                .store
                .write(move |tx| scan::hold(tx, &name, run, now, now.plus(LEASE)))
                .await
                .map_err(Error::from)?;
            if let Some(next_at) = held {
                self.held = Some((host.to_owned(), next_at));
                return Ok(());
            }
            tokio::time::sleep(BUSY.0).await;
        }
        Err(Trouble::Passing("another scan of this host did not end in time".to_owned()))
    }

    /// Lets another run ask the host that was held.
    pub(super) async fn give_back(&mut self) -> Result<(), Error> {
        let Some((host, next_at)) = self.held.take() else { return Ok(()) };
        let run = self.run;
        Ok(self.app.store.write(move |tx| scan::release(tx, &host, run, next_at)).await?)
    }
}

/// Whose `robots.txt` counts for an address.
fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn path(url: &Url) -> String {
    url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()))
}

/// What an answer says it is.
pub(super) fn content_type(answer: &OutboundAnswer) -> Option<String> {
    answer.headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).map(str::to_owned)
}
