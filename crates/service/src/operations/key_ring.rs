//! Binds the database to its key ring: values that a ring sealed can only be opened with it.

use grantor_domain::audit::Resource;
use grantor_domain::{Error, Result};
use grantor_storage::{Store, meta, schema};
use serde_json::json;

use crate::act::{Act, Done, UnitOfWork};
use crate::{App, Context};
use grantor_keys::Rotated;

pub(crate) const NAME: &str = "key_ring";

/// Binds a new database to this key ring. Refuses one that is bound to another.
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

/// Checks that the database is bound to this key ring, or to none yet.
pub async fn check(store: &Store, root_ids: Vec<String>) -> Result<(), String> {
    let bound: Result<Option<String>, grantor_storage::Error> = store
        .read(|tx| {
            // A database without a schema is not bound.
            let has_schema = schema::describe(tx)?.contains_key("meta");
            if has_schema { meta::find(tx, NAME) } else { Ok(None) }
        })
        .await;
    match bound.map_err(|error| error.to_string())? {
        Some(id) if !root_ids.contains(&id) => Err(foreign(&id)),
        _ => Ok(()),
    }
}

/// The root key that the database is bound to, if any.
pub(crate) async fn bound(store: &Store) -> Result<Option<String>, String> {
    let bound: Result<Option<String>, grantor_storage::Error> =
        store.read(|tx| meta::find(tx, NAME)).await;
    bound.map_err(|error| error.to_string())
}

fn foreign(id: &str) -> String {
    format!(
        "the database belongs to another key ring (root {id}): copy that installation's keys.json \
         to the data directory"
    )
}

/// Rotates the key ring and logs it.
pub async fn rotate(app: &App, context: &Context, root: bool) -> Result<Rotated> {
    let rotated = app.keys.rotate(root).map_err(Error::internal)?;
    app.act(context, Rotate(rotated)).await
}

struct Rotate(Rotated);

impl Act for Rotate {
    type Permit = ();
    type Output = Rotated;
    const ACTION: &'static str = "keys.rotate";

    /// Always allowed: the caller has already replaced the key ring file.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<Rotated>> {
        let Rotated { kid, signs_from, receipt_kid, root } = &self.0;
        if let Some(root) = root {
            meta::put(unit.tx, NAME, root)?;
        }
        let resource = Resource { kind: "keys", id: Some(kid.clone()), name: None };
        let mut done = Done::new(self.0.clone(), resource, "The key ring was rotated");
        done.details = json!({
            "signs_from": signs_from, "receipt_key": receipt_kid, "root": root,
        });
        Ok(done)
    }
}
