//! Several processes as one: shared limits, and metrics for those who look after them.

use grantor_testkit::redis::RedisServer;
use grantor_testkit::server::{GrantorProcess, Installation, Reply, eventually, exchange, request};
use grantor_testkit::{Engine, Fixture as _, db_test, seed};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// How many of so many requests of one caller, spread over the nodes and sent together, pass the
/// limit of 60.
async fn passed(nodes: [&GrantorProcess; 2], caller: &str, requests: usize) -> usize {
    let mut calls = JoinSet::new();
    for node in nodes.into_iter().cycle().take(requests) {
        let (address, forwarded) = (node.address(), format!("x-forwarded-for: {caller}"));
        calls.spawn(async move {
            let stream = TcpStream::connect(address).await.unwrap();
            let text = request("GET /metadata", &[&forwarded]);
            exchange(stream, text.as_bytes()).await.expect("an answer").status
        });
    }
    let statuses = calls.join_all().await;
    assert!(statuses.iter().all(|status| matches!(status, 200 | 429)), "{statuses:?}");
    statuses.iter().filter(|status| **status == 200).count()
}

async fn metrics(server: &GrantorProcess, path: &str) -> Reply {
    let stream = TcpStream::connect(server.metrics_address().await).await.unwrap();
    exchange(stream, request(&format!("GET {path}"), &[]).as_bytes()).await.expect("an answer")
}

/// How many requests the nodes counted alone so far, since Redis did not answer them in time.
async fn counted_alone(nodes: [&GrantorProcess; 2]) -> u64 {
    let mut sum = 0;
    for node in nodes {
        let figures = metrics(node, "/metrics").await.body;
        let lines = figures.lines().filter_map(|line| line.split_once(' '));
        let counts = lines.filter(|(name, _)| *name == "grantor_limiter_fallback_total");
        sum += counts.map(|(_, count)| count.parse::<u64>().unwrap()).sum::<u64>();
    }
    sum
}

/// Two nodes on one database, which hold the same keys in data directories of their own.
async fn nodes(settings: impl Fn(Installation) -> Installation) -> (Installation, Installation) {
    let settings = |installation: Installation| {
        settings(installation)
            .with("GRANTOR_METRICS_LISTEN", "127.0.0.1:0")
            .with("GRANTOR_TRUSTED_PROXIES", "127.0.0.1")
    };
    let one = settings(Installation::on(Engine::Postgres).await);
    one.serve().await.stop().await;
    let other = settings(Installation::default())
        .with("GRANTOR_DATABASE_URL", one.setting("GRANTOR_DATABASE_URL"));
    std::fs::create_dir(other.data("")).unwrap();
    std::fs::copy(one.data("keys.json"), other.data("keys.json")).unwrap();
    (one, other)
}

#[tokio::test]
async fn a_limit_is_exact_across_two_nodes_with_redis() {
    let redis = RedisServer::start().await.unwrap();
    let (one, other) =
        nodes(|installation| installation.with("GRANTOR_REDIS_URL", &redis.url())).await;
    let (one, other) = (one.serve().await, other.serve().await);
    let nodes = [&one, &other];
    let mut exact = 0;
    for round in 1..=30 {
        let alone = counted_alone(nodes).await;
        let passed = passed(nodes, &format!("198.51.100.{round}"), 120).await;
        // On a machine too busy to answer in time nodes count alone, as they should.
        if counted_alone(nodes).await == alone {
            assert_eq!(passed, 60, "round {round}");
            exact += 1;
        }
        if exact == 3 {
            return;
        }
    }
    panic!("only {exact} rounds of 30 were counted by Redis alone");
}

#[tokio::test]
async fn without_redis_each_node_counts_and_says_so() {
    let (one, other) = nodes(|installation| installation).await;
    let (one, other) = (one.serve().await, other.serve().await);
    assert_eq!(passed([&one, &other], "198.51.100.1", 130).await, 120);
    one.line("set redis_url to run more than one node").await;
}

/// The value of a metric without labels.
async fn metric(server: &GrantorProcess, name: &str) -> Option<u64> {
    let page = metrics(server, "/metrics").await.body;
    let lines = page.lines().filter_map(|line| line.split_once(' '));
    lines.into_iter().find(|it| it.0 == name).and_then(|it| it.1.parse().ok())
}

#[tokio::test]
async fn nodes_that_met_in_redis_share_the_limit_when_it_is_gone() {
    let mut redis = RedisServer::start().await.unwrap();
    let (one, other) =
        nodes(|installation| installation.with("GRANTOR_REDIS_URL", &redis.url())).await;
    let (one, other) = (one.serve().await, other.serve().await);
    for node in [&one, &other] {
        eventually("both nodes", async || {
            metric(node, "grantor_limiter_nodes").await.filter(|it| *it == 2)
        })
        .await;
    }
    redis.kill();
    assert_eq!(passed([&one, &other], "198.51.100.1", 130).await, 60);
    for node in [&one, &other] {
        assert_eq!(metric(node, "grantor_redis_up").await, Some(0));
        assert!(metric(node, "grantor_limiter_fallback_total").await > Some(0));
    }
}

