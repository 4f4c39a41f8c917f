//! Brings image files from before the images were in the database into it, while the server runs.

use std::time::Duration;

use grantor_service::App;
use grantor_service::operations::object_move::{self, Moved};

/// How long the move waits after a failure.
const RETRY_INTERVAL: Duration = Duration::from_secs(10);
/// How often it checks whether older nodes may still need the files.
const CHECK_INTERVAL: Duration = Duration::from_mins(10);

/// Moves images that are still files of this node into the database, if images belong there.
#[expect(clippy::disallowed_methods, reason = "the task waits before it tries again")]
pub(super) async fn move_all(app: App) {
    loop {
        let pause = match object_move::advance(&app).await {
            Ok(Moved::All(moved)) => {
                if moved > 0 {
                    tracing::info!(moved, "image files were moved into the database");
                }
                return;
            }
            Ok(Moved::Copied(copied)) => {
                if copied > 0 {
                    tracing::info!(copied, "image files were copied into the database");
                }
                CHECK_INTERVAL
            }
            Err(error) => {
                tracing::warn!(%error, "cannot move image files into the database");
                RETRY_INTERVAL
            }
        };
        tokio::time::sleep(pause).await;
    }
}
