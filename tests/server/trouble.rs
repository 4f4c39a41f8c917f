//! A database in trouble: stopped, locked, gone, or without room. Probes answer in time and say
//! what it is, changes are refused, and the process still ends when told to.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use grantor_testkit::postgres::PostgresServer;
use grantor_testkit::seed;
use grantor_testkit::server::{GrantorProcess, Installation, Reply, eventually, exchange, request};
use serde_json::{Value, json};
use tokio::net::TcpStream;

const SECOND: Duration = Duration::from_secs(1);

#[expect(clippy::disallowed_methods, reason = "how long a probe takes is what is tested")]
fn now() -> Instant {
    Instant::now()
}

/// An answer that came within a second.
async fn in_time(what: &str, asking: impl Future<Output = Reply>) -> Reply {
    let started = now();
    let reply = asking.await;
    let taken = started.elapsed();
    print_figure(&format!("{what}: {} after {} ms", reply.status, taken.as_millis()));
    assert!(taken < SECOND, "{what} took {taken:?}");
    reply
}

#[expect(clippy::print_stderr, reason = "a run is asked for its figures")]
fn print_figure(figures: &str) {
    eprintln!("{figures}");
}

async fn metrics(server: &GrantorProcess) -> Reply {
    at_metrics(server, "/metrics").await
}

/// What the listener of metrics answers.
async fn at_metrics(server: &GrantorProcess, path: &str) -> Reply {
    let stream = TcpStream::connect(server.metrics_address().await).await.unwrap();
    let text = request(&format!("GET {path}"), &[]);
    exchange(stream, text.as_bytes()).await.expect("an answer")
}

/// What `/readyz` says, as soon as it has this status.
async fn ready(server: &GrantorProcess, status: u16) -> Value {
    let look = async || Some(server.get("/readyz").await).filter(|it| it.status == status);
    eventually("another readiness", look).await.json()
}

/// A change: somebody registers.
async fn register(server: &GrantorProcess, email: &str) -> Reply {
    let body = json!({ "fullname": "Ada Lovelace", "email": email, "password": "Engine-No-1843!" });
    let body = body.to_string();
    let fields = format!("content-type: application/json\r\ncontent-length: {}", body.len());
    let head = request("POST /v1.0.1/auth/m/register", &[&fields]);
    exchange(server.connect().await, format!("{head}{body}").as_bytes()).await.expect("an answer")
}

fn on(postgres: &PostgresServer) -> Installation {
    Installation::default()
        .with("GRANTOR_DATABASE_URL", &postgres.url())
        .with("GRANTOR_METRICS_LISTEN", "127.0.0.1:0")
}

