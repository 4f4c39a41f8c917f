//! Talents: an agency's roster, or the single record of an individual.

mod invitation;
mod remove;
mod restore;

use std::collections::HashMap;
use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::{TalentId, TeamId, TenantId};
use grantor_domain::license::ExternalId;
use grantor_domain::page::{Listing, Page};
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, FullName, Phone};
use grantor_domain::role::{Right, TenantType, may};
use grantor_domain::search::FindQuery;
use grantor_domain::talent::{Aliases, SocialMedia, Talent, TalentStatus};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, ErrorKind, Result};
pub use grantor_storage::record_index::TalentSearch;
pub use grantor_storage::talent::ListedTalent;
use grantor_storage::{Tx, record_index, talent, talent_external_id};
use serde_json::{Value, json};
use uuid::Uuid;

pub use self::invitation::{Invited, Invitee, invite};
pub(crate) use self::invitation::{KIND as INVITATION, accept, compose_again};
pub(crate) use self::remove::remove_unchanged;
use self::restore::FormerId;
pub(crate) use self::restore::TalentReverse;
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::licensing::license;
use crate::operations::chore;
use crate::organizations::rights;
use crate::organizations::usage;
use crate::undo::{Reverse, stored};
use crate::{App, Context};

/// A talent to add to the roster.
#[derive(Clone, Debug)]
pub struct NewTalent {
    /// The licensed name.
    pub fullname: FullName,
    /// Other names.
    pub aliases: Aliases,
    /// The email address.
    pub email: Option<Email>,
    /// The phone number.
    pub phone: Option<Phone>,
    /// The bio.
    pub bio: Option<Bio>,
    /// The social media profiles.
    pub social_media: SocialMedia,
    /// The team that manages them.
    pub team: Option<TeamId>,
    /// The agency's own ID for them.
    pub external_id: Option<ExternalId>,
    /// Whether they are on the roster.
    pub status: TalentStatus,
}

/// The changes to a talent. Fields that aren't set stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The new name.
    pub fullname: Option<FullName>,
    /// The new aliases.
    pub aliases: Option<Aliases>,
    /// The new email address.
    pub email: Patch<Email>,
    /// The new phone number.
    pub phone: Patch<Phone>,
    /// The new bio.
    pub bio: Patch<Bio>,
    /// The new social media profiles.
    pub social_media: Option<SocialMedia>,
    /// The new status.
    pub status: Option<TalentStatus>,
    /// The new team.
    pub team: Patch<TeamId>,
    /// The agency's new ID for them.
    pub external_id: Patch<ExternalId>,
}

/// Adds a talent to the roster.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    new: NewTalent,
) -> Result<ListedTalent> {
    app.act(context, Create { caller, new }).await
}

/// Returns the tenant's talents.
pub async fn list(app: &App, caller: &Caller, page: Page) -> Result<Listing<ListedTalent>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(talent::list(tx, tenant, page)?)).await
}

/// Returns the tenant's talents with these beginnings of words in their names.
pub async fn find_by_name(
    app: &App,
    caller: &Caller,
    name: FindQuery,
    page: Page,
) -> Result<Listing<ListedTalent>> {
    let tenant = caller.tenant;
    let find =
        move |tx: &mut Tx<'_>| Ok(record_index::find_talents_by_name(tx, tenant, &name, page)?);
    app.store.read(find).await
}

/// Returns the tenant's talents that match a search of the console.
pub async fn search(
    app: &App,
    caller: &Caller,
    search: TalentSearch,
    page: Page,
) -> Result<Listing<ListedTalent>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(record_index::search_talents(tx, tenant, &search, page)?)).await
}

/// Returns the names of these talents of the tenant, in alphabetical order.
pub async fn names(
    app: &App,
    caller: &Caller,
    ids: Vec<TalentId>,
) -> Result<Vec<(TalentId, String)>> {
    let tenant = caller.tenant;
    let mut names =
        app.store.read(move |tx| Ok::<_, Error>(talent::names_of(tx, tenant, &ids)?)).await?;
    names.sort_by(|one, other| one.1.cmp(&other.1));
    Ok(names)
}

/// Returns the talent records linked to the caller's account.
pub async fn own(app: &App, caller: &Caller, page: Page) -> Result<Listing<ListedTalent>> {
    let user = caller.user;
    app.store.read(move |tx| Ok(talent::list_for_user(tx, user, page)?)).await
}

