//! Receivers, good and hostile: whatever they do, time and memory stay bounded.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use grantor_outbound::header::{HeaderMap, HeaderValue};
use grantor_outbound::{
    Dns, OutboundError, OutboundRequest, OutboundResponse, Overflow, Purpose, SystemDns, TimeLimits,
};
use grantor_testkit::listener::{Listener, Script};
use tokio::time::timeout;

use super::{FakeDns, HASTY, PATIENT, on_loopback, outbound};

/// What the kernel may hold of a stream that nobody reads any more.
const SOCKET_BUFFERS: usize = 16 * 1024 * 1024;

async fn receiver(script: Script) -> Listener {
    Listener::start(move |_| script.clone()).await.unwrap()
}

/// One request to a receiver; well beyond its limit it counts as hanging.
async fn ask(
    purpose: Purpose,
    listener: &Listener,
    limits: TimeLimits,
) -> Result<OutboundResponse, OutboundError> {
    let client = on_loopback(limits);
    let answer = client.send(purpose, OutboundRequest::get(listener.url("/")));
    let patience = limits.total + Duration::from_secs(10);
    timeout(patience, answer).await.expect("the request must end by itself")
}

#[tokio::test]
async fn a_webhook_arrives_as_it_was_given() {
    let listener = receiver(Script::answer(202, b"thanks")).await;
    let mut headers = HeaderMap::new();
    headers.insert("webhook-id", HeaderValue::from_static("msg_1"));
    let request = OutboundRequest::post(listener.url("/hook?a=1#part"), headers, b"{}".to_vec());
    let answer = on_loopback(PATIENT).send(Purpose::Webhook, request).await.unwrap();
    assert_eq!(
        (answer.status.as_u16(), answer.body, answer.truncated),
        (202, b"thanks".into(), false)
    );
    let call = &listener.calls()[0];
    assert_eq!((call.method.as_str(), call.path.as_str()), ("POST", "/hook?a=1"));
    let mut lines = call.headers.clone();
    lines.sort();
    let agent = concat!("user-agent: Grantor/", env!("CARGO_PKG_VERSION"));
    let host = format!("host: {}", listener.address());
    let rest = ["webhook-id: msg_1".to_owned()];
    let mut expected = vec!["accept: */*".to_owned(), "content-length: 2".to_owned()];
    expected.extend([host, agent.to_owned()].into_iter().chain(rest));
    assert_eq!((lines, call.body.as_slice()), (expected, b"{}".as_slice()));
}

#[tokio::test]
async fn a_body_counts_up_to_its_limit() {
    for purpose in Purpose::ALL {
        let terms = purpose.terms();
        let listener = receiver(Script::ok(&vec![b'.'; terms.body])).await;
        let answer = ask(purpose, &listener, PATIENT).await.unwrap();
        assert_eq!((answer.body.len(), answer.truncated), (terms.body, false), "{purpose:?}");
        let listener = receiver(Script::ok(&vec![b'.'; terms.body + 1])).await;
        let answer = ask(purpose, &listener, PATIENT).await;
        assert_over(purpose, answer);
    }
}

#[tokio::test]
async fn an_endless_body_is_left() {
    for purpose in Purpose::ALL {
        let listener = receiver(Script::Endless).await;
        let answer = ask(purpose, &listener, PATIENT).await;
        assert_over(purpose, answer);
        let sent = listener.sent();
        assert!(sent <= purpose.terms().body + SOCKET_BUFFERS, "{purpose:?} took {sent}");
    }
}

fn assert_over(purpose: Purpose, answer: Result<OutboundResponse, OutboundError>) {
    match purpose.terms().overflow {
        Overflow::Refuse => assert_eq!(answer.unwrap_err(), OutboundError::TooLarge, "{purpose:?}"),
        Overflow::Truncate => {
            let answer = answer.unwrap();
            assert_eq!((answer.body.len(), answer.truncated), (purpose.terms().body, true));
        }
    }
}

#[tokio::test]
async fn drips_and_silence_end_in_time() {
    for script in [Script::Drip(Duration::from_millis(20)), Script::Hang] {
        for purpose in Purpose::ALL {
            let listener = receiver(script.clone()).await;
            let answer = ask(purpose, &listener, HASTY).await;
            if purpose.terms().overflow == Overflow::Truncate && matches!(script, Script::Drip(_)) {
                let answer = answer.unwrap();
                assert_eq!(
                    (answer.status.as_u16(), answer.truncated),
                    (200, true),
                    "the head came"
                );
            } else {
                assert_eq!(answer.unwrap_err(), OutboundError::Timeout, "{purpose:?} {script:?}");
            }
        }
    }
}

/// Each hop alone would be in time; the limit is for all of them.
#[tokio::test]
async fn redirects_share_one_time_limit() {
    let listener = Listener::start(|call| match call.path.as_str() {
        "/" => Script::redirect(302, "/slow"),
        _ => Script::Hang,
    });
    let listener = listener.await.unwrap();
    let limits = TimeLimits { total: Duration::from_secs(2), ..PATIENT };
    let answer = ask(Purpose::Feed, &listener, limits).await;
    assert_eq!((answer.unwrap_err(), listener.connections()), (OutboundError::Timeout, 2));
}

