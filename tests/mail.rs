//! Mail: queued with a change, sealed until it is sent, sent in a real SMTP conversation.

mod tls;

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::id::{IdGenerator, MailId};
use grantor_domain::mail::{Mail, RETRY_DELAYS};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_keys::Keys;
use grantor_service::mail::{Files, Mailer, SendError, Sending, Smtp, SmtpOptions, Transport};
use grantor_storage::{Changes, StoreUrl};
use grantor_testkit::clock::MockClock;
use grantor_testkit::entropy::SeededEntropy;
use grantor_testkit::smtp::{Received, SmtpServer};
use grantor_testkit::store::{PATIENCE, TestStore};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinSet;

const FROM: &str = "Grantor <no-reply@grantor.test>";
const CODE: &str = "314159";
const LEASE: Duration = Duration::from_mins(2);
const MOMENT: Duration = Duration::from_micros(1);

/// A store, a mail server and what a mailer needs besides.
struct Room {
    test: TestStore,
    server: SmtpServer,
    clock: Arc<MockClock>,
    ids: IdGenerator,
    folder: TempDir,
}

impl Fixture for Room {
    async fn on(engine: Engine) -> Self {
        // A second installation in the same process fails, and that is as good.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let clock = Arc::new(MockClock::default());
        let ids = IdGenerator::new(clock.clone(), Arc::new(SeededEntropy::new(1)));
        let (test, server) = (TestStore::on(engine).await, SmtpServer::start());
        Self { test, server, clock, ids, folder: tempfile::tempdir().unwrap() }
    }
}

impl Room {
    fn mailer(&self, transport: impl Transport) -> Mailer {
        self.mailer_with_keys(transport, "keys")
    }

    fn mailer_with_keys(&self, transport: impl Transport, keys: &str) -> Mailer {
        let (folder, clock) = (self.folder.path().join(keys), self.clock.clone());
        std::fs::create_dir_all(&folder).unwrap();
        let seed = u64::try_from(keys.len()).unwrap();
        let entropy = Arc::new(SeededEntropy::new(seed));
        let keys = Arc::new(Keys::open(&folder, clock.clone(), entropy).unwrap());
        let (store, transport) = (self.test.store.clone(), Arc::new(transport));
        Mailer::new(store, keys, clock, self.ids.clone(), transport, FROM).unwrap()
    }

    fn smtp(&self) -> Mailer {
        self.by_url(&self.server.url(""), &SmtpOptions::default())
    }

    fn by_url(&self, url: &str, terms: &SmtpOptions) -> Mailer {
        self.mailer(Smtp::with_options(url, terms, self.clock.clone()).unwrap())
    }

    async fn queue(&self, mailer: &Mailer, mail: Mail) -> Result<MailId> {
        let mailer = mailer.clone();
        self.test.store.write(move |tx| mailer.enqueue(tx, "magic_link", &mail)).await
    }

    /// Each mail's state, attempts, whether its content is there, and what went wrong last.
    async fn rows(&self) -> Vec<String> {
        let query = "SELECT state, CAST(attempts AS text),
                CASE WHEN sealed IS NULL THEN 'erased' ELSE 'kept' END, coalesce(last_error, '')
             FROM mails ORDER BY mail_id";
        let rows = seed::rows(&self.test.options, query).await;
        rows.into_iter().map(|row| row.join("|")).collect()
    }

    /// All bytes that the store keeps of its mails.
    async fn kept(&self) -> Vec<u8> {
        let StoreUrl::Sqlite(path) = &self.test.options.url else {
            let query = "SELECT kind, encode(sealed, 'escape') FROM mails";
            return seed::rows(&self.test.options, query).await.concat().concat().into_bytes();
        };
        let files = std::fs::read_dir(path.parent().unwrap()).unwrap();
        files.flat_map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect()
    }
}

