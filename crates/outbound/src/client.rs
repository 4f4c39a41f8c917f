//! Builds the HTTP clients, with every feature off that could bypass a check.

use std::time::Duration;

use grantor_domain::network::Reach;
use reqwest::{Client, redirect, retry};

use super::TimeLimits;
use super::dns::CheckedDns;
use super::message::MAX_HEADER_BYTES;

/// The `User-Agent` header of every request.
pub const USER_AGENT: &str = concat!("Grantor/", env!("CARGO_PKG_VERSION"));

/// The client could not be built, usually because the system has no trusted certificates.
#[derive(Debug, thiserror::Error)]
#[error("the outbound client cannot start: are the system's CA certificates installed?")]
pub struct BuildError(#[from] reqwest::Error);

#[expect(clippy::disallowed_methods, reason = "the only place that builds clients")]
pub(super) fn build(resolver: CheckedDns, limits: TimeLimits) -> Result<Client, BuildError> {
    let https_only = resolver.reach() == Reach::Internet;
    let client = Client::builder()
        .dns_resolver(resolver)
        .https_only(https_only)
        // A proxy would resolve names and connect on our behalf, bypassing every check.
        .no_proxy()
        // `Outbound` follows redirects itself, because each hop must be screened.
        .redirect(redirect::Policy::none())
        .referer(false)
        .retry(retry::never())
        // A few compressed bytes could decompress to any size.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        .http2_max_header_list_size(MAX_HEADER_BYTES)
        // The total time limit spans all hops, so it is not set here.
        .connect_timeout(limits.connect)
        .pool_max_idle_per_host(2)
        .pool_idle_timeout(Duration::from_secs(30))
        .user_agent(USER_AGENT)
        .build()?;
    Ok(client)
}
