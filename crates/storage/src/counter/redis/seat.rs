//! The nodes that count requests, as Redis last knew them. While it is away, each node counts its
//! share of every limit, so that all of them together allow the limit and not a multiple of it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use redis::aio::MultiplexedConnection;
use redis::{RedisResult, Script};
use uuid::Uuid;

/// The hash of all nodes: their ids, and when each last said that it is there.
const KEY: &str = "grantor:nodes";
/// After how many milliseconds of silence a node counts as gone.
const GONE_AFTER: u64 = 10_000;

/// Registers a node and returns how many there are, and how many of them come before it.
///
/// A time far in the future means that Redis's clock was set back: whoever is there says so again.
const SCRIPT: &str = r"
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local key, own, gone_after = KEYS[1], ARGV[1], tonumber(ARGV[2])
redis.call('HSET', key, own, string.format('%.0f', now))
redis.call('PEXPIRE', key, ARGV[2])
local nodes, count, before = redis.call('HGETALL', key), 0, 0
for i = 1, #nodes, 2 do
  local age = now - tonumber(nodes[i + 1])
  if age > gone_after or age < -gone_after then
    redis.call('HDEL', key, nodes[i])
  else
    count = count + 1
    if nodes[i] < own then before = before + 1 end
  end
end
return {count, before}
";

/// One node among all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seat {
    /// The number of nodes.
    pub(super) nodes: u32,
    /// How many of them come before this one.
    before: u32,
}

impl Seat {
    /// This node's part of a limit. The parts of all nodes add up to it, but each has at least 1,
    /// so that no caller is locked out: a limit smaller than the number of nodes is exceeded.
    pub(super) fn share(self, limit: u32) -> u32 {
        let (part, rest) = (limit / self.nodes, limit % self.nodes);
        (part + u32::from(self.before < rest)).max(limit.min(1))
    }
}

/// Finds out this node's seat, and remembers the last one.
pub(super) struct Seats {
    script: Script,
    /// The number of nodes in the upper half and those before this one in the lower; 0 if unknown.
    last: AtomicU64,
    /// Whether Redis told the last one.
    is_known: AtomicBool,
}

impl Default for Seats {
    fn default() -> Self {
        Self {
            script: Script::new(SCRIPT),
            last: AtomicU64::new(0),
            is_known: AtomicBool::new(false),
        }
    }
}

impl Seats {
    /// Registers the node.
    pub(super) async fn take(
        &self,
        connection: &mut MultiplexedConnection,
        node: Uuid,
    ) -> RedisResult<Seat> {
        let mut call = self.script.key(KEY);
        call.arg(node.to_string()).arg(GONE_AFTER);
        let (nodes, before): (u32, u32) = call.invoke_async(connection).await?;
        Ok(Seat { nodes: nodes.max(1), before })
    }

    /// Remembers what Redis told.
    pub(super) fn remember(&self, seat: Seat) {
        self.is_known.store(true, Ordering::Relaxed);
        self.store(seat);
    }

    /// Expects so many nodes as long as Redis told nothing. The last seat has the smallest share.
    pub(super) fn expect(&self, nodes: u32) {
        if !self.is_known.load(Ordering::Relaxed) {
            self.store(Seat { nodes: nodes.max(1), before: nodes.saturating_sub(1) });
        }
    }

    fn store(&self, seat: Seat) {
        let packed = (u64::from(seat.nodes) << 32) | u64::from(seat.before);
        self.last.store(packed, Ordering::Relaxed);
    }

    /// The last known seat. A node that was told nothing takes itself for the only one.
    pub(super) fn last(&self) -> Seat {
        let [a, b, c, d, rest @ ..] = self.last.load(Ordering::Relaxed).to_be_bytes();
        let nodes = u32::from_be_bytes([a, b, c, d]).max(1);
        Seat { nodes, before: u32::from_be_bytes(rest) }
    }
}

/// Removes the node.
pub(super) async fn leave(connection: &mut MultiplexedConnection, node: Uuid) -> RedisResult<()> {
    redis::cmd("HDEL").arg(KEY).arg(node.to_string()).query_async(connection).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_all_nodes_are_the_limit() {
        for (limit, nodes) in [(60, 3), (100, 3), (5, 3), (7, 7), (1_000, 6), (10, 1), (0, 4)] {
            let shares = (0..nodes).map(|before| Seat { nodes, before }.share(limit));
            assert_eq!(shares.sum::<u32>(), limit, "{limit} over {nodes}");
        }
        let tiny: Vec<_> = (0..4).map(|before| Seat { nodes: 4, before }.share(3)).collect();
        assert_eq!(tiny, [1, 1, 1, 1], "nobody is locked out");
    }

    #[test]
    fn the_last_seat_is_remembered() {
        let seats = Seats::default();
        assert_eq!(seats.last(), Seat { nodes: 1, before: 0 });
        seats.expect(4);
        assert_eq!(seats.last(), Seat { nodes: 4, before: 3 });
        let seat = Seat { nodes: 3, before: 2 };
        seats.remember(seat);
        assert_eq!(seats.last(), seat);
        seats.expect(9);
        assert_eq!(seats.last(), seat, "what Redis told counts");
    }
}
