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
use grantor_service::admin::{self, Admin, AdminSignedIn, Changes, Listed};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Fine};
use super::paging::Paging;
use super::{path_id, required};
use crate::describe::value;
use crate::frame::caller::Staff;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::page::ConsolePagination;
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::settings::ApiState;

/// A one-time admin token.
#[derive(Deserialize, ToSchema)]
pub(super) struct AdminToken {
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    token: Option<String>,
}

/// A member of staff who signed in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AdminLogin {
    access_token: String,
    refresh_token: String,
    /// Seconds the access token lives.
    expires_in: u64,
    admin: AdminBody,
}

/// Who signed in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AdminBody {
    #[schema(inline, value_type = value::Id)]
    admin_id: String,
    fullname: String,
    email: String,
    #[schema(inline, value_type = value::AdminRoleName)]
    role: &'static str,
}

/// Who is invited.
#[derive(Deserialize, ToSchema)]
pub(super) struct NewMember {
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
    /// 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::FullName)]
    fullname: Option<String>,
    /// Admin or `Support_Admin`; Admin when it is left out.
    #[schema(inline, value_type = Option<value::InvitedAdminRole>)]
    role: Option<String>,
}

/// An invitation on its way.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct InvitationBody {
    #[schema(inline, value_type = value::Id)]
    invitation_id: String,
    email: String,
    #[schema(inline, value_type = value::AdminRoleName)]
    role: &'static str,
    #[schema(inline, value_type = value::PendingWord)]
    status: &'static str,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// A page of the staff.
#[derive(Serialize, ToSchema)]
pub(super) struct StaffPage {
    members: Vec<Member>,
    total: u64,
    pagination: ConsolePagination,
}

/// A member of the staff, or somebody who was invited.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Member {
    /// Null while the status is pending.
    #[schema(inline, value_type = Option<value::Id>)]
    admin_id: Option<String>,
    /// While the status is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Id>)]
    invitation_id: Option<String>,
    fullname: String,
    email: String,
    #[schema(inline, value_type = value::AdminRoleName)]
    role: &'static str,
    /// active, inactive or pending.
    #[schema(inline, value_type = value::StaffStatus)]
    status: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// What is to be changed; what is left out stays.
#[derive(Deserialize, ToSchema)]
pub(super) struct MemberChanges {
    /// `Super_Admin`, Admin or `Support_Admin`.
    #[schema(inline, value_type = Option<value::AdminRoleName>)]
    role: Option<String>,
    /// active or inactive.
    #[schema(inline, value_type = Option<value::MemberStatusName>)]
    status: Option<String>,
}

impl From<Listed> for Member {
    fn from(listed: Listed) -> Self {
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
    Ok(Created(invitation, "The invitation is on its way"))
}

pub(super) async fn members(
    State(state): State<ApiState>,
    _: Staff,
    Query(paging): Query<Paging>,
) -> Result<Fine<StaffPage>, Problem> {
    let listing = admin::members(&state.app, paging.read()?).await?;
    let (total, pagination) = (listing.total, ConsolePagination::from(&listing));
    let members = listing.items.into_iter().map(Member::from).collect();
    Ok(Fine(StaffPage { members, total, pagination }, "The staff"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    Staff { context, caller }: Staff,
    Segment(id): Segment,
    Json(asked): Json<MemberChanges>,
) -> Result<Fine<Member>, Problem> {
    let id: AdminId = path_id(&id, "member")?;
    let mut fields = Fields::default();
    let changes = Changes {
        role: asked.role.and_then(|it| fields.take("role", it.parse::<AdminRole>())),
        status: asked.status.and_then(|it| fields.take("status", it.parse::<MemberStatus>())),
    };
    fields.finish()?;
    let changed = admin::change(&state.app, &context, caller, id, changes).await?;
    Ok(Fine(changed.into(), "The member of staff was changed"))
}
