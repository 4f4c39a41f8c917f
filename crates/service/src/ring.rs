//! The key ring and the database belong together: what one sealed only it opens.

use grantor_domain::audit::Resource;
use grantor_domain::{Error, Result};
use grantor_storage::{Store, meta, schema};
use serde_json::json;

use crate::act::{Act, Desk, Done};
use crate::keys::Rotated;
use crate::{App, Context};

pub(crate) const NAME: &str = "key_ring";

/// Binds a fresh database to this ring; refuses one that was sealed with another.
pub async fn bind(store: &Store, root_ids: Vec<String>) -> Result<(), String> {
    let bound: Result<Option<String>, grantor_storage::Error> = store
        .write(move |tx| match meta::find(tx, NAME)? {
            None => {
                meta::put(tx, NAME, root_ids.first().map_or("", String::as_str))?;
                Ok(None)
            }
            Some(id) if root_ids.contains(&id) => Ok(None),
            Some(id) => Ok(Some(id)),
        })
        .await;
    match bound.map_err(|error| error.to_string())? {
        None => Ok(()),
        Some(id) => Err(foreign(&id)),
    }
}

/// Whether the database belongs to this ring, or to none yet.
pub async fn check(store: &Store, root_ids: Vec<String>) -> Result<(), String> {
    let bound: Result<Option<String>, grantor_storage::Error> = store
        .read(|tx| {
            // A database without a schema belongs to nobody.
            let has_schema = schema::describe(tx)?.contains_key("meta");
            if has_schema { meta::find(tx, NAME) } else { Ok(None) }
        })
        .await;
    match bound.map_err(|error| error.to_string())? {
        Some(id) if !root_ids.contains(&id) => Err(foreign(&id)),
        _ => Ok(()),
    }
}

/// The root that the database's sealed values belong to, if it has any.
pub(crate) async fn bound(store: &Store) -> Result<Option<String>, String> {
    let bound: Result<Option<String>, grantor_storage::Error> =
        store.read(|tx| meta::find(tx, NAME)).await;
    bound.map_err(|error| error.to_string())
}

fn foreign(id: &str) -> String {
    format!(
        "the database belongs to another key ring (root {id}): put that installation's keys.json \
         into the data directory"
    )
}

/// Rotates the ring and writes it into the log.
pub async fn rotate(app: &App, context: &Context, root: bool) -> Result<Rotated> {
    let rotated = app.keys.rotate(root).map_err(Error::internal)?;
    app.act(context, Rotate(rotated)).await
}

struct Rotate(Rotated);

impl Act for Rotate {
    type Grant = ();
    type Output = Rotated;
    const ACTION: &'static str = "keys.rotate";

    /// Whoever can replace the ring file may say that they did.
    fn authorize(&self, _: &mut Desk<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<Rotated>> {
        let Rotated { kid, signs_from, root } = &self.0;
        if let Some(root) = root {
            meta::put(desk.tx, NAME, root)?;
        }
        let resource = Resource { kind: "keys", id: Some(kid.clone()), name: None };
        let mut done = Done::new(self.0.clone(), resource, "The key ring was rotated");
        done.details = json!({ "signs_from": signs_from, "root": root });
        Ok(done)
    }
}
