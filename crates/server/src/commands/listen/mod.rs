//! `grantor listen`: forwards events to a developer's receiver, signed like webhooks. The receiver
//! needs no public address. No event is lost: the saved position in the feed moves on only after
//! the receiver answered with 2xx.

mod receiver;
mod state;

use std::io;
use std::time::Duration;

use grantor_client::{Client, Error, Event, EventPage, Retry};
use grantor_domain::Entropy;
use grantor_domain::secret::{Secret, SecretKind};

use self::receiver::Receiver;
use self::state::{Saved, State};
use super::backoff::{self, Backoff};
use super::client::environment::Environment;
use super::client::{connect, explain, retrying, seconds};
use super::say;
use crate::cli::Listen;
use crate::config::Config;
use crate::listener;
use crate::system::{SystemClock, SystemEntropy};

/// How long the server may wait for new events before it answers.
const LONG_POLL: Duration = Duration::from_secs(30);

/// Forwards events until a signal arrives or a permanent failure occurs.
pub(crate) async fn run(
    config: &Config,
    options: &Listen,
    environment: &Environment,
    out: &mut dyn io::Write,
) -> Result<(), String> {
    let stop = listener::stop_signal()?;
    // Retries are printed here, and go on for as long as it takes.
    let client = connect(config, environment, &options.connect)?.with_retry(Retry::never());
    let path = match &options.state {
        Some(path) => path.clone(),
        None => state::default_path(environment, client.url(), client.api_key())?,
    };
    let state = State::open(path, client.url(), client.api_key())?;
    tokio::select! {
        () = stop => say(out, "Stopped. The next run continues from here."),
        ended = Forwarder { client, out }.run(state, options) => ended,
    }
}

/// Reads the feed and prints progress.
struct Forwarder<'a> {
    client: Client,
    out: &'a mut dyn io::Write,
}

impl Forwarder<'_> {
    /// Reads and forwards until a permanent failure occurs.
    async fn run(mut self, mut state: State, options: &Listen) -> Result<(), String> {
        if !state.exists() {
            let saved = self.begin(options.from_start).await?;
            state.save(saved)?;
        }
        let saved = state.saved()?;
        let receiver = Receiver::new(&options.forward_to, &saved.secret, SystemClock::new())?;
        say(self.out, &format!("Server          {}", self.client.url()))?;
        say(self.out, &format!("API key         {}", self.client.api_key()))?;
        say(self.out, &format!("Forwarding to   {}", receiver.shown()))?;
        say(self.out, &format!("Signing secret  {}", saved.secret))?;
        say(self.out, &format!("State file      {}", state.path().display()))?;
        loop {
            let saved = state.saved()?.clone();
            let page = self.read(saved.cursor.as_deref(), LONG_POLL).await?;
            // After a restart, part of the page may already have been forwarded.
            for event in page.data.iter().filter(|it| it.sequence > saved.delivered) {
                self.forward(&receiver, event).await?;
                state.save(Saved { delivered: event.sequence, ..state.saved()?.clone() })?;
            }
            if saved.cursor.as_ref() != Some(&page.next_cursor) {
                state.save(Saved { cursor: Some(page.next_cursor), ..state.saved()?.clone() })?;
            }
        }
    }

    /// The state of the first run: a new secret, and the end of the feed unless `from_start`.
    async fn begin(&mut self, from_start: bool) -> Result<Saved, String> {
        let entropy: &dyn Entropy = &SystemEntropy;
        let secret = Secret::generate(SecretKind::Webhook, entropy).expose().to_owned();
        let (server, api_key) = (self.client.url().to_owned(), self.client.api_key().to_owned());
        let mut saved = Saved { server, api_key, secret, cursor: None, delivered: 0 };
        if from_start {
            return Ok(saved);
        }
        loop {
            let page = self.read(saved.cursor.as_deref(), Duration::ZERO).await?;
            saved.cursor = Some(page.next_cursor);
            if !page.has_more {
                return Ok(saved);
            }
        }
    }

    /// Returns the next page of the feed, retrying after temporary failures.
    async fn read(&mut self, after: Option<&str>, wait: Duration) -> Result<EventPage, String> {
        let mut backoff = Backoff::default();
        loop {
            match self.client.events(after, wait).await {
                Ok(page) => return Ok(page),
                Err(error) if is_temporary(&error) => {
                    let pause = backoff.next(error.retry_after());
                    say(self.out, &retrying(&error, pause))?;
                    backoff::wait(pause).await;
                }
                Err(error) => return Err(explain(&error)),
            }
        }
    }

    /// Sends an event until the receiver accepts it. Later events wait, so that the order is kept.
    async fn forward(&mut self, receiver: &Receiver, event: &Event) -> Result<(), String> {
        let mut backoff = Backoff::default();
        let line = format!("{} {} {}", event.sequence, event.kind, event.id);
        loop {
            match receiver.send(event).await {
                Ok(status) => return say(self.out, &format!("{line}: {status}")),
                Err(reason) => {
                    let pause = backoff.next(None);
                    let retry = seconds(pause);
                    say(self.out, &format!("{line}: {reason}; retrying in {retry}"))?;
                    backoff::wait(pause).await;
                }
            }
        }
    }
}

/// A token that the server has just issued and rejects will be accepted in a moment. A key or secret
/// that is not valid has another code.
fn is_temporary(error: &Error) -> bool {
    error.is_temporary() || matches!(error.code(), Some("UNAUTHORIZED" | "TOKEN_EXPIRED"))
}
