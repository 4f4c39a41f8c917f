//! Where Redis is: one server, or the current master that Sentinels name.
//!
//! `redis://` and `rediss://` name a server; with `+sentinel`, the hosts are Sentinels and the path
//! is the name of the master. With `rediss`, everything is encrypted, and certificates are checked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{
    AsyncConnectionConfig, Client, ClientTlsConfig, ConnectionAddr, ConnectionInfo,
    IntoConnectionInfo as _, RedisError, RedisResult, TlsCertificates,
};
use url::form_urlencoded;

use super::InvalidRedisUrl;

/// The port of a Sentinel whose host has none.
const SENTINEL_PORT: u16 = 26_379;
/// How long one Sentinel may take, so that a silent one leaves time to ask the next.
const SENTINEL_TIMEOUT: Duration = Duration::from_millis(300);

/// The server or servers that a URL names.
pub(super) enum Address {
    One(Client),
    Sentinels(Sentinels),
}

impl Address {
    pub(super) fn parse(url: &str) -> Result<Self, InvalidRedisUrl> {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let (scheme, rest) = base.split_once("://").ok_or(InvalidRedisUrl::Form)?;
        let (scheme, sentinels) = match scheme {
            "redis" => ("redis", false),
            "rediss" => ("rediss", false),
            "redis+sentinel" => ("redis", true),
            "rediss+sentinel" => ("rediss", true),
            _ => return Err(InvalidRedisUrl::Form),
        };
        // A fragment would turn the check of certificates off.
        if url.contains('#') {
            return Err(InvalidRedisUrl::Form);
        }
        let options = Options::parse(query, sentinels)?;
        let dialer = Dialer { scheme, certificates: options.certificates(scheme == "rediss")? };
        if sentinels {
            let password = options.sentinel_password.as_deref();
            return Sentinels::parse(dialer, rest, password).map(Self::Sentinels);
        }
        let authority = rest.split('/').next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        if host.is_empty() || host.starts_with(':') {
            return Err(InvalidRedisUrl::Form);
        }
        let info = dialer.info(rest)?;
        dialer.client(info).map(Self::One).map_err(InvalidRedisUrl::certificates)
    }

    /// Connects. The caller limits the time.
    pub(super) async fn connect(&self) -> RedisResult<MultiplexedConnection> {
        let config =
            AsyncConnectionConfig::new().set_connection_timeout(None).set_response_timeout(None);
        match self {
            Self::One(client) => client.get_multiplexed_async_connection_with_config(&config).await,
            Self::Sentinels(sentinels) => {
                let master = sentinels.find_master(&config).await?;
                master.get_multiplexed_async_connection_with_config(&config).await
            }
        }
    }
}

/// Opens clients, with or without TLS.
struct Dialer {
    scheme: &'static str,
    certificates: Option<TlsCertificates>,
}

impl Dialer {
    /// Reads what follows the scheme of a URL with one host.
    fn info(&self, rest: &str) -> Result<ConnectionInfo, InvalidRedisUrl> {
        let url = format!("{}://{rest}", self.scheme);
        url.into_connection_info().map_err(|_| InvalidRedisUrl::Form)
    }

    fn client(&self, info: ConnectionInfo) -> RedisResult<Client> {
        match &self.certificates {
            Some(certificates) => Client::build_with_tls(info, certificates.clone()),
            None => Client::open(info),
        }
    }
}

/// Sentinels, and how to reach the master that they name.
pub(super) struct Sentinels {
    hosts: Vec<Client>,
    /// The Sentinel to ask first: another one after each failure.
    first: AtomicUsize,
    service: String,
    dialer: Dialer,
    /// Everything about the master but its address.
    master: ConnectionInfo,
}

impl Sentinels {
    fn parse(
        dialer: Dialer,
        rest: &str,
        sentinel_password: Option<&str>,
    ) -> Result<Self, InvalidRedisUrl> {
        let (authority, path) = rest.split_once('/').ok_or(InvalidRedisUrl::Form)?;
        let (login, hosts) = match authority.rsplit_once('@') {
            Some((login, hosts)) => (format!("{login}@"), hosts),
            None => (String::new(), authority),
        };
        let (service, database) = path.split_once('/').unwrap_or((path, ""));
        if service.is_empty() || service.contains('%') {
            return Err(InvalidRedisUrl::Form);
        }
        let mut sentinels = Vec::new();
        for host in hosts.split(',') {
            let mut info = dialer.info(&with_port(host)?)?;
            if let Some(password) = sentinel_password {
                let settings = info.redis_settings().clone().set_password(password);
                info = info.set_redis_settings(settings);
            }
            sentinels.push(dialer.client(info).map_err(InvalidRedisUrl::certificates)?);
        }
        // The host is replaced by the one that a Sentinel names.
        let master = dialer.info(&format!("{login}localhost/{database}"))?;
        let (first, service) = (AtomicUsize::new(0), service.to_owned());
        Ok(Self { hosts: sentinels, first, service, dialer, master })
    }

    async fn find_master(&self, config: &AsyncConnectionConfig) -> RedisResult<Client> {
        let (count, first) = (self.hosts.len(), self.first.load(Ordering::Relaxed));
        let mut reason = "no Sentinel knows the master".to_owned();
        for turn in first..first + count {
            let Some(sentinel) = self.hosts.get(turn % count) else { continue };
            // If the caller's time is over before all were asked, the next call begins elsewhere.
            self.first.store((turn + 1) % count, Ordering::Relaxed);
            match tokio::time::timeout(SENTINEL_TIMEOUT, self.ask(sentinel, config)).await {
                Ok(Ok(Some((host, port)))) => {
                    self.first.store(turn % count, Ordering::Relaxed);
                    return self.dialer.client(self.master_at(host, port));
                }
                Ok(Ok(None)) => {}
                Ok(Err(error)) => reason = error.to_string(),
                Err(_) => "a Sentinel timed out".clone_into(&mut reason),
            }
        }
        Err(RedisError::from(std::io::Error::other(reason)))
    }

