//! Where a request of ours may go: which addresses count as the public internet, which networks
//! the operator adds, and what is wrong with a destination. Names are resolved elsewhere; what
//! they resolve to is judged here.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// Whether an address belongs to the public internet.
///
/// IPv6 is decided by inclusion: only what IANA has opened as global unicast counts. Every
/// transition range (mapped, compatible, NAT64, 6to4, Teredo) is refused whole instead of by the
/// IPv4 address inside: a gateway on the way unpacks that address, after and apart from our
/// check, and no honest receiver is reachable only so.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !RESERVED_V4.iter().any(|network| network.contains(&address)),
        IpAddr::V6(address) => {
            GLOBAL_V6.contains(&address)
                && !RESERVED_V6.iter().any(|network| network.contains(&address))
        }
    }
}

/// The networks the operator lets requests reach besides the public internet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedNetworks(Vec<IpNet>);

impl AllowedNetworks {
    /// Whether the operator named a network that holds this address.
    #[must_use]
    pub fn permits(&self, address: IpAddr) -> bool {
        // A mapped address is its IPv4 address to every socket, so it is to this list.
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Whether nothing but the public internet is allowed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for AllowedNetworks {
    type Err = InvalidNetwork;

    /// Reads a comma-separated list; a bare address stands for itself alone.
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

/// An entry of the list that is not a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidNetwork {
    /// It cannot be read.
    #[error(
        "{0:?} is not a network; write networks such as 10.0.0.0/8 or fd00::/8, separated by commas"
    )]
    Unreadable(String),
    /// It could mean one address or a whole network; guessing could open too much.
    #[error(
        "{entry} names a single address and a wider network at once; write {address} or {network}"
    )]
    Ambiguous {
        /// As it was written.
        entry: String,
        /// The one address.
        address: IpAddr,
        /// The whole network.
        network: IpNet,
    },
}

/// The host of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// An address literal.
    Address(IpAddr),
    /// A name, in its ASCII form.
    Name(String),
}

/// How far a destination may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The public internet and the allowed networks.
    Internet,
    /// The allowed networks alone: plain http, and names with no meaning on the internet.
    AllowedOnly,
}

impl Reach {
    /// Judges what a name resolved to. One bad address refuses all: which of them a connection
    /// takes is not ours to choose.
    pub fn judge(self, addresses: &[IpAddr], allowed: &AllowedNetworks) -> Result<(), Refusal> {
        let admits = |address: &IpAddr| {
            allowed.permits(*address) || (self == Self::Internet && is_public(*address))
        };
        if addresses.iter().all(admits) { Ok(()) } else { Err(Refusal::Address) }
    }
}

/// A host and a port that may be tried. Exists only when its form is in order; a name's
/// addresses are still to be judged by its reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    host: Host,
    port: u16,
    reach: Reach,
}

impl Target {
    /// Screens a destination as far as that is possible before resolution.
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
            reach.judge(&[address], allowed)?;
        }
        Ok(Self { host, port, reach })
    }

    /// The host; a name is in lower case without a final dot.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// What the host's addresses are judged by.
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

/// Whether a name in its ASCII form can be a host's. A strict alphabet leaves no second reading to
/// whoever parses the name after us.
pub(crate) fn is_host_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    name.len() <= 253
        && name.split('.').all(|label| (1..=63).contains(&label.len()) && label.bytes().all(fits))
}

/// Why a URL is not used; each text reads after "the URL" or beside its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// Not a URL, or one that hides spaces or control characters.
    #[error("must be an absolute URL such as https://example.com/path")]
    Malformed,
    /// Too many characters.
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
    /// A host name no resolver should see.
    #[error("must have a valid host name")]
    HostName,
    /// Port 0.
    #[error("must not use port 0")]
    Port,
    /// A name that only means something inside a network.
    #[error("must have a public host name")]
    LocalName,
    /// An address, literal or resolved, outside of what is allowed.
    #[error("must lead to a public address")]
    Address,
    /// A redirect that leaves the host.
    #[error("must not redirect to another host")]
    OtherHost,
}

