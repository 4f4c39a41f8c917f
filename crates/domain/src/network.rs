//! Rules for outbound requests: which IP addresses are public, which networks the operator allows
//! in addition, and why a destination is refused. Names are resolved elsewhere; the resolved
//! addresses are checked here.

mod public;

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

pub use self::public::is_public;

/// Why an address that is read for somebody must be encrypted.
pub const PLAIN_HTTP: &str =
    "must begin with https://; addresses that begin with http:// are not read";

/// The networks outbound requests may reach in addition to the public internet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedNetworks(Vec<IpNet>);

impl AllowedNetworks {
    /// Whether the operator allowed a network that contains this address.
    #[must_use]
    pub fn permits(&self, address: IpAddr) -> bool {
        // Sockets treat an IPv4-mapped address as its IPv4 address, so this list does too.
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Whether only the public internet is allowed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for AllowedNetworks {
    type Err = InvalidNetwork;

    /// Parses a comma-separated list; a bare address stands for a network of one.
    fn from_str(text: &str) -> Result<Self, InvalidNetwork> {
        let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        entries.map(network).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for AllowedNetworks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, network) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{network}")?;
        }
        Ok(())
    }
}

/// An invalid entry of the list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidNetwork {
    /// The entry is not a network.
    #[error(
        "{0:?} is not a network; use networks such as 10.0.0.0/8 or fd00::/8, separated by commas"
    )]
    Unreadable(String),
    /// The entry could mean one address or a whole network; guessing could allow too much.
    #[error("{entry} is ambiguous: use {address} for one address or {network} for the network")]
    Ambiguous {
        /// The entry as written.
        entry: String,
        /// The single address.
        address: IpAddr,
        /// The whole network.
        network: IpNet,
    },
}

/// The host of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// An IP address literal.
    Address(IpAddr),
    /// A host name in ASCII form.
    Name(String),
}

/// The addresses a destination may resolve to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The public internet and the allowed networks.
    Internet,
    /// Only the allowed networks: for plain http, and for names that are not public.
    AllowedOnly,
}

impl Reach {
    /// Checks the addresses a name resolved to. One forbidden address refuses all, because the
    /// connection may use any of them.
    pub fn judge(self, addresses: &[IpAddr], allowed: &AllowedNetworks) -> Result<(), Refusal> {
        let admits = |address: &IpAddr| {
            allowed.permits(*address) || (self == Self::Internet && is_public(*address))
        };
        if addresses.iter().all(admits) { Ok(()) } else { Err(Refusal::Address) }
    }
}

/// A host and port with a valid form. The addresses of a host name must still be checked with its
/// reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    host: Host,
    port: u16,
    reach: Reach,
}

impl Target {
    /// Checks a destination as far as possible before name resolution.
    pub fn new(
        scheme: &str,
        host: Host,
        port: u16,
        allowed: &AllowedNetworks,
    ) -> Result<Self, Refusal> {
        let plain = match scheme {
            "https" => false,
            "http" if allowed.is_empty() => return Err(Refusal::PlainHttp),
            "http" => true,
            _ => return Err(Refusal::Scheme),
        };
        if port == 0 {
            return Err(Refusal::Port);
        }
        let host = host.normalized()?;
        let local = matches!(&host, Host::Name(name) if is_local_name(name));
        if local && allowed.is_empty() {
            return Err(Refusal::LocalName);
        }
        let reach = if plain || local { Reach::AllowedOnly } else { Reach::Internet };
        if let Host::Address(address) = host {
            // Report a public address as missing https, not as a forbidden address.
            let https_missing = plain && is_public(address);
            let refused = |it| if https_missing { Refusal::PlainHttp } else { it };
            reach.judge(&[address], allowed).map_err(refused)?;
        }
        Ok(Self { host, port, reach })
    }

    /// The host; a name is in lower case without a trailing dot.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The rule for the host's addresses.
    #[must_use]
    pub fn reach(&self) -> Reach {
        self.reach
    }
}

impl Host {
    fn normalized(self) -> Result<Self, Refusal> {
        let Self::Name(name) = self else { return Ok(self) };
        let name = name.strip_suffix('.').unwrap_or(&name).to_ascii_lowercase();
        if !is_host_name(&name) {
            return Err(Refusal::HostName);
        }
        Ok(name.parse().map_or(Self::Name(name), Self::Address))
    }
}

/// Whether an ASCII name is a valid host name. The strict alphabet makes sure that other parsers
/// read the name the same way.
pub(crate) fn is_host_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    name.len() <= 253
        && name.split('.').all(|label| (1..=63).contains(&label.len()) && label.bytes().all(fits))
}

/// Why a URL is refused. Each message reads well after "the URL" or next to a form field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// Not a URL, or one that contains spaces or control characters.
    #[error("must be an absolute URL such as https://example.com/path")]
    Malformed,
    /// The URL is too long.
    #[error("must have at most {} characters", MAX_URL_LENGTH)]
    TooLong,
    /// Neither https nor http.
    #[error("must begin with https://")]
    Scheme,
    /// Plain http where it is not allowed.
    #[error("must use https")]
    PlainHttp,
    /// A user name or a password.
    #[error("must not contain a user name or password")]
    Credentials,
    /// An invalid host name.
    #[error("must have a valid host name")]
    HostName,
    /// Port 0.
    #[error("must not use port 0")]
    Port,
    /// A host name that only has a meaning inside a network.
    #[error("must have a public host name")]
    LocalName,
    /// An address, literal or resolved, that is not allowed.
    #[error("must resolve to a public address")]
    Address,
    /// A redirect to another host.
    #[error("must not redirect to another host")]
    OtherHost,
}

