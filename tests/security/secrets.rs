//! No secret is at rest where it could be read: not in a column, not in a byte of the database's
//! files, not in the log.

mod debug;
mod flows;
mod traces;

use grantor_domain::secret::find_leaked;
use grantor_testkit::app::TestApp;
use grantor_testkit::{Engine, Fixture, db_test, seed};

use self::flows::{Secrets, every_flow};
use self::traces::{Traces, log_everything, logged};

/// An app in which everything has happened.
struct Lived {
    app: TestApp,
    secrets: Secrets,
}

impl Fixture for Lived {
    async fn on(engine: Engine) -> Self {
        let (app, secrets) = every_flow(engine).await;
        Self { app, secrets }
    }
}

/// What everything that happened logged.
struct Logged {
    log: String,
    secrets: Secrets,
}

impl Fixture for Logged {
    async fn on(engine: Engine) -> Self {
        log_everything();
        let (_, secrets) = every_flow(engine).await;
        Self { log: logged(), secrets }
    }
}

#[db_test]
async fn nothing_secret_is_stored_readable(lived: Lived) {
    let traces = Traces::of(&lived.app).await;
    assert!(lived.secrets.long.len() >= 40, "{}", lived.secrets.long.len());
    assert!(lived.secrets.codes.len() >= 6, "{}", lived.secrets.codes.len());
    for (name, secret) in &lived.secrets.long {
        assert_eq!(traces.place_of(secret), None, "{name} is stored");
    }
    for (name, code) in &lived.secrets.codes {
        assert!(!traces.texts.contains(code), "{name} {code} stands in a text");
    }
    for (place, bytes) in &traces.bytes {
        let found: Vec<_> =
            find_leaked(bytes).into_iter().map(|it| String::from_utf8_lossy(&bytes[it])).collect();
        assert_eq!(found, Vec::<String>::new(), "{place}");
    }
}

/// Runs alone: other tests of the process would log, too.
#[db_test]
async fn nothing_secret_is_logged(Logged { log, secrets }: Logged) {
    assert!(
        log.contains("/auth/token") && log.contains("status=201"),
        "the control: there is a log"
    );
    for (name, secret) in &secrets.long {
        assert!(!log.contains(secret), "{name} is logged");
    }
    for (name, code) in &secrets.codes {
        let alone = |line: &str| line.split(|it: char| !it.is_alphanumeric()).any(|it| it == code);
        assert_eq!(log.lines().find(|it| alone(it)), None, "{name} {code}");
    }
    assert_eq!(find_leaked(&log).len(), 0);
    tracing::trace!(secret = "planted", "the control: whatever is logged is found");
    assert!(logged().contains("secret=\"planted\""));
}

/// What waits to be mailed is sealed: neither code nor link can be read before it is sent.
#[db_test]
async fn a_mail_that_waits_cannot_be_read(lived: Lived) {
    let app = &lived.app;
    let body = serde_json::json!({ "email": "ada@example.com" });
    assert_eq!(crate::external::post(app, "/magic-link", &body).await.status, 202);
    let before = Traces::of(app).await;
    let code = app.mailed_code("ada@example.com").await;
    let token = app.mailed_token("ada@example.com").await;
    assert_eq!(before.place_of(&token), None);
    assert!(!before.texts.contains(&code));
}

/// The control: whatever is planted, as text or as bytes, is found.
#[db_test]
async fn a_planted_secret_would_be_found(lived: Lived) {
    let app = &lived.app;
    let (_, secret) =
        lived.secrets.long.iter().find(|(name, _)| name.contains("secretKey")).unwrap();
    let hex = grantor_domain::hex::encode(secret.as_bytes());
    let bytes = match app.database.store.engine() {
        Engine::Sqlite => format!("X'{hex}'"),
        Engine::Postgres => format!("'\\x{hex}'"),
    };
    let code = &lived.secrets.codes[0].1;
    for plant in [
        format!("UPDATE tenants SET description = 'see {secret}'"),
        format!("UPDATE tenants SET description = '{hex}'"),
        format!("UPDATE challenges SET sealed = {bytes}"),
    ] {
        let clean = Traces::of(app).await.place_of(secret);
        seed::run(&app.database.options, plant.clone()).await;
        let found = Traces::of(app).await.place_of(secret);
        assert!(found.is_some() && clean.is_none() || found != clean, "{plant}");
        let wash = "UPDATE tenants SET description = NULL".to_owned();
        seed::run(&app.database.options, wash).await;
    }
    let plant = format!("UPDATE tenants SET description = 'code {code}'");
    seed::run(&app.database.options, plant).await;
    assert!(Traces::of(app).await.texts.contains(code));
    let leaked =
        Traces::of(app).await.bytes.iter().map(|(_, it)| find_leaked(it).len()).sum::<usize>();
    assert!(leaked > 0);
}
