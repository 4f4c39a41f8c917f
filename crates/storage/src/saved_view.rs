//! Views of lists that people saved.

use grantor_domain::Timestamp;
use grantor_domain::id::{SavedViewId, TenantId, UserId};
use grantor_domain::saved_view::{NewView, SavedView, ViewList, ViewName};

use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, only_column};

/// The constraint violated if the person has a view of the list with this name.
pub const NAME_IS_TAKEN: &str = "saved_views_name";

/// Inserts a view.
pub fn insert(tx: &mut Tx<'_>, view: &SavedView) -> Result<()> {
    let NewView { list, name, query, is_default } = &view.fields;
    if *is_default {
        clear_default(tx, view)?;
    }
    tx.execute(
        sql!(
            "INSERT INTO saved_views (view_id, user_id, tenant_id, list, name, name_key, query,
               is_default, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)"
        ),
        params![
            view.id,
            view.user,
            view.tenant,
            list.name(),
            name.as_str(),
            name.key(),
            query,
            is_default,
            view.created_at,
        ],
    )?;
    Ok(())
}

/// Stores the name of a view, its query and whether it is the default.
pub fn update(tx: &mut Tx<'_>, view: &SavedView, now: Timestamp) -> Result<()> {
    let NewView { name, query, is_default, .. } = &view.fields;
    if *is_default {
        clear_default(tx, view)?;
    }
    tx.execute(
        sql!(
            "UPDATE saved_views SET name = $2, name_key = $3, query = $4, is_default = $5,
               updated_at = $6
             WHERE view_id = $1"
        ),
        params![view.id, name.as_str(), name.key(), query, is_default, now],
    )?;
    Ok(())
}

/// A list has one default view at most.
fn clear_default(tx: &mut Tx<'_>, view: &SavedView) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE saved_views SET is_default = $4
             WHERE user_id = $1 AND tenant_id = $2 AND list = $3 AND is_default"
        ),
        params![view.user, view.tenant, view.fields.list.name(), false],
    )?;
    Ok(())
}

/// Deletes a view. False if the person has none with this id.
pub fn delete(tx: &mut Tx<'_>, user: UserId, id: SavedViewId) -> Result<bool> {
    let deleted = tx.execute(
        sql!("DELETE FROM saved_views WHERE view_id = $1 AND user_id = $2"),
        params![id, user],
    )?;
    Ok(deleted == 1)
}

/// Returns a person's view with this id, in any tenant.
pub fn find(tx: &mut Tx<'_>, user: UserId, id: SavedViewId) -> Result<Option<SavedView>> {
    Ok(select(tx, 0, params![user, id])?.pop())
}

/// Lists a person's views in a tenant, by list and name.
pub fn list(tx: &mut Tx<'_>, user: UserId, tenant: TenantId) -> Result<Vec<SavedView>> {
    select(tx, 1, params![user, tenant])
}

/// Lists a person's views of one list in a tenant, by name.
pub fn list_of(
    tx: &mut Tx<'_>,
    user: UserId,
    tenant: TenantId,
    list: ViewList,
) -> Result<Vec<SavedView>> {
    select(tx, 2, params![user, tenant, list.name()])
}

/// Counts a person's views in all tenants, and locks the person until the unit of work ends, so that
/// two units of work cannot both save the last view.
pub fn claim_count(tx: &mut Tx<'_>, user: UserId) -> Result<u64> {
    tx.lock(sql!("SELECT 1 FROM users WHERE user_id = $1 /*for update*/"), params![user])?;
    let found: Option<i64> = tx.find(
        sql!("SELECT count(*) FROM saved_views WHERE user_id = $1"),
        params![user],
        only_column,
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

fn select(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Vec<SavedView>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT view_id, user_id, tenant_id, list, name, query, is_default, created_at
             FROM saved_views WHERE user_id = $1 AND ",
            [
                "view_id = $2",
                "tenant_id = $2 ORDER BY list, name_key",
                "tenant_id = $2 AND list = $3 ORDER BY name_key",
            ],
            ""
        ),
        key,
        read,
    )
}

fn read(row: &Row<'_>) -> Result<SavedView> {
    let fault = |what: String| Error::Fault(format!("invalid saved view: {what}"));
    let text = |name| row.get::<String>(name);
    let fields = NewView {
        list: text("list")?.parse().map_err(fault)?,
        name: ViewName::parse(&text("name")?).map_err(fault)?,
        query: text("query")?,
        is_default: row.get("is_default")?,
    };
    Ok(SavedView {
        id: row.get("view_id")?,
        user: row.get("user_id")?,
        tenant: row.get("tenant_id")?,
        fields,
        created_at: row.get("created_at")?,
    })
}
