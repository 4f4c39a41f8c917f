//! Databases on the PostgreSQL server that `make test` starts. Each test clones a migrated
//! template, which takes tens of milliseconds, and drops its clone. A test that takes the server
//! down starts its own [`PostgresServer`].

mod pgbouncer;
mod standby;

use std::fs::Permissions;
use std::io::{BufRead as _, BufReader};
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};

use grantor_domain::Timestamp;
use grantor_storage::{Options, Store, StoreUrl, migrate};
use postgres::{Client, NoTls};
use tempfile::TempDir;
use tokio::sync::OnceCell;

pub use self::pgbouncer::PgBouncer;
use crate::server::free_port;
use crate::smtp::SelfSigned;
use crate::store::PATIENCE;
use crate::template;

/// The URL of the server, set by `cargo xtask servers`.
const SERVER: &str = "GRANTOR_TEST_POSTGRES_URL";

/// The directory of the server's programs, set by `cargo xtask servers`.
const PROGRAMS: &str = "GRANTOR_TEST_POSTGRES_BIN";

/// The database of one test.
#[derive(Debug)]
pub struct TestDatabase {
    server: String,
    name: String,
    url: String,
}

impl TestDatabase {
    /// Creates an empty database.
    pub async fn empty() -> Self {
        Self::create(server(), "template0").await
    }

    /// Creates an empty database on a given server.
    pub async fn empty_on(server: &str) -> Self {
        Self::create(server.to_owned(), "template0").await
    }

    /// Creates a database with the whole schema.
    pub async fn migrated() -> Self {
        ensure_template(&template::NAME).await;
        Self::create(server(), &template::NAME).await
    }

    /// The connection string.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    async fn create(server: String, template: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("t_{}_{number}", std::process::id());
        let statement = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy");
        let before = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
        run(server.clone(), vec![before, statement]).await;
        Self { url: format!("{server}/{name}"), server, name }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let statement = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        let server = self.server.clone();
        // The blocking client must not run on a thread of the async runtime.
        let dropped = std::thread::spawn(move || Admin::on(&server).batch_execute(&statement));
        drop(dropped.join());
    }
}

fn server() -> String {
    variable(SERVER)
}

#[expect(clippy::disallowed_methods, reason = "tests get their servers from the environment")]
fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| {
        panic!("{name} is not set: run `make test`, or `cargo xtask servers -- <command>`")
    })
}

/// A connection on which databases are created and dropped. The next test of the process uses it
/// again.
struct Admin {
    server: String,
    client: Option<Client>,
}

impl Admin {
    fn on(server: &str) -> Self {
        let mut idle = Self::idle();
        let known = idle.iter().position(|(of, client)| of == server && !client.is_closed());
        let kept = known.map(|at| idle.swap_remove(at).1);
        drop(idle);
        let connect = || Client::connect(&format!("{server}/postgres"), NoTls);
        let client = kept.unwrap_or_else(|| connect().expect("the test server answers"));
        Self { server: server.to_owned(), client: Some(client) }
    }

