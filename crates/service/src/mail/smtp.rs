//! Mail by SMTP, to the one server the operator named.

use std::error::Error as _;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::Clock;
use grantor_domain::mail::Mail;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::{AsyncSmtpTransportBuilder, Error as SmtpError, PoolConfig};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use url::{Host, Url};

use super::{SendError, Sending, Transport, message};

const POOL_SIZE: u32 = 4;
const IDLE_LIMIT: Duration = Duration::from_secs(30);

/// Answers that refuse us, not the mail: RFC 4954 section 6 and RFC 3207. A password that is wrong
/// for an hour must not cost the mails of that hour.
const REFUSES_US: [u16; 4] = [530, 534, 535, 538];

/// Sends to one SMTP server over a few connections that it keeps for a while.
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    time_limit: Duration,
    clock: Arc<dyn Clock>,
}

/// What to hold a server to.
#[derive(Clone, Debug)]
pub struct SmtpTerms {
    /// Certificates in PEM that may vouch for the server, besides the system's.
    pub roots: Vec<String>,
    /// Until the connection stands.
    pub connect_limit: Duration,
    /// From there to the server's word that it has the mail.
    pub time_limit: Duration,
}

impl Default for SmtpTerms {
    fn default() -> Self {
        let (connect_limit, time_limit) = (Duration::from_secs(15), Duration::from_mins(1));
        Self { roots: Vec::new(), connect_limit, time_limit }
    }
}

/// What is wrong with an SMTP URL. None of it repeats the URL, which may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSmtpUrl {
    /// It does not read as one.
    #[error("must be a URL such as smtps://user:password@mail.example.com")]
    Form,
    /// A literal that the client cannot connect to.
    #[error("must name its host: an IPv6 address is not understood here")]
    Ipv6,
    /// Codes would travel readable.
    #[error(
        "would send mail readable to anybody on the way: use smtps://, or add ?tls=required \
         for STARTTLS (plain smtp:// is for a server on this machine)"
    )]
    Plain,
    /// Something other than required and opportunistic, or TLS twice.
    #[error(
        "must say ?tls=required or ?tls=opportunistic, with smtp://, or nothing after the host"
    )]
    Query,
    /// A name without its password, or a password without a name.
    #[error("must give a user and a password, or neither")]
    Credentials,
    /// A trusted certificate does not read.
    #[error("goes with a certificate that cannot be read as PEM")]
    Root,
}

impl Smtp {
    /// A client for this URL: `smtps://` (TLS from the first byte), `smtp://…?tls=required`
    /// (STARTTLS or nothing), `smtp://…?tls=opportunistic` (STARTTLS where offered), or plain
    /// `smtp://` to this machine. Needs a running async runtime.
    pub fn new(url: &str, clock: Arc<dyn Clock>) -> Result<Self, InvalidSmtpUrl> {
        Self::with_terms(url, &SmtpTerms::default(), clock)
    }

