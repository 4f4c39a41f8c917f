//! Signing in at an organization's identity provider.

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::TenantId;
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::person::FullName;
use grantor_domain::role::Role;
use grantor_domain::secret::{Secret, SecretHash};
use grantor_domain::sign_in::SignInMethod;
use grantor_domain::single_sign_on::{CEREMONY_LIFE, Connection, Issuer, MailDomain};
use grantor_domain::{Error, ErrorKind, Result, hex};
use grantor_storage::single_sign_on::{self, SealedSecret};
use grantor_storage::tenant::Tenant;
use grantor_storage::user::{self, User};
use grantor_storage::{Tx, tenant};
use serde::{Deserialize, Serialize};

use super::connection;
use super::provider::{self, Challenge};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::ceremony::{self, CeremonyPurpose};
use crate::identity::registration::{self, AccountDetails};
use crate::identity::second_factor::waiting;
use crate::identity::session::{self, Admitted, SignedIn, guard, separate_refusal};
use crate::organizations::membership;
use crate::{App, Context};

const PURPOSE: CeremonyPurpose = CeremonyPurpose::SingleSignOn;

/// A sign-in that goes on at the provider.
pub struct Started {
    /// The address of the provider's sign-in page.
    pub url: String,
    /// The organization's name.
    pub organization: String,
}

/// What the provider sends the browser back with.
#[derive(Clone, Copy)]
pub struct Callback<'a> {
    /// The value that names the sign-in.
    pub state: &'a str,
    /// The code to exchange; `None` if the provider refused.
    pub code: Option<&'a str>,
    /// The provider that claims to send the browser, if it tells (RFC 9207).
    pub issuer: Option<&'a str>,
}

/// A person who came back from the provider.
pub struct Returned {
    /// The person.
    pub signed_in: SignedIn,
    /// The page to go to.
    pub next: String,
}

/// The state of a sign-in while the person is at the provider.
#[derive(Serialize, Deserialize)]
struct State {
    tenant: TenantId,
    issuer: String,
    nonce: String,
    verifier: String,
    next: String,
}

/// Starts signing in with an address, if an organization has proved its domain. The browser keeps the
/// secret until the person comes back.
pub async fn start(app: &App, email: &Email, next: &str, secret: &Secret) -> Result<Started> {
    let domain = MailDomain::of(email);
    let named = domain.clone();
    let found = app.store.read(move |tx| find(tx, &domain)).await?;
    let (tenant, connection, sealed) = found.ok_or_else(|| not_set_up(&named))?;
    let hash = secret.hash();
    let random = || hex::encode(&app.entropy.bytes::<32>());
    let challenge = Challenge { state: state_of(&hash), nonce: random(), verifier: random() };
    let client_secret = connection::open(app, tenant.id, &sealed)?;
    let email = email.as_str();
    let url = provider::sign_in_url(app, &connection, &client_secret, &challenge, email)?;
    let state = State {
        tenant: tenant.id,
        issuer: connection.issuer.as_str().to_owned(),
        nonce: challenge.nonce,
        verifier: challenge.verifier,
        next: next.to_owned(),
    };
    let own = app.clone();
    let keep = move |tx: &mut Tx<'_>| {
        ceremony::begin(&own, tx, &hash, (PURPOSE, CEREMONY_LIFE), None, &state)
    };
    app.store.write(keep).await?;
    Ok(Started { url, organization: tenant.name })
}

