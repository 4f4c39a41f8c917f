//! What a connection is doing, as seen from its bytes and its requests: whether a head is
//! arriving, requests are being answered, or nothing happens. From this follows how long it may
//! stay as it is.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use futures_util::task::AtomicWaker;
use tokio::time::{Instant, Sleep};

use super::frames::Frames;
use super::heads::Heads;
use super::times::Times;

/// How HTTP/2 begins. Until a byte differs, or all are there, the version is not known.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The state of one connection, shared by its stream, its service and whoever watches its time.
#[derive(Debug)]
pub(super) struct Pulse {
    state: Mutex<State>,
    watcher: AtomicWaker,
}

#[derive(Debug)]
struct State {
    version: Version,
    /// Since when the head of a request has been arriving.
    head_since: Option<Instant>,
    /// Since when nothing has been asked.
    idle_since: Instant,
    /// Requests that are being answered.
    open: usize,
    /// Answers that are on their way.
    sending: usize,
    /// When the peer last took anything of an answer.
    taken_at: Instant,
    /// Since when the peer has known that the connection ends.
    closing_since: Option<Instant>,
    /// Whether a request was answered before all of it was read.
    cut_short: bool,
    /// Whether what the peer still sends is being thrown away.
    draining: bool,
}

#[derive(Debug)]
enum Version {
    /// What is left of the preface.
    Unknown(&'static [u8]),
    /// What was asked and not taken yet. Nothing while a request with a body is answered.
    One(Option<Heads>),
    Two(Frames),
}

/// Which time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// A head did not arrive in time, or a peer took nothing of an answer or did not leave in time.
    Patience,
    /// Nothing was asked for too long.
    Idle,
}

impl Pulse {
    pub(super) fn new() -> Arc<Self> {
        let now = now();
        let state = State {
            version: Version::Unknown(PREFACE),
            head_since: Some(now),
            idle_since: now,
            open: 0,
            sending: 0,
            taken_at: now,
            closing_since: None,
            cut_short: false,
            draining: false,
        };
        Arc::new(Self { state: Mutex::new(state), watcher: AtomicWaker::new() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of bytes that arrived.
    pub(super) fn received(&self, bytes: &[u8]) {
        let mut state = self.lock();
        let state = &mut *state;
        let mut rest = bytes;
        if let Version::Unknown(missing) = &mut state.version {
            let common = bytes.len().min(missing.len());
            if bytes[..common] != missing[..common] {
                // What agreed with the preface till now is the start of a line all the same.
                state.version = Version::One(Some(Heads::default()));
            } else if common < missing.len() {
                *missing = &missing[common..];
                return;
            } else {
                rest = &bytes[common..];
                state.version = Version::Two(Frames::default());
            }
        }
        let head_open = match &mut state.version {
            Version::Two(frames) => {
                frames.follow(rest);
                frames.is_head_open()
            }
            Version::One(Some(heads)) => {
                heads.follow(rest);
                state.open == 0
            }
            // These are the rest of a body.
            _ => false,
        };
        state.head_since = head_open.then(|| state.head_since.unwrap_or_else(now));
    }

    /// A request, with or without a body, arrived and is being answered until the ticket is
    /// dropped.
    pub(super) fn begin(self: &Arc<Self>, has_body: bool) -> Ticket {
        let mut state = self.lock();
        state.open += 1;
        match &mut state.version {
            Version::Two(_) => {}
            Version::One(Some(heads)) if !has_body => heads.take(),
            version => *version = Version::One(None),
        }
        if !matches!(state.version, Version::Two(_)) {
            state.head_since = None;
        }
        Ticket { pulse: Arc::clone(self), sending: false }
    }

    /// The peer took more of an answer. A large one may be on its way long after it was handed over.
    pub(super) fn sent(&self) {
        let mut state = self.lock();
        let now = now();
        (state.taken_at, state.idle_since) = (now, now);
    }

    /// The peer was told that the connection ends.
    pub(super) fn close(&self) {
        self.lock().closing_since = Some(now());
    }

    /// A request was answered before all of it was read.
    pub(super) fn cut_short(&self) {
        self.lock().cut_short = true;
    }

    /// Whether the peer may still be sending what nobody will read. If so, the stream keeps the
    /// time from here on.
    pub(super) fn begin_drain(&self) -> bool {
        let mut state = self.lock();
        let one = !matches!(state.version, Version::Two(_));
        state.draining = one && (state.cut_short || state.head_since.is_some());
        state.draining
    }

    /// Waits until a time is over. To be polled after everything else of the connection: what it
    /// did may have changed how long it may stay.
    pub(super) fn poll_over(
        &self,
        context: &mut Context<'_>,
        times: &Times,
        mut alarm: Pin<&mut Sleep>,
    ) -> Poll<Over> {
        self.watcher.register(context.waker());
        loop {
            let Some((deadline, over)) = self.lock().deadline(times) else { return Poll::Pending };
            // An alarm that is early does no harm, so that busy connections rarely move theirs.
            if alarm.deadline() > deadline || alarm.is_elapsed() {
                alarm.as_mut().reset(deadline);
            }
            ready!(alarm.as_mut().poll(context));
            if deadline <= alarm.deadline() {
                return Poll::Ready(over);
            }
        }
    }
}

impl State {
    fn deadline(&self, times: &Times) -> Option<(Instant, Over)> {
        if self.draining {
            return None;
        }
        let head = self.head_since.map(|since| (since + times.head, Over::Patience));
        if self.open > 0 {
            let stuck = (self.taken_at + times.answer, Over::Patience);
            let stuck = Some(stuck).filter(|_| self.sending > 0);
            return head.into_iter().chain(stuck).min_by_key(|it| it.0);
        }
        let idle = match (self.closing_since, &self.version) {
            (Some(since), _) => (since.max(self.idle_since) + times.farewell, Over::Patience),
            (None, Version::Two(_)) => (self.idle_since + times.http2_idle, Over::Idle),
            (None, _) => (self.idle_since + times.keep_alive, Over::Idle),
        };
        match head {
            Some(head) if head.0 <= idle.0 => Some(head),
            // A head that is arriving is no idleness on HTTP/1.
            Some(head) if !matches!(self.version, Version::Two(_)) => Some(head),
            _ => Some(idle),
        }
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub(super) struct Ticket {
    pulse: Arc<Pulse>,
    /// Whether the answer is there and on its way.
    sending: bool,
}

impl Ticket {
    /// The answer is there. From now on the peer is waited for.
    pub(super) fn send(&mut self) {
        let mut state = self.pulse.lock();
        (self.sending, state.sending, state.taken_at) = (true, state.sending + 1, now());
        // Streams are answered in tasks of their own. Whoever is woken waits for the lock.
        if state.sending == 1 && matches!(state.version, Version::Two(_)) {
            self.pulse.watcher.wake();
        }
    }

    /// The peer is ready for more of the answer.
    pub(super) fn went_on(&self) {
        self.pulse.lock().taken_at = now();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.pulse.lock();
        let state = &mut *state;
        state.sending -= usize::from(self.sending);
        state.open -= 1;
        if state.open > 0 {
            return;
        }
        state.idle_since = now();
        match &mut state.version {
            // Streams end in tasks of their own. Whoever is woken waits for the lock.
            Version::Two(_) => self.pulse.watcher.wake(),
            // The next head came together with the request before it.
            Version::One(Some(heads)) if heads.is_next_begun() => {
                state.head_since = Some(state.idle_since);
            }
            Version::One(Some(_)) => {}
            version => *version = Version::One(Some(Heads::default())),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "how long a peer may take")]
fn now() -> Instant {
    Instant::now()
}
