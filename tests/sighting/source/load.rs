//! Many sources on many hosts: each is scanned on time, no host gets two requests at once from
//! several nodes, and memory does not grow with each scan.

use std::collections::HashMap;
use std::future::pending;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use grantor_domain::Timestamp;
use grantor_domain::id::TenantId;
use grantor_domain::limit::Limits;
use grantor_domain::platform::DetectionFrequency;
use grantor_domain::source::{Feed, FeedKind, Source, SourceName, SourceStatus, WatchedTalents};
use grantor_outbound::{Dns, TimeLimits};
use grantor_service::App;
use grantor_service::watching::source;
use grantor_storage::{Tx, feed, source as rows};
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test, print_figure, repeats, seed};
use http::{HeaderMap, StatusCode, Uri, header};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::{AT_ONCE, SAID, rss};
use crate::license::World;
use crate::outbound::FakeDns;

/// Feeds on each host.
const PER_HOST: u32 = 10;
/// Feeds that a node scans at once, as its worker does.
const LANES: usize = 16;
/// When a feed is tried again whose host was busy.
const BUSY_RETRY: Duration = Duration::from_secs(2);
const SECOND: Duration = Duration::from_secs(1);
/// How late a scan may be, except for one in a hundred.
const LATENESS: Duration = Duration::from_secs(10);
/// How much memory the first scan of all sources may take, in MiB, with the sites and the caches of
/// all nodes in one process. Scanning them again may take a quarter of it.
const GROWTH: u64 = 512;
/// A page that takes its time.
const SLOW: &str = "/slow";

/// What the sites have seen.
#[derive(Default)]
struct Traffic {
    /// The requests in progress by host, and the most there ever were.
    hosts: HashMap<String, (usize, usize)>,
    /// The number of requests by address, without `robots.txt`.
    reads: HashMap<String, u32>,
}

type Shared = Arc<Mutex<Traffic>>;

/// One server for all sites, which tells them apart by the host that was asked for.
struct Sites {
    address: SocketAddr,
    traffic: Shared,
    task: JoinHandle<()>,
}

impl Drop for Sites {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Sites {
    async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let (address, traffic) = (listener.local_addr().unwrap(), Shared::default());
        let router = Router::new().fallback(answer).with_state(Arc::clone(&traffic));
        let task = tokio::spawn(async move {
            // Ends only when the task is aborted.
            let _ = axum::serve(listener, router).await;
        });
        Self { address, traffic, task }
    }

    /// The most requests that any host had at once.
    fn most(&self) -> usize {
        let traffic = self.traffic.lock().unwrap();
        traffic.hosts.values().map(|(_, most)| *most).max().unwrap_or(0)
    }

    /// How often each feed was read, without duplicates.
    fn reads(&self) -> Vec<u32> {
        let mut counts: Vec<u32> = self.traffic.lock().unwrap().reads.values().copied().collect();
        counts.sort_unstable();
        counts.dedup();
        counts
    }

    /// Requests a page as a rude client would.
    async fn ask(&self, host: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let asked = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        stream.write_all(asked.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }
}

/// Answers after a moment, so that requests at the same time are noticed.
async fn answer(State(traffic): State<Shared>, headers: HeaderMap, uri: Uri) -> Response {
    let host = headers[header::HOST].to_str().unwrap().to_owned();
    let is_feed = uri.path() != "/robots.txt";
    {
        let mut traffic = traffic.lock().unwrap();
        let (now, most) = traffic.hosts.entry(host.clone()).or_default();
        *now += 1;
        *most = (*most).max(*now);
        if is_feed {
            *traffic.reads.entry(format!("{host}{}", uri.path())).or_default() += 1;
        }
    }
    let moment = Duration::from_millis(if uri.path() == SLOW { 500 } else { 2 });
    let _ = timeout(moment, pending::<()>()).await;
    if let Some((now, _)) = traffic.lock().unwrap().hosts.get_mut(&host) {
        *now -= 1;
    }
    if is_feed {
        rss(&[("/1", SAID, None)]).into_response()
    } else {
        StatusCode::NOT_FOUND.into_response()
    }
}

/// An agency and the sites that it watches.
struct Crowd {
    world: World,
    sites: Sites,
}

impl Fixture for Crowd {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().unwrap();
        // Patient: a busy machine must not make scans fail.
        let times = TimeLimits::default();
        // Every name leads to this machine.
        let dns: Option<Arc<dyn Dns>> = Some(Arc::new(FakeDns::default()));
        let limits = Limits::off();
        let config = TestConfig { limits, allowed, times, dns, ..TestConfig::default() };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        Self { world, sites: Sites::start().await }
    }
}

