//! Taking back a change of a talent.

use grantor_domain::email::Email;
use grantor_domain::person::{Bio, Phone};
use grantor_domain::role::Right;
use grantor_domain::talent::Talent;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::{talent, talent_external_id, team};
use serde::{Deserialize, Serialize};

use super::{save, set_external_id};
use crate::act::{Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::log::change::FieldChanges;
use crate::organizations::rights;
use crate::undo::changed_since;

/// The agency's ID of a talent before a change, if there was one.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct FormerId(pub(super) Option<String>);

/// What takes back a change: the talent as they were before.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct TalentReverse {
    before: Talent,
    /// The agency's ID, if the change gave another one.
    external_id: Option<FormerId>,
    /// When the change was made.
    at: Timestamp,
}

impl TalentReverse {
    /// What restores a talent.
    pub(super) fn new(before: Talent, external_id: Option<FormerId>, after: &Talent) -> Self {
        Self { before, external_id, at: after.updated_at }
    }

    /// Takes the change back.
    pub(crate) fn run(self, unit: &mut UnitOfWork<'_, '_>, caller: &Caller) -> Result<Done<()>> {
        let Self { before, external_id, at } = self;
        if let Some(team) = before.team {
            rights::claim_team(unit, caller.tenant, team)?;
        }
        let found = talent::claim(unit.tx, caller.tenant, before.id)?;
        let mut listed = found.ok_or_else(|| Error::not_found("Talent"))?;
        rights::require_for_team(unit, Right::ManageTalents, listed.talent.team)?;
        if before.team != listed.talent.team {
            rights::require_for_team(unit, Right::ManageTalents, before.team)?;
        }
        if listed.talent.updated_at != at {
            return Err(changed_since());
        }
        let id = before.id;
        let now = std::mem::replace(&mut listed.talent, before);
        listed.talent.updated_at = unit.now;
        let external_id = match external_id {
            Some(FormerId(old)) => {
                let new = talent_external_id::list_of(unit.tx, &[id])?.pop().map(|(_, it)| it);
                set_external_id(unit, caller.tenant, id, old.as_deref())?;
                Some((new, old))
            }
            None => None,
        };
        let done = save(unit, listed, &now, external_id.as_ref())?;
        Ok(done.told("A change of a talent was undone"))
    }
}

/// The old and new values of a talent, with the names of their teams.
pub(super) fn changes(
    unit: &mut UnitOfWork<'_, '_>,
    before: &Talent,
    after: &Talent,
) -> Result<FieldChanges> {
    let text = |it: Option<&str>| it.map(str::to_owned);
    let email = |it: &Talent| text(it.email.as_ref().map(Email::as_str));
    let phone = |it: &Talent| text(it.phone.as_ref().map(Phone::as_str));
    let bio = |it: &Talent| text(it.bio.as_ref().map(Bio::as_str));
    let profiles = |it: &Talent| {
        let all = it.social_media.as_map().iter().map(|(site, name)| format!("{site}: {name}"));
        all.collect::<Vec<_>>().join(", ")
    };
    let aliases = |it: &Talent| it.aliases.as_slice().join(", ");
    let changes = FieldChanges::default()
        .field("fullname", before.fullname.as_str(), after.fullname.as_str())
        .field("aliases", aliases(before), aliases(after))
        .field("email", email(before), email(after))
        .field("phone", phone(before), phone(after))
        .field("bio", bio(before), bio(after))
        .field("socialMedia", profiles(before), profiles(after))
        .field("status", before.status.name(), after.status.name())
        .field("verified", before.verified, after.verified);
    if before.team == after.team {
        return Ok(changes);
    }
    let (old, new) = (team_name(unit, before)?, team_name(unit, after)?);
    Ok(changes.field("team", old, new))
}

fn team_name(unit: &mut UnitOfWork<'_, '_>, talent: &Talent) -> Result<Option<String>> {
    let Some(id) = talent.team else { return Ok(None) };
    Ok(team::find(unit.tx, talent.tenant, id, unit.now)?.map(|it| it.name))
}
