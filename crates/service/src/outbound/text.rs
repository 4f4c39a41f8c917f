//! TXT records, by a resolver of our own: the system's gives addresses only.

use std::io;
use std::net::SocketAddr;

use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::RData;
use hickory_resolver::{ResolverBuilder, TokioResolver};

/// The TXT records of a name, each with its pieces joined; none where there is no such name.
pub(super) async fn lookup(server: Option<SocketAddr>, name: &str) -> io::Result<Vec<Vec<u8>>> {
    let mut builder = builder(server)?;
    // Whoever has just set a record asks again at once: nothing is remembered.
    builder.options_mut().cache_size = 0;
    let resolver = builder.build().map_err(io::Error::other)?;
    // With the final dot the system's search list is left out.
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

/// The system's settings are read each time, so that a change of theirs needs no restart.
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