fn mail() -> Mail {
    Mail {
        to: "ada@example.com".to_owned(),
        subject: "Your code — für Ada 🎬".to_owned(),
        text: format!("Grüße,\nyour code is {CODE}.\n"),
        html: Some(format!("<p>your code is <b>{CODE}</b></p>")),
        unsubscribe: None,
        reply_to: None,
    }
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[db_test]
async fn a_queued_mail_is_delivered(room: Room) {
    let mailer = room.smtp();
    let id = room.queue(&mailer, mail()).await.unwrap();
    assert_eq!(mailer.send_due(10).await, Ok(1));
    let data = format!(
        "From: Grantor <no-reply@grantor.test>\r\n\
         To: ada@example.com\r\n\
         Subject: Your code =?utf-8?b?4oCUIGbDvHI=?= Ada =?utf-8?b?8J+OrA==?=\r\n\
         Date: Thu, 01 Jan 2026 00:00:00 +0000\r\n\
         Message-ID: <{id}@grantor.test>\r\n\
         Auto-Submitted: auto-generated\r\n\
         MIME-Version: 1.0\r\n\
         Content-Type: multipart/alternative;\r\n \
         boundary=\"part-{id}\"\r\n\
         \r\n\
         --part-{id}\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\
         Content-Transfer-Encoding: quoted-printable\r\n\
         \r\n\
         Gr=C3=BC=C3=9Fe,\r\n\
         your code is 314159.\r\n\
         \r\n\
         --part-{id}\r\n\
         Content-Type: text/html; charset=utf-8\r\n\
         Content-Transfer-Encoding: 7bit\r\n\
         \r\n\
         <p>your code is <b>314159</b></p>\r\n\
         --part-{id}--\r\n\
         \r\n"
    );
    let (from, to) = ("no-reply@grantor.test".to_owned(), vec!["ada@example.com".to_owned()]);
    assert_eq!(room.server.mails(), [Received { from, to, data }]);
    assert_eq!(mailer.send_due(10).await, Ok(0), "once is enough");
}

#[db_test]
async fn a_change_that_does_not_happen_tells_nobody(room: Room) {
    let mailer = room.smtp();
    for (fails, sent) in [(true, 0), (false, 1)] {
        let in_unit = mailer.clone();
        let unit = room.test.store.write(move |tx| {
            in_unit.enqueue(tx, "magic_link", &mail())?;
            if fails { Err(Error::conflict("no")) } else { Ok(()) }
        });
        assert_eq!(unit.await.is_err(), fails);
        assert_eq!(mailer.send_due(10).await, Ok(sent));
    }
    assert_eq!(room.server.attempts(), 1);
}

#[db_test]
async fn content_is_sealed_until_sent_and_then_gone(room: Room) {
    let mailer = room.smtp();
    room.queue(&mailer, mail()).await.unwrap();
    let kept = room.kept().await;
    assert!(holds(&kept, "magic_link"), "the search finds what is there");
    for secret in [CODE, "ada@example.com", "Your code", "your code"] {
        assert!(!holds(&kept, secret), "{secret}");
    }
    assert_eq!(room.rows().await, ["queued|0|kept|"]);
    assert_eq!(mailer.send_due(10).await, Ok(1));
    assert_eq!(room.rows().await, ["sent|1|erased|"]);
}

#[db_test]
async fn a_mail_refused_for_now_is_tried_again_on_schedule(room: Room) {
    let mailer = room.smtp();
    room.queue(&mailer, mail()).await.unwrap();
    room.server.refuse(451, "4.3.0 later: your code is 314159");
    for (index, delay) in RETRY_DELAYS.into_iter().enumerate() {
        assert_eq!(mailer.send_due(10).await, Ok(0));
        let row = format!("queued|{}|kept|the mail server responded with 451 4.3.0", index + 1);
        assert_eq!(room.rows().await, [row]);
        room.clock.advance(delay.saturating_sub(MOMENT));
        assert_eq!(mailer.send_due(10).await, Ok(0));
        assert_eq!(room.server.attempts(), index + 1, "too early");
        room.clock.advance(MOMENT);
    }
    assert_eq!(mailer.send_due(10).await, Ok(0));
    assert_eq!(room.rows().await, ["failed|8|erased|the mail server responded with 451 4.3.0"]);
}

#[db_test]
async fn a_mail_refused_for_good_is_given_up(room: Room) {
    let mailer = room.smtp();
    room.queue(&mailer, mail()).await.unwrap();
    // A refusal of the sender and not of the mail: the operator can mend that.
    room.server.refuse(530, "5.7.0 authentication required");
    assert_eq!(mailer.send_due(10).await, Ok(0));
    assert_eq!(room.rows().await, ["queued|1|kept|the mail server responded with 530 5.7.0"]);
    room.clock.advance(RETRY_DELAYS[0]);
    room.server.refuse(550, "no such mailbox");
    assert_eq!(mailer.send_due(10).await, Ok(0));
    assert_eq!(room.rows().await, ["failed|2|erased|the mail server responded with 550"]);
    room.clock.advance(Duration::from_hours(7 * 24));
    room.server.accept();
    assert_eq!(mailer.send_due(10).await, Ok(0));
    assert_eq!(room.server.attempts(), 2);
}

#[db_test]
async fn an_address_is_refused_until_it_takes_mail(room: Room) {
    let mailer = room.smtp();
    let query = "SELECT address, reason FROM refused_addresses";
    let refused = async || seed::rows(&room.test.options, query).await;
    for (code, text, kept) in [
        (451, "4.2.1 later", 0),
        (550, "5.7.1 this mail is not wanted", 0),
        (554, "nor this one", 0),
        (550, "5.1.1 no such user", 1),
    ] {
        room.queue(&mailer, mail()).await.unwrap();
        room.server.refuse(code, text);
        assert_eq!(mailer.send_due(10).await, Ok(0));
        assert_eq!(refused().await.len(), kept, "{code} {text}");
    }
    let reason = "the mail server responded with 550 5.1.1";
    assert_eq!(refused().await, [["ada@example.com", reason]]);
    room.server.accept();
    room.queue(&mailer, mail()).await.unwrap();
    assert_eq!(mailer.send_due(10).await, Ok(1));
    assert_eq!(refused().await.len(), 0, "codes still go there, and one arrived");
}

#[db_test]
async fn two_mailers_never_send_one_mail_twice(room: Room) {
    let mailers = [room.smtp(), room.smtp()];
    let mut ids = BTreeSet::new();
    for index in 0..40 {
        ids.insert(room.queue(&mailers[index % 2], mail()).await.unwrap().to_string());
    }
    let mut tasks = JoinSet::new();
    for mailer in mailers {
        tasks.spawn(async move { mailer.send_due(100).await.unwrap() });
    }
    assert_eq!(tasks.join_all().await.into_iter().sum::<usize>(), 40);
    let sent = room.server.mails();
    let names = sent.iter().map(|mail| mail.header("message-id").unwrap());
    let names = names.map(|name| name[1..37].to_owned()).collect::<BTreeSet<_>>();
    assert_eq!((sent.len(), names), (40, ids));
}

/// Takes a mail and never says what became of it.
struct Stuck(Arc<Notify>);

impl Transport for Stuck {
    fn send<'a>(&'a self, _: &'a str, _: &'a Mail, _: &'a str) -> Sending<'a> {
        self.0.notify_one();
        Box::pin(std::future::pending::<Result<(), SendError>>())
    }
}

#[db_test]
async fn a_crash_after_the_claim_loses_nothing(room: Room) {
    let started = Arc::new(Notify::new());
    let crashing = room.mailer(Stuck(started.clone()));
    room.queue(&crashing, mail()).await.unwrap();
    let sending = tokio::spawn(async move { crashing.send_due(10).await });
    tokio::time::timeout(PATIENCE, started.notified()).await.unwrap();
    sending.abort();
    assert!(sending.await.unwrap_err().is_cancelled());

    let mailer = room.smtp();
    room.clock.advance(LEASE.saturating_sub(MOMENT));
    assert_eq!(mailer.send_due(10).await, Ok(0), "it still belongs to the other");
    room.clock.advance(MOMENT);
    assert_eq!(mailer.send_due(10).await, Ok(1));
    assert_eq!(room.rows().await, ["sent|2|erased|"]);
}

#[db_test]
async fn mails_can_be_files(room: Room) {
    let folder = room.folder.path().join("mail");
    let mailer = room.mailer(Files::new(&folder, room.clock.clone()));
    let mut names = Vec::new();
    for time in ["20260101T000000.000000Z", "20260101T000005.000000Z"] {
        let id = room.queue(&mailer, Mail { html: None, ..mail() }).await.unwrap();
        assert_eq!(mailer.send_due(10).await, Ok(1));
        names.push(format!("{time}-{id}.eml"));
        room.clock.advance(Duration::from_secs(5));
    }
    let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name());
    let files = files.map(|name| name.into_string().unwrap()).collect::<BTreeSet<_>>();
    assert_eq!(files.into_iter().collect::<Vec<_>>(), names);
    let path = folder.join(&names[1]);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("\r\nDate: Thu, 01 Jan 2026 00:00:05 +0000\r\n"), "{text}");
    assert!(text.ends_with("\r\n\r\nGr=C3=BC=C3=9Fe,\r\nyour code is 314159.\r\n\r\n"), "{text}");
    assert_eq!(room.rows().await, ["sent|1|erased|"; 2]);
}

