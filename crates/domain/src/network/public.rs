//! Classification of public IP addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// Whether an address belongs to the public internet.
///
/// For IPv6 only addresses that IANA has assigned as global unicast count. All transition ranges
/// (mapped, compatible, NAT64, 6to4, Teredo) are refused regardless of the IPv4 address inside: a
/// gateway would unpack that address after this check, and no legitimate receiver is reachable only
/// that way.
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

/// IANA's special-purpose registry, plus a public address used by Azure internally.
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

/// Global unicast. Excludes loopback, mapped and compatible addresses, NAT64, discard, unique local
/// (including cloud metadata), link-local, site-local and multicast.
const GLOBAL_V6: Ipv6Net = v6([0x2000, 0, 0], 3);

/// Ranges within global unicast that are not public.
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

    /// The first and last address of each range that is not public.
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

    #[test]
    fn only_the_internet_is_public() {
        assert_eq!(list(RESERVED).find(|address| is_public(*address)), None);
        assert_eq!(list(PUBLIC).find(|address| !is_public(*address)), None);
    }
}
