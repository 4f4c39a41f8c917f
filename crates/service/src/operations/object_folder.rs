//! The folder with the pictures of a database that several nodes share. A node with a folder of its
//! own would lack the pictures of the others, so it does not start.

use grantor_domain::{Error, Result};
use grantor_storage::object::{ObjectKey, ObjectKind, Objects};
use grantor_storage::{Store, meta};
use uuid::Uuid;

/// Under this name the database knows that its pictures are in the folder with its marker.
const NAME: &str = "object_folder";

/// Records that the folder has the pictures of this database, or checks that it does. False if the
/// pictures are in another folder. `new_id` names a database that has no name yet.
pub async fn claim(store: &Store, objects: &Objects, new_id: Uuid) -> Result<bool> {
    let claim = new_id.to_string();
    let own = claim.clone();
    let claimed = store.write(move |tx| {
        let id = meta::put_first(tx, meta::DATABASE_ID, &own)?;
        Ok::<_, Error>((id, meta::put_first(tx, NAME, &own)?))
    });
    let (id, claimed_by) = claimed.await?;
    let id = id.parse().map_err(|_| Error::internal("the database's ID is not a UUID"))?;
    let marker = ObjectKey::new(ObjectKind::Database, id);
    if objects.size(marker).await?.is_some() {
        return Ok(true);
    }
    // Only the node that made the claim may mark its folder.
    if claimed_by != claim {
        return Ok(false);
    }
    objects.put(marker, Vec::new(), "application/octet-stream").await?;
    Ok(true)
}
