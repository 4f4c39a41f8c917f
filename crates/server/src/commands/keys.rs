//! `grantor keys`.

use std::path::PathBuf;
use std::time::Duration;

use grantor_keys::Rotated;
use grantor_service::operations::key_ring;
use grantor_service::{App, Context};
use grantor_storage::node::{self, Node};

use crate::bootstrap;
use crate::cli::Keys;
use crate::config::{Config, KeyRing};

/// How long the command waits for nodes to load the new keys; they look every two seconds.
const PATIENCE: Duration = Duration::from_secs(6);
const LOOK_INTERVAL: Duration = Duration::from_millis(500);

/// Runs a command for keys.
pub(crate) async fn run(config: &Config, command: Keys) -> Result<String, String> {
    match command {
        Keys::Rotate { root, to } => rotate(config, root, to).await,
        Keys::Cancel => cancel(config).await,
    }
}

/// Withdraws the last rotation. Every node may be stale, so this one may be, too.
async fn cancel(config: &Config) -> Result<String, String> {
    let runtime = bootstrap::build_with_any_ring(config, super::public_url(config), None).await?;
    let context = Context::operator(runtime.app.clock.monotonic());
    let withdrawn = key_ring::withdraw(&runtime.app, &context).await;
    let version = withdrawn.map_err(|error| error.to_string())?;
    Ok(format!(
        "Withdrew the rotation to the keys {version}. Nodes that lack them are ready again within \
         seconds.\nDelete the key ring of this rotation if you find it. You can rotate again."
    ))
}

/// Rotates the key ring, or writes a rotated copy of it to a new file.
async fn rotate(config: &Config, root: bool, to: Option<PathBuf>) -> Result<String, String> {
    // Elsewhere nobody would put the copy in place, but all nodes would wait for its keys.
    if to.is_some() && !matches!(config.key_ring, KeyRing::Mounted(_)) {
        return Err("--to is for a key ring that is mounted, with key_ring_file. Without it, the \
                    key ring is rotated where it is."
            .to_owned());
    }
    let runtime = bootstrap::build(config, super::public_url(config)).await?;
    let app = runtime.app;
    let context = Context::operator(app.clock.monotonic());
    let rotated = match &to {
        None => key_ring::rotate(&app, &context, root).await,
        Some(path) => {
            let rotated = app.keys.rotate_to(path, root)?;
            key_ring::announce(&app, &context, rotated).await
        }
    };
    let rotated = rotated.map_err(|error| error.to_string())?;
    let followers = match to {
        None => followers(&app, &rotated).await?,
        Some(path) => Some(format!(
            "{} is the new key ring: give it to all nodes before {}.",
            path.display(),
            rotated.signs_from
        )),
    };
    Ok(describe(&rotated, followers))
}

fn describe(rotated: &Rotated, followers: Option<String>) -> String {
    let mut text = format!("Key {} signs new tokens from {}.", rotated.kid, rotated.signs_from);
    text.push_str(" Existing tokens stay valid until they expire.");
    let receipt = format!("\nKey {} signs new receipts from then on.", rotated.receipt_kid);
    text.push_str(&receipt);
    text.push_str(" Existing receipts stay verifiable.");
    if let Some(root) = &rotated.root {
        text = format!("{text}\nRoot key {root} encrypts from then on; older keys still decrypt.");
    }
    match followers {
        Some(followers) => format!("{text}\n{followers}"),
        None => text,
    }
}

/// Says which nodes have loaded the new keys. `None` if no other node can use the database.
#[expect(clippy::disallowed_methods, reason = "the command waits for other nodes")]
async fn followers(app: &App, rotated: &Rotated) -> Result<Option<String>, String> {
    if !app.store.is_shared() {
        return Ok(None);
    }
    let mut left = PATIENCE;
    loop {
        let nodes = app.store.read(node::list).await;
        let nodes = nodes.map_err(|error: grantor_storage::Error| error.to_string())?;
        let behind: Vec<&Node> = nodes.iter().filter(|it| it.key_ring != rotated.version).collect();
        if behind.is_empty() {
            return Ok(match nodes.len() {
                0 => None,
                count => Some(format!("All {count} running nodes have loaded the keys.")),
            });
        }
        if left.is_zero() {
            let ids: Vec<String> = behind.iter().map(|it| it.id.to_string()).collect();
            return Ok(Some(format!(
                "{} of {} running nodes have not loaded the keys yet: {}. Copy the key ring to \
                 them before {}; without it, /readyz is 503 there from then on.",
                behind.len(),
                nodes.len(),
                ids.join(", "),
                rotated.signs_from
            )));
        }
        tokio::time::sleep(LOOK_INTERVAL).await;
        left = left.saturating_sub(LOOK_INTERVAL);
    }
}
