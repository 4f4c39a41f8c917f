//! Adding a passkey.

use grantor_domain::id::UserId;
use grantor_domain::passkey::{CEREMONY_LIFE, MAX_PASSKEYS, Passkey, PasskeyName};
use grantor_domain::secret::{Secret, SecretHash};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::passkey::{self, CREDENTIAL_IS_TAKEN, StoredPasskey};
use grantor_storage::user::{self, User};
use grantor_storage::{Tx, ceremony as ceremonies};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use webauthn_rs::prelude::{PasskeyRegistration, RegisterPublicKeyCredential};

use super::{credential, relying_party, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::ceremony::{self, CeremonyPurpose};
use crate::identity::second_factor::authenticator_app::SetUp;
use crate::identity::second_factor::{Owner, issue_first, tell, waiting};
use crate::identity::session::{Admitted, guard};
use crate::mail::phrase::Phrase;
use crate::{App, Context};

const PURPOSE: CeremonyPurpose = CeremonyPurpose::PasskeySetUp;

/// The state of a set-up by a signed-in person. That of a sign-in which waits is part of it.
#[derive(Serialize, Deserialize)]
struct State {
    user: UserId,
    registration: PasskeyRegistration,
}

/// Starts adding a passkey and returns the options for the browser, as JSON. A signed-in person's
/// browser gets the secret of the ceremony.
pub async fn start(app: &App, owner: Owner, secret: &Secret) -> Result<String> {
    let (reader, own, now) = (owner.clone(), app.clone(), app.clock.now());
    let (user, known) = app
        .store
        .read(move |tx| {
            let id = reader.id(&own, tx, now)?;
            let user = user::find(tx, id)?.ok_or_else(|| Error::not_found("User"))?;
            Ok::<_, Error>((user, passkey::list(tx, id)?))
        })
        .await?;
    check_count(known.len())?;
    let known = known.into_iter().map(|it| it.credential_id).collect();
    let party = relying_party::of(app)?;
    let started = party.start_passkey_registration(
        user.id.as_uuid(),
        &user.email,
        &user.fullname,
        Some(known),
    );
    let (options, registration) = started.map_err(|it| Error::internal(it.to_string()))?;
    let (own, hash, id) = (app.clone(), secret.hash(), user.id);
    let keep = move |tx: &mut Tx<'_>| remember(&own, tx, &owner, &hash, id, &registration);
    app.store.write(keep).await?;
    let mut options =
        serde_json::to_value(options).map_err(|it| Error::internal(it.to_string()))?;
    // A passkey that the device can list signs in without a username.
    options["publicKey"]["authenticatorSelection"]["residentKey"] = Value::from("preferred");
    Ok(options.to_string())
}

fn remember(
    app: &App,
    tx: &mut Tx<'_>,
    owner: &Owner,
    secret: &SecretHash,
    user: UserId,
    registration: &PasskeyRegistration,
) -> Result<()> {
    let registration = registration.clone();
    match owner {
        Owner::Caller(_) => {
            let state = State { user, registration };
            ceremony::begin(app, tx, secret, (PURPOSE, CEREMONY_LIFE), Some(user), &state)
        }
        Owner::Waiting(hash) => {
            let now = app.clock.now();
            let mut waiting = waiting::find(app, tx, hash, now)?.ok_or_else(ceremony::over)?;
            waiting.passkey_set_up = Some(registration);
            ceremonies::update(tx, hash, &ceremony::seal(app, hash, &waiting)?)?;
            Ok(())
        }
    }
}

/// Adds the passkey that the browser created. `ceremony` is what a signed-in person's browser has.
pub async fn finish(
    app: &App,
    context: &Context,
    owner: Owner,
    ceremony: Option<SecretHash>,
    name: PasskeyName,
    created: &str,
) -> Result<SetUp> {
    let created: RegisterPublicKeyCredential = credential::read(created)?;
    let (own, now, reader) = (app.clone(), app.clock.now(), owner.clone());
    let registration = app
        .store
        .read(move |tx| find(&own, tx, &reader, ceremony, now))
        .await?
        .ok_or_else(ceremony::over)?;
    let made = relying_party::of(app)?.finish_passkey_registration(&created, &registration);
    let made = made.map_err(|error| credential::refused_because(&error))?;
    let (credential_id, text) = (made.cred_id().clone(), credential::to_text(&made)?);
    let devices = guard::devices(context);
    let act = Add { owner, ceremony, name, credential_id, credential: text, devices };
    let (recovery_codes, admitted) = app.act(context, act).await?;
    let signed_in = admitted.map(|it| it.sign(app)).transpose()?;
    Ok(SetUp { recovery_codes, signed_in })
}

/// Returns the challenge that was sent to this person's browser.
fn find(
    app: &App,
    tx: &mut Tx<'_>,
    owner: &Owner,
    ceremony: Option<SecretHash>,
    now: grantor_domain::Timestamp,
) -> Result<Option<PasskeyRegistration>> {
    match owner {
        Owner::Caller(caller) => {
            let Some(hash) = ceremony else { return Ok(None) };
            let state: Option<State> = ceremony::find(app, tx, &hash, PURPOSE, now)?;
            Ok(state.filter(|it| it.user == caller.user).map(|it| it.registration))
        }
        Owner::Waiting(hash) => {
            Ok(waiting::find(app, tx, hash, now)?.and_then(|it| it.passkey_set_up))
        }
    }
}

fn check_count(count: usize) -> Result<()> {
    if count < MAX_PASSKEYS {
        return Ok(());
    }
    let message = format!("You can have at most {MAX_PASSKEYS} passkeys; remove one first");
    Err(Error::conflict(message))
}

struct Add {
    owner: Owner,
    ceremony: Option<SecretHash>,
    name: PasskeyName,
    credential_id: Vec<u8>,
    credential: String,
    /// The device identifiers of the caller.
    devices: Vec<String>,
}

impl Act for Add {
    type Permit = User;
    type Output = (Vec<String>, Option<Admitted>);
    const ACTION: &'static str = "passkey.create";

    /// The ceremony ends here, so that each challenge is answered once.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<User> {
        let user = self.owner.claim(unit)?;
        if let (Owner::Caller(_), Some(hash)) = (&self.owner, &self.ceremony) {
            let state: State = ceremony::consume(unit.app, unit.tx, hash, PURPOSE, unit.now)?;
            if state.user != user.id {
                return Err(ceremony::over());
            }
        }
        check_count(passkey::list(unit.tx, user.id)?.len())?;
        Ok(user)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, user: User) -> Result<Done<Self::Output>> {
        let id = unit.ids.next();
        let (name, created_at) = (self.name.clone(), unit.now);
        let passkey = Passkey { id, user: user.id, name, last_used_at: None, created_at };
        let (credential_id, credential) = (self.credential_id.clone(), self.credential.clone());
        let stored = StoredPasskey { passkey, credential_id, credential };
        passkey::insert(unit.tx, &stored).map_err(taken)?;
        let codes = issue_first(unit, user.id)?;
        let change = Phrase::with("mail-change-passkey-added", "name", self.name.as_str());
        tell(unit, &user, change)?;
        // Before the sign-in is finished, because then it no longer waits.
        let actor = self.owner.actor(unit, &user)?;
        let admitted = waiting::complete_set_up(unit, &self.owner, &user, &self.devices)?;
        let resource = resource(id, self.name.as_str());
        let done = Done::new((codes, admitted), resource, "A passkey was added");
        Ok(done.with_actor(actor))
    }
}

fn taken(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == CREDENTIAL_IS_TAKEN => {
            Error::new(ErrorKind::Exists, "This passkey was added before")
        }
        other => other.into(),
    }
}
