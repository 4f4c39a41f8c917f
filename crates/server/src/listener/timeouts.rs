//! The timeouts of a connection.

use std::time::Duration;

/// The timeouts of one connection. Tests use shorter ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timeouts {
    /// For the head of a request, from its first byte; for the first head, from the connect.
    pub(super) head: Duration,
    /// For an idle HTTP/1 connection between two requests.
    pub(super) keep_alive: Duration,
    /// For an HTTP/2 connection without an open stream.
    pub(super) http2_idle: Duration,
    /// Between two HTTP/2 pings.
    pub(super) ping: Duration,
    /// For the reply to a ping.
    pub(super) pong: Duration,
    /// For a peer to read more of a response.
    pub(super) response: Duration,
    /// For a peer to close the connection after GOAWAY.
    pub(super) close: Duration,
    /// For a peer to send the rest of a refused body.
    pub(super) drain: Duration,
}

impl Timeouts {
    /// The server's timeouts. `keep_alive` is capped at a minute for HTTP/2.
    pub(crate) fn new(keep_alive: Duration) -> Self {
        Self {
            head: Duration::from_secs(10),
            keep_alive,
            http2_idle: keep_alive.min(Duration::from_mins(1)),
            ping: Duration::from_secs(30),
            pong: Duration::from_secs(10),
            response: Duration::from_mins(1),
            close: Duration::from_secs(10),
            drain: Duration::from_secs(5),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_documented() {
        let timeouts = Timeouts::new(Duration::from_secs(75));
        let Timeouts { head, keep_alive, http2_idle, ping, pong, response, .. } = timeouts;
        let seconds = [head, keep_alive, http2_idle, ping, pong, response];
        assert_eq!(seconds.map(|it| it.as_secs()), [10, 75, 60, 30, 10, 60]);
        assert_eq!(Timeouts::new(Duration::from_secs(5)).http2_idle.as_secs(), 5);
    }
}
