//! `grantor migrate`.

use grantor_domain::Clock as _;
use grantor_storage::migrate;

use crate::bootstrap;
use crate::config::Config;
use crate::system::SystemClock;

pub(crate) async fn run(config: &Config) -> Result<String, String> {
    let store = bootstrap::open_store(config).await?;
    let applied = migrate::run(&store, SystemClock::new().now()).await;
    let applied = applied.map_err(|error| format!("database_url: {error}"))?;
    let engine = store.engine().name();
    Ok(match applied.as_slice() {
        [] => format!("The {engine} schema is up to date."),
        names => format!("Applied to {engine}: {}.", names.join(", ")),
    })
}