impl Crowd {
    fn app(&self) -> &App {
        &self.world.app.app
    }

    fn advance(&self, time: Duration) {
        self.world.app.clock.advance(time);
    }

    /// Three nodes share PostgreSQL, and two SQLite; in a soak run SQLite has one node, which must
    /// keep up alone.
    async fn nodes(&self) -> Vec<App> {
        let app = &self.world.app;
        let others: &[u64] = match app.database.store.engine() {
            Engine::Sqlite if is_soak() => &[],
            Engine::Sqlite => &[8],
            Engine::Postgres => &[8, 9],
        };
        let mut nodes = vec![app.app.clone()];
        for other in others {
            nodes.push(app.another_node(*other).await);
        }
        nodes
    }

    /// Adds hourly sources, all due now. Nothing is fetched for that.
    async fn add(&self, count: u32) {
        let (app, port) = (self.app().clone(), self.sites.address.port());
        let tenant: TenantId = self.world.agency.organization.parse().unwrap();
        let work = move |tx: &mut Tx<'_>| {
            let now = app.clock.now();
            for index in 0..count {
                let host = format!("site-{}.example:{port}", index / PER_HOST);
                let feed = feed::put(tx, &new_feed(&app, format!("http://{host}/{index}")))?;
                rows::insert(tx, &new_source(&app, tenant, &feed))?;
                feed::make_due(tx, feed.id, now, true)?;
            }
            Ok::<_, grantor_storage::Error>(())
        };
        self.app().store.write(work).await.unwrap();
    }

    /// A time of each feed by its address.
    async fn times(&self, column: &str) -> HashMap<String, i64> {
        let query = format!(
            "SELECT url, CAST({column} AS text) FROM watched_feeds WHERE {column} IS NOT NULL"
        );
        let found = seed::rows(&self.world.app.database.options, &query).await;
        found.into_iter().map(|row| (row[0].clone(), row[1].parse().unwrap())).collect()
    }
}

fn new_feed(app: &App, url: String) -> Feed {
    Feed {
        id: app.ids.next(),
        url,
        kind: FeedKind::Feed,
        service: None,
        profile: None,
        title: "The Daily".to_owned(),
        push_only: false,
        due_at: None,
        last_scan_at: None,
        failing_since: None,
        failures: 0,
        created_at: app.clock.now(),
    }
}

fn new_source(app: &App, tenant: TenantId, feed: &Feed) -> Source {
    let now = app.clock.now();
    Source {
        id: app.ids.next(),
        tenant,
        feed: feed.id,
        url: feed.url.clone(),
        name: SourceName::parse("The Daily").unwrap(),
        frequency: DetectionFrequency::Hourly,
        status: SourceStatus::Running,
        stopped: None,
        talents: WatchedTalents::All,
        asked_at: None,
        created_by: app.ids.next(),
        created_at: now,
        updated_at: now,
        version: 1,
    }
}

/// Scans what is due now on all nodes together, as many feeds at once as their workers do. Returns
/// the number of scans.
async fn scan(nodes: &[App]) -> u64 {
    let mut lanes = JoinSet::new();
    for node in nodes {
        for _ in 0..LANES {
            let node = node.clone();
            lanes.spawn(async move {
                let mut scanned = 0;
                while let Some(claimed) = source::claim(&node).await.unwrap() {
                    let outcome = source::scan(&node, AT_ONCE, claimed, pending()).await.unwrap();
                    scanned += u64::from(outcome.is_some());
                }
                scanned
            });
        }
    }
    lanes.join_all().await.into_iter().sum()
}

