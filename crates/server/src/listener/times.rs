//! How long a connection may take for what.

use std::time::Duration;

/// Bounds of one connection. Tests have shorter ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Times {
    /// The head of a request, from its first byte; of the first one, from the connection's start.
    pub(super) head: Duration,
    /// HTTP/1 between two requests.
    pub(super) keep_alive: Duration,
    /// HTTP/2 without an open stream.
    pub(super) http2_idle: Duration,
    /// HTTP/2 between two pings.
    pub(super) ping: Duration,
    /// The answer to a ping.
    pub(super) pong: Duration,
    /// What a peer has to take more of an answer.
    pub(super) answer: Duration,
    /// What a peer has left to leave after GOAWAY.
    pub(super) farewell: Duration,
    /// What a peer has to send the rest of a body that was refused.
    pub(super) drain: Duration,
}

impl Times {
    /// Those of a server whose connections may idle so long: HTTP/2 a minute at most.
    pub(crate) fn new(keep_alive: Duration) -> Self {
        Self {
            head: Duration::from_secs(10),
            keep_alive,
            http2_idle: keep_alive.min(Duration::from_mins(1)),
            ping: Duration::from_secs(30),
            pong: Duration::from_secs(10),
            answer: Duration::from_mins(1),
            farewell: Duration::from_secs(10),
            drain: Duration::from_secs(5),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_documented() {
        let times = Times::new(Duration::from_secs(75));
        let seconds = [times.head, times.keep_alive, times.http2_idle, times.ping, times.pong];
        assert_eq!(seconds.map(|it| it.as_secs()), [10, 75, 60, 30, 10]);
        assert_eq!(times.answer.as_secs(), 60);
        assert_eq!(Times::new(Duration::from_secs(5)).http2_idle.as_secs(), 5);
    }
}
