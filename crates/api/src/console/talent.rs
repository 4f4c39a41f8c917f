//! `/org/talent`, `/org/talent/roster`, `/org/talent/name/search`, `/talent`, `/talent/{talentId}`.

use std::collections::BTreeMap;
use std::fmt::Display;

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::id::TalentId;
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, FullName, Phone};
use grantor_domain::talent::{Aliases, SocialMedia, TalentStatus};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::talent::{self, Changes, Listed as Record, NewTalent};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Created, Fine, Headed, Listed, Plural};
use super::paging::Paging;
use super::{path_id, required};
use crate::describe::value;
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Query, Segment};
use crate::frame::ignored::Known;
use crate::frame::problem::{Problem, ProblemKind};
use crate::frame::settings::ApiState;

/// Who joins the roster.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TalentInput {
    /// 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::FullName)]
    fullname: Option<String>,
    /// At most 20.
    #[schema(inline, value_type = Option<value::AliasList>)]
    aliases: Option<Vec<String>>,
    #[schema(inline, value_type = Option<value::Email>)]
    email: Option<String>,
    #[schema(inline, value_type = Option<value::Phone>)]
    phone: Option<String>,
    /// At most 500 characters.
    #[schema(inline, value_type = Option<value::Bio>)]
    bio: Option<String>,
    /// A handle or an address for each platform, at most 20.
    #[schema(inline, value_type = Option<value::SocialMedia>)]
    social_media: Option<BTreeMap<String, String>>,
    /// The team that looks after them. A `Team_Lead` names one of their own, and need not if they
    /// are in one only.
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Option<String>,
}

/// What is to be changed; null clears what can be empty, what is left out stays.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TalentChanges {
    /// 2 to 100 characters; never null.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::FullName>)]
    fullname: Patch<String>,
    #[serde(default)]
    #[schema(inline, value_type = Option<value::AliasList>)]
    aliases: Patch<Vec<String>>,
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Email>)]
    email: Patch<String>,
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Phone>)]
    phone: Patch<String>,
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Bio>)]
    bio: Patch<String>,
    #[serde(default)]
    #[schema(inline, value_type = Option<value::SocialMedia>)]
    social_media: Patch<BTreeMap<String, String>>,
    /// active or inactive; never null.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::TalentStatusName>)]
    status: Patch<String>,
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Patch<String>,
}

/// A talent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TalentBody {
    #[schema(inline, value_type = value::Id)]
    talent_id: String,
    fullname: String,
    aliases: Vec<String>,
    email: Option<String>,
    phone: Option<String>,
    bio: Option<String>,
    social_media: BTreeMap<String, String>,
    #[schema(inline, value_type = value::TalentStatusName)]
    status: &'static str,
    /// Whether they took up the record themself.
    verified: bool,
    license_count: u32,
    /// The team that looks after them, if one does.
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// Words to look for.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Words {
    /// Beginnings of words of the names to find.
    #[param(required, nullable = false, inline, value_type = value::Part)]
    search: Option<String>,
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
}

impl Plural for TalentBody {
    const PLURAL: &'static str = "talents";
}

impl From<Record> for TalentBody {
    fn from(Record { talent, license_count }: Record) -> Self {
        Self {
            talent_id: talent.id.to_string(),
            fullname: talent.fullname.as_str().to_owned(),
            aliases: talent.aliases.as_slice().to_vec(),
            email: talent.email.map(|it| it.as_str().to_owned()),
            phone: talent.phone.map(|it| it.as_str().to_owned()),
            bio: talent.bio.map(|it| it.as_str().to_owned()),
            social_media: talent.social_media.as_map().clone(),
            status: talent.status.name(),
            verified: talent.verified,
            license_count,
            team_id: talent.team.map(|it| it.to_string()),
            created_at: talent.created_at,
            updated_at: talent.updated_at,
        }
    }
}