#[db_test]
async fn metrics_are_on_a_listener_of_their_own(installation: Installation) {
    let server = installation.with("GRANTOR_METRICS_LISTEN", "127.0.0.1:0").serve().await;
    assert_eq!(server.get("/health").await.status, 200);
    assert_eq!(server.get("/metrics").await.status, 404);
    let figures = metrics(&server, "/metrics").await;
    let counted = "grantor_http_requests_total{surface=\"external\",route=\"/health\"";
    assert!(figures.status == 200 && figures.body.contains(counted), "{}", figures.body);
    assert_eq!(metrics(&server, "/health").await.status, 404);
}

/// What the doctor says of the pictures that a node has.
async fn pictures(node: &Installation) -> String {
    let said = node.run("doctor --deep").await;
    said.out.lines().find(|it| it.contains("objects: ")).expect("a line about objects").to_owned()
}

#[tokio::test]
async fn every_node_has_the_pictures() {
    let (one, other) = nodes(|installation| installation).await;
    assert_eq!(one.run("demo").await.code, Some(0));
    let said = pictures(&other).await;
    assert!(said.starts_with("ok ") && !said.contains(" 0 images"), "{said}");
    assert_eq!(said, pictures(&one).await);
    assert!(!one.data("objects").exists(), "no node has files of its own");
}

#[tokio::test]
async fn a_node_with_a_folder_of_its_own_is_refused() {
    let (one, other) =
        nodes(|installation| installation.with("GRANTOR_OBJECT_STORE", "files")).await;
    let server = one.serve().await;
    let refused = other.run("serve").await;
    let sentence = format!(
        "object_store: {} is not the folder with this database's images: mount that one here, or \
         keep them in a bucket (s3_bucket) or in the database (object_store = database)",
        other.data("objects").display()
    );
    assert!(refused.code == Some(1) && refused.err.contains(&sentence), "{}", refused.err);
    std::os::unix::fs::symlink(one.data("objects"), other.data("objects")).unwrap();
    drop(other.serve().await);
    drop(server);
}

#[tokio::test]
async fn files_of_a_single_node_become_objects_of_all() {
    let (one, other) = nodes(|installation| installation).await;
    let files = one.with("GRANTOR_OBJECT_STORE", "files");
    assert_eq!(files.run("demo").await.code, Some(0));
    let before = pictures(&files).await;
    let one = files.with("GRANTOR_OBJECT_STORE", "auto");
    assert_eq!(pictures(&one).await, before, "files are read where they are");
    assert!(pictures(&other).await.starts_with("BAD "), "the control");
    let server = one.serve().await;
    server.line("image files were copied into the database").await;
    assert_eq!(pictures(&other).await, before);
    assert_eq!(pictures(&one).await, before);
    let files = std::fs::read_dir(one.data("objects/images")).unwrap().count();
    assert!(files > 0, "nodes of the last release still read them");
}

/// The secret that seals the key ring in the database.
const SECRET: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

async fn published(server: &GrantorProcess) -> Vec<String> {
    let keys = server.get("/.well-known/jwks.json").await.json();
    let keys = keys["keys"].as_array().unwrap();
    keys.iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn nodes_with_the_ring_in_the_database_need_no_file_and_follow_a_rotation() {
    let sealed = |it: Installation| it.with("GRANTOR_KEY_RING_SECRET", SECRET);
    let one = sealed(Installation::on(Engine::Postgres).await);
    let url = one.setting("GRANTOR_DATABASE_URL").to_owned();
    let other = sealed(Installation::default()).with("GRANTOR_DATABASE_URL", &url);
    let (first, second) = (one.serve().await, other.serve().await);
    assert_eq!(published(&first).await, published(&second).await);
    let said = other.run("keys rotate --root").await.ok();
    assert!(said.ends_with("All 2 running nodes have loaded the keys.\n"), "{said}");
    let keys = published(&first).await;
    assert_eq!((keys.len(), &keys), (4, &published(&second).await));
    assert!(!one.data("keys.json").exists() && !other.data("keys.json").exists());

    let wrong = SECRET.replacen('A', "B", 1);
    let wrong = other.with("GRANTOR_KEY_RING_SECRET", &wrong).run("serve").await;
    let reason = "key_ring_secret: the key ring in the database was sealed with another secret";
    assert!(wrong.code == Some(1) && wrong.err.contains(reason), "{}", wrong.err);
}

#[tokio::test]
async fn a_killed_node_is_noticed_within_seconds() {
    let (one, other) = nodes(|installation| installation).await;
    let (options, mut first, second) = (one.options(), one.serve().await, other.serve().await);
    let count = async || seed::rows(&options, "SELECT program FROM nodes").await.len();
    assert_eq!(count().await, 2);
    first.signal("KILL");
    first.ended().await;
    second.line("a node died: what it held is free").await;
    assert_eq!(count().await, 1);
    let mut second = second;
    second.stop().await;
    assert_eq!(count().await, 0, "a node that stops leaves");
}
