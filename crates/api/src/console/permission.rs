//! `/org/license/{licenseId}/permissions`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::{LicenseId, PermissionId};
use grantor_domain::permission::{Grantee, GranteeName, PermissionRole};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::permission::{self, Held};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Gone, Listed, Plural};
use super::paging::Paging;
use super::{path_id, required};
use crate::describe::{one_of_two, value};
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Json, Query, Segment, Segments};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// Who shall hold which right.
#[derive(Deserialize, ToSchema)]
pub(super) struct NewPermission {
    #[schema(required, nullable = false)]
    grantee: Option<GranteeInput>,
    /// viewer, trustee or licensor.
    #[schema(required, nullable = false, inline, value_type = value::PermissionRoleName)]
    role: Option<String>,
}

/// A person by their address, or an organization by its id: one of the two. The answer does not
/// tell whether an account has the address: a mail goes there, and the permission is pending until
/// it is accepted. Who has an account holds it at once, others as soon as they have one.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GranteeInput {
    user_email: Option<String>,
    organization_id: Option<String>,
}

one_of_two!(GranteeInput: UserInput, OrganizationInput);

/// A person by their address.
#[derive(ToSchema)]
#[schema(as = UserGrantee, rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct UserInput {
    #[schema(inline, value_type = value::Email)]
    user_email: String,
    #[schema(required = false, inline, value_type = value::Nothing)]
    organization_id: (),
}

/// An organization by its id.
#[derive(ToSchema)]
#[schema(as = OrganizationGrantee, rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct OrganizationInput {
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
    #[schema(required = false, inline, value_type = value::Nothing)]
    user_email: (),
}

/// A right on a license.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PermissionBody {
    #[schema(inline, value_type = value::Id)]
    permission_id: String,
    grantee: GranteeBody,
    #[schema(inline, value_type = value::PermissionRoleName)]
    role: &'static str,
    /// pending until whoever has the address accepts it, then accepted. Organizations have it at
    /// once.
    #[schema(inline, value_type = value::ShareStatus)]
    status: &'static str,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// Who holds it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GranteeBody {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    user_email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Id>)]
    organization_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    organization_name: Option<String>,
}

impl Plural for PermissionBody {
    const PLURAL: &'static str = "permissions";
}

impl From<Held> for PermissionBody {
    fn from(held: Held) -> Self {
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
            created_at: held.created_at,
        }
    }
}

pub(super) async fn grant(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    Json(asked): Json<NewPermission>,
) -> Result<Created<PermissionBody>, Problem> {
    let id: LicenseId = path_id(&id, "license")?;
    let mut fields = Fields::default();
    let given = asked.grantee.unwrap_or_default();
    let (email, organization) = (given.user_email.as_deref(), given.organization_id.as_deref());
    let grantee = GranteeName::parse(email, organization, &mut fields);
    let role = required(&mut fields, "role", asked.role.as_deref());
    let role = fields.take("role", role.parse::<PermissionRole>());
    fields.finish()?;
    let (Some(grantee), Some(role)) = (grantee, role) else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let held = permission::grant(&state.app, &context, caller, id, grantee, role).await?;
    // The same for an address with an account and one without.
    let message =
        if held.accepted { "The permission was granted" } else { "The invitation was sent" };
    Ok(Created(held.into(), message))
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
    Query(paging): Query<Paging>,
) -> Result<Listed<PermissionBody>, Problem> {
    let id: LicenseId = path_id(&id, "license")?;
    let found = permission::list(&state.app, &caller, id, paging.read()?).await?;
    Ok(Listed(found.map(PermissionBody::from), "Who may do what with the license"))
}

pub(super) async fn revoke(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segments([license, id]): Segments<2>,
) -> Result<Gone, Problem> {
    let license: LicenseId = path_id(&license, "license")?;
    let id: PermissionId = path_id(&id, "permission")?;
    permission::revoke(&state.app, &context, caller, license, id).await?;
    Ok(Gone)
}
