//! The signed status lists, served from memory. A revocation shows at once on the node that made it,
//! and within a second on others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use grantor_domain::{Error, Result, Timestamp};
use grantor_receipt::{StatusList, sign_status_list};
use grantor_storage::{Store, grant};

use super::{list_number, list_url};
use crate::App;

/// How long a list is served without looking for new revocations.
const CHECK_EVERY: Duration = Duration::from_millis(900);
/// How long a signed list is served. A consumer may use it for five minutes after it was signed.
const SIGN_EVERY: Duration = Duration::from_mins(1);

/// The status lists that this node has served.
#[derive(Debug, Default)]
pub struct StatusLists(Mutex<HashMap<u32, Known>>);

#[derive(Clone, Debug)]
struct Known {
    published: Arc<PublishedList>,
    revoked: Vec<u32>,
    checked: Duration,
}

/// A status list as it is served.
#[derive(Debug)]
pub struct PublishedList {
    /// The revocations.
    pub list: StatusList,
    /// The signed form.
    pub jwt: String,
    /// When it was signed.
    pub signed_at: Timestamp,
}

impl StatusLists {
    /// Returns a status list; `None` if it does not exist.
    pub async fn get(&self, app: &App, number: u32) -> Result<Option<Arc<PublishedList>>> {
        let known = self.lock().get(&number).cloned();
        let clock = app.clock.monotonic();
        if let Some(known) = &known
            && clock.saturating_sub(known.checked) < CHECK_EVERY
        {
            return Ok(Some(Arc::clone(&known.published)));
        }
        let Some(revoked) = list_revoked(&app.store, number).await? else { return Ok(None) };
        let published = match known {
            Some(known) if known.revoked == revoked && !is_old(app, &known.published) => {
                known.published
            }
            _ => Arc::new(publish(app, number, &revoked)?),
        };
        let known = Known { published: Arc::clone(&published), revoked, checked: clock };
        self.lock().insert(number, known);
        Ok(Some(published))
    }

    /// Looks for revocations in a list when it is next served.
    pub(crate) fn forget(&self, number: u32) {
        self.lock().remove(&number);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u32, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_old(app: &App, published: &PublishedList) -> bool {
    published.signed_at.plus(SIGN_EVERY) <= app.clock.now()
}

/// The places of the revoked grants in a status list; `None` if it does not exist.
async fn list_revoked(store: &Store, number: u32) -> Result<Option<Vec<u32>>> {
    let found = store.read(move |tx| {
        if !grant::has_status_list(tx, number)? {
            return Ok::<_, Error>(None);
        }
        Ok(Some(grant::list_revoked_entries(tx, number)?))
    });
    found.await
}

/// Returns the status list with this URL as the database has it now, without signing it; `None` if
/// the list does not belong to this installation.
pub async fn stored_list(store: &Store, public_url: &str, url: &str) -> Result<Option<StatusList>> {
    let Some(number) = list_number(public_url, url) else { return Ok(None) };
    let revoked = list_revoked(store, number).await?;
    revoked.map(|it| list_of(&it)).transpose()
}

fn list_of(revoked: &[u32]) -> Result<StatusList> {
    let mut list = StatusList::default();
    for index in revoked {
        let outside = |_| Error::internal(format!("a grant has the status index {index}"));
        list.revoke(*index).map_err(outside)?;
    }
    Ok(list)
}

fn publish(app: &App, number: u32, revoked: &[u32]) -> Result<PublishedList> {
    let list = list_of(revoked)?;
    let now = app.clock.now();
    let key = app.keys.receipt_key(now)?;
    let jwt = sign_status_list(&list, &list_url(&app.public_url, number), &key, now)?;
    Ok(PublishedList { list, jwt, signed_at: now })
}
