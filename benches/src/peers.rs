//! Grantor compared with a hand-written server on Fastify and better-sqlite3. `make bench-peers`
//! installs its packages and runs this.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use grantor_testkit::server::Installation;
use grantor_testkit::{Engine, Fixture as _, seed};
use serde_json::{Value, json};

use crate::license::{bearer, text};
use crate::measure::{Outcome, report};
use crate::wire::{Served, cost, request};

const LICENSES: u32 = 100_000;
const VISIBLE: u32 = 10_000;
/// The directory of the peer and its packages.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/fastify");
const ONE: &str = "/licenses/30000000-0000-0000-0000-000000000001";

/// Runs the suite on both servers.
pub(crate) async fn run() -> Outcome {
    let peer = Peer::start()?;
    measure("Fastify", peer.served, "Bearer token", ONE).await?;
    drop(peer);
    let installation = Installation::on(Engine::Sqlite).await.with("GRANTOR_LIMITS", "off");
    let sample: Value = serde_json::from_str(&installation.run("demo --json").await.ok())?;
    let options = installation.options();
    seed::public_licenses(&options, LICENSES).await;
    seed::show_licenses(&options, text(&sample["accounts"][0]["tenantId"]), VISIBLE).await;
    let script = "UPDATE tenants SET plan = 'Enterprise'; ANALYZE";
    seed::run(&options, script.to_owned()).await;
    let mut server = installation.serve().await;
    let served = Served { process: server.id(), address: server.address() };
    served.settle().await?;
    let bearer = bearer(&sample, served).await?;
    let own = format!("/licenses/{}", text(&sample["licenses"][0]["licenseId"]));
    measure("Grantor", served, &bearer, &own).await?;
    server.stop().await;
    Ok(())
}

/// Measures one server. `own` is the path of a license that the caller may change.
async fn measure(name: &str, served: Served, bearer: &str, own: &str) -> Outcome {
    let headers = [("authorization", bearer)];
    let get = |path: &str| request(&format!("GET {path}"), &headers, "");
    let change = |number: u32| {
        let body = json!({ "title": format!("Title {number}") });
        request(&format!("PATCH {own}"), &headers, &body.to_string())
    };
    // More pages than a cache would keep.
    let pages = |it: u32| get(&format!("/licenses?per_page=20&page={}", it * 37 % 500 + 1));
    for (work, connections, texts) in [
        ("a page", 4, vec![get("/licenses?per_page=20")]),
        ("pages at random", 4, (0..500).map(pages).collect()),
        ("one license", 4, vec![get(ONE)]),
        ("PATCH of a title", 32, (0..64).map(change).collect()),
    ] {
        let (micros, pace) = cost(served, &texts, connections).await?;
        report(
            "peers",
            &format!("{name}, {work}: {micros:.0} µs of CPU time, {pace:.0} requests/s"),
        );
    }
    Ok(())
}

/// The hand-written server process, killed when dropped.
struct Peer {
    served: Served,
    process: Child,
    _folder: tempfile::TempDir,
}

impl Peer {
    fn start() -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let mut process = Command::new("node")
            .arg(format!("{FOLDER}/server.mjs"))
            .arg(folder.path().join("peer.sqlite"))
            .args([LICENSES, VISIBLE].map(|it| it.to_string()))
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = process.stdout.take().ok_or("a peer without stdout")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        let served = Served { process: process.id(), address: line.trim().parse()? };
        Ok(Self { served, process, _folder: folder })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
