//! `grantor keys rotate`.

use grantor_service::Context;
use grantor_service::operations::key_ring;

use crate::bootstrap;
use crate::config::Config;

pub(crate) async fn rotate(config: &Config, root: bool) -> Result<String, String> {
    let runtime = bootstrap::build(config, super::public_url(config)).await?;
    let context = Context::operator(runtime.app.clock.monotonic());
    let rotated =
        key_ring::rotate(&runtime.app, &context, root).await.map_err(|error| error.to_string())?;
    let mut text = format!("Key {} signs new tokens from {}.", rotated.kid, rotated.signs_from);
    text.push_str(" Existing tokens stay valid until they expire.");
    let receipt = format!("\nKey {} signs new receipts from then on.", rotated.receipt_kid);
    text.push_str(&receipt);
    text.push_str(" Existing receipts stay verifiable.");
    if let Some(root) = rotated.root {
        text = format!("{text}\nRoot key {root} encrypts from now on; older keys still decrypt.");
    }
    Ok(text)
}
