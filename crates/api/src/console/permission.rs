//! `/org/license/{licenseId}/permissions`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::{LicenseId, PermissionId};
use grantor_domain::permission::{Grantee, GranteeName, PermissionRole};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::licensing::permission::{self, HeldPermission};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, NoContent, PageOf, Plural};
use super::paging::Paging;
use super::{path_id, required};
use crate::frame::caller::SignedIn;
use crate::frame::describe::{one_of_two, value};
use crate::frame::extract::{Json, Query, Segment, Segments};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The permission to grant.
#[derive(Deserialize, ToSchema)]
pub(super) struct NewPermission {
    #[schema(required, nullable = false)]
    grantee: Option<GranteeInput>,
    /// The role: `viewer`, `trustee` or `licensor`.
    #[schema(required, nullable = false, inline, value_type = value::PermissionRoleName)]
    role: Option<String>,
}

/// A user by email address, or an organization by ID. The response doesn't reveal whether the email
/// address has an account: the invitation is emailed, and the permission is pending until it is
/// accepted. It takes effect as soon as the address has an account.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GranteeInput {
    user_email: Option<String>,
    organization_id: Option<String>,
}

one_of_two!(GranteeInput: UserInput, OrganizationInput);

/// A user by email address.
#[derive(ToSchema)]
#[schema(as = UserGrantee, rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct UserInput {
    /// The user's email address.
    #[schema(inline, value_type = value::Email)]
    user_email: String,
}

/// An organization by its ID.
#[derive(ToSchema)]
#[schema(as = OrganizationGrantee, rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct OrganizationInput {
    /// The organization's ID.
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
}

/// A permission on a license.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PermissionBody {
    /// The permission's ID.
    #[schema(inline, value_type = value::Id)]
    permission_id: String,
    grantee: GranteeBody,
    /// The role.
    #[schema(inline, value_type = value::PermissionRoleName)]
    role: &'static str,
    /// The status: `pending` until the user accepts the invitation, then `accepted`. Organizations
    /// accept automatically.
    #[schema(inline, value_type = value::ShareStatus)]
    status: &'static str,
    /// Where the permission comes from: `permission` if it was given by hand, or an active `grant`,
    /// whose ID it has.
    #[schema(inline, value_type = value::PermissionSource)]
    source: &'static str,
    /// When the permission was granted.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// The grantee of a permission.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GranteeBody {
    /// The user's email address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    user_email: Option<String>,
    /// The organization's ID.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Id>)]
    organization_id: Option<String>,
    /// The organization's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    organization_name: Option<String>,
}

impl Plural for PermissionBody {
    const PLURAL: &'static str = "permissions";
}

impl From<HeldPermission> for PermissionBody {
    fn from(held: HeldPermission) -> Self {
        let none = GranteeBody { user_email: None, organization_id: None, organization_name: None };
        let name = Some(held.grantee_name);
        let grantee = match held.grantee {
            Grantee::User(_) => GranteeBody { user_email: name, ..none },
            Grantee::Organization(id) => GranteeBody {
                organization_id: Some(id.to_string()),
                organization_name: name,
                ..none
            },
        };
        Self {
            permission_id: held.id.to_string(),
            grantee,
            role: held.role.name(),
            status: if held.accepted { "accepted" } else { "pending" },
            source: if held.by_grant { "grant" } else { "permission" },
            created_at: held.created_at,
        }
    }
}

pub(super) async fn grant(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    Json(input): Json<NewPermission>,
) -> Result<Created<PermissionBody>, Problem> {
    let id: LicenseId = path_id(&id, "license")?;
    let mut fields = Fields::default();
    let given = input.grantee.unwrap_or_default();
    let (email, organization) = (given.user_email.as_deref(), given.organization_id.as_deref());
    let grantee = GranteeName::parse(email, organization, &mut fields);
    let role = required(&mut fields, "role", input.role.as_deref());
    let role = fields.take("role", role.parse::<PermissionRole>());
    fields.finish()?;
    let (Some(grantee), Some(role)) = (grantee, role) else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let held = permission::grant(&state.app, &context, caller, id, grantee, role).await?;
    // The message must not reveal whether the email address has an account.
    let message = if held.accepted { "Permission granted" } else { "Invitation sent" };
    Ok(Created(held.into(), message))
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
    Query(paging): Query<Paging>,
) -> Result<PageOf<PermissionBody>, Problem> {
    let id: LicenseId = path_id(&id, "license")?;
    let found = permission::list(&state.app, &caller, id, paging.read()?).await?;
    Ok(PageOf(found.map(PermissionBody::from), "The license's permissions"))
}

pub(super) async fn revoke(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segments([license, id]): Segments<2>,
) -> Result<NoContent, Problem> {
    let license: LicenseId = path_id(&license, "license")?;
    let id: PermissionId = path_id(&id, "permission")?;
    permission::revoke(&state.app, &context, caller, license, id).await?;
    Ok(NoContent)
}
