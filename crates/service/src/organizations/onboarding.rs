//! The first steps of a person in an organization, which the dashboard lists until all are done or
//! the person hides the list. That all are done is told once.

use std::sync::Arc;

use grantor_domain::audit::Resource;
pub use grantor_domain::onboarding::Step;
use grantor_domain::usage::ResourceUsage;
use grantor_domain::{Error, Result};
use grantor_storage::onboarding::{self, LICENSES_LOOKED_AT, Marks, Traces};
use grantor_storage::usage;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::{App, Context};

/// The steps, and whether each is done.
pub type Checklist = Vec<(Step, bool)>;

/// Returns the caller's first steps; `None` if the list is hidden or was finished.
pub async fn show(app: &App, caller: &Caller) -> Result<Option<Checklist>> {
    let (user, tenant) = (caller.user, caller.tenant);
    let steps: Vec<Step> = Step::of(caller.role, caller.tenant_type).collect();
    let read = app.store.read(move |tx| {
        let marks = onboarding::marks(tx, user, tenant)?;
        if marks.hidden {
            return Ok::<_, Error>(None);
        }
        let (used, traces) = (usage::find(tx, tenant)?, onboarding::traces(tx, user, tenant)?);
        Ok(Some((marks, used, traces)))
    });
    let Some((marks, used, traces)) = read.await? else { return Ok(None) };
    let list: Checklist =
        steps.into_iter().map(|it| (it, is_done(it, marks, &used, &traces))).collect();
    Ok(Some(list).filter(|it| !it.is_empty()))
}

fn is_done(step: Step, marks: Marks, used: &ResourceUsage, traces: &Traces) -> bool {
    match step {
        Step::AddTalent => used.talents > 0,
        // Whoever has many licenses needs no introduction.
        Step::CreateLicense => {
            traces.has(Traces::PICTURE) || used.licenses > u64::from(LICENSES_LOOKED_AT)
        }
        Step::Watch => used.sources > 0,
        Step::FindLicense => traces.has(Traces::FOUND) || traces.has(Traces::REQUEST),
        Step::AskForLicense => traces.has(Traces::REQUEST),
        Step::VerifyReceipt => marks.verified,
        Step::AddPlatform => traces.has(Traces::PLATFORM),
        Step::VerifyPlatform => traces.has(Traces::VERIFIED),
        Step::AskForScanner => traces.has(Traces::SCANNER),
        Step::ChooseEmails => traces.has(Traces::EMAILS),
        Step::InviteColleague => traces.has(Traces::COLLEAGUE),
    }
}

/// Hides the caller's first steps for good.
pub async fn hide(app: &App, context: &Context, caller: Arc<Caller>) -> Result<()> {
    app.act(context, Hide { caller }).await
}

/// Ends the caller's first steps, all of which are done, so that they are told only once.
pub async fn finish(app: &App, context: &Context, caller: Arc<Caller>) -> Result<()> {
    app.act(context, Finish { caller }).await
}

/// Records that the caller verified a receipt. Does nothing if it is known or if the caller has no
/// such step.
pub async fn note_verification(app: &App, context: &Context, caller: Arc<Caller>) -> Result<()> {
    if !Step::of(caller.role, caller.tenant_type).any(|it| it == Step::VerifyReceipt) {
        return Ok(());
    }
    let (user, tenant) = (caller.user, caller.tenant);
    let marks = app.store.read(move |tx| onboarding::marks(tx, user, tenant)).await;
    if marks.map_err(Error::from)?.verified {
        return Ok(());
    }
    app.act(context, NoteVerification { caller }).await
}

fn resource(caller: &Caller) -> Resource {
    let name = Some(caller.name.clone());
    Resource { kind: "user", id: Some(caller.user.to_string()), name }
}

struct Hide {
    caller: Arc<Caller>,
}

impl Act for Hide {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "onboarding.hide";

    /// Everybody may hide their own list.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        onboarding::hide(unit.tx, self.caller.user, self.caller.tenant, unit.now)?;
        Ok(Done::new((), resource(&self.caller), "A user hid the first steps"))
    }
}

struct Finish {
    caller: Arc<Caller>,
}

impl Act for Finish {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "onboarding.finish";

    /// Everybody may finish their own list.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        onboarding::hide(unit.tx, self.caller.user, self.caller.tenant, unit.now)?;
        Ok(Done::new((), resource(&self.caller), "A user finished the first steps"))
    }
}

struct NoteVerification {
    caller: Arc<Caller>,
}

impl Act for NoteVerification {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "onboarding.verify_receipt";

    /// Everybody may verify receipts.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        onboarding::mark_verified(unit.tx, self.caller.user, self.caller.tenant, unit.now)?;
        Ok(Done::new((), resource(&self.caller), "A user verified their first receipt"))
    }
}