/// The maximum length of a URL.
pub const MAX_URL_LENGTH: usize = 2048;

fn network(entry: &str) -> Result<IpNet, InvalidNetwork> {
    if let Ok(address) = entry.parse::<IpAddr>() {
        return Ok(address.into());
    }
    let parsed: IpNet = entry.parse().map_err(|_| InvalidNetwork::Unreadable(entry.to_owned()))?;
    let network = parsed.trunc();
    if network == parsed {
        return Ok(network);
    }
    Err(InvalidNetwork::Ambiguous { entry: entry.to_owned(), address: parsed.addr(), network })
}

fn is_local_name(name: &str) -> bool {
    const LOCAL: [&str; 7] =
        ["localhost", "localdomain", "local", "internal", "intranet", "lan", "home.arpa"];
    !name.contains('.')
        || LOCAL.iter().any(|tail| {
            name.strip_suffix(tail).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> impl Iterator<Item = IpAddr> {
        text.split_whitespace().map(|word| word.parse().unwrap())
    }

    fn allowed(text: &str) -> AllowedNetworks {
        text.parse().unwrap()
    }

    fn screen(scheme: &str, name: &str, networks: &str) -> Result<Reach, Refusal> {
        let host = Host::Name(name.to_owned());
        Target::new(scheme, host, 443, &allowed(networks)).map(|target| target.reach())
    }

    #[test]
    fn one_bad_address_refuses_all() {
        let addresses: Vec<_> = list("8.8.8.8 10.1.2.3").collect();
        assert_eq!(Reach::Internet.judge(&addresses, &allowed("")), Err(Refusal::Address));
        assert_eq!(Reach::Internet.judge(&addresses, &allowed("10.1.0.0/16")), Ok(()));
        let reach = Reach::AllowedOnly;
        assert_eq!(reach.judge(&addresses, &allowed("10.1.0.0/16")), Err(Refusal::Address));
        assert_eq!(reach.judge(&addresses[1..], &allowed("10.1.0.0/16")), Ok(()));
    }

    #[test]
    fn networks_read_and_print() {
        let networks = allowed(" 10.0.0.0/8,fd00::/8 ,, 192.168.1.7 ");
        assert_eq!(networks.to_string(), "10.0.0.0/8, fd00::/8, 192.168.1.7/32");
        let inside = list("10.9.9.9 fd12::1 192.168.1.7 ::ffff:10.0.0.1");
        assert!(inside.into_iter().all(|ip| networks.permits(ip)));
        assert!(!list("11.0.0.1 192.168.1.8 ::10.0.0.1").any(|ip| networks.permits(ip)));
        assert!(allowed("").is_empty());
    }

    #[test]
    fn a_wrong_network_is_named() {
        let error = |text: &str| text.parse::<AllowedNetworks>().unwrap_err().to_string();
        assert_eq!(
            error("10.0.0.0/8, 10.0.0.0/40"),
            "\"10.0.0.0/40\" is not a network; use networks such as 10.0.0.0/8 or fd00::/8, \
             separated by commas"
        );
        assert_eq!(
            error("10.1.2.3/8"),
            "10.1.2.3/8 is ambiguous: use 10.1.2.3 for one address or 10.0.0.0/8 for the \
             network"
        );
    }

    #[test]
    fn names_are_left_to_resolution_only_where_a_network_is_allowed() {
        for name in ["localhost", "LOCALHOST.", "a.localhost", "printer", "db.internal", "x.local"]
        {
            assert_eq!(screen("https", name, ""), Err(Refusal::LocalName), "{name}");
            assert_eq!(screen("https", name, "10.0.0.0/8"), Ok(Reach::AllowedOnly), "{name}");
        }
        assert_eq!(screen("https", "local.example", ""), Ok(Reach::Internet));
        assert_eq!(screen("http", "example.com", ""), Err(Refusal::PlainHttp));
        assert_eq!(screen("http", "example.com", "10.0.0.0/8"), Ok(Reach::AllowedOnly));
        assert_eq!(screen("http", "8.8.8.8", "10.0.0.0/8"), Err(Refusal::PlainHttp));
        assert_eq!(screen("http", "127.0.0.1", "10.0.0.0/8"), Err(Refusal::Address));
        assert_eq!(screen("ftp", "example.com", "10.0.0.0/8"), Err(Refusal::Scheme));
    }

    #[test]
    fn odd_names_are_refused() {
        for name in ["", ".", "a..b", "example.com..", "a b.example", "a%00.example", "é.example"]
        {
            assert_eq!(screen("https", name, "10.0.0.0/8"), Err(Refusal::HostName), "{name:?}");
        }
        assert_eq!(screen("https", &"a.".repeat(128), ""), Err(Refusal::HostName));
        assert_eq!(screen("https", "127.0.0.1", ""), Err(Refusal::Address));
    }
}
