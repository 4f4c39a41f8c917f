//! Recovery codes, which stand in once each for a lost app or passkey. Only MACs are stored: fifty
//! bits could be found by trying if the database alone were stolen.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::UserId;
use grantor_domain::second_factor::{RECOVERY_CODES, RecoveryCode};
use grantor_domain::{Error, Result};
use grantor_keys::Purpose;
use grantor_storage::user::User;
use grantor_storage::{recovery_code, second_factor};

use super::{Owner, tell};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::mail::phrase::Phrase;
use crate::{App, Context};

/// Replaces the caller's recovery codes and returns the new ones, which are shown once.
pub async fn renew(app: &App, context: &Context, caller: Arc<Caller>) -> Result<Vec<String>> {
    app.act(context, Renew { caller }).await
}

/// Issues recovery codes to a person who has none, and returns them.
pub(crate) fn issue_first(unit: &mut UnitOfWork<'_, '_>, user: UserId) -> Result<Vec<String>> {
    let factors = second_factor::factors(unit.tx, user)?;
    if factors.recovery_codes > 0 { Ok(vec![]) } else { issue(unit, user) }
}

/// Replaces a person's recovery codes and returns the new ones.
fn issue(unit: &mut UnitOfWork<'_, '_>, user: UserId) -> Result<Vec<String>> {
    let (mut shown, mut macs) = (Vec::new(), Vec::new());
    while shown.len() < RECOVERY_CODES {
        let code = RecoveryCode::generate(&*unit.app.entropy);
        macs.push(unit.app.keys.mac(Purpose::Otp, &mac_data(user, &code)).to_vec());
        shown.push(code.shown());
    }
    recovery_code::replace(unit.tx, user, &macs, unit.now)?;
    Ok(shown)
}

/// Checks a code and uses it up. The owner is told, because somebody else may have found the codes.
pub(super) fn check(
    unit: &mut UnitOfWork<'_, '_>,
    user: &User,
    code: &RecoveryCode,
) -> Result<bool> {
    let macs = recovery_code::list(unit.tx, user.id)?;
    let data = mac_data(user.id, code);
    let found = macs.iter().find(|mac| unit.app.keys.verify_mac(Purpose::Otp, &data, mac));
    let Some(mac) = found else { return Ok(false) };
    if !recovery_code::consume(unit.tx, user.id, mac)? {
        return Ok(false);
    }
    tell(unit, user, Phrase::with("mail-change-code-used", "left", macs.len() - 1))?;
    Ok(true)
}

/// Binds a code to its person, so that nobody else's is accepted.
fn mac_data(user: UserId, code: &RecoveryCode) -> Vec<u8> {
    [b"recovery ".as_slice(), user.as_uuid().as_bytes(), code.expose().as_bytes()].concat()
}

struct Renew {
    caller: Arc<Caller>,
}

impl Act for Renew {
    type Permit = User;
    type Output = Vec<String>;
    const ACTION: &'static str = "recovery_code.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        let user = Owner::Caller(Arc::clone(&self.caller)).claim(unit)?;
        if second_factor::factors(unit.tx, user.id)?.any() {
            return Ok(user);
        }
        Err(Error::conflict("Set up an authenticator app or a passkey first"))
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, user: User) -> Result<Done<Vec<String>>> {
        let codes = issue(unit, user.id)?;
        tell(unit, &user, Phrase::message("mail-change-codes-created"))?;
        let (id, name) = (Some(user.id.to_string()), Some(user.fullname));
        let resource = Resource { kind: "user", id, name };
        Ok(Done::new(codes, resource, "New recovery codes were created"))
    }
}
