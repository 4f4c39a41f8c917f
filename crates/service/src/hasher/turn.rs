//! Turns at the hasher. They go around by address: however many sign-ins one address sends at once,
//! whoever comes from another waits for one of them and not for all.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grantor_domain::{Error, Result};
use tokio::sync::oneshot;

use crate::limit::Subject;

/// How many may wait for one address. Beyond that a caller is told to come back.
const MOST_WAITING: usize = 256;

/// Who waits together: callers of one address, and everything that has none.
pub(super) type Lane = Option<Subject>;

/// So many turns at once. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Turns(Arc<Mutex<Line>>);

#[derive(Debug)]
struct Line {
    free: usize,
    waiting: HashMap<Lane, VecDeque<oneshot::Sender<Turn>>>,
    /// Whose turn comes next. An address in which somebody waits is in it once.
    rotation: VecDeque<Lane>,
}

/// A turn; it ends when it is dropped.
#[derive(Debug)]
pub(super) struct Turn(Option<Turns>);

impl Turns {
    pub(super) fn new(at_once: usize) -> Self {
        let (waiting, rotation) = (HashMap::new(), VecDeque::new());
        Self(Arc::new(Mutex::new(Line { free: at_once.max(1), waiting, rotation })))
    }

    /// Waits for a turn. Whoever stops waiting leaves their place to the next.
    pub(super) async fn take(&self, lane: Lane) -> Result<Turn> {
        let turn = {
            let mut line = self.lock();
            if line.free > 0 {
                line.free -= 1;
                return Ok(Turn(Some(self.clone())));
            }
            line.join(lane)?
        };
        turn.await.map_err(|_| Error::internal("a turn at the hasher was lost"))
    }

    /// Gives a turn that ended to whoever is next, or back.
    fn pass_on(&self) {
        let mut line = self.lock();
        while let Some(waiter) = line.next() {
            match waiter.send(Turn(Some(self.clone()))) {
                Ok(()) => return,
                // Nobody waits there any more. The lock is held: this turn must not end by itself.
                Err(mut unwanted) => drop(unwanted.0.take()),
            }
        }
        line.free += 1;
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    fn join(&mut self, lane: Lane) -> Result<oneshot::Receiver<Turn>> {
        if !self.waiting.contains_key(&lane) {
            self.rotation.push_back(lane);
        }
        let queue = self.waiting.entry(lane).or_default();
        if queue.len() >= MOST_WAITING {
            queue.retain(|it| !it.is_closed());
        }
        if queue.len() >= MOST_WAITING {
            return Err(Error::unavailable("one address waits for too many passwords"));
        }
        let (waiter, turn) = oneshot::channel();
        queue.push_back(waiter);
        Ok(turn)
    }

    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        loop {
            let lane = self.rotation.pop_front()?;
            let Some(queue) = self.waiting.get_mut(&lane) else { continue };
            let waiter = queue.pop_front();
            if queue.is_empty() {
                self.waiting.remove(&lane);
            } else {
                self.rotation.push_back(lane);
            }
            if waiter.is_some() {
                return waiter;
            }
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.0.take() {
            turns.pass_on();
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

    async fn take(turns: &Turns, from: IpAddr) -> Result<Turn> {
        turns.take(Some(Subject::address(from))).await
    }

    /// The place in which the owner's one sign-in is served that comes after 255 of a stranger.
    async fn place_of_the_owner(owner: IpAddr) -> usize {
        let (turns, order) = (Turns::new(1), Mutex::new(vec![]));
        let running = take(&turns, address(1)).await.unwrap();
        let sign_in = |who: &'static str, from| {
            let (turns, order) = (&turns, &order);
            async move {
                let _turn = take(turns, from).await.unwrap();
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
        assert_eq!(place_of_the_owner(address(2)).await, 1, "after one stranger");
        // The control: from the same address one waits for all of them.
        assert_eq!(place_of_the_owner(address(1)).await, 255);
    }

    #[tokio::test]
    async fn who_stops_waiting_takes_no_turn() {
        let turns = Turns::new(1);
        let running = turns.take(None).await.unwrap();
        let mut gone = Box::pin(take(&turns, address(1)));
        let mut stays = Box::pin(take(&turns, address(2)));
        assert!((&mut gone).now_or_never().is_none() && (&mut stays).now_or_never().is_none());
        drop(gone);
        drop(running);
        drop(stays.await.unwrap());
        let line = turns.lock();
        assert_eq!((line.free, line.waiting.len(), line.rotation.len()), (1, 0, 0));
    }

    #[tokio::test]
    async fn a_turn_that_is_never_taken_up_goes_to_the_next() {
        let turns = Turns::new(1);
        let running = turns.take(None).await.unwrap();
        let mut given = Box::pin(take(&turns, address(1)));
        assert!((&mut given).now_or_never().is_none());
        drop(running);
        drop(given);
        assert_eq!(turns.lock().free, 1);
    }

    #[tokio::test]
    async fn no_more_wait_for_one_address_than_there_is_room_for() {
        let turns = Turns::new(1);
        let running = turns.take(None).await.unwrap();
        let mut all: Vec<_> =
            (0..=MOST_WAITING).map(|_| Box::pin(take(&turns, address(1)))).collect();
        let ended = all.iter_mut().filter_map(FutureExt::now_or_never);
        assert_eq!(ended.filter(Result::is_err).count(), 1);
        let mut other = Box::pin(take(&turns, address(2)));
        assert!((&mut other).now_or_never().is_none(), "another address has room of its own");
        drop((running, all));
        other.await.unwrap();
    }
}
