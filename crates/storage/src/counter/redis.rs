//! Counters in Redis, shared by all nodes: each step is one atomic script that uses Redis's clock.
//!
//! While Redis is unreachable this node counts its share of each limit by itself and retries from
//! time to time. The connection is dropped on any failure: the library's reconnecting connection
//! mistakes a timeout for a slow answer and would keep a dead connection until the system closes
//! it, a quarter of an hour later.

mod address;
mod seat;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use grantor_domain::limit::{ClockReading, Count, Outcome, Step, Window};
use grantor_domain::{Clock, Timestamp};
use metrics::{counter, gauge};
use redis::aio::MultiplexedConnection;
use redis::{RedisError, RedisResult, Script};
use tokio::sync::Mutex;
use tokio::time::error::Elapsed;
use uuid::Uuid;

use self::address::Address;
use self::seat::Seats;
use super::{CounterKey, Memory};

/// How long a request waits for Redis before this node counts it by itself.
const TIMEOUT: Duration = Duration::from_secs(1);
/// How long to wait after a failure before Redis is tried again: longer than the timeout, so that
/// the requests that fail with it are over before the next attempt.
const PAUSE: Duration = Duration::from_secs(2);
/// How often a continuing failure is logged.
const WARN_EVERY: Duration = Duration::from_secs(10);

/// Each counter is a hash with two fields per window, named by its length.
///
/// A window opened in the future means that Redis's clock was set back: it counts as opened now,
/// and this is stored even if the request is rejected, or the window would never close.
const SCRIPT: &str = r"
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local step, key, passed, moved = ARGV[1], KEYS[1], 1, false
local answer = {passed, now}
for i = 2, #ARGV, 2 do
  local limit, length = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local saved = redis.call('HMGET', key, ARGV[i + 1] .. ':opened', ARGV[i + 1] .. ':used')
  local opened, used = tonumber(saved[1] or now), tonumber(saved[2] or 0)
  if opened > now then opened, moved = now, true end
  if used == 0 or now - opened >= length then opened, used = now, 0 end
  if step == 'give_back' and used > 0 then used = used - 1 end
  if used >= limit then passed = 0 end
  answer[i + 1], answer[i + 2] = opened, used
end
answer[1] = passed
local counts = step == 'hit' and passed == 1
if step == 'give_back' or counts or (step == 'hit' and moved) then
  local open_for = 0
  for i = 2, #ARGV, 2 do
    if counts then answer[i + 2] = answer[i + 2] + 1 end
    local opened, used, length = answer[i + 1], answer[i + 2], tonumber(ARGV[i + 1])
    redis.call('HSET', key, ARGV[i + 1] .. ':opened', string.format('%.0f', opened),
      ARGV[i + 1] .. ':used', string.format('%.0f', used))
    if used > 0 then open_for = math.max(open_for, opened + length - now) end
  end
  redis.call('PEXPIRE', key, string.format('%.0f', math.ceil(open_for / 1000)))
end
return answer
";

/// The counters in Redis.
pub struct Redis {
    address: Address,
    script: Script,
    seats: Seats,
    connection: Mutex<Option<MultiplexedConnection>>,
    timeout: Duration,
    clock: Arc<dyn Clock>,
    fallback: Memory,
    fallbacks: AtomicU64,
    /// When Redis may be tried again, in microseconds of the monotonic clock; 0 while it answers.
    ask_at: AtomicU64,
    warn_at: AtomicU64,
}

/// Why a Redis URL cannot be used. The messages do not repeat the URL, which may have a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRedisUrl {
    /// It is not a URL of Redis.
    #[error("must be a Redis URL such as redis://:password@host:6379/0")]
    Form,
    /// An unknown parameter.
    #[error(
        "may only have sslrootcert, sslcert and sslkey, and with Sentinels sentinel_password, \
         after the question mark"
    )]
    Parameter,
    /// Certificates without TLS.
    #[error("names certificates, which only rediss:// uses")]
    Plain,
    /// A certificate without its key.
    #[error("must name both sslcert and sslkey, or neither")]
    Pair,
    /// A file that cannot be used.
    #[error("names a file that cannot be used: {0}")]
    Certificates(String),
}

impl InvalidRedisUrl {
    #[expect(clippy::needless_pass_by_value, reason = "is passed to `map_err`")]
    fn certificates(error: RedisError) -> Self {
        Self::Certificates(error.to_string())
    }
}

impl Redis {
    /// Creates counters at this URL. The first step connects, so that a node also starts without
    /// Redis.
    pub fn new(url: &str, clock: Arc<dyn Clock>) -> Result<Self, InvalidRedisUrl> {
        Ok(Self {
            address: Address::parse(url)?,
            script: Script::new(SCRIPT),
            seats: Seats::default(),
            connection: Mutex::new(None),
            timeout: TIMEOUT,
            fallback: Memory::new(Arc::clone(&clock)),
            clock,
            fallbacks: AtomicU64::new(0),
            ask_at: AtomicU64::new(0),
            warn_at: AtomicU64::new(0),
        })
    }

