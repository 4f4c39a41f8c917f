//! `/admin/organizations`, `/admin/organization/{organizationId}`, `/admin/platforms`,
//! `/admin/licenses`: records of all organizations, for staff.

use axum::extract::State;
use grantor_domain::admin::{AdminRight, may};
use grantor_domain::error::Fields;
use grantor_domain::id::TenantId;
use grantor_domain::license::LicenseStatus;
use grantor_domain::organization::{OrganizationStatus, Plan};
use grantor_domain::page::{Listing, Page};
use grantor_domain::search::SearchQuery;
use grantor_domain::{Result, Timestamp};
use grantor_service::licensing::license::LicenseRecord;
use grantor_service::operations::staff::{
    self, LicenseFilter, ListedPlatform, ListedTenant, PlatformFilter, TenantFilter,
};
use grantor_service::organizations::suspension::{TenantChanges, change_tenant};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::Data;
use super::paging::Paging;
use super::path_id;
use crate::frame::caller::Staff;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::page::ConsolePagination;
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The query parameters of the organization list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct OrganizationParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
    /// Searches for part of the name.
    #[param(inline, value_type = Option<value::Part>)]
    search: Option<String>,
    /// Only return organizations of this type.
    #[serde(rename = "type")]
    #[param(rename = "type", inline, value_type = Option<value::TenantTypeName>)]
    kind: Option<String>,
    /// Only return organizations with this status.
    #[param(inline, value_type = Option<value::OrganizationStatusName>)]
    status: Option<String>,
    /// Only return organizations with this plan.
    #[param(inline, value_type = Option<value::PlanName>)]
    plan: Option<String>,
}

/// The query parameters of the platform list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlatformParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
    /// Searches for part of the name or domain.
    #[param(inline, value_type = Option<value::Part>)]
    search: Option<String>,
    /// Only return records of this organization.
    #[param(rename = "organizationId", inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
}

/// The query parameters of the license list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(super) struct LicenseParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
    /// Searches name, description, the talent's names, the owner's name and the external ID.
    /// Supports words, prefixes such as `win*` and quoted phrases.
    #[param(inline, value_type = Option<value::Search>)]
    search: Option<String>,
    /// Only return records of this organization.
    #[param(rename = "organizationId", inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
    /// Only return licenses of this type.
    #[serde(rename = "type")]
    #[param(rename = "type", inline, value_type = Option<value::LicenseTypeName>)]
    kind: Option<String>,
    /// Only return licenses with this status.
    #[param(inline, value_type = Option<value::LicenseStatusName>)]
    status: Option<String>,
}

/// A page of organizations.
#[derive(Serialize, ToSchema)]
pub(super) struct OrganizationPage {
    /// The organizations.
    organizations: Vec<OrganizationBody>,
    /// The total number of organizations.
    total: u64,
    pagination: ConsolePagination,
}

/// An organization or individual account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrganizationBody {
    /// The organization's ID.
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
    /// The organization's name.
    name: String,
    /// The organization's type.
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::TenantTypeName)]
    kind: &'static str,
    /// The organization's status.
    #[schema(inline, value_type = value::OrganizationStatusName)]
    status: &'static str,
    /// The organization's plan.
    #[schema(inline, value_type = value::PlanName)]
    plan: &'static str,
    /// The number of members, including inactive ones.
    member_count: u32,
    /// When the organization was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<ListedTenant> for OrganizationBody {
    fn from(ListedTenant { tenant, member_count }: ListedTenant) -> Self {
        Self {
            organization_id: tenant.id.to_string(),
            name: tenant.name,
            kind: tenant.kind.name(),
            status: tenant.status.name(),
            plan: tenant.plan.name(),
            member_count,
            created_at: tenant.created_at,
        }
    }
}

/// The fields to change. Omitted fields keep their value.
#[derive(Deserialize, ToSchema)]
pub(super) struct OrganizationChanges {
    /// The status: `active` or `suspended`.
    #[schema(inline, value_type = Option<value::OrganizationStatusName>)]
    status: Option<String>,
    /// The plan: `Free`, `Starter`, `Pro` or `Enterprise`.
    #[schema(inline, value_type = Option<value::PlanName>)]
    plan: Option<String>,
}

/// A page of platforms.
#[derive(Serialize, ToSchema)]
pub(super) struct PlatformPage {
    /// The platforms.
    platforms: Vec<StaffPlatform>,
    /// The total number of platforms.
    total: u64,
    pagination: ConsolePagination,
}

/// A platform, for staff.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StaffPlatform {
    /// The platform's ID.
    #[schema(inline, value_type = value::Id)]
    platform_id: String,
    /// The platform's name.
    name: String,
    /// The platform's type.
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::PlatformTypeName)]
    kind: &'static str,
    /// The platform's domain.
    domain: String,
    /// The platform's status.
    #[schema(inline, value_type = value::PlatformStatusName)]
    status: &'static str,
    organization: OwnerName,
    /// When the platform was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// The organization that owns a record.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnerName {
    /// The organization's ID.
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
    /// The organization's name.
    name: String,
}

impl From<ListedPlatform> for StaffPlatform {
    fn from(ListedPlatform { platform, owner_name, .. }: ListedPlatform) -> Self {
        Self {
            platform_id: platform.id.to_string(),
            status: platform.status().name(),
            name: platform.name.as_str().to_owned(),
            kind: platform.kind.name(),
            domain: platform.domain.as_str().to_owned(),
            organization: OwnerName {
                organization_id: platform.tenant.to_string(),
                name: owner_name,
            },
            created_at: platform.created_at,
        }
    }
}

