//! Signing in with a passkey alone. The device knows whose it is, so that nothing is typed.

use grantor_domain::audit::Resource;
use grantor_domain::id::UserId;
use grantor_domain::passkey::CEREMONY_LIFE;
use grantor_domain::secret::{Secret, SecretHash};
use grantor_domain::sign_in::SignInMethod;
use grantor_domain::{Error, Result};
use grantor_storage::Tx;
use grantor_storage::passkey::{self, StoredPasskey};
use grantor_storage::user::{self, User};
use webauthn_rs::prelude::{DiscoverableAuthentication, PublicKeyCredential};

use super::{credential, relying_party};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::ceremony::{self, CeremonyPurpose};
use crate::identity::second_factor::waiting;
use crate::identity::session::{self, Admitted, SignedIn, guard, separate_refusal};
use crate::organizations::membership;
use crate::{App, Context};

const PURPOSE: CeremonyPurpose = CeremonyPurpose::PasskeySignIn;

/// Asks for any passkey and returns the options for the browser, as JSON.
pub async fn start(app: &App, secret: &Secret) -> Result<String> {
    let started = relying_party::of(app)?.start_discoverable_authentication();
    let (mut options, state) = started.map_err(|it| Error::internal(it.to_string()))?;
    // A person presses a button, rather than choosing from a field's suggestions.
    options.mediation = None;
    let (own, hash) = (app.clone(), secret.hash());
    let keep = move |tx: &mut Tx<'_>| {
        ceremony::begin(&own, tx, &hash, (PURPOSE, CEREMONY_LIFE), None, &state)
    };
    app.store.write(keep).await?;
    credential::to_text(&options)
}

/// Signs in with what the passkey signed, in the organization last used.
pub async fn finish(
    app: &App,
    context: &Context,
    hash: SecretHash,
    signed: &str,
) -> Result<SignedIn> {
    let signed: PublicKeyCredential = credential::read(signed)?;
    let party = relying_party::of(app)?;
    let identified = party.identify_discoverable_authentication(&signed);
    let (owner, id) = identified.map_err(|error| credential::refused_because(&error))?;
    let (own, now, id) = (app.clone(), app.clock.now(), id.to_vec());
    let (state, stored): (Option<DiscoverableAuthentication>, _) = app
        .store
        .read(move |tx| {
            let state = ceremony::find(&own, tx, &hash, PURPOSE, now)?;
            Ok::<_, Error>((state, passkey::find_by_credential(tx, &id)?))
        })
        .await?;
    let state = state.ok_or_else(ceremony::over)?;
    let stored = stored.filter(|it| it.passkey.user == UserId::from(owner));
    let stored = stored.ok_or_else(credential::refused)?;
    let known = credential::open(&stored)?;
    let used = party.finish_discoverable_authentication_v2(&signed, state, &known);
    let used = used.map_err(|error| credential::refused_because(&error))?;
    let updated = credential::after_use(known, &used)?;
    let devices = guard::devices(context);
    let act = SignIn { hash, stored, updated, devices };
    app.act(context, act).await??.sign(app)
}

struct SignIn {
    hash: SecretHash,
    stored: StoredPasskey,
    /// The credential after this use.
    updated: String,
    /// The device identifiers of the caller.
    devices: Vec<String>,
}

impl Act for SignIn {
    type Permit = User;
    type Output = Result<Admitted>;
    const ACTION: &'static str = "passkey.sign_in";

    /// The signature is the permission. The ceremony ends here, so that each works once.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        let _: DiscoverableAuthentication =
            ceremony::consume(unit.app, unit.tx, &self.hash, PURPOSE, unit.now)?;
        let passkey = &self.stored.passkey;
        let user = user::claim(unit.tx, passkey.user)?.ok_or_else(credential::refused)?;
        let former = &self.stored.credential;
        if passkey::record_use(unit.tx, passkey.id, former, &self.updated, unit.now)? {
            Ok(user)
        } else {
            Err(credential::refused())
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, user: User) -> Result<Done<Self::Output>> {
        let chosen = separate_refusal(membership::choose(unit.tx, &user, None))?;
        let membership = match chosen.and_then(|it| it.ok_or_else(credential::refused)) {
            Ok(membership) => membership,
            Err(refusal) => {
                let name = Some(user.fullname.clone());
                let resource = Resource { kind: "user", id: Some(user.id.to_string()), name };
                let message = "A sign-in to an inactive account was rejected";
                let mut done = Done::new(Err(refusal), resource, message).refused();
                done.tenant = Some(user.last_tenant);
                return Ok(done);
            }
        };
        let method = SignInMethod::Passkey;
        let issued = session::admit(unit, &user, &membership, method, &self.devices)?;
        let admitted = Admitted { issued, user, membership };
        Ok(waiting::signed_in(admitted, "A user signed in with a passkey"))
    }
}
