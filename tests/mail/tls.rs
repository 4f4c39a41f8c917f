//! Mail over TLS: where it is asked for there is none without it, and none with a stranger.

use std::sync::Arc;

use grantor_domain::mail::RETRY_DELAYS;
use grantor_service::mail::SmtpOptions;
use grantor_testkit::db_test;
use grantor_testkit::smtp::{SelfSigned, SmtpServer};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::{MOMENT, Room, mail};

#[db_test]
async fn required_tls_is_never_done_without(room: Room) {
    let url = room.server.url("?tls=required");
    let trusting =
        SmtpOptions { roots: vec![SelfSigned::of("a.test").certificate], ..<_>::default() };
    let mailers = [SmtpOptions::default(), trusting].map(|terms| room.by_url(&url, &terms));
    room.queue(&mailers[0], mail()).await.unwrap();
    for (strict, attempt) in mailers.iter().zip(1..) {
        assert_eq!(strict.send_due(10).await, Ok(0));
        let reason = "internal client error: STARTTLS is not supported on this server";
        assert_eq!(room.rows().await, [format!("queued|{attempt}|kept|{reason}")]);
        assert_eq!((room.server.greetings(), room.server.attempts()), (attempt, 0));
        room.clock.advance(RETRY_DELAYS[attempt - 1]);
    }
    let lax = room.by_url(&room.server.url("?tls=opportunistic"), &SmtpOptions::default());
    assert_eq!(lax.send_due(10).await, Ok(1));
}

/// Speaks TLS from the first byte, and passes on what was said.
async fn tls_front(server: &SmtpServer, identity: &SelfSigned) -> String {
    let certificate = CertificateDer::from_pem_slice(identity.certificate.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes()).unwrap();
    let config = rustls::ServerConfig::builder().with_no_client_auth();
    let config = config.with_single_cert(vec![certificate], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (url, target) = (format!("smtps://{}", listener.local_addr().unwrap()), server.address());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut near) = acceptor.accept(stream).await else { continue };
            let mut far = TcpStream::connect(target).await.unwrap();
            tokio::spawn(async move { tokio::io::copy_bidirectional(&mut near, &mut far).await });
        }
    });
    url
}

async fn tls_is_checked(room: &Room, server: &SmtpServer, url: &str, identity: &SelfSigned) {
    let stranger = SelfSigned::of("127.0.0.1");
    let trusting =
        |pem: &str| SmtpOptions { roots: vec![pem.to_owned()], ..SmtpOptions::default() };
    let right = room.by_url(url, &trusting(&identity.certificate));
    for terms in [SmtpOptions::default(), trusting(&stranger.certificate)] {
        room.clock.advance(MOMENT);
        room.queue(&right, mail()).await.unwrap();
        assert_eq!(room.by_url(url, &terms).send_due(1).await, Ok(0));
        let reason = room.rows().await.pop().unwrap();
        assert!(
            reason.starts_with("queued|1|kept|") && reason.contains("invalid peer certificate"),
            "{reason}"
        );
    }
    assert_eq!(server.attempts(), 0, "nobody began a mail with a server nobody vouches for");
    let elsewhere = url.replace("127.0.0.1", "localhost");
    room.clock.advance(MOMENT);
    room.queue(&right, mail()).await.unwrap();
    let other_name = room.by_url(&elsewhere, &trusting(&identity.certificate));
    assert_eq!(other_name.send_due(1).await, Ok(0));
    let reason = room.rows().await.pop().unwrap();
    assert!(reason.contains("not valid for name"), "{reason}");
    room.clock.advance(RETRY_DELAYS[0]);
    assert_eq!(right.send_due(10).await, Ok(3));
    assert_eq!((server.attempts(), server.mails().len()), (3, 3));
}

#[db_test]
async fn starttls_needs_a_certificate_that_holds(room: Room) {
    let identity = SelfSigned::of("127.0.0.1");
    let server = SmtpServer::with_starttls(&identity);
    tls_is_checked(&room, &server, &server.url("?tls=required"), &identity).await;
}

#[db_test]
async fn implicit_tls_needs_a_certificate_that_holds(room: Room) {
    let identity = SelfSigned::of("127.0.0.1");
    let url = tls_front(&room.server, &identity).await;
    tls_is_checked(&room, &room.server, &url, &identity).await;
}

#[db_test]
async fn a_wrong_password_costs_no_mail(room: Room) {
    let identity = SelfSigned::of("127.0.0.1");
    let server = SmtpServer::with_login(&identity, "ada@grantor.test", "p:s/ß");
    let by_login = |login: &str| {
        let url = server.url("?tls=required").replace("//", &format!("//{login}@"));
        let roots = vec![identity.certificate.clone()];
        room.by_url(&url, &SmtpOptions { roots, ..SmtpOptions::default() })
    };
    let wrong = by_login("ada%40grantor.test:guess");
    room.queue(&wrong, mail()).await.unwrap();
    assert_eq!(wrong.send_due(10).await, Ok(0));
    assert_eq!(room.rows().await, ["queued|1|kept|the mail server responded with 535"]);
    room.clock.advance(RETRY_DELAYS[0]);
    assert_eq!(by_login("ada%40grantor.test:p%3As%2F%C3%9F").send_due(10).await, Ok(1));
}
