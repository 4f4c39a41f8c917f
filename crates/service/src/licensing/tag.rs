//! Tags that an organization puts on its licenses and talents. They are not part of the license:
//! nobody else sees them, and they change neither its version nor its events.

use std::collections::HashMap;
use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::{LicenseId, TenantId};
use grantor_domain::role::{Right, may};
use grantor_domain::tag::{MAX_OF_TENANT, Tag, TaggedKind, Tags};
use grantor_domain::{Error, Result};
use grantor_storage::tag::{self, StoredTag};
use grantor_storage::{talent, tenant};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::{license, permission, talent as talents};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::organizations::rights;
use crate::undo::{Reverse, changed_since, run};
use crate::{App, Context};

/// Tags that are put on a record or taken off it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TagChange {
    /// The tags to add.
    pub add: Tags,
    /// The tags to remove.
    pub remove: Tags,
}

/// Changes the tags of one of the tenant's licenses or talents, and returns all of its tags.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    (kind, id): (TaggedKind, Uuid),
    change: TagChange,
) -> Result<Vec<String>> {
    app.act(context, ChangeTags { caller, kind, id, change }).await
}

/// Returns the tags of those of these records that the caller's tenant has tagged.
pub async fn list_of(
    app: &App,
    caller: &Caller,
    kind: TaggedKind,
    ids: Vec<Uuid>,
) -> Result<HashMap<Uuid, Vec<String>>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let own = caller.tenant;
    let found = app.store.read(move |tx| Ok::<_, Error>(tag::list_of(tx, kind, &ids)?)).await?;
    let names = |tags: Vec<StoredTag>| names(tags, own);
    Ok(found.into_iter().map(|(id, tags)| (id, names(tags))).collect())
}

/// Returns up to `at_most` of the tenant's tags that begin with a text.
pub async fn suggest(
    app: &App,
    caller: &Caller,
    beginning: &str,
    at_most: u32,
) -> Result<Vec<String>> {
    let tenant = caller.tenant;
    // A text that is no tag begins none, except the empty one.
    let key = match Tag::parse(beginning) {
        Ok(tag) => tag.key().as_str().to_owned(),
        Err(_) if beginning.trim().is_empty() => String::new(),
        Err(_) => return Ok(vec![]),
    };
    app.store.read(move |tx| Ok(tag::list(tx, tenant, &key, at_most)?)).await
}

/// The names of the tags that belong to a tenant.
fn names(tags: Vec<StoredTag>, own: TenantId) -> Vec<String> {
    tags.into_iter().filter(|it| it.tenant == own).map(|it| it.name).collect()
}

/// What takes back a change of tags: the opposite change. Other tags of the record stay.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct TagsReverse {
    kind: TaggedKind,
    id: Uuid,
    change: TagChange,
}

impl TagsReverse {
    /// Takes the change back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: &Arc<Caller>,
    ) -> Result<Done<()>> {
        let Self { kind, id, change } = self;
        let act = ChangeTags { caller: Arc::clone(caller), kind, id, change };
        let done = run(unit, &act, "A change of tags was undone")?;
        // Nothing was left to take back: somebody else did it.
        if done.undo.is_some() { Ok(done) } else { Err(changed_since()) }
    }
}

struct ChangeTags {
    caller: Arc<Caller>,
    kind: TaggedKind,
    id: Uuid,
    change: TagChange,
}

impl ChangeTags {
    /// Adds a tag. False if the record has it already.
    fn add(&self, unit: &mut UnitOfWork<'_, '_>, new: &Tag) -> Result<bool> {
        let tenant = self.caller.tenant;
        let id = match tag::find(unit.tx, tenant, &new.key())? {
            Some((id, _)) => id,
            None if tag::count(unit.tx, tenant)? >= MAX_OF_TENANT => {
                let message = "Your organization has 1,000 tags. Use one of them";
                return Err(Error::conflict(message).at("tags"));
            }
            None => {
                let id = unit.ids.next();
                tag::insert(unit.tx, id, tenant, new, unit.now)?;
                id
            }
        };
        Ok(tag::add(unit.tx, self.kind, self.id, id)?)
    }

    /// Removes a tag, and returns it as it was first typed. `None` if the record does not have it.
    fn remove(&self, unit: &mut UnitOfWork<'_, '_>, gone: &Tag) -> Result<Option<Tag>> {
        let found = tag::find(unit.tx, self.caller.tenant, &gone.key())?;
        let Some((id, name)) = found else { return Ok(None) };
        let removed = tag::remove(unit.tx, self.kind, self.id, id)?;
        Ok(removed.then(|| Tag::parse(&name).unwrap_or_else(|_| gone.clone())))
    }
}

impl Act for ChangeTags {
    /// The record.
    type Permit = Resource;
    type Output = Vec<String>;
    const ACTION: &'static str = "tag.change";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Resource> {
        // Locked, so that nobody deletes a tag that is about to be used.
        tenant::claim(unit.tx, self.caller.tenant)?;
        match self.kind {
            TaggedKind::License => {
                let found = permission::claim(unit, &self.caller, self.id.into())?;
                Ok(license::resource(&found))
            }
            TaggedKind::Talent => {
                may(self.caller.role, self.caller.tenant_type, Right::ManageTalents)?;
                let found = talent::claim(unit.tx, self.caller.tenant, self.id.into())?;
                let found = found.ok_or_else(|| Error::not_found("Talent"))?.talent;
                rights::require_for_team(unit, Right::ManageTalents, found.team)?;
                Ok(talents::resource(&found))
            }
        }
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        resource: Resource,
    ) -> Result<Done<Vec<String>>> {
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        for gone in self.change.remove.as_slice() {
            removed.extend(self.remove(unit, gone)?);
        }
        for new in self.change.add.as_slice() {
            if self.add(unit, new)? {
                added.push(new.clone());
            }
        }
        let mut found = tag::list_of(unit.tx, self.kind, &[self.id])?;
        let tags = names(found.remove(&self.id).unwrap_or_default(), self.caller.tenant);
        if tags.len() > Tags::MAX {
            let message = format!("A {} can have at most {} tags", self.kind, Tags::MAX);
            return Err(Error::conflict(message).at("tags"));
        }
        let details = json!({ "tags": tags });
        let mut done = Done::new(tags, resource, "Tags were changed");
        done.details = details;
        if !(removed.is_empty() && added.is_empty()) {
            let (add, remove) = (removed.into_iter().collect(), added.into_iter().collect());
            let change = TagChange { add, remove };
            let reverse = TagsReverse { kind: self.kind, id: self.id, change };
            done = done.undone_by(Reverse::Tags(reverse));
        }
        Ok(match self.kind {
            TaggedKind::License => done.for_license(LicenseId::from(self.id)),
            TaggedKind::Talent => done,
        })
    }
}