pub(super) async fn create(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Known { body: asked, ignored }: Known<TalentInput>,
) -> Result<Headed<Created<TalentBody>>, Problem> {
    let mut fields = Fields::default();
    let fullname = required(&mut fields, "fullname", asked.fullname.as_deref());
    let fullname = fields.take("fullname", FullName::parse(fullname));
    let aliases = fields.take("aliases", Aliases::parse(&asked.aliases.unwrap_or_default()));
    let email = asked.email.and_then(|it| fields.take("email", Email::parse(&it)));
    let phone = asked.phone.and_then(|it| fields.take("phone", Phone::parse(&it)));
    let bio = asked.bio.and_then(|it| fields.take("bio", Bio::parse(&it)));
    let social_media = SocialMedia::parse(asked.social_media.unwrap_or_default());
    let social_media = fields.take("socialMedia", social_media);
    let team = asked.team_id.and_then(|it| fields.take("teamId", it.parse()));
    fields.finish()?;
    let (Some(fullname), Some(aliases), Some(social_media)) = (fullname, aliases, social_media)
    else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let new = NewTalent { fullname, aliases, email, phone, bio, social_media, team };
    let made = talent::create(&state.app, &context, caller, new).await?;
    Ok(Headed::new(Created(made.into(), "The talent is on your roster")).ignoring(&ignored))
}

pub(super) async fn roster(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(paging): Query<Paging>,
) -> Result<Listed<TalentBody>, Problem> {
    let found = talent::list(&state.app, &caller, None, paging.read()?).await?;
    Ok(Listed(found.map(TalentBody::from), "Your roster"))
}

pub(super) async fn search(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(words): Query<Words>,
) -> Result<Listed<TalentBody>, Problem> {
    let Words { search, page, limit } = words;
    let search = search.filter(|it| !it.trim().is_empty()).ok_or_else(|| {
        let message = "The query value search is required";
        Problem::new(ProblemKind::MissingRequired, message)
    })?;
    if search.chars().count() > 100 {
        return Err(Problem::field("search", "must be at most 100 characters"));
    }
    let page = Paging::of(page, limit).read()?;
    let found = talent::list(&state.app, &caller, Some(search), page).await?;
    Ok(Listed(found.map(TalentBody::from), "Talents of this name"))
}

pub(super) async fn own(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(paging): Query<Paging>,
) -> Result<Listed<TalentBody>, Problem> {
    let found = talent::own(&state.app, &caller, paging.read()?).await?;
    Ok(Listed(found.map(TalentBody::from), "Your own talent records"))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
) -> Result<Fine<TalentBody>, Problem> {
    let id: TalentId = path_id(&id, "talent")?;
    let found = talent::get(&state.app, &caller, id).await?;
    Ok(Fine(found.into(), "The talent"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    Known { body: asked, ignored }: Known<TalentChanges>,
) -> Result<Headed<Fine<TalentBody>>, Problem> {
    let id: TalentId = path_id(&id, "talent")?;
    let mut fields = Fields::default();
    let changes = Changes {
        fullname: filled(&mut fields, "fullname", asked.fullname, FullName::parse),
        aliases: emptied(asked.aliases).and_then(|it| fields.take("aliases", Aliases::parse(&it))),
        email: asked.email.parse(|it| fields.take("email", Email::parse(&it))),
        phone: asked.phone.parse(|it| fields.take("phone", Phone::parse(&it))),
        bio: asked.bio.parse(|it| fields.take("bio", Bio::parse(&it))),
        social_media: emptied(asked.social_media)
            .and_then(|it| fields.take("socialMedia", SocialMedia::parse(it))),
        status: filled(&mut fields, "status", asked.status, str::parse::<TalentStatus>),
        team: asked.team_id.parse(|it| fields.take("teamId", it.parse())),
    };
    fields.finish()?;
    let changed = talent::change(&state.app, &context, caller, id, changes).await?;
    Ok(Headed::new(Fine(changed.into(), "The talent was changed")).ignoring(&ignored))
}

/// What can be empty and never absent: null makes it so.
fn emptied<T: Default>(patch: Patch<T>) -> Option<T> {
    if patch.is_given() { Some(patch.set().unwrap_or_default()) } else { None }
}

/// What must have a value: null is none.
fn filled<T, E: Display>(
    fields: &mut Fields,
    name: &str,
    patch: Patch<String>,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Option<T> {
    if patch == Patch::Clear {
        fields.add(name, "must not be null");
    }
    patch.set().and_then(|it| fields.take(name, parse(&it)))
}
