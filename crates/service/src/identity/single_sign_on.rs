//! Single sign-on by OpenID Connect (docs/decisions/0041). An organization's identity provider signs
//! people in whose email addresses are in domains that the organization has proved, and only into
//! that organization.

pub mod connection;
pub mod domain;
mod identity;
mod provider;
mod sign_in;

use grantor_domain::role::{Right, may};
use grantor_domain::single_sign_on::{Connection, DomainClaim};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::single_sign_on;

pub use self::sign_in::{Callback, Returned, Started, finish, start};
use crate::App;
use crate::identity::access::Caller;

/// The path of the page to which the provider sends people back.
pub const CALLBACK: &str = "/app/sign-in/sso/callback";

/// The single sign-on of an organization, as its administrators see it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The connection to the provider.
    pub connection: Option<Connection>,
    /// The claimed domains, by name.
    pub domains: Vec<DomainClaim>,
}

/// Returns the single sign-on of the caller's organization.
pub async fn show(app: &App, caller: &Caller) -> Result<Settings> {
    may_manage(caller)?;
    let tenant = caller.tenant;
    app.store
        .read(move |tx| {
            let connection = single_sign_on::find(tx, tenant)?.map(|(it, _)| it);
            Ok(Settings { connection, domains: single_sign_on::domains(tx, tenant)? })
        })
        .await
}

/// The address to which the provider sends people back, to be entered there.
#[must_use]
pub fn callback_url(app: &App) -> String {
    format!("{}{CALLBACK}", app.public_url)
}

fn may_manage(caller: &Caller) -> Result<()> {
    may(caller.role, caller.tenant_type, Right::ManageOrganization)?;
    if caller.tenant_type.is_organization() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Forbidden, "Single sign-on is for organizations"))
}
