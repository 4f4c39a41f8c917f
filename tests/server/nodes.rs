//! Several processes as one: shared limits, and metrics for those who look after them.

use grantor_testkit::redis::RedisServer;
use grantor_testkit::server::{GrantorProcess, Installation, Reply, exchange, request};
use grantor_testkit::{Engine, Fixture as _, db_test};
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
