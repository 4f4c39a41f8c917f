//! `/org/talent`, `/org/talent/roster`, `/org/talent/name/search`, `/talent`, `/talent/{talentId}`.

use std::collections::BTreeMap;
use std::fmt::Display;

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::id::TalentId;
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, FullName, Phone};
use grantor_domain::search::FindQuery;
use grantor_domain::talent::{Aliases, SocialMedia, TalentStatus};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::licensing::talent::{self, Changes, ListedTalent as Record, NewTalent};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Created, Data, PageOf, Plural, WithHeaders};
use super::paging::Paging;
use super::{path_id, required};
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Query, Segment};
use crate::frame::ignored_fields::JsonWithIgnored;
use crate::frame::problem::{Problem, ProblemKind};
use crate::frame::state::ApiState;

/// The talent to create.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TalentInput {
    /// The talent's full name. 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::FullName)]
    fullname: Option<String>,
    /// The talent's other names. At most 20.
    #[schema(inline, value_type = Option<value::AliasList>)]
    aliases: Option<Vec<String>>,
    /// The talent's email address.
    #[schema(inline, value_type = Option<value::Email>)]
    email: Option<String>,
    /// The talent's phone number.
    #[schema(inline, value_type = Option<value::Phone>)]
    phone: Option<String>,
    /// The talent's biography. At most 500 characters.
    #[schema(inline, value_type = Option<value::Bio>)]
    bio: Option<String>,
    /// The talent's social media handles or URLs by platform. At most 20.
    #[schema(inline, value_type = Option<value::SocialMedia>)]
    social_media: Option<BTreeMap<String, String>>,
    /// The team that manages the talent. A `Team_Lead` must choose one of their own teams; it is
    /// optional if they have only one.
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Option<String>,
}

/// The fields to change. Omitted fields keep their value; null clears optional fields.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TalentChanges {
    /// The talent's full name. 2 to 100 characters. Can't be null.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::FullName>)]
    fullname: Patch<String>,
    /// The talent's other names. At most 20.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::AliasList>)]
    aliases: Patch<Vec<String>>,
    /// The talent's email address.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Email>)]
    email: Patch<String>,
    /// The talent's phone number.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Phone>)]
    phone: Patch<String>,
    /// The talent's biography. At most 500 characters.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Bio>)]
    bio: Patch<String>,
    /// The talent's social media handles or URLs by platform. At most 20.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::SocialMedia>)]
    social_media: Patch<BTreeMap<String, String>>,
    /// The talent's status: `active` or `inactive`. Can't be null.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::TalentStatusName>)]
    status: Patch<String>,
    /// The team that manages the talent.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Patch<String>,
}

/// A talent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TalentBody {
    /// The talent's ID.
    #[schema(inline, value_type = value::Id)]
    talent_id: String,
    /// The talent's full name.
    fullname: String,
    /// The talent's other names.
    aliases: Vec<String>,
    /// The talent's email address.
    email: Option<String>,
    /// The talent's phone number.
    phone: Option<String>,
    /// The talent's biography.
    bio: Option<String>,
    /// The talent's social media handles or URLs by platform.
    social_media: BTreeMap<String, String>,
    /// The talent's status.
    #[schema(inline, value_type = value::TalentStatusName)]
    status: &'static str,
    /// Whether the talent has claimed the record.
    verified: bool,
    /// The number of the talent's licenses.
    license_count: u32,
    /// The team that manages the talent, if there is one.
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Option<String>,
    /// When the talent was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the talent was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// The query parameters of a search.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct SearchParams {
    /// Searches for words in names that start with these terms.
    #[param(required, nullable = false, inline, value_type = value::Part)]
    search: Option<String>,
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
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
    JsonWithIgnored { body: input, ignored }: JsonWithIgnored<TalentInput>,
) -> Result<WithHeaders<Created<TalentBody>>, Problem> {
    let mut fields = Fields::default();
    let fullname = required(&mut fields, "fullname", input.fullname.as_deref());
    let fullname = fields.take("fullname", FullName::parse(fullname));
    let aliases = fields.take("aliases", Aliases::parse(&input.aliases.unwrap_or_default()));
    let email = input.email.and_then(|it| fields.take("email", Email::parse(&it)));
    let phone = input.phone.and_then(|it| fields.take("phone", Phone::parse(&it)));
    let bio = input.bio.and_then(|it| fields.take("bio", Bio::parse(&it)));
    let social_media = SocialMedia::parse(input.social_media.unwrap_or_default());
    let social_media = fields.take("socialMedia", social_media);
    let team = input.team_id.and_then(|it| fields.take("teamId", it.parse()));
    fields.finish()?;
    let (Some(fullname), Some(aliases), Some(social_media)) = (fullname, aliases, social_media)
    else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let (external_id, status) = (None, TalentStatus::Active);
    let new =
        NewTalent { fullname, aliases, email, phone, bio, social_media, team, external_id, status };
    let made = talent::create(&state.app, &context, caller, new).await?;
    Ok(WithHeaders::new(Created(made.into(), "Talent created")).ignored_fields(&ignored))
}