#[tokio::test]
async fn huge_headers_are_refused() {
    let listener = receiver(Script::Headers { count: 80, size: 1000 }).await;
    assert_eq!(
        ask(Purpose::Webhook, &listener, PATIENT).await.unwrap_err(),
        OutboundError::TooLarge
    );
    for (count, size) in [(1_000_000, 1000), (10, 10_000_000), (1000, 1)] {
        let listener = receiver(Script::Headers { count, size }).await;
        let answer = ask(Purpose::Webhook, &listener, PATIENT).await;
        assert_eq!(answer.unwrap_err(), OutboundError::Protocol, "{count} of {size}");
        assert!(listener.sent() <= SOCKET_BUFFERS, "{count} of {size}: {}", listener.sent());
    }
    let listener = receiver(Script::Headers { count: 50, size: 1000 }).await;
    assert_eq!(ask(Purpose::Webhook, &listener, PATIENT).await.unwrap().headers.len(), 51);
}

#[tokio::test]
async fn tls_that_hangs_breaks_or_is_none_is_told_apart() {
    // The total limit stays far off: a handshake falls under the one for connecting.
    let hasty = TimeLimits { connect: Duration::from_millis(500), ..PATIENT };
    for (script, limits, expected) in [
        (Script::Hang, hasty, OutboundError::Timeout),
        (Script::Close, PATIENT, OutboundError::Tls),
        (Script::ok(b"not TLS"), PATIENT, OutboundError::Tls),
    ] {
        let listener = receiver(script).await;
        let url = format!("https://receiver.example:{}/", listener.port());
        let answer = on_loopback(limits).send(Purpose::Webhook, OutboundRequest::get(url)).await;
        assert_eq!((answer.unwrap_err(), listener.connections()), (expected, 1));
    }
}

#[tokio::test]
async fn broken_answers_are_errors() {
    let cut = b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nshort".to_vec();
    let cut = Script::Raw(cut);
    for script in [Script::Close, Script::Raw(b"SSH-2.0-x\r\n".to_vec()), cut.clone()] {
        let listener = receiver(script).await;
        let answer = ask(Purpose::Feed, &listener, PATIENT).await;
        assert_eq!(answer.unwrap_err(), OutboundError::Protocol);
    }
    let answer = ask(Purpose::Webhook, &receiver(cut).await, PATIENT).await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.truncated), (200, true), "the head is an answer");
    assert_eq!(answer.body, b"short");
}

#[tokio::test]
async fn a_compressed_body_stays_compressed() {
    let bytes =
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n\x1f\x8b\x08\x00";
    let listener = receiver(Script::Raw(bytes.to_vec())).await;
    let answer = ask(Purpose::Feed, &listener, PATIENT).await.unwrap();
    assert_eq!((answer.body.as_slice(), answer.headers.len()), (b"\x1f\x8b\x08\x00".as_slice(), 2));
    assert_eq!(listener.calls()[0].header("accept-encoding"), None);
}

#[tokio::test]
async fn nobody_there_and_no_such_name_are_told_apart() {
    let gone = receiver(Script::Close).await;
    let url = gone.url("/");
    drop(gone);
    tokio::task::yield_now().await;
    let answer = on_loopback(PATIENT).send(Purpose::Webhook, OutboundRequest::get(url)).await;
    assert_eq!(answer.unwrap_err(), OutboundError::Connect);
    let dns = FakeDns::default().with("fails.example", &["fails"]).with("empty.example", &[""]);
    let dns = Arc::new(dns.with("hangs.example", &["hangs"]));
    for (url, limits, expected) in [
        ("https://fails.example/", PATIENT, OutboundError::Dns),
        ("https://empty.example/", PATIENT, OutboundError::Dns),
        ("https://hangs.example/", HASTY, OutboundError::Timeout),
    ] {
        let client = outbound(&dns, "", limits);
        let answer = client.send(Purpose::Webhook, OutboundRequest::get(url)).await;
        assert_eq!(answer.unwrap_err(), expected, "{url}");
        assert_eq!(client.vet(url).await, Err(expected), "{url}");
    }
}

#[tokio::test]
async fn the_system_resolves_names() {
    let found = SystemDns::default().lookup("localhost").await.unwrap();
    assert!(!found.is_empty() && found.iter().all(IpAddr::is_loopback), "{found:?}");
}

/// A tenant may read these: none tells where a name led.
#[tokio::test]
async fn error_texts_name_no_address() {
    let dns = FakeDns::default().with("inside.example", &["127.0.0.2"]);
    let client = outbound(&Arc::new(dns), "127.0.0.1/32", PATIENT);
    let request = OutboundRequest::get("https://inside.example/");
    let error = client.send(Purpose::Webhook, request).await.unwrap_err();
    assert_eq!(error.to_string(), "the URL must resolve to a public address");
    assert_eq!(format!("{error:?}"), "Refused(Address)");
}
