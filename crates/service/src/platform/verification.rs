//! Proving that a domain is the organization's own.

use std::sync::Arc;

use grantor_domain::id::PlatformId;
use grantor_domain::limit::LimitName;
use grantor_domain::platform::{Platform, ProofToken, Proved, VerificationMethod};
use grantor_domain::{Error, Result};
use grantor_storage::{platform, pod};
use serde_json::{Map, Value};

use super::proof::{Check, check};
use super::{domain_conflict, manageable, resource};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::limit::Subject;
use crate::{App, Context};

/// What became of a verification.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The platform as it is now.
    pub platform: Platform,
    /// What each check found.
    pub checks: Vec<Check>,
}

/// Looks for the proof on the domain now. One check that finds it suffices. What was proved once
/// stays so: a site that is down for an hour must not stop its scanning.
pub async fn verify(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: PlatformId,
    only: Option<VerificationMethod>,
) -> Result<Verification> {
    let subject = Subject::id(caller.user.as_uuid());
    context.standing.put(app.limiter.hit(LimitName::Verification, &subject).await?);
    let reader = Arc::clone(&caller);
    let platform = app
        .store
        .read(move |tx| {
            let found = platform::find(tx, reader.tenant, id)?;
            manageable(tx, &reader, found)
        })
        .await?;
    let checks = check(app, &platform, only).await;
    let act = Verify { caller, id, token: platform.token, checks: checks.clone() };
    let platform = app.act(context, act).await?;
    Ok(Verification { platform, checks })
}

struct Verify {
    caller: Arc<Caller>,
    id: PlatformId,
    token: ProofToken,
    checks: Vec<Check>,
}

impl Act for Verify {
    type Grant = Platform;
    type Output = Platform;
    const ACTION: &'static str = "platform.verify";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Platform> {
        let found = platform::claim(desk.tx, self.caller.tenant, self.id)?;
        let platform = manageable(desk.tx, &self.caller, found)?;
        if platform.token != self.token {
            let message = "The platform's domain was changed meanwhile: verify it again";
            return Err(Error::conflict(message));
        }
        Ok(platform)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut platform: Platform) -> Result<Done<Platform>> {
        let found = self.checks.iter().find(|it| it.missing.is_none());
        let message = match (platform.proved, found) {
            (None, Some(Check { method, .. })) => {
                platform.proved = Some(Proved { method: *method, at: desk.now });
                platform.updated_at = desk.now;
                platform::update(desk.tx, &platform).map_err(domain_conflict)?;
                pod::hurry(desk.tx, platform.id, desk.now)?;
                "A platform's domain was proved"
            }
            (None, None) => "The proof of a platform's domain was not found",
            (Some(_), Some(_)) => "The proof of a platform's domain was found again",
            (Some(_), None) => "The proof of a platform's domain was not found again",
        };
        let outcome = |it: &Check| (it.method.name().to_owned(), it.missing.is_none().into());
        let details: Map<String, Value> = self.checks.iter().map(outcome).collect();
        let resource = resource(&platform);
        let mut done = Done::new(platform, resource, message);
        done.details = details.into();
        Ok(done)
    }
}
