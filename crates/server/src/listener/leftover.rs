//! What is left of a request that was answered early, and how much of it is read all the same.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use tokio::time::Sleep;

use super::stream::{DRAIN_BYTES, deadline};

/// The rest of one request's body, if its handler left one.
pub(super) struct Leftover {
    slot: Slot,
    time: Duration,
    left: usize,
    deadline: Option<Pin<Box<Sleep>>>,
}

type Slot = Arc<Mutex<Option<Body>>>;

/// The way for a body into its [`Leftover`].
pub(super) struct Keeper(Slot);

impl Keeper {
    pub(super) fn keep(&self, body: Body) {
        *lock(&self.0) = Some(body);
    }
}

impl Leftover {
    /// Nothing yet. What will be left may take so long to arrive.
    pub(super) fn new(time: Duration) -> Self {
        Self { slot: Slot::default(), time, left: DRAIN_BYTES, deadline: None }
    }

    pub(super) fn keeper(&self) -> Keeper {
        Keeper(Arc::clone(&self.slot))
    }

    pub(super) fn is_empty(&self) -> bool {
        lock(&self.slot).is_none()
    }

    /// Reads and throws away until the peer ends, so much or so long.
    pub(super) fn poll_drained(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut slot = lock(&self.slot);
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

fn lock(slot: &Slot) -> MutexGuard<'_, Option<Body>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut leftover = Leftover::new(LONG);
        leftover.keeper().keep(Body::from_stream(blocks));
        poll_fn(|context| leftover.poll_drained(context)).await;
        assert_eq!(read.load(Ordering::Relaxed), DRAIN_BYTES);
        assert!(leftover.is_empty());
    }

    #[tokio::test]
    async fn a_body_that_does_not_arrive_is_given_up() {
        let silent = stream::pending::<Result<Bytes, std::io::Error>>();
        let mut leftover = Leftover::new(Duration::from_millis(10));
        leftover.keeper().keep(Body::from_stream(silent));
        poll_fn(|context| leftover.poll_drained(context)).await;
        assert!(leftover.is_empty());
    }
}
