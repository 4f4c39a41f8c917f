//! The versions of a license, for its owner and those who act for the talent.

use grantor_domain::page::{Listing, Page};
use grantor_domain::permission::PermissionRole;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::Tx;
use grantor_storage::license::reader::Reader;
use grantor_storage::license::version::{self, LicenseVersion};
use grantor_storage::license::{self, LicenseRecord};

use super::{LicenseRef, LicenseView, not_found, resolve};
use crate::App;

/// A version of a license, shown like a license.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionView {
    /// The license as it was, with today's names.
    pub view: LicenseView,
    /// Whether this version is the deletion of the license, which was restored since.
    pub deleted: bool,
    /// The kind of actor who made the version.
    pub actor_kind: String,
    /// The name of the actor who made the version.
    pub actor_name: String,
}

/// Returns the versions of a license, newest first.
pub async fn versions(
    app: &App,
    reader: Reader,
    named: LicenseRef,
    page: Page,
) -> Result<Listing<VersionView>> {
    app.store
        .read(move |tx| {
            let (current, role) = open(tx, reader, &named)?;
            let found = version::list(tx, current.license.id, page)?;
            Ok(found.map(|it| view(&current, role, it)))
        })
        .await
}

/// A version of a license with the one before it.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionChange {
    /// The version.
    pub version: VersionView,
    /// The version before it; `None` for the first known one.
    pub before: Option<VersionView>,
}

/// Like [`versions`], each with the version before it.
pub async fn version_changes(
    app: &App,
    reader: Reader,
    named: LicenseRef,
    page: Page,
) -> Result<Listing<VersionChange>> {
    app.store
        .read(move |tx| {
            let (current, role) = open(tx, reader, &named)?;
            let id = current.license.id;
            let found = version::list(tx, id, page)?;
            let before = match found.items.last() {
                Some(last) => version::find_before(tx, id, last.license.version)?,
                None => None,
            };
            let mut before = before.map(|it| view(&current, role, it));
            let mut change = |version| {
                let version = view(&current, role, version);
                let before = before.replace(version.clone());
                VersionChange { version, before }
            };
            Ok(found.with_items(|items| {
                let mut changes: Vec<_> = items.into_iter().rev().map(&mut change).collect();
                changes.reverse();
                changes
            }))
        })
        .await
}

/// Returns one version of a license.
pub async fn version(
    app: &App,
    reader: Reader,
    named: LicenseRef,
    number: u32,
) -> Result<VersionView> {
    app.store
        .read(move |tx| {
            let (current, role) = open(tx, reader, &named)?;
            let found = version::find(tx, current.license.id, number)?;
            let found = found.ok_or_else(|| Error::not_found("Version"))?;
            Ok(view(&current, role, found))
        })
        .await
}

fn open(
    tx: &mut Tx<'_>,
    reader: Reader,
    named: &LicenseRef,
) -> Result<(LicenseRecord, PermissionRole)> {
    let (id, role) = resolve(tx, reader, named)?;
    if role == PermissionRole::Viewer {
        let message =
            "Only the owner of the license and those who act for the talent can see its versions";
        return Err(Error::new(ErrorKind::AccessDenied, message));
    }
    Ok((license::find(tx, id)?.ok_or_else(not_found)?, role))
}

/// Shows a version as of its own time, so that what expired later is not shown as expired.
fn view(current: &LicenseRecord, role: PermissionRole, version: LicenseVersion) -> VersionView {
    let LicenseVersion { license, since, deleted, actor_kind, actor_name } = version;
    let shown = LicenseRecord { license, ..current.clone() };
    VersionView { view: LicenseView::new(shown, role, since), deleted, actor_kind, actor_name }
}
