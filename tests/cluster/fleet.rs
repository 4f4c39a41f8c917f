//! Three nodes, PostgreSQL with a standby, Redis, and the links between them.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use grantor_testkit::cluster::{Link, LinkState, PostgresPair, clock_library};
use grantor_testkit::redis::RedisServer;
use grantor_testkit::server::{GrantorProcess, Installation};
use serde_json::Value;

/// The number of nodes.
pub(super) const NODES: usize = 3;
/// The node whose clock can be set.
pub(super) const CLOCKED: usize = 1;
/// The node that has a small disk of its own.
pub(super) const CRAMPED: usize = 2;

/// Requests that one address may send per minute; the other limits are off.
pub(super) const LIMIT: usize = 60;
const LIMITS: &str = "metadata=60/60s,quota=off,external=off,external_token=off,login=off,\
    login_failures=off,token_refused=off,refresh=off,console=off,open=off,anonymous=off";
const SCHEDULE: &str = "0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1";

/// The addresses of the nodes' metrics, which change with every start.
pub(super) type Metrics = Arc<Mutex<Vec<Option<SocketAddr>>>>;

pub(super) struct Fleet {
    pub(super) nodes: Vec<Node>,
    pub(super) pair: PostgresPair,
    pub(super) redis: RedisServer,
    pub(super) metrics: Metrics,
    /// The accounts of the sample data.
    pub(super) sample: Value,
    // Has the keys that the nodes copy.
    home: Installation,
}

pub(super) struct Node {
    number: usize,
    installation: Installation,
    process: Option<GrantorProcess>,
    /// Whether it has a small disk of its own, which can be filled.
    pub(super) has_small_disk: bool,
    /// From clients to this node.
    pub(super) front: Link,
    /// From this node to the two places of PostgreSQL.
    pub(super) database: [Link; 2],
    /// From this node to Redis.
    pub(super) redis: Link,
}

impl Fleet {
    pub(super) async fn start() -> Self {
        let pair = PostgresPair::start().await;
        let redis = RedisServer::start().await.unwrap();
        let home = Installation::default().with("GRANTOR_DATABASE_URL", &pair.url());
        let sample = serde_json::from_str(&home.run("demo --json").await.ok()).unwrap();
        let metrics = Metrics::new(Mutex::new(vec![None; NODES]));
        let mut fleet = Self { nodes: vec![], pair, redis, metrics, sample, home };
        for number in 0..NODES {
            let node = fleet.node(number).await;
            fleet.nodes.push(node);
            fleet.launch(number).await;
        }
        fleet
    }

    async fn node(&self, number: usize) -> Node {
        // The node is not running yet: the link leads somewhere once it is.
        let front = Link::start(self.pair.address(0)).await.unwrap();
        let database = [self.link_to(0).await, self.link_to(1).await];
        let address = self.redis.url();
        let address = address.trim_start_matches("redis://").trim_end_matches('/');
        let redis = Link::start(address.parse().unwrap()).await.unwrap();
        let [one, other] = [&database[0], &database[1]].map(Link::address);
        let installation = Installation::default()
            .with("GRANTOR_DATABASE_URL", &format!("postgres://grantor@{one},{other}/postgres"))
            .with("GRANTOR_REDIS_URL", &format!("redis://{}/", redis.address()))
            .with("GRANTOR_METRICS_LISTEN", "127.0.0.1:0")
            // The issuer of tokens, the same for all.
            .with("GRANTOR_PUBLIC_URL", "http://127.0.0.1:8080")
            .with("GRANTOR_TRUSTED_PROXIES", "127.0.0.1")
            .with("GRANTOR_OUTBOUND_ALLOW", "127.0.0.0/8")
            .with("GRANTOR_WEBHOOK_SCHEDULE", SCHEDULE)
            .with("GRANTOR_LIMITS", LIMITS);
        std::fs::create_dir(installation.data("")).unwrap();
        std::fs::copy(self.keys(), installation.data("keys.json")).unwrap();
        let has_small_disk = number == CRAMPED && may_mount();
        Node { number, installation, process: None, has_small_disk, front, database, redis }
    }

