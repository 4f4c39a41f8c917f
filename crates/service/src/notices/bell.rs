//! The bell of the console: a person's notices in the tenant they act in. Reading them is not
//! logged.

use grantor_domain::id::NoticeId;
use grantor_domain::notice::Notice;
use grantor_domain::page::{Listing, Page};
use grantor_domain::{Error, Result};
use grantor_storage::notice;

use crate::App;
use crate::identity::access::Caller;

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

/// Lists the caller's notices.
pub async fn list(app: &App, caller: &Caller, unread_only: bool, page: Page) -> Result<NoticeList> {
    let (person, tenant) = (caller.user.as_uuid(), caller.tenant);
    app.store
        .read(move |tx| {
            let page = notice::list(tx, person, tenant, unread_only, page)?;
            let unread = notice::count_unread(tx, person, tenant, UNREAD_COUNTED)?;
            Ok(NoticeList { page, unread })
        })
        .await
}

/// Counts the caller's unread notices, up to [`UNREAD_SHOWN`].
pub async fn unread(app: &App, caller: &Caller) -> Result<u64> {
    let (person, tenant) = (caller.user.as_uuid(), caller.tenant);
    app.store.lookup(move |tx| Ok(notice::count_unread(tx, person, tenant, UNREAD_SHOWN)?)).await
}

/// Marks one of the caller's notices as read and returns it.
pub async fn open(app: &App, caller: &Caller, id: NoticeId) -> Result<Notice> {
    let (person, tenant) = (caller.user.as_uuid(), caller.tenant);
    let found: Result<Option<Notice>> =
        app.store.lookup(move |tx| Ok(notice::find(tx, person, tenant, id)?)).await;
    let found = found?.ok_or_else(|| Error::not_found("Notification"))?;
    if found.read_at.is_none() {
        mark_read(app, caller, vec![id]).await?;
    }
    Ok(found)
}

/// Marks some of the caller's notices as read. Others are ignored.
pub async fn mark_read(app: &App, caller: &Caller, ids: Vec<NoticeId>) -> Result<()> {
    let (person, tenant, now) = (caller.user.as_uuid(), caller.tenant, app.clock.now());
    app.store
        .write(move |tx| {
            for id in &ids {
                notice::mark_read(tx, person, tenant, *id, now)?;
            }
            Ok(())
        })
        .await
}

/// Marks all of the caller's notices as read.
pub async fn mark_all_read(app: &App, caller: &Caller) -> Result<()> {
    let (person, tenant, now) = (caller.user.as_uuid(), caller.tenant, app.clock.now());
    app.store
        .write(move |tx| {
            notice::mark_all_read(tx, person, tenant, now)?;
            Ok(())
        })
        .await
}
