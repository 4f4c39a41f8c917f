//! `/auth/authenticateAdmin`, `/admin/member/invite`, `/admin/members`, `/admin/member/{memberId}`.

use axum::extract::State;
use grantor_domain::admin::AdminRole;
use grantor_domain::audit::Scheme;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::id::AdminId;
use grantor_domain::person::FullName;
use grantor_domain::session::ACCESS_LIFE;
use grantor_domain::team::MemberStatus;
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::operations::admin::{self, Admin, AdminSignedIn, Changes, ListedAdmin};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Data};
use super::paging::Paging;
use super::{path_id, required};
use crate::frame::caller::Staff;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::page::ConsolePagination;
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::state::ApiState;

/// The token to sign in with.
#[derive(Deserialize, ToSchema)]
pub(super) struct AdminToken {
    /// A one-time admin token.
    #[schema(required, nullable = false, inline, value_type = value::NonEmpty)]
    token: Option<String>,
}

/// The tokens of a staff session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AdminLogin {
    /// The access token, a JWT.
    access_token: String,
    /// The refresh token.
    refresh_token: String,
    /// The lifetime of the access token in seconds.
    expires_in: u64,
    admin: AdminBody,
}

/// The staff member who signed in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AdminBody {
    /// The staff member's ID.
    #[schema(inline, value_type = value::Id)]
    admin_id: String,
    /// The staff member's full name.
    fullname: String,
    /// The staff member's email address.
    email: String,
    /// The staff member's role.
    #[schema(inline, value_type = value::AdminRoleName)]
    role: &'static str,
}

/// The staff member to invite.
#[derive(Deserialize, ToSchema)]
pub(super) struct NewMember {
    /// The email address.
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
    /// The full name. 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::FullName)]
    fullname: Option<String>,
    /// The role: `Admin` or `Support_Admin`. Defaults to `Admin`.
    #[schema(inline, value_type = Option<value::InvitedAdminRole>)]
    role: Option<String>,
}

/// A pending staff invitation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct InvitationBody {
    /// The invitation's ID.
    #[schema(inline, value_type = value::Id)]
    invitation_id: String,
    /// The email address of the invitation.
    email: String,
    /// The role.
    #[schema(inline, value_type = value::AdminRoleName)]
    role: &'static str,
    /// Always `pending`.
    #[schema(inline, value_type = value::PendingWord)]
    status: &'static str,
    /// When the invitation expires.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// A page of staff members.
#[derive(Serialize, ToSchema)]
pub(super) struct StaffPage {
    /// The staff members, including pending invitations.
    members: Vec<Member>,
    /// The total number of staff members and invitations.
    total: u64,
    pagination: ConsolePagination,
}

/// A staff member or a pending invitation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Member {
    /// The staff member's ID. Null while the status is `pending`.
    #[schema(inline, value_type = Option<value::Id>)]
    admin_id: Option<String>,
    /// The invitation's ID. Only while the status is `pending`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Id>)]
    invitation_id: Option<String>,
    /// The full name.
    fullname: String,
    /// The email address.
    email: String,
    /// The role.
    #[schema(inline, value_type = value::AdminRoleName)]
    role: &'static str,
    /// The status: `active`, `inactive` or `pending`.
    #[schema(inline, value_type = value::StaffStatus)]
    status: String,
    /// When the staff member joined or was invited.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// The fields to change. Omitted fields keep their value.
#[derive(Deserialize, ToSchema)]
pub(super) struct MemberChanges {
    /// The role: `Super_Admin`, `Admin` or `Support_Admin`.
    #[schema(inline, value_type = Option<value::AdminRoleName>)]
    role: Option<String>,
    /// The status: `active` or `inactive`.
    #[schema(inline, value_type = Option<value::MemberStatusName>)]
    status: Option<String>,
}

impl From<ListedAdmin> for Member {
    fn from(listed: ListedAdmin) -> Self {
        Self {
            admin_id: listed.admin.map(|it| it.to_string()),
            invitation_id: listed.invitation.map(|it| it.to_string()),
            fullname: listed.fullname,
            email: listed.email,
            role: listed.role.name(),
            status: listed.status,
            created_at: listed.created_at,
        }
    }
}

impl From<Admin> for Member {
    fn from(admin: Admin) -> Self {
        Self {
            admin_id: Some(admin.id.to_string()),
            invitation_id: None,
            fullname: admin.fullname,
            email: admin.email,
            role: admin.role.name(),
            status: if admin.active { "active" } else { "inactive" }.to_owned(),
            created_at: admin.created_at,
        }
    }
}

pub(super) async fn authenticate(
    State(state): State<ApiState>,
    Anonymous(mut context): Anonymous,
    Json(body): Json<AdminToken>,
) -> Result<Created<AdminLogin>, Problem> {
    context.origin.scheme = Scheme::Admin;
    let mut fields = Fields::default();
    let token = required(&mut fields, "token", body.token.as_deref());
    fields.finish()?;
    let AdminSignedIn { tokens, admin } = admin::authenticate(&state.app, &context, token).await?;
    let login = AdminLogin {
        access_token: tokens.access_token,
        refresh_token: tokens.refresh_token,
        expires_in: ACCESS_LIFE.as_secs(),
        admin: AdminBody {
            admin_id: admin.id.to_string(),
            fullname: admin.fullname,
            email: admin.email,
            role: admin.role.name(),
        },
    };
    Ok(Created(login, "You are signed in"))
}

pub(super) async fn invite(
    State(state): State<ApiState>,
    Staff { context, caller }: Staff,
    Json(body): Json<NewMember>,
) -> Result<Created<InvitationBody>, Problem> {
    let mut fields = Fields::default();
    let email = required(&mut fields, "email", body.email.as_deref());
    let fullname = required(&mut fields, "fullname", body.fullname.as_deref());
    let email = fields.take("email", Email::parse(email));
    let fullname = fields.take("fullname", FullName::parse(fullname));
    let role = fields.take("role", AdminRole::parse_invited(body.role.as_deref()));
    fields.finish()?;
    let (Some(email), Some(fullname), Some(role)) = (email, fullname, role) else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let invited = admin::invite(&state.app, &context, &caller, email, fullname, role).await?;
    let invitation = InvitationBody {
        invitation_id: invited.id.to_string(),
        email: invited.email,
        role: invited.role.name(),
        status: "pending",
        expires_at: invited.expires_at,
    };
    Ok(Created(invitation, "Invitation sent"))
}

pub(super) async fn members(
    State(state): State<ApiState>,
    _: Staff,
    Query(paging): Query<Paging>,
) -> Result<Data<StaffPage>, Problem> {
    let listing = admin::members(&state.app, paging.read()?).await?;
    let (total, pagination) = (listing.total, ConsolePagination::from(&listing));
    let members = listing.items.into_iter().map(Member::from).collect();
    Ok(Data(StaffPage { members, total, pagination }, "Staff members"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    Staff { context, caller }: Staff,
    Segment(id): Segment,
    Json(input): Json<MemberChanges>,
) -> Result<Data<Member>, Problem> {
    let id: AdminId = path_id(&id, "member")?;
    let mut fields = Fields::default();
    let changes = Changes {
        role: input.role.and_then(|it| fields.take("role", it.parse::<AdminRole>())),
        status: input.status.and_then(|it| fields.take("status", it.parse::<MemberStatus>())),
    };
    fields.finish()?;
    let changed = admin::change(&state.app, &context, caller, id, changes).await?;
    Ok(Data(changed.into(), "Staff member updated"))
}
