//! The URL of a database: its servers, which of them may be used, and how connections are
//! encrypted.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, LoadBalanceHosts, SslMode};

use super::failure;
use super::tls::{ClientFiles, Roots, Tls, Verification};
use crate::driver::DatabaseRole;

type Read<T> = Result<T, String>;

/// Which servers of a URL may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The only server, whatever it is.
    Any,
    /// One that is not a standby.
    Primary,
    /// One that is.
    Standby,
}

/// A parsed URL.
#[derive(Clone, Debug)]
pub(super) struct ServerUrl {
    /// The servers in the order in which they are tried.
    pub(super) servers: Vec<Server>,
    pub(super) target: Target,
    pub(super) tls: Tls,
    /// The number of the server in use, which readers and writers share: what was written must be
    /// read on the same server.
    pub(super) current: Arc<AtomicUsize>,
}

/// One server.
#[derive(Clone, Debug)]
pub(super) struct Server {
    /// How to reach this server alone.
    pub(super) config: Config,
    /// Its host and port.
    pub(super) place: String,
}

impl ServerUrl {
    /// Parses a URL. The error is a sentence without the password.
    pub(super) fn parse(url: &str, role: DatabaseRole) -> Read<Self> {
        let mut own = OwnParameters::default();
        let rest = own.take_from(url)?;
        let config = rest
            .parse::<Config>()
            .map_err(|error| format!("the URL is not valid: {}", failure::reason(&error)))?;
        if config.get_load_balance_hosts() == LoadBalanceHosts::Random {
            return Err("load_balance_hosts=random is not supported: servers are tried in the \
                        order of the URL"
                .to_owned());
        }
        let servers = servers(&config)?;
        let target = own.target(role, servers.len())?;
        let tls = own.tls()?;
        let with_mode = |mut it: Server| {
            let mode = ssl_mode(&it, &tls);
            it.config.ssl_mode(mode);
            it
        };
        let servers = servers.into_iter().map(with_mode).collect();
        Ok(Self { servers, target, tls, current: Arc::default() })
    }
}

/// Sockets of this machine are never encrypted.
fn ssl_mode(server: &Server, tls: &Tls) -> SslMode {
    let local = matches!(server.config.get_hosts(), [Host::Unix(_)]);
    match tls.verification {
        Verification::NoTls => SslMode::Disable,
        _ if local => SslMode::Disable,
        Verification::None => SslMode::Prefer,
        Verification::Chain | Verification::ChainAndName => SslMode::Require,
    }
}

/// The parameters that the driver does not know, or knows otherwise.
#[derive(Default)]
struct OwnParameters {
    sslmode: Option<String>,
    sslrootcert: Option<String>,
    sslcert: Option<String>,
    sslkey: Option<String>,
    target_session_attrs: Option<String>,
    direct: bool,
}

impl OwnParameters {
    /// Takes the parameters from a URL. Returns the URL without them.
    fn take_from(&mut self, url: &str) -> Read<String> {
        let start = url.find("://").map_or(0, |at| at + 3);
        // A question mark in the password does not begin the parameters.
        let start = url[start..].find('@').map_or(start, |at| start + at + 1);
        let Some(at) = url[start..].find('?').map(|at| start + at) else {
            return Ok(url.to_owned());
        };
        let mut kept = Vec::new();
        for pair in url[at + 1..].split('&').filter(|it| !it.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if !self.take(name, value)? {
                kept.push(pair);
            }
        }
        let mark = if kept.is_empty() { "" } else { "?" };
        Ok(format!("{}{mark}{}", &url[..at], kept.join("&")))
    }

    fn take(&mut self, name: &str, value: &str) -> Read<bool> {
        let place = match name {
            "sslmode" => &mut self.sslmode,
            "sslrootcert" => &mut self.sslrootcert,
            "sslcert" => &mut self.sslcert,
            "sslkey" => &mut self.sslkey,
            "target_session_attrs" => &mut self.target_session_attrs,
            "sslnegotiation" => {
                self.direct = value == "direct";
                return Ok(false);
            }
            _ => return Ok(false),
        };
        let text = percent_decode_str(value).decode_utf8();
        let text = text.map_err(|_| format!("{name} in the URL is not text"))?;
        if text.is_empty() {
            return Err(format!("{name} in the URL has no value"));
        }
        if place.replace(text.into_owned()).is_some() {
            return Err(format!("{name} is in the URL twice"));
        }
        Ok(true)
    }

