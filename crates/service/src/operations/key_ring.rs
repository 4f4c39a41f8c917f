//! Binds the database to its key ring: values that a ring sealed can only be opened with it. Makes
//! all nodes follow a rotation before its keys are used.

use grantor_domain::audit::Resource;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::{Store, Tx, key_ring as rows, meta, node, schema};
use serde_json::json;

use crate::act::{Act, Done, UnitOfWork};
use crate::{App, Context};
use grantor_keys::{Keys, Rotated, SealedRing};

pub(crate) const NAME: &str = "key_ring";
/// The name of the last rotation: when its keys are used from, and the version of its key ring.
const ROTATION: &str = "key_ring_rotation";

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

/// Says why a node with this key ring cannot serve, if it cannot: it belongs to another database,
/// or lacks keys that others use by now.
pub fn find_fault(
    tx: &mut Tx<'_>,
    keys: &Keys,
    now: Timestamp,
) -> grantor_storage::Result<Option<String>> {
    if let Some(id) = meta::find(tx, NAME)?
        && !keys.root_ids().contains(&id)
    {
        return Ok(Some(foreign(&id)));
    }
    let rotation = meta::find(tx, ROTATION)?;
    let Some((used_from, version)) = rotation.as_deref().and_then(read_rotation) else {
        return Ok(None);
    };
    let stale = now >= used_from && !keys.has_version(version);
    Ok(stale.then(|| {
        format!(
            "the key ring is stale: it lacks the keys {version}, which other nodes use since \
             {used_from}; replace it with theirs"
        )
    }))
}

fn read_rotation(text: &str) -> Option<(Timestamp, &str)> {
    let (micros, version) = text.split_once(' ')?;
    Some((Timestamp::from_micros(micros.parse().ok()?), version))
}

/// Loads the key ring again if it was replaced. Returns whether it was.
pub async fn reload(app: &App) -> Result<bool> {
    let Some(loaded) = app.keys.row_version() else {
        return app.keys.reload().map_err(Error::internal);
    };
    if app.store.lookup(rows::version).await? == Some(loaded) {
        return Ok(false);
    }
    let Some((version, sealed)) = app.store.lookup(rows::find).await? else {
        return Err(Error::internal("the key ring is gone from the database"));
    };
    app.keys.load_row(&SealedRing { version, sealed }).map_err(Error::internal)?;
    Ok(true)
}

/// Rotates the key ring and logs it. Nodes load the new keys before any of them uses them.
pub async fn rotate(app: &App, context: &Context, root: bool) -> Result<Rotated> {
    reload(app).await?;
    if app.keys.row_version().is_none() {
        let rotated = app.keys.rotate(root).map_err(Error::validation)?;
        return announce(app, context, rotated).await;
    }
    let (rotated, row) = app.keys.rotate_row(root).map_err(Error::internal)?;
    let rotated = app.act(context, Rotate { rotated, row: Some(row.clone()) }).await?;
    app.keys.load_row(&row).map_err(Error::internal)?;
    Ok(rotated)
}

/// Tells all nodes of a rotation of a key ring that is not in the database.
pub async fn announce(app: &App, context: &Context, rotated: Rotated) -> Result<Rotated> {
    app.act(context, Rotate { rotated, row: None }).await
}

struct Rotate {
    rotated: Rotated,
    /// The row to store, if the key ring is in the database.
    row: Option<SealedRing>,
}

impl Act for Rotate {
    type Permit = ();
    type Output = Rotated;
    const ACTION: &'static str = "keys.rotate";

    /// Always allowed: only the operator can run it.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<Rotated>> {
        let Rotated { kid, signs_from, receipt_kid, root, version } = &self.rotated;
        if let Some(row) = &self.row
            && !rows::update(unit.tx, row.version - 1, &row.sealed, unit.now)?
        {
            return Err(Error::conflict("Another rotation was faster; try again"));
        }
        meta::put(unit.tx, ROTATION, &format!("{} {version}", signs_from.as_micros()))?;
        let resource = Resource { kind: "keys", id: Some(kid.clone()), name: None };
        let mut done = Done::new(self.rotated.clone(), resource, "The key ring was rotated");
        done.details = json!({
            "signs_from": signs_from, "receipt_key": receipt_kid, "root": root,
        });
        Ok(done)
    }
}

/// Withdraws the last rotation, whose key ring was lost before any node had it, and logs that.
/// Returns the version that nodes no longer need.
pub async fn withdraw(app: &App, context: &Context) -> Result<String> {
    app.act(context, Withdraw).await
}

struct Withdraw;

impl Act for Withdraw {
    type Permit = ();
    type Output = String;
    const ACTION: &'static str = "keys.cancel";

    /// Always allowed: only the operator can run it.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<String>> {
        let rotation = meta::find(unit.tx, ROTATION)?;
        let Some((_, version)) = rotation.as_deref().and_then(read_rotation) else {
            return Err(Error::conflict("There is no rotation to withdraw"));
        };
        let keys = &unit.app.keys;
        if keys.has_version(version) {
            return Err(Error::conflict(format!(
                "The key ring of this node has the keys of the last rotation ({version}), so there \
                 is nothing to withdraw"
            )));
        }
        let nodes = node::list(unit.tx)?.into_iter().filter(|it| it.key_ring == version);
        let nodes: Vec<String> = nodes.map(|it| it.id.to_string()).collect();
        if !nodes.is_empty() {
            return Err(Error::conflict(format!(
                "The rotation cannot be withdrawn, because nodes have loaded its keys ({version}): \
                 {}; copy their key ring to the other nodes",
                nodes.join(", ")
            )));
        }
        // A node that lacks older keys stays stale.
        meta::put(unit.tx, ROTATION, &format!("{} {}", unit.now.as_micros(), keys.version()))?;
        let kid = version.split_once(':').map(|(_, kid)| kid.to_owned());
        let resource = Resource { kind: "keys", id: kid, name: None };
        let message = "The rotation of the key ring was withdrawn";
        Ok(Done::new(version.to_owned(), resource, message))
    }
}
