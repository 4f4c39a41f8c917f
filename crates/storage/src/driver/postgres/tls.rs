//! How a connection to the server is encrypted, and what is verified about the server.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, aws_lc_rs, verify_tls12_signature,
    verify_tls13_signature,
};
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use tokio_postgres_rustls::MakeRustlsConnect;

/// What is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verification {
    /// Connections are not encrypted.
    NoTls,
    /// Nothing: connections are encrypted if the server can, which keeps out only those who listen.
    None,
    /// That the certificate is trusted.
    Chain,
    /// That it is trusted and issued for the host of the URL.
    ChainAndName,
}

/// Which certificates are trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Roots {
    /// Those of the system.
    System,
    /// Those in this PEM file.
    File(PathBuf),
}

/// The certificate by which the server knows us, and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClientFiles {
    pub(super) cert: PathBuf,
    pub(super) key: PathBuf,
}

/// The TLS settings of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tls {
    pub(super) verification: Verification,
    pub(super) roots: Roots,
    pub(super) client: Option<ClientFiles>,
    /// Whether the handshake starts without asking the server first.
    pub(super) direct: bool,
}

impl Tls {
    /// Reads the files, for each connection again, so that renewed certificates need no restart.
    pub(super) fn connector(&self) -> Result<MakeRustlsConnect, String> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .dangerous()
            .with_custom_certificate_verifier(self.verifier(provider)?);
        let mut config = match &self.client {
            None => builder.with_no_client_auth(),
            Some(files) => {
                let (chain, key) = (certificates("sslcert", &files.cert)?, key(&files.key)?);
                builder.with_client_auth_cert(chain, key).map_err(|error| {
                    let (cert, key) = (files.cert.display(), files.key.display());
                    format!("sslcert, sslkey: {cert} and {key} do not fit: {error}")
                })?
            }
        };
        if self.direct {
            config.alpn_protocols = vec![b"postgresql".to_vec()];
        }
        Ok(MakeRustlsConnect::new(config))
    }

    fn verifier(
        &self,
        provider: Arc<CryptoProvider>,
    ) -> Result<Arc<dyn ServerCertVerifier>, String> {
        let algorithms = provider.signature_verification_algorithms;
        let standard = match self.verification {
            Verification::NoTls | Verification::None => None,
            Verification::Chain | Verification::ChainAndName => {
                let built = WebPkiServerVerifier::builder_with_provider(self.roots()?, provider);
                Some(built.build().map_err(|error| format!("trusted certificates: {error}"))?)
            }
        };
        let verifier: Arc<dyn ServerCertVerifier> = match (standard, self.verification) {
            (Some(standard), Verification::ChainAndName) => standard,
            (standard, _) => Arc::new(Lenient { standard, algorithms }),
        };
        Ok(verifier)
    }

    fn roots(&self) -> Result<Arc<RootCertStore>, String> {
        let Roots::File(path) = &self.roots else { return Ok(system_roots()) };
        let mut roots = RootCertStore::empty();
        for certificate in certificates("sslrootcert", path)? {
            roots
                .add(certificate)
                .map_err(|error| format!("sslrootcert: {}: {error}", path.display()))?;
        }
        Ok(Arc::new(roots))
    }
}

/// Loading them takes a while, so that it is done once.
fn system_roots() -> Arc<RootCertStore> {
    static SYSTEM: OnceLock<Arc<RootCertStore>> = OnceLock::new();
    let load = || {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        Arc::new(roots)
    };
    Arc::clone(SYSTEM.get_or_init(load))
}

fn certificates(name: &str, path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let failed = |error: pem::Error| format!("{name}: {}: {error}", path.display());
    let found = CertificateDer::pem_file_iter(path).map_err(failed)?;
    let found: Vec<_> = found.collect::<Result<_, _>>().map_err(failed)?;
    if found.is_empty() {
        return Err(format!("{name}: {} has no certificate", path.display()));
    }
    Ok(found)
}

fn key(path: &Path) -> Result<PrivateKeyDer<'static>, String> {
    PrivateKeyDer::from_pem_file(path)
        .map_err(|error| format!("sslkey: {} is not an unencrypted key: {error}", path.display()))
}

/// Verifies less than the standard verifier: not the name, or without one nothing.
#[derive(Debug)]
struct Lenient {
    standard: Option<Arc<WebPkiServerVerifier>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(standard) = &self.standard else { return Ok(ServerCertVerified::assertion()) };
        // The name is compared last, when everything else is fine.
        match standard.verify_server_cert(
            end_entity,
            intermediates,
            server_name,
            ocsp_response,
            now,
        ) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
