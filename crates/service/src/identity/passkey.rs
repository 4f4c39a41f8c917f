//! Passkeys: as a second factor, and as a way to sign in of their own. Every ceremony has a
//! challenge that stays with us; a passkey always verifies its person, by a PIN or biometrics.

mod check;
mod credential;
mod relying_party;
mod set_up;
mod sign_in;

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::PasskeyId;
use grantor_domain::{Error, Result};
use grantor_storage::passkey;
use grantor_storage::user::User;

pub use self::check::{finish as finish_check, start as start_check};
pub use self::relying_party::is_available;
pub use self::set_up::{finish as finish_set_up, start as start_set_up};
pub use self::sign_in::{finish as finish_sign_in, start as start_sign_in};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::identity::second_factor::{Owner, after_removal, tell};
use crate::mail::phrase::Phrase;
use crate::{App, Context};

/// Removes one of the caller's passkeys.
pub async fn remove(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: PasskeyId,
) -> Result<()> {
    app.act(context, Remove { caller, id }).await
}

fn resource(id: PasskeyId, name: &str) -> Resource {
    Resource { kind: "passkey", id: Some(id.to_string()), name: Some(name.to_owned()) }
}

struct Remove {
    caller: Arc<Caller>,
    id: PasskeyId,
}

impl Act for Remove {
    type Permit = User;
    type Output = ();
    const ACTION: &'static str = "passkey.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        Owner::Caller(Arc::clone(&self.caller)).claim(unit)
    }

    /// Another person's passkey is reported as not found.
    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, user: User) -> Result<Done<()>> {
        let name = passkey::delete(unit.tx, user.id, self.id)?;
        let name = name.ok_or_else(|| Error::not_found("Passkey"))?;
        after_removal(unit, user.id, self.caller.tenant)?;
        tell(unit, &user, Phrase::with("mail-change-passkey-removed", "name", &*name))?;
        Ok(Done::new((), resource(self.id, &name), "A passkey was removed"))
    }
}
