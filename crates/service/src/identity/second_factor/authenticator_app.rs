//! Authenticator apps, which show a code that changes every 30 seconds (TOTP). The secret is stored
//! sealed.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::UserId;
use grantor_domain::otp::Otp;
use grantor_domain::second_factor::{AuthenticatorSecret, SET_UP_LIFE};
use grantor_domain::{Error, Result};
use grantor_keys::Purpose;
use grantor_storage::authenticator_app::{self as apps, AuthenticatorApp};
use grantor_storage::user::{self, User};

use super::{Owner, after_removal, issue_first, tell, waiting};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::identity::session::{Admitted, SignedIn, guard};
use crate::mail::phrase::Phrase;
use crate::{App, Context};

/// The secret of an app that is being set up, for the person to scan or type.
pub struct PendingApp {
    /// The address for the QR code; `None` if it would be too long.
    pub url: Option<String>,
    /// The secret, to be typed.
    pub key: String,
}

/// A second factor that was set up.
pub struct SetUp {
    /// New recovery codes, if these are the first. They are shown once.
    pub recovery_codes: Vec<String>,
    /// The sign-in that waited for it.
    pub signed_in: Option<SignedIn>,
}

/// Starts setting up an app. An earlier one works until the new one is confirmed.
pub async fn begin(app: &App, context: &Context, owner: Owner) -> Result<()> {
    app.act(context, Begin { owner }).await
}

/// Returns the secret of the app that is being set up, if there is one.
pub async fn pending(app: &App, owner: Owner) -> Result<Option<PendingApp>> {
    let (own, now) = (app.clone(), app.clock.now());
    let found = app
        .store
        .read(move |tx| {
            let id = owner.id(&own, tx, now)?;
            let sealed = apps::find_pending(tx, id, now)?;
            Ok::<_, Error>(user::find(tx, id)?.zip(sealed))
        })
        .await?;
    let Some((user, sealed)) = found else { return Ok(None) };
    let secret = open(app, user.id, &sealed)?;
    Ok(Some(PendingApp { url: secret.url(&user.email), key: secret.key() }))
}

/// Confirms an app with a code that it shows.
pub async fn confirm(app: &App, context: &Context, owner: Owner, code: &str) -> Result<SetUp> {
    let digits: String = code.chars().filter(|it| !it.is_whitespace()).collect();
    let code = Otp::parse(&digits).map_err(|reason| Error::field("code", reason))?;
    let devices = guard::devices(context);
    let confirmed = app.act(context, Confirm { owner, code, devices }).await?;
    let (recovery_codes, admitted) = confirmed;
    let signed_in = admitted.map(|it| it.sign(app)).transpose()?;
    Ok(SetUp { recovery_codes, signed_in })
}

/// Removes the caller's app.
pub async fn remove(app: &App, context: &Context, caller: Arc<Caller>) -> Result<()> {
    app.act(context, Remove { caller }).await
}

/// Checks a code and uses it up. The caller has locked the user.
pub(super) fn check(unit: &mut UnitOfWork<'_, '_>, user: UserId, code: &Otp) -> Result<bool> {
    let Some(found) = apps::find(unit.tx, user)? else { return Ok(false) };
    let secret = open(unit.app, user, &found.sealed)?;
    let step = secret.check(code, unit.now, found.last_step);
    let Some(step) = step else { return Ok(false) };
    Ok(apps::use_step(unit.tx, user, step)?)
}

/// Returns the encryption context that binds a secret to its person.
pub(crate) fn sealed_for(user: UserId) -> String {
    format!("authenticator_app/{user}")
}

fn seal(app: &App, user: UserId, secret: &AuthenticatorSecret) -> Vec<u8> {
    app.keys.seal(Purpose::Field, &sealed_for(user), secret.expose())
}

fn open(app: &App, user: UserId, sealed: &[u8]) -> Result<AuthenticatorSecret> {
    app.keys
        .open_sealed(Purpose::Field, &sealed_for(user), sealed)
        .and_then(|plain| AuthenticatorSecret::from_bytes(&plain))
        .ok_or_else(|| Error::internal("the secret of an authenticator app cannot be decrypted"))
}

fn resource(user: &User) -> Resource {
    Resource { kind: "user", id: Some(user.id.to_string()), name: Some(user.fullname.clone()) }
}

struct Begin {
    owner: Owner,
}

impl Act for Begin {
    type Permit = User;
    type Output = ();
    const ACTION: &'static str = "authenticator_app.begin";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        self.owner.claim(unit)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, user: User) -> Result<Done<()>> {
        let secret = AuthenticatorSecret::generate(&*unit.app.entropy);
        let sealed = seal(unit.app, user.id, &secret);
        apps::put_pending(unit.tx, user.id, &sealed, unit.now.plus(SET_UP_LIFE))?;
        let message = "The set-up of an authenticator app was started";
        let actor = self.owner.actor(unit, &user)?;
        Ok(Done::new((), resource(&user), message).with_actor(actor))
    }
}

struct Confirm {
    owner: Owner,
    code: Otp,
    /// The device identifiers of the caller.
    devices: Vec<String>,
}

impl Act for Confirm {
    type Permit = (User, Vec<u8>);
    type Output = (Vec<String>, Option<Admitted>);
    const ACTION: &'static str = "authenticator_app.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let user = self.owner.claim(unit)?;
        let sealed = apps::find_pending(unit.tx, user.id, unit.now)?;
        let expired = || Error::conflict("The set-up has expired; start again");
        Ok((user, sealed.ok_or_else(expired)?))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<Self::Output>> {
        let (user, sealed) = permit;
        let secret = open(unit.app, user.id, &sealed)?;
        // Whoever sets up an app has its secret, so that codes need no limit here.
        let wrong = || Error::field("code", "is not the code that the app shows now");
        let last_step = secret.check(&self.code, unit.now, 0).ok_or_else(wrong)?;
        let app = AuthenticatorApp { sealed, last_step, created_at: unit.now };
        apps::put(unit.tx, user.id, &app)?;
        apps::delete_pending(unit.tx, user.id)?;
        let codes = issue_first(unit, user.id)?;
        tell(unit, &user, Phrase::message("mail-change-app-added"))?;
        // Before the sign-in is finished, because then it no longer waits.
        let actor = self.owner.actor(unit, &user)?;
        let admitted = waiting::complete_set_up(unit, &self.owner, &user, &self.devices)?;
        let message = "An authenticator app was set up";
        Ok(Done::new((codes, admitted), resource(&user), message).with_actor(actor))
    }
}

struct Remove {
    caller: Arc<Caller>,
}

impl Act for Remove {
    type Permit = User;
    type Output = ();
    const ACTION: &'static str = "authenticator_app.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        Owner::Caller(Arc::clone(&self.caller)).claim(unit)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, user: User) -> Result<Done<()>> {
        if !apps::delete(unit.tx, user.id)? {
            return Err(Error::not_found("Authenticator app"));
        }
        after_removal(unit, user.id, self.caller.tenant)?;
        tell(unit, &user, Phrase::message("mail-change-app-removed"))?;
        Ok(Done::new((), resource(&user), "An authenticator app was removed"))
    }
}
