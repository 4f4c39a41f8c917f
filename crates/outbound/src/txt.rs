//! TXT lookups, with a separate resolver because the system's only returns addresses.

use std::io;
use std::net::SocketAddr;

use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::RData;
use hickory_resolver::{ResolverBuilder, TokioResolver};

/// Returns the TXT records of a name, each with its strings joined; empty if the name does not
/// exist.
pub(super) async fn lookup(server: Option<SocketAddr>, name: &str) -> io::Result<Vec<Vec<u8>>> {
    let mut builder = builder(server)?;
    // No caching: users check again right after they add a record.
    builder.options_mut().cache_size = 0;
    let resolver = builder.build().map_err(io::Error::other)?;
    // The trailing dot skips the system's search list.
    let found = match resolver.txt_lookup(format!("{name}.")).await {
        Ok(found) => found,
        Err(error) if error.is_no_records_found() => return Ok(vec![]),
        Err(error) => return Err(io::Error::other(error)),
    };
    let records = found.answers().iter().filter_map(|record| match &record.data {
        RData::TXT(text) => Some(text.txt_data.concat()),
        _ => None,
    });
    Ok(records.collect())
}

/// Reads the system's settings each time, so that changing them needs no restart.
fn builder(server: Option<SocketAddr>) -> io::Result<ResolverBuilder<TokioRuntimeProvider>> {
    let Some(server) = server else {
        return TokioResolver::builder_tokio().map_err(io::Error::other);
    };
    let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()].map(|mut connection| {
        connection.port = server.port();
        connection
    });
    let server = NameServerConfig::new(server.ip(), true, connections.into());
    let config = ResolverConfig::from_name_servers(vec![server]);
    Ok(TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()))
}
