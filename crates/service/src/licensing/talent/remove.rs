//! Deleting a talent that an import created. Only a record that nothing else refers to is deleted.

use std::sync::Arc;

use grantor_domain::id::TalentId;
use grantor_domain::role::{Right, may};
use grantor_domain::tag::TaggedKind;
use grantor_domain::talent::Talent;
use grantor_domain::{Error, Result};
use grantor_storage::{invitation, tag, talent, tenant};

use super::invitation::KIND;
use super::resource;
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::organizations::rights;
use crate::{App, Context};

/// Deletes a talent that is as it was created. Any other is refused with the reason.
pub(crate) async fn remove_unchanged(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: TalentId,
) -> Result<()> {
    app.act(context, Remove { caller, id }).await
}

struct Remove {
    caller: Arc<Caller>,
    id: TalentId,
}

impl Act for Remove {
    type Permit = Talent;
    type Output = ();
    const ACTION: &'static str = "talent.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Talent> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageTalents)?;
        tenant::claim(unit.tx, self.caller.tenant)?;
        let found = talent::claim(unit.tx, self.caller.tenant, self.id)?;
        let talent = found.ok_or_else(|| Error::not_found("Talent"))?.talent;
        rights::require_for_team(unit, Right::ManageTalents, talent.team)?;
        if talent.updated_at != talent.created_at {
            return Err(Error::conflict("The talent was changed since the import"));
        }
        if talent::is_bound(unit.tx, self.id)? {
            return Err(Error::conflict("The talent has licenses or an account"));
        }
        Ok(talent)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, talent: Talent) -> Result<Done<()>> {
        let resource = resource(&talent);
        tag::remove_all(unit.tx, TaggedKind::Talent, talent.id.as_uuid())?;
        invitation::delete_of(unit.tx, KIND, talent.id.as_uuid())?;
        talent::delete(unit.tx, self.caller.tenant, talent.id)?;
        Ok(Done::new((), resource, "A talent was deleted"))
    }
}
