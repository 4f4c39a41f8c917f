//! Rate limits in Redis over TLS and behind Sentinels, and the share of each node while it is away.

use std::sync::Arc;
use std::time::Duration;

use grantor_domain::Clock;
use grantor_domain::limit::{LimitName, Outcome, Window};
use grantor_service::operations::limit::Subject;
use grantor_storage::counter::{CounterKey, Counters, InvalidRedisUrl, Redis};
use grantor_testkit::clock::MockClock;
use grantor_testkit::redis::RedisServer;
use grantor_testkit::server::eventually;
use grantor_testkit::smtp::SelfSigned;
use uuid::Uuid;

/// Long enough that only a broken server runs into it, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longer than the pause after a failure.
const LATER: Duration = Duration::from_secs(3);

fn at(url: &str, clock: &Arc<MockClock>) -> Result<Counters, InvalidRedisUrl> {
    let redis = Redis::new(url, Arc::clone(clock) as Arc<dyn Clock>)?;
    Ok(redis.with_timeout(PATIENCE).into())
}

async fn passes(counters: &Counters, subject: &str, limit: u32) -> bool {
    let key = CounterKey { limit: LimitName::Login, subject: Subject::text(subject) };
    let window = Window { limit, length: Duration::from_hours(1) };
    matches!(counters.hit(&key, &[window]).await, Outcome::Passed(_))
}

/// How many of a hundred requests of one caller pass, spread over the nodes.
async fn passed(nodes: &[Counters], subject: &str, limit: u32) -> usize {
    let mut count = 0;
    for node in nodes.iter().cycle().take(100) {
        count += usize::from(passes(node, subject, limit).await);
    }
    count
}

/// Three nodes that know of each other.
async fn three_nodes(server: &RedisServer, clock: &Arc<MockClock>) -> ([Counters; 3], [Uuid; 3]) {
    let nodes = [0; 3].map(|_| at(&server.url(), clock).unwrap());
    let ids = [7, 9, 8].map(Uuid::from_u128);
    for _ in 0..2 {
        for (node, id) in nodes.iter().zip(ids) {
            node.announce(id, 1).await;
        }
    }
    (nodes, ids)
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_all_nodes_together_allow_the_limit() {
    let mut server = RedisServer::start().await.unwrap();
    let clock = Arc::new(MockClock::default());
    let (nodes, _) = three_nodes(&server, &clock).await;
    assert_eq!(passed(&nodes, "before", 10).await, 10);
    server.kill();
    for limit in [3, 10, 20, 59] {
        let subject = format!("limit of {limit}");
        assert_eq!(passed(&nodes, &subject, limit).await, usize::try_from(limit).unwrap());
    }
    // Nobody is locked out, so a limit below the number of nodes is exceeded, as documented.
    assert_eq!(passed(&nodes, "tiny", 1).await, 3);
    server.resume().await.unwrap();
    clock.advance(LATER);
    for node in &nodes {
        node.announce(Uuid::from_u128(1), 1).await;
    }
    assert_eq!(passed(&nodes, "after", 10).await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_never_met_would_allow_three_times_the_limit() {
    let mut server = RedisServer::start().await.unwrap();
    let clock = Arc::new(MockClock::default());
    let nodes = [0; 3].map(|_| at(&server.url(), &clock).unwrap());
    server.kill();
    assert_eq!(passed(&nodes, "alone", 10).await, 30);
    // The database knows of all three.
    for (node, id) in nodes.iter().zip(1..) {
        node.announce(Uuid::from_u128(id), 3).await;
    }
    assert_eq!(passed(&nodes, "together", 10).await, 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_left_is_no_longer_counted() {
    let mut server = RedisServer::start().await.unwrap();
    let clock = Arc::new(MockClock::default());
    let (nodes, ids) = three_nodes(&server, &clock).await;
    nodes[2].withdraw(ids[2]).await;
    // One that stopped without a word long ago.
    server.command("HSET grantor:nodes gone 1").await.unwrap();
    for (node, id) in nodes.iter().zip(ids).take(2) {
        node.announce(id, 1).await;
    }
    assert_eq!(server.command("HLEN grantor:nodes").await.unwrap(), ":2");
    server.kill();
    assert_eq!(passed(&nodes[..2], "rest", 10).await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_is_reached_over_tls_if_its_certificate_is_trusted() {
    grantor_testkit::install_tls_provider();
    let server = RedisServer::start_with_tls(&SelfSigned::of("localhost")).await.unwrap();
    let clock = Arc::new(MockClock::default());
    let node = at(&server.url(), &clock).unwrap();
    assert!(passes(&node, "a", 1).await);
    assert!(!passes(&node, "a", 1).await);
    assert_eq!(node.fallbacks(), 0, "Redis counted");
    // The controls: without the root, with another host, and without TLS nobody answers.
    let plain = server.url().split_once('?').unwrap().0.to_owned();
    for url in [
        plain.clone(),
        server.url().replace("localhost", "127.0.0.1"),
        plain.replace("rediss", "redis"),
    ] {
        let node = at(&url, &clock).unwrap();
        passes(&node, "b", 1).await;
        assert_eq!(node.fallbacks(), 1, "{url}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_master_is_found_by_asking_sentinels() {
    let mut master = RedisServer::start().await.unwrap();
    let replica = master.start_replica().await.unwrap();
    let sentinel = master.start_sentinel().await.unwrap();
    let clock = Arc::new(MockClock::default());
    // The first of the two does not answer.
    let url = sentinel.url().replace("127.0.0.1:", "127.0.0.1:1,127.0.0.1:");
    let node = at(&url, &clock).unwrap();
    assert!(passes(&node, "before", 1).await);
    assert_eq!(node.fallbacks(), 0);
    assert_eq!(master.command("DBSIZE").await.unwrap(), ":1");
    master.kill();
    eventually("the counts of the new master", async || {
        let before = node.fallbacks();
        clock.advance(LATER);
        passes(&node, "after", 1).await;
        (node.fallbacks() == before).then_some(())
    })
    .await;
    let key = CounterKey { limit: LimitName::Login, subject: Subject::text("after") };
    assert_eq!(replica.command(&format!("EXISTS {key}")).await.unwrap(), ":1");
}