/// The lateness that 99 of 100 scans do not exceed, and the greatest.
fn lateness(due: &HashMap<String, i64>, scanned: &HashMap<String, i64>) -> (Duration, Duration) {
    let late = |(url, due): (&String, &i64)| {
        let micros = u64::try_from(scanned[url] - due).expect("no scan is early");
        Duration::from_micros(micros)
    };
    let mut all: Vec<Duration> = due.iter().map(late).collect();
    all.sort_unstable();
    (all[all.len() * 99 / 100], all[all.len() - 1])
}

impl Crowd {
    /// Scans all sources, which are due at once. Whenever a host is free, one of its feeds is
    /// scanned, so the last one waits for the others of its host.
    async fn scan_all(&self, nodes: &[App], count: u32) {
        let (mut scanned, mut rounds) = (0, 0);
        while scanned < u64::from(count) {
            assert!(rounds < PER_HOST, "after {rounds} rounds, {scanned} of {count} were scanned");
            if rounds > 0 {
                self.advance(BUSY_RETRY);
            }
            scanned += scan(nodes).await;
            rounds += 1;
        }
        assert_eq!((scanned, self.sites.reads()), (u64::from(count), vec![1]));
    }

    /// Scans all sources when they are due, second by second. Returns how long the scans took. In a
    /// soak run the clock follows: nodes that cannot keep up are late.
    async fn scan_on_time(&self, nodes: &[App], due: &HashMap<String, i64>) -> Duration {
        let time = |micros: &i64| Timestamp::from_micros(*micros);
        let first = due.values().min().map(time).unwrap();
        let last = due.values().max().map(time).unwrap().plus(2 * LATENESS);
        self.advance(first.since(self.app().clock.now()));
        let (mut scanned, mut total) = (0, Duration::ZERO);
        while self.app().clock.now() < last {
            let (count, took) = timed(scan(nodes)).await;
            (scanned, total) = (scanned + count, total + took);
            self.advance(if is_soak() { took.max(SECOND) } else { SECOND });
        }
        assert_eq!((scanned, self.sites.reads()), (due.len() as u64, vec![2]));
        total
    }
}

/// Whether this is a soak run.
fn is_soak() -> bool {
    repeats(0, 1) == 1
}

/// Waits for the work and returns how long it took.
#[expect(clippy::disallowed_methods, reason = "the test measures how long scans take")]
async fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let begun = Instant::now();
    let done = work.await;
    (done, begun.elapsed())
}

/// The resident memory of this process, in MiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() / 1024
}

#[db_test]
async fn many_sources_are_scanned_on_time_and_no_host_is_asked_twice_at_once(crowd: Crowd) {
    let count = repeats(300, 10_000);
    let nodes = crowd.nodes().await;
    crowd.add(count).await;
    let before = resident();
    crowd.scan_all(&nodes, count).await;
    let first = resident();
    // An hour later they are due again, spread a little.
    let due = crowd.times("due_at").await;
    assert_eq!(due.len(), count as usize);
    let took = crowd.scan_on_time(&nodes, &due).await;
    let second = resident();
    let (most, greatest) = lateness(&due, &crowd.times("last_scan_at").await);
    print_figure(&format!(
        "{count} sources on {} nodes: p99 {most:?} late, at most {greatest:?}, all scanned in \
         {took:?}; {before} MiB before, {first} MiB after one scan of each, {second} MiB after two",
        nodes.len()
    ));
    assert!(most <= LATENESS, "{most:?}");
    assert_eq!(crowd.sites.most(), 1, "one request at a time per host");
    if is_soak() {
        assert!(first <= before + GROWTH, "{before} MiB became {first} MiB");
        assert!(second <= first + GROWTH / 4, "{first} MiB became {second} MiB");
    }
}

/// The negative control: requests at the same time would be noticed.
#[tokio::test]
async fn two_requests_at_once_are_noticed() {
    let sites = Sites::start().await;
    let both = tokio::join!(sites.ask("a.example", SLOW), sites.ask("a.example", SLOW));
    assert!(both.0.contains("200 OK") && both.1.contains("200 OK"), "{both:?}");
    assert_eq!(sites.most(), 2);
    let sites = Sites::start().await;
    tokio::join!(sites.ask("a.example", SLOW), sites.ask("b.example", SLOW));
    assert_eq!(sites.most(), 1, "two hosts are not one");
}
