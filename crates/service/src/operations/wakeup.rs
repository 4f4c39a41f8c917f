//! Wakes tasks of this node that wait for a change. Changes of other nodes wake nobody here, so
//! waiting tasks also poll.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grantor_domain::id::TenantId;
use grantor_storage::{Changes, Topic};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// The tasks that wait for changes.
#[derive(Debug, Default)]
pub struct Wakeups {
    deliveries: Notify,
    pods: Notify,
    chores: Notify,
    sources: Notify,
    feeds: Feeds,
}

impl Wakeups {
    /// Wakes the tasks that these changes concern.
    pub(crate) fn after_commit(&self, changes: &Changes) {
        if changes.touches(Topic::Deliveries) {
            self.deliveries.notify_waiters();
        }
        if changes.touches(Topic::Pods) {
            self.pods.notify_waiters();
        }
        if changes.touches(Topic::Chores) {
            self.chores.notify_one();
        }
        if changes.touches(Topic::Feeds) {
            self.sources.notify_waiters();
        }
        for feed in changes.feeds() {
            self.feeds.notify(feed);
        }
    }

    /// Waits for a change that may make deliveries due.
    pub fn deliveries(&self) -> Notified<'_> {
        self.deliveries.notified()
    }

    /// Waits for a change that may make pods due.
    pub fn pods(&self) -> Notified<'_> {
        self.pods.notified()
    }

    /// Waits for a change that may make feeds of sources due.
    pub fn sources(&self) -> Notified<'_> {
        self.sources.notified()
    }

    /// Waits for a change that queues a chore, including one since the last wait.
    pub fn chores(&self) -> Notified<'_> {
        self.chores.notified()
    }

    /// Listens for events in a tenant's feed.
    #[must_use]
    pub fn listen(&self, feed: TenantId) -> Listener<'_> {
        let notify = Arc::clone(self.feeds.lock().entry(feed).or_default());
        Listener { feeds: &self.feeds, feed, notify }
    }

    /// The number of feeds with listeners.
    #[must_use]
    pub fn listened_feeds(&self) -> usize {
        self.feeds.lock().len()
    }
}

/// The feeds with listeners. The lock is held only for single map operations.
#[derive(Debug, Default)]
struct Feeds(Mutex<HashMap<TenantId, Arc<Notify>>>);

impl Feeds {
    fn lock(&self) -> MutexGuard<'_, HashMap<TenantId, Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn notify(&self, feed: TenantId) {
        if let Some(notify) = self.lock().get(&feed) {
            notify.notify_waiters();
        }
    }
}

/// Listens to one feed until dropped.
#[derive(Debug)]
pub struct Listener<'a> {
    feeds: &'a Feeds,
    feed: TenantId,
    notify: Arc<Notify>,
}

impl Listener<'_> {
    /// Waits for the next event of the feed.
    pub fn notified(&self) -> Notified<'_> {
        self.notify.notified()
    }
}

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        let mut feeds = self.feeds.lock();
        // Only the map and this listener are left.
        if Arc::strong_count(&self.notify) == 2 {
            feeds.remove(&self.feed);
        }
    }
}
