//! Views of lists that people saved. Each belongs to one person in one tenant; nobody else sees it.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::SavedViewId;
use grantor_domain::saved_view::{MAX_VIEWS, NewView, ViewName};
pub use grantor_domain::saved_view::{SavedView, ViewList};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::saved_view::{self, NAME_IS_TAKEN};
use serde::{Deserialize, Serialize};

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::undo::{Reverse, stored};
use crate::{App, Context};

/// Returns the caller's views in the current tenant.
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<SavedView>> {
    let (user, tenant) = (caller.user, caller.tenant);
    app.store.read(move |tx| Ok(saved_view::list(tx, user, tenant)?)).await
}

/// Returns the caller's views of one list in the current tenant.
pub async fn list_of(app: &App, caller: &Caller, list: ViewList) -> Result<Vec<SavedView>> {
    let (user, tenant) = (caller.user, caller.tenant);
    app.store.lookup(move |tx| Ok(saved_view::list_of(tx, user, tenant, list)?)).await
}

/// Returns a view of the caller in the current tenant.
pub async fn get(app: &App, caller: &Caller, id: SavedViewId) -> Result<SavedView> {
    let (user, tenant) = (caller.user, caller.tenant);
    let found = app.store.read(move |tx| Ok::<_, Error>(saved_view::find(tx, user, id)?)).await?;
    found.filter(|it| it.tenant == tenant).ok_or_else(not_found)
}

/// Saves a view.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    new: NewView,
) -> Result<SavedView> {
    app.act(context, Create { caller, new }).await
}

/// Renames a view, or makes it the default of its list or not.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: SavedViewId,
    name: ViewName,
    is_default: bool,
) -> Result<SavedView> {
    app.act(context, Change { caller, id, name, is_default }).await
}

/// Deletes a view and returns it.
pub async fn delete(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: SavedViewId,
) -> Result<SavedView> {
    app.act(context, Delete { caller, id }).await
}

fn not_found() -> Error {
    Error::not_found("View")
}

fn taken(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == NAME_IS_TAKEN => {
            Error::new(ErrorKind::Exists, "You already have a view with this name").at("name")
        }
        other => other.into(),
    }
}

fn resource(view: &SavedView) -> Resource {
    let name = Some(view.fields.name.as_str().to_owned());
    Resource { kind: "saved_view", id: Some(view.id.to_string()), name }
}

/// Returns a view of the caller in the current tenant. Another person's view is reported as not
/// found.
fn find(unit: &mut UnitOfWork<'_, '_>, caller: &Caller, id: SavedViewId) -> Result<SavedView> {
    let found = saved_view::find(unit.tx, caller.user, id)?;
    found.filter(|it| it.tenant == caller.tenant).ok_or_else(not_found)
}

struct Create {
    caller: Arc<Caller>,
    new: NewView,
}

impl Act for Create {
    type Permit = ();
    type Output = SavedView;
    const ACTION: &'static str = "saved_view.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        if saved_view::claim_count(unit.tx, self.caller.user)? >= MAX_VIEWS {
            let message = "You have 50 saved views. Delete one to save another.";
            return Err(Error::conflict(message).at("name"));
        }
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<SavedView>> {
        let view = SavedView {
            id: unit.ids.next(),
            user: self.caller.user,
            tenant: self.caller.tenant,
            fields: self.new.clone(),
            created_at: unit.now,
        };
        saved_view::insert(unit.tx, &view).map_err(taken)?;
        let resource = resource(&view);
        Ok(Done::new(view, resource, "A view was saved"))
    }
}

struct Change {
    caller: Arc<Caller>,
    id: SavedViewId,
    name: ViewName,
    is_default: bool,
}

impl Act for Change {
    type Permit = SavedView;
    type Output = SavedView;
    const ACTION: &'static str = "saved_view.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<SavedView> {
        find(unit, &self.caller, self.id)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut view: SavedView,
    ) -> Result<Done<SavedView>> {
        view.fields.name = self.name.clone();
        view.fields.is_default = self.is_default;
        saved_view::update(unit.tx, &view, unit.now).map_err(taken)?;
        let resource = resource(&view);
        Ok(Done::new(view, resource, "A saved view was updated"))
    }
}

struct Delete {
    caller: Arc<Caller>,
    id: SavedViewId,
}

impl Act for Delete {
    type Permit = SavedView;
    type Output = SavedView;
    const ACTION: &'static str = "saved_view.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<SavedView> {
        find(unit, &self.caller, self.id)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, view: SavedView) -> Result<Done<SavedView>> {
        saved_view::delete(unit.tx, self.caller.user, self.id)?;
        let resource = resource(&view);
        let reverse = SavedViewReverse::of(&view);
        let done = Done::new(view, resource, "A saved view was deleted");
        Ok(done.undone_by(Reverse::SavedView(reverse)))
    }
}

/// What takes back the deletion of a view.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SavedViewReverse {
    id: SavedViewId,
    list: String,
    name: String,
    query: String,
    is_default: bool,
    created_at: Timestamp,
}

impl SavedViewReverse {
    fn of(view: &SavedView) -> Self {
        let NewView { list, name, query, is_default } = &view.fields;
        Self {
            id: view.id,
            list: list.name().to_owned(),
            name: name.as_str().to_owned(),
            query: query.clone(),
            is_default: *is_default,
            created_at: view.created_at,
        }
    }

    /// Takes the deletion back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: &Arc<Caller>,
    ) -> Result<Done<()>> {
        let fields = stored(NewView::parse(&self.list, &self.name, &self.query, self.is_default))?;
        Create { caller: Arc::clone(caller), new: fields.clone() }.authorize(unit)?;
        let (user, tenant) = (caller.user, caller.tenant);
        let view = SavedView { id: self.id, user, tenant, fields, created_at: self.created_at };
        saved_view::insert(unit.tx, &view).map_err(taken)?;
        Ok(Done::new((), resource(&view), "A deleted view was restored"))
    }
}
