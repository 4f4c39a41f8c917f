//! Whether this node can do its work.

use std::time::Duration;

use grantor_storage::migrate;

use crate::App;

/// A mail that waits longer than this means that nobody sends.
const QUEUE_TOO_OLD: Duration = Duration::from_mins(5);

/// What was looked at, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readiness {
    /// The database answers.
    pub database: Result<(), String>,
    /// Its schema is the one we know.
    pub migrations: Result<(), String>,
    /// How long the oldest due mail waits.
    pub mail_queue: Result<Duration, String>,
}

impl Readiness {
    /// Whether requests should be sent here. An old queue is a worker's fault, not this node's:
    /// it is shown, and alarms watch it, but it takes no node out of service.
    #[must_use]
    pub fn ready(&self) -> bool {
        self.database.is_ok() && self.migrations.is_ok()
    }

    /// Whether mails wait longer than they should.
    #[must_use]
    pub fn queue_is_old(&self) -> bool {
        self.mail_queue.as_ref().is_ok_and(|age| *age > QUEUE_TOO_OLD)
    }
}

/// Looks at everything this node needs. The texts are for operators and say nothing secret.
pub async fn check(app: &App) -> Readiness {
    let database = app.store.read(|tx| grantor_storage::meta::find(tx, "key_ring")).await;
    let database = database.map(drop).map_err(|error| short(&error));
    let migrations = match migrate::pending(&app.store).await {
        Ok(0) => Ok(()),
        Ok(count) => Err(format!("migrations not applied: {count}")),
        Err(error) => Err(short(&error)),
    };
    let mail_queue = app.mailer.queue_age().await.map_err(|error| error.message().to_owned());
    Readiness { database, migrations, mail_queue }
}

/// The kind of fault without the driver's own words, which may name hosts and accounts.
fn short(error: &grantor_storage::Error) -> String {
    match error {
        grantor_storage::Error::Unavailable(_) => "the database cannot be reached".to_owned(),
        grantor_storage::Error::Migration(text) => text.clone(),
        _ => "the database refuses the question".to_owned(),
    }
}
