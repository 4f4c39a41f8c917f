//! Names to addresses: the port, the system's resolver behind it, and the check every answer
//! passes before a connection may use it.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use grantor_domain::network::{AllowedNetworks, Reach};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Semaphore;

use super::error::OutboundError;
use super::text;

/// A look-up under way.
pub type Lookup<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// A look-up of texts under way.
pub type TextLookup<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<Vec<u8>>>> + Send + 'a>>;

/// A source of what names stand for.
pub trait Dns: Send + Sync + 'static {
    /// All addresses of a host.
    fn lookup<'a>(&'a self, host: &'a str) -> Lookup<'a>;

    /// The TXT records of a name, as they are now; none where there is no such name.
    fn texts<'a>(&'a self, name: &'a str) -> TextLookup<'a>;
}

/// The system's resolver.
pub struct SystemDns {
    /// Who is asked for TXT records; those the system names without it.
    server: Option<SocketAddr>,
    /// A look-up holds a thread of the blocking pool until the system gives up on it, long after
    /// its request timed out; names that never answer must not take that pool from others.
    slots: Arc<Semaphore>,
}

impl SystemDns {
    const PARALLEL: usize = 64;

    /// The same, with TXT records from this server.
    #[must_use]
    pub fn asking(server: SocketAddr) -> Self {
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
            // A task of its own keeps the slot for as long as the thread is held.
            let found = tokio::spawn(async move {
                let found = tokio::net::lookup_host((host.as_str(), 0)).await;
                drop(slot);
                found.map(|addresses| addresses.map(|address| address.ip()).collect())
            });
            found.await.map_err(io::Error::other)?
        })
    }

    fn texts<'a>(&'a self, name: &'a str) -> TextLookup<'a> {
        Box::pin(text::lookup(self.server, name))
    }
}

/// Hands out addresses only when all of a name's addresses are within a reach. As the connector's
/// own resolver it gives the connection the very addresses it checked: no second look-up can
/// answer otherwise.
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
            tracing::debug!(host = name, %error, "name not resolved");
            OutboundError::Dns
        })?;
        if found.is_empty() {
            return Err(OutboundError::Dns);
        }
        self.reach.judge(&found, &self.allowed)?;
        Ok(found)
    }

    pub(super) async fn texts(&self, name: &str) -> Result<Vec<Vec<u8>>, OutboundError> {
        self.dns.texts(name).await.map_err(|error| {
            tracing::debug!(name, %error, "texts not looked up");
            OutboundError::Dns
        })
    }
}

impl Resolve for CheckedDns {
    fn resolve(&self, name: Name) -> Resolving {
        let checked = self.clone();
        Box::pin(async move {
            let addresses = checked.addresses(name.as_str()).await?;
            // Port 0 asks the connector for the URL's own.
            let sockets = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(sockets) as Addrs)
        })
    }
}
