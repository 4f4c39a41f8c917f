//! Reads and discards the rest of a request body that the handler left unread.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use tokio::time::Sleep;

use super::stream::{DRAIN_BYTES, deadline};

/// The unread rest of one request's body, if there is one.
pub(super) struct UnreadBody {
    body: SharedBody,
    time: Duration,
    left: usize,
    deadline: Option<Pin<Box<Sleep>>>,
}

type SharedBody = Arc<Mutex<Option<Body>>>;

/// Stores a body in its [`UnreadBody`].
pub(super) struct UnreadBodySlot(SharedBody);

impl UnreadBodySlot {
    pub(super) fn store(&self, body: Body) {
        *lock(&self.0) = Some(body);
    }
}

impl UnreadBody {
    /// Empty at first. Reading the rest of the body may take this long.
    pub(super) fn new(time: Duration) -> Self {
        Self { body: SharedBody::default(), time, left: DRAIN_BYTES, deadline: None }
    }

    pub(super) fn slot(&self) -> UnreadBodySlot {
        UnreadBodySlot(Arc::clone(&self.body))
    }

    pub(super) fn is_empty(&self) -> bool {
        lock(&self.body).is_none()
    }

    /// Reads and discards until the body ends, or until the byte limit or the deadline is reached.
    pub(super) fn poll_drained(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut slot = lock(&self.body);
        let Some(body) = slot.as_mut() else { return Poll::Ready(()) };
        let alarm = self.deadline.get_or_insert_with(|| deadline(self.time));
        while self.left > 0 && alarm.as_mut().poll(context).is_pending() {
            let Some(Ok(frame)) = ready!(Pin::new(&mut *body).poll_frame(context)) else { break };
            let count = frame.data_ref().map_or(0, Bytes::len);
            self.left = self.left.saturating_sub(count);
        }
        *slot = None;
        Poll::Ready(())
    }
}

fn lock(body: &SharedBody) -> MutexGuard<'_, Option<Body>> {
    body.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::stream;

    use super::*;

    const BLOCK: usize = 1024 * 1024;
    const LONG: Duration = Duration::from_hours(1);

    #[tokio::test]
    async fn an_endless_body_is_read_to_its_bound() {
        let read = Arc::new(AtomicUsize::new(0));
        let (counted, block) = (Arc::clone(&read), Bytes::from(vec![0; BLOCK]));
        let blocks = stream::repeat_with(move || {
            counted.fetch_add(BLOCK, Ordering::Relaxed);
            Ok::<_, std::io::Error>(block.clone())
        });
        let mut unread = UnreadBody::new(LONG);
        unread.slot().store(Body::from_stream(blocks));
        poll_fn(|context| unread.poll_drained(context)).await;
        assert_eq!(read.load(Ordering::Relaxed), DRAIN_BYTES);
        assert!(unread.is_empty());
    }

    #[tokio::test]
    async fn a_body_that_does_not_arrive_is_given_up() {
        let silent = stream::pending::<Result<Bytes, std::io::Error>>();
        let mut unread = UnreadBody::new(Duration::from_millis(10));
        unread.slot().store(Body::from_stream(silent));
        poll_fn(|context| unread.poll_drained(context)).await;
        assert!(unread.is_empty());
    }
}
