//! A passkey as second factor of a sign-in that waits.

use grantor_domain::secret::SecretHash;
use grantor_domain::{Error, Result};
use grantor_storage::passkey::{self, StoredPasskey};
use grantor_storage::user::{self, User};
use grantor_storage::{Tx, ceremony as ceremonies};
use webauthn_rs::prelude::PublicKeyCredential;

use super::{credential, relying_party};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::ceremony;
use crate::identity::second_factor::waiting::{self, WaitingSignIn};
use crate::identity::session::{Admitted, SignedIn, guard};
use crate::{App, Context};

/// Asks for one of the person's passkeys and returns the options for the browser, as JSON.
pub async fn start(app: &App, hash: SecretHash) -> Result<String> {
    let (own, now) = (app.clone(), app.clock.now());
    let (mut waiting, known) = app
        .store
        .read(move |tx| {
            let waiting = waiting::find(&own, tx, &hash, now)?.ok_or_else(ceremony::over)?;
            let known = passkey::list(tx, waiting.user)?;
            Ok::<_, Error>((waiting, known))
        })
        .await?;
    if known.is_empty() {
        return Err(Error::not_found("Passkey"));
    }
    let known = known.iter().map(credential::open).collect::<Result<Vec<_>>>()?;
    let started = relying_party::of(app)?.start_passkey_authentication(&known);
    let (options, check) = started.map_err(|it| Error::internal(it.to_string()))?;
    waiting.passkey_check = Some(check);
    let sealed = ceremony::seal(app, &hash, &waiting)?;
    let keep = move |tx: &mut Tx<'_>| Ok::<_, Error>(ceremonies::update(tx, &hash, &sealed)?);
    if app.store.write(keep).await? { credential::to_text(&options) } else { Err(ceremony::over()) }
}

/// Finishes a sign-in with what the passkey signed.
pub async fn finish(
    app: &App,
    context: &Context,
    hash: SecretHash,
    signed: &str,
) -> Result<SignedIn> {
    let signed: PublicKeyCredential = credential::read(signed)?;
    let (own, now, id) = (app.clone(), app.clock.now(), signed.get_credential_id().to_vec());
    let (waiting, stored) = app
        .store
        .read(move |tx| {
            let waiting = waiting::find(&own, tx, &hash, now)?.ok_or_else(ceremony::over)?;
            Ok::<_, Error>((waiting, passkey::find_by_credential(tx, &id)?))
        })
        .await?;
    let stored = stored.filter(|it| it.passkey.user == waiting.user);
    let stored = stored.ok_or_else(credential::refused)?;
    let check = waiting.passkey_check.as_ref().ok_or_else(ceremony::over)?;
    let used = relying_party::of(app)?.finish_passkey_authentication(&signed, check);
    let used = used.map_err(|error| credential::refused_because(&error))?;
    let updated = credential::after_use(credential::open(&stored)?, &used)?;
    let devices = guard::devices(context);
    let act = Finish { hash, waiting, stored, updated, devices };
    app.act(context, act).await??.sign(app)
}

struct Finish {
    hash: SecretHash,
    waiting: WaitingSignIn,
    stored: StoredPasskey,
    /// The credential after this use.
    updated: String,
    /// The device identifiers of the caller.
    devices: Vec<String>,
}

impl Act for Finish {
    type Permit = User;
    type Output = Result<Admitted>;
    const ACTION: &'static str = "passkey.verify";

    /// The signature is the permission. The ceremony ends here, so that each works once.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        let user = user::claim(unit.tx, self.waiting.user)?.ok_or_else(ceremony::over)?;
        let (id, former) = (self.stored.passkey.id, &self.stored.credential);
        if passkey::record_use(unit.tx, id, former, &self.updated, unit.now)? {
            Ok(user)
        } else {
            Err(credential::refused())
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, user: User) -> Result<Done<Self::Output>> {
        let admitted = waiting::complete(unit, &self.hash, &user, &self.devices)?;
        Ok(waiting::signed_in(admitted, "A user signed in with a passkey as second factor"))
    }
}
