//! Signing in with the mailed link or code.

use grantor_domain::access::Actor;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::limit::LimitName;
use grantor_domain::otp::{CodeCheck, Otp};
use grantor_domain::second_factor::PresentedCode;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::sign_in::SignInMethod;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::challenge;
use grantor_storage::user::{self, User};

use super::{PendingLink, Proof, resource, wrong};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::code::{self, CodeAttempt, CodePurpose, Presented};
use crate::identity::registration::{self, AccountDetails};
use crate::identity::second_factor::{self, SecondFactor, Settled, Way};
use crate::identity::session::{self, Entered, Progress, SignedIn, guard, separate_refusal};
use crate::operations::limit::Subject;
use crate::organizations::membership::{self, TenantMembership};
use crate::{App, Context};

/// Signs in by the proof, in the given tenant or in the one last used. The error doesn't say what
/// was wrong. An account with a second factor needs [`verify_with`].
pub async fn verify(
    app: &App,
    context: &Context,
    proof: Proof,
    tenant: Option<TenantId>,
) -> Result<SignedIn> {
    verify_with(app, context, proof, tenant, None).await
}

/// Like [`verify`], with a code as second factor. Whether one is needed is only told once the proof
/// was right, which stays valid until both are.
pub async fn verify_with(
    app: &App,
    context: &Context,
    proof: Proof,
    tenant: Option<TenantId>,
    code: Option<PresentedCode>,
) -> Result<SignedIn> {
    attempt(app, context, proof, tenant, Way::Request(code)).await?.signed_in()
}

/// Signs in on a page. A second factor is shown on the next one, in the browser that has this
/// ceremony.
pub async fn enter(
    app: &App,
    context: &Context,
    proof: Proof,
    ceremony: &Secret,
) -> Result<Entered> {
    attempt(app, context, proof, None, Way::Page(ceremony.hash())).await
}

async fn attempt(
    app: &App,
    context: &Context,
    proof: Proof,
    tenant: Option<TenantId>,
    way: Way,
) -> Result<Entered> {
    let devices = guard::devices(context);
    let (credential, attempt) = match proof {
        Proof::Code { email, code } => {
            let attempt = CodeAttempt::begin(app, context, Some(&email)).await;
            let allowed = attempt.allowed;
            (Credential::Code { email: email.key(), code, allowed }, Some(attempt))
        }
        Proof::Token(text) => {
            let token = Secret::parse(&[SecretKind::MagicLink], &text).ok_or_else(wrong)?;
            (Credential::Link(token.hash()), None)
        }
    };
    // Codes count for an account only if whoever sends them has received its mail.
    let owner = match &way {
        Way::Request(Some(_)) => peek(app, &credential).await?,
        _ => None,
    };
    let (second, counted) = way.prepare(app, context, owner).await?;
    let act = Verify { credential, tenant, devices, second };
    let outcome = app.act(context, act).await.flatten();
    if let Some(counted) = counted {
        counted.end(app, &outcome).await;
    }
    let was_right = outcome.as_ref().map_or_else(is_about_second_factor, |_| true);
    if let Some(attempt) = attempt.filter(|_| was_right) {
        attempt.refund(app).await;
    }
    let (progress, email_key) = outcome?;
    // The limit counts only unused links.
    app.limiter.refund(LimitName::MagicLink, &Subject::text(&email_key)).await;
    progress.finish(app)
}

/// Whether a sign-in failed only by its second factor: the mailed code was right.
fn is_about_second_factor(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::SecondFactorRequired | ErrorKind::InvalidOtp)
}

/// Returns the account that a proof opens, without using up anything. The act decides again, with
/// its limits.
async fn peek(app: &App, credential: &Credential) -> Result<Option<UserId>> {
    let by_email = match credential {
        Credential::Code { email, .. } => Some(email.clone()),
        Credential::Link(_) => None,
    };
    let by_link = match credential {
        Credential::Code { .. } => None,
        Credential::Link(session) => Some(*session),
    };
    let found = app
        .store
        .read(move |tx| {
            let purpose = CodePurpose::MagicLink.name();
            let session = match &by_email {
                Some(email) => challenge::find_by_email(tx, email, purpose)?,
                None => by_link,
            };
            let Some(session) = session else { return Ok(None) };
            let found = challenge::find(tx, &session)?.filter(|it| it.purpose == purpose);
            Ok::<_, Error>(found.map(|it| (session, it)))
        })
        .await?;
    let Some((session, found)) = found else { return Ok(None) };
    let right = match credential {
        Credential::Code { code, .. } => code::is_right(app, &session, &found, code),
        Credential::Link(_) => true,
    };
    if !right {
        return Ok(None);
    }
    let pending: PendingLink = code::open(app, &session, &found)?;
    let key = pending.email.key();
    let user = app.store.read(move |tx| user::find_by_email(tx, &key)).await;
    Ok(user.map_err(Error::from)?.map(|it| it.id))
}

