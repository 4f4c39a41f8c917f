//! The queue of a pool: units that wait for a thread, and threads that wait for a unit.
//!
//! Of the waiting threads, the one that became idle last takes the next unit. Its connection still
//! has the statements and pages of its last units, and connections beyond what the load needs are
//! not even opened.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many units may wait before new ones are rejected.
const LIMIT: usize = 1_024;

/// Returns both ends of a new queue, which closes when the last sender is dropped.
pub(super) fn queue<T>() -> (Sender<T>, Receiver<T>) {
    let shared = Arc::new(Shared(Mutex::new(State {
        units: VecDeque::new(),
        idle: Vec::new(),
        is_closed: false,
    })));
    let receiver = Receiver { shared: Arc::clone(&shared), bell: Arc::default() };
    (Sender(Arc::new(Entrance(shared))), receiver)
}

/// Puts units into the queue.
pub(super) struct Sender<T>(Arc<Entrance<T>>);

/// Takes units from the queue. Each thread has its own.
pub(super) struct Receiver<T> {
    shared: Arc<Shared<T>>,
    bell: Arc<Condvar>,
}

/// Closes the queue when it is dropped.
struct Entrance<T>(Arc<Shared<T>>);

struct Shared<T>(Mutex<State<T>>);

struct State<T> {
    units: VecDeque<T>,
    /// The bells of the waiting threads; the last one became idle last.
    idle: Vec<Arc<Condvar>>,
    is_closed: bool,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Sender<T> {
    /// Queues a unit, or returns it if too many are waiting.
    pub(super) fn try_send(&self, unit: T) -> Result<(), T> {
        let mut state = self.0.0.lock();
        if state.units.len() >= LIMIT {
            return Err(unit);
        }
        state.units.push_back(unit);
        let bell = state.idle.pop();
        drop(state);
        if let Some(bell) = bell {
            bell.notify_one();
        }
        Ok(())
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl<T> Drop for Entrance<T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.is_closed = true;
        for bell in state.idle.drain(..) {
            bell.notify_one();
        }
    }
}

impl<T> Receiver<T> {
    /// Waits for a unit. Returns `None` once the queue is closed and empty.
    pub(super) fn recv(&self) -> Option<T> {
        let mut state = self.shared.lock();
        loop {
            if let Some(unit) = state.units.pop_front() {
                return Some(unit);
            }
            if state.is_closed {
                return None;
            }
            state.idle.push(Arc::clone(&self.bell));
            state = self.bell.wait(state).unwrap_or_else(PoisonError::into_inner);
            // A thread may wake up without its bell, or for a unit that a busy one took meanwhile.
            state.idle.retain(|it| !Arc::ptr_eq(it, &self.bell));
        }
    }

    /// Takes a unit if one is waiting.
    pub(super) fn try_recv(&self) -> Option<T> {
        self.shared.lock().units.pop_front()
    }

    /// Waits this long, or until the queue closes. Returns whether it is closed.
    pub(super) fn closes_within(&self, time: Duration) -> bool {
        let mut state = self.shared.lock();
        state.idle.push(Arc::clone(&self.bell));
        let woken = self.bell.wait_timeout_while(state, time, |it| !it.is_closed);
        state = woken.unwrap_or_else(PoisonError::into_inner).0;
        state.idle.retain(|it| !Arc::ptr_eq(it, &self.bell));
        state.is_closed
    }
}

/// The receiver of another thread.
impl<T> Clone for Receiver<T> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), bell: Arc::default() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    /// Starts a thread that reports its name with each unit, and waits until it is idle.
    fn start(name: char, receiver: Receiver<u32>, seen: &mpsc::Sender<(char, u32)>) {
        let (seen, shared) = (seen.clone(), Arc::clone(&receiver.shared));
        let idle = shared.lock().idle.len();
        thread::spawn(move || {
            while let Some(unit) = receiver.recv() {
                seen.send((name, unit)).unwrap();
            }
        });
        wait_for_idle(&shared, idle + 1);
    }

    fn wait_for_idle(shared: &Shared<u32>, count: usize) {
        while shared.lock().idle.len() < count {
            thread::yield_now();
        }
    }

    #[test]
    fn the_thread_that_became_idle_last_takes_the_next_unit() {
        let (sender, receiver) = queue();
        let (report, seen) = mpsc::channel();
        let shared = Arc::clone(&receiver.shared);
        for name in ['a', 'b', 'c'] {
            start(name, receiver.clone(), &report);
        }
        for unit in 0..5 {
            sender.try_send(unit).unwrap();
            assert_eq!(seen.recv().unwrap(), ('c', unit));
            wait_for_idle(&shared, 3);
        }
    }

    #[test]
    fn what_was_queued_is_taken_in_order_also_after_the_end() {
        let (sender, receiver) = queue();
        for unit in 0..3 {
            sender.clone().try_send(unit).unwrap();
        }
        drop(sender);
        assert_eq!(receiver.try_recv(), Some(0));
        assert_eq!([receiver.recv(), receiver.recv(), receiver.recv()], [Some(1), Some(2), None]);
    }

    #[test]
    fn more_than_the_limit_is_refused() {
        let (sender, receiver) = queue();
        for unit in 0..LIMIT {
            sender.try_send(unit).unwrap();
        }
        assert_eq!(sender.try_send(LIMIT), Err(LIMIT));
        assert_eq!(receiver.recv(), Some(0));
        assert_eq!(sender.try_send(LIMIT), Ok(()));
    }

    #[test]
    fn waiting_threads_end_when_it_closes() {
        let (sender, receiver) = queue::<u32>();
        let (other, shared) = (receiver.clone(), Arc::clone(&receiver.shared));
        let waiting = thread::spawn(move || other.recv());
        let watching = thread::spawn(move || receiver.closes_within(Duration::from_mins(1)));
        wait_for_idle(&shared, 2);
        drop(sender);
        assert_eq!(waiting.join().unwrap(), None);
        assert!(watching.join().unwrap());
    }
}
