//! Revoking an API client: a change that cannot be taken back, with a name of its own in the log.

use grantor_domain::Result;
use grantor_storage::client::Client;

use super::Change;
use crate::act::{Act, Done, UnitOfWork};

/// A change whose status is revoked.
pub(super) struct Revoke(pub(super) Change);

impl Act for Revoke {
    type Permit = Client;
    type Output = Client;
    const ACTION: &'static str = "client.revoke";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Client> {
        self.0.authorize(unit)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, client: Client) -> Result<Done<Client>> {
        let mut done = self.0.carry_out(unit, client)?;
        "An API client was revoked".clone_into(&mut done.message);
        Ok(done)
    }
}