#[db_test]
async fn headers_cannot_be_injected(room: Room) {
    let mailer = room.smtp();
    let bad = "x\r\nBcc: eve@example.com".to_owned();
    for refused in [Mail { subject: bad.clone(), ..mail() }, Mail { to: bad, ..mail() }] {
        let error = room.queue(&mailer, refused).await.unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Validation);
    }
    assert_eq!(mailer.send_due(10).await, Ok(0));
    room.queue(&mailer, Mail { subject: "Bcc: eve@example.com".to_owned(), ..mail() })
        .await
        .unwrap();
    assert_eq!(mailer.send_due(10).await, Ok(1));
    assert_eq!(room.server.mails()[0].to, ["ada@example.com"]);
}

#[db_test]
async fn a_silent_server_is_left_in_time(room: Room) {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", silent.local_addr().unwrap());
    let time_limit = Duration::from_millis(50);
    let terms = SmtpOptions { connect_limit: time_limit, time_limit, roots: Vec::new() };
    let mailer = room.by_url(&url, &terms);
    room.queue(&mailer, mail()).await.unwrap();
    assert_eq!(mailer.send_due(10).await, Ok(0));
    assert_eq!(room.rows().await, ["queued|1|kept|the mail server did not respond in time"]);
}

#[db_test]
async fn the_wrong_key_ring_erases_nothing(room: Room) {
    let (right, smtp) = (room.smtp(), Smtp::new(&room.server.url(""), room.clock.clone()).unwrap());
    let wrong = room.mailer_with_keys(smtp, "other keys");
    room.queue(&right, mail()).await.unwrap();
    assert_eq!(wrong.send_due(10).await, Ok(0));
    assert_eq!(room.rows().await, ["queued|1|kept|the key ring cannot decrypt the mail"]);
    room.clock.advance(RETRY_DELAYS[0]);
    assert_eq!(right.send_due(10).await, Ok(1));
}

#[db_test]
async fn the_queue_tells_its_age_and_wakes_its_sender(room: Room) {
    let mailer = room.smtp();
    assert_eq!(mailer.queue_age().await, Ok(Duration::ZERO));
    room.queue(&mailer, mail()).await.unwrap();
    room.clock.advance(Duration::from_secs(90));
    assert_eq!(mailer.queue_age().await, Ok(Duration::from_secs(90)));
    mailer.after_commit(&Changes::all());
    tokio::time::timeout(PATIENCE, mailer.wait_for_mail()).await.expect("it was woken before");
    assert_eq!(mailer.send_due(10).await, Ok(1));
    assert_eq!(mailer.queue_age().await, Ok(Duration::ZERO));
}
