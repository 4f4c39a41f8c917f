//! How many connections there may be: of one address, and in all. One more is closed at once,
//! before it has cost anything.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ipnet::IpNet;
use metrics::{counter, gauge};

/// Who may connect, and who is connected.
#[derive(Debug)]
pub(crate) struct Admission {
    per_address: usize,
    total: usize,
    exempt: Vec<IpNet>,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    all: usize,
    of: HashMap<IpAddr, usize>,
}

/// Why a connection is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Its address has as many as one may have.
    Address,
    /// There are as many as there may be.
    Total,
}

impl Admission {
    /// So many of one address, unless it is in an exempt network, and so many in all.
    pub(crate) fn new(per_address: usize, total: usize, exempt: Vec<IpNet>) -> Arc<Self> {
        Arc::new(Self { per_address, total, exempt, held: Mutex::default() })
    }

    /// A place for a connection of this address.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Result<Place, Refused> {
        let peer = peer.to_canonical();
        let exempt = self.exempt.iter().any(|network| network.contains(&peer));
        let key = (!exempt).then(|| neighborhood(peer));
        let mut held = self.lock();
        if held.all >= self.total {
            return Err(Refused::Total);
        }
        if let Some(key) = key {
            let count = held.of.entry(key).or_default();
            if *count >= self.per_address {
                return Err(Refused::Address);
            }
            *count += 1;
        }
        held.all += 1;
        gauge!("grantor_connections").increment(1.0);
        Ok(Place { admission: Arc::clone(self), key })
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Refused {
    /// Counts it, and gives the words for the log.
    pub(super) fn count(self) -> &'static str {
        let (reason, words) = match self {
            Self::Address => ("address", "an address has too many connections open"),
            Self::Total => ("total", "too many connections are open"),
        };
        counter!("grantor_connections_refused_total", "reason" => reason).increment(1);
        words
    }
}

/// An IPv4 address by itself; of IPv6 the network of 64 bits, which one customer holds whole.
fn neighborhood(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V4(_) => peer,
        IpAddr::V6(it) => IpAddr::V6((it.to_bits() >> 64 << 64).into()),
    }
}

/// A connection's place, free again when dropped.
#[derive(Debug)]
pub(super) struct Place {
    admission: Arc<Admission>,
    key: Option<IpAddr>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = self.admission.lock();
        held.all -= 1;
        gauge!("grantor_connections").decrement(1.0);
        let Some(key) = self.key else { return };
        if let Some(count) = held.of.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                held.of.remove(&key);
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
        assert!(admission.admit(ip("198.51.100.2")).is_ok(), "others are not concerned");
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
        assert!(admission.lock().of.is_empty() && admission.lock().all == 0);
    }
}
