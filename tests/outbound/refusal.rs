//! Every hostile URL is refused, for every purpose, and nobody is connected to.

use std::sync::Arc;

use grantor_domain::network::Refusal;
use grantor_outbound::{OutboundError, OutboundRequest, Purpose};
use grantor_testkit::listener::{Listener, Script};

use super::corpus::{ELSEWHERE, FORM, LISTENER, LOOPBACK, NAMES};
use super::{FakeDns, PATIENT, outbound};

fn names() -> Arc<FakeDns> {
    let add =
        |dns: FakeDns, (name, answer): &(&'static str, &'static str)| dns.with(name, &[*answer]);
    Arc::new(NAMES.iter().fold(FakeDns::default(), add))
}

async fn listener() -> Listener {
    Listener::start(|_| Script::ok(b"reached")).await.unwrap()
}

fn at(url: &str, listener: &Listener) -> String {
    url.replace("{port}", &listener.port().to_string())
}

#[tokio::test]
async fn hostile_urls_are_refused_before_any_connection() {
    let (listener, dns) = (listener().await, names());
    let client = outbound(&dns, "", PATIENT);
    for url in [LISTENER, LOOPBACK, FORM].concat() {
        let url = at(url, &listener);
        for purpose in Purpose::ALL {
            let answer = client.send(purpose, OutboundRequest::get(&url)).await;
            assert!(matches!(answer, Err(OutboundError::Refused(_))), "{url:?}: {answer:?}");
        }
    }
    assert_eq!(listener.connections(), 0);
}

#[tokio::test]
async fn urls_that_lead_elsewhere_are_refused_when_vetted() {
    let client = outbound(&names(), "", PATIENT);
    for url in ELSEWHERE {
        let verdict = client.vet(url).await;
        assert!(matches!(verdict, Err(OutboundError::Refused(_))), "{url:?}: {verdict:?}");
    }
}

#[test]
fn the_corpus_is_large_and_without_doubles() {
    let mut all = [LISTENER, LOOPBACK, FORM, ELSEWHERE].concat();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    assert!(count >= 170, "{count}");
}

/// The negative control: the same URLs do reach the listener once loopback is allowed, so it is
/// the check that held them back.
#[tokio::test]
async fn an_allowed_network_lets_the_same_urls_through() {
    let (listener, dns) = (listener().await, names());
    let client = outbound(&dns, "127.0.0.0/8, 0.0.0.0/8", PATIENT);
    for (index, url) in LISTENER.iter().enumerate() {
        let url = at(url, &listener);
        let answer = client.send(Purpose::Webhook, OutboundRequest::get(&url)).await;
        assert_eq!(listener.connections(), index + 1, "{url:?}: {answer:?}");
        if url.starts_with("http:") {
            assert_eq!(answer.unwrap().body, b"reached");
        } else {
            // The listener speaks no TLS; that it was spoken to is what counts here.
            assert_eq!(answer.unwrap_err(), OutboundError::Tls, "{url:?}");
        }
    }
}

#[tokio::test]
async fn some_urls_are_refused_whatever_is_allowed() {
    let (listener, dns) = (listener().await, names());
    let client = outbound(&dns, "0.0.0.0/0, ::/0", PATIENT);
    for url in FORM {
        let url = at(url, &listener);
        let answer = client.send(Purpose::Webhook, OutboundRequest::get(&url)).await;
        assert!(matches!(answer, Err(OutboundError::Refused(_))), "{url:?}: {answer:?}");
    }
    assert_eq!((listener.connections(), dns.lookups()), (0, 0));
}

#[tokio::test]
async fn an_allowed_network_opens_no_other() {
    let client = outbound(&names(), "10.9.0.0/16", PATIENT);
    for url in ELSEWHERE {
        let verdict = client.vet(url).await;
        assert!(matches!(verdict, Err(OutboundError::Refused(_))), "{url:?}: {verdict:?}");
    }
}

/// Plain http is for allowed networks alone, and the addresses decide, not the name.
#[tokio::test]
async fn http_needs_every_address_in_an_allowed_network() {
    let dns = FakeDns::default()
        .with("inside.example", &["10.0.0.5"])
        .with("outside.example", &["8.8.8.8"])
        .with("half.example", &["10.0.0.5 8.8.8.8"])
        .with("nowhere.example", &["fails"]);
    let client = outbound(&Arc::new(dns), "10.0.0.0/8", PATIENT);
    let refused = Err(OutboundError::Refused(Refusal::PlainHttp));
    assert_eq!(client.vet("http://inside.example/").await, Ok(()));
    for name in ["outside", "half", "nowhere"] {
        assert_eq!(client.vet(&format!("http://{name}.example/")).await, refused, "{name}");
    }
    assert_eq!(client.vet("https://half.example/").await, Ok(()));
    assert_eq!(client.vet("https://nowhere.example/").await, Err(OutboundError::Dns));
}

/// Whatever was vetted before: the addresses of the connection decide.
#[tokio::test]
async fn http_to_a_name_that_left_the_allowed_network_is_not_connected_to() {
    let listener = listener().await;
    let dns = FakeDns::default().with("moving.example", &["127.0.0.1", "127.0.0.1", "127.0.0.2"]);
    let client = outbound(&Arc::new(dns), "127.0.0.1/32", PATIENT);
    let url = at("http://moving.example:{port}/", &listener);
    assert_eq!(client.vet(&url).await, Ok(()));
    let reached = client.send(Purpose::Webhook, OutboundRequest::get(&url)).await;
    assert_eq!(reached.unwrap().body, b"reached", "the control: while it is inside");
    // A connection that is kept is to the address that was checked: another client has none.
    let dns = FakeDns::default().with("moving.example", &["127.0.0.2"]);
    let client = outbound(&Arc::new(dns), "127.0.0.1/32", PATIENT);
    let refused = client.send(Purpose::Webhook, OutboundRequest::get(&url)).await;
    assert_eq!(refused.unwrap_err(), OutboundError::Refused(Refusal::Address));
    assert_eq!(listener.connections(), 1);
}

#[tokio::test]
async fn good_urls_pass() {
    let dns = FakeDns::default().with("hooks.example.com", &["8.8.8.8 2606:4700:4700::1111"]);
    let client = outbound(&Arc::new(dns), "", PATIENT);
    for url in [
        "https://hooks.example.com/path?query=1#fragment",
        "https://hooks.example.com:8443/",
        "https://HOOKS.example.com./",
        "https://8.8.8.8/",
        "https://[2606:4700:4700::1111]:444/",
    ] {
        assert_eq!(client.vet(url).await, Ok(()), "{url}");
    }
}

#[test]
fn refusals_read_as_field_errors() {
    let allowed = "".parse().unwrap();
    let refusal = |url: &str| grantor_outbound::screen_url(url, &allowed).unwrap_err().to_string();
    assert_eq!(refusal("example.com"), "must be an absolute URL such as https://example.com/path");
    assert_eq!(refusal("ftp://example.com/"), "must begin with https://");
    assert_eq!(refusal("http://example.com/"), "must use https");
    assert_eq!(refusal("https://a:b@example.com/"), "must not contain a user name or password");
    assert_eq!(refusal("https://exa(mple.com/"), "must have a valid host name");
    assert_eq!(refusal("https://example.com:0/"), "must not use port 0");
    assert_eq!(refusal("https://db.internal/"), "must have a public host name");
    assert_eq!(refusal("https://10.1/"), "must resolve to a public address");
    let long = format!("https://example.com/{}", "a".repeat(2048));
    assert_eq!(refusal(&long), "must have at most 2048 characters");
}