    /// Sets the timeout, which is one second by default.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    pub(super) fn fallbacks(&self) -> u64 {
        self.fallbacks.load(Ordering::Relaxed)
    }

    pub(super) async fn step(&self, step: Step, key: &CounterKey, windows: &[Window]) -> Outcome {
        if self.may_ask() {
            let asked = tokio::time::timeout(self.timeout, self.ask(step, key, windows)).await;
            if let Some(outcome) = self.heard(asked) {
                return outcome;
            }
        }
        self.fallbacks.fetch_add(1, Ordering::Relaxed);
        counter!("grantor_limiter_fallback_total").increment(1);
        let seat = self.seats.last();
        let share = |it: &Window| Window { limit: seat.share(it.limit), ..*it };
        let shares: Vec<_> = windows.iter().map(share).collect();
        self.fallback.step(step, key, &shares)
    }

    /// Says that this node counts requests, and remembers how many nodes do. Called regularly.
    pub(super) async fn announce(&self, node: Uuid, expected: u32) {
        self.seats.expect(expected);
        if !self.may_ask() {
            return;
        }
        let asked = async {
            let mut connection = self.connection().await?;
            self.seats.take(&mut connection, node).await
        };
        let asked = tokio::time::timeout(self.timeout, asked).await;
        if let Some(seat) = self.heard(asked) {
            self.seats.remember(seat);
            gauge!("grantor_redis_up").set(1.0);
            gauge!("grantor_limiter_nodes").set(f64::from(seat.nodes));
        }
    }

    /// Says that this node stops, so that the others share its part at once.
    pub(super) async fn withdraw(&self, node: Uuid) {
        let leaving = async {
            let mut connection = self.connection().await?;
            seat::leave(&mut connection, node).await
        };
        // Without it, the others notice a few seconds later.
        let _ = tokio::time::timeout(self.timeout, leaving).await;
    }

    /// What Redis answered. Otherwise it is left alone for a while.
    fn heard<T>(&self, asked: Result<RedisResult<T>, Elapsed>) -> Option<T> {
        match asked {
            Ok(Ok(answer)) => {
                if self.ask_at.swap(0, Ordering::Relaxed) != 0 {
                    tracing::info!("Redis is reachable again: rate limits are shared by all nodes");
                    gauge!("grantor_redis_up").set(1.0);
                }
                Some(answer)
            }
            Ok(Err(error)) => {
                self.fail(&error);
                None
            }
            Err(_) => {
                self.fail(&"timed out");
                None
            }
        }
    }

    /// While Redis fails, one request per pause tries it; the others do not wait.
    fn may_ask(&self) -> bool {
        let ask_at = self.ask_at.load(Ordering::Relaxed);
        ask_at == 0 || self.claim(&self.ask_at, ask_at, PAUSE)
    }

    async fn ask(&self, step: Step, key: &CounterKey, windows: &[Window]) -> RedisResult<Outcome> {
        let mut call = self.script.key(key.to_string());
        call.arg(match step {
            Step::Hit => "hit",
            Step::Peek => "peek",
            Step::Refund => "give_back",
        });
        for window in windows {
            call.arg(window.limit).arg(micros(window.length));
        }
        let mut connection = self.connection().await?;
        let answer: Vec<u64> = call.invoke_async(&mut connection).await?;
        Ok(read(&answer, windows))
    }

    async fn connection(&self) -> RedisResult<MultiplexedConnection> {
        let mut slot = self.connection.lock().await;
        if let Some(connection) = &*slot {
            return Ok(connection.clone());
        }
        // The timeout of the step covers connecting too.
        let connection = self.address.connect().await?;
        Ok(slot.insert(connection).clone())
    }

    fn fail(&self, error: &dyn fmt::Display) {
        // First of all, so that nobody else begins to wait.
        self.ask_at.store(micros(self.clock.monotonic() + PAUSE).max(1), Ordering::Relaxed);
        // Whoever has the lock is connecting, so there is nothing to drop.
        if let Ok(mut connection) = self.connection.try_lock() {
            *connection = None;
        }
        gauge!("grantor_redis_up").set(0.0);
        let warn_at = self.warn_at.load(Ordering::Relaxed);
        if self.claim(&self.warn_at, warn_at, WARN_EVERY) {
            let nodes = self.seats.last().nodes;
            tracing::warn!(
                %error,
                nodes,
                "Redis is unreachable: each node counts its share of the rate limits by itself"
            );
        }
    }

    /// Whether the time `due` has come and this caller is the one who advanced it.
    fn claim(&self, instant: &AtomicU64, due: u64, pause: Duration) -> bool {
        let now = self.clock.monotonic();
        let next = micros(now + pause);
        let order = Ordering::Relaxed;
        micros(now) >= due && instant.compare_exchange(due, next, order, order).is_ok()
    }
}

impl fmt::Debug for Redis {
    /// Omits the address, because its URL may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis").field("fallbacks", &self.fallbacks()).finish_non_exhaustive()
    }
}

/// Reads the script's result: whether the request passed, Redis's time, and two figures per window.
/// Redis's wall clock is used for both clocks, so that all nodes report the same reset time.
fn read(answer: &[u64], windows: &[Window]) -> Outcome {
    let (head, figures) = answer.split_at(answer.len().min(2));
    let counts: Vec<_> = figures
        .chunks_exact(2)
        .map(|pair| Count {
            opened_at: Duration::from_micros(pair[0]),
            used: u32::try_from(pair[1]).unwrap_or(u32::MAX),
        })
        .collect();
    let now = head.get(1).copied().unwrap_or(0);
    let wall = Timestamp::from_micros(i64::try_from(now).unwrap_or(i64::MAX));
    let now = ClockReading { monotonic: Duration::from_micros(now), wall };
    Outcome::of(head.first() == Some(&1), windows, &counts, now)
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
