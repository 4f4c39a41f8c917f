//! Looking at an address before it is watched.

use std::time::Duration;

use grantor_domain::role::Right;
use grantor_domain::source::Looked;
use grantor_domain::{Error, ErrorKind, Result};
use tokio::time::timeout;

use crate::identity::access::TenantCaller;
use crate::organizations::rights;
use crate::watching::scan::Pace;
use crate::watching::scan::fetcher::{FetchError, Fetcher};
use crate::watching::scan::look::{self, Found};
use crate::{App, Context};

/// How long looking at an address may take: somebody waits for the answer.
const LOOK_TIME: Duration = Duration::from_secs(25);
/// The pause between the few requests of a look. A longer crawl delay of the site is honored.
const LOOK_PACE: Pace = Pace { pause: Duration::from_millis(200) };
/// When to try again if the site or another scan of it took too long.
const RETRY: Duration = Duration::from_secs(30);

/// Reads an address politely and returns what a source there would watch. Nothing is stored.
pub async fn look(app: &App, context: &Context, _: TenantCaller, url: &str) -> Result<Looked> {
    authorize(app, context).await?;
    Ok(read_address(app, url).await?.looked)
}

/// Refuses callers who may not manage sources, before anything is fetched for them.
pub(super) async fn authorize(app: &App, context: &Context) -> Result<()> {
    let actor = context.actor.clone();
    app.store.read(move |tx| rights::limited_to(tx, &actor, Right::ManageSources).map(drop)).await
}

/// Reads an address. What is wrong with it is said about the field `url`.
pub(super) async fn read_address(app: &App, url: &str) -> Result<Found> {
    let mut fetcher = Fetcher::new(app.clone(), app.ids.next(), LOOK_PACE);
    let found = timeout(LOOK_TIME, look::look(&mut fetcher, url)).await;
    fetcher.release_host().await?;
    match found {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(FetchError::Permanent(reason) | FetchError::Temporary(reason))) => {
            Err(Error::field("url", reason))
        }
        Ok(Err(FetchError::Internal(error))) => Err(error),
        Err(_) => {
            let message = "The address could not be read in time; try again later";
            Err(Error::new(ErrorKind::Unavailable { retry_after: RETRY }, message))
        }
    }
}