/// The presented proof.
enum Credential {
    /// The address and the code, and whether the limits allow this attempt.
    Code { email: String, code: Otp, allowed: bool },
    /// The hash of the link token, which identifies the challenge.
    Link(SecretHash),
}

struct Verify {
    credential: Credential,
    /// The tenant to act in.
    tenant: Option<TenantId>,
    /// The device identifiers of the caller.
    devices: Vec<String>,
    /// The second factor, or where it is shown.
    second: SecondFactor,
}

/// How far the sign-in got, and the lookup form of its address.
type Verified = (Progress, String);

impl Act for Verify {
    type Permit = Option<(SecretHash, CodeCheck, PendingLink)>;
    type Output = Result<Verified>;
    const ACTION: &'static str = "magic_link.verify";

    /// Having received the mail is the permission. A code uses up one of the attempts.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let purpose = CodePurpose::MagicLink;
        let (session, presented) = match &self.credential {
            Credential::Code { email, code, allowed } => {
                let found = challenge::find_by_email(unit.tx, email, purpose.name())?;
                (found, Presented::Code(code, *allowed))
            }
            Credential::Link(session) => (Some(*session), Presented::Link),
        };
        let Some(session) = session else { return Ok(None) };
        let tried = code::attempt(unit, purpose, &session, &presented)?;
        Ok(tried.map(|(verdict, pending)| (session, verdict, pending)))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<Self::Output>> {
        let Some((session, verdict, pending)) = permit else {
            let email =
                if let Credential::Code { email, .. } = &self.credential { email } else { "" };
            return Ok(refused(email));
        };
        let account = user::find_by_email(unit.tx, &pending.email.key())?;
        if verdict != CodeCheck::Accepted || (account.is_none() && pending.fullname.is_none()) {
            return Ok(refused(pending.email.as_str()));
        }
        let is_new = account.is_none();
        let last_tenant = account.as_ref().map(|it| it.last_tenant);
        let known = match &account {
            Some(user) => separate_refusal(membership::choose(unit.tx, user, self.tenant))?,
            None => Ok(None),
        };
        let known = match known {
            Ok(membership) => account.zip(membership),
            Err(refusal) => {
                let message = "A magic link for an inactive account was rejected";
                return Ok(refuse(&pending, refusal, message, last_tenant));
            }
        };
        // A new account isn't a member of any existing tenant.
        let (user, membership) = match (known, &pending.fullname) {
            (Some(known), _) => known,
            (None, Some(name)) if is_new && self.tenant.is_none() => {
                let details = AccountDetails::passwordless(name.clone(), pending.email.clone());
                registration::create(unit, &details)?
            }
            _ => return Ok(refused(pending.email.as_str())),
        };
        self.proceed(unit, &session, &pending, user, membership)
    }
}

impl Verify {
    /// Goes on with a user who received the mail.
    fn proceed(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        session: &SecretHash,
        pending: &PendingLink,
        user: User,
        membership: TenantMembership,
    ) -> Result<Done<Result<Verified>>> {
        let (method, tenant) = (SignInMethod::Email, Some(membership.tenant));
        // The mail works until the second factor is right, too.
        match second_factor::settle(unit, &user, &membership, method, &self.second)? {
            Settled::Satisfied => {}
            Settled::Refused(refusal) => {
                let message = "A magic link without a second factor was rejected";
                return Ok(refuse(pending, refusal, message, tenant));
            }
            Settled::Waiting(need) => {
                code::finish(unit, session)?;
                let message = "A sign-in with a magic link waits for a second factor";
                let verified = (Progress::Waiting(need), user.email_key);
                let mut done = Done::new(Ok(verified), resource(pending.email.as_str()), message);
                done.tenant = tenant;
                return Ok(done);
            }
        }
        code::finish(unit, session)?;
        let issued = session::admit(unit, &user, &membership, method, &self.devices)?;
        let (tenant, resource) = (membership.tenant, issued.resource(&user.fullname));
        let actor = Actor::User { id: user.id, tenant, name: user.fullname.clone() };
        let key = user.email_key.clone();
        let verified = (Progress::admitted(issued, user, membership), key);
        let message = "A user signed in with a magic link";
        Ok(Done::new(Ok(verified), resource, message).with_actor(actor))
    }
}

fn refused<T>(email: &str) -> Done<Result<T>> {
    Done::new(Err(wrong()), resource(email), "A magic link or its code was rejected").refused()
}

fn refuse<T>(
    pending: &PendingLink,
    refusal: Error,
    message: &'static str,
    tenant: Option<TenantId>,
) -> Done<Result<T>> {
    let mut done = Done::new(Err(refusal), resource(pending.email.as_str()), message).refused();
    done.tenant = tenant;
    done
}
