//! All outbound HTTP requests go through this client. Every destination is screened, every address
//! that a name resolves to is checked, and connections go to exactly the checked addresses. Time,
//! size and redirects are limited by the purpose of the request.

mod client;
mod dns;
mod error;
mod message;
mod own_site;
mod purpose;
mod screen;
mod txt;

use std::sync::Arc;
use std::time::Duration;

use grantor_domain::network::{AllowedNetworks, Host, Reach, Refusal};
use reqwest::header::LOCATION;
use reqwest::{Client, Response};
use tokio::time::timeout;

pub use reqwest::{Method, StatusCode, Url, header};

use self::dns::CheckedDns;

pub use self::client::{BuildError, USER_AGENT};
pub use self::dns::{Dns, Lookup, SystemDns, TxtLookup};
pub use self::error::OutboundError;
pub use self::message::{OutboundRequest, OutboundResponse};
pub use self::own_site::OwnSite;
pub use self::purpose::{Overflow, Purpose, Terms};
pub use self::screen::{Destination, screen_url};

/// How long a request may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// For connecting: name resolution, TCP and TLS.
    pub connect: Duration,
    /// From the first lookup to the last byte of the body, including all redirects.
    pub total: Duration,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), total: Duration::from_secs(15) }
    }
}

/// The outbound client. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Outbound {
    internet: CheckedDns,
    internet_client: Client,
    /// `None` if no network is allowed.
    allowed_client: Option<Client>,
    limits: TimeLimits,
    /// The site of this process that scans may read.
    own_site: Option<OwnSite>,
}

impl Outbound {
    /// Creates a client that may reach the public internet and the allowed networks.
    ///
    /// The process must have installed its TLS provider before. The system's root certificates are
    /// trusted.
    pub fn new(
        dns: Arc<dyn Dns>,
        allowed: AllowedNetworks,
        limits: TimeLimits,
    ) -> Result<Self, BuildError> {
        let internet = CheckedDns::new(dns, Arc::new(allowed), Reach::Internet);
        let inward = internet.with_reach(Reach::AllowedOnly);
        let allowed_client =
            if internet.allowed().is_empty() { None } else { Some(client::build(inward, limits)?) };
        let internet_client = client::build(internet.clone(), limits)?;
        Ok(Self { internet, internet_client, allowed_client, limits, own_site: None })
    }

    /// Lets scans read a site that this process serves, for sample data. Nothing else on loopback
    /// becomes reachable, and a listener that is not on loopback is ignored.
    pub fn with_own_site(self, site: OwnSite) -> Result<Self, BuildError> {
        if !site.listener.ip().is_loopback() {
            return Ok(self);
        }
        let client = match self.allowed_client {
            Some(client) => client,
            // It resolves no name: the site is only reached by its address.
            None => client::build(self.internet.with_reach(Reach::AllowedOnly), self.limits)?,
        };
        Ok(Self { allowed_client: Some(client), own_site: Some(site), ..self })
    }

    /// Screens a URL without resolving its host.
    pub fn screen(&self, url: &str) -> Result<Destination, Refusal> {
        screen_url(url, self.internet.allowed())
    }

    /// Like [`Self::screen`], for a request with this purpose.
    pub fn screen_for(&self, purpose: Purpose, url: &str) -> Result<Destination, Refusal> {
        let own = self.own_site.and_then(|site| site.screen(purpose, url));
        own.map_or_else(|| self.screen(url), Ok)
    }

    /// Screens a URL and the addresses its host resolves to, without connecting. Used when a URL is
    /// stored; sending checks again, because a name may resolve differently later. Plain HTTP is
    /// accepted only if the name resolves and all its addresses are in allowed networks.
    pub async fn vet(&self, url: &str) -> Result<(), OutboundError> {
        let destination = self.screen(url)?;
        let Host::Name(name) = destination.target().host() else { return Ok(()) };
        let resolver = self.internet.with_reach(destination.target().reach());
        let addresses = timeout(self.limits.connect, resolver.addresses(name)).await;
        match addresses.map_err(|_| OutboundError::Timeout).flatten() {
            Ok(_) => Ok(()),
            Err(_) if destination.url().scheme() == "http" => Err(Refusal::PlainHttp.into()),
            Err(error) => Err(error),
        }
    }