/// Signs in a person who came back. The secret of the browser names the sign-in, which ends here
/// whatever comes of it.
pub async fn finish(
    app: &App,
    context: &Context,
    hash: SecretHash,
    callback: Callback<'_>,
) -> Result<Returned> {
    if callback.state != state_of(&hash) {
        return Err(ceremony::over());
    }
    let (own, now) = (app.clone(), app.clock.now());
    let take = move |tx: &mut Tx<'_>| ceremony::consume(&own, tx, &hash, PURPOSE, now);
    let state: State = app.store.write(take).await?;
    let tenant = state.tenant;
    let found = app.store.read(move |tx| find_connection(tx, tenant)).await?;
    let found = found.filter(|(_, it, _)| it.issuer.as_str() == state.issuer);
    let (tenant, connection, sealed) = found.ok_or_else(|| switched_off(&state.issuer))?;
    let whose = (&tenant, &connection.issuer);
    if callback.issuer.is_some_and(|it| it != connection.issuer.as_str()) {
        return Err(fail(app, context, whose, "the response is from another issuer").await);
    }
    let Some(code) = callback.code else {
        return Err(fail(app, context, whose, "the provider did not sign the person in").await);
    };
    let secret = connection::open(app, tenant.id, &sealed)?;
    let State { nonce, verifier, next, .. } = state;
    let challenge = Challenge { state: state_of(&hash), nonce, verifier };
    let identity = provider::identify(app, &connection, &secret, &challenge, code);
    let identity = Box::pin(identity).await?;
    let identity = match identity {
        Ok(identity) => identity,
        Err(reason) => return Err(fail(app, context, whose, &reason).await),
    };
    let email = identity.email.as_deref().and_then(|it| Email::parse(it).ok());
    let Some(email) = email.filter(|_| !identity.unverified) else {
        let reason = "the provider sent no verified email address";
        return Err(fail(app, context, whose, reason).await);
    };
    let (fullname, subject) = (identity.fullname(&email), identity.subject);
    let devices = guard::devices(context);
    let act =
        SignIn { tenant, role: connection.new_member_role, subject, email, fullname, devices };
    let signed_in = app.act(context, act).await??.sign(app)?;
    Ok(Returned { signed_in, next })
}

/// The value that names a sign-in in addresses. It is a hash, so that whoever sees the address does
/// not get the browser's secret.
fn state_of(hash: &SecretHash) -> String {
    hex::encode(hash.as_bytes())
}

type Found = (Tenant, Connection, SealedSecret);

/// Returns the organization that has proved a domain, if people can sign in with its provider.
fn find(tx: &mut Tx<'_>, domain: &MailDomain) -> Result<Option<Found>> {
    match single_sign_on::find_by_domain(tx, domain)? {
        Some(tenant) => find_connection(tx, tenant),
        None => Ok(None),
    }
}

fn find_connection(tx: &mut Tx<'_>, id: TenantId) -> Result<Option<Found>> {
    let tenant = tenant::find(tx, id)?.filter(|it| it.status == OrganizationStatus::Active);
    let connection = single_sign_on::find(tx, id)?.filter(|(it, _)| it.enabled);
    Ok(tenant.zip(connection).map(|(tenant, (connection, secret))| (tenant, connection, secret)))
}

fn not_set_up(domain: &MailDomain) -> Error {
    let message = format!(
        "Single sign-on is not set up for {}; sign in another way, or ask an administrator of your \
         organization to set it up",
        domain.as_str()
    );
    Error::new(ErrorKind::NotFound, message).at("email")
}

fn switched_off(issuer: &str) -> Error {
    let message =
        format!("Single sign-on with {issuer} was changed or turned off meanwhile; start again");
    Error::new(ErrorKind::InvalidSession, message)
}

fn refused(message: String) -> Error {
    Error::new(ErrorKind::Forbidden, message)
}

/// Logs a failure for the organization's administrators and returns the error for the person, which
/// names the provider and says what to do.
async fn fail(
    app: &App,
    context: &Context,
    (tenant, issuer): (&Tenant, &Issuer),
    reason: &str,
) -> Error {
    let (id, name, reason) = (tenant.id, tenant.name.clone(), reason.to_owned());
    let issuer = issuer.as_str().to_owned();
    let shown = format!(
        "{issuer} could not sign you in to {name}: {reason}. Try again, or ask an administrator of \
         {name} to check the single sign-on settings"
    );
    match app.act(context, Fail { tenant: id, name, issuer, reason }).await {
        Ok(()) => refused(shown),
        Err(error) => error,
    }
}

struct Fail {
    tenant: TenantId,
    name: String,
    issuer: String,
    reason: String,
}

impl Act for Fail {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "single_sign_on.fail";

    /// Only called after a sign-in failed.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, _: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        let (id, name) = (Some(self.tenant.to_string()), Some(self.name.clone()));
        let resource = Resource { kind: "single_sign_on", id, name };
        let message = format!("A single sign-on at {} failed: {}", self.issuer, self.reason);
        let mut done = Done::new((), resource, message).refused();
        done.tenant = Some(self.tenant);
        Ok(done)
    }
}

struct SignIn {
    tenant: Tenant,
    /// The role of people who sign in for the first time.
    role: Option<Role>,
    subject: String,
    email: Email,
    /// The name for a new account.
    fullname: Option<FullName>,
    /// The device identifiers of the caller.
    devices: Vec<String>,
}

