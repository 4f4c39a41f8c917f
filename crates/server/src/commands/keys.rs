//! `grantor keys rotate`.

use grantor_service::{Context, ring};

use crate::config::Config;
use crate::house;

pub(crate) async fn rotate(config: &Config, root: bool) -> Result<String, String> {
    let house = house::build(config, super::public_url(config)).await?;
    let context = Context::operator(house.app.clock.monotonic());
    let rotated =
        ring::rotate(&house.app, &context, root).await.map_err(|error| error.to_string())?;
    let mut text = format!("Key {} signs from {}.", rotated.kid, rotated.signs_from);
    text.push_str(" Tokens signed before stay valid until they expire.");
    if let Some(root) = rotated.root {
        text = format!("{text}\nRoot {root} seals from now on; older roots still open.");
    }
    Ok(text)
}