    /// Which servers fit. Several servers are for failover, so that only one of them is written to
    /// at a time.
    fn target(&self, role: DatabaseRole, count: usize) -> Read<Target> {
        let several = count > 1;
        let text = self.target_session_attrs.as_deref();
        let refuse = |why: &str| Err(format!("target_session_attrs={} {why}", text.unwrap_or("")));
        match (role, text) {
            (DatabaseRole::Primary, None) if several => Ok(Target::Primary),
            (DatabaseRole::Replica, None) if several => Ok(Target::Standby),
            (DatabaseRole::Primary, Some("any")) if several => refuse(
                "would also read from standbys; with several hosts use read-write, the default",
            ),
            (_, None | Some("any")) => Ok(Target::Any),
            (DatabaseRole::Primary, Some("read-write" | "primary")) => Ok(Target::Primary),
            (DatabaseRole::Replica, Some("standby" | "read-only" | "prefer-standby")) => {
                Ok(Target::Standby)
            }
            (DatabaseRole::Primary, Some("standby" | "read-only" | "prefer-standby")) => {
                refuse("leads to servers that refuse writes; name them in database_replica_url")
            }
            (DatabaseRole::Replica, Some("read-write" | "primary")) => {
                refuse("leads to the primary, which needs no replica; use standby")
            }
            (_, Some(_)) => refuse(
                "is not one of any, read-write, primary, read-only, standby and prefer-standby",
            ),
        }
    }

    fn tls(&self) -> Read<Tls> {
        let verification = match self.sslmode.as_deref() {
            Some("disable") => Verification::NoTls,
            None | Some("prefer") => Verification::None,
            Some("verify-ca") => Verification::Chain,
            // A server that nobody identified might be anyone, so `require` verifies it too.
            Some("require" | "verify-full") => Verification::ChainAndName,
            Some(_) => {
                return Err("sslmode is not one of disable, prefer, require, verify-ca and \
                            verify-full"
                    .to_owned());
            }
        };
        let verifies = matches!(verification, Verification::Chain | Verification::ChainAndName);
        if self.sslrootcert.is_some() && !verifies {
            let why = "sslrootcert requires sslmode=verify-full, verify-ca or require";
            return Err(why.to_owned());
        }
        let roots = match self.sslrootcert.as_deref() {
            None | Some("system") => Roots::System,
            Some(path) => Roots::File(PathBuf::from(path)),
        };
        let client = match (&self.sslcert, &self.sslkey) {
            (Some(_), _) if verification == Verification::NoTls => {
                return Err("sslcert has no effect with sslmode=disable".to_owned());
            }
            (Some(cert), Some(key)) => Some(ClientFiles { cert: cert.into(), key: key.into() }),
            (None, None) => None,
            (Some(_), None) => return Err("sslcert requires sslkey".to_owned()),
            (None, Some(_)) => return Err("sslkey requires sslcert".to_owned()),
        };
        Ok(Tls { verification, roots, client, direct: self.direct })
    }
}

/// Splits the configuration into one for each server.
fn servers(config: &Config) -> Read<Vec<Server>> {
    let (hosts, addresses, ports) =
        (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    let count = hosts.len().max(addresses.len());
    if count == 0 {
        return Err("the URL has no host".to_owned());
    }
    let fits = |length: usize| length == 0 || length == count;
    if !fits(hosts.len()) || !fits(addresses.len()) || !(fits(ports.len()) || ports.len() == 1) {
        return Err("the URL has different numbers of hosts, addresses and ports".to_owned());
    }
    let server = |index: usize| {
        // A single port applies to all hosts.
        let port = ports.get(index).or(ports.first()).copied().unwrap_or(5432);
        let mut own = without_hosts(config);
        own.port(port);
        // The name is what the certificate is compared with.
        let name = match hosts.get(index) {
            Some(Host::Unix(path)) => {
                own.host_path(path);
                path.display().to_string()
            }
            Some(Host::Tcp(name)) => {
                own.host(name.as_str());
                name.clone()
            }
            None => {
                let name = addresses.get(index).map(ToString::to_string).unwrap_or_default();
                own.host(name.as_str());
                name
            }
        };
        if let (Some(address), false) = (addresses.get(index), hosts.is_empty()) {
            own.hostaddr(*address);
        }
        let place =
            if name.contains(':') { format!("[{name}]:{port}") } else { format!("{name}:{port}") };
        Server { config: own, place }
    };
    Ok((0..count).map(server).collect())
}

/// A copy of the configuration that leads nowhere.
fn without_hosts(config: &Config) -> Config {
    let mut copy = Config::new();
    if let Some(user) = config.get_user() {
        copy.user(user);
    }
    if let Some(password) = config.get_password() {
        copy.password(password);
    }
    if let Some(name) = config.get_dbname() {
        copy.dbname(name);
    }
    if let Some(options) = config.get_options() {
        copy.options(options);
    }
    if let Some(limit) = config.get_connect_timeout() {
        copy.connect_timeout(*limit);
    }
    copy.application_name("grantor")
        .ssl_negotiation(config.get_ssl_negotiation())
        .channel_binding(config.get_channel_binding())
        // Notices within seconds that the server vanished, instead of within a quarter of an hour.
        .tcp_user_timeout(Duration::from_secs(5))
        .keepalives_idle(Duration::from_secs(5))
        .keepalives_interval(Duration::from_secs(2))
        .keepalives_retries(2);
    copy
}

#[cfg(test)]
mod tests;
