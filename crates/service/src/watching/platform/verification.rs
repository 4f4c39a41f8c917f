//! Verifying that an organization controls a domain.

use std::sync::Arc;

use grantor_domain::id::PlatformId;
use grantor_domain::limit::LimitName;
use grantor_domain::platform::{Platform, ProofToken, Proved, VerificationMethod};
use grantor_domain::{Error, Result};
use grantor_storage::{platform, pod};
use serde_json::{Map, Value};

use super::proof::{ProofResult, run_checks};
use super::{domain_conflict, manageable, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::operations::limit::Subject;
use crate::{App, Context};

/// The result of a verification.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The platform as it is now.
    pub platform: Platform,
    /// The result of each check.
    pub checks: Vec<ProofResult>,
}

/// Checks the domain for the proof. One successful check is enough. A verified domain stays
/// verified, so that a site that is down for an hour does not stop being scanned.
pub async fn verify(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: PlatformId,
    only: Option<VerificationMethod>,
) -> Result<Verification> {
    let subject = Subject::id(caller.user.as_uuid());
    context.rate_limit.record(app.limiter.hit(LimitName::Verification, &subject).await?);
    let reader = Arc::clone(&caller);
    let platform = app
        .store
        .read(move |tx| {
            let found = platform::find(tx, reader.tenant, id)?;
            manageable(tx, &reader, found)
        })
        .await?;
    let checks = run_checks(app, &platform, only).await;
    let act = Verify { caller, id, token: platform.token, checks: checks.clone() };
    let platform = app.act(context, act).await?;
    Ok(Verification { platform, checks })
}

struct Verify {
    caller: Arc<Caller>,
    id: PlatformId,
    token: ProofToken,
    checks: Vec<ProofResult>,
}

impl Act for Verify {
    type Permit = Platform;
    type Output = Platform;
    const ACTION: &'static str = "platform.verify";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Platform> {
        let found = platform::claim(unit.tx, self.caller.tenant, self.id)?;
        let platform = manageable(unit.tx, &self.caller, found)?;
        if platform.token != self.token {
            let message = "The platform's domain was changed in the meantime: verify it again";
            return Err(Error::conflict(message));
        }
        Ok(platform)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut platform: Platform,
    ) -> Result<Done<Platform>> {
        let found = self.checks.iter().find(|it| it.missing.is_none());
        let message = match (platform.proved, found) {
            (None, Some(ProofResult { method, .. })) => {
                platform.proved = Some(Proved { method: *method, at: unit.now });
                platform.updated_at = unit.now;
                platform::update(unit.tx, &platform).map_err(domain_conflict)?;
                pod::make_due(unit.tx, platform.id, unit.now)?;
                crate::notices::platform_verified(unit, &platform)?;
                "A platform's domain was verified"
            }
            (None, None) => "A platform's domain could not be verified",
            (Some(_), Some(_)) => "A platform's domain was verified again",
            (Some(_), None) => "A verified domain's proof was no longer found",
        };
        let outcome = |it: &ProofResult| (it.method.name().to_owned(), it.missing.is_none().into());
        let details: Map<String, Value> = self.checks.iter().map(outcome).collect();
        let resource = resource(&platform);
        let mut done = Done::new(platform, resource, message);
        done.details = details.into();
        Ok(done)
    }
}