    async fn link_to(&self, place: usize) -> Link {
        Link::start(self.pair.address(place)).await.unwrap()
    }

    fn keys(&self) -> PathBuf {
        self.home.data("keys.json")
    }

    /// Starts a node, and leads its clients to it. A node that finds no database ends, and is started
    /// again.
    pub(super) async fn launch(&mut self, number: usize) {
        let keys = self.keys();
        let node = &mut self.nodes[number];
        let process = GrantorProcess::start_supervised(|| node.command(&keys)).await;
        node.front.lead_to(process.address());
        self.metrics.lock().unwrap()[number] = Some(process.metrics_address().await);
        node.process = Some(process);
    }

    /// Kills a node.
    pub(super) async fn kill(&mut self, number: usize) {
        self.metrics.lock().unwrap()[number] = None;
        let mut process = self.nodes[number].process.take().expect("a running node");
        process.signal("KILL");
        process.ended().await;
    }

    /// Replaces a lost standby, and leads all nodes to it.
    pub(super) async fn replace_standby(&mut self) {
        let place = self.pair.follow().await;
        for node in &self.nodes {
            node.database[place].lead_to(self.pair.address(place));
        }
    }
}

/// Whether a program may have a file system of its own, which some systems allow only to root.
fn may_mount() -> bool {
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/tmp"]);
    command.stderr(Stdio::null()).status().is_ok_and(|it| it.success())
}

impl Node {
    fn command(&self, keys: &Path) -> Command {
        let plain = self.installation.command("serve");
        match self.number {
            CLOCKED => self.with_own_clock(plain),
            CRAMPED if self.has_small_disk => self.with_small_disk(&plain, keys),
            _ => plain,
        }
    }

    /// With a clock that follows a file.
    fn with_own_clock(&self, mut command: Command) -> Command {
        self.set_clock(0);
        command
            .env("LD_PRELOAD", clock_library())
            .env("FAKETIME_TIMESTAMP_FILE", self.clock())
            .env("FAKETIME_CACHE_DURATION", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        command
    }

    fn clock(&self) -> PathBuf {
        self.installation.folder().join("clock")
    }

    /// Sets the clock this many seconds off.
    pub(super) fn set_clock(&self, seconds: i64) {
        // Renamed, so that the program never reads a part of it.
        let draft = self.installation.folder().join("clock.new");
        std::fs::write(&draft, format!("{seconds:+}\n")).unwrap();
        std::fs::rename(&draft, self.clock()).unwrap();
    }

    /// With a data directory of its own that has room for little.
    fn with_small_disk(&self, plain: &Command, keys: &Path) -> Command {
        let script = "mount -t tmpfs -o size=16m tmpfs \"$GRANTOR_DATA_DIR\" \
            && cp \"$1\" \"$GRANTOR_DATA_DIR/keys.json\" && exec \"$0\" serve";
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", script]);
        command.arg(plain.get_program()).arg(keys);
        let own = plain.get_envs().filter_map(|(name, value)| Some((name, value?)));
        command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").envs(own);
        command.current_dir(self.installation.folder()).stdin(Stdio::null());
        command
    }

    /// A file on the node's disk, as the node sees it.
    pub(super) fn filler(&self) -> PathBuf {
        let process = self.process.as_ref().expect("a running node");
        let root = Path::new("/proc").join(process.id().to_string()).join("root");
        root.join(self.installation.data("filler").strip_prefix("/").unwrap())
    }

    /// Sends the node a signal.
    pub(super) fn signal(&self, name: &str) {
        self.process.as_ref().expect("a running node").signal(name);
    }

    /// Changes all links of this node to PostgreSQL.
    pub(super) fn set_database(&self, state: LinkState) {
        self.database.iter().for_each(|it| it.set(state));
    }
}
