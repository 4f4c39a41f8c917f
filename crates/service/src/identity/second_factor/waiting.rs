//! Sign-ins on pages whose first factor was right and that wait for a second one. There is no
//! session yet: the browser only has the secret of its ceremony.

use grantor_domain::access::Actor;
use grantor_domain::audit::Resource;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::second_factor::{Factors, MAX_WRONG, Need, PresentedCode, WAITING_LIFE};
use grantor_domain::secret::SecretHash;
use grantor_domain::sign_in::SignInMethod;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::user::{self, User};
use grantor_storage::{Tx, ceremony as ceremonies, second_factor, tenant};
use serde::{Deserialize, Serialize};
use webauthn_rs::prelude::{PasskeyAuthentication, PasskeyRegistration};

use super::attempt::SecondFactorAttempt;
use super::{Owner, check, wrong};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::ceremony::{self, CeremonyPurpose};
use crate::identity::session::{self, Admitted, SignedIn, guard};
use crate::organizations::membership;
use crate::{App, Context};

const PURPOSE: CeremonyPurpose = CeremonyPurpose::SignIn;

/// A sign-in that waits.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct WaitingSignIn {
    pub(crate) user: UserId,
    pub(super) tenant: TenantId,
    method: SignInMethod,
    /// Whether a second factor must be set up, rather than shown.
    sets_up: bool,
    /// The challenge to the person's passkeys, once they want to use one.
    pub(crate) passkey_check: Option<PasskeyAuthentication>,
    /// The challenge to a new passkey, once the person wants to create one.
    pub(crate) passkey_set_up: Option<PasskeyRegistration>,
}

impl WaitingSignIn {
    pub(crate) fn sets_up(&self) -> bool {
        self.sets_up
    }
}

/// A sign-in that waits, as its page shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingView {
    /// The account's address.
    pub email: String,
    /// The organization to be opened.
    pub organization: String,
    /// Whether a second factor must be set up, rather than shown.
    pub sets_up: bool,
    /// The person's second factors.
    pub factors: Factors,
}

/// Returns the sign-in that waits in this browser, if there is one.
pub async fn show(app: &App, ceremony: SecretHash) -> Result<Option<WaitingView>> {
    let (own, now) = (app.clone(), app.clock.now());
    app.store
        .read(move |tx| {
            let Some(waiting) = find(&own, tx, &ceremony, now)? else { return Ok(None) };
            let user = user::find(tx, waiting.user)?;
            let Some((user, tenant)) = user.zip(tenant::find(tx, waiting.tenant)?) else {
                return Ok(None);
            };
            let (email, organization) = (user.email, tenant.name);
            let factors = second_factor::factors(tx, user.id)?;
            // Set up elsewhere meanwhile: whoever waits here must show it.
            if waiting.sets_up && factors.any() {
                return Ok(None);
            }
            Ok(Some(WaitingView { email, organization, sets_up: waiting.sets_up, factors }))
        })
        .await
}

/// Finishes a sign-in with a code. The fifth wrong one ends it.
pub async fn finish_with_code(
    app: &App,
    context: &Context,
    ceremony: SecretHash,
    code: PresentedCode,
) -> Result<SignedIn> {
    let (own, now) = (app.clone(), app.clock.now());
    let waiting = app.store.read(move |tx| find(&own, tx, &ceremony, now)).await?;
    let user = waiting.ok_or_else(ceremony::over)?.user;
    let attempt = SecondFactorAttempt::begin(app, context, user, &code).await?;
    let (allowed, devices) = (attempt.allowed, guard::devices(context));
    let act = Finish { ceremony, code, allowed, devices };
    let outcome = app.act(context, act).await.flatten();
    attempt.end(app, &outcome).await;
    outcome?.sign(app)
}

/// Starts waiting.
pub(super) fn begin(
    unit: &mut UnitOfWork<'_, '_>,
    hash: &SecretHash,
    user: UserId,
    tenant: TenantId,
    method: SignInMethod,
    need: Need,
) -> Result<()> {
    let sets_up = need == Need::SetUp;
    let (passkey_check, passkey_set_up) = (None, None);
    let waiting = WaitingSignIn { user, tenant, method, sets_up, passkey_check, passkey_set_up };
    ceremony::begin(unit.app, unit.tx, hash, (PURPOSE, WAITING_LIFE), Some(user), &waiting)
}

