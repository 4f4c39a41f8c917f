//! Opening a case.

use grantor_domain::case::{Case, CaseStatus, Looks};
use grantor_domain::id::{MentionId, TenantId, UserId};
use grantor_domain::patch::Patch;
use grantor_domain::secret::ShareCode;
use grantor_domain::{Error, Result};
use grantor_keys::Purpose;
use grantor_storage::case;
use serde_json::json;

use super::{
    App, CaseView, ClaimedCase, Context, TenantCaller, UnitOfWork, assignee, check_mention,
    claim_mention, not_found, sealed_for,
};
use crate::act::{Act, Done};
use crate::notices;
use crate::watching::mention::MentionView;

/// Opens the case of a mention. Unless somebody else is named, the caller works on it.
pub async fn open(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: MentionId,
    assignee: Patch<UserId>,
) -> Result<CaseView> {
    app.act(context, Open { caller, id, assignee }).await
}

struct Open {
    caller: TenantCaller,
    id: MentionId,
    assignee: Patch<UserId>,
}

impl Act for Open {
    type Permit = (MentionView, TenantId);
    type Output = CaseView;
    const ACTION: &'static str = "case.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let permit = claim_mention(unit, self.caller, self.id)?;
        check_mention(&permit.0.shown.mention)?;
        match case::find(unit.tx, self.id)? {
            None => Ok(permit),
            Some(known) if known.case.status == CaseStatus::Closed => {
                let message = "The mention has a closed case. Set its status to open instead.";
                Err(Error::conflict(message))
            }
            Some(_) => Err(Error::conflict("The mention already has a case")),
        }
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (seen, owner): Self::Permit,
    ) -> Result<Done<CaseView>> {
        let caller = self.caller;
        let assigned = match self.assignee {
            Patch::Keep => Some(caller.user),
            Patch::Clear => None,
            Patch::Set(user) => Some(user),
        };
        if let Some(user) = assigned {
            let tenant = assignee::check(unit, [caller.tenant, owner], user)?;
            if user != caller.user {
                notices::case_assigned(unit, &seen.shown, tenant, user)?;
            }
        }
        let case = Case {
            mention: self.id,
            tenant: owner,
            agent: Some(caller.tenant).filter(|it| *it != owner),
            status: CaseStatus::Open,
            assignee: assigned,
            looks: Looks::starting(unit.now),
            removed_at: None,
            opened_by: caller.user,
            opened_at: unit.now,
            updated_at: unit.now,
            version: 1,
        };
        let code = ShareCode::generate(&*unit.app.entropy);
        let context = sealed_for(self.id);
        let sealed = unit.app.keys.seal(Purpose::Field, &context, code.expose().as_bytes());
        let opener = unit.actor.name().to_owned();
        if !case::insert(unit.tx, &case, &opener, (&code.hash(), &sealed))? {
            return Err(Error::conflict("The mention already has a case"));
        }
        let record = case::find(unit.tx, self.id)?.ok_or_else(not_found)?;
        let opened = ClaimedCase { seen, owner, record };
        let mut done = opened.done(unit, caller, "A case was opened")?;
        done.details = json!({ "assignee_id": assigned });
        Ok(done)
    }
}