/// A page of licenses.
#[derive(Serialize, ToSchema)]
pub(super) struct LicensePage {
    /// The licenses.
    licenses: Vec<StaffLicense>,
    /// The total number of licenses.
    total: u64,
    pagination: ConsolePagination,
}

/// A license, for staff. Terms and fee are not included.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StaffLicense {
    /// The license's ID.
    #[schema(inline, value_type = value::Id)]
    license_id: String,
    /// The license's name.
    name: String,
    /// The license's type.
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::LicenseTypeName)]
    kind: &'static str,
    /// The license's status.
    #[schema(inline, value_type = value::LicenseStatusName)]
    status: &'static str,
    talent: TalentName,
    organization: OwnerName,
    /// Whether platforms are scanned for mentions of the license.
    can_crawl: bool,
    /// The number of reference images.
    image_count: u32,
    /// When the license expires, if it has an end date.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// When the license was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the license was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// The licensed talent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TalentName {
    /// The talent's ID.
    #[schema(inline, value_type = value::Id)]
    talent_id: String,
    /// The talent's full name.
    fullname: String,
}

impl From<(LicenseRecord, LicenseStatus)> for StaffLicense {
    fn from((shown, status): (LicenseRecord, LicenseStatus)) -> Self {
        let license = shown.license;
        Self {
            license_id: license.id.to_string(),
            name: license.title.as_str().to_owned(),
            kind: license.license_type.key(),
            status: status.name(),
            talent: TalentName {
                talent_id: license.talent.to_string(),
                fullname: shown.talent_name,
            },
            organization: OwnerName {
                organization_id: license.tenant.to_string(),
                name: shown.owner_name,
            },
            can_crawl: license.can_crawl,
            image_count: license.image_count,
            expires_at: license.expires_at,
            created_at: license.created_at,
            updated_at: license.updated_at,
        }
    }
}

pub(super) async fn organizations(
    State(state): State<ApiState>,
    _: Staff,
    Query(params): Query<OrganizationParams>,
) -> Result<Data<OrganizationPage>, Problem> {
    let mut fields = Fields::default();
    let page = read_page(params.page, params.limit, &mut fields);
    let filter = TenantFilter {
        search: params.search.and_then(|it| fields.take("search", staff::search(&it))),
        kind: params.kind.and_then(|it| fields.take("type", it.parse())),
        status: params.status.and_then(|it| fields.take("status", it.parse())),
        plan: params.plan.and_then(|it| fields.take("plan", it.parse())),
    };
    let page = finish(page, fields)?;
    let found = staff::tenants(&state.app, filter, page).await?;
    let (organizations, total, pagination) = parts(found);
    Ok(Data(OrganizationPage { organizations, total, pagination }, "All organizations"))
}

pub(super) async fn change_organization(
    State(state): State<ApiState>,
    Staff { context, caller }: Staff,
    Segment(id): Segment,
    Json(input): Json<OrganizationChanges>,
) -> Result<Data<OrganizationBody>, Problem> {
    let id: TenantId = path_id(&id, "organization")?;
    let mut fields = Fields::default();
    let changes = TenantChanges {
        status: input.status.and_then(|it| fields.take("status", it.parse::<OrganizationStatus>())),
        plan: input.plan.and_then(|it| fields.take("plan", it.parse::<Plan>())),
    };
    fields.finish()?;
    if changes.status.is_some() {
        may(caller.role, AdminRight::Suspend)?;
    }
    let changed = change_tenant(&state.app, &context, id, changes).await?;
    Ok(Data(changed.into(), "Organization updated"))
}

pub(super) async fn platforms(
    State(state): State<ApiState>,
    _: Staff,
    Query(params): Query<PlatformParams>,
) -> Result<Data<PlatformPage>, Problem> {
    let mut fields = Fields::default();
    let page = read_page(params.page, params.limit, &mut fields);
    let filter = PlatformFilter {
        search: params.search.and_then(|it| fields.take("search", staff::search(&it))),
        tenant: params.organization_id.and_then(|it| fields.take("organizationId", it.parse())),
    };
    let page = finish(page, fields)?;
    let found = staff::platforms(&state.app, filter, page).await?;
    let (platforms, total, pagination) = parts(found);
    Ok(Data(PlatformPage { platforms, total, pagination }, "All platforms"))
}

pub(super) async fn licenses(
    State(state): State<ApiState>,
    _: Staff,
    Query(params): Query<LicenseParams>,
) -> Result<Data<LicensePage>, Problem> {
    let mut fields = Fields::default();
    let page = read_page(params.page, params.limit, &mut fields);
    let search = SearchQuery::parse(params.search.as_deref().unwrap_or_default());
    let filter = LicenseFilter {
        search: fields.take("search", search).flatten(),
        tenant: params.organization_id.and_then(|it| fields.take("organizationId", it.parse())),
        license_type: params.kind.and_then(|it| fields.take("type", it.parse())),
        status: params.status.and_then(|it| fields.take("status", it.parse())),
    };
    let page = finish(page, fields)?;
    let found = staff::licenses(&state.app, filter, page).await?;
    let (licenses, total, pagination) = parts(found);
    Ok(Data(LicensePage { licenses, total, pagination }, "All licenses"))
}

fn read_page(page: Option<String>, limit: Option<String>, fields: &mut Fields) -> Option<Page> {
    fields.take_all(Paging::new(page, limit).read())
}

fn finish(page: Option<Page>, fields: Fields) -> Result<Page> {
    fields.finish()?;
    page.ok_or_else(|| grantor_domain::Error::validation("The query is not valid"))
}

fn parts<T, B: From<T>>(found: Listing<T>) -> (Vec<B>, u64, ConsolePagination) {
    let pagination = ConsolePagination::from(&found);
    (found.items.into_iter().map(B::from).collect(), found.total, pagination)
}