/// Returns a talent of the tenant, or a record linked to the caller's account.
pub async fn get(app: &App, caller: &Caller, id: TalentId) -> Result<ListedTalent> {
    let (tenant, user) = (caller.tenant, caller.user);
    let manages = may(caller.role, caller.tenant_type, Right::ReadTalents);
    app.store
        .read(move |tx| {
            if let Some(own) = talent::find_for_user(tx, user, id)? {
                return Ok(own);
            }
            manages.clone()?;
            talent::find(tx, tenant, id)?.ok_or_else(|| Error::not_found("Talent"))
        })
        .await
}

/// Changes a talent. A new name also appears on the talent's licenses.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: TalentId,
    changes: Changes,
) -> Result<ListedTalent> {
    app.act(context, Change { caller, id, changes }).await
}

pub(crate) fn resource(talent: &Talent) -> Resource {
    let name = Some(talent.fullname.as_str().to_owned());
    Resource { kind: "talent", id: Some(talent.id.to_string()), name }
}

/// Returns the agency's own IDs for those of these talents that have one.
pub async fn external_ids(app: &App, ids: Vec<TalentId>) -> Result<HashMap<TalentId, String>> {
    let read = move |tx: &mut Tx<'_>| Ok::<_, Error>(talent_external_id::list_of(tx, &ids)?);
    Ok(app.store.read(read).await?.into_iter().collect())
}

/// Returns the tenant's talents whose external ID begins with this text.
pub async fn list_by_external_id(
    app: &App,
    caller: &Caller,
    beginning: &str,
    at_most: u32,
) -> Result<Vec<ListedTalent>> {
    // No ID begins with anything else.
    let Ok(id) = ExternalId::parse(beginning) else { return Ok(vec![]) };
    let tenant = caller.tenant;
    let list = move |tx: &mut Tx<'_>| {
        talent_external_id::list_beginning(tx, tenant, id.as_str(), at_most).map_err(Error::from)
    };
    app.store.read(list).await
}

fn taken(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == talent_external_id::IS_TAKEN => {
            Error::new(ErrorKind::Exists, "Another talent of yours already has this external ID")
                .at("externalId")
        }
        other => other.into(),
    }
}

/// Refuses a second talent record for an individual.
fn require_roster(tenant: TenantType) -> Result<()> {
    if tenant == TenantType::Individual {
        let message = "An individual account has only one talent record";
        return Err(Error::new(ErrorKind::Exists, message));
    }
    Ok(())
}

fn record(unit: &UnitOfWork<'_, '_>, tenant: TenantId, new: NewTalent) -> Talent {
    Talent {
        id: unit.ids.next(),
        tenant,
        team: new.team,
        fullname: new.fullname,
        aliases: new.aliases,
        email: new.email,
        phone: new.phone,
        bio: new.bio,
        social_media: new.social_media,
        status: new.status,
        verified: false,
        created_at: unit.now,
        updated_at: unit.now,
    }
}

struct Create {
    caller: Arc<Caller>,
    new: NewTalent,
}

impl Act for Create {
    /// The team that will manage them.
    type Permit = Option<TeamId>;
    type Output = ListedTalent;
    const ACTION: &'static str = "talent.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Option<TeamId>> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageTalents)?;
        require_roster(self.caller.tenant_type)?;
        rights::choose_team(unit, self.caller.tenant, Right::ManageTalents, self.new.team)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        team: Option<TeamId>,
    ) -> Result<Done<ListedTalent>> {
        usage::admit(unit, self.caller.tenant, LimitedResource::Talents, 1)?;
        let talent = record(unit, self.caller.tenant, NewTalent { team, ..self.new.clone() });
        talent::insert(unit.tx, &talent, None)?;
        if let Some(id) = &self.new.external_id {
            talent_external_id::set(unit.tx, talent.tenant, talent.id, id).map_err(taken)?;
        }
        let resource = resource(&talent);
        let listed = ListedTalent { talent, license_count: 0 };
        Ok(Done::new(listed, resource, "A talent was created"))
    }
}

struct Change {
    caller: Arc<Caller>,
    id: TalentId,
    changes: Changes,
}

