//! Redirects: how many, whereto, and for whom.

use std::sync::Arc;

use grantor_domain::network::Refusal;
use grantor_outbound::header::HeaderMap;
use grantor_outbound::{OutboundError, OutboundRequest, Purpose};
use grantor_testkit::listener::{Call, Listener, Script};

use super::{FakeDns, PATIENT, on_loopback, outbound};

const FOLLOWING: [Purpose; 3] = [Purpose::VerificationPage, Purpose::Feed, Purpose::Image];

/// `/3` redirects to `/2` and so on until `/0`, which answers.
async fn countdown(status: u16) -> Listener {
    let script = move |call: &Call| match call.path.trim_start_matches('/').parse::<u32>() {
        Ok(0) | Err(_) => Script::ok(b"arrived"),
        Ok(left) => Script::redirect(status, &format!("/{}", left - 1)),
    };
    Listener::start(script).await.unwrap()
}

/// A listener that redirects everything to one place, in which `{port}` is its own port.
async fn sending_to(place: &'static str) -> Listener {
    let script = move |call: &Call| {
        let port = call.header("host").and_then(|host| host.rsplit(':').next()).unwrap();
        Script::redirect(302, &place.replace("{port}", port))
    };
    Listener::start(script).await.unwrap()
}

#[tokio::test]
async fn three_hops_arrive_and_four_do_not() {
    for (purpose, status) in FOLLOWING.into_iter().zip([301, 307, 308]) {
        let listener = countdown(status).await;
        let client = on_loopback(PATIENT);
        let answer = client.send(purpose, OutboundRequest::get(listener.url("/3"))).await.unwrap();
        assert_eq!((answer.body.as_slice(), listener.connections()), (b"arrived".as_slice(), 4));
        assert_eq!(answer.url.as_str(), listener.url("/0"));
        let answer = client.send(purpose, OutboundRequest::get(listener.url("/4"))).await;
        assert_eq!(answer.unwrap_err(), OutboundError::TooManyRedirects);
        assert_eq!(listener.connections(), 8);
    }
}

#[tokio::test]
async fn webhooks_and_bodies_are_not_redirected() {
    let listener = countdown(302).await;
    let client = on_loopback(PATIENT);
    let post = || OutboundRequest::post(listener.url("/1"), HeaderMap::new(), b"{}".to_vec());
    let get = OutboundRequest::get(listener.url("/1"));
    for (purpose, request) in
        [(Purpose::Webhook, post()), (Purpose::Webhook, get), (Purpose::Feed, post())]
    {
        assert_eq!(client.send(purpose, request).await.unwrap().status, 302);
    }
    assert_eq!(listener.connections(), 3);
}

#[tokio::test]
async fn another_host_is_refused() {
    for place in ["http://b.example:{port}/", "//b.example:{port}/", "http://127.0.0.1:{port}/"] {
        let listener = sending_to(place).await;
        let dns = Arc::new(FakeDns::default());
        let client = outbound(&dns, "127.0.0.0/8", PATIENT);
        let url = format!("http://a.example:{}/", listener.port());
        for purpose in FOLLOWING {
            let answer = client.send(purpose, OutboundRequest::get(&url)).await;
            assert_eq!(answer.unwrap_err(), OutboundError::Refused(Refusal::OtherHost), "{place}");
        }
        assert_eq!((listener.connections(), dns.lookups()), (3, 3), "{place}");
    }
}

/// Each place would be loopback; none is asked.
#[tokio::test]
async fn a_hop_is_screened_like_a_first_url() {
    for (place, refusal) in [
        ("http://127.0.0.2:{port}/", Refusal::Address),
        ("http://0x7f000002:{port}/", Refusal::Address),
        ("https://[::1]:{port}/", Refusal::Address),
        ("http://user@127.0.0.1:{port}/", Refusal::Credentials),
        ("http://127.0.0.1:0/", Refusal::Port),
        ("file:///etc/passwd", Refusal::Scheme),
        ("gopher://127.0.0.1:{port}/", Refusal::Scheme),
    ] {
        let listener = sending_to(place).await;
        let client = outbound(&Arc::default(), "127.0.0.1/32", PATIENT);
        let answer = client.send(Purpose::Feed, OutboundRequest::get(listener.url("/"))).await;
        assert_eq!(answer.unwrap_err(), OutboundError::Refused(refusal), "{place}");
        assert_eq!(listener.connections(), 1, "{place}");
    }
}

/// The same name may resolve otherwise by the second hop, and is checked again there.
#[tokio::test]
async fn a_hop_to_the_same_name_is_resolved_and_checked_anew() {
    let listener = countdown(302).await;
    let dns = FakeDns::default().with("turning.example", &["127.0.0.1", "127.0.0.2"]);
    let client = outbound(&Arc::new(dns), "127.0.0.1/32", PATIENT);
    let url = format!("http://turning.example:{}/1", listener.port());
    let answer = client.send(Purpose::Image, OutboundRequest::get(url)).await;
    assert_eq!(answer.unwrap_err(), OutboundError::Refused(Refusal::Address));
    assert_eq!(listener.connections(), 1);
}

#[tokio::test]
async fn a_redirect_without_a_place_is_an_answer() {
    let listener = Listener::start(|_| Script::answer(302, b"nowhere")).await.unwrap();
    let request = OutboundRequest::get(listener.url("/"));
    let answer = on_loopback(PATIENT).send(Purpose::Feed, request).await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.body.as_slice()), (302, b"nowhere".as_slice()));
}
