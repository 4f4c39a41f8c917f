//! The real program, started as a process in a temporary directory and tested from outside.

mod reply;

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use grantor_storage::{Options, StoreUrl};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{interval, timeout};

pub use self::reply::{Reply, exchange, read_reply, request};
use crate::postgres::TestDatabase;
use crate::store::PATIENCE;
use crate::{Engine, Fixture};

/// How long a server may take to say something. A first start indexes every record, and benchmarks
/// have hundreds of thousands.
const START: Duration = Duration::from_mins(5);
/// How often a supervisor starts a program that ends.
const MOST_STARTS: u32 = 10;

/// A directory and settings with which the program runs.
pub struct Installation {
    home: Arc<Home>,
    settings: BTreeMap<String, String>,
}

/// Kept as long as the installation or one of its servers exists.
struct Home {
    folder: TempDir,
    database: Option<TestDatabase>,
}

impl Default for Installation {
    /// On loopback and `SQLite`, on a port chosen by the system, without metrics.
    fn default() -> Self {
        Self::with_database(None)
    }
}

impl Fixture for Installation {
    async fn on(engine: Engine) -> Self {
        match engine {
            Engine::Sqlite => Self::default(),
            Engine::Postgres => {
                let database = TestDatabase::empty().await;
                let url = database.url().to_owned();
                Self::with_database(Some(database)).with("GRANTOR_DATABASE_URL", &url)
            }
        }
    }
}

impl Installation {
    fn with_database(database: Option<TestDatabase>) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the program");
        let data = folder.path().join("data");
        Self { home: Arc::new(Home { folder, database }), settings: BTreeMap::new() }
            .with("GRANTOR_LISTEN", "127.0.0.1:0")
            .with("GRANTOR_METRICS_LISTEN", "off")
            .with("GRANTOR_DRAIN_DELAY", "0")
            .with("GRANTOR_DATA_DIR", data.to_str().expect("a path in UTF-8"))
    }

    /// Sets an environment variable of the program, which has no others.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.settings.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The working directory of the program.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.home.folder.path()
    }

    /// The value of a variable.
    #[must_use]
    pub fn setting(&self, name: &str) -> &str {
        self.settings.get(name).unwrap_or_else(|| panic!("{name} is not set"))
    }

    /// The path of a file in the data directory.
    #[must_use]
    pub fn data(&self, name: &str) -> PathBuf {
        Path::new(self.setting("GRANTOR_DATA_DIR")).join(name)
    }

    /// Options to open the database directly.
    #[must_use]
    pub fn options(&self) -> Options {
        let url = match &self.home.database {
            Some(database) => StoreUrl::Postgres(database.url().to_owned()),
            None => StoreUrl::Sqlite(self.data("grantor.sqlite")),
        };
        Options::new(url, 1)
    }

    /// A command of the program with these arguments, not started yet.
    #[must_use]
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(binary());
        command.args(words.split_whitespace()).env_clear().envs(&self.settings);
        command.current_dir(self.folder()).stdin(Stdio::null());
        command
    }

    /// Runs the program with these arguments to its end.
    pub async fn run(&self, words: &str) -> ProcessOutput {
        finish(self.command(words)).await
    }

    /// Starts the server and waits until it answers.
    pub async fn serve(&self) -> GrantorProcess {
        let mut server = GrantorProcess::start(self.command("serve")).await;
        server.home = Some(Arc::clone(&self.home));
        server
    }
}

/// The output of a finished program.
#[derive(Debug)]
pub struct ProcessOutput {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// The standard output.
    pub out: String,
    /// The standard error.
    pub err: String,
}

impl ProcessOutput {
    /// The standard output of a successful run.
    #[must_use]
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
        self.out
    }
}

/// Runs a command to its end, which must come without a signal.
pub async fn finish(mut command: Command) -> ProcessOutput {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the program starts");
    let id = child.id();
    let ending = tokio::task::spawn_blocking(move || child.wait_with_output());
    let Ok(ended) = timeout(PATIENCE, ending).await else {
        send_signal(id, "KILL");
        panic!("{command:?} did not end in time");
    };
    let Output { status, stdout, stderr } =
        ended.expect("the wait ends").expect("the program is waited for");
    let text = |bytes| String::from_utf8(bytes).expect("output in UTF-8");
    ProcessOutput { code: status.code(), out: text(stdout), err: text(stderr) }
}

/// A running server; killed when dropped.
pub struct GrantorProcess {
    child: Child,
    log: watch::Receiver<Vec<String>>,
    address: SocketAddr,
    // Dropped after the process that uses it.
    home: Option<Arc<Home>>,
}

impl GrantorProcess {
    /// Starts a command and waits until the server answers.
    pub async fn start(command: Command) -> Self {
        Self::start_into(command, Stdio::null()).await
    }

    /// Like [`Self::start`], but starts the command again if the server ends before it is ready, as a
    /// supervisor does.
    pub async fn start_supervised(command: impl Fn() -> Command) -> Self {
        for _ in 0..MOST_STARTS {
            let process = Self::spawn(command(), Stdio::null());
            if process.says("\"ready\"").await {
                return process.answering().await;
            }
        }
        panic!("the server ended {MOST_STARTS} times before it was ready");
    }

    /// Like [`Self::start`], with its standard output in a file.
    pub async fn start_printing(command: Command, file: &Path) -> Self {
        let file = std::fs::File::create(file).expect("a file for what it prints");
        Self::start_into(command, file.into()).await
    }

    /// Starts a worker, which has no address, and waits until it works.
    pub async fn start_worker(command: Command) -> Self {
        let process = Self::spawn(command, Stdio::null());
        process.line("\"working\"").await;
        process
    }

