//! `/app/grants`: the grants that the tenant holds and gave, with their receipts.

pub(crate) mod atlas;
mod calendar;
mod expiry;
mod list;
mod map;
mod revoke;
mod shared;
mod show;

use grantor_domain::id::GrantId;
use grantor_service::identity::access::TenantCaller;

pub(crate) use self::calendar::calendar;
pub(crate) use self::list::{list, read as read_list};
pub(crate) use self::map::map;
pub(crate) use self::revoke::revoke;
pub(crate) use self::shared::{share, withdraw_link};
pub(crate) use self::show::{download_certificate, download_receipt, show};
use crate::frame::Person;

const LIST: &str = "/app/grants";

fn caller(person: &Person) -> TenantCaller {
    TenantCaller::from(&*person.caller)
}

/// The path of a grant.
fn path(id: GrantId) -> String {
    format!("{LIST}/{id}")
}
