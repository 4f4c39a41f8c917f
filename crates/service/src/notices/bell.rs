//! The bell of the console: a person's notices in the tenant they act in, or those of a member of
//! staff. Reading them is not logged.

use grantor_domain::id::{NoticeId, TenantId};
use grantor_domain::notice::Notice;
use grantor_domain::page::{Listing, Page};
use grantor_domain::{Error, Result};
use grantor_storage::notice::bell;
pub use grantor_storage::notice::bell::Inbox;

use crate::App;
use crate::identity::access::{AdminCaller, Caller};

/// How many unread notices are counted on every page.
pub const UNREAD_SHOWN: u32 = 100;
/// How many unread notices are counted in a list.
const UNREAD_COUNTED: u32 = 10_000;

/// A page of notices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeList {
    /// The notices, newest first.
    pub page: Listing<Notice>,
    /// How many are unread, up to 10,000.
    pub unread: u64,
}

impl From<&Caller> for Inbox {
    fn from(caller: &Caller) -> Self {
        Self { person: caller.user.as_uuid(), tenant: Some(caller.tenant) }
    }
}

impl From<&AdminCaller> for Inbox {
    fn from(caller: &AdminCaller) -> Self {
        Self { person: caller.admin.as_uuid(), tenant: None }
    }
}

/// Lists notices.
pub async fn list(app: &App, inbox: Inbox, unread_only: bool, page: Page) -> Result<NoticeList> {
    app.store
        .read(move |tx| {
            let page = bell::list(tx, inbox, unread_only, page)?;
            let unread = bell::count_unread(tx, inbox, UNREAD_COUNTED)?;
            Ok(NoticeList { page, unread })
        })
        .await
}

/// Counts the unread notices, up to [`UNREAD_SHOWN`].
pub async fn unread(app: &App, inbox: Inbox) -> Result<u64> {
    app.store.lookup(move |tx| Ok(bell::count_unread(tx, inbox, UNREAD_SHOWN)?)).await
}

/// Counts a person's unread notices about other tenants, up to [`UNREAD_SHOWN`] each, in the same
/// order.
pub async fn unread_elsewhere(app: &App, inbox: Inbox, tenants: Vec<TenantId>) -> Result<Vec<u64>> {
    app.store
        .read(move |tx| {
            let mut counts = Vec::with_capacity(tenants.len());
            for tenant in &tenants {
                let other = Inbox { tenant: Some(*tenant), ..inbox };
                counts.push(bell::count_unread(tx, other, UNREAD_SHOWN)?);
            }
            Ok(counts)
        })
        .await
}

/// Returns one of the notices.
pub async fn get(app: &App, inbox: Inbox, id: NoticeId) -> Result<Notice> {
    let found: Result<Option<Notice>> =
        app.store.lookup(move |tx| Ok(bell::find(tx, inbox, id)?)).await;
    found?.ok_or_else(|| Error::not_found("Notification"))
}

/// Marks one of the notices as read and returns it.
pub async fn open(app: &App, inbox: Inbox, id: NoticeId) -> Result<Notice> {
    let found = get(app, inbox, id).await?;
    if found.read_at.is_none() {
        mark_read(app, inbox, vec![id]).await?;
    }
    Ok(found)
}

/// Marks some of the notices as read. Others are ignored.
pub async fn mark_read(app: &App, inbox: Inbox, ids: Vec<NoticeId>) -> Result<()> {
    let now = app.clock.now();
    app.store
        .write(move |tx| {
            for id in &ids {
                bell::mark_read(tx, inbox, *id, now)?;
            }
            Ok(())
        })
        .await
}

/// Marks all of the notices as read.
pub async fn mark_all_read(app: &App, inbox: Inbox) -> Result<()> {
    let now = app.clock.now();
    app.store
        .write(move |tx| {
            bell::mark_all_read(tx, inbox, now)?;
            Ok(())
        })
        .await
}

/// Marks a person's notices about a page as read, about all tenants: those that lead to the page
/// itself, and to the thing that the page is a part of. Returns whether there were any. Usually
/// there are none, which takes no write.
pub async fn mark_page_read(app: &App, inbox: Inbox, page: &str) -> Result<bool> {
    let (person, now) = (inbox.person, app.clock.now());
    let (page, thing) = (page.to_owned(), thing_of(page).to_owned());
    let (whole, part) = (page.clone(), thing.clone());
    let found: Result<bool> = app
        .store
        .lookup(move |tx| Ok(bell::has_unread_about(tx, person, [&*whole, &*part])?))
        .await;
    if !found? {
        return Ok(false);
    }
    let marked: Result<u64> = app
        .store
        .write(move |tx| Ok(bell::mark_read_about(tx, person, [&*page, &*thing], now)?))
        .await;
    Ok(marked? > 0)
}

/// The thing that a page is about: `/app/mentions/1` for `/app/mentions/1/case?x`.
fn thing_of(page: &str) -> &str {
    let path = page.split('?').next().unwrap_or(page);
    let end = path.match_indices('/').nth(3).map_or(path.len(), |(at, _)| at);
    &path[..end]
}

#[cfg(test)]
mod tests {
    use super::thing_of;

    #[test]
    fn a_part_of_a_thing_is_about_it() {
        for (page, thing) in [
            ("/app/billing", "/app/billing"),
            ("/app/requests/1", "/app/requests/1"),
            ("/app/requests/1?to=a", "/app/requests/1"),
            ("/app/mentions/1/case/letter", "/app/mentions/1"),
            ("", ""),
        ] {
            assert_eq!(thing_of(page), thing);
        }
    }
}
