//! Parses each kind of value.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_domain::network::{AllowedNetworks, InvalidNetwork};
use grantor_domain::password::PasswordPolicy;
use grantor_keys::RingSecret;
use grantor_service::mail::{InvalidSmtpUrl, Smtp};
use grantor_service::operations::trace::Sampling;
use grantor_storage::counter::{InvalidRedisUrl, Redis};
use grantor_storage::{DatabaseRole, StoreUrl};
use ipnet::IpNet;
use secrecy::SecretString;
use url::Url;

use super::problem::Malformed::{self, Because, Not};
use super::{Database, LogFormat, ObjectStore, Origin};
use crate::otlp;
use crate::system::SystemClock;

type Read<T> = Result<T, Malformed>;

pub(super) fn address(text: &str) -> Read<SocketAddr> {
    text.parse().map_err(|_| Not("an address such as 127.0.0.1:8080"))
}

/// An address, or `off` for none.
pub(super) fn address_or_off(text: &str) -> Read<Option<SocketAddr>> {
    if text == "off" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| Not("an address such as 127.0.0.1:9090 or off"))
}

pub(super) fn path(text: &str) -> Read<PathBuf> {
    if text.is_empty() { Err(Not("a path")) } else { Ok(PathBuf::from(text)) }
}

pub(super) fn ring_secret(text: &str) -> Read<RingSecret> {
    RingSecret::parse(text).map_err(Not)
}

pub(super) fn database(text: &str) -> Read<Database> {
    if let Some(path) = text.strip_prefix("sqlite:") {
        let path = path.strip_prefix("//").unwrap_or(path);
        // Options and `:memory:`, which other clients know, would silently become file names.
        if path.is_empty() || path.contains('?') || path == ":memory:" {
            return Err(Not("a SQLite path such as sqlite:/var/lib/grantor/grantor.sqlite"));
        }
        return Ok(Database::Sqlite(PathBuf::from(path)));
    }
    postgres(text, DatabaseRole::Primary).map(Database::Postgres).map_err(|malformed| {
        match malformed {
            Not(_) => Not("a URL such as postgres://user@host/database or sqlite:PATH"),
            reason @ Because(_) => reason,
        }
    })
}

pub(super) fn replica(text: &str) -> Read<SecretString> {
    postgres(text, DatabaseRole::Replica)
}

/// The driver checks the rest: it accepts forms that are not URLs, such as several hosts.
fn postgres(text: &str, role: DatabaseRole) -> Read<SecretString> {
    let rest = text.strip_prefix("postgres://").or_else(|| text.strip_prefix("postgresql://"));
    match rest {
        Some(rest) if !rest.is_empty() && !has_whitespace(rest) => {
            StoreUrl::check_postgres(text, role).map_err(Because)?;
            Ok(text.into())
        }
        _ => Err(Not("a URL such as postgres://user@host/database")),
    }
}

pub(super) fn redis(text: &str) -> Read<SecretString> {
    // The client also parses the path, such as the number of the database, and reads certificates.
    match Redis::new(text, Arc::new(SystemClock::new())) {
        Ok(_) if !has_whitespace(text) => Ok(text.into()),
        Ok(_) | Err(InvalidRedisUrl::Form) => Err(Not("a URL such as redis://localhost:6379")),
        Err(error) => Err(Because(format!("it {error}"))),
    }
}

pub(super) fn smtp(text: &str) -> Read<SecretString> {
    match Smtp::check(text, Duration::ZERO) {
        Ok(_) if !has_whitespace(text) => Ok(text.into()),
        Ok(_) | Err(InvalidSmtpUrl::Form) => {
            Err(Not("a URL such as smtps://user:password@mail.example.com"))
        }
        Err(error) => Err(Because(format!("it {error}"))),
    }
}

/// The URL of another service, without credentials, which have their own settings.
pub(super) fn endpoint(text: &str) -> Read<Url> {
    url_of(text, &["http", "https"])
        .filter(|url| {
            url.username().is_empty()
                && url.password().is_none()
                && url.query().is_none()
                && url.fragment().is_none()
        })
        .ok_or(Not("a URL such as https://storage.example.com"))
}

pub(super) fn origin(text: &str) -> Read<Origin> {
    let url = endpoint(text).ok().filter(|url| url.path() == "/");
    url.map(Origin).ok_or(Not("an origin such as https://grantor.example.com, without a path"))
}

pub(super) fn service_name(text: &str) -> Read<String> {
    let fits = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b'-');
    // These two are path components that would leave `/.well-known/`.
    let leaves = matches!(text, "." | "..");
    // Other documents below `/.well-known/`.
    let taken = [("jwks.json", "the public keys"), ("jwt-vc-issuer", "the receipt issuer")];
    if let Some((name, owner)) = taken.iter().find(|(name, _)| *name == text) {
        return Err(Because(format!("\"{name}\" is reserved for {owner}; choose another name")));
    }
    if (1..=64).contains(&text.len()) && text.bytes().all(fits) && !leaves {
        Ok(text.to_owned())
    } else {
        Err(Not("a name of 1 to 64 characters from a-z, 0-9, dot, underscore and hyphen"))
    }
}

/// A bare address, or a name and an address in angle brackets.
pub(super) fn mailbox(text: &str) -> Read<String> {
    let address = match text.strip_suffix('>') {
        Some(rest) => rest.split_once('<').map_or("", |(_, address)| address),
        None => text,
    };
    let is_address = address.split_once('@').is_some_and(|(local, domain)| {
        !local.is_empty() && !domain.is_empty() && !domain.contains('@')
    });
    let is_clean = !has_whitespace(address) && !address.contains(['<', '>', '"', ',', ';']);
    if is_address && is_clean && !text.contains(char::is_control) {
        Ok(text.to_owned())
    } else {
        Err(Not("a mailbox such as Grantor <no-reply@example.com>"))
    }
}

