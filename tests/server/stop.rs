//! The orderly end: what runs is finished, nothing new begins.

use grantor_testkit::server::{Installation, eventually, read_reply, request};
use grantor_testkit::{Engine, Fixture as _, db_test, seed};
use postgres::{Client, NoTls};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::spawn_blocking;

#[db_test]
async fn an_idle_server_stops_with_success(installation: Installation) {
    let mut server = installation.serve().await;
    let idle = server.connect().await;
    assert_eq!(server.stop().await, Some(0));
    drop(idle);
    let log = server.log();
    assert!(log.last().unwrap().contains("\"stopped\""), "{log:?}");
}

#[tokio::test]
async fn a_request_that_runs_is_answered_and_new_ones_are_refused() {
    let installation = Installation::on(Engine::Postgres).await;
    let mut server = installation.serve().await;
    let url = installation.setting("GRANTOR_DATABASE_URL").to_owned();
    let mut other = spawn_blocking(move || {
        let mut client = Client::connect(&url, NoTls).unwrap();
        client.batch_execute("BEGIN; LOCK TABLE licenses IN ACCESS EXCLUSIVE MODE").unwrap();
        client
    })
    .await
    .unwrap();
    let mut stream = server.connect().await;
    stream.write_all(request("GET /metadata", &[]).as_bytes()).await.unwrap();
    let waiting = "SELECT 'one' FROM pg_locks
                   WHERE NOT granted AND relation = 'licenses'::regclass";
    eventually("a request that waits for the table", async || {
        seed::rows(&installation.options(), waiting).await.pop()
    })
    .await;
    server.signal("TERM");
    server.line("stopping").await;
    eventually("the refusal of connections", async || {
        TcpStream::connect(server.address()).await.is_err().then_some(())
    })
    .await;
    spawn_blocking(move || other.batch_execute("COMMIT").unwrap()).await.unwrap();
    let reply = read_reply(&mut stream).await.expect("an answer");
    assert_eq!((reply.status, &reply.json()["pagination"]["total"]), (200, &0.into()));
    assert_eq!(server.ended().await.code(), Some(0));
}

#[db_test]
async fn a_request_that_is_half_sent_is_answered(installation: Installation) {
    let mut server = installation.serve().await;
    let text = request("GET /metadata", &[]).replace("connection: close", "x-kept: alive");
    let (first, second) = text.split_at(40);
    let mut stream = server.connect().await;
    stream.write_all(first.as_bytes()).await.unwrap();
    // While later connections are answered one after the other, the half is read too.
    for _ in 0..5 {
        assert_eq!(server.get("/health").await.status, 200);
    }
    server.signal("TERM");
    server.line("stopping").await;
    stream.write_all(second.as_bytes()).await.unwrap();
    let reply = read_reply(&mut stream).await.expect("an answer");
    assert_eq!((reply.status, reply.header("connection")), (200, Some("close")));
    assert_eq!(server.ended().await.code(), Some(0));
}

#[tokio::test]
async fn a_server_that_is_told_at_once_stops_with_success_too() {
    let installation = Installation::default();
    for signal in ["TERM", "INT", "TERM", "INT"] {
        let mut server = installation.serve().await;
        server.signal(signal);
        assert_eq!(server.ended().await.code(), Some(0), "{signal}");
    }
}
