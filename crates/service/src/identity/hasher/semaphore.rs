//! A semaphore that is fair between client addresses. Waiters get permits round-robin by address,
//! so a flood of sign-ins from one address delays other addresses by at most one permit.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grantor_domain::{Error, Result};
use tokio::sync::oneshot;

use crate::operations::limit::Subject;

/// The maximum number of waiters per address. Further callers get an error.
const MAX_WAITING: usize = 256;

/// The queue of a caller: one per address, and one for callers without an address.
pub(super) type QueueKey = Option<Subject>;

/// A fair semaphore. Clones share its permits.
#[derive(Clone, Debug)]
pub(super) struct FairSemaphore(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    free: usize,
    waiting: HashMap<QueueKey, VecDeque<oneshot::Sender<Permit>>>,
    /// The order in which queues are served. Each non-empty queue is in it once.
    rotation: VecDeque<QueueKey>,
}

/// A permit, released on drop.
#[derive(Debug)]
pub(super) struct Permit(Option<FairSemaphore>);

impl FairSemaphore {
    pub(super) fn new(permits: usize) -> Self {
        let (waiting, rotation) = (HashMap::new(), VecDeque::new());
        Self(Arc::new(Mutex::new(State { free: permits.max(1), waiting, rotation })))
    }

    /// Waits for a permit. Cancel safe: a dropped waiter is skipped.
    pub(super) async fn acquire(&self, key: QueueKey) -> Result<Permit> {
        let permit = {
            let mut state = self.lock();
            if state.free > 0 {
                state.free -= 1;
                return Ok(Permit(Some(self.clone())));
            }
            state.enqueue(key)?
        };
        permit.await.map_err(|_| Error::internal("the password hasher dropped a waiter"))
    }

    /// Passes a released permit to the next waiter, or makes it available.
    fn release(&self) {
        let mut state = self.lock();
        while let Some(waiter) = state.next() {
            match waiter.send(Permit(Some(self.clone()))) {
                Ok(()) => return,
                // The waiter is gone. Disarm its permit: dropping it would take the lock again.
                Err(mut permit) => drop(permit.0.take()),
            }
        }
        state.free += 1;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn enqueue(&mut self, key: QueueKey) -> Result<oneshot::Receiver<Permit>> {
        if !self.waiting.contains_key(&key) {
            self.rotation.push_back(key);
        }
        let queue = self.waiting.entry(key).or_default();
        if queue.len() >= MAX_WAITING {
            queue.retain(|it| !it.is_closed());
        }
        if queue.len() >= MAX_WAITING {
            return Err(Error::unavailable("too many sign-ins are waiting from one address"));
        }
        let (waiter, permit) = oneshot::channel();
        queue.push_back(waiter);
        Ok(permit)
    }

    fn next(&mut self) -> Option<oneshot::Sender<Permit>> {
        loop {
            let key = self.rotation.pop_front()?;
            let Some(queue) = self.waiting.get_mut(&key) else { continue };
            let waiter = queue.pop_front();
            if queue.is_empty() {
                self.waiting.remove(&key);
            } else {
                self.rotation.push_back(key);
            }
            if waiter.is_some() {
                return waiter;
            }
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(semaphore) = self.0.take() {
            semaphore.release();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use futures_util::FutureExt;
    use futures_util::future::join_all;

    use super::*;

    const fn address(number: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(192, 0, 2, number))
    }

    async fn acquire(semaphore: &FairSemaphore, from: IpAddr) -> Result<Permit> {
        semaphore.acquire(Some(Subject::address(from))).await
    }

    /// Returns the position at which the owner's sign-in is served after 255 of a stranger.
    async fn position_of_owner(owner: IpAddr) -> usize {
        let (semaphore, order) = (FairSemaphore::new(1), Mutex::new(vec![]));
        let running = acquire(&semaphore, address(1)).await.unwrap();
        let sign_in = |who: &'static str, from| {
            let (semaphore, order) = (&semaphore, &order);
            async move {
                let _permit = acquire(semaphore, from).await.unwrap();
                order.lock().unwrap().push(who);
            }
        };
        let mut strangers = Box::pin(join_all((0..255).map(|_| sign_in("stranger", address(1)))));
        assert!((&mut strangers).now_or_never().is_none(), "all of them wait");
        let mut own = Box::pin(sign_in("owner", owner));
        assert!((&mut own).now_or_never().is_none());
        drop(running);
        futures_util::future::join(strangers, own).await;
        let order = order.into_inner().unwrap();
        assert_eq!(order.len(), 256);
        order.iter().position(|it| *it == "owner").unwrap()
    }

    #[tokio::test]
    async fn a_crowd_of_one_address_is_overtaken_by_another() {
        assert_eq!(position_of_owner(address(2)).await, 1, "after one stranger");
        // From the same address, the owner waits for all of them.
        assert_eq!(position_of_owner(address(1)).await, 255);
    }

    #[tokio::test]
    async fn who_stops_waiting_takes_no_turn() {
        let semaphore = FairSemaphore::new(1);
        let running = semaphore.acquire(None).await.unwrap();
        let mut gone = Box::pin(acquire(&semaphore, address(1)));
        let mut stays = Box::pin(acquire(&semaphore, address(2)));
        assert!((&mut gone).now_or_never().is_none() && (&mut stays).now_or_never().is_none());
        drop(gone);
        drop(running);
        drop(stays.await.unwrap());
        let state = semaphore.lock();
        assert_eq!((state.free, state.waiting.len(), state.rotation.len()), (1, 0, 0));
    }

    #[tokio::test]
    async fn a_turn_that_is_never_taken_up_goes_to_the_next() {
        let semaphore = FairSemaphore::new(1);
        let running = semaphore.acquire(None).await.unwrap();
        let mut given = Box::pin(acquire(&semaphore, address(1)));
        assert!((&mut given).now_or_never().is_none());
        drop(running);
        drop(given);
        assert_eq!(semaphore.lock().free, 1);
    }

    #[tokio::test]
    async fn no_more_wait_for_one_address_than_there_is_room_for() {
        let semaphore = FairSemaphore::new(1);
        let running = semaphore.acquire(None).await.unwrap();
        let mut all: Vec<_> =
            (0..=MAX_WAITING).map(|_| Box::pin(acquire(&semaphore, address(1)))).collect();
        let ended = all.iter_mut().filter_map(FutureExt::now_or_never);
        assert_eq!(ended.filter(Result::is_err).count(), 1);
        let mut other = Box::pin(acquire(&semaphore, address(2)));
        assert!((&mut other).now_or_never().is_none(), "another address has its own queue");
        drop((running, all));
        other.await.unwrap();
    }
}
