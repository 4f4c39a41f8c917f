//! A name that answers differently each time gains nothing: a connection goes to the addresses
//! that were checked for it.

use std::net::SocketAddr;
use std::sync::Arc;

use grantor_domain::network::Refusal;
use grantor_outbound::{OutboundError, OutboundRequest, Purpose};
use grantor_testkit::listener::{Listener, Script};

use super::{FakeDns, PATIENT, outbound};

const REFUSED: OutboundError = OutboundError::Refused(Refusal::Address);

/// Two listeners on one port: at 127.0.0.1, which the tests allow, and at 127.0.0.2.
async fn twins() -> (Listener, Listener) {
    let first = Listener::start(|_| Script::ok(b"first")).await.unwrap();
    let other = SocketAddr::from(([127, 0, 0, 2], first.port()));
    let second = Listener::bind(other, |_| Script::ok(b"second")).await.unwrap();
    (first, second)
}

#[tokio::test]
async fn public_at_first_and_loopback_at_second_is_refused() {
    let listener = Listener::start(|_| Script::ok(b"reached")).await.unwrap();
    for purpose in Purpose::ALL {
        let dns = Arc::new(FakeDns::default().with("rebind.example", &["8.8.8.8", "127.0.0.1"]));
        let client = outbound(&dns, "", PATIENT);
        let url = format!("https://rebind.example:{}/", listener.port());
        // Were the first answer not taken here, sending would go to it: so this is asserted first.
        assert_eq!((client.vet(&url).await, dns.lookups()), (Ok(()), 1));
        let answer = client.send(purpose, OutboundRequest::get(&url)).await;
        assert_eq!((answer.unwrap_err(), dns.lookups()), (REFUSED, 2));
    }
    assert_eq!(listener.connections(), 0);
}

/// One look-up serves the check and the connection: were there a second, it would lead to the
/// other listener.
#[tokio::test]
async fn the_connection_uses_the_checked_addresses() {
    let (first, second) = twins().await;
    let dns = Arc::new(FakeDns::default().with("rebind.example", &["127.0.0.1", "127.0.0.2"]));
    let client = outbound(&dns, "127.0.0.1", PATIENT);
    let url = format!("http://rebind.example:{}/", first.port());
    let answer = client.send(Purpose::Webhook, OutboundRequest::get(&url)).await.unwrap();
    assert_eq!((answer.body.as_slice(), dns.lookups()), (b"first".as_slice(), 1));
    let again = client.send(Purpose::Webhook, OutboundRequest::get(&url)).await;
    assert_eq!((again.unwrap_err(), dns.lookups()), (REFUSED, 2));
    assert_eq!((first.connections(), second.connections()), (1, 0));
}

#[tokio::test]
async fn one_bad_address_among_good_ones_refuses_all() {
    let (first, second) = twins().await;
    for answer in ["127.0.0.1 127.0.0.2", "127.0.0.2 127.0.0.1", "127.0.0.1 127.0.0.1 ::1"] {
        let dns = Arc::new(FakeDns::default().with("mixed.example", &[answer]));
        let client = outbound(&dns, "127.0.0.1/32", PATIENT);
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://mixed.example:{}/", first.port());
            let answer = client.send(Purpose::Feed, OutboundRequest::get(&url)).await;
            assert_eq!(answer.unwrap_err(), REFUSED);
        }
    }
    assert_eq!((first.connections(), second.connections()), (0, 0));
}

/// A local name may be resolved once a network is allowed, and is still bound to that network.
#[tokio::test]
async fn a_local_name_stays_within_the_allowed_network() {
    let (first, second) = twins().await;
    let dns = FakeDns::default().with("good", &["127.0.0.1"]).with("bad", &["127.0.0.2"]);
    let client = outbound(&Arc::new(dns), "127.0.0.1/32", PATIENT);
    let send = |host: &str| {
        let url = format!("http://{host}:{}/", first.port());
        client.send(Purpose::Webhook, OutboundRequest::get(url))
    };
    assert_eq!(send("good").await.unwrap().body, b"first");
    assert_eq!(send("bad").await.unwrap_err(), REFUSED);
    assert_eq!((first.connections(), second.connections()), (1, 0));
}
