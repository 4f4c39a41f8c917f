//! A real SMTP server of the test's own, on a free loopback port: it keeps what it is given, and
//! refuses what it is told to refuse. With a certificate it offers STARTTLS.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mailin_embedded::{AuthMechanism, Handler, Response, Server, SslConfig, response};
use tempfile::TempDir;

/// Each session holds a thread for as long as the client keeps its connection.
const SESSIONS: u32 = 32;

/// A mail as the server took it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The envelope's sender.
    pub from: String,
    /// The envelope's receivers.
    pub to: Vec<String>,
    /// The whole message, headers and all.
    pub data: String,
}

impl Received {
    /// The value of the first header of this name, unfolded.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<String> {
        let head = self.data.split("\r\n\r\n").next()?.replace("\r\n ", " ");
        let lines = head.split("\r\n").filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, v)| v.to_owned())
    }
}

/// A key pair and a certificate that nobody but itself vouches for.
#[derive(Clone)]
pub struct SelfSigned {
    /// The certificate.
    pub certificate: String,
    /// Its private key.
    pub key: String,
}

impl SelfSigned {
    /// A fresh one for a name or an address.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let pair = rcgen::generate_simple_self_signed([name.to_owned()]);
        let pair = pair.expect("a certificate is made");
        Self { certificate: pair.cert.pem(), key: pair.signing_key.serialize_pem() }
    }
}

/// A running server. It serves until the process ends, which has no way to stop it before.
pub struct SmtpServer {
    address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
    // The server has read them by now; they go with it all the same.
    _files: TempDir,
}

#[derive(Default)]
struct Seen {
    connections: usize,
    attempts: usize,
    refusal: Option<(u16, String)>,
    mails: Vec<Received>,
}

impl SmtpServer {
    /// One that knows nothing of TLS.
    #[must_use]
    pub fn start() -> Self {
        Self::serve(None, None)
    }

    /// One that offers STARTTLS with this certificate. The process must have its TLS provider.
    #[must_use]
    pub fn with_starttls(identity: &SelfSigned) -> Self {
        Self::serve(Some(identity), None)
    }

    /// The same, and only for who knows this name and password.
    #[must_use]
    pub fn with_login(identity: &SelfSigned, name: &str, password: &str) -> Self {
        Self::serve(Some(identity), Some((name, password)))
    }

    fn serve(identity: Option<&SelfSigned>, login: Option<(&str, &str)>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("the port's number");
        let files = tempfile::tempdir().expect("a folder for the certificate");
        let seen = Arc::new(Mutex::new(Seen::default()));
        let mut server = Server::new(Session::new(Arc::clone(&seen), login));
        server.with_name("mail.test").with_num_threads(SESSIONS).with_tcp_listener(listener);
        if login.is_some() {
            server.with_auth(AuthMechanism::Plain);
        }
        let ssl = identity.map_or(SslConfig::None, |identity| ssl(identity, &files));
        assert!(server.with_ssl(ssl).is_ok(), "the certificate is taken");
        std::thread::spawn(move || server.serve().is_ok());
        Self { address, seen, _files: files }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its URL without TLS; what follows is the query.
    #[must_use]
    pub fn url(&self, query: &str) -> String {
        format!("smtp://{}{query}", self.address)
    }

    /// From now on answers every receiver with this code and text.
    pub fn refuse(&self, code: u16, text: &str) {
        lock(&self.seen).refusal = Some((code, text.to_owned()));
    }

    /// Takes mail again.
    pub fn accept(&self) {
        lock(&self.seen).refusal = None;
    }

    /// What it took, in the order of arrival.
    #[must_use]
    pub fn mails(&self) -> Vec<Received> {
        lock(&self.seen).mails.clone()
    }

    /// How often somebody said hello.
    #[must_use]
    pub fn greetings(&self) -> usize {
        lock(&self.seen).connections
    }

    /// How many mails somebody began to hand over, whatever became of them.
    #[must_use]
    pub fn attempts(&self) -> usize {
        lock(&self.seen).attempts
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

fn lock(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One conversation.
#[derive(Clone)]
struct Session {
    seen: Arc<Mutex<Seen>>,
    login: Option<(String, String)>,
    from: String,
    to: Vec<String>,
    data: Vec<u8>,
}

impl Session {
    fn new(seen: Arc<Mutex<Seen>>, login: Option<(&str, &str)>) -> Self {
        let login = login.map(|(name, password)| (name.to_owned(), password.to_owned()));
        Self { seen, login, from: String::new(), to: Vec::new(), data: Vec::new() }
    }
}

impl Handler for Session {
    fn helo(&mut self, _: IpAddr, _: &str) -> Response {
        lock(&self.seen).connections += 1;
        response::OK
    }

    fn mail(&mut self, _: IpAddr, _: &str, from: &str) -> Response {
        lock(&self.seen).attempts += 1;
        from.clone_into(&mut self.from);
        self.to.clear();
        self.data.clear();
        response::OK
    }

    fn rcpt(&mut self, to: &str) -> Response {
        if let Some((code, text)) = lock(&self.seen).refusal.clone() {
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
        lock(&self.seen).mails.push(mail);
        response::OK
    }
}