    fn spawn(mut command: Command, out: Stdio) -> Self {
        let mut child =
            command.stdout(out).stderr(Stdio::piped()).spawn().expect("the program starts");
        let log = follow(child.stderr.take().expect("its log"));
        let address = (Ipv4Addr::LOCALHOST, 0).into();
        Self { child, log, address, home: None }
    }

    async fn start_into(command: Command, out: Stdio) -> Self {
        Self::spawn(command, out).answering().await
    }

    /// Waits until the server answers.
    async fn answering(mut self) -> Self {
        let ready: Value =
            serde_json::from_str(&self.line("\"ready\"").await).expect("a log line in JSON");
        let address = ready["listen"].as_str().expect("where it listens");
        self.address = address.parse().expect("an address");
        if self.address.ip().is_unspecified() {
            self.address.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
        }
        drop(self.connect().await);
        self
    }

    /// The server's address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The address of its metrics.
    pub async fn metrics_address(&self) -> SocketAddr {
        let line = self.line("metrics http://").await;
        let address = line.split("metrics http://").nth(1).and_then(|it| it.split('/').next());
        address.and_then(|it| it.parse().ok()).expect("an address")
    }

    /// Opens a connection to the server.
    pub async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("the server accepts connections")
    }

    /// Sends a GET request.
    pub async fn get(&self, path: &str) -> Reply {
        self.ask(&format!("GET {path}"), &[]).await
    }

    /// Sends a request with this method, path and headers.
    pub async fn ask(&self, what: &str, headers: &[&str]) -> Reply {
        let reply = exchange(self.connect().await, request(what, headers).as_bytes()).await;
        reply.unwrap_or_else(|| panic!("{what} was not answered"))
    }

    /// The log lines so far.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.log.borrow().clone()
    }

    /// Waits for a log line that contains this text and returns it.
    pub async fn line(&self, part: &str) -> String {
        let mut log = self.log.clone();
        let found = |lines: &Vec<String>| lines.iter().any(|line| line.contains(part));
        let waited = timeout(START, log.wait_for(found)).await;
        let lines = match waited {
            Ok(Ok(lines)) => lines.clone(),
            _ => panic!("no {part} in the log:\n{}", self.log().join("\n")),
        };
        lines.into_iter().find(|line| line.contains(part)).expect("the line that was found")
    }

    /// Waits for a log line that contains this text. False if the program ends before.
    async fn says(&self, part: &str) -> bool {
        let mut log = self.log.clone();
        let found = |lines: &Vec<String>| lines.iter().any(|line| line.contains(part));
        timeout(START, log.wait_for(found)).await.is_ok_and(|it| it.is_ok())
    }

    /// Sends a signal by its short name.
    pub fn signal(&self, name: &str) {
        send_signal(self.id(), name);
    }

    /// Waits for the process to end, and for the rest of its log.
    pub async fn ended(&mut self) -> ExitStatus {
        self.ended_within(PATIENCE).await
    }

    /// Like [`Self::ended`], with a time limit.
    pub async fn ended_within(&mut self, time: Duration) -> ExitStatus {
        let child = &mut self.child;
        let ending = async {
            let mut pace = interval(Duration::from_millis(20));
            loop {
                pace.tick().await;
                if let Ok(Some(status)) = child.try_wait() {
                    return status;
                }
            }
        };
        let status = timeout(time, ending).await.expect("the server ends in time");
        while self.log.changed().await.is_ok() {}
        status
    }

    /// Stops the server as an operator would and returns its exit code.
    pub async fn stop(&mut self) -> Option<i32> {
        self.signal("TERM");
        self.ended().await.code()
    }
}

impl Drop for GrantorProcess {
    fn drop(&mut self) {
        // Fails if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Polls until there is a result.
pub async fn eventually<T>(what: &str, mut poll: impl AsyncFnMut() -> Option<T>) -> T {
    let polling = async {
        let mut pace = interval(Duration::from_millis(20));
        loop {
            pace.tick().await;
            if let Some(found) = poll().await {
                return found;
            }
        }
    };
    timeout(PATIENCE, polling).await.unwrap_or_else(|_| panic!("timed out waiting for {what}"))
}

/// A port for a program that cannot bind port 0. Systems give out ports above 32768 for that and for
/// outgoing connections, so another process would sooner or later take a port from there before the
/// program does.
#[must_use]
pub fn free_port() -> u16 {
    const FIRST: u32 = 20_000;
    const COUNT: u32 = 10_000;
    // Tests of other processes, and others of this one, begin elsewhere.
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let start = std::process::id().wrapping_add(CALLS.fetch_add(1, Ordering::Relaxed));
    let ports = (0..COUNT).map(|it| FIRST + (start.wrapping_add(it) % COUNT));
    ports
        .filter_map(|it| u16::try_from(it).ok())
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .expect("a free port")
}

/// Cargo puts the tests into a subdirectory of the program's directory.
fn binary() -> PathBuf {
    let tests = std::env::current_exe().expect("the path of the tests");
    let candidates = tests.ancestors().skip(1).take(2).map(|folder| folder.join("grantor"));
    candidates.into_iter().find(|it| it.is_file()).unwrap_or_else(|| {
        panic!(
            "grantor is not built: run `cargo build -p grantor-server` with the same profile first"
        )
    })
}

fn send_signal(process: u32, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), process.to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "SIG{name} was not sent to {process}");
}

/// Keeps reading, so that the server never blocks on its log.
fn follow(log: ChildStderr) -> watch::Receiver<Vec<String>> {
    let (sender, receiver) = watch::channel(Vec::new());
    std::thread::spawn(move || {
        for line in BufReader::new(log).lines().map_while(Result::ok) {
            sender.send_modify(|lines| lines.push(line));
        }
    });
    receiver
}