pub(super) async fn roster(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(paging): Query<Paging>,
) -> Result<PageOf<TalentBody>, Problem> {
    let found = talent::list(&state.app, &caller, paging.read()?).await?;
    Ok(PageOf(found.map(TalentBody::from), "Your talents"))
}

pub(super) async fn search(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(params): Query<SearchParams>,
) -> Result<PageOf<TalentBody>, Problem> {
    let SearchParams { search, page, limit } = params;
    let search = search.unwrap_or_default();
    if search.chars().count() > 100 {
        return Err(Problem::field("search", "must be at most 100 characters"));
    }
    let name = FindQuery::parse(&search).map_err(|error| Problem::field("search", error))?;
    let name = name.ok_or_else(|| {
        let message = "The query parameter search is required";
        Problem::new(ProblemKind::MissingRequired, message)
    })?;
    let page = Paging::new(page, limit).read()?;
    let found = talent::find_by_name(&state.app, &caller, name, page).await?;
    Ok(PageOf(found.map(TalentBody::from), "Matching talents"))
}

pub(super) async fn own(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(paging): Query<Paging>,
) -> Result<PageOf<TalentBody>, Problem> {
    let found = talent::own(&state.app, &caller, paging.read()?).await?;
    Ok(PageOf(found.map(TalentBody::from), "Your own talent records"))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
) -> Result<Data<TalentBody>, Problem> {
    let id: TalentId = path_id(&id, "talent")?;
    let found = talent::get(&state.app, &caller, id).await?;
    Ok(Data(found.into(), "The talent"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    JsonWithIgnored { body: input, ignored }: JsonWithIgnored<TalentChanges>,
) -> Result<WithHeaders<Data<TalentBody>>, Problem> {
    let id: TalentId = path_id(&id, "talent")?;
    let mut fields = Fields::default();
    let changes = Changes {
        fullname: not_null(&mut fields, "fullname", input.fullname, FullName::parse),
        aliases: or_default(input.aliases)
            .and_then(|it| fields.take("aliases", Aliases::parse(&it))),
        email: input.email.parse(|it| fields.take("email", Email::parse(&it))),
        phone: input.phone.parse(|it| fields.take("phone", Phone::parse(&it))),
        bio: input.bio.parse(|it| fields.take("bio", Bio::parse(&it))),
        social_media: or_default(input.social_media)
            .and_then(|it| fields.take("socialMedia", SocialMedia::parse(it))),
        status: not_null(&mut fields, "status", input.status, str::parse::<TalentStatus>),
        team: input.team_id.parse(|it| fields.take("teamId", it.parse())),
        external_id: Patch::Keep,
    };
    fields.finish()?;
    let changed = talent::change(&state.app, &context, caller, id, changes).await?;
    Ok(WithHeaders::new(Data(changed.into(), "Talent updated")).ignored_fields(&ignored))
}

/// Returns the new value of a field that null makes empty.
fn or_default<T: Default>(patch: Patch<T>) -> Option<T> {
    if patch.is_given() { Some(patch.set().unwrap_or_default()) } else { None }
}

/// Parses the new value of a field that can't be null.
fn not_null<T, E: Display>(
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