    /// Like [`Self::vet`], for a request with this purpose.
    pub async fn vet_for(&self, purpose: Purpose, url: &str) -> Result<(), OutboundError> {
        match self.own_site.and_then(|site| site.screen(purpose, url)) {
            Some(_) => Ok(()),
            None => self.vet(url).await,
        }
    }

    /// Returns the current TXT records of a name. They are queried from the operator's resolver, so
    /// no tenant can direct the query.
    pub async fn txt_records(&self, name: &str) -> Result<Vec<Vec<u8>>, OutboundError> {
        let found = timeout(self.limits.total, self.internet.txt_records(name));
        found.await.map_err(|_| OutboundError::Timeout)?
    }

    /// Sends a request and reads the response within the purpose's terms. Any status is a response.
    pub async fn send(
        &self,
        purpose: Purpose,
        request: OutboundRequest,
    ) -> Result<OutboundResponse, OutboundError> {
        let (terms, mut answer) = (purpose.terms(), None);
        let ended = timeout(self.limits.total, self.follow(purpose, request, &mut answer)).await;
        match (ended.unwrap_or(Err(OutboundError::Timeout)), answer) {
            (Ok(()), Some(answer)) => Ok(answer),
            (Err(_), Some(answer)) if terms.overflow == Overflow::Truncate => {
                Ok(OutboundResponse { truncated: true, ..answer })
            }
            (ended, _) => Err(ended.err().unwrap_or(OutboundError::Protocol)),
        }
    }

    async fn follow(
        &self,
        purpose: Purpose,
        request: OutboundRequest,
        answer: &mut Option<OutboundResponse>,
    ) -> Result<(), OutboundError> {
        let terms = purpose.terms();
        let follows = terms.redirects > 0 && request.method.is_safe();
        let mut destination = self.screen_for(purpose, &request.url)?;
        let mut hops = 0;
        loop {
            let response = self.transmit(&destination, &request).await?;
            let next =
                if follows { self.next_hop(purpose, &destination, &response)? } else { None };
            let Some(next) = next else {
                return message::read(response, terms, answer).await;
            };
            if hops == terms.redirects {
                return Err(OutboundError::TooManyRedirects);
            }
            hops += 1;
            destination = next;
        }
    }

    /// Sends to a screened destination. This is the only way to a connection.
    async fn transmit(
        &self,
        destination: &Destination,
        request: &OutboundRequest,
    ) -> Result<Response, OutboundError> {
        let client = match destination.target().reach() {
            Reach::Internet => &self.internet_client,
            Reach::AllowedOnly => self.allowed_client.as_ref().ok_or(Refusal::Address)?,
        };
        let mut builder = client
            .request(request.method.clone(), destination.url().clone())
            .headers(request.headers.clone());
        if !request.body.is_empty() {
            builder = builder.body(request.body.clone());
        }
        builder.send().await.map_err(|error| OutboundError::classify(error, destination))
    }

    /// The screened destination of a redirect, or `None` if the response is final.
    fn next_hop(
        &self,
        purpose: Purpose,
        from: &Destination,
        response: &Response,
    ) -> Result<Option<Destination>, OutboundError> {
        use StatusCode as S;
        let redirects = [
            S::MOVED_PERMANENTLY,
            S::FOUND,
            S::SEE_OTHER,
            S::TEMPORARY_REDIRECT,
            S::PERMANENT_REDIRECT,
        ];
        let location = response.headers().get(LOCATION);
        let Some(location) = location.filter(|_| redirects.contains(&response.status())) else {
            return Ok(None);
        };
        let location = location.to_str().map_err(|_| OutboundError::Protocol)?;
        let url = from.url().join(location).map_err(|_| OutboundError::Protocol)?;
        let next = self.screen_for(purpose, url.as_str())?;
        if next.target().host() != from.target().host() || !same_port(from.url(), next.url()) {
            return Err(Refusal::OtherHost.into());
        }
        Ok(Some(next))
    }
}

/// Whether two URLs of a host have the same port, or both the default port of their scheme. Other
/// ports of a host may belong to someone else.
fn same_port(from: &Url, to: &Url) -> bool {
    from.port() == to.port()
}
