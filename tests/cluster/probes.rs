//! What is looked at while things go wrong: whether limits hold, and whether revoked tokens end.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use grantor_testkit::cluster::{Dice, now, pause};
use grantor_testkit::server::{exchange, request};
use serde_json::json;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::client::{As, Ask, Client};
use super::fleet::{LIMIT, Metrics};
use super::nemesis::Weather;

/// Requests of one address at a time, more than its limit.
const BURST: usize = 150;
/// Within this time, a revocation must have reached every node.
pub(super) const REVOKED: Duration = Duration::from_secs(1);
/// How long a revoked token is tried.
const TRIED: Duration = Duration::from_secs(3);

/// How many requests of an address passed within a minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Burst {
    pub(super) passed: usize,
    /// Whether Redis alone counted them, and nothing went wrong meanwhile.
    pub(super) calm: bool,
}

impl Burst {
    /// Whether the limit was exceeded by more than is stated: not at all while Redis counts; once
    /// more if Redis goes away, because each node then counts its share anew.
    pub(super) fn is_excess(self) -> bool {
        self.passed > if self.calm { LIMIT } else { 2 * LIMIT }
    }

    /// Whether Redis alone let as many pass as it may.
    pub(super) fn is_full(self) -> bool {
        self.calm && self.passed >= LIMIT
    }
}

/// What the probes saw.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) bursts: Vec<Burst>,
    /// How long after its revocation a token still worked, for each revocation.
    pub(super) revoked: Vec<Duration>,
}

#[derive(Clone)]
pub(super) struct Probes {
    pub(super) client: Client,
    pub(super) weather: Arc<Weather>,
    pub(super) metrics: Metrics,
    pub(super) seen: Arc<Mutex<Seen>>,
}

impl Probes {
    /// Tries the limits with one address after another.
    pub(super) async fn try_limits(self, stop: CancellationToken) {
        for number in 1_u32.. {
            if stop.is_cancelled() {
                return;
            }
            // Of a network for measurements.
            let [_, _, high, low] = number.to_be_bytes();
            let burst = self.burst(&format!("198.18.{high}.{low}")).await;
            self.seen.lock().unwrap().bursts.push(burst);
            pause(Duration::from_millis(1_500)).await;
        }
    }

    /// Tries the limits a few times more when nothing is wrong, until Redis alone counted twice.
    pub(super) async fn try_limits_in_calm(&self) {
        let mut calm = 0;
        for number in 1..=8 {
            // Nodes leave Redis alone for two seconds after a failure.
            pause(Duration::from_millis(600)).await;
            let burst = self.burst(&format!("198.19.0.{number}")).await;
            self.seen.lock().unwrap().bursts.push(burst);
            calm += u32::from(burst.is_full());
            if calm == 2 {
                return;
            }
        }
    }

    async fn burst(&self, address: &str) -> Burst {
        let (before, alone) = (self.weather.calm(), self.counted_alone().await);
        let mut asked = JoinSet::new();
        for number in 0..BURST {
            let client = self.client.clone();
            let forwarded = format!("x-forwarded-for: {address}");
            asked.spawn(async move {
                let ask = Ask::new(As::Nobody, "GET /metadata?per_page=1").header(forwarded);
                client.send(number % client.nodes(), &ask).await.is_some_and(|it| it.status == 200)
            });
        }
        let passed = asked.join_all().await.into_iter().filter(|it| *it).count();
        let undisturbed = before.is_some() && before == self.weather.calm();
        let together = alone.is_some() && alone == self.counted_alone().await;
        Burst { passed, calm: undisturbed && together }
    }

    /// How many requests the nodes counted without Redis; `None` if one of them does not say.
    async fn counted_alone(&self) -> Option<u64> {
        let addresses = self.metrics.lock().unwrap().clone();
        let mut sum = 0;
        for address in addresses {
            let address = address?;
            let asking = async {
                let stream = TcpStream::connect(address).await.ok()?;
                exchange(stream, request("GET /metrics", &[]).as_bytes()).await
            };
            let figures = timeout(Duration::from_secs(2), asking).await.ok().flatten()?.body;
            let lines = figures.lines().filter_map(|line| line.split_once(' '));
            let counts = lines.filter(|(name, _)| *name == "grantor_limiter_fallback_total");
            sum += counts.filter_map(|(_, count)| count.parse::<u64>().ok()).sum::<u64>();
        }
        Some(sum)
    }

    /// Signs in and out again and again, and tries the ended session at every node.
    pub(super) async fn try_revocations(self, stop: CancellationToken, mut dice: Dice) {
        while !stop.is_cancelled() {
            if let Some(latest) = self.revocation(&mut dice).await {
                self.seen.lock().unwrap().revoked.push(latest);
            }
            pause(dice.millis(200, 1_000)).await;
        }
    }

    async fn revocation(&self, dice: &mut Dice) -> Option<Duration> {
        let session = self.client.sign_in(&self.client.login(), dice).await;
        let token = session["data"]["accessToken"].as_str()?.to_owned();
        let use_it = Ask::new(As::Nobody, "GET /v1.0.1/user/profile")
            .header(format!("authorization: Bearer {token}"))
            .header("x-source: console");
        // Remembered by every node. A token that no node accepts cannot be used too long.
        let mut accepted = 0;
        for node in 0..self.client.nodes() {
            let reply = self.client.send(node, &use_it).await;
            accepted += usize::from(reply.is_some_and(|it| it.status == 200));
        }
        if accepted == 0 {
            return None;
        }
        let body = json!({ "refreshToken": session["data"]["refreshToken"] });
        let logout = Ask::new(As::Nobody, "POST /v1.0.1/auth/logout").json(body);
        let ended = self.client.send(dice.below(self.client.nodes()), &logout).await;
        ended.filter(|it| it.status == 201)?;
        let revoked = now();
        let mut nodes = JoinSet::new();
        for node in 0..self.client.nodes() {
            nodes.spawn(try_at(self.client.clone(), node, use_it.clone(), revoked));
        }
        nodes.join_all().await.into_iter().max()
    }
}

/// Tries a revoked token at a node. Returns how long after the revocation the last request was sent
/// that still passed.
async fn try_at(client: Client, node: usize, ask: Ask, revoked: Instant) -> Duration {
    let mut latest = Duration::ZERO;
    while revoked.elapsed() < TRIED {
        let sent = revoked.elapsed();
        if client.send(node, &ask).await.is_some_and(|it| it.status == 200) {
            latest = sent;
        }
        pause(Duration::from_millis(100)).await;
    }
    latest
}