impl Act for Change {
    /// The talent, and whether the record is linked to the caller's account.
    type Permit = (ListedTalent, bool);
    type Output = ListedTalent;
    const ACTION: &'static str = "talent.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<(ListedTalent, bool)> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageTalents)?;
        if let Patch::Set(team) = self.changes.team {
            rights::claim_team(unit, self.caller.tenant, team)?;
        }
        let found = talent::claim(unit.tx, self.caller.tenant, self.id)?;
        let own = talent::find_for_user(unit.tx, self.caller.user, self.id)?.is_some();
        if let Some(found) = &found {
            rights::require_for_team(unit, Right::ManageTalents, found.talent.team)?;
            if self.changes.team.is_given() {
                rights::require_for_team(unit, Right::ManageTalents, self.changes.team.set())?;
            }
        }
        // A talent can see their own record, but only the agency can change it.
        found.map(|it| (it, own)).ok_or_else(|| {
            if own {
                let message = "This record is managed by your agency; ask the agency to change it";
                Error::new(ErrorKind::Forbidden, message)
            } else {
                Error::not_found("Talent")
            }
        })
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<ListedTalent>> {
        let (mut listed, own) = permit;
        let changes = self.changes.clone();
        let talent = &mut listed.talent;
        let before = talent.clone();
        let unverified = changes.fullname.is_some_and(|it| talent.rename(it, own));
        talent.aliases = changes.aliases.unwrap_or_else(|| talent.aliases.clone());
        talent.email = changes.email.over(talent.email.take());
        talent.phone = changes.phone.over(talent.phone.take());
        talent.bio = changes.bio.over(talent.bio.take());
        if let Some(social_media) = changes.social_media {
            talent.social_media = social_media;
        }
        talent.status = changes.status.unwrap_or(talent.status);
        talent.team = changes.team.over(talent.team);
        talent.updated_at = unit.now;
        let external_id = self.change_external_id(unit, before.tenant)?;
        let mut done = save(unit, listed, &before, external_id.as_ref())?;
        if let Value::Object(details) = &mut done.details
            && unverified
        {
            details.insert("verified".to_owned(), json!(false));
            details.insert("formerName".to_owned(), json!(before.fullname.as_str()));
        }
        let external_id = external_id.map(|(old, _)| FormerId(old));
        let reverse = TalentReverse::new(before, external_id, &done.output.talent);
        Ok(done.undone_by(Reverse::Talent(Box::new(reverse))))
    }
}

impl Change {
    /// Changes the agency's ID of the talent. Returns the old and the new one, if one was given.
    fn change_external_id(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        tenant: TenantId,
    ) -> Result<Option<(Option<String>, Option<String>)>> {
        if matches!(self.changes.external_id, Patch::Keep) {
            return Ok(None);
        }
        let old = talent_external_id::list_of(unit.tx, &[self.id])?.pop().map(|(_, it)| it);
        let new = match &self.changes.external_id {
            Patch::Set(id) => Some(id.as_str().to_owned()),
            Patch::Keep | Patch::Clear => None,
        };
        if old != new {
            set_external_id(unit, tenant, self.id, new.as_deref())?;
        }
        Ok(Some((old, new)))
    }
}

/// Sets or removes the agency's ID of a talent.
fn set_external_id(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    talent: TalentId,
    id: Option<&str>,
) -> Result<()> {
    let Some(id) = id else { return Ok(talent_external_id::delete(unit.tx, talent)?) };
    let id = stored(ExternalId::parse(id))?;
    talent_external_id::set(unit.tx, tenant, talent, &id).map_err(taken)
}

/// Stores a changed talent. New names also appear on the talent's licenses. The agency's ID is stored
/// already.
fn save(
    unit: &mut UnitOfWork<'_, '_>,
    listed: ListedTalent,
    before: &Talent,
    external_id: Option<&(Option<String>, Option<String>)>,
) -> Result<Done<ListedTalent>> {
    let talent = &listed.talent;
    talent::update(unit.tx, talent)?;
    let events = if (&before.fullname, &before.aliases) == (&talent.fullname, &talent.aliases) {
        vec![]
    } else {
        let part = license::update_for_talent(unit, talent.id, Uuid::nil().into())?;
        chore::enqueue(unit, part.rest)?;
        part.events
    };
    let mut changes = restore::changes(unit, before, talent)?;
    if let Some((old, new)) = external_id {
        changes = changes.field("externalId", old.clone(), new.clone());
    }
    let resource = resource(talent);
    let mut done = Done::new(listed, resource, "A talent was updated");
    done.events = events;
    Ok(done.with_changes(changes))
}