/// Reads a sign-in that waits.
pub(crate) fn find(
    app: &App,
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    now: Timestamp,
) -> Result<Option<WaitingSignIn>> {
    let found = ceremonies::find(tx, hash, PURPOSE.name(), now)?;
    let found = found.filter(|it| it.wrong < MAX_WRONG);
    found.map(|it| ceremony::open(app, hash, &it.sealed)).transpose()
}

/// Starts the session of a sign-in whose second factor was right, and ends the ceremony. The caller
/// has locked the user.
pub(crate) fn complete(
    unit: &mut UnitOfWork<'_, '_>,
    hash: &SecretHash,
    user: &User,
    devices: &[String],
) -> Result<Admitted> {
    let waiting: WaitingSignIn = ceremony::consume(unit.app, unit.tx, hash, PURPOSE, unit.now)?;
    if waiting.user != user.id {
        return Err(ceremony::over());
    }
    let membership = membership::choose(unit.tx, user, Some(waiting.tenant))?;
    let membership = membership.ok_or_else(ceremony::over)?;
    let issued = session::admit(unit, user, &membership, waiting.method, devices)?;
    Ok(Admitted { issued, user: user.clone(), membership })
}

/// Like [`complete`], after a second factor was set up; nothing for a person who is signed in.
pub(crate) fn complete_set_up(
    unit: &mut UnitOfWork<'_, '_>,
    owner: &Owner,
    user: &User,
    devices: &[String],
) -> Result<Option<Admitted>> {
    match owner {
        Owner::Caller(_) => Ok(None),
        Owner::Waiting(hash) => complete(unit, hash, user, devices).map(Some),
    }
}

/// The log entry of a finished sign-in.
pub(crate) fn signed_in(admitted: Admitted, message: &str) -> Done<Result<Admitted>> {
    let resource = admitted.issued.resource(&admitted.user.fullname);
    let (id, tenant) = (admitted.user.id, admitted.membership.tenant);
    let actor = Actor::User { id, tenant, name: admitted.user.fullname.clone() };
    Done::new(Ok(admitted), resource, message).with_actor(actor)
}

struct Finish {
    ceremony: SecretHash,
    code: PresentedCode,
    /// Whether the limits allow this attempt.
    allowed: bool,
    /// The device identifiers of the caller.
    devices: Vec<String>,
}

impl Act for Finish {
    type Permit = (WaitingSignIn, User);
    type Output = Result<Admitted>;
    const ACTION: &'static str = "second_factor.verify";

    /// Having the ceremony is the permission. A code uses up one of its attempts.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let (hash, now) = (&self.ceremony, unit.now);
        let taken = ceremonies::take_attempt(unit.tx, hash, PURPOSE.name(), MAX_WRONG, now)?;
        let taken = taken.ok_or_else(ceremony::over)?;
        let waiting: WaitingSignIn = ceremony::open(unit.app, hash, &taken.sealed)?;
        let user = user::claim(unit.tx, waiting.user)?.ok_or_else(ceremony::over)?;
        if waiting.sets_up {
            return Err(Error::conflict("Set up a second factor first"));
        }
        Ok((waiting, user))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (waiting, user): Self::Permit,
    ) -> Result<Done<Self::Output>> {
        if !self.allowed || !check(unit, &user, &self.code)? {
            let name = Some(user.fullname.clone());
            let resource = Resource { kind: "user", id: Some(user.id.to_string()), name };
            let message = "A wrong code was entered as second factor";
            let mut done = Done::new(Err(wrong()), resource, message).refused();
            done.tenant = Some(waiting.tenant);
            return Ok(done);
        }
        let admitted = complete(unit, &self.ceremony, &user, &self.devices)?;
        Ok(signed_in(admitted, "A user signed in with a second factor"))
    }
}
