//! Grantor compared with servers that do the same work: a hand-written one on Fastify and
//! better-sqlite3, and `PocketBase`. `make bench-peers` installs their packages and runs this.

use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use grantor_testkit::server::{GrantorProcess, Installation, free_port};
use grantor_testkit::{Engine, Fixture as _, seed};
use serde_json::{Value, json};
use tokio::time::interval;

use crate::license::{bearer, text};
use crate::measure::{Outcome, clock, report};
use crate::wire::{Served, cost, request, send};

const LICENSES: u32 = 100_000;
const VISIBLE: u32 = 10_000;
/// How long a peer may take to answer: a first start creates all licenses.
const PATIENCE: Duration = Duration::from_mins(1);
/// The directories of the peers.
const PEERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peers");
/// Where `make bench-peers` installs `PocketBase`.
const POCKETBASE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/peers/bin/pocketbase");

const PAGE: &str = "/licenses?per_page=20";
const ONE: &str = "/licenses/30000000-0000-0000-0000-000000000001";
/// With a total, which `PocketBase` counts for each page: the other servers return one too.
const POCKETBASE_PAGE: &str = "/api/collections/visible/records?sort=-id&skipTotal=0&perPage=20";
const POCKETBASE_ONE: &str = "/api/collections/visible/records/000000000000001";
/// Its pages and single licenses come from a view, which cannot be changed.
const POCKETBASE_OWN: &str = "/api/collections/licenses/records/000000000000001";

/// Runs the suite on all servers.
pub(crate) async fn run() -> Outcome {
    fastify().await?;
    pocketbase().await?;
    grantor().await
}

async fn fastify() -> Outcome {
    let bearer = "Bearer token";
    let probe = request(&format!("GET {PAGE}"), &[("authorization", bearer)], "");
    let folder = tempfile::tempdir()?;
    let peer = prepare("Fastify", start_fastify, folder.path(), &probe).await?;
    let caller = Caller { name: "Fastify", served: peer.served, bearer, page: PAGE, one: ONE };
    caller.measure(ONE).await
}

async fn pocketbase() -> Outcome {
    let probe = request("GET /api/health", &[], "");
    let folder = tempfile::tempdir()?;
    let peer = prepare("PocketBase", start_pocketbase, folder.path(), &probe).await?;
    let login = json!({ "identity": "reader@example.com", "password": "password" }).to_string();
    let login = request("POST /api/collections/users/auth-with-password", &[], &login);
    let answer: Value = serde_json::from_slice(&send(peer.served, &login).await?.body)?;
    let caller = Caller {
        name: "PocketBase",
        served: peer.served,
        bearer: &format!("Bearer {}", text(&answer["token"])),
        page: POCKETBASE_PAGE,
        one: POCKETBASE_ONE,
    };
    caller.measure(POCKETBASE_OWN).await
}

async fn grantor() -> Outcome {
    let (mut server, _, empty) = serve(&Installation::on(Engine::Sqlite).await).await?;
    server.stop().await;
    let installation = Installation::on(Engine::Sqlite).await.with("GRANTOR_LIMITS", "off");
    let sample: Value = serde_json::from_str(&installation.run("demo --json").await.ok())?;
    let options = installation.options();
    seed::public_licenses(&options, LICENSES).await;
    seed::show_licenses(&options, text(&sample["accounts"][0]["tenantId"]), VISIBLE).await;
    let script = "UPDATE tenants SET plan = 'Enterprise'; ANALYZE";
    seed::run(&options, script.to_owned()).await;
    let (mut server, served, _) = serve(&installation).await?;
    served.settle().await?;
    server.stop().await;
    let (mut server, served, filled) = serve(&installation).await?;
    rest("Grantor", served, [empty, filled]).await?;
    let bearer = &bearer(&sample, served).await?;
    let own = format!("/licenses/{}", text(&sample["licenses"][0]["licenseId"]));
    Caller { name: "Grantor", served, bearer, page: PAGE, one: ONE }.measure(&own).await?;
    server.stop().await;
    Ok(())
}

/// Starts Grantor and returns how long its first answer took.
async fn serve(installation: &Installation) -> Outcome<(GrantorProcess, Served, Duration)> {
    let began = clock();
    let server = installation.serve().await;
    let served = Served { process: server.id(), address: server.address() };
    let taken = first_answer(served, began, &request("GET /readyz", &[], "")).await?;
    Ok((server, served, taken))
}

/// How to ask a server for the same work as the others.
struct Caller<'a> {
    name: &'a str,
    served: Served,
    bearer: &'a str,
    /// The path of a page of 20, with a query.
    page: &'a str,
    one: &'a str,
}