impl Act for SignIn {
    /// The account with the address, if there is one.
    type Permit = Result<Option<User>>;
    type Output = Result<Admitted>;
    const ACTION: &'static str = "single_sign_on.sign_in";

    /// The provider's word counts for addresses in domains that the organization has proved, and for
    /// nobody else's.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        tenant::claim(unit.tx, self.tenant.id)?;
        let domain = MailDomain::of(&self.email);
        if single_sign_on::find_by_domain(unit.tx, &domain)? != Some(self.tenant.id) {
            let (domain, name) = (domain.as_str(), &self.tenant.name);
            return Ok(Err(refused(format!(
                "{name} has not verified the domain {domain}; ask an administrator of {name} to \
                 verify it"
            ))));
        }
        let found = user::find_by_email(unit.tx, &self.email.key())?;
        let found = found.map(|it| user::claim(unit.tx, it.id)).transpose()?.flatten();
        self.check_subject(unit.tx, found)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<Self::Output>> {
        let found = match permit {
            Ok(found) => separate_refusal(self.member(unit, found))?,
            Err(refusal) => Err(refusal),
        };
        let user = match found {
            Ok(user) => user,
            Err(refusal) => return Ok(self.refuse(refusal)),
        };
        let chosen = membership::choose(unit.tx, &user, Some(self.tenant.id));
        let membership = match separate_refusal(chosen)? {
            Ok(Some(membership)) => membership,
            Ok(None) => return Ok(self.refuse(self.not_a_member())),
            Err(refusal) => return Ok(self.refuse(refusal)),
        };
        if !single_sign_on::has_subject(unit.tx, self.tenant.id, user.id)? {
            let tenant = self.tenant.id;
            single_sign_on::insert_subject(unit.tx, tenant, &self.subject, user.id, unit.now)?;
        }
        let method = SignInMethod::SingleSignOn;
        let issued = session::admit(unit, &user, &membership, method, &self.devices)?;
        let admitted = Admitted { issued, user, membership };
        Ok(waiting::signed_in(admitted, "A user signed in with single sign-on"))
    }
}

impl SignIn {
    /// An address may be given to somebody else at the provider; the account stays with whoever had
    /// it first.
    fn check_subject(&self, tx: &mut Tx<'_>, found: Option<User>) -> Result<Result<Option<User>>> {
        let linked = single_sign_on::find_subject(tx, self.tenant.id, &self.subject)?;
        let own = found.as_ref().map(|it| it.id);
        let has_other = match own {
            Some(id) if linked.is_none() => single_sign_on::has_subject(tx, self.tenant.id, id)?,
            _ => false,
        };
        if has_other || linked.is_some_and(|it| Some(it) != own) {
            let email = self.email.as_str();
            let message = format!(
                "{email} belongs to another person at {}; ask an administrator for help",
                self.tenant.name
            );
            return Ok(Err(refused(message)));
        }
        Ok(Ok(found))
    }

    /// Returns the account as a member of the organization. People who sign in for the first time
    /// become members, if the organization wants that.
    fn member(&self, unit: &mut UnitOfWork<'_, '_>, found: Option<User>) -> Result<User> {
        let tenant = self.tenant.id;
        match (found, self.role) {
            (Some(user), role) => {
                if grantor_storage::membership::find(unit.tx, tenant, user.id)?.is_none() {
                    let role = role.ok_or_else(|| self.not_a_member())?;
                    membership::join(unit, tenant, user.id, role)?;
                }
                Ok(user)
            }
            (None, Some(role)) => {
                let name = self.fullname.clone().ok_or_else(|| self.not_a_member())?;
                let details = AccountDetails::passwordless(name, self.email.clone());
                registration::create_in(unit, tenant, role, &details)
            }
            (None, None) => Err(self.not_a_member()),
        }
    }

    fn not_a_member(&self) -> Error {
        let (email, name) = (self.email.as_str(), &self.tenant.name);
        refused(format!("{email} is not a member of {name}; ask an administrator to invite you"))
    }

    fn refuse(&self, refusal: Error) -> Done<Result<Admitted>> {
        let name = Some(self.email.as_str().to_owned());
        let resource = Resource { kind: "single_sign_on", id: None, name };
        let message = format!("A single sign-on was rejected: {}", refusal.message());
        let mut done = Done::new(Err(refusal), resource, message).refused();
        done.tenant = Some(self.tenant.id);
        done
    }
}
