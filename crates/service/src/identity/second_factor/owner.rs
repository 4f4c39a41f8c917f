//! Who sets up or removes a second factor.

use std::sync::Arc;

use grantor_domain::access::Actor;
use grantor_domain::id::UserId;
use grantor_domain::secret::SecretHash;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::user::{self, User};
use grantor_storage::{Tx, second_factor};

use super::waiting;
use super::waiting::WaitingSignIn;
use crate::App;
use crate::act::UnitOfWork;
use crate::identity::access::Caller;
use crate::identity::ceremony;

/// The person whose second factor is changed.
#[derive(Clone)]
pub enum Owner {
    /// A signed-in person.
    Caller(Arc<Caller>),
    /// A person whose sign-in waits, in the browser with this ceremony, until a second factor is set
    /// up.
    Waiting(SecretHash),
}

impl Owner {
    /// Returns the person's id, if they may set up a second factor now.
    pub(crate) fn id(&self, app: &App, tx: &mut Tx<'_>, now: Timestamp) -> Result<UserId> {
        match self {
            Self::Caller(caller) => {
                caller.may_change_sign_in(now)?;
                Ok(caller.user)
            }
            Self::Waiting(ceremony) => {
                let found = waiting::find(app, tx, ceremony, now)?.filter(WaitingSignIn::sets_up);
                let id = found.ok_or_else(ceremony::over)?.user;
                // Set up elsewhere meanwhile: whoever waits here must show it.
                if second_factor::factors(tx, id)?.any() {
                    return Err(ceremony::over());
                }
                Ok(id)
            }
        }
    }

    /// Locks the person's account, if they may set up a second factor now.
    pub(crate) fn claim(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        let id = self.id(unit.app, unit.tx, unit.now)?;
        user::claim(unit.tx, id)?.ok_or_else(|| Error::not_found("User"))
    }

    /// Returns the person as the actor of a set-up. A sign-in that waits has no session yet, but it
    /// knows who showed the first factor, and to which organization.
    pub(crate) fn actor(&self, unit: &mut UnitOfWork<'_, '_>, user: &User) -> Result<Actor> {
        match self {
            Self::Caller(caller) => Ok(caller.actor()),
            Self::Waiting(ceremony) => {
                let found = waiting::find(unit.app, unit.tx, ceremony, unit.now)?;
                let tenant = found.ok_or_else(ceremony::over)?.tenant;
                Ok(Actor::User { id: user.id, tenant, name: user.fullname.clone() })
            }
        }
    }
}
