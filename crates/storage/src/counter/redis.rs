//! Counters in Redis, shared by all nodes: each step is one atomic script that uses Redis's clock.
//!
//! While Redis is unreachable this node counts by itself and retries from time to time. The
//! connection is dropped on any failure: the library's reconnecting connection mistakes a timeout
//! for a slow answer and would keep a dead connection until the system closes it, a quarter of an
//! hour later.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use grantor_domain::limit::{ClockReading, Count, Outcome, Step, Window};
use grantor_domain::{Clock, Timestamp};
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, RedisResult, Script};
use tokio::sync::Mutex;

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
    client: Client,
    script: Script,
    connection: Mutex<Option<MultiplexedConnection>>,
    timeout: Duration,
    clock: Arc<dyn Clock>,
    fallback: Memory,
    fallbacks: AtomicU64,
    /// When Redis may be tried again, in microseconds of the monotonic clock; 0 while it answers.
    ask_at: AtomicU64,
    warn_at: AtomicU64,
}

/// The URL is not a valid Redis URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a Redis URL such as redis://:password@host:6379/0")]
pub struct InvalidRedisUrl;

impl Redis {
    /// Creates counters at this URL. The first step connects, so that a node also starts without
    /// Redis.
    pub fn new(url: &str, clock: Arc<dyn Clock>) -> Result<Self, InvalidRedisUrl> {
        Ok(Self {
            client: Client::open(url).map_err(|_| InvalidRedisUrl)?,
            script: Script::new(SCRIPT),
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
            match tokio::time::timeout(self.timeout, self.ask(step, key, windows)).await {
                Ok(Ok(outcome)) => {
                    if self.ask_at.swap(0, Ordering::Relaxed) != 0 {
                        tracing::info!(
                            "Redis is reachable again: rate limits are shared by all nodes"
                        );
                    }
                    return outcome;
                }
                Ok(Err(error)) => self.fail(error).await,
                Err(_) => self.fail("timed out").await,
            }
        }
        self.fallbacks.fetch_add(1, Ordering::Relaxed);
        metrics::counter!("grantor_limiter_fallback_total").increment(1);
        self.fallback.step(step, key, windows)
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
        let config =
            AsyncConnectionConfig::new().set_connection_timeout(None).set_response_timeout(None);
        let connection = self.client.get_multiplexed_async_connection_with_config(&config).await?;
        Ok(slot.insert(connection).clone())
    }

    async fn fail(&self, error: impl fmt::Display + Send) {
        self.connection.lock().await.take();
        self.ask_at.store(micros(self.clock.monotonic() + PAUSE).max(1), Ordering::Relaxed);
        let warn_at = self.warn_at.load(Ordering::Relaxed);
        if self.claim(&self.warn_at, warn_at, WARN_EVERY) {
            tracing::warn!(%error, "Redis is unreachable: each node counts rate limits by itself");
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
    /// Omits the client, because its URL may contain a password.
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
