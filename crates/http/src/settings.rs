//! Request-handling settings.

use std::time::Duration;

use grantor_domain::idempotency::RENEW_INTERVAL;
use ipnet::IpNet;

/// Request-handling settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Whether plain HTTP is rejected. Set if a proxy terminates TLS and the listener is not on
    /// loopback.
    pub require_https: bool,
    /// The time for a request: the checks before its handler, and the handler.
    pub handler_time: Duration,
    /// The extra time for a handler whose change is already stored.
    pub answer_time: Duration,
    /// How long a request waits for another request with the same idempotency key.
    pub replay_wait: Duration,
    /// How often a long-running request renews the claim on its idempotency key.
    pub renew_claim: Duration,
    /// The timeout for receiving a request body.
    pub body_time: Duration,
    /// The memory budget of all concurrent image uploads, in bytes.
    pub upload_memory: usize,
    /// How long an upload waits for free memory.
    pub upload_wait: Duration,
    /// How many requests are logged per second, besides those that fail or take long.
    pub request_log: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            trusted_proxies: vec![],
            require_https: false,
            // Together 30 seconds, which no request outlives.
            handler_time: Duration::from_secs(25),
            answer_time: Duration::from_secs(5),
            replay_wait: Duration::from_secs(10),
            renew_claim: RENEW_INTERVAL,
            body_time: Duration::from_secs(15),
            upload_memory: 256 * 1024 * 1024,
            upload_wait: Duration::from_secs(2),
            request_log: 20,
        }
    }
}
