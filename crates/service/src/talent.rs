//! Talents: an agency's roster, and the one record of who manages themself.

mod invitation;

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::{TalentId, TeamId, TenantId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, FullName, Phone};
use grantor_domain::role::{Right, TenantType, may};
use grantor_domain::talent::{Aliases, SocialMedia, Talent, TalentStatus};
use grantor_domain::usage::Bounded;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::talent;
pub use grantor_storage::talent::Listed;
use serde_json::json;
use uuid::Uuid;

pub use self::invitation::{Invited, Invitee, invite};
pub(crate) use self::invitation::{KIND as INVITATION, accept};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::{App, Context, chore, license, reach, usage};

/// Who joins the roster.
#[derive(Clone, Debug)]
pub struct NewTalent {
    /// The name that is licensed.
    pub fullname: FullName,
    /// Other names.
    pub aliases: Aliases,
    /// Where to write to.
    pub email: Option<Email>,
    /// Where to call.
    pub phone: Option<Phone>,
    /// A few lines about them.
    pub bio: Option<Bio>,
    /// Where they are to be found.
    pub social_media: SocialMedia,
    /// The team that looks after them.
    pub team: Option<TeamId>,
}

/// What shall change; what is not given stays.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Another name.
    pub fullname: Option<FullName>,
    /// Other names.
    pub aliases: Option<Aliases>,
    /// Another address, or none.
    pub email: Patch<Email>,
    /// Another number, or none.
    pub phone: Patch<Phone>,
    /// Another text, or none.
    pub bio: Patch<Bio>,
    /// Other places.
    pub social_media: Option<SocialMedia>,
    /// On the roster or not.
    pub status: Option<TalentStatus>,
    /// Another team, or none.
    pub team: Patch<TeamId>,
}

/// Adds a talent to the roster.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    new: NewTalent,
) -> Result<Listed> {
    app.act(context, Create { caller, new }).await
}

/// The tenant's talents, those with these words in a name where some are given.
pub async fn list(
    app: &App,
    caller: &Caller,
    search: Option<String>,
    page: Page,
) -> Result<Listing<Listed>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(talent::list(tx, tenant, search.as_deref(), page)?)).await
}

/// The records that are the caller's own.
pub async fn own(app: &App, caller: &Caller, page: Page) -> Result<Listing<Listed>> {
    let user = caller.user;
    app.store.read(move |tx| Ok(talent::list_of_user(tx, user, page)?)).await
}

/// One talent of the tenant, or the caller's own record with whoever manages them.
pub async fn get(app: &App, caller: &Caller, id: TalentId) -> Result<Listed> {
    let (tenant, user) = (caller.tenant, caller.user);
    let manages = may(caller.role, caller.tenant_type, Right::ReadTalents);
    app.store
        .read(move |tx| {
            if let Some(own) = talent::find_of_user(tx, user, id)? {
                return Ok(own);
            }
            manages.clone()?;
            talent::find(tx, tenant, id)?.ok_or_else(|| Error::not_found("Talent"))
        })
        .await
}

/// Changes a talent. Its licenses show the new names at once.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: TalentId,
    changes: Changes,
) -> Result<Listed> {
    app.act(context, Change { caller, id, changes }).await
}

pub(crate) fn resource(talent: &Talent) -> Resource {
    let name = Some(talent.fullname.as_str().to_owned());
    Resource { kind: "talent", id: Some(talent.id.to_string()), name }
}

/// Who manages themself has no roster to add to.
fn one_record(tenant: TenantType) -> Result<()> {
    if tenant == TenantType::Individual {
        let message = "Who manages themself has one talent record, which is there already";
        return Err(Error::new(ErrorKind::Exists, message));
    }
    Ok(())
}

fn record(desk: &Desk<'_, '_>, tenant: TenantId, new: NewTalent) -> Talent {
    Talent {
        id: desk.ids.next(),
        tenant,
        team: new.team,
        fullname: new.fullname,
        aliases: new.aliases,
        email: new.email,
        phone: new.phone,
        bio: new.bio,
        social_media: new.social_media,
        status: TalentStatus::Active,
        verified: false,
        created_at: desk.now,
        updated_at: desk.now,
    }
}

struct Create {
    caller: Arc<Caller>,
    new: NewTalent,
}

impl Act for Create {
    /// The team that will look after them.
    type Grant = Option<TeamId>;
    type Output = Listed;
    const ACTION: &'static str = "talent.create";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Option<TeamId>> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageTalents)?;
        one_record(self.caller.tenant_type)?;
        reach::choose(desk, self.caller.tenant, Right::ManageTalents, self.new.team)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, team: Option<TeamId>) -> Result<Done<Listed>> {
        usage::admit(desk, self.caller.tenant, Bounded::Talents, 1)?;
        let talent = record(desk, self.caller.tenant, NewTalent { team, ..self.new.clone() });
        talent::insert(desk.tx, &talent, None)?;
        let resource = resource(&talent);
        let listed = Listed { talent, license_count: 0 };
        Ok(Done::new(listed, resource, "A talent joined the roster"))
    }
}

struct Change {
    caller: Arc<Caller>,
    id: TalentId,
    changes: Changes,
}

impl Act for Change {
    /// The record, and whether it is the caller's own.
    type Grant = (Listed, bool);
    type Output = Listed;
    const ACTION: &'static str = "talent.update";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<(Listed, bool)> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageTalents)?;
        if let Patch::Set(team) = self.changes.team {
            reach::claim_team(desk, self.caller.tenant, team)?;
        }
        let found = talent::claim(desk.tx, self.caller.tenant, self.id)?;
        let own = talent::find_of_user(desk.tx, self.caller.user, self.id)?.is_some();
        if let Some(found) = &found {
            reach::within(desk, Right::ManageTalents, found.talent.team)?;
            if self.changes.team.is_given() {
                reach::within(desk, Right::ManageTalents, self.changes.team.set())?;
            }
        }
        // Who is on a roster sees their record, and whoever manages them changes it.
        found.map(|it| (it, own)).ok_or_else(|| {
            if own {
                Error::new(ErrorKind::Forbidden, "Your agency keeps this record: ask them")
            } else {
                Error::not_found("Talent")
            }
        })
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<Listed>> {
        let (mut listed, own) = grant;
        let changes = self.changes.clone();
        let talent = &mut listed.talent;
        let before = (talent.fullname.clone(), talent.aliases.clone());
        let fell = changes.fullname.is_some_and(|it| talent.rename(it, own));
        talent.aliases = changes.aliases.unwrap_or_else(|| talent.aliases.clone());
        talent.email = changes.email.over(talent.email.take());
        talent.phone = changes.phone.over(talent.phone.take());
        talent.bio = changes.bio.over(talent.bio.take());
        if let Some(social_media) = changes.social_media {
            talent.social_media = social_media;
        }
        talent.status = changes.status.unwrap_or(talent.status);
        talent.team = changes.team.over(talent.team);
        talent.updated_at = desk.now;
        talent::update(desk.tx, talent)?;
        let told = if before == (talent.fullname.clone(), talent.aliases.clone()) {
            vec![]
        } else {
            let part = license::show_talent_anew(desk, talent.id, Uuid::nil().into())?;
            chore::leave(desk, part.rest)?;
            part.events
        };
        let resource = resource(&listed.talent);
        let mut done = Done::new(listed, resource, "A talent was changed");
        done.events = told;
        if fell {
            done.details = json!({ "verified": false, "formerName": before.0.as_str() });
        }
        Ok(done)
    }
}