impl Caller<'_> {
    /// Measures the server. `own` is the path of a license that the caller may change.
    async fn measure(&self, own: &str) -> Outcome {
        let headers = [("authorization", self.bearer)];
        let get = |path: &str| request(&format!("GET {path}"), &headers, "");
        let change = |number: u32| {
            let body = json!({ "title": format!("Title {number}") });
            request(&format!("PATCH {own}"), &headers, &body.to_string())
        };
        // More pages than a cache would keep.
        let pages = |it: u32| get(&format!("{}&page={}", self.page, it * 37 % 500 + 1));
        for (work, connections, texts) in [
            ("a page", 4, vec![get(self.page)]),
            ("pages at random", 4, (0..500).map(pages).collect()),
            ("one license", 4, vec![get(self.one)]),
            ("PATCH of a title", 32, (0..64).map(change).collect()),
        ] {
            let what = format!("{}, {work}", self.name);
            let answer = send(self.served, texts.first().ok_or("no request to send")?).await?;
            if answer.status != 200 {
                return Err(format!("{what}: {}", answer.head).into());
            }
            let (micros, pace) = cost(self.served, &texts, connections).await?;
            let line = format!("{what}: {micros:.0} µs of CPU time, {pace:.0} requests/s");
            report("peers", &line);
        }
        Ok(())
    }
}

/// A running peer, killed when dropped.
struct Peer {
    served: Served,
    process: Child,
}

/// Starts a peer on a folder. If the folder is empty, the peer first creates so many licenses, of
/// which the caller sees so many.
type Start = fn(&Path, [u32; 2]) -> Outcome<Peer>;

fn start_fastify(folder: &Path, counts: [u32; 2]) -> Outcome<Peer> {
    let mut process = Command::new("node")
        .arg(format!("{PEERS}/fastify/server.mjs"))
        .arg(folder.join("peer.sqlite"))
        .args(counts.map(|it| it.to_string()))
        .stdout(Stdio::piped())
        .spawn()?;
    let stdout = process.stdout.take().ok_or("a peer without stdout")?;
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line)?;
    let served = Served { process: process.id(), address: line.trim().parse()? };
    Ok(Peer { served, process })
}

fn start_pocketbase(folder: &Path, [licenses, visible]: [u32; 2]) -> Outcome<Peer> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()));
    let process = Command::new(POCKETBASE)
        .args(["serve", "--dir=.", "--hooksPool=1"])
        .arg(format!("--http={address}"))
        .arg(format!("--hooksDir={PEERS}/pocketbase/pb_hooks"))
        .arg(format!("--migrationsDir={PEERS}/pocketbase/pb_migrations"))
        .current_dir(folder)
        // Without a PATH it finds no browser, which it would open on its page for a first account.
        .env_clear()
        .envs([("LICENSES", licenses), ("VISIBLE", visible)].map(|(it, n)| (it, n.to_string())))
        .stdout(Stdio::null())
        .spawn()?;
    Ok(Peer { served: Served { process: process.id(), address }, process })
}

impl Peer {
    /// Starts a peer and returns how long its first answer took.
    async fn start(
        start: Start,
        folder: &Path,
        counts: [u32; 2],
        probe: &str,
    ) -> Outcome<(Self, Duration)> {
        let began = clock();
        let peer = start(folder, counts)?;
        let taken = first_answer(peer.served, began, probe).await?;
        Ok((peer, taken))
    }

    /// Stops the peer as an operator would, so that it closes its database. Its background work is
    /// done by then: `PocketBase` logs a panic if it is stopped earlier.
    async fn stop(mut self) -> Outcome {
        self.served.settle().await?;
        Command::new("kill").arg(self.process.id().to_string()).status()?;
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns a peer with all licenses, after reporting how it starts and rests.
async fn prepare(name: &str, start: Start, folder: &Path, probe: &str) -> Outcome<Peer> {
    let nothing = tempfile::tempdir()?;
    let (peer, empty) = Peer::start(start, nothing.path(), [0, 0], probe).await?;
    peer.stop().await?;
    let counts = [LICENSES, VISIBLE];
    // Not measured: a server that has just created all licenses uses more memory.
    let (peer, _) = Peer::start(start, folder, counts, probe).await?;
    peer.stop().await?;
    let (peer, filled) = Peer::start(start, folder, counts, probe).await?;
    rest(name, peer.served, [empty, filled]).await?;
    Ok(peer)
}

/// Waits until a server answers a request, and returns the time since it began.
async fn first_answer(served: Served, began: Instant, probe: &str) -> Outcome<Duration> {
    let mut pace = interval(Duration::from_millis(2));
    while began.elapsed() < PATIENCE {
        pace.tick().await;
        if send(served, probe).await.is_ok_and(|it| it.status == 200) {
            return Ok(began.elapsed());
        }
    }
    Err("a server does not answer".into())
}

/// Reports how long the first answers took on an empty and on a filled directory, and the memory of
/// the server at rest.
async fn rest(name: &str, served: Served, starts: [Duration; 2]) -> Outcome {
    served.settle().await?;
    let [empty, filled] = starts.map(|it| it.as_millis());
    let status = std::fs::read_to_string(format!("/proc/{}/status", served.process))?;
    let size = |name: &str| -> Outcome<f64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("no memory")?;
        Ok(f64::from(line.trim().trim_end_matches(" kB").parse::<u32>()?) / 1024.0)
    };
    let [anonymous, whole] = [size("RssAnon:")?, size("VmRSS:")?];
    let start = format!("{empty} ms on an empty directory, {filled} ms on the filled one");
    report("peers", &format!("{name}, from start to first answer: {start}"));
    let memory = format!("{whole:.1} MiB resident, of which {anonymous:.1} MiB anonymous");
    report("peers", &format!("{name}, memory at rest: {memory}"));
    Ok(())
}
