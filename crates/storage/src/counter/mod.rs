//! Counters for rate limits: in this process for one node, in Redis for several.
//!
//! Each step is atomic over all windows of its limit, so that exactly as many requests pass as the
//! limit allows, however many arrive at once. Counting never fails: without Redis, each node counts
//! its share of the limit by itself.

mod memory;
mod redis;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use grantor_domain::limit::{LimitName, Outcome, Step, Window};
use sha2::{Digest, Sha256};
use uuid::Uuid;

pub use memory::Memory;
pub use redis::{InvalidRedisUrl, Redis};

/// Where the counts are kept.
#[derive(Debug)]
pub enum Counters {
    /// In this process.
    Memory(Memory),
    /// Shared by all nodes.
    Redis(Box<Redis>),
}

impl Counters {
    /// Counts one request if every window has capacity left.
    pub async fn hit(&self, key: &CounterKey, windows: &[Window]) -> Outcome {
        self.step(Step::Hit, key, windows).await
    }

    /// Returns whether a request would pass, and what is left, without counting it.
    pub async fn peek(&self, key: &CounterKey, windows: &[Window]) -> Outcome {
        self.step(Step::Peek, key, windows).await
    }

    /// Takes back one counted request, if there is one.
    pub async fn give_back(&self, key: &CounterKey, windows: &[Window]) {
        self.step(Step::Refund, key, windows).await;
    }

    /// How many steps this node counted by itself because Redis was unreachable.
    #[must_use]
    pub fn fallbacks(&self) -> u64 {
        match self {
            Self::Memory(_) => 0,
            Self::Redis(redis) => redis.fallbacks(),
        }
    }

    /// Says that this node counts requests, so that each node knows its share of the limits should
    /// Redis be away. Called every few seconds by nodes that answer requests, with the number of
    /// nodes to expect as long as Redis was never met.
    pub async fn announce(&self, node: Uuid, expected: u32) {
        if let Self::Redis(redis) = self {
            redis.announce(node, expected).await;
        }
    }

    /// Says that this node stops.
    pub async fn withdraw(&self, node: Uuid) {
        if let Self::Redis(redis) = self {
            redis.withdraw(node).await;
        }
    }

    async fn step(&self, step: Step, key: &CounterKey, windows: &[Window]) -> Outcome {
        match self {
            Self::Memory(memory) => memory.step(step, key, windows),
            Self::Redis(redis) => redis.step(step, key, windows).await,
        }
    }
}

impl From<Memory> for Counters {
    fn from(memory: Memory) -> Self {
        Self::Memory(memory)
    }
}

impl From<Redis> for Counters {
    fn from(redis: Redis) -> Self {
        Self::Redis(Box::new(redis))
    }
}

/// Whose requests are counted together. It has a fixed size, whatever a caller sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subject(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Address(IpAddr),
    Id(Uuid),
    Hash([u8; 32]),
}

impl Subject {
    /// A network address; for IPv6 its /64 network, because a caller usually controls all of it.
    #[must_use]
    pub fn address(address: IpAddr) -> Self {
        Self(Kind::Address(network_of(address)))
    }

    /// The id of a record.
    #[must_use]
    pub fn id(id: Uuid) -> Self {
        Self(Kind::Id(id))
    }

    /// A text such as an email address or a presented key. Only its hash is kept, so that a shared
    /// store contains no personal data and a long text needs no extra memory.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self(Kind::Hash(Sha256::new().chain_update(b"text ").chain_update(text).finalize().into()))
    }

    /// A text as presented from one address, so that wrong secrets from one address do not count
    /// against others.
    #[must_use]
    pub fn text_from(text: &str, address: IpAddr) -> Self {
        let from = format!("from {} ", network_of(address));
        Self(Kind::Hash(Sha256::new().chain_update(from).chain_update(text).finalize().into()))
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Address(address) => write!(f, "address/{address}"),
            Kind::Id(id) => write!(f, "id/{id}"),
            Kind::Hash(hash) => {
                f.write_str("hash/")?;
                hash.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}

/// The key of a counter: a limit and a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CounterKey {
    /// The limit.
    pub limit: LimitName,
    /// The caller that is counted.
    pub subject: Subject,
}

impl fmt::Display for CounterKey {
    /// The braces are Redis Cluster's hash tag, so that related keys share a slot.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "grantor:limit:{{{}/{}}}", self.limit.as_str(), self.subject)
    }
}

/// The part of an address that identifies a caller.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => match v6.segments() {
            // RFC 6052: behind a translator, all IPv4 addresses would share this one prefix.
            [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
                let [.., a, b, c, d] = v6.octets();
                IpAddr::V4(Ipv4Addr::new(a, b, c, d))
            }
            [a, b, c, d, ..] => IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)),
        },
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(subject: Subject) -> String {
        CounterKey { limit: LimitName::Login, subject }.to_string()
    }

    #[test]
    fn one_network_of_ipv6_is_one_caller() {
        for (address, text) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("64:ff9b::192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2::9", "2001:db8:1:2::"),
            ("2001:db8:1:3::9", "2001:db8:1:3::"),
        ] {
            let subject = Subject::address(address.parse().unwrap());
            assert_eq!(key(subject), format!("grantor:limit:{{login/address/{text}}}"));
        }
    }

    #[test]
    fn a_text_is_kept_as_its_hash_and_kinds_never_meet() {
        let (here, there) = ("192.0.2.7".parse().unwrap(), "192.0.2.8".parse().unwrap());
        let subjects = [
            Subject::text("}a@example.com"),
            Subject::text("from 192.0.2.7 }a@example.com"),
            Subject::text_from("}a@example.com", here),
            Subject::text_from("}a@example.com", there),
        ];
        for (index, subject) in subjects.iter().enumerate() {
            assert_eq!(key(*subject).len(), "grantor:limit:{login/hash/}".len() + 64);
            assert!(subjects.iter().skip(index + 1).all(|other| other != subject));
        }
    }
}
