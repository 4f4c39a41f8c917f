//! `/user/profile`, `/user/change/password`, `/user/sessions`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::SessionId;
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, FullName, Location, NameChange, NamePart, Phone};
use grantor_domain::{Result, Timestamp};
use grantor_service::access::Caller;
use grantor_service::membership::{self, Place};
use grantor_service::profile::{self, Changes};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Fine, Gone, Listed, Plural, Said};
use super::paging::Paging;
use super::{path_id, required};
use crate::describe::value;
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// What a person sees of themself.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Profile {
    #[schema(inline, value_type = value::Id)]
    id: String,
    fullname: String,
    firstname: String,
    lastname: String,
    email: String,
    /// In the organization the session acts in.
    #[schema(inline, value_type = value::RoleName)]
    role: &'static str,
    bio: Option<String>,
    location: Option<String>,
    phone: Option<String>,
    /// The organization the session acts in.
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
    organization_name: String,
    /// All that the person can act in, oldest membership first.
    organizations: Vec<PlaceBody>,
}

/// An organization or personal tenant the person is a member of.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ProfileOrganization)]
struct PlaceBody {
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
    organization_name: String,
    #[schema(inline, value_type = value::RoleName)]
    role: &'static str,
}

/// What a person changes of themself; null or an empty text clears a field, one left out stays.
#[derive(Deserialize, ToSchema)]
pub(super) struct ProfileChanges {
    /// 2 to 100 characters. Its first word becomes the first name and the rest the last name.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::FullName>)]
    fullname: Patch<String>,
    /// Instead of `fullname`, which becomes both together.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::FirstName>)]
    firstname: Patch<String>,
    /// Instead of `fullname`; null or empty for who has none.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::LastName>)]
    lastname: Patch<String>,
    /// At most 500 characters.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Bio>)]
    bio: Patch<String>,
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Location>)]
    location: Patch<String>,
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Phone>)]
    phone: Patch<String>,
}

/// The present and the next password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PasswordChange {
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    password: Option<String>,
    /// At least 8 characters with upper case, lower case, digit and special character; at most 128
    /// bytes of UTF-8.
    #[schema(required, nullable = false, inline, value_type = value::NewPassword)]
    new_password: Option<String>,
}

/// A sign-in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionBody {
    #[schema(inline, value_type = value::Id)]
    session_id: String,
    /// Where it acts.
    #[schema(inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
    device: Option<String>,
    address: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    last_seen_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// Whether it is the one this request came with.
    current: bool,
}

impl Plural for SessionBody {
    const PLURAL: &'static str = "sessions";
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
) -> Result<Fine<Profile>, Problem> {
    Ok(Fine(body(&state, &caller).await?, "Your profile"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(asked): Json<ProfileChanges>,
) -> Result<Fine<Profile>, Problem> {
    let mut fields = Fields::default();
    let name = NameChange {
        fullname: given(asked.fullname)
            .and_then(|it| fields.take("fullname", FullName::parse(&it))),
        first: given(asked.firstname)
            .and_then(|it| fields.take("firstname", NamePart::parse_first(&it))),
        last: given(asked.lastname).and_then(|it| fields.take("lastname", NamePart::parse(&it))),
    };
    let changes = Changes {
        name,
        bio: asked.bio.parse(|it| fields.take("bio", Bio::parse(&it))),
        location: asked.location.parse(|it| fields.take("location", Location::parse(&it))),
        phone: asked.phone.parse(|it| fields.take("phone", Phone::parse(&it))),
    };
    fields.finish()?;
    profile::change(&state.app, &context, caller.clone(), changes).await?;
    Ok(Fine(body(&state, &caller).await?, "Your profile was changed"))
}

/// The text that was given; null is an empty one.
fn given(patch: Patch<String>) -> Option<String> {
    match patch {
        Patch::Keep => None,
        Patch::Clear => Some(String::new()),
        Patch::Set(text) => Some(text),
    }
}

pub(super) async fn change_password(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(asked): Json<PasswordChange>,
) -> Result<Said, Problem> {
    let mut fields = Fields::default();
    let present = required(&mut fields, "password", asked.password.as_deref());
    let new = required(&mut fields, "newPassword", asked.new_password.as_deref());
    fields.finish()?;
    profile::change_password(&state.app, &context, caller, present, new).await?;
    Ok(Said("Your password was changed; your other sessions have ended"))
}

pub(super) async fn sessions(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(paging): Query<Paging>,
) -> Result<Listed<SessionBody>, Problem> {
    let current = caller.session;
    let listing =
        profile::sessions(&state.app, &caller, paging.read()?).await?.map(|it| SessionBody {
            session_id: it.id.to_string(),
            organization_id: it.tenant.map(|it| it.to_string()),
            current: it.id == current,
            device: it.device,
            address: it.address,
            created_at: it.created_at,
            last_seen_at: it.last_seen_at,
            expires_at: it.expires_at,
        });
    Ok(Listed(listing, "Your sessions"))
}

pub(super) async fn end_session(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<Gone, Problem> {
    let id: SessionId = path_id(&id, "session")?;
    profile::end_session(&state.app, &context, caller, id).await?;
    Ok(Gone)
}

async fn body(state: &ApiState, caller: &Caller) -> Result<Profile, Problem> {
    let (user, tenant) = profile::show(&state.app, caller).await?;
    let (firstname, lastname) = profile::name_parts(&state.app, caller).await?;
    let places = membership::list(&state.app, caller.user).await?;
    Ok(Profile {
        id: user.id.to_string(),
        firstname,
        lastname,
        fullname: user.fullname,
        email: user.email,
        role: caller.role.name(),
        bio: user.bio,
        location: user.location,
        phone: user.phone,
        organization_id: tenant.id.to_string(),
        organization_name: tenant.name,
        organizations: places.into_iter().map(PlaceBody::from).collect(),
    })
}

impl From<Place> for PlaceBody {
    fn from(place: Place) -> Self {
        Self {
            organization_id: place.tenant.to_string(),
            organization_name: place.name,
            role: place.role.name(),
        }
    }
}
