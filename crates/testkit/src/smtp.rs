//! A real SMTP server of one test on a free loopback port. It records mails and rejects what a test
//! tells it to reject. With a certificate it offers STARTTLS.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mailin_embedded::{AuthMechanism, Handler, Response, Server, SslConfig, response};
use tempfile::TempDir;

/// Each session blocks a thread for as long as the client keeps its connection.
const SESSIONS: u32 = 32;

/// A received mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The envelope's sender.
    pub from: String,
    /// The envelope's recipients.
    pub to: Vec<String>,
    /// The whole message including headers.
    pub data: String,
}

impl Received {
    /// The value of the first header with this name, unfolded.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<String> {
        let head = self.data.split("\r\n\r\n").next()?.replace("\r\n ", " ");
        let lines = head.split("\r\n").filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, v)| v.to_owned())
    }
}

/// A self-signed certificate and its key.
#[derive(Clone)]
pub struct SelfSigned {
    /// The certificate.
    pub certificate: String,
    /// Its private key.
    pub key: String,
}

impl SelfSigned {
    /// Creates one for a name or an address.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let pair = rcgen::generate_simple_self_signed([name.to_owned()]);
        let pair = pair.expect("a certificate is made");
        Self { certificate: pair.cert.pem(), key: pair.signing_key.serialize_pem() }
    }
}

/// A running server. It runs until the process ends, because it cannot be stopped.
pub struct SmtpServer {
    address: SocketAddr,
    record: Arc<Mutex<Record>>,
    // The server has read them already; they are deleted with it.
    _files: TempDir,
}

#[derive(Default)]
struct Record {
    connections: usize,
    attempts: usize,
    refusal: Option<(u16, String)>,
    mails: Vec<Received>,
}

impl SmtpServer {
    /// Starts a server without TLS.
    #[must_use]
    pub fn start() -> Self {
        Self::serve(None, None)
    }

    /// Starts a server that offers STARTTLS with this certificate. The TLS provider must be
    /// installed.
    #[must_use]
    pub fn with_starttls(identity: &SelfSigned) -> Self {
        Self::serve(Some(identity), None)
    }

    /// Like [`Self::with_starttls`], and requires this name and password.
    #[must_use]
    pub fn with_login(identity: &SelfSigned, name: &str, password: &str) -> Self {
        Self::serve(Some(identity), Some((name, password)))
    }

    fn serve(identity: Option<&SelfSigned>, login: Option<(&str, &str)>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("the port's number");
        let files = tempfile::tempdir().expect("a folder for the certificate");
        let record = Arc::new(Mutex::new(Record::default()));
        let mut server = Server::new(Session::new(Arc::clone(&record), login));
        server.with_name("mail.test").with_num_threads(SESSIONS).with_tcp_listener(listener);
        if login.is_some() {
            server.with_auth(AuthMechanism::Plain);
        }
        let ssl = identity.map_or(SslConfig::None, |identity| ssl(identity, &files));
        assert!(server.with_ssl(ssl).is_ok(), "the certificate is taken");
        std::thread::spawn(move || server.serve().is_ok());
        Self { address, record, _files: files }
    }

    /// The server's address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL without TLS, followed by the query.
    #[must_use]
    pub fn url(&self, query: &str) -> String {
        format!("smtp://{}{query}", self.address)
    }

    /// Answers every further recipient with this code and text.
    pub fn refuse(&self, code: u16, text: &str) {
        lock(&self.record).refusal = Some((code, text.to_owned()));
    }

    /// Accepts mail again.
    pub fn accept(&self) {
        lock(&self.record).refusal = None;
    }

    /// The received mails, in the order of arrival.
    #[must_use]
    pub fn mails(&self) -> Vec<Received> {
        lock(&self.record).mails.clone()
    }

    /// Number of HELO or EHLO commands.
    #[must_use]
    pub fn greetings(&self) -> usize {
        lock(&self.record).connections
    }

    /// Number of mails that clients started to send, successful or not.
    #[must_use]
    pub fn attempts(&self) -> usize {
        lock(&self.record).attempts
    }
}

fn ssl(identity: &SelfSigned, files: &TempDir) -> SslConfig {
    let write = |name: &str, text: &str| {
        let path = files.path().join(name);
        std::fs::write(&path, text).expect("the certificate is written");
        path.to_string_lossy().into_owned()
    };
    let cert_path = write("certificate.pem", &identity.certificate);
    SslConfig::SelfSigned { cert_path, key_path: write("key.pem", &identity.key) }
}

fn lock(record: &Mutex<Record>) -> MutexGuard<'_, Record> {
    record.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One SMTP session.
#[derive(Clone)]
struct Session {
    record: Arc<Mutex<Record>>,
    login: Option<(String, String)>,
    from: String,
    to: Vec<String>,
    data: Vec<u8>,
}

impl Session {
    fn new(record: Arc<Mutex<Record>>, login: Option<(&str, &str)>) -> Self {
        let login = login.map(|(name, password)| (name.to_owned(), password.to_owned()));
        Self { record, login, from: String::new(), to: Vec::new(), data: Vec::new() }
    }
}

impl Handler for Session {
    fn helo(&mut self, _: IpAddr, _: &str) -> Response {
        lock(&self.record).connections += 1;
        response::OK
    }

    fn mail(&mut self, _: IpAddr, _: &str, from: &str) -> Response {
        lock(&self.record).attempts += 1;
        from.clone_into(&mut self.from);
        self.to.clear();
        self.data.clear();
        response::OK
    }

    fn rcpt(&mut self, to: &str) -> Response {
        if let Some((code, text)) = lock(&self.record).refusal.clone() {
            return Response::custom(code, text);
        }
        self.to.push(to.to_owned());
        response::OK
    }

    fn data(&mut self, line: &[u8]) -> io::Result<()> {
        self.data.extend_from_slice(line);
        Ok(())
    }

    fn auth_plain(&mut self, _: &str, name: &str, password: &str) -> Response {
        match &self.login {
            Some(known) if (known.0.as_str(), known.1.as_str()) == (name, password) => {
                response::AUTH_OK
            }
            _ => response::INVALID_CREDENTIALS,
        }
    }

    fn data_end(&mut self) -> Response {
        let data = String::from_utf8_lossy(&self.data).into_owned();
        let mail = Received { from: self.from.clone(), to: self.to.clone(), data };
        lock(&self.record).mails.push(mail);
        response::OK
    }
}
