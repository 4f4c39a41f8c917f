//! Servers that follow others, change their role, or refuse writes.

use std::process::Stdio;

use postgres::{Client, NoTls};

use super::{PostgresServer, data, owned_folder, program};
use crate::server::free_port;

impl PostgresServer {
    /// Starts a server that copies everything from this one and follows it.
    #[must_use]
    pub fn start_standby(&self) -> Self {
        let folder = owned_folder();
        let copied = program("pg_basebackup")
            .args(["--no-sync", "--checkpoint=fast", "--write-recovery-conf", "-D"])
            .arg(data(folder.path()))
            .args(["-h", "127.0.0.1", "-U", "grantor", "-p", &self.port.to_string()])
            .stdout(Stdio::null())
            .status();
        assert!(copied.is_ok_and(|status| status.success()), "pg_basebackup failed");
        let settings = self.settings.clone();
        let mut standby = Self { folder, port: free_port(), settings, process: None };
        standby.resume();
        standby
    }

    /// The host and port.
    #[must_use]
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Runs a statement.
    pub async fn run(&self, statement: &str) {
        let (url, statement) = (self.url(), statement.to_owned());
        tokio::task::spawn_blocking(move || {
            let mut client = Client::connect(&url, NoTls).expect("the server answers");
            client.batch_execute(&statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
        })
        .await
        .expect("the statement runs");
    }

    /// Makes a standby the primary.
    pub async fn promote(&self) {
        self.run("SELECT pg_promote()").await;
    }

    /// Makes the server refuse all writes, or accept them again, as operators do.
    pub async fn refuse_writes(&self, refuse: bool) {
        let value = if refuse { "on" } else { "off" };
        self.run(&format!("ALTER SYSTEM SET default_transaction_read_only = {value}")).await;
        self.run("SELECT pg_reload_conf()").await;
    }

    /// Stops or resumes the replay on a standby, which is then behind.
    pub async fn pause_replay(&self, pause: bool) {
        let verb = if pause { "pause" } else { "resume" };
        self.run(&format!("SELECT pg_wal_replay_{verb}()")).await;
    }
}
