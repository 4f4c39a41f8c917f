//! Tracks what a connection is doing: receiving a head, handling requests, or idling. This decides
//! which timeout applies.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use futures_util::task::AtomicWaker;
use tokio::time::{Instant, Sleep};

use super::frames::Frames;
use super::heads::Heads;
use super::timeouts::Timeouts;

/// The first bytes of an HTTP/2 connection. Until one differs or all arrived, the version is
/// unknown.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The state of one connection, shared by its stream, its service and its timeout.
#[derive(Debug)]
pub(super) struct Activity {
    state: Mutex<State>,
    watcher: AtomicWaker,
}

#[derive(Debug)]
struct State {
    version: Version,
    /// When the current head started to arrive.
    head_since: Option<Instant>,
    /// When the connection became idle.
    idle_since: Instant,
    /// The number of active requests.
    open: usize,
    /// The number of responses being sent.
    sending: usize,
    /// When the peer last read part of a response.
    taken_at: Instant,
    /// When the server told the peer that it closes the connection.
    closing_since: Option<Instant>,
    /// Whether a response was sent before its request was read to the end.
    cut_short: bool,
    /// Whether the rest of the peer's data is being discarded.
    draining: bool,
}

#[derive(Debug)]
enum Version {
    /// The bytes of the preface that have not arrived yet.
    Unknown(&'static [u8]),
    /// The heads that have not been read yet; `None` while a request with a body is active.
    One(Option<Heads>),
    Two(Frames),
}

/// Which timeout expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expired {
    /// The peer took too long to send a head, to read a response or to close the connection.
    Stalled,
    /// The connection was idle for too long.
    Idle,
}

impl Activity {
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

    /// Processes bytes that arrived.
    pub(super) fn received(&self, bytes: &[u8]) {
        let mut state = self.lock();
        let state = &mut *state;
        let mut rest = bytes;
        if let Version::Unknown(missing) = &mut state.version {
            let common = bytes.len().min(missing.len());
            if bytes[..common] != missing[..common] {
                // The bytes that matched the preface so far are the start of an HTTP/1 line.
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
            // The bytes belong to a body.
            _ => false,
        };
        state.head_since = head_open.then(|| state.head_since.unwrap_or_else(now));
    }

    /// Starts a request. It is active until the returned value is dropped.
    pub(super) fn begin(self: &Arc<Self>, has_body: bool) -> ActiveRequest {
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
        ActiveRequest { activity: Arc::clone(self), sending: false }
    }

    /// The peer read more of a response. Sending a large one may continue after the handler ended.
    pub(super) fn sent(&self) {
        let mut state = self.lock();
        let now = now();
        (state.taken_at, state.idle_since) = (now, now);
    }

    /// The server told the peer that it closes the connection.
    pub(super) fn close(&self) {
        self.lock().closing_since = Some(now());
    }

    /// A response was sent before its request was read to the end.
    pub(super) fn cut_short(&self) {
        self.lock().cut_short = true;
    }

    /// Whether the peer may still be sending data that must be discarded. From then on only the
    /// stream's drain timeout applies.
    pub(super) fn begin_drain(&self) -> bool {
        let mut state = self.lock();
        let one = !matches!(state.version, Version::Two(_));
        state.draining = one && (state.cut_short || state.head_since.is_some());
        state.draining
    }

    /// Waits until a timeout expires. Poll it after everything else of the connection, which may
    /// change the deadline.
    pub(super) fn poll_expired(
        &self,
        context: &mut Context<'_>,
        timeouts: &Timeouts,
        mut alarm: Pin<&mut Sleep>,
    ) -> Poll<Expired> {
        self.watcher.register(context.waker());
        loop {
            let Some((deadline, expired)) = self.lock().deadline(timeouts) else {
                return Poll::Pending;
            };
            // An early alarm is harmless. Not moving it back saves work on busy connections.
            if alarm.deadline() > deadline || alarm.is_elapsed() {
                alarm.as_mut().reset(deadline);
            }
            ready!(alarm.as_mut().poll(context));
            if deadline <= alarm.deadline() {
                return Poll::Ready(expired);
            }
        }
    }
}

impl State {
    fn deadline(&self, timeouts: &Timeouts) -> Option<(Instant, Expired)> {
        if self.draining {
            return None;
        }
        let head = self.head_since.map(|since| (since + timeouts.head, Expired::Stalled));
        if self.open > 0 {
            let stuck = (self.taken_at + timeouts.response, Expired::Stalled);
            let stuck = Some(stuck).filter(|_| self.sending > 0);
            return head.into_iter().chain(stuck).min_by_key(|it| it.0);
        }
        let idle = match (self.closing_since, &self.version) {
            (Some(since), _) => (since.max(self.idle_since) + timeouts.close, Expired::Stalled),
            (None, Version::Two(_)) => (self.idle_since + timeouts.http2_idle, Expired::Idle),
            (None, _) => (self.idle_since + timeouts.keep_alive, Expired::Idle),
        };
        match head {
            Some(head) if head.0 <= idle.0 => Some(head),
            // On HTTP/1 a connection that receives a head is not idle.
            Some(head) if !matches!(self.version, Version::Two(_)) => Some(head),
            _ => Some(idle),
        }
    }
}

/// A request that is being handled.
#[derive(Debug)]
pub(super) struct ActiveRequest {
    activity: Arc<Activity>,
    /// Whether the response is being sent.
    sending: bool,
}

impl ActiveRequest {
    /// The response is ready: from now on the peer must read it in time.
    pub(super) fn send(&mut self) {
        let mut state = self.activity.lock();
        (self.sending, state.sending, state.taken_at) = (true, state.sending + 1, now());
        // HTTP/2 streams run in their own tasks, so the connection's task must be woken.
        if state.sending == 1 && matches!(state.version, Version::Two(_)) {
            self.activity.watcher.wake();
        }
    }

    /// The peer is ready for more of the response.
    pub(super) fn progressed(&self) {
        self.activity.lock().taken_at = now();
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        let mut state = self.activity.lock();
        let state = &mut *state;
        state.sending -= usize::from(self.sending);
        state.open -= 1;
        if state.open > 0 {
            return;
        }
        state.idle_since = now();
        match &mut state.version {
            // HTTP/2 streams end in their own tasks, so the connection's task must be woken.
            Version::Two(_) => self.activity.watcher.wake(),
            // The next head started to arrive together with the request before it.
            Version::One(Some(heads)) if heads.is_next_begun() => {
                state.head_since = Some(state.idle_since);
            }
            Version::One(Some(_)) => {}
            version => *version = Version::One(Some(Heads::default())),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "timeouts of a connection")]
fn now() -> Instant {
    Instant::now()
}
