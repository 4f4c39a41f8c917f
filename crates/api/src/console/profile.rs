//! `/user/profile`, `/user/change/password`, `/user/sessions`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::SessionId;
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, FullName, Location, NameChange, NamePart, Phone};
use grantor_domain::{Result, Timestamp};
use grantor_service::identity::access::Caller;
use grantor_service::identity::profile::{self, Changes};
use grantor_service::organizations::membership::{self, TenantMembership};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Data, NoContent, OkMessage, PageOf, Plural};
use super::paging::Paging;
use super::{path_id, required};
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The caller's profile.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Profile {
    /// The user's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The full name.
    fullname: String,
    /// The first name.
    firstname: String,
    /// The last name.
    lastname: String,
    /// The email address.
    email: String,
    /// The user's role in the organization of the session.
    #[schema(inline, value_type = value::RoleName)]
    role: &'static str,
    /// The biography.
    bio: Option<String>,
    /// The location.
    location: Option<String>,
    /// The phone number.
    phone: Option<String>,
    /// The ID of the session's organization.
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
    /// The name of the session's organization.
    organization_name: String,
    /// All organizations of the user, oldest membership first.
    organizations: Vec<MembershipBody>,
}

/// An organization or individual account that the user is a member of.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ProfileOrganization)]
struct MembershipBody {
    /// The organization's ID.
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
    /// The organization's name.
    organization_name: String,
    /// The user's role.
    #[schema(inline, value_type = value::RoleName)]
    role: &'static str,
}

/// The fields to change. Omitted fields keep their value; null or an empty text clears a field.
#[derive(Deserialize, ToSchema)]
pub(super) struct ProfileChanges {
    /// The full name. 2 to 100 characters. The first word becomes the first name, the rest the last
    /// name.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::FullName>)]
    fullname: Patch<String>,
    /// The first name. Use it with `lastname` instead of `fullname`.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::FirstName>)]
    firstname: Patch<String>,
    /// The last name. Null or empty if the user has none.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::LastName>)]
    lastname: Patch<String>,
    /// The biography. At most 500 characters.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Bio>)]
    bio: Patch<String>,
    /// The location.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Location>)]
    location: Patch<String>,
    /// The phone number.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Phone>)]
    phone: Patch<String>,
}

/// The current and the new password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PasswordChange {
    /// The current password.
    #[schema(required, nullable = false, inline, value_type = value::NonEmpty)]
    password: Option<String>,
    /// The new password. At least 8 characters, with uppercase and lowercase letters, a digit and a
    /// special character. At most 128 bytes in UTF-8.
    #[schema(required, nullable = false, inline, value_type = value::NewPassword)]
    new_password: Option<String>,
}

/// A session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionBody {
    /// The session's ID.
    #[schema(inline, value_type = value::Id)]
    session_id: String,
    /// The organization of the session.
    #[schema(inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
    /// The device or browser, if known.
    device: Option<String>,
    /// The IP address, if known.
    address: Option<String>,
    /// When the user signed in.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the session was last used.
    #[schema(value_type = String, format = DateTime)]
    last_seen_at: Timestamp,
    /// When the session expires.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// Whether this is the session of the request.
    current: bool,
}

impl Plural for SessionBody {
    const PLURAL: &'static str = "sessions";
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
) -> Result<Data<Profile>, Problem> {
    Ok(Data(body(&state, &caller).await?, "Your profile"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(input): Json<ProfileChanges>,
) -> Result<Data<Profile>, Problem> {
    let mut fields = Fields::default();
    let name = NameChange {
        fullname: given(input.fullname)
            .and_then(|it| fields.take("fullname", FullName::parse(&it))),
        first: given(input.firstname)
            .and_then(|it| fields.take("firstname", NamePart::parse_first(&it))),
        last: given(input.lastname).and_then(|it| fields.take("lastname", NamePart::parse(&it))),
    };
    let changes = Changes {
        name,
        bio: input.bio.parse(|it| fields.take("bio", Bio::parse(&it))),
        location: input.location.parse(|it| fields.take("location", Location::parse(&it))),
        phone: input.phone.parse(|it| fields.take("phone", Phone::parse(&it))),
    };
    fields.finish()?;
    profile::change(&state.app, &context, caller.clone(), changes).await?;
    Ok(Data(body(&state, &caller).await?, "Profile updated"))
}

/// Returns the new text, with null as an empty text.
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
    Json(input): Json<PasswordChange>,
) -> Result<OkMessage, Problem> {
    let mut fields = Fields::default();
    let current = required(&mut fields, "password", input.password.as_deref());
    let new = required(&mut fields, "newPassword", input.new_password.as_deref());
    fields.finish()?;
    profile::change_password(&state.app, &context, caller, current, new).await?;
    Ok(OkMessage("Password changed. Your other sessions have ended."))
}

pub(super) async fn sessions(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(paging): Query<Paging>,
) -> Result<PageOf<SessionBody>, Problem> {
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
    Ok(PageOf(listing, "Your sessions"))
}

pub(super) async fn end_session(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    let id: SessionId = path_id(&id, "session")?;
    profile::end_session(&state.app, &context, caller, id).await?;
    Ok(NoContent)
}

async fn body(state: &ApiState, caller: &Caller) -> Result<Profile, Problem> {
    let (user, tenant) = profile::show(&state.app, caller).await?;
    let (firstname, lastname) = profile::name_parts(&state.app, caller).await?;
    let memberships = membership::list(&state.app, caller.user).await?;
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
        organizations: memberships.into_iter().map(MembershipBody::from).collect(),
    })
}

impl From<TenantMembership> for MembershipBody {
    fn from(membership: TenantMembership) -> Self {
        Self {
            organization_id: membership.tenant.to_string(),
            organization_name: membership.name,
            role: membership.role.name(),
        }
    }
}
