//! Scans may read the site that a server with sample data serves itself, and nothing else.

use std::net::SocketAddr;
use std::sync::Arc;

use grantor_domain::network::Refusal;
use grantor_outbound::{Outbound, OutboundError, OutboundRequest, OwnSite, Purpose};
use grantor_testkit::listener::{Call, Listener, Script};

use super::{FakeDns, PATIENT, outbound};

const PATH: &str = "/sample-site/";

/// A client that may read the own site of this listener.
fn with_site(listener: SocketAddr) -> Outbound {
    let client = outbound(&Arc::default(), "", PATIENT);
    client.with_own_site(OwnSite { listener, path: PATH }).unwrap()
}

async fn listener() -> Listener {
    Listener::start(|_| Script::ok(b"reached")).await.unwrap()
}

async fn send(client: &Outbound, purpose: Purpose, url: &str) -> Result<Vec<u8>, OutboundError> {
    client.send(purpose, OutboundRequest::get(url)).await.map(|it| it.body)
}

#[tokio::test]
async fn only_scans_read_the_own_site() {
    let listener = listener().await;
    let client = with_site(listener.address());
    for path in ["/sample-site/", "/sample-site/posts/a?b=c", "/robots.txt"] {
        let url = listener.url(path);
        for purpose in Purpose::ALL {
            let before = listener.connections();
            let answer = send(&client, purpose, &url).await;
            if matches!(purpose, Purpose::Feed | Purpose::Image) {
                assert_eq!(answer, Ok(b"reached".to_vec()), "{purpose:?} {url}");
            } else {
                let refused = OutboundError::Refused(Refusal::PlainHttp);
                assert_eq!(answer, Err(refused), "{purpose:?} {url}");
                assert_eq!(listener.connections(), before);
            }
        }
        let refused = Err(OutboundError::Refused(Refusal::PlainHttp));
        assert_eq!(client.vet(&url).await, refused);
        assert_eq!(client.vet_for(Purpose::Feed, &url).await, Ok(()));
        assert_eq!(client.vet_for(Purpose::Webhook, &url).await, refused);
    }
}

/// The negative control: without the exception, the same URL is refused.
#[tokio::test]
async fn without_the_exception_the_site_is_refused() {
    let listener = listener().await;
    let client = outbound(&Arc::default(), "", PATIENT);
    let answer = send(&client, Purpose::Feed, &listener.url(PATH)).await;
    assert_eq!(answer, Err(OutboundError::Refused(Refusal::PlainHttp)));
    assert_eq!(listener.connections(), 0);
}

#[tokio::test]
async fn everything_else_on_loopback_is_refused() {
    let (own, other) = (listener().await, listener().await);
    let client = with_site(own.address());
    let (port, elsewhere) = (own.port(), other.port());
    for url in [
        other.url("/sample-site/"),
        own.url("/"),
        own.url("/app/dev/mail"),
        own.url("/sample-site"),
        own.url("/sample-site/../app/dev/mail"),
        own.url("/sample-site/%2e%2e/app/dev/mail"),
        format!("https://127.0.0.1:{port}/sample-site/"),
        format!("http://localhost:{port}/sample-site/"),
        format!("http://own.example:{port}/sample-site/"),
        format!("http://127.0.0.2:{port}/sample-site/"),
        format!("http://[::1]:{port}/sample-site/"),
        format!("http://[::ffff:127.0.0.1]:{port}/sample-site/"),
        format!("http://127.0.0.1:{port}@127.0.0.1:{elsewhere}/sample-site/"),
        "http://127.0.0.1/sample-site/".to_owned(),
        "http://10.0.0.1/sample-site/".to_owned(),
    ] {
        for purpose in Purpose::ALL {
            let answer = send(&client, purpose, &url).await;
            assert!(matches!(answer, Err(OutboundError::Refused(_))), "{url}: {answer:?}");
        }
    }
    assert_eq!((own.connections(), other.connections()), (0, 0));
}

#[tokio::test]
async fn the_site_redirects_nowhere_else() {
    let other = listener().await;
    let away = other.url("/sample-site/");
    let script = move |call: &Call| match &*call.path {
        "/sample-site/away" => Script::redirect(302, &away),
        "/sample-site/inside" => Script::redirect(302, "/app/dev/mail"),
        "/sample-site/moved" => Script::redirect(301, "/sample-site/"),
        _ => Script::ok(b"reached"),
    };
    let own = Listener::start(script).await.unwrap();
    let client = with_site(own.address());
    for path in ["/sample-site/away", "/sample-site/inside"] {
        let answer = send(&client, Purpose::Feed, &own.url(path)).await;
        assert!(matches!(answer, Err(OutboundError::Refused(_))), "{path}: {answer:?}");
    }
    let moved = send(&client, Purpose::Feed, &own.url("/sample-site/moved")).await;
    assert_eq!(moved, Ok(b"reached".to_vec()));
    assert_eq!(other.connections(), 0);
    assert!(own.calls().iter().all(|it| it.path.starts_with(PATH)), "{:?}", own.calls());
}

/// A listener that others can reach is never an exception.
#[tokio::test]
async fn only_a_listener_on_loopback_counts() {
    let address: SocketAddr = "10.0.0.1:80".parse().unwrap();
    let answer = send(&with_site(address), Purpose::Feed, "http://10.0.0.1/sample-site/").await;
    assert_eq!(answer, Err(OutboundError::Refused(Refusal::PlainHttp)));
}

/// Networks that the operator allows stay allowed, and names are still checked.
#[tokio::test]
async fn the_operators_networks_stay() {
    let (own, other) = (listener().await, listener().await);
    let dns = Arc::new(FakeDns::default().with("outside.example", &["8.8.8.8"]));
    let client = outbound(&dns, "127.0.0.1/32", PATIENT);
    let site = OwnSite { listener: own.address(), path: PATH };
    let client = client.with_own_site(site).unwrap();
    assert_eq!(send(&client, Purpose::Webhook, &other.url("/")).await, Ok(b"reached".to_vec()));
    let url = format!("http://outside.example:{}/sample-site/", own.port());
    let refused = send(&client, Purpose::Feed, &url).await;
    assert_eq!(refused, Err(OutboundError::Refused(Refusal::Address)));
}