#[tokio::test(flavor = "multi_thread")]
async fn probes_answer_in_time_while_postgresql_stands_still() {
    let postgres = PostgresServer::start();
    let server = on(&postgres).serve().await;
    assert_eq!(server.get("/readyz").await.status, 200);
    let figures = metrics(&server).await.body;
    assert!(figures.contains("grantor_database_up 1\n"), "{figures}");
    assert!(figures.contains("grantor_ready 1\n"), "{figures}");
    postgres.freeze();
    for _ in 0..3 {
        let ready = in_time("/readyz", server.get("/readyz")).await;
        let silent = json!({ "ok": false, "reason": "the database does not respond" });
        assert_eq!((ready.status, &ready.json()["checks"]["database"]), (503, &silent));
        assert_eq!(in_time("/livez", server.get("/livez")).await.status, 200);
        let figures = in_time("/metrics", metrics(&server)).await.body;
        assert!(figures.contains("grantor_database_up 0\n"), "{figures}");
        assert!(figures.contains("grantor_ready 0\n"), "{figures}");
    }
    postgres.thaw();
    ready(&server, 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_end_within_30_seconds_while_postgresql_stands_still() {
    let postgres = PostgresServer::start();
    let server = on(&postgres).with("GRANTOR_LIMITS", "off").serve().await;
    assert_eq!(register(&server, "before@example.com").await.status, 201);
    postgres.freeze();
    let started = now();
    let (read, written) = tokio::join!(server.get("/metadata"), register(&server, "l@example.com"));
    let taken = started.elapsed();
    print_figure(&format!("requests ended after {} s", taken.as_secs()));
    assert_eq!((read.status, written.status), (503, 503));
    assert!(taken < Duration::from_secs(30), "{taken:?}");
    postgres.thaw();
    ready(&server, 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgresql_that_refuses_writes_is_told_of_within_5_seconds() {
    let postgres = PostgresServer::start();
    let server = on(&postgres).with("GRANTOR_LIMITS", "off").serve().await;
    ready(&server, 200).await;
    postgres.refuse_writes(true).await;
    let started = now();
    let told = ready(&server, 503).await;
    let taken = started.elapsed();
    print_figure(&format!("not ready {} ms after the refusal", taken.as_millis()));
    assert!(taken < Duration::from_secs(5), "{taken:?}");
    let read_only = json!({ "ok": false, "reason": "the database is read-only" });
    assert_eq!(told["checks"]["writes"], read_only);
    assert_eq!(told["checks"]["database"]["ok"], true, "it can still be read");
    let figures = metrics(&server).await.body;
    assert!(figures.contains("grantor_ready 0\n"), "{figures}");
    assert_eq!(register(&server, "lost@example.com").await.status, 503);
    postgres.refuse_writes(false).await;
    ready(&server, 200).await;
    assert_eq!(register(&server, "after@example.com").await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_leaves_a_postgresql_that_refuses_writes_for_another() {
    let first = PostgresServer::start();
    let second = first.start_standby();
    let url = format!("postgres://grantor@{},{}/postgres", first.address(), second.address());
    let installation = on(&first).with("GRANTOR_DATABASE_URL", &url).with("GRANTOR_LIMITS", "off");
    let server = installation.serve().await;
    assert_eq!(register(&server, "before@example.com").await.status, 201);
    second.promote().await;
    first.refuse_writes(true).await;
    for number in 0..30 {
        let written = register(&server, &format!("after{number}@example.com")).await;
        assert_eq!(written.status, 201, "write {number}: {}", written.body);
    }
    ready(&server, 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn probes_of_a_worker_answer_in_time_while_postgresql_stands_still() {
    let postgres = PostgresServer::start();
    let installation = on(&postgres);
    let worker = GrantorProcess::start_worker(installation.command("worker")).await;
    assert_eq!(at_metrics(&worker, "/readyz").await.status, 200);
    postgres.freeze();
    for _ in 0..3 {
        assert_eq!(in_time("/readyz", at_metrics(&worker, "/readyz")).await.status, 503);
        assert_eq!(in_time("/livez", at_metrics(&worker, "/livez")).await.status, 200);
        assert_eq!(in_time("/metrics", metrics(&worker)).await.status, 200);
    }
    postgres.thaw();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_ends_within_30_seconds_while_postgresql_stands_still() {
    let postgres = PostgresServer::start();
    let mut server = on(&postgres).serve().await;
    postgres.freeze();
    let asked = tokio::spawn({
        let stream = server.connect().await;
        async move { exchange(stream, request("GET /metadata", &[]).as_bytes()).await }
    });
    let started = now();
    server.signal("TERM");
    let status = server.ended_within(Duration::from_secs(30)).await;
    print_figure(&format!("ended {} s after SIGTERM", started.elapsed().as_secs()));
    assert_eq!(status.code(), Some(0));
    drop(asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn probes_answer_in_time_while_another_holds_the_file() {
    let installation = Installation::default().with("GRANTOR_METRICS_LISTEN", "127.0.0.1:0");
    let server = installation.serve().await;
    let held = seed::hold_writes(&installation.data("grantor.sqlite"));
    let change = tokio::spawn({
        let stream = server.connect().await;
        async move { exchange(stream, request("GET /metadata", &[]).as_bytes()).await }
    });
    for _ in 0..3 {
        in_time("/readyz", server.get("/readyz")).await;
        assert_eq!(in_time("/livez", server.get("/livez")).await.status, 200);
        assert_eq!(in_time("/metrics", metrics(&server)).await.status, 200);
    }
    drop((held, change));
    ready(&server, 200).await;
}

const GONE: &str = "the database file was deleted or replaced";

#[tokio::test]
async fn nothing_is_acknowledged_into_a_deleted_file() {
    let installation = Installation::default().with("GRANTOR_LIMITS", "off");
    let server = installation.serve().await;
    assert_eq!(register(&server, "before@example.com").await.status, 201);
    let (file, aside) = (installation.data("grantor.sqlite"), installation.data("aside.sqlite"));
    std::fs::rename(&file, &aside).unwrap();
    for number in 0..5 {
        let refused = register(&server, &format!("lost{number}@example.com")).await;
        assert_eq!(refused.status, 503, "{}", refused.body);
    }
    let told = ready(&server, 503).await;
    assert_eq!(told["checks"]["writes"], json!({ "ok": false, "reason": GONE }));
    let loud = server.log().iter().filter(|it| it.contains("deleted or replaced while")).count();
    assert_eq!(loud, 1);
    std::fs::rename(&aside, &file).unwrap();
    ready(&server, 200).await;
    assert_eq!(register(&server, "after@example.com").await.status, 201);
}

#[tokio::test]
async fn nothing_is_acknowledged_into_a_replaced_file() {
    let installation = Installation::default();
    let server = installation.serve().await;
    let (file, copy) = (installation.data("grantor.sqlite"), installation.data("copy.sqlite"));
    std::fs::copy(&file, &copy).unwrap();
    std::fs::rename(&copy, &file).unwrap();
    assert_eq!(register(&server, "lost@example.com").await.status, 503);
    assert_eq!(ready(&server, 503).await["checks"]["writes"]["reason"], GONE);
}

#[tokio::test]
async fn a_read_only_file_is_told_of() {
    let installation = Installation::default();
    let server = installation.serve().await;
    ready(&server, 200).await;
    seed::set_read_only(&installation.data("grantor.sqlite"), true);
    let told = ready(&server, 503).await;
    let read_only = json!({ "ok": false, "reason": "the database is read-only" });
    assert_eq!((&told["status"], &told["checks"]["writes"]), (&json!("not ready"), &read_only));
    assert_eq!(told["checks"]["database"]["ok"], true, "it can still be read");
    assert_eq!(register(&server, "lost@example.com").await.status, 503);
    seed::set_read_only(&installation.data("grantor.sqlite"), false);
    drop(server);
    ready(&installation.serve().await, 200).await;
}

/// The server with a small disk of its own for its data.
fn on_small_disk(installation: &Installation) -> Command {
    let plain = installation.command("serve");
    let mut command = Command::new("unshare");
    let script = "mount -t tmpfs -o size=64m tmpfs \"$GRANTOR_DATA_DIR\" && exec \"$0\" serve";
    command.args(["--map-root-user", "--mount", "sh", "-c", script]).arg(plain.get_program());
    let own = plain.get_envs().filter_map(|(name, value)| Some((name, value?)));
    command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").envs(own);
    command.current_dir(installation.folder()).stdin(Stdio::null());
    command
}

#[tokio::test]
async fn a_full_disk_is_told_of() {
    let installation = Installation::default();
    std::fs::create_dir(installation.data("")).unwrap();
    let server = GrantorProcess::start(on_small_disk(&installation)).await;
    ready(&server, 200).await;
    // The disk as the server sees it.
    let root = Path::new("/proc").join(server.id().to_string()).join("root");
    let fill = root.join(installation.data("fill").strip_prefix("/").unwrap());
    let mut size = 64 * 1024 * 1024;
    let mut file = std::fs::File::create(&fill).unwrap();
    while size > 1_024 {
        if std::io::Write::write_all(&mut file, &vec![b'x'; size]).is_err() {
            size /= 2;
        }
    }
    let told = ready(&server, 503).await;
    let full = json!({ "ok": false, "reason": "the database's disk is full" });
    assert_eq!(told["checks"]["writes"], full);
    // The room is free again once nobody holds the file open.
    drop(file);
    std::fs::remove_file(&fill).unwrap();
    ready(&server, 200).await;
}