    fn idle() -> MutexGuard<'static, Vec<(String, Client)>> {
        static IDLE: Mutex<Vec<(String, Client)>> = Mutex::new(Vec::new());
        IDLE.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for Admin {
    type Target = Client;

    fn deref(&self) -> &Client {
        self.client.as_ref().expect("kept until the end")
    }
}

impl DerefMut for Admin {
    fn deref_mut(&mut self) -> &mut Client {
        self.client.as_mut().expect("kept until the end")
    }
}

impl Drop for Admin {
    fn drop(&mut self) {
        let client = self.client.take();
        Self::idle().extend(client.map(|it| (std::mem::take(&mut self.server), it)));
    }
}

async fn run(server: String, statements: Vec<String>) {
    tokio::task::spawn_blocking(move || {
        let mut client = Admin::on(&server);
        for statement in statements {
            client.batch_execute(&statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
    })
    .await
    .expect("the statements run");
}

/// The first test of a run creates the template; the others wait for it.
async fn ensure_template(name: &str) {
    static READY: OnceCell<()> = OnceCell::const_new();
    READY.get_or_init(|| create_template(name)).await;
}

/// Tests of several processes wait for the lock.
async fn create_template(name: &str) {
    let (name, runtime) = (name.to_owned(), tokio::runtime::Handle::current());
    tokio::task::spawn_blocking(move || {
        let mut client = Admin::on(&server());
        client.batch_execute("SELECT pg_advisory_lock(1)").expect("the template's lock");
        let known = client
            .query_opt("SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate", &[&name])
            .expect("the list of databases");
        if known.is_none() {
            client.batch_execute(&format!("DROP DATABASE IF EXISTS {name}")).expect("drop");
            client
                .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template0"))
                .expect("create");
            runtime.block_on(migrate_template(format!("{}/{name}", server())));
            client.batch_execute(&format!("ALTER DATABASE {name} IS_TEMPLATE true")).expect("mark");
        }
        client.batch_execute("SELECT pg_advisory_unlock(1)").expect("the lock is released");
    })
    .await
    .expect("the template is made");
}

async fn migrate_template(url: String) {
    let mut options = Options::new(StoreUrl::Postgres(url), 1);
    (options.readers, options.writers) = (1, 1);
    let store = Store::open(&options).await.expect("the template opens");
    migrate::run(&store, Timestamp::from_secs(0)).await.expect("migrations apply");
    tokio::task::spawn_blocking(move || drop(store)).await.expect("the template closes");
}

/// A server of one test, which may crash and restart it. Acknowledged writes survive a crash of its
/// processes, though not of the machine.
#[derive(Debug)]
pub struct PostgresServer {
    folder: TempDir,
    port: u16,
    /// More settings of the server, such as `ssl=on`.
    settings: Vec<String>,
    process: Option<Child>,
}

impl PostgresServer {
    /// Creates an empty server and waits until it answers.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with(owned_folder(), vec![])
    }

    /// Like [`Self::start`], with a certificate for TLS. Clients may show the other certificate,
    /// and must if it is required.
    #[must_use]
    pub fn start_with_tls(own: &SelfSigned, client: &SelfSigned, required: bool) -> Self {
        let folder = owned_folder();
        for (name, text) in [
            ("own.pem", &own.certificate),
            ("key.pem", &own.key),
            ("client.pem", &client.certificate),
        ] {
            give(&folder.path().join(name), text);
        }
        let path = |name: &str| folder.path().join(name).display().to_string();
        let settings = vec![
            "ssl=on".to_owned(),
            format!("ssl_cert_file={}", path("own.pem")),
            format!("ssl_key_file={}", path("key.pem")),
            format!("ssl_ca_file={}", path("client.pem")),
            format!("hba_file={}", path("hba.conf")),
        ];
        let rule = if required { " clientcert=verify-ca" } else { "" };
        give(&folder.path().join("hba.conf"), &format!("hostssl all all all trust{rule}\n"));
        Self::start_with(folder, settings)
    }

    fn start_with(folder: TempDir, settings: Vec<String>) -> Self {
        let made = program("initdb")
            .args(["--no-sync", "--auth=trust", "--username=grantor", "--encoding=UTF8"])
            .args(["--locale=C", "-D"])
            .arg(data(folder.path()))
            .stdout(Stdio::null())
            .status();
        assert!(made.is_ok_and(|status| status.success()), "initdb failed");
        let mut server = Self { folder, port: free_port(), settings, process: None };
        server.resume();
        server
    }

    /// The server's URL, also while it is down.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://grantor@127.0.0.1:{}/postgres", self.port)
    }

    /// Crashes the server: connections break and running transactions are lost.
    pub fn crash(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        // SIGQUIT makes the server end all its processes without finishing anything.
        let _ = Command::new("kill").args(["-QUIT", &process.id().to_string()]).status();
        let _ = process.wait();
    }

    /// Suspends all its processes: connections stay open, but nothing answers.
    pub fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Resumes the suspended processes.
    pub fn thaw(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let Some(process) = &self.process else { return };
        let id = process.id();
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
        let children = children.expect("the processes of the server");
        let all = children.split_whitespace().map(str::to_owned).chain([id.to_string()]);
        // One by one: a process that has just ended must not keep the others from being signaled.
        for process in all {
            let _ = Command::new("kill").args([signal, &process]).stderr(Stdio::null()).status();
        }
    }

    /// Starts the server again with the same data and waits until it answers.
    pub fn resume(&mut self) {
        self.crash();
        let mut process = program("postgres")
            .arg("-D")
            .arg(data(self.folder.path()))
            .args(["-p", &self.port.to_string(), "-h", "127.0.0.1", "-k", "", "-c", "fsync=off"])
            .args(self.settings.iter().flat_map(|it| ["-c", it.as_str()]))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("postgres starts");
        let log = process.stderr.take().expect("its log");
        self.process = Some(process);
        let (ready, answers) = mpsc::channel();
        // Keeps reading, so that the server never blocks on its log.
        std::thread::spawn(move || {
            for line in BufReader::new(log).lines().map_while(Result::ok) {
                // A standby says "ready to accept read-only connections".
                if line.contains("ready to accept") {
                    let _ = ready.send(());
                }
            }
        });
        answers.recv_timeout(PATIENCE).expect("postgres answers");
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.thaw();
        self.crash();
    }
}

/// A folder that the server's user owns.
fn owned_folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test's server");
    own(folder.path());
    folder
}

/// Makes the server's user the owner.
fn own(path: &Path) {
    if let Some((user, group)) = account() {
        std::os::unix::fs::chown(path, Some(user), Some(group)).expect("its owner");
    }
}

/// Writes a file that only the server's user can read.
fn give(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the file is written");
    std::fs::set_permissions(path, Permissions::from_mode(0o600)).expect("its permissions");
    own(path);
}

fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

/// One of the server's programs. If the tests run as root, it runs as the package's user, because
/// the server refuses root.
fn program(name: &str) -> Command {
    let mut command = Command::new(Path::new(&variable(PROGRAMS)).join(name));
    as_user_of_server(&mut command);
    command
}

fn as_user_of_server(command: &mut Command) -> &mut Command {
    command.current_dir("/");
    if let Some((user, group)) = account() {
        command.uid(user).gid(group);
    }
    command
}

fn account() -> Option<(u32, u32)> {
    let number = |arguments: &[&str]| -> u32 {
        let output = Command::new("id").args(arguments).output().expect("id runs");
        String::from_utf8_lossy(&output.stdout).trim().parse().expect("a user postgres")
    };
    (number(&["-u"]) == 0).then(|| (number(&["-u", "postgres"]), number(&["-g", "postgres"])))
}
