//! Sending mail by SMTP to the configured server.

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

/// Reply codes about authentication (RFC 4954 section 6, RFC 3207). They count as transient, so
/// that no mail is lost while the configured password is wrong.
const AUTH_FAILURES: [u16; 4] = [530, 534, 535, 538];

/// An SMTP client with a small connection pool.
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    time_limit: Duration,
    clock: Arc<dyn Clock>,
}

/// Options for the connection to a server.
#[derive(Clone, Debug)]
pub struct SmtpOptions {
    /// Trusted root certificates in PEM, in addition to the system's.
    pub roots: Vec<String>,
    /// The time limit for connecting.
    pub connect_limit: Duration,
    /// The time limit for sending a mail once connected.
    pub time_limit: Duration,
}

impl Default for SmtpOptions {
    fn default() -> Self {
        let (connect_limit, time_limit) = (Duration::from_secs(15), Duration::from_mins(1));
        Self { roots: Vec::new(), connect_limit, time_limit }
    }
}

/// Why an SMTP URL is invalid. The messages don't repeat the URL, which may contain a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSmtpUrl {
    /// It isn't an SMTP URL.
    #[error("must be a URL such as smtps://user:password@mail.example.com")]
    Form,
    /// An IPv6 address, which the client doesn't support.
    #[error("must contain a host name or an IPv4 address; IPv6 addresses are not supported")]
    Ipv6,
    /// Mails would be sent unencrypted.
    #[error(
        "would send mail unencrypted: use smtps://, or add ?tls=required \
         for STARTTLS (plain smtp:// is for a server on this machine)"
    )]
    Plain,
    /// An unsupported `tls` parameter.
    #[error(
        "may only have ?tls=required or ?tls=opportunistic after the host, and only with smtp://"
    )]
    Query,
    /// A user without a password, or a password without a user.
    #[error("must contain both a user and a password, or neither")]
    Credentials,
    /// A trusted root certificate can't be parsed.
    #[error("has a root certificate that is not valid PEM")]
    Root,
}

impl Smtp {
    /// Creates a client for this URL: `smtps://` (implicit TLS), `smtp://…?tls=required`
    /// (STARTTLS), `smtp://…?tls=opportunistic` (STARTTLS if offered), or plain `smtp://` to
    /// localhost. Must be called within an async runtime.
    pub fn new(url: &str, clock: Arc<dyn Clock>) -> Result<Self, InvalidSmtpUrl> {
        Self::with_options(url, &SmtpOptions::default(), clock)
    }

    /// Creates a client with custom options.
    pub fn with_options(
        url: &str,
        options: &SmtpOptions,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, InvalidSmtpUrl> {
        let transport = builder(url, &options.roots)?
            .timeout(Some(options.connect_limit))
            .pool_config(PoolConfig::new().max_size(POOL_SIZE).idle_timeout(IDLE_LIMIT))
            .build();
        Ok(Self { transport, time_limit: options.connect_limit + options.time_limit, clock })
    }

    /// Checks a URL like [`Self::new`], without an async runtime. Awaiting the returned future also
    /// connects to the server and authenticates, within the limit.
    pub fn check(
        url: &str,
        limit: Duration,
    ) -> Result<impl Future<Output = Result<(), SendError>> + use<>, InvalidSmtpUrl> {
        let builder = builder(url, &[])?.timeout(Some(limit));
        Ok(async move {
            // Built here because the pool spawns a task; dropping the transport ends it.
            let transport = builder.build::<Tokio1Executor>();
            match tokio::time::timeout(limit, transport.test_connection()).await {
                Ok(Ok(true)) => Ok(()),
                Ok(Err(error)) => Err(classify(&error)),
                Ok(Ok(false)) => Err(SendError::transient("the mail server closed the connection")),
                Err(_) => Err(SendError::transient("the mail server did not respond in time")),
            }
        })
    }

    async fn deliver(&self, from: &str, mail: &Mail, id: &str) -> Result<(), SendError> {
        let message = message::build(from, mail, id, self.clock.now())?;
        // The client's own timeout covers only the connection.
        match tokio::time::timeout(self.time_limit, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(classify(&error)),
            Err(_) => Err(SendError::transient("the mail server did not respond in time")),
        }
    }
}

impl Transport for Smtp {
    fn send<'a>(&'a self, from: &'a str, mail: &'a Mail, message_id: &'a str) -> Sending<'a> {
        Box::pin(self.deliver(from, mail, message_id))
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
        // The parser accepts a text without any certificate as an empty list.
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

/// Whether the host is this machine. The URL parser treats IPv4 addresses as names in non-web
/// schemes, so they are parsed here.
fn is_local(url: &Url) -> Result<bool, InvalidSmtpUrl> {
    match url.host().ok_or(InvalidSmtpUrl::Form)? {
        Host::Ipv6(_) => Err(InvalidSmtpUrl::Ipv6),
        Host::Ipv4(address) => Ok(address.is_loopback()),
        Host::Domain("") => Err(InvalidSmtpUrl::Form),
        Host::Domain(name) => Ok(name.eq_ignore_ascii_case("localhost")
            || name.parse::<Ipv4Addr>().is_ok_and(|address| IpAddr::V4(address).is_loopback())),
    }
}

/// Describes an error without the server's text, which may quote the mail.
fn classify(error: &SmtpError) -> SendError {
    if let Some(status) = error.status() {
        let code = u16::from(status);
        let detail = error.source().map(ToString::to_string).unwrap_or_default();
        let reason = match enhanced_code(&detail) {
            Some(enhanced) => format!("the mail server responded with {code} {enhanced}"),
            None => format!("the mail server responded with {code}"),
        };
        let permanent = error.is_permanent() && !AUTH_FAILURES.contains(&code);
        let recipient_refused = permanent && refuses_recipient(code, enhanced_code(&detail));
        return SendError { permanent, recipient_refused, reason };
    }
    if error.is_response() {
        return SendError::transient("the mail server sent an invalid response");
    }
    // The remaining errors are local: the network, TLS, or an unsupported server.
    SendError::transient(error.to_string())
}

/// Whether a reply means that the mailbox cannot be reached at all, rather than that this mail is
/// not wanted. The client doesn't tell which command failed, but only recipients are answered so
/// (RFC 5321 section 4.3.2, RFC 3463).
fn refuses_recipient(code: u16, enhanced: Option<&str>) -> bool {
    match enhanced {
        // The sender's own address is 5.1.7 and 5.1.8.
        Some("5.1.7" | "5.1.8") => false,
        Some(enhanced) => enhanced.starts_with("5.1.") || enhanced == "5.2.1",
        None => matches!(code, 550 | 551 | 553),
    }
}

/// Returns the enhanced status code (RFC 3463) at the start of a reply.
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
    fn a_mailbox_that_is_gone_is_told_from_a_mail_that_is_not_wanted() {
        for (code, enhanced) in [(550, None), (551, None), (553, None), (550, Some("5.1.1"))] {
            assert!(refuses_recipient(code, enhanced), "{code} {enhanced:?}");
        }
        assert!(refuses_recipient(550, Some("5.2.1")));
        let unwanted = [
            (554, None),
            (552, None),
            (550, Some("5.7.1")),
            (552, Some("5.2.2")),
            (554, Some("5.6.0")),
            (550, Some("5.1.8")),
        ];
        for (code, enhanced) in unwanted {
            assert!(!refuses_recipient(code, enhanced), "{code} {enhanced:?}");
        }
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
