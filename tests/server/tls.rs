//! HTTPS by the program itself.

use std::net::Ipv4Addr;
use std::sync::Arc;

use grantor_testkit::server::{GrantorProcess, Installation, Reply, eventually, exchange, request};
use grantor_testkit::smtp::SelfSigned;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use super::{with_tls, write_identity};

/// An answer by HTTPS; nothing when the server's certificate is not this one.
async fn https(server: &GrantorProcess, trusted: &SelfSigned, headers: &[&str]) -> Option<Reply> {
    grantor_testkit::install_tls_provider();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(trusted.certificate.as_bytes()).unwrap()).unwrap();
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::IpAddress(Ipv4Addr::LOCALHOST.into());
    let connecting =
        TlsConnector::from(Arc::new(config)).connect(name, server.connect().await).await;
    exchange(connecting.ok()?, request("GET /health", headers).as_bytes()).await
}

async fn serving(identity: &SelfSigned) -> (Installation, GrantorProcess) {
    let room = Installation::default();
    let paths = write_identity(room.folder(), identity);
    let room = with_tls(room, &paths);
    let server = room.serve().await;
    (room, server)
}

#[tokio::test]
async fn https_is_answered_and_plain_http_is_not() {
    let identity = SelfSigned::of("127.0.0.1");
    let (_room, server) = serving(&identity).await;
    let reply = https(&server, &identity, &[]).await.unwrap();
    assert_eq!((reply.status, &reply.json()["status"]), (200, &"healthy".into()));
    assert_eq!(reply.header("strict-transport-security"), Some("max-age=31536000"));
    assert!(https(&server, &SelfSigned::of("127.0.0.1"), &[]).await.is_none());
    let plain = exchange(server.connect().await, request("GET /health", &[]).as_bytes()).await;
    assert_eq!(plain, None);
    assert!(https(&server, &identity, &[]).await.is_some(), "the others are served on");
    let line = server.line("API https://127.0.0.1:").await;
    assert!(line.contains(&format!(":{}/health", server.address().port())), "{line}");
}

#[tokio::test]
async fn plain_http_on_loopback_promises_no_https() {
    let server = Installation::default().serve().await;
    assert_eq!(server.get("/health").await.header("strict-transport-security"), None);
}

#[tokio::test]
async fn a_new_certificate_is_used_without_a_restart() {
    let (old, new) = (SelfSigned::of("127.0.0.1"), SelfSigned::of("127.0.0.1"));
    let (room, server) = serving(&old).await;
    assert!(https(&server, &new, &[]).await.is_none());
    // Half of the change is not used: the certificate does not fit the key.
    std::fs::write(room.setting("GRANTOR_TLS_CERT"), &new.certificate).unwrap();
    server.line("the new TLS certificate cannot be used").await;
    assert!(https(&server, &old, &[]).await.is_some());
    write_identity(room.folder(), &new);
    eventually("the new certificate", async || https(&server, &new, &[]).await).await;
    assert!(https(&server, &old, &[]).await.is_none());
}
