//! `PgBouncer` in transaction mode in front of a server.

use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use super::{PostgresServer, as_user_of_server, give, owned_folder};
use crate::server::free_port;

/// A pooler that gives each transaction whichever of its two connections is free.
#[derive(Debug)]
pub struct PgBouncer {
    port: u16,
    process: Child,
    // Its settings, deleted with it.
    _folder: TempDir,
}

impl PgBouncer {
    /// Starts a pooler and waits until it accepts connections. With `ignores`, it takes settings of
    /// sessions without applying them; otherwise it refuses them, as it does by default.
    #[must_use]
    pub fn start(server: &PostgresServer, ignores: bool) -> Self {
        let (folder, port) = (owned_folder(), free_port());
        let ignored = if ignores { "ignore_startup_parameters = options\n" } else { "" };
        let settings = format!(
            "[databases]\npostgres = host=127.0.0.1 port={} user=grantor\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n\
             auth_type = any\npool_mode = transaction\ndefault_pool_size = 2\n\
             max_client_conn = 200\n{ignored}",
            server.port
        );
        let file = folder.path().join("pgbouncer.ini");
        give(&file, &settings);
        // Debian installs it where only administrators look.
        let mut command = Command::new("/usr/bin/env");
        command.arg("PATH=/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin").arg("pgbouncer");
        let started = as_user_of_server(&mut command).arg(&file).stderr(Stdio::null()).spawn();
        let process = started.expect("pgbouncer starts");
        let pooler = Self { port, process, _folder: folder };
        pooler.wait();
        pooler
    }

    /// The URL of the server behind it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://grantor@127.0.0.1:{}/postgres", self.port)
    }

    fn wait(&self) {
        for _ in 0..600 {
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("pgbouncer does not answer");
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
