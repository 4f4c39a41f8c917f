//! The email domains of an organization, proved by a DNS record as the domains of platforms are.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::limit::LimitName;
use grantor_domain::platform::ProofToken;
use grantor_domain::single_sign_on::{DomainClaim, MAX_DOMAINS, MailDomain};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::single_sign_on::{self, DOMAIN_IS_CLAIMED, DOMAIN_IS_PROVED};
use grantor_storage::tenant;
use serde_json::json;

use super::may_manage;
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::operations::limit::Subject;
use crate::{App, Context};

/// Claims a domain for the caller's organization.
pub async fn add(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    domain: MailDomain,
) -> Result<()> {
    app.act(context, Add { caller, domain }).await
}

/// Looks for the DNS record of a domain. `Err` in the result says what is missing. A domain that was
/// proved stays so.
pub async fn verify(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    domain: MailDomain,
) -> Result<Result<(), String>> {
    may_manage(&caller)?;
    let subject = Subject::id(caller.user.as_uuid());
    context.rate_limit.record(app.limiter.hit(LimitName::Verification, &subject).await?);
    let (tenant, wanted) = (caller.tenant, domain.clone());
    let claim = app
        .store
        .read(move |tx| single_sign_on::find_domain(tx, tenant, &wanted)?.ok_or_else(not_found))
        .await?;
    let found = look(app, &claim).await;
    let is_found = found.is_ok();
    let act = Verify { caller, domain, token: claim.token, found: is_found };
    app.act(context, act).await?;
    Ok(found)
}

/// Gives up a domain. Its addresses can no longer sign in with the provider.
pub async fn remove(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    domain: MailDomain,
) -> Result<()> {
    app.act(context, Remove { caller, domain }).await
}

async fn look(app: &App, claim: &DomainClaim) -> Result<(), String> {
    let name = claim.domain.record_name(&app.service_name);
    let texts = app.outbound.txt_records(&name).await;
    let texts = texts.map_err(|_| format!("the TXT records of {name} could not be looked up"))?;
    if texts.iter().any(|it| it.trim_ascii() == claim.token.as_str().as_bytes()) {
        return Ok(());
    }
    Err(match texts.len() {
        0 => format!("{name} has no TXT record"),
        _ => format!("{name} has no TXT record with the expected value"),
    })
}

fn not_found() -> Error {
    Error::not_found("Domain")
}

fn resource(domain: &MailDomain) -> Resource {
    Resource { kind: "single_sign_on", id: None, name: Some(domain.as_str().to_owned()) }
}

/// Explains a violated unique constraint.
fn conflict(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == DOMAIN_IS_CLAIMED => {
            Error::new(ErrorKind::Exists, "Your organization already has this domain").at("domain")
        }
        grantor_storage::Error::Unique(name) if name == DOMAIN_IS_PROVED => {
            Error::conflict("Another organization has verified this domain").at("domain")
        }
        other => other.into(),
    }
}

struct Add {
    caller: Arc<Caller>,
    domain: MailDomain,
}

impl Act for Add {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "single_sign_on.add_domain";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        may_manage(&self.caller)?;
        // Locked, so that concurrent requests cannot exceed the maximum.
        tenant::claim(unit.tx, self.caller.tenant)?;
        if single_sign_on::domains(unit.tx, self.caller.tenant)?.len() >= MAX_DOMAINS {
            let message = format!("You can have at most {MAX_DOMAINS} domains; remove one first");
            return Err(Error::conflict(message).at("domain"));
        }
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        let claim = DomainClaim {
            domain: self.domain.clone(),
            token: ProofToken::generate(&*unit.app.entropy),
            proved_at: None,
            created_at: unit.now,
        };
        let inserted = single_sign_on::insert_domain(unit.tx, self.caller.tenant, &claim);
        inserted.map_err(conflict)?;
        Ok(Done::new((), resource(&self.domain), "A domain for single sign-on was added"))
    }
}

struct Verify {
    caller: Arc<Caller>,
    domain: MailDomain,
    token: ProofToken,
    found: bool,
}

impl Act for Verify {
    type Permit = DomainClaim;
    type Output = ();
    const ACTION: &'static str = "single_sign_on.verify_domain";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<DomainClaim> {
        may_manage(&self.caller)?;
        tenant::claim(unit.tx, self.caller.tenant)?;
        let found = single_sign_on::find_domain(unit.tx, self.caller.tenant, &self.domain)?;
        // A domain that was removed and added again has another token.
        found.filter(|it| it.token == self.token).ok_or_else(not_found)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, claim: DomainClaim) -> Result<Done<()>> {
        let message = match (claim.proved_at, self.found) {
            (None, true) => {
                let tenant = self.caller.tenant;
                let proved = single_sign_on::set_proved(unit.tx, tenant, &self.domain, unit.now);
                proved.map_err(conflict)?;
                "A domain for single sign-on was verified"
            }
            (None, false) => "A domain for single sign-on could not be verified",
            (Some(_), true) => "A domain for single sign-on was verified again",
            (Some(_), false) => "The DNS record of a verified domain was no longer found",
        };
        let mut done = Done::new((), resource(&self.domain), message);
        done.details = json!({ "found": self.found });
        Ok(done)
    }
}

struct Remove {
    caller: Arc<Caller>,
    domain: MailDomain,
}

impl Act for Remove {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "single_sign_on.remove_domain";

    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        may_manage(&self.caller)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        if !single_sign_on::delete_domain(unit.tx, self.caller.tenant, &self.domain)? {
            return Err(not_found());
        }
        Ok(Done::new((), resource(&self.domain), "A domain for single sign-on was removed"))
    }
}