    /// The same on terms of one's own.
    pub fn with_terms(
        url: &str,
        terms: &SmtpTerms,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, InvalidSmtpUrl> {
        let transport = builder(url, &terms.roots)?
            .timeout(Some(terms.connect_limit))
            .pool_config(PoolConfig::new().max_size(POOL_SIZE).idle_timeout(IDLE_LIMIT))
            .build();
        Ok(Self { transport, time_limit: terms.connect_limit + terms.time_limit, clock })
    }

    /// Checks a URL as [`Self::new`] does, but needs no async runtime. Awaiting what it gives goes
    /// on to the server: connects, signs in, and waits no longer than the limit.
    pub fn check(
        url: &str,
        limit: Duration,
    ) -> Result<impl Future<Output = Result<(), SendError>> + use<>, InvalidSmtpUrl> {
        let builder = builder(url, &[])?.timeout(Some(limit));
        Ok(async move {
            // Built here, since the pool starts a task; kept until the end, since it ends it.
            let transport = builder.build::<Tokio1Executor>();
            match tokio::time::timeout(limit, transport.test_connection()).await {
                Ok(Ok(true)) => Ok(()),
                Ok(Err(error)) => Err(classify(&error)),
                Ok(Ok(false)) => Err(SendError::transient("the mail server hung up")),
                Err(_) => Err(SendError::transient("the mail server did not answer in time")),
            }
        })
    }

    async fn converse(&self, from: &str, mail: &Mail, id: &str) -> Result<(), SendError> {
        let message = message::build(from, mail, id, self.clock.now())?;
        // The client's own limit covers nothing after the connection.
        match tokio::time::timeout(self.time_limit, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(classify(&error)),
            Err(_) => Err(SendError::transient("the mail server did not answer in time")),
        }
    }
}

impl Transport for Smtp {
    fn send<'a>(&'a self, from: &'a str, mail: &'a Mail, message_id: &'a str) -> Sending<'a> {
        Box::pin(self.converse(from, mail, message_id))
    }
}

fn builder(text: &str, roots: &[String]) -> Result<AsyncSmtpTransportBuilder, InvalidSmtpUrl> {
    let url = Url::parse(text).map_err(|_| InvalidSmtpUrl::Form)?;
    let security = Security::of(&url)?;
    if url.username().is_empty() != url.password().is_none() {
        return Err(InvalidSmtpUrl::Credentials);
    }
    let host = url.host_str().ok_or(InvalidSmtpUrl::Form)?.to_owned();
    let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(text);
    let builder = builder.map_err(|_| InvalidSmtpUrl::Form)?;
    if roots.is_empty() {
        return Ok(builder);
    }
    let mut parameters = TlsParameters::builder(host);
    for root in roots {
        // A text without any certificate would be read as none, and not be told of.
        if !root.contains("-----BEGIN CERTIFICATE-----") {
            return Err(InvalidSmtpUrl::Root);
        }
        let root = Certificate::from_pem(root.as_bytes()).map_err(|_| InvalidSmtpUrl::Root)?;
        parameters = parameters.add_root_certificate(root);
    }
    let parameters = parameters.build().map_err(|_| InvalidSmtpUrl::Root)?;
    Ok(match security {
        Security::Plain => builder,
        Security::Opportunistic => builder.tls(Tls::Opportunistic(parameters)),
        Security::Required => builder.tls(Tls::Required(parameters)),
        Security::Implicit => builder.tls(Tls::Wrapper(parameters)),
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Security {
    Plain,
    Opportunistic,
    Required,
    Implicit,
}

impl Security {
    fn of(url: &Url) -> Result<Self, InvalidSmtpUrl> {
        let local = is_local(url)?;
        match (url.scheme(), url.query()) {
            ("smtps", None) => Ok(Self::Implicit),
            ("smtp", Some("tls=required")) => Ok(Self::Required),
            ("smtp", Some("tls=opportunistic")) => Ok(Self::Opportunistic),
            ("smtp", None) if local => Ok(Self::Plain),
            ("smtp", None) => Err(InvalidSmtpUrl::Plain),
            ("smtp" | "smtps", Some(_)) => Err(InvalidSmtpUrl::Query),
            _ => Err(InvalidSmtpUrl::Form),
        }
    }
}

/// Whether the host is this machine. Outside of the web's schemes an address is but a name to
/// the URL's reader, so it is read here.
fn is_local(url: &Url) -> Result<bool, InvalidSmtpUrl> {
    match url.host().ok_or(InvalidSmtpUrl::Form)? {
        Host::Ipv6(_) => Err(InvalidSmtpUrl::Ipv6),
        Host::Ipv4(address) => Ok(address.is_loopback()),
        Host::Domain("") => Err(InvalidSmtpUrl::Form),
        Host::Domain(name) => Ok(name.eq_ignore_ascii_case("localhost")
            || name.parse::<Ipv4Addr>().is_ok_and(|address| IpAddr::V4(address).is_loopback())),
    }
}

/// Puts a fault in words of our own: a server's text may quote the mail.
fn classify(error: &SmtpError) -> SendError {
    if let Some(status) = error.status() {
        let code = u16::from(status);
        let detail = error.source().map(ToString::to_string).unwrap_or_default();
        let reason = match enhanced_code(&detail) {
            Some(enhanced) => format!("the mail server answered {code} {enhanced}"),
            None => format!("the mail server answered {code}"),
        };
        let permanent = error.is_permanent() && !REFUSES_US.contains(&code);
        return SendError { permanent, reason };
    }
    if error.is_response() {
        return SendError::transient("the mail server's answer makes no sense");
    }
    // What is left arose on this side: the network, TLS, or what the server does not offer.
    SendError::transient(error.to_string())
}

/// The code of RFC 3463 that a text begins with: numbers, nothing that could be part of a mail.
fn enhanced_code(text: &str) -> Option<&str> {
    let word = text.split_whitespace().next()?;
    let mut parts = word.split('.');
    let (class, rest) = (parts.next()?, [parts.next()?, parts.next()?]);
    let fits =
        |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    (matches!(class, "4" | "5") && rest.into_iter().all(fits) && parts.next().is_none())
        .then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn security(text: &str) -> Result<Security, InvalidSmtpUrl> {
        Security::of(&Url::parse(text).unwrap())
    }

    #[test]
    fn plain_text_stays_on_this_machine() {
        for local in ["smtp://localhost", "smtp://127.0.0.1:2525", "smtp://u:p@127.8.9.1:25"] {
            assert_eq!(security(local), Ok(Security::Plain), "{local}");
        }
        for far in ["smtp://mail.example.com", "smtp://10.0.0.1:25", "smtp://localhost.example.com"]
        {
            assert_eq!(security(far), Err(InvalidSmtpUrl::Plain), "{far}");
        }
        assert_eq!(security("smtp://m.example.com?tls=required"), Ok(Security::Required));
        assert_eq!(security("smtp://m.example.com?tls=opportunistic"), Ok(Security::Opportunistic));
        assert_eq!(security("smtps://m.example.com"), Ok(Security::Implicit));
    }

    #[test]
    fn a_bad_url_is_told_in_a_sentence() {
        for (text, error) in [
            ("mail.example.com", InvalidSmtpUrl::Form),
            ("http://mail.example.com", InvalidSmtpUrl::Form),
            ("smtp:mail", InvalidSmtpUrl::Form),
            ("smtps://[::1]", InvalidSmtpUrl::Ipv6),
            ("smtp://mail.example.com?tls=none", InvalidSmtpUrl::Query),
            ("smtps://mail.example.com?tls=opportunistic", InvalidSmtpUrl::Query),
            ("smtps://user@mail.example.com", InvalidSmtpUrl::Credentials),
            ("smtp://user:pass@mail.example.com", InvalidSmtpUrl::Plain),
        ] {
            assert_eq!(builder(text, &[]).err(), Some(error), "{text}");
        }
        assert!(builder("smtps://us%40er:p%3Ass@mail.example.com:465", &[]).is_ok());
        let broken = builder("smtps://mail.example.com", &["no certificate".to_owned()]);
        assert_eq!(broken.err(), Some(InvalidSmtpUrl::Root));
    }

    #[test]
    fn only_a_code_is_taken_from_a_servers_text() {
        assert_eq!(enhanced_code("5.1.1 no such user"), Some("5.1.1"));
        assert_eq!(enhanced_code("4.7.999"), Some("4.7.999"));
        for text in ["", "123456", "5.1", "5.1.1.1", "5.123456.1", "2.0.0 ok", "blocked: 5.1.1"] {
            assert_eq!(enhanced_code(text), None, "{text}");
        }
    }
}