/// A name that is used in URLs or headers without escaping.
pub(super) fn word(text: &str) -> Read<String> {
    if is_word(text) { Ok(text.to_owned()) } else { Err(Not("a word without spaces")) }
}

pub(super) fn secret_word(text: &str) -> Read<SecretString> {
    if is_word(text) { Ok(text.into()) } else { Err(Not("a key without spaces")) }
}

/// Networks or single addresses, separated by commas. 10.0.0.7/8 could mean either and is refused,
/// because trusting a whole network by mistake is dangerous.
pub(super) fn networks(text: &str) -> Read<Vec<IpNet>> {
    let network = |part: &str| match part.parse::<IpNet>() {
        Ok(network) => (network == network.trunc()).then_some(network),
        Err(_) => part.parse::<IpAddr>().map(IpNet::from).ok(),
    };
    items(text)
        .map(network)
        .collect::<Option<_>>()
        .ok_or(Not("a list of networks such as 10.0.0.0/8,192.168.1.7"))
}

/// Delays before webhook attempts.
pub(super) fn schedule(text: &str) -> Read<Vec<Duration>> {
    let seconds: Option<Vec<u32>> = items(text).map(|part| part.parse().ok()).collect();
    match seconds {
        Some(seconds) if !seconds.is_empty() => {
            Ok(seconds.into_iter().map(|delay| Duration::from_secs(delay.into())).collect())
        }
        _ => Err(Not("a list of seconds such as 0,5,300")),
    }
}

/// Zero is refused: it could mean "never" or "immediately".
pub(super) fn days(text: &str) -> Read<u32> {
    let days = text.parse().ok().filter(|days| (1..=36_500).contains(days));
    days.ok_or(Not("a number of days from 1 to 36500"))
}

/// How long a connection may be idle.
pub(super) fn seconds(text: &str) -> Read<Duration> {
    let seconds = text.parse().ok().filter(|seconds| (1..=3_600).contains(seconds));
    seconds.map(Duration::from_secs).ok_or(Not("a number of seconds from 1 to 3600"))
}

/// How long a server goes on after it was told to stop.
pub(super) fn delay(text: &str) -> Read<Duration> {
    let seconds = text.parse().ok().filter(|seconds: &u64| *seconds <= 300);
    seconds.map(Duration::from_secs).ok_or(Not("a number of seconds from 0 to 300"))
}

/// How many lines are logged per second.
pub(super) fn lines(text: &str) -> Read<u32> {
    let count = text.parse().ok().filter(|count: &u32| *count <= 100_000);
    count.ok_or(Not("a number from 0 to 100000"))
}

pub(super) fn sampling(text: &str) -> Read<Sampling> {
    Sampling::parse(text).ok_or(Not("a percentage such as 10 or 0.5"))
}

/// Names and values, as they are sent to a collector.
pub(super) fn headers(text: &str) -> Read<SecretString> {
    match otlp::headers(text) {
        Some(_) => Ok(text.into()),
        None => Err(Not("a list of headers such as authorization=Bearer TOKEN")),
    }
}

/// Whether a secret may be sent there: https, or this machine.
pub(super) fn is_safe(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let local = host.parse::<IpAddr>().is_ok_and(|it| it.to_canonical().is_loopback());
    url.scheme() == "https" || host == "localhost" || local
}

pub(super) fn connections(text: &str) -> Read<usize> {
    let count = text.parse().ok().filter(|count| (1..=1_000_000).contains(count));
    count.ok_or(Not("a number from 1 to 1000000"))
}

/// An amount of memory, in bytes.
pub(super) fn megabytes(text: &str) -> Read<usize> {
    let count = text.parse::<usize>().ok().filter(|count| (1..=1_000_000).contains(count));
    count.map(|it| it << 20).ok_or(Not("a number of megabytes from 1 to 1000000"))
}

pub(super) fn boolean(text: &str) -> Read<bool> {
    text.parse().map_err(|_| Not("true or false"))
}

pub(super) fn log_filter(text: &str) -> Read<String> {
    match tracing_subscriber::EnvFilter::try_new(text) {
        Ok(_) if !text.is_empty() => Ok(text.to_owned()),
        _ => Err(Not("a log filter such as info or warn,grantor_service=debug")),
    }
}

pub(super) fn log_format(text: &str) -> Read<LogFormat> {
    match text {
        "auto" => Ok(LogFormat::Auto),
        "human" => Ok(LogFormat::Human),
        "json" => Ok(LogFormat::Json),
        _ => Err(Not("one of auto, human and json")),
    }
}

pub(super) fn object_store(text: &str) -> Read<ObjectStore> {
    match text {
        "auto" => Ok(ObjectStore::Auto),
        "database" => Ok(ObjectStore::Database),
        "files" => Ok(ObjectStore::Files),
        _ => Err(Not("one of auto, database and files")),
    }
}

pub(super) fn password_policy(text: &str) -> Read<PasswordPolicy> {
    text.parse().map_err(|_| Not("standard or strict"))
}

pub(super) fn limits(text: &str, base: Limits) -> Read<Limits> {
    base.changed(text).map_err(|error| Because(error.to_string()))
}

pub(super) fn allowed_networks(text: &str) -> Read<AllowedNetworks> {
    text.parse().map_err(|error: InvalidNetwork| Because(error.to_string()))
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

fn url_of(text: &str, schemes: &[&str]) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let has_host = url.host_str().is_some_and(|host| !host.is_empty());
    (schemes.contains(&url.scheme()) && has_host && !has_whitespace(text)).then_some(url)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn has_whitespace(text: &str) -> bool {
    text.contains(|letter: char| letter.is_whitespace() || letter.is_control())
}
