//! Moves image files from before the images were in the database into it.
//!
//! Nodes of the last release that mount the same folder read the files. So they are copied first,
//! and deleted when no such node is left.

use std::time::Duration;

use grantor_domain::Result;

use crate::App;
use crate::operations::node;

/// How long the files stay at least. Nodes until migration 60 do not register, so nobody knows
/// whether one of them is left.
pub const KEPT: Duration = Duration::from_hours(1);

/// What was done with the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// So many more were copied. The files are still there for older nodes.
    Copied(u64),
    /// So many were moved, and none is left.
    All(u64),
}

/// Copies the files into the database, and deletes them if no older node can need them.
pub async fn advance(app: &App) -> Result<Moved> {
    Ok(if may_delete(app).await? {
        Moved::All(app.objects.move_files().await?)
    } else {
        Moved::Copied(app.objects.copy_files().await?)
    })
}

/// Whether no node of an older version can need the files.
pub async fn may_delete(app: &App) -> Result<bool> {
    if !app.store.is_shared() {
        return Ok(true);
    }
    Ok(app.clock.now() >= app.started.plus(KEPT) && !node::has_older(app).await?)
}
