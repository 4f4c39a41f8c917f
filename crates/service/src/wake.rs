//! Who on this node waits for what a change brings. What other nodes change wakes nobody here: whoever
//! waits also looks by themself from time to time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grantor_domain::id::TenantId;
use grantor_storage::{Changes, Matter};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// Everybody who waits.
#[derive(Debug, Default)]
pub struct Wakes {
    deliveries: Notify,
    pods: Notify,
    chores: Notify,
    feeds: Feeds,
}

impl Wakes {
    /// Wakes those whom these changes concern.
    pub(crate) fn follow(&self, changes: &Changes) {
        if changes.touch(Matter::Deliveries) {
            self.deliveries.notify_waiters();
        }
        if changes.touch(Matter::Pods) {
            self.pods.notify_waiters();
        }
        if changes.touch(Matter::Chores) {
            self.chores.notify_one();
        }
        for feed in changes.feeds() {
            self.feeds.wake(feed);
        }
    }

    /// The next change after which deliveries may be due.
    pub fn deliveries(&self) -> Notified<'_> {
        self.deliveries.notified()
    }

    /// The next change after which pods may be due.
    pub fn pods(&self) -> Notified<'_> {
        self.pods.notified()
    }

    /// The next change that leaves something to do, or one since this was last waited for.
    pub fn chores(&self) -> Notified<'_> {
        self.chores.notified()
    }

    /// Somebody who waits for events in one tenant's feed.
    #[must_use]
    pub fn listen(&self, feed: TenantId) -> Listener<'_> {
        let notify = Arc::clone(self.feeds.lock().entry(feed).or_default());
        Listener { feeds: &self.feeds, feed, notify }
    }

    /// How many feeds somebody waits for.
    #[must_use]
    pub fn listened_feeds(&self) -> usize {
        self.feeds.lock().len()
    }
}

/// The feeds that somebody waits for. The lock is never held for longer than one look.
#[derive(Debug, Default)]
struct Feeds(Mutex<HashMap<TenantId, Arc<Notify>>>);

impl Feeds {
    fn lock(&self) -> MutexGuard<'_, HashMap<TenantId, Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self, feed: TenantId) {
        if let Some(notify) = self.lock().get(&feed) {
            notify.notify_waiters();
        }
    }
}

/// Somebody who waits for one feed; leaves by being dropped.
#[derive(Debug)]
pub struct Listener<'a> {
    feeds: &'a Feeds,
    feed: TenantId,
    notify: Arc<Notify>,
}

impl Listener<'_> {
    /// The next event of the feed.
    pub fn told(&self) -> Notified<'_> {
        self.notify.notified()
    }
}

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        let mut feeds = self.feeds.lock();
        // The map's own and this one: nobody else listens.
        if Arc::strong_count(&self.notify) == 2 {
            feeds.remove(&self.feed);
        }
    }
}