    async fn ask(
        &self,
        sentinel: &Client,
        config: &AsyncConnectionConfig,
    ) -> RedisResult<Option<(String, u16)>> {
        let mut connection = sentinel.get_multiplexed_async_connection_with_config(config).await?;
        let mut command = redis::cmd("SENTINEL");
        command.arg("get-master-addr-by-name").arg(&self.service);
        command.query_async(&mut connection).await
    }

    fn master_at(&self, host: String, port: u16) -> ConnectionInfo {
        let address = if self.dialer.scheme == "rediss" {
            ConnectionAddr::TcpTls { host, port, insecure: false, tls_params: None }
        } else {
            ConnectionAddr::Tcp(host, port)
        };
        self.master.clone().set_addr(address)
    }
}

/// The host with its port, or with the default port of Sentinels.
fn with_port(host: &str) -> Result<String, InvalidRedisUrl> {
    if host.is_empty() || host.starts_with(':') {
        return Err(InvalidRedisUrl::Form);
    }
    // The last colon of `[::1]` is part of the address.
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
    Ok(if has_port { host.to_owned() } else { format!("{host}:{SENTINEL_PORT}") })
}

/// What follows the question mark of a URL.
#[derive(Default)]
struct Options {
    sentinel_password: Option<String>,
    root: Option<String>,
    certificate: Option<String>,
    key: Option<String>,
}

impl Options {
    fn parse(query: &str, sentinels: bool) -> Result<Self, InvalidRedisUrl> {
        let mut options = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let place = match &*name {
                "sslrootcert" => &mut options.root,
                "sslcert" => &mut options.certificate,
                "sslkey" => &mut options.key,
                "sentinel_password" if sentinels => &mut options.sentinel_password,
                _ => return Err(InvalidRedisUrl::Parameter),
            };
            *place = Some(value.into_owned());
        }
        Ok(options)
    }

    /// Reads the files, if the URL names any.
    fn certificates(&self, tls: bool) -> Result<Option<TlsCertificates>, InvalidRedisUrl> {
        if self.root.is_none() && self.certificate.is_none() && self.key.is_none() {
            return Ok(None);
        }
        if !tls {
            return Err(InvalidRedisUrl::Plain);
        }
        let root_cert = self.root.as_deref().map(read).transpose()?;
        let client_tls = match (&self.certificate, &self.key) {
            (None, None) => None,
            (Some(certificate), Some(key)) => {
                let (client_cert, client_key) = (read(certificate)?, read(key)?);
                Some(ClientTlsConfig { client_cert, client_key })
            }
            _ => return Err(InvalidRedisUrl::Pair),
        };
        Ok(Some(TlsCertificates { client_tls, root_cert }))
    }
}

fn read(path: &str) -> Result<Vec<u8>, InvalidRedisUrl> {
    let unusable = |reason: String| InvalidRedisUrl::Certificates(format!("{path}: {reason}"));
    let pem = std::fs::read(path).map_err(|error| unusable(error.to_string()))?;
    if !pem.windows(5).any(|it| it == b"-----") {
        return Err(unusable("not a PEM file".to_owned()));
    }
    Ok(pem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(url: &str) -> Option<InvalidRedisUrl> {
        Address::parse(url).err()
    }

    #[test]
    fn servers_and_sentinels_are_named_by_urls() {
        for url in [
            "redis://localhost",
            "redis://:secret@cache:6380/1",
            "rediss://cache.internal:6380",
            "redis+sentinel://a,b:26380,[::1]/mymaster",
            "rediss+sentinel://user:secret@a:1,b:2/mymaster/3?sentinel_password=other",
        ] {
            assert_eq!(problem(url), None, "{url}");
        }
    }

    #[test]
    fn other_urls_are_refused() {
        for url in [
            "redis://",
            "redis://:6379",
            "redis://cache/first",
            "http://cache",
            "rediss://cache/#insecure",
            "redis+sentinel://a,b",
            "redis+sentinel://a,,b/mymaster",
            "redis+sentinel://a/mymaster/first",
            "redis+unix:///run/redis.sock",
        ] {
            assert_eq!(problem(url), Some(InvalidRedisUrl::Form), "{url}");
        }
        let parameter = Some(InvalidRedisUrl::Parameter);
        assert_eq!(problem("rediss://cache?sslmode=disable"), parameter);
        assert_eq!(problem("redis://cache?sentinel_password=x"), parameter);
        assert_eq!(problem("redis://cache?sslrootcert=ca.pem"), Some(InvalidRedisUrl::Plain));
        let missing = problem("rediss://cache?sslrootcert=/no/such.pem").unwrap().to_string();
        assert!(missing.contains("/no/such.pem: No such file"), "{missing}");
    }

    #[test]
    fn a_sentinel_without_a_port_has_the_usual_one() {
        for (host, whole) in
            [("a", "a:26379"), ("a:1", "a:1"), ("[::1]", "[::1]:26379"), ("[::1]:2", "[::1]:2")]
        {
            assert_eq!(with_port(host).unwrap(), whole);
        }
    }
}
