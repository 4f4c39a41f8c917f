//! When a failed request is sent again.

use std::time::Duration;

use crate::error::Error;

/// How often and after which pauses a request that failed for a moment is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How often a request is sent at most.
    pub attempts: u32,
    /// The first pause. Each further one is twice as long.
    pub first_pause: Duration,
    /// The longest pause. If the server asks for a longer one, the call fails at once.
    pub longest_pause: Duration,
}

impl Default for Retry {
    /// Three attempts, with pauses of at least half a second and at most a minute.
    fn default() -> Self {
        Self {
            attempts: 3,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_mins(1),
        }
    }
}

impl Retry {
    /// Sends each request once.
    #[must_use]
    pub fn never() -> Self {
        Self { attempts: 1, ..Self::default() }
    }

    /// The pause before the next attempt, or `None` if the error is final. A request that is not
    /// repeatable is only sent again if the server said that it did not process it.
    pub(crate) fn pause(&self, error: &Error, repeatable: bool, attempt: u32) -> Option<Duration> {
        // A proxy may answer with 503 although the server has processed the request.
        let unprocessed = error.status() == Some(429);
        if attempt >= self.attempts || !error.is_temporary() || !(repeatable || unprocessed) {
            return None;
        }
        let asked = error.retry_after().unwrap_or_default();
        let doubled = 2_u32.saturating_pow(attempt.saturating_sub(1));
        let grown = self.first_pause.saturating_mul(doubled).min(self.longest_pause);
        (asked <= self.longest_pause).then(|| grown.max(asked))
    }
}

#[cfg(test)]
mod tests {
    use reqwest::StatusCode;

    use super::*;
    use crate::error::Refusal;

    fn refused(status: StatusCode, seconds: Option<u64>) -> Error {
        let retry_after = seconds.map(Duration::from_secs);
        Error::Refused(Box::new(Refusal { retry_after, ..Refusal::read(status, b"") }))
    }

    #[test]
    fn pauses_double_and_heed_what_is_asked() {
        let retry = Retry { attempts: 10, ..Retry::default() };
        let broken = Error::Transport("broken".to_owned());
        let millis =
            [1, 2, 3, 9].map(|it| retry.pause(&broken, true, it).unwrap_or_default().as_millis());
        assert_eq!(millis, [500, 1_000, 2_000, 60_000]);
        let busy = |seconds| refused(StatusCode::TOO_MANY_REQUESTS, Some(seconds));
        assert_eq!(retry.pause(&busy(42), true, 1), Some(Duration::from_secs(42)));
        assert_eq!(retry.pause(&busy(61), true, 1), None, "too long");
        assert_eq!(retry.pause(&broken, true, 10), None, "the last attempt");
        assert_eq!(Retry::never().pause(&broken, true, 1), None);
    }

    #[test]
    fn what_may_have_been_done_is_not_done_twice() {
        let retry = Retry::default();
        let may = |error: &Error, repeatable| retry.pause(error, repeatable, 1).is_some();
        for error in [
            Error::Transport("broken".to_owned()),
            refused(StatusCode::INTERNAL_SERVER_ERROR, None),
            refused(StatusCode::SERVICE_UNAVAILABLE, None),
            refused(StatusCode::CONFLICT, Some(1)),
        ] {
            assert!(may(&error, true) && !may(&error, false), "{error}");
        }
        assert!(may(&refused(StatusCode::TOO_MANY_REQUESTS, None), false));
        assert!(!may(&refused(StatusCode::NOT_FOUND, None), true));
    }
}
