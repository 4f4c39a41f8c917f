//! Limits on the number of connections, per address and in total. A connection over a limit is
//! closed right away.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ipnet::IpNet;
use metrics::{counter, gauge};

/// Counts the open connections and refuses those over a limit.
#[derive(Debug)]
pub(crate) struct Admission {
    per_address: usize,
    total: usize,
    exempt: Vec<IpNet>,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    total: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// Why a connection is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Its address has too many connections.
    Address,
    /// The listener has too many connections.
    Total,
}

impl Admission {
    /// Sets both limits. Addresses in an exempt network only count toward the total.
    pub(crate) fn new(per_address: usize, total: usize, exempt: Vec<IpNet>) -> Arc<Self> {
        Arc::new(Self { per_address, total, exempt, counts: Mutex::default() })
    }

    /// Takes a slot for a connection from this address.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Result<Slot, Refused> {
        let peer = peer.to_canonical();
        let exempt = self.exempt.iter().any(|network| network.contains(&peer));
        let key = (!exempt).then(|| client_network(peer));
        let mut counts = self.lock();
        if counts.total >= self.total {
            return Err(Refused::Total);
        }
        if let Some(key) = key {
            let count = counts.by_address.entry(key).or_default();
            if *count >= self.per_address {
                return Err(Refused::Address);
            }
            *count += 1;
        }
        counts.total += 1;
        gauge!("grantor_connections").increment(1.0);
        Ok(Slot { admission: Arc::clone(self), key })
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Refused {
    /// Counts the refusal and returns its text for the log.
    pub(super) fn count(self) -> &'static str {
        let (reason, text) = match self {
            Self::Address => ("address", "too many connections from one address"),
            Self::Total => ("total", "too many open connections"),
        };
        counter!("grantor_connections_refused_total", "reason" => reason).increment(1);
        text
    }
}

/// The IPv4 address, or the /64 network of an IPv6 address: one customer usually has all of it.
fn client_network(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V4(_) => peer,
        IpAddr::V6(it) => IpAddr::V6((it.to_bits() >> 64 << 64).into()),
    }
}

/// One open connection. Dropping it frees the slot.
#[derive(Debug)]
pub(super) struct Slot {
    admission: Arc<Admission>,
    key: Option<IpAddr>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut counts = self.admission.lock();
        counts.total -= 1;
        gauge!("grantor_connections").decrement(1.0);
        let Some(key) = self.key else { return };
        if let Some(count) = counts.by_address.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                counts.by_address.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_has_so_many_places_and_gets_them_back() {
        let admission = Admission::new(2, 10, vec![]);
        let first = admission.admit(ip("198.51.100.1")).unwrap();
        let _second = admission.admit(ip("::ffff:198.51.100.1")).unwrap();
        assert_eq!(admission.admit(ip("198.51.100.1")).unwrap_err(), Refused::Address);
        assert!(admission.admit(ip("198.51.100.2")).is_ok(), "other addresses are not affected");
        drop(first);
        assert!(admission.admit(ip("198.51.100.1")).is_ok());
    }

    #[test]
    fn a_network_of_64_bits_counts_as_one_address() {
        let admission = Admission::new(1, 10, vec![]);
        let _held = admission.admit(ip("2001:db8:1:2::1")).unwrap();
        assert_eq!(admission.admit(ip("2001:db8:1:2:ffff::9")).unwrap_err(), Refused::Address);
        assert!(admission.admit(ip("2001:db8:1:3::1")).is_ok());
    }

    #[test]
    fn trusted_proxies_are_bound_by_the_total_alone() {
        let admission = Admission::new(1, 3, vec!["10.0.0.0/8".parse().unwrap()]);
        let held: Vec<_> = (0..3).map(|_| admission.admit(ip("10.1.2.3")).unwrap()).collect();
        assert_eq!(admission.admit(ip("10.1.2.3")).unwrap_err(), Refused::Total);
        assert_eq!(admission.admit(ip("198.51.100.1")).unwrap_err(), Refused::Total);
        drop(held);
        assert!(admission.lock().by_address.is_empty() && admission.lock().total == 0);
    }
}
