//! `grantor listen`: a developer's own receiver gets the events, signed as webhooks are, without an
//! address that the internet can reach. None is lost: where the feed is read on from is kept, and
//! moves on only when the receiver has answered with 2xx.

mod client;
mod credentials;
mod feed;
mod pause;
mod receiver;
mod state;

use std::ffi::OsString;
use std::io;
use std::time::Duration;

use grantor_domain::Entropy;
use grantor_domain::secret::{Secret, SecretKind};

use self::client::Failure;
use self::credentials::Credentials;
use self::feed::{Event, Feed, Page};
use self::pause::Pauses;
use self::receiver::Receiver;
use self::state::{Kept, State};
use super::say;
use crate::cli::Listen;
use crate::config::Config;
use crate::listener;
use crate::system::{SystemClock, SystemEntropy};

/// How long the server may hold a request back until there is something to tell.
const LONG_POLL: Duration = Duration::from_secs(30);

/// Forwards events until a signal comes or going on makes no sense.
pub(crate) async fn run(
    config: &Config,
    asked: Listen,
    environment: &[(OsString, OsString)],
    out: &mut dyn io::Write,
) -> Result<(), String> {
    let stop = listener::stop_signal()?;
    let credentials = Credentials::find(environment)?;
    let server = asked.server.clone().unwrap_or_else(|| super::public_url(config));
    let server = client::server_url(&server)?;
    let path = match &asked.state {
        Some(path) => path.clone(),
        None => state::default_path(environment, server.as_str(), &credentials.key)?,
    };
    let state = State::open(path, server.as_str(), &credentials.key)?;
    let feed = Feed::new(server, credentials)?;
    tokio::select! {
        () = stop => say(out, "Stopped; the next start goes on from here."),
        ended = Listening { feed, out }.follow(state, &asked) => ended,
    }
}

/// What is needed all along.
struct Listening<'a> {
    feed: Feed,
    out: &'a mut dyn io::Write,
}

impl Listening<'_> {
    /// Reads and forwards without end; only a fault that no patience mends comes back.
    async fn follow(mut self, mut state: State, asked: &Listen) -> Result<(), String> {
        if !state.is_begun() {
            let kept = self.begin(asked.from_start).await?;
            state.save(kept)?;
        }
        let kept = state.kept()?;
        let receiver = Receiver::new(&asked.forward_to, &kept.secret, SystemClock::new())?;
        say(self.out, &format!("Reading   {} as {}", self.feed.server(), self.feed.key()))?;
        say(self.out, &format!("Sending   to {}", receiver.shown()))?;
        say(self.out, &format!("Signing   with {}", kept.secret))?;
        say(self.out, &format!("Keeping   {}", state.path().display()))?;
        loop {
            let kept = state.kept()?.clone();
            let page = self.read(kept.cursor.as_deref(), LONG_POLL).await?;
            // A page that was forwarded in part before a restart comes again whole.
            for event in page.data.iter().filter(|it| it.sequence > kept.delivered) {
                self.forward(&receiver, event).await?;
                state.save(Kept { delivered: event.sequence, ..state.kept()?.clone() })?;
            }
            if kept.cursor.as_ref() != Some(&page.next_cursor) {
                state.save(Kept { cursor: Some(page.next_cursor), ..state.kept()?.clone() })?;
            }
        }
    }

    /// What is kept from the first use on: a secret, and where the feed ends now.
    async fn begin(&mut self, from_start: bool) -> Result<Kept, String> {
        let entropy: &dyn Entropy = &SystemEntropy;
        let secret = Secret::generate(SecretKind::Webhook, entropy).expose().to_owned();
        let mut kept = self.feed.nothing_kept(secret);
        if from_start {
            return Ok(kept);
        }
        loop {
            let page = self.read(kept.cursor.as_deref(), Duration::ZERO).await?;
            kept.cursor = Some(page.next_cursor);
            if !page.has_more {
                return Ok(kept);
            }
        }
    }

    /// The next part of the feed, however often it must be asked for.
    async fn read(&mut self, after: Option<&str>, wait: Duration) -> Result<Page, String> {
        let mut pauses = Pauses::default();
        loop {
            match self.feed.read(after, wait).await {
                Ok(page) => return Ok(page),
                Err(Failure::Lasting(what)) => return Err(what),
                Err(Failure::Passing { what, asked }) => {
                    let pause = pauses.next(asked);
                    say(self.out, &format!("{what}; again in {} s", pause.as_secs_f32()))?;
                    pause::rest(pause).await;
                }
            }
        }
    }

    /// Sends an event until it arrives. Those behind it wait, so that they come in order.
    async fn forward(&mut self, receiver: &Receiver, event: &Event) -> Result<(), String> {
        let mut pauses = Pauses::default();
        let told = format!("{} {} {}", event.sequence, event.kind, event.id);
        loop {
            match receiver.send(event).await {
                Ok(status) => return say(self.out, &format!("{told}: {status}")),
                Err(what) => {
                    let pause = pauses.next(None);
                    say(self.out, &format!("{told}: {what}; again in {} s", pause.as_secs_f32()))?;
                    pause::rest(pause).await;
                }
            }
        }
    }
}