/// Longer URLs are refused.
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

/// IANA's special-purpose registry, and the one public address that is a cloud's own metadata.
const RESERVED_V4: [Ipv4Net; 16] = [
    v4([0, 0, 0, 0], 8),        // this network
    v4([10, 0, 0, 0], 8),       // private
    v4([100, 64, 0, 0], 10),    // carrier-grade NAT, and Alibaba's metadata
    v4([127, 0, 0, 0], 8),      // loopback
    v4([168, 63, 129, 16], 32), // Azure's platform address
    v4([169, 254, 0, 0], 16),   // link-local, and most clouds' metadata
    v4([172, 16, 0, 0], 12),    // private
    v4([192, 0, 0, 0], 24),     // protocol assignments, and Oracle's metadata
    v4([192, 0, 2, 0], 24),     // documentation
    v4([192, 88, 99, 0], 24),   // 6to4 relays
    v4([192, 168, 0, 0], 16),   // private
    v4([198, 18, 0, 0], 15),    // benchmarking
    v4([198, 51, 100, 0], 24),  // documentation
    v4([203, 0, 113, 0], 24),   // documentation
    v4([224, 0, 0, 0], 4),      // multicast
    v4([240, 0, 0, 0], 4),      // reserved, and broadcast
];

/// Global unicast. Outside of it lie loopback, mapped and compatible addresses, NAT64, discard,
/// unique-local (with the clouds' metadata), link-local, site-local and multicast.
const GLOBAL_V6: Ipv6Net = v6([0x2000, 0, 0], 3);

/// What is not public within global unicast.
const RESERVED_V6: [Ipv6Net; 4] = [
    v6([0x2001, 0, 0], 23), // protocol assignments: Teredo, benchmarking, ORCHID
    v6([0x2001, 0xdb8, 0], 32), // documentation
    v6([0x2002, 0, 0], 16), // 6to4
    v6([0x3fff, 0, 0], 20), // documentation
];

const fn v4(octets: [u8; 4], prefix: u8) -> Ipv4Net {
    let [a, b, c, d] = octets;
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(segments: [u16; 3], prefix: u8) -> Ipv6Net {
    let [a, b, c] = segments;
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and the last address of each range that is not public.
    const RESERVED: &str = "
        0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255
        127.0.0.0 127.255.255.255 168.63.129.16 169.254.0.0 169.254.169.254 169.254.255.255
        172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.192 192.0.0.255 192.0.2.0 192.0.2.255
        192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255
        198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255 224.0.0.0 239.255.255.255
        240.0.0.0 255.255.255.255
        :: ::1 ::7f00:1 ::808:808 ::ffff:0:0 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8
        64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::a9fe:a9fe 100:: 100::1 100:0:0:1::1
        2001:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:20::1
        2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8:: 2001:db8:ffff::1
        2002:: 2002:7f00:1::1 2002:808:808::1 3fff:: 3fff:fff:ffff::1
        4000:: 5f00::1 fc00:: fd00:ec2::254 fd20:ce::254 fe80:: fe80::a9fe:a9fe
        febf::1 fec0:: feff::1 ff00:: ff02::1 ffff::1";

    /// The neighbors of those ranges, and well-known public addresses.
    const PUBLIC: &str = "
        1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0
        126.255.255.255 128.0.0.0 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0
        172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0
        192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0
        203.0.112.255 203.0.114.0 223.255.255.255
        2000:: 2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9:: 2003::1
        2606:4700:4700::1111 2a00:1450:4001::1 3ffe:ffff::1 3fff:1000::1";

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
    fn only_the_internet_is_public() {
        assert_eq!(list(RESERVED).find(|address| is_public(*address)), None);
        assert_eq!(list(PUBLIC).find(|address| !is_public(*address)), None);
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
            "\"10.0.0.0/40\" is not a network; write networks such as 10.0.0.0/8 or fd00::/8, \
             separated by commas"
        );
        assert_eq!(
            error("10.1.2.3/8"),
            "10.1.2.3/8 names a single address and a wider network at once; \
             write 10.1.2.3 or 10.0.0.0/8"
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
