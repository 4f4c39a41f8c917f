//! A primary and a standby that replicates synchronously: the standby has whatever the primary
//! acknowledged.

use std::net::SocketAddr;

use grantor_storage::{Options, StoreUrl};
use tokio::task::block_in_place;

use crate::postgres::PostgresServer;
use crate::seed;
use crate::server::eventually;

/// Two servers, in two places. One of them is the primary. Needs a runtime with several threads.
#[derive(Debug)]
pub struct PostgresPair {
    places: [Option<PostgresServer>; 2],
    primary: usize,
}

impl PostgresPair {
    /// Starts both.
    pub async fn start() -> Self {
        let mut primary = block_in_place(PostgresServer::start);
        primary.run("ALTER SYSTEM SET max_connections = 300").await;
        block_in_place(|| primary.resume());
        let mut pair = Self { places: [Some(primary), None], primary: 0 };
        pair.follow().await;
        pair
    }

    /// The address of the server in a place, also while it is down.
    #[must_use]
    pub fn address(&self, place: usize) -> SocketAddr {
        let server = self.places[place].as_ref().expect("a server in this place");
        server.address().parse().expect("an address")
    }

    /// The URL of the primary, past all links.
    #[must_use]
    pub fn url(&self) -> String {
        self.the_primary().url()
    }

    /// The rows of a query on the primary, as text.
    pub async fn rows(&self, query: &str) -> Vec<Vec<String>> {
        seed::rows(&Options::new(StoreUrl::Postgres(self.url()), 1), query).await
    }

    /// Crashes the primary and promotes the standby.
    pub async fn fail_over(&mut self) {
        let crashed = self.primary;
        block_in_place(|| self.places[crashed].as_mut().expect("a primary").crash());
        self.primary = 1 - crashed;
        self.the_primary().promote().await;
    }

    /// Starts a new standby in the other place. Returns the place.
    pub async fn follow(&mut self) -> usize {
        let place = 1 - self.primary;
        // Without it the primary does not wait for a standby that it does not have, and the standby
        // does not inherit the setting.
        self.replicate("ALTER SYSTEM RESET synchronous_standby_names").await;
        // The old one is gone before the new one starts.
        self.places[place] = None;
        let standby = block_in_place(|| self.the_primary().start_standby());
        self.places[place] = Some(standby);
        self.wait_for("state = 'streaming'").await;
        self.replicate("ALTER SYSTEM SET synchronous_standby_names = '*'").await;
        self.wait_for("sync_state = 'sync'").await;
        // Waits for the standby, which then has everything that was written before.
        self.the_primary().run("SELECT pg_current_xact_id()").await;
        place
    }

    fn the_primary(&self) -> &PostgresServer {
        self.places[self.primary].as_ref().expect("a primary")
    }

    async fn replicate(&self, setting: &str) {
        self.the_primary().run(setting).await;
        self.the_primary().run("SELECT pg_reload_conf()").await;
    }

    async fn wait_for(&self, condition: &str) {
        let query =
            format!("SELECT CAST(count(*) AS text) FROM pg_stat_replication WHERE {condition}");
        let look = async || (self.rows(&query).await == [["1"]]).then_some(());
        eventually("the standby", look).await;
    }
}
