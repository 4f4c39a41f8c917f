//! DNS: the resolver trait, the system's resolver, and the check that every address passes before
//! a connection may use it.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use grantor_domain::network::{AllowedNetworks, Reach};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Semaphore;

use super::error::OutboundError;
use super::txt;

/// The future of an address lookup.
pub type Lookup<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// The future of a TXT lookup.
pub type TxtLookup<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<Vec<u8>>>> + Send + 'a>>;

/// A DNS resolver.
pub trait Dns: Send + Sync + 'static {
    /// Returns all addresses of a host.
    fn lookup<'a>(&'a self, host: &'a str) -> Lookup<'a>;

    /// Returns the current TXT records of a name; empty if the name does not exist.
    fn txt_records<'a>(&'a self, name: &'a str) -> TxtLookup<'a>;
}

/// The system's resolver.
pub struct SystemDns {
    /// The server to query for TXT records; by default those of the system.
    server: Option<SocketAddr>,
    /// Limits concurrent lookups. A lookup occupies a thread of the blocking pool until the system
    /// gives up, long after its request timed out; slow names must not exhaust that pool.
    slots: Arc<Semaphore>,
}

impl SystemDns {
    const PARALLEL: usize = 64;

    /// Creates a resolver that queries this server for TXT records.
    #[must_use]
    pub fn with_server(server: SocketAddr) -> Self {
        Self { server: Some(server), ..Self::default() }
    }
}

impl Default for SystemDns {
    fn default() -> Self {
        Self { server: None, slots: Arc::new(Semaphore::new(Self::PARALLEL)) }
    }
}

impl Dns for SystemDns {
    fn lookup<'a>(&'a self, host: &'a str) -> Lookup<'a> {
        let slots = Arc::clone(&self.slots);
        Box::pin(async move {
            let slot = slots.acquire_owned().await.map_err(io::Error::other)?;
            let host = host.to_owned();
            // A separate task keeps the slot for as long as the thread is occupied.
            let found = tokio::spawn(async move {
                let found = tokio::net::lookup_host((host.as_str(), 0)).await;
                drop(slot);
                found.map(|addresses| addresses.map(|address| address.ip()).collect())
            });
            found.await.map_err(io::Error::other)?
        })
    }

    fn txt_records<'a>(&'a self, name: &'a str) -> TxtLookup<'a> {
        Box::pin(txt::lookup(self.server, name))
    }
}

/// Returns addresses only if all addresses of a name are within reach. As the connector's own
/// resolver, it gives the connection exactly the addresses it checked, so that a second lookup
/// cannot return others.
#[derive(Clone)]
pub(super) struct CheckedDns {
    dns: Arc<dyn Dns>,
    allowed: Arc<AllowedNetworks>,
    reach: Reach,
}

impl CheckedDns {
    pub(super) fn new(dns: Arc<dyn Dns>, allowed: Arc<AllowedNetworks>, reach: Reach) -> Self {
        Self { dns, allowed, reach }
    }

    pub(super) fn with_reach(&self, reach: Reach) -> Self {
        Self { reach, ..self.clone() }
    }

    pub(super) fn allowed(&self) -> &AllowedNetworks {
        &self.allowed
    }

    pub(super) fn reach(&self) -> Reach {
        self.reach
    }

    pub(super) async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, OutboundError> {
        let found = self.dns.lookup(name).await.map_err(|error| {
            tracing::debug!(host = name, %error, "cannot resolve host name");
            OutboundError::Dns
        })?;
        if found.is_empty() {
            return Err(OutboundError::Dns);
        }
        self.reach.judge(&found, &self.allowed)?;
        Ok(found)
    }

    pub(super) async fn txt_records(&self, name: &str) -> Result<Vec<Vec<u8>>, OutboundError> {
        self.dns.txt_records(name).await.map_err(|error| {
            tracing::debug!(name, %error, "cannot look up TXT records");
            OutboundError::Dns
        })
    }
}

impl Resolve for CheckedDns {
    fn resolve(&self, name: Name) -> Resolving {
        let checked = self.clone();
        Box::pin(async move {
            let addresses = checked.addresses(name.as_str()).await?;
            // Port 0 makes the connector use the URL's port.
            let sockets = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(sockets) as Addrs)
        })
    }
}
